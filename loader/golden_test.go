package loader

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// definitions lists golden files. They are not called .yaml, because they are not whole
// definitions: one contains several files, or only a part of one.
func definitions(t testing.TB, kind string) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/definitions/" + kind + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of testdata/definitions/%s: %v", kind, err)
	}
	return files
}

// problemsOf checks one text as a separate file.
func problemsOf(name, text string) diag.List {
	root, problems := ParseFile(name, []byte(text))
	if len(problems) > 0 {
		return problems
	}
	f, problems := spec.Decode(root, spec.Source{}, catalogue.MainArg)
	if len(problems) > 0 {
		return problems
	}
	for _, name := range f.Order {
		problems.Add(f.Actions[name].Check()...)
	}
	return problems
}

func TestGoldenOK(t *testing.T) {
	for _, name := range definitions(t, "ok") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		root, problems := ParseFile(filepath.Base(name), text)
		if _, more := spec.Decode(root, spec.Source{}, catalogue.MainArg); len(problems)+len(more) > 0 {
			t.Errorf("%s: problems %v %v, want none", name, problems, more)
		}
	}
}

// TestGoldenErr compares problems with the comments that expect them. On the line of the problem is
// "# want COLUMN: beginning of the message", with several separated by " | ". A line "#---" begins
// a new file.
func TestGoldenErr(t *testing.T) {
	for _, name := range definitions(t, "err") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blank := ""
		for i, chunk := range strings.Split(string(text), "#---\n") {
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(name), i+1), func(t *testing.T) {
				compareProblems(t, blank+chunk)
			})
			// Line numbers continue, so that a failure names the line of the file.
			blank += strings.Repeat("\n", strings.Count(chunk, "\n")+1)
		}
	}
}

func compareProblems(t *testing.T, text string) {
	var got, want []string
	for i, line := range strings.Split(text, "\n") {
		if _, comment, ok := strings.Cut(line, "# want "); ok {
			for _, w := range strings.Split(comment, " | ") {
				want = append(want, fmt.Sprintf("%04d:%s", i+1, w))
			}
		}
	}
	for _, e := range problemsOf("f", text) {
		got = append(got, fmt.Sprintf("%04d:%d: %s", e.Pos.Line, e.Pos.Column, e.Msg))
		if e.Hint == "" {
			t.Errorf("%d:%d: %q has no hint", e.Pos.Line, e.Pos.Column, e.Msg)
		}
		if e.Code != diag.DefinitionInvalid {
			t.Errorf("%v has the code %s", e, e.Code)
		}
	}
	sort.Strings(got)
	sort.Strings(want)
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An unknown key is reported with what was most likely meant.
func TestUnknownKeyHints(t *testing.T) {
	const head = "namespace: shop\nversion: 1.0.0\nactions:\n  order:pay:\n"
	for _, c := range []struct{ text, hint string }{
		{"    params: {kind: {type: string, enum: [a]}}\n    steps: [{action: back}]", "use one of: type, required, default, description, secret, pattern, min, max, min_length, max_length, values, items, properties"},
		{"    steps: [{open: /x, click: text:A}]", "indent the arguments below open; write another step as its own entry of the list; only these keys may be beside open: description, when, scope, output, timeout, busy, settle, calm, expect, approval, retry, retry_delay, on_error, steps, cases, else, fallback"},
		{"    steps: [{open: /x, wen: \"${x} == 1\"}]", "did you mean when?"},
		{"    steps: [{wen: \"1 == 1\", open: /x}]", "did you mean when?"},
		{"    steps: [{action: open, url: /x}]", "write the arguments of the step under `args`; a step may have these keys: action, args, description, when, scope, output, timeout, busy, settle, calm, expect, approval, retry, retry_delay, on_error, steps, cases, else, fallback"},
		{"    steps: [{choose: , cases: [{if: \"1 == 1\", when: \"1 == 1\", steps: []}]}]", "use one of: when, steps, description"},
		{"    steps: [{action: open, arg: {url: /x}}]", "did you mean args?"},
	} {
		var hints []string
		for _, e := range problemsOf("f", head+c.text) {
			if strings.HasPrefix(e.Msg, "unknown key") {
				hints = append(hints, e.Hint)
			}
		}
		if len(hints) != 1 || hints[0] != c.hint {
			t.Errorf("%s: the hints are %q, want %q", c.text, hints, c.hint)
		}
	}
}

// A step written as in other tools gets a hint with the form that works here.
func TestHintsOfSteps(t *testing.T) {
	for _, c := range []struct{ step, hint string }{
		{`find: {selector: "css:a"}`, "look: {is: {found: SELECTOR}}"},
		{`wait: {selector: "css:a", timeout: 5s}`, "write timeout beside the step, not in its arguments"},
		{`{click: "css:a", on_error: fallback}`, "write the steps under `fallback: […]`"},
		{`set: {first: x}`, "write set: {values: {first: …}}"},
		{`click: {text: Save}`, `selector: "text:…"`},
		{`fill: {label: Name, value: Ada}`, `selector: "label:…"`},
		{`choose: [{when: "1 == 1", steps: []}]`, "cases: [{when: …, steps: […]}]"},
		{`{click: "css:a", if: "1 == 1"}`, "write when: a condition"},
		{`{action: click, with: {selector: "css:a"}}`, "write args, or the short form"},
		{`{find: {text: a}, retry: 2}`, "to wait for something, use `wait`"},
	} {
		set := mustLoad(t, source(spec.Project, "p.yaml", "namespace: app\nversion: 1.0.0\nactions:\n  a:b:\n    steps:\n      - "+c.step+"\n"))
		problems := set.Problems
		if ns := set.Namespaces["app"]; ns != nil {
			for _, name := range ns.Order {
				p, more := program.Compile(ns, ns.Actions[name], nil)
				if problems.Add(more...); p != nil {
					problems.Add(p.Warnings...)
				}
			}
		}
		found := false
		for _, e := range problems {
			found = found || strings.Contains(e.Hint, c.hint)
		}
		if !found {
			t.Errorf("%s: %v; want a hint with %q", c.step, problems, c.hint)
			for _, e := range problems {
				t.Log(e.Hint)
			}
		}
	}
}
