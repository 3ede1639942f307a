package definitions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// own is a file with one action, whose one step is written by the test.
const own = "namespace: own\nversion: 1.0.0\nactions:\n  a:b:\n    steps: [STEP]\n"

const waits = "{action: wait, args: {time: 1ms}}"

// put writes the text of a definition file in a home.
func put(t *testing.T, home, name, text string) {
	t.Helper()
	dir := filepath.Join(home, ".agent-browser", "actions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A run reads the builtin namespaces that it can come to. Where that cannot be known, or
// something is wrong, it has all of them.
func TestRunReadsWhatItNeeds(t *testing.T) {
	run := func(step string) string { return strings.Replace(own, "STEP", step, 1) }
	for _, tt := range []struct {
		name   string
		text   string
		action string
		has    string // a builtin action that must be there; "": only what is needed
		fails  diag.Code
	}{
		{"nothing builtin", run(waits), "own:a:b", "", ""},
		{"a builtin action", run(waits), "web:page:read", "web:page:read", ""},
		{"another that is run", run("{action: run, args: {action: \"web:page:read\"}}"), "own:a:b", "web:page:read", ""},
		{"another by escaped letters", run("{action: run, args: {action: \"\\u0077eb:page:read\"}}"), "own:a:b", "web:page:read", ""},
		{"a namespace that is extended", "extends: [antd]\n" + run(waits), "own:a:b", "antd:button:click", ""},
		{"one by escaped letters", "extends: [\"\\u0061ntd\"]\n" + run(waits), "own:a:b", "antd:button:click", ""},
		{"a layer over a builtin one", strings.Replace(run(waits), "own", "antd", 1), "antd:a:b", "antd:button:click", ""},
		{"one by escaped letters", strings.Replace(run(waits), "own", "\"\\u0061ntd\"", 1), "antd:a:b", "antd:button:click", ""},
		{"a slip", run(waits), "own:a:c", "element:button:click", diag.ActionNotFound},
		{"a bad file", "namespace: [", "own:a:b", "element:button:click", diag.ActionNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			put(t, home, "own.yaml", tt.text)
			o := Options{Cwd: t.TempDir(), Environ: []string{"HOME=" + home}}
			d, err := NewStoreForTests().Get(t.Context(), o, Request{Definitions: true, Action: tt.action})
			if err != nil {
				t.Fatal(err)
			}
			if got := diag.CodeOf(d.Runnable(tt.action)); got != tt.fails {
				t.Errorf("it fails with %q, want %q: %v", got, tt.fails, d.Runnable(tt.action))
			}
			if _, _, err := d.Registry.Lookup("antd:button:click"); tt.has == "" && err == nil {
				t.Error("the builtin namespaces were read for nothing")
			}
			if tt.has != "" {
				if err := d.Runnable(tt.has); err != nil {
					t.Errorf("without %s: %v", tt.has, err)
				}
			}
		})
	}
}

// What was read is used as long as it will do, and never is there less than before.
func TestPlaceReadsMoreWhenItMust(t *testing.T) {
	home := t.TempDir()
	good := strings.Replace(own, "STEP", waits, 1)
	put(t, home, "own.yaml", good)
	p, o := NewStoreForTests(), Options{Cwd: t.TempDir(), Environ: []string{"HOME=" + home}}
	get := func(r Request) *Set {
		t.Helper()
		d, err := p.Get(t.Context(), o, r)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	settings := get(Request{})
	if !settings.settings || p.Has(o) {
		t.Errorf("of a place that nobody asked for definitions: settings %t, known %t", settings.settings, p.Has(o))
	}
	part := get(Request{Definitions: true, Action: "own:a:b"})
	if part.action == "" || !p.Has(o) {
		t.Errorf("for one action: for %q, known %t", part.action, p.Has(o))
	}
	if get(Request{}).settings {
		t.Error("a step after a run has the configuration alone")
	}
	// A file that becomes broken keeps its last good version, whichever call notices it first.
	put(t, home, "own.yaml", "namespace: [")
	get(Request{})
	if kept := get(Request{Definitions: true, Action: "own:a:b"}); len(kept.Kept) != 1 || kept.Runnable("own:a:b") != nil {
		t.Errorf("of a bad file: kept %v, %v", kept.Kept, kept.Runnable("own:a:b"))
	}
	put(t, home, "own.yaml", good+"    description: again\n")
	if d := get(Request{Definitions: true, Action: "own:a:b"}); len(d.Problems) != 0 || d.Runnable("own:a:b") != nil {
		t.Errorf("of a good file: %v, %v", d.Problems, d.Runnable("own:a:b"))
	}
	all := get(Request{Definitions: true})
	if all.action != "" || all.Runnable("element:button:click") != nil {
		t.Errorf("all definitions: for %q, %v", all.action, all.Runnable("element:button:click"))
	}
	put(t, home, "own.yaml", good)
	if d := get(Request{Definitions: true, Action: "own:a:b"}); d.action != "" {
		t.Error("there is less than before")
	}
}
