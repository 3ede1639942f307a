package expr_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// fuzzOptions and fuzzScope declare the names that the seeds use.
var fuzzOptions = expr.Options{
	Params: map[string]bool{"method": true, "timeout": true, "x": true, "s": true, "l": true, "n": true},
	Locals: []string{"item", "index"},
}

var fuzzScope = &expr.Scope{
	Params: map[string]any{
		"x": 1, "s": "it's", "a": map[string]any{"b": []any{1, "a", nil}}, "f": 0.5, "l": []any{"a", "b"},
		"t": true, "method": "(", "timeout": "12px",
	},
	Env:      map[string]any{"LANGUAGE": "de"},
	Steps:    map[string]any{"found": map[string]any{"count": int64(2)}},
	Page:     map[string]any{"url": "http://h/orders/1", "title": ""},
	Modifier: "Control",
	Locals:   []expr.Local{{Name: "item", Value: "b"}, {Name: "index", Value: 3}},
}

func FuzzCondition(f *testing.F) {
	file := readConformance(f)
	for _, c := range append(file.Conditions, file.ConditionErrors...) {
		f.Add(c.Expr)
	}
	for _, c := range conditionTable {
		f.Add(c.src)
	}
	for _, c := range printTable {
		f.Add(c.src)
	}
	for _, b := range readErrorBlocks(f, "testdata/condition.errors") {
		f.Add(b.src)
	}
	for _, c := range filterTable {
		f.Add("!" + c.src + " || " + c.src + " == 'x'")
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := expr.ParseCondition(src, fuzzOptions)
		if err != nil {
			checkParseError(t, src, err)
			return
		}
		roomy := fuzzOptions
		roomy.Limits.SourceBytes = 1 << 20 // the canonical form may be longer
		again, err := expr.ParseCondition(c.String(), roomy)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", src, c, err)
		}
		if !expr.SameTree(c, again) {
			t.Fatalf("%q prints as %q, which is another tree, %q", src, c, again)
		}
		got, err := c.Eval(fuzzScope)
		if code := diag.CodeOf(err); err != nil && code != diag.ParamInvalid && code != diag.LimitExceeded {
			t.Errorf("%q: evaluating gives %v (%s)", src, err, code)
		}
		decided, known, err2 := c.Decide(fuzzScope, func(*expr.Ref) bool { return false })
		if decided != got || (err == nil) != (err2 == nil) || known != (err2 == nil) {
			t.Errorf("%q: Decide gives %v, %v, %v; Eval gives %v, %v", src, decided, known, err2, got, err)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	for _, c := range readConformance(f).Templates {
		f.Add(c.Template)
	}
	for _, c := range templateTable {
		f.Add(c.src)
	}
	for _, c := range filterTable {
		f.Add(c.src)
	}
	for _, name := range []string{"testdata/template.errors", "testdata/filter.errors"} {
		for _, b := range readErrorBlocks(f, name) {
			f.Add(b.src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		tmpl, err := expr.ParseTemplate(src, fuzzOptions)
		if err != nil {
			checkParseError(t, src, err)
			return
		}
		checkSegments(t, src, tmpl)
		roomy := fuzzOptions
		roomy.Limits.SourceBytes = 1 << 20
		again, err := expr.ParseTemplate(tmpl.String(), roomy)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", src, tmpl, err)
		}
		if !sameTemplate(tmpl, again) {
			t.Fatalf("%q prints as %q, which is another template, %q", src, tmpl, again)
		}
		text, err := tmpl.Text(fuzzScope)
		if code := diag.CodeOf(err); code == diag.ParamInvalid || code == diag.LimitExceeded {
			return // a filter
		}
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		if literal, ok := tmpl.Literal(); ok && literal != text {
			t.Errorf("%q: literal %q, text %q", src, literal, text)
		}
	})
}

func checkParseError(t *testing.T, src string, err error) {
	t.Helper()
	e := diag.As(err)
	if e == nil || e.Hint == "" || e.Msg == "" || !e.Pos.IsValid() {
		t.Fatalf("%q: error %#v lacks code, hint or position", src, err)
	}
	switch e.Code {
	case diag.DefinitionInvalid, diag.LimitExceeded, diag.SecurityError:
	default:
		t.Errorf("%q: got code %s", src, e.Code)
	}
}

// checkSegments asserts that the segments cover src without gaps.
func checkSegments(t *testing.T, src string, tmpl *expr.Template) {
	t.Helper()
	end := 0
	for _, s := range tmpl.Segments() {
		if s.Start != end || s.End <= s.Start {
			t.Fatalf("%q: segment %+v does not begin at %d", src, s, end)
		}
		end = s.End
		written := src[s.Start:s.End]
		if s.Ref == nil && written != s.Text && (written != "$${" || s.Text != "${") {
			t.Fatalf("%q: segment %q is written %q", src, s.Text, written)
		}
	}
	if end != len(src) {
		t.Fatalf("%q: segments end at %d", src, end)
	}
}

func sameTemplate(a, b *expr.Template) bool {
	x, y := a.Segments(), b.Segments()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].Text != y[i].Text || (x[i].Ref == nil) != (y[i].Ref == nil) {
			return false
		}
		if x[i].Ref != nil && !expr.SameRef(x[i].Ref, y[i].Ref) {
			return false
		}
	}
	return true
}
