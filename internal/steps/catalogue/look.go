package catalogue

// The step look, which answers many questions about the page at once.

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type lookArgs struct {
	Is      steps.Selectors `arg:"is" doc:"how many elements match each selector"`
	Visible steps.Selectors `arg:"visible" doc:"how many matches of each selector are visible"`
	Texts   steps.Selectors `arg:"texts" doc:"the text of the first match of each selector, null if there is none"`
	Attrs   steps.Attrs     `arg:"attrs" doc:"an attribute of the first match of each selector, null if there is none"`
	Rows    steps.Rows      `arg:"rows" doc:"the rows of a list as data, [] if there are none: {rows, fields, shown, hue, over}, as in extract"`
}

// maxQuestions is the maximum number of values that one `look` step reads.
const maxQuestions = 200

func checkLook(w *steps.Written[lookArgs]) diag.List {
	seen := make(map[string]diag.Pos)
	var list diag.List
	for _, x := range []*steps.Expr{w.At(&w.Args.Is), w.At(&w.Args.Visible), w.At(&w.Args.Texts), w.At(&w.Args.Attrs), w.At(&w.Args.Rows)} {
		if x == nil {
			continue
		}
		for _, name := range x.Keys {
			pos := x.Fields[name].Pos
			if first, twice := seen[name]; twice {
				list.Add(diag.At(pos, diag.DefinitionInvalid, "found two questions with the name %q, expected different names", name).WithNote(first, "first here").
					WithHint("rename one of the two questions"))
			}
			seen[name] = pos
		}
	}
	at := w.Op.Spec.Action.Pos()
	switch {
	case len(seen) == 0:
		list.Add(diag.At(at, diag.DefinitionInvalid, "found `look` without questions").WithHint("add `is: {name: selector}`, `visible`, `texts`, `attrs` or `rows`"))
	case len(seen) > maxQuestions:
		list.Add(diag.At(at, diag.DefinitionInvalid, "found %d questions, expected at most %d", len(seen), maxQuestions).WithHint("split the step, or read a list with `extract`"))
	}
	return list
}

func look(ctx context.Context, env *steps.Env, a *lookArgs) (steps.Result, error) {
	var questions []driver.Question
	var names []string
	for _, arg := range []struct {
		fields []steps.BoundField
		what   string
	}{{a.Is, "count"}, {a.Visible, "visible"}, {a.Texts, "text"}, {a.Attrs, "attr"}, {a.Rows, "rows"}} {
		for _, f := range arg.fields {
			q := driver.Question{Target: *f.Target, What: arg.what, Attr: f.Attr, Only: f.Only}
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
	out := make(steps.Result, len(names))
	for i, name := range names {
		out[name] = answers[i]
		if n, ok := answers[i].(float64); ok {
			out[name] = int(n)
		}
	}
	return out, nil
}
