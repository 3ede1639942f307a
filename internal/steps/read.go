package steps

import (
	"bytes"
	"context"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/selectors"
)

// findKinds are the arguments of find, with the selector kind of each.
var findKinds = []struct {
	arg  string
	kind selectors.Kind
}{
	{"text", selectors.TextKind}, {"label", selectors.Label}, {"placeholder", selectors.Placeholder},
	{"alt", selectors.Alt}, {"title", selectors.Title}, {"testid", selectors.TestID},
}

var readSteps = []*Entry{
	{
		Name: "find", Group: GroupRead, Reads: true, Once: true,
		Hints:   map[string]string{"selector": "find takes a kind and its value, such as text: Save; whether a selector or an alias matches says look: {is: {found: SELECTOR}}"},
		Summary: "check once whether an element exists",
		Doc:     "Waits only for the end of what is loading there; no match is not a failure: count is then 0. Give one of role (with name), text, label, placeholder, alt, title, testid, css, xpath.",
		Example: "{find: {role: button, name: \"${params.trigger}\"}, output: trigger}",
		Args: []Arg{
			{Name: "role", Type: ArgText, Doc: "ARIA role"},
			{Name: "name", Type: ArgText, Doc: "accessible name, with role"},
			{Name: "text", Type: ArgText, Doc: "rendered text"},
			{Name: "label", Type: ArgText, Doc: "label of a form control"},
			{Name: "placeholder", Type: ArgText, Doc: "placeholder attribute"},
			{Name: "alt", Type: ArgText, Doc: "alt attribute"},
			{Name: "title", Type: ArgText, Doc: "title attribute"},
			{Name: "testid", Type: ArgText, Doc: "test id attribute"},
			{Name: "css", Type: ArgCSS, Doc: "CSS selector"},
			{Name: "xpath", Type: ArgXPath, Doc: "XPath"},
		},
		OneOf: []string{"role", "text", "label", "placeholder", "alt", "title", "testid", "css", "xpath"},
		With:  map[string]string{"name": "role"},
		Result: []Field{{"count", "how many match"}, {"role", "of the first"}, {"name", "of the first"},
			{"text", "of the first"}, {"visible", "whether the first is visible"}, {"ref", "of the first, for later steps"}},
		Run: find,
	},
	{
		Name: "get", Group: GroupRead, Reads: true,
		Summary: "read a property of an element or the page",
		Doc:     "Waits until the element is attached; count does not wait. Without a selector, text and html are those of the body.",
		Example: "{get: {selector: role:status, what: text}, output: toast}",
		Args: []Arg{selectorArg("the element", false),
			{Name: "what", Type: ArgEnum, Required: true, Values: []string{"text", "html", "value", "attr", "attrs", "title", "url", "status", "requests", "count", "box", "styles", "ref"}, Doc: "what to read; ref: a ref of the visible element for later steps, which mean the element itself whatever its name becomes; title, url, status (HTTP status of the document, 0 where there is none) and requests are the page's"},
			{Name: "name", Type: ArgText, Doc: "of the attribute, with what: attr"},
			{Name: "limit", Type: ArgInteger, Min: num(1), Doc: "cut each text after this many characters; default 2000 for a ref, otherwise nothing is cut"},
			keepArg},
		Hand: []string{"what", "selector"}, Result: []Field{{"text, html, value, …", "the value, under the name of what"}, {"truncated", "true if a text was cut, otherwise absent"}},
		Check: checkGet, Run: get,
	},
	{
		Name: "is", Group: GroupRead, Once: true,
		Summary: "check a state of an element once, without waiting",
		Doc:     "A missing element is not visible; for the other states it is ELEMENT_NOT_FOUND.",
		Example: "{is: {selector: \"label:Express\", state: checked}, output: express}",
		Args: []Arg{selectorArg("the element", true),
			{Name: "state", Type: ArgEnum, Required: true, Values: []string{"visible", "enabled", "checked", "editable", "focused"}, Doc: "the state to check"}},
		Hand: []string{"state", "selector"}, Result: []Field{{"visible, enabled, checked, …", "true or false, under the state's name"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			ok, err := env.Page.Is(ctx, *a.Target("selector"), a.Text("state"))
			if err != nil {
				return nil, err
			}
			return Result{a.Text("state"): ok}, nil
		},
	},
	{
		Name: "look", Group: GroupRead, Reads: true, Once: true,
		Summary: "answer many questions about the page in one look",
		Doc: "Waits only for the end of what is loading there, and asks the page once, whatever the number of questions; each that leads into a frame of another origin costs one more. No match is not a failure. The names are free, and each may be given once. " +
			"Use it before choose, in place of several get with what: count.",
		Example: "look: {is: {box: \"label:Express >> role:checkbox\", list: \"label:Express >> role:combobox\"}, texts: {title: role:heading}}\noutput: form",
		Args: []Arg{{Name: "is", Type: ArgSelectors, Doc: "how many elements match each selector"},
			{Name: "visible", Type: ArgSelectors, Doc: "how many of those that match each selector are visible"},
			{Name: "texts", Type: ArgSelectors, Doc: "the text of the first match of each selector, null if there is none"},
			{Name: "attrs", Type: ArgAttrs, Doc: "an attribute of the first match of each selector, null if there is none"},
			{Name: "rows", Type: ArgRows, Doc: "the rows of a list as data, [] if there are none: {rows, fields, shown, hue, over}, as in extract"}},
		Result: []Field{{"…", "the answers under the names of the questions"}},
		Check:  checkLook, Run: runLook,
	},
	{
		Name: "narrow", Group: GroupRead, Instead: inFile, Main: "selector",
		Summary: "let the rest of a foreach look inside an element",
		Doc: "Waits until the element is visible. From then on, the selectors of the foreach stand in its element, in this iteration and in those after it: so a loop over the names of a path goes down one level at a time, however many there are, and elements of equal names in other branches do not count. A level that does not come is ELEMENT_NOT_FOUND, with what is there. " +
			"Selectors that begin with `document:`, and refs, are not affected.",
		Example: "{foreach: \"${params.path}\", steps: [{narrow: \"role:treeitem[name='${item}']\"}, {click: \"css:.toggle\"}]}",
		Args:    []Arg{selectorArg("the element", true)},
		Result:  []Field{{"ref", "of the element"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			read, err := env.Page.Read(ctx, *a.Target("selector"), ReadOptions{What: "ref"})
			if err != nil {
				return nil, whatIsThere(ctx, env, a, err)
			}
			ref, _ := read.Value.(string)
			env.Flow.Narrow(ref)
			return Result{"ref": ref}, nil
		},
	},
	{
		Name: "extract", Group: GroupRead, Reads: true,
		Summary: "read rows of a list or table as data",
		Doc:     "Waits for the first row; no row within the time is not an error. A field is a selector inside the row, which may begin with closest:, next: or a filter (its text is read), or {selector, what, attr, all}, where what is text, html, value, attr, name (the accessible name), digest (a value that stays the same as long as what is shown does: texts, values of fields, states of controls, pictures) or asked (of a button: 'asked' if the title or a question of its dialog has all of its words in some form, 'said' if only another sentence does) or shares (of a button: true if the title or a question of its dialog has one of its words) or fits (of a button: 'does' if it names what its dialog asks for, 'denied' what that leaves out, 'contrary', 'beyond' for its verb with an object of its own, 'other' for another action; null if the dialog asks for none); without a selector the row itself is read. A field without a match is null; with all: true it is the list of all matches.",
		Example: "{extract: {rows: \"css:tbody tr\", fields: {id: \"css:td >> nth:0\", link: {selector: css:a, what: attr, attr: href}}}, output: orders}",
		Args: []Arg{{Name: "rows", Type: ArgSelector, Required: true, Doc: "matches each row"},
			{Name: "fields", Type: ArgFields, Required: true, Doc: "name of each field and where to read it"},
			{Name: "shown", Type: ArgBoolean, Default: false, Doc: "true: only visible rows, and visible matches in them; their texts include the values of input fields"},
			{Name: "hue", Type: ArgEnum, Values: hues, Doc: "only rows with their own words in that hue; black and white are grey"},
			{Name: "over", Type: ArgBoolean, Default: false, Doc: "true: only rows that lie over the page (position fixed or absolute) and are smaller than half of the window"},
			{Name: "unlike", Type: ArgValue, Doc: "rows that were read before in the same way: only rows that differ from each of them, where other digits are no difference"}},
		Result: []Field{{"rows", "a list of objects"}, {"count", "how many"}},
		Run:    extract,
	},
	snapshotStep,
	{
		Name: "screenshot", Group: GroupRead, Limit: PageTime,
		Summary: "take a picture",
		Example: "screenshot: {selector: role:dialog, path: dialog.png}",
		Args: []Arg{selectorArg("the element; absent: the viewport", false),
			{Name: "full_page", Type: ArgBoolean, Default: false, Doc: "the whole page instead of the viewport"},
			{Name: "format", Type: ArgEnum, Values: []string{"png", "jpeg"}, Default: "png", Doc: "of the picture"},
			{Name: "path", Type: ArgText, Doc: "file to write; absent: a new one in the private temporary folder"}},
		Hand: []string{"path"}, Result: []Field{{"path", "file written"}, {"width", "in CSS pixels"}, {"height", "in CSS pixels"}},
		Check: checkShot, Run: screenshot,
	},
	{
		Name: "pdf", Group: GroupRead, Limit: PageTime,
		Summary: "print the page as a PDF", Doc: "Uses the page's own paper size. A browser with a window cannot print: STEP_FAILED.",
		Example: "pdf: invoice.pdf",
		Args: []Arg{{Name: "path", Type: ArgText, Doc: "file to write; absent: a new one in the private temporary folder"},
			{Name: "landscape", Type: ArgBoolean, Default: false, Doc: "landscape paper"},
			{Name: "background", Type: ArgBoolean, Default: false, Doc: "include background colours and pictures"}},
		Hand: []string{"path"}, Result: []Field{{"path", "file written"}, {"bytes", "its size"}},
		Run: pdf,
	},
}

func find(ctx context.Context, env *Env, a *Args) (Result, error) {
	t, err := findTarget(a)
	if err != nil {
		return nil, err
	}
	f, err := env.Page.Find(ctx, t)
	if err != nil {
		return nil, err
	}
	return Result{"count": f.Count, "role": f.Role, "name": f.Name, "text": f.Text, "visible": f.Visible, "ref": f.Ref}, nil
}

// whatIsThere adds to the error of a level that is not there the text of the level above it.
func whatIsThere(ctx context.Context, env *Env, a *Args, err error) error {
	missing := diag.As(err)
	if missing == nil || missing.Code != diag.ElementNotFound {
		return err
	}
	around, bad := selectors.Parse("xpath:self::*", selectors.Options{})
	if bad != nil {
		return err
	}
	t := a.MakeTarget(around)
	t.Timeout = 0
	read, bad := env.Page.Read(ctx, t, ReadOptions{What: "text", Limit: listedChars})
	text, _ := read.Value.(string)
	if bad != nil || strings.TrimSpace(text) == "" {
		return err
	}
	missing = missing.Clone()
	missing.Msg += "; what is there: " + strings.Join(strings.Fields(text), " ")
	return missing.WithDetail("there", text)
}

// lookArgs are the arguments of look, with what each asks.
var lookArgs = []struct{ arg, what string }{{"is", "count"}, {"visible", "visible"}, {"texts", "text"}, {"attrs", "attr"}, {"rows", "rows"}}

// hues are what the colour of words may be, for extract and look.
var hues = []string{"red", "orange", "yellow", "green", "blue", "purple", "grey"}

// maxQuestions bounds one look.
const maxQuestions = 200

func checkLook(op *Op) diag.List {
	seen := make(map[string]diag.Pos)
	var list diag.List
	for _, a := range lookArgs {
		x := op.Args[a.arg]
		if x == nil {
			continue
		}
		for _, name := range x.Keys() {
			pos := x.Field(name).Pos
			if first, twice := seen[name]; twice {
				list.Add(diag.At(pos, diag.DefinitionInvalid, "look has two questions that are named %q", name).WithNote(first, "first here").WithHint("name one of them otherwise"))
			}
			seen[name] = pos
		}
	}
	at := op.Spec.Action.Pos()
	switch {
	case len(seen) == 0:
		list.Add(diag.At(at, diag.DefinitionInvalid, "look has no question").WithHint("add is: {name: selector}, or visible, texts, attrs, rows"))
	case len(seen) > maxQuestions:
		list.Add(diag.At(at, diag.DefinitionInvalid, "look has %d questions, at most %d", len(seen), maxQuestions).WithHint("split it, or read a list with extract"))
	}
	return list
}

func runLook(ctx context.Context, env *Env, a *Args) (Result, error) {
	var questions []Question
	var names []string
	for _, arg := range lookArgs {
		for _, f := range a.Fields(arg.arg) {
			q := Question{Target: *f.Target, What: arg.what, Attr: f.Attr, Only: f.Only}
			if arg.what == "rows" {
				var err error
				if q.Fields, err = extractFields(ctx, env, f.Fields); err != nil {
					return nil, err
				}
			}
			questions = append(questions, q)
			names = append(names, f.Name)
		}
	}
	answers, err := env.Page.Look(ctx, questions)
	if err != nil {
		return nil, err
	}
	out := make(Result, len(names))
	for i, name := range names {
		out[name] = answers[i]
		if n, ok := answers[i].(float64); ok {
			out[name] = int(n)
		}
	}
	return out, nil
}

// findTarget makes the selector from values: they are quoted, so that none of them is
// syntax.
func findTarget(a *Args) (Target, error) {
	if t := a.Target("css"); t != nil {
		return *t, nil
	}
	if t := a.Target("xpath"); t != nil {
		return *t, nil
	}
	src := ""
	if role := a.Text("role"); role != "" {
		src = "role:" + role
		if a.Has("name") {
			src += "[name=" + selectors.Quote(selectors.Role, a.Text("name")) + "]"
		}
	}
	for _, k := range findKinds {
		if a.Has(k.arg) {
			src = string(k.kind) + ":" + selectors.Quote(k.kind, a.Text(k.arg))
		}
	}
	sel, err := selectors.Parse(src, selectors.Options{Literal: true, Code: diag.ParamInvalid})
	if err != nil {
		return Target{}, err
	}
	return a.MakeTarget(sel), nil
}

func checkGet(op *Op) diag.List {
	what, _ := op.Args["what"].literalText()
	has := func(name string) bool { return op.Args[name] != nil }
	bad := func(format, hint string) diag.List {
		return diag.List{diag.At(op.Args["what"].Pos, diag.DefinitionInvalid, format, what).WithHint("%s", hint)}
	}
	switch what {
	case "value", "attr", "attrs", "count", "box", "styles", "ref":
		if !has("selector") {
			return bad("get %s needs a selector", "add selector: the element to read")
		}
	case "title", "url", "status", "requests":
		if has("selector") {
			return bad("get %s reads the page and takes no selector", "drop selector, or read an attribute with what: attr")
		}
	}
	if (!has("selector") || what == "styles" || what == "box") && has("keep") {
		return bad("get %s keeps nothing", "keep is for what a control shows or holds: text, value, attr or count, with its selector")
	}
	if what == "attr" && !has("name") {
		return bad("get %s needs the name of the attribute", "add name: href, for example")
	}
	if what != "" && what != "attr" && has("name") {
		return bad("get %s takes no name", "name belongs to what: attr")
	}
	return nil
}

// keepArg is for steps by which an action reads back what it has set by presses and keys.
var keepArg = Arg{Name: "keep", Type: ArgBoolean, Default: false, Doc: "true: the run has set what is read; it is checked once more at the end, like a control that the run has filled (see What a run has set)"}

// keeping returns t with the step's keep applied.
func keeping(t *Target, a *Args) *Target {
	kept := *t
	kept.Keep = a.Bool("keep")
	return &kept
}

func get(ctx context.Context, env *Env, a *Args) (Result, error) {
	what := a.Text("what")
	switch what {
	case "title":
		doc, err := env.Page.Document(ctx)
		return Result{what: doc.Title}, err
	case "url":
		doc, err := env.Page.Shown(ctx)
		return Result{what: doc.URL}, err
	case "status":
		doc, err := env.Page.Shown(ctx)
		return Result{what: doc.Status}, err
	case "requests":
		list, _ := env.Page.Requests()
		return Result{what: requestList(list)}, nil
	}
	t := a.Target("selector")
	if t == nil {
		body, err := selectors.Parse("document: >> css:body", selectors.Options{})
		if err != nil {
			return nil, err
		}
		made := a.MakeTarget(body)
		t = &made
	}
	t = keeping(t, a)
	if what == "count" {
		// It queries once, and does not wait for the element.
		if env.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, env.Timeout)
			defer cancel()
		}
		n, err := env.Page.Count(ctx, *t)
		if err != nil {
			return nil, err
		}
		return Result{what: n}, nil
	}
	limit := a.Int("limit", 0)
	if limit == 0 && strings.HasPrefix(t.Source, "@") {
		limit = refLimit
	}
	read, err := env.Page.Read(ctx, *t, ReadOptions{What: what, Name: a.Text("name"), Limit: limit})
	if err != nil {
		return nil, err
	}
	r := Result{what: read.Value}
	if read.Cut {
		r["truncated"] = true
	}
	return r, nil
}

// refLimit is the default limit of each text that is read by a ref.
const refLimit = 2000

func extract(ctx context.Context, env *Env, a *Args) (Result, error) {
	rows, err := readRows(ctx, env, a)
	if err != nil {
		return nil, err
	}
	if known := a.Any("unlike"); known != nil {
		if rows, err = unlike(rows, known); err != nil {
			return nil, err
		}
	}
	return rowsResult(rows, Result{}), nil
}

// rowsResult adds rows to a result.
func rowsResult(rows []map[string]any, r Result) Result {
	out := make([]any, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	r["rows"], r["count"] = out, len(rows)
	return r
}

// readRows reads the rows that the page has now, according to the arguments rows and
// fields.
func readRows(ctx context.Context, env *Env, a *Args) ([]map[string]any, error) {
	fields, err := extractFields(ctx, env, a.Fields("fields"))
	if err != nil {
		return nil, err
	}
	return env.Page.Extract(ctx, *a.Target("rows"), fields, RowFilter{Shown: a.Bool("shown"), Hue: a.Text("hue"), Over: a.Bool("over")})
}

// extractFields makes of the fields of an argument what the page is asked for.
func extractFields(ctx context.Context, env *Env, bound []BoundField) ([]ExtractField, error) {
	doc, err := env.Page.Shown(ctx)
	if err != nil {
		return nil, err
	}
	var fields []ExtractField
	for _, f := range bound {
		field := ExtractField{Name: f.Name, Read: ReadOptions{What: f.What, Name: f.Attr}, All: f.All}
		if f.Target != nil {
			if field.Query, err = f.Target.Bind(ctx, doc); err != nil {
				return nil, err
			}
		}
		fields = append(fields, field)
	}
	return fields, nil
}

func checkShot(op *Op) diag.List {
	if op.Args["selector"] == nil || op.Args["full_page"] == nil {
		return nil
	}
	return diag.List{diag.At(op.Args["full_page"].Pos, diag.DefinitionInvalid, "a screenshot is of an element or of the full page, not both").
		WithHint("drop selector or full_page")}
}

func screenshot(ctx context.Context, env *Env, a *Args) (Result, error) {
	format := a.Text("format")
	if format == "" {
		format = "png"
	}
	var shot Shot
	path, err := output(ctx, env, a.Text("path"), "screenshot-*."+format, func() (data []byte, err error) {
		shot, err = env.Page.Screenshot(ctx, ShotOptions{Target: a.Target("selector"), FullPage: a.Bool("full_page"), Format: format})
		return shot.Data, err
	})
	if err != nil {
		return nil, err
	}
	return Result{"path": path, "width": shot.Width, "height": shot.Height}, nil
}

func pdf(ctx context.Context, env *Env, a *Args) (Result, error) {
	bytes := 0
	path, err := output(ctx, env, a.Text("path"), "page-*.pdf", func() ([]byte, error) {
		data, err := env.Page.PDF(ctx, PDFOptions{Landscape: a.Bool("landscape"), Background: a.Bool("background")})
		bytes = len(data)
		return data, err
	})
	if err != nil {
		return nil, err
	}
	return Result{"path": path, "bytes": bytes}, nil
}

// output writes the result of make to the given path, or to a new temporary file. A refused
// path is reported before make is called, and a new file is only created once there is
// something to write.
func output(ctx context.Context, env *Env, said, pattern string, make func() ([]byte, error)) (path string, err error) {
	if said != "" {
		if path, err = env.Files.WritePath(said); err != nil {
			return "", err
		}
	}
	data, err := make()
	if err != nil {
		return "", err
	}
	if said == "" {
		return env.Files.WriteTemp(ctx, pattern, bytes.NewReader(data))
	}
	if err := env.Files.Write(ctx, path, bytes.NewReader(data), true); err != nil {
		return "", unwritable(path, err)
	}
	return path, nil
}
