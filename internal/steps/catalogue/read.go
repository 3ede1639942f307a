package catalogue

import (
	"context"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
)

var readSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "find", Group: steps.GroupRead, Reads: true, Once: true,
		Hints:   map[string]string{"selector": "find takes a kind and its value, such as text: Save; to check whether a selector or an alias matches, write look: {is: {found: SELECTOR}}"},
		Summary: "check once whether an element exists",
		Doc:     "Waits only until what is loading there is complete. No match is not a failure: count is then 0. Takes one of role (with name), text, label, placeholder, alt, title, testid, css, xpath.",
		Example: "{find: {role: button, name: \"${params.trigger}\"}, output: trigger}",
	}, find),
	steps.Define(steps.Entry{
		Name: "get", Group: steps.GroupRead, Reads: true,
		Summary: "read a property of an element or the page",
		Doc:     "Waits until the element is attached; count does not wait. Without a selector, text, html and outer_html are those of the body.",
		Example: "{get: {selector: role:status, what: text}, output: toast}",
		Result:  []steps.Field{{Name: "text, html, value, …", Doc: "the value, under the name of what"}, {Name: "truncated", Doc: "true if a text was cut, or older messages of the console were omitted, otherwise absent"}},
	}, get, steps.Checks(checkGet)),
	steps.Define(steps.Entry{
		Name: "is", Group: steps.GroupRead, Once: true,
		Summary: "check a state of an element once, without waiting",
		Doc:     "A missing element is not visible; for the other states it is ELEMENT_NOT_FOUND.",
		Example: "{is: {selector: \"label:Express\", state: checked}, output: express}",
		Result:  []steps.Field{{Name: "visible, enabled, checked, …", Doc: "true or false, under the state's name"}},
	}, func(ctx context.Context, env *steps.Env, a *isArgs) (steps.Result, error) {
		ok, err := env.Page.Is(ctx, a.Selector, a.State)
		return steps.Result{a.State: ok}, err
	}),
	steps.Define(steps.Entry{
		Name: "look", Group: steps.GroupRead, Reads: true, Once: true,
		Summary: "answer many questions about the page in one query",
		Doc: "Waits only until what is loading there is complete, and queries the page once for any number of questions. Each question that leads into a frame of another origin costs one more query. No match is not a failure. The names are free, but each must be different. " +
			"Use it before choose, instead of several get steps with what: count.",
		Example: "look: {is: {box: \"label:Express >> role:checkbox\", list: \"label:Express >> role:combobox\"}, texts: {title: role:heading}}\noutput: form",
		Result:  []steps.Field{{Name: "…", Doc: "the answers under the names of the questions"}},
	}, look, steps.Checks(checkLook)),
	steps.Define(steps.Entry{
		Name: "narrow", Group: steps.GroupRead, Instead: inFile,
		Summary: "limit the rest of a foreach to the inside of an element",
		Doc: "Waits until the element is visible. From then on, the selectors of the foreach search inside the element, in this iteration and in later ones. A loop over the names of a path thus goes down one level at a time, for any number of levels, and ignores elements with the same names in other branches. A level that does not appear is ELEMENT_NOT_FOUND; the error says what is there. " +
			"Selectors that begin with `document:`, and refs, are not affected.",
		Example: "{foreach: \"${params.path}\", steps: [{narrow: \"role:treeitem[name='${item}']\"}, {click: \"css:.toggle\"}]}",
	}, narrow),
	steps.Define(steps.Entry{
		Name: "extract", Group: steps.GroupRead, Reads: true,
		Summary: "read rows of a list or table as data",
		Doc: "Waits for the first row; no row within the time is not an error. A field is a selector inside the row, which may begin with closest:, next: or a filter (its text is read), or {selector, what, attr, all}. Without a selector, the row itself is read. A field without a match is null. With all: true, a field is the list of all matches.\n\n" +
			"what is text, own (the text without that of the blocks, fields and buttons in it), html, value, attr, name (the accessible name) or digest (a value that stays the same as long as what is shown does: texts, values of fields, states of controls, pictures). For a field of a form, refused is true if the browser or a script has found the field invalid since the last press, unless a form was sent after it. For a button, three values compare its words with the title and the questions of its dialog:\n\n" +
			"- asked: 'asked' if the title or a question has all words of the button in some form, 'said' if only another sentence does.\n" +
			"- shares: true if the title or a question has one of its words.\n" +
			"- fits: 'does' if the button names what the dialog asks for; 'denied' if it does what the dialog excludes; 'contrary' if it does the opposite; 'beyond' if it has the verb of the dialog, but an object of its own; 'more' if it does another thing too; 'other' if it names something else; 'object' if the dialog has its verb only for what is undone, stopped or named; 'told' if the dialog only says that it happens by itself; 'urged' if a sentence tells the user to do it; 'unasked' if nothing asks for it or speaks of it; null if the dialog asks for nothing.",
		Example: "{extract: {rows: \"css:tbody tr\", fields: {id: \"css:td >> nth:0\", link: {selector: css:a, what: attr, attr: href}}}, output: orders}",
	}, extract),
	snapshotStep,
	steps.Define(steps.Entry{
		Name: "screenshot", Group: steps.GroupRead, Limit: steps.PageTime,
		Summary: "take a picture",
		Example: "screenshot: {selector: role:dialog, path: dialog.png}",
	}, screenshot, steps.Checks(checkShot)),
	steps.Define(steps.Entry{
		Name: "pdf", Group: steps.GroupRead, Limit: steps.PageTime,
		Summary: "print the page as a PDF", Doc: "Uses the page's own paper size. A browser with a window cannot print: STEP_FAILED.",
		Example: "pdf: invoice.pdf",
	}, pdf),
}

type findArgs struct {
	Role        string       `arg:"role,one" doc:"ARIA role"`
	Name        *string      `arg:"name" with:"role" doc:"accessible name, with role"`
	Text        *string      `arg:"text,one" doc:"rendered text"`
	Label       *string      `arg:"label,one" doc:"label of a form control"`
	Placeholder *string      `arg:"placeholder,one" doc:"placeholder attribute"`
	Alt         *string      `arg:"alt,one" doc:"alt attribute"`
	Title       *string      `arg:"title,one" doc:"title attribute"`
	TestID      *string      `arg:"testid,one" doc:"test id attribute"`
	CSS         *steps.CSS   `arg:"css,one" doc:"CSS selector"`
	XPath       *steps.XPath `arg:"xpath,one" doc:"XPath"`
	Make        steps.TargetMaker
}

type findResult struct {
	Count   int    `json:"count" doc:"number of matches"`
	Role    string `json:"role" doc:"of the first"`
	Name    string `json:"name" doc:"of the first"`
	Text    string `json:"text" doc:"of the first"`
	Visible bool   `json:"visible" doc:"whether the first is visible"`
	Ref     string `json:"ref" doc:"of the first, for later steps"`
}

func find(ctx context.Context, env *steps.Env, a *findArgs) (findResult, error) {
	t, err := a.target()
	if err != nil {
		return findResult{}, err
	}
	f, err := env.Page.Find(ctx, t)
	return findResult{Count: f.Count, Role: f.Role, Name: f.Name, Text: f.Text, Visible: f.Visible, Ref: f.Ref}, err
}

// target builds a selector from the arguments. It quotes their values.
func (a *findArgs) target() (driver.Target, error) {
	switch {
	case a.CSS != nil:
		return driver.Target(*a.CSS), nil
	case a.XPath != nil:
		return driver.Target(*a.XPath), nil
	}
	src := ""
	if a.Role != "" {
		src = "role:" + a.Role
		if a.Name != nil {
			src += "[name=" + selectors.Quote(selectors.Role, *a.Name) + "]"
		}
	}
	for _, k := range []struct {
		value *string
		kind  selectors.Kind
	}{
		{a.Text, selectors.TextKind}, {a.Label, selectors.Label}, {a.Placeholder, selectors.Placeholder},
		{a.Alt, selectors.Alt}, {a.Title, selectors.Title}, {a.TestID, selectors.TestID},
	} {
		if k.value != nil {
			src = string(k.kind) + ":" + selectors.Quote(k.kind, *k.value)
		}
	}
	sel, err := selectors.Parse(src, selectors.Options{Literal: true, Code: diag.ParamInvalid})
	if err != nil {
		return driver.Target{}, err
	}
	return a.Make(sel), nil
}

type isArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"2" doc:"the element"`
	State    string        `arg:"state,required" pos:"1" enum:"visible enabled checked editable focused" doc:"the state to check"`
}

type narrowArgs struct {
	Selector driver.Target `arg:"selector,required,main" doc:"the element"`
	Make     steps.TargetMaker
}

type narrowResult struct {
	Ref string `json:"ref" doc:"of the element"`
}

func narrow(ctx context.Context, env *steps.Env, a *narrowArgs) (narrowResult, error) {
	read, err := env.Page.Read(ctx, a.Selector, driver.ReadOptions{What: "ref"})
	if err != nil {
		return narrowResult{}, whatIsThere(ctx, env, a.Make, err)
	}
	ref, _ := read.Value.(string)
	env.Flow.Narrow(ref)
	return narrowResult{ref}, nil
}

// whatIsThere adds the text of the current scope to the error of a `narrow` that has found no
// element. It returns other errors unchanged.
func whatIsThere(ctx context.Context, env *steps.Env, target steps.TargetMaker, err error) error {
	missing := diag.As(err)
	if missing == nil || missing.Code != diag.ElementNotFound {
		return err
	}
	around, bad := selectors.Parse("xpath:self::*", selectors.Options{})
	if bad != nil {
		return err
	}
	t := target(around)
	t.Timeout = 0
	read, bad := env.Page.Read(ctx, t, driver.ReadOptions{What: "text", Limit: listedChars})
	text, _ := read.Value.(string)
	if bad != nil || strings.TrimSpace(text) == "" {
		return err
	}
	missing = missing.Clone()
	missing.Msg += "; what is there: " + strings.Join(strings.Fields(text), " ")
	return missing.WithDetail("there", text)
}

type getArgs struct {
	Selector *driver.Target `arg:"selector" pos:"2" doc:"the element"`
	What     string         `arg:"what,required" pos:"1" enum:"text html outer_html value attr attrs title url status requests console count box styles ref" doc:"what to read; html: what is inside the element, outer_html: with the element itself; ref: a ref of the visible element for later steps, which names the element itself even if its name changes; title, url, status (HTTP status of the document, 0 if there is none), requests and console are those of the page; console: the last 200 messages since the document began, newest last, each with level (log, info, warning, error, debug), text (at most 2000 characters), source (console, exception for an error that no script has caught, or what the browser reports: network, security, ...), url and line (null: unknown) and time"`
	Name     string         `arg:"name" doc:"of the attribute, with what: attr"`
	Limit    int            `arg:"limit" min:"1" doc:"cut each text after this many characters; default 2000 for a ref, otherwise nothing is cut; with what: console, the maximum number of messages, the last ones"`
	Keep     steps.Kept     `arg:"keep" default:"false" doc:"true: the run has set what is read; it is checked again at the end, like a control that the run has filled (see What a run has set)"`
	Make     steps.TargetMaker
}

func checkGet(w *steps.Written[getArgs]) diag.List {
	what := w.Text(&w.Args.What)
	selector, name, keep := w.Has(&w.Args.Selector), w.Has(&w.Args.Name), w.Has(&w.Args.Keep)
	bad := func(format, hint string) diag.List {
		return diag.List{diag.At(w.At(&w.Args.What).Pos, diag.DefinitionInvalid, format, what).WithHint("%s", hint)}
	}
	switch what {
	case "value", "attr", "attrs", "count", "box", "styles", "ref":
		if !selector {
			return bad("`get %s` needs a selector", "add `selector` with the element to read")
		}
	case "title", "url", "status", "requests", "console":
		if selector {
			return bad("`get %s` reads the page and takes no selector", "remove `selector`, or read an attribute with `what: attr`")
		}
	}
	if (!selector || what == "styles" || what == "box") && keep {
		return bad("found `keep` in `get %s`, which reads nothing that a run can set",
			"use `keep` only with a selector, for what a control shows: text, value, attr or count")
	}
	if what == "attr" && !name {
		return bad("`get %s` needs the name of the attribute", "add for example: name: href")
	}
	if what != "" && what != "attr" && name {
		return bad("`get %s` takes no name", "use `name` only with `what: attr`")
	}
	return nil
}

func get(ctx context.Context, env *steps.Env, a *getArgs) (steps.Result, error) {
	switch a.What {
	case "title":
		doc, err := env.Page.Document(ctx)
		return steps.Result{a.What: doc.Title}, err
	case "url":
		doc, err := env.Page.Shown(ctx)
		return steps.Result{a.What: doc.URL}, err
	case "status":
		doc, err := env.Page.Shown(ctx)
		return steps.Result{a.What: doc.Status}, err
	case "requests":
		list, _ := env.Page.Requests()
		return steps.Result{a.What: requestList(list)}, nil
	case "console":
		return getConsole(env, a.Limit), nil
	}
	if a.Selector == nil {
		body, err := selectors.Parse("document: >> css:body", selectors.Options{})
		if err != nil {
			return nil, err
		}
		made := a.Make(body)
		a.Selector = &made
	}
	t := a.Keep.On(*a.Selector)
	if a.What == "count" {
		// A count queries once, and does not wait for the element.
		if env.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, env.Timeout)
			defer cancel()
		}
		n, err := env.Page.Count(ctx, t)
		return steps.Result{a.What: n}, err
	}
	limit := a.Limit
	if limit == 0 && strings.HasPrefix(t.Source, "@") {
		limit = refLimit
	}
	read, err := env.Page.Read(ctx, t, driver.ReadOptions{What: a.What, Name: a.Name, Limit: limit})
	r := steps.Result{a.What: read.Value}
	if read.Cut {
		r["truncated"] = true
	}
	return r, err
}

// refLimit is the default maximum length of a text that is read by a ref, in characters.
const refLimit = 2000
