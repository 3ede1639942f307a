package engine

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layers lists the modules of the page from the bottom to the top. A module imports from its own
// layer and from those below it.
var layers = []struct{ about, modules string }{
	{"access to the document: its trees, frames and timers; a look and its limits",
		"boot host look limits dom flat frames depth turns numbers last refused scrollers areas"},
	{"texts and word forms", "text stems verbs"},
	{"visibility, and visible text", "roles visible clipped words"},
	{"roles and names, and how they are reported", "names plain verdicts describe shown rows sides context"},
	{"controls: their kinds, readiness, visibility and states", "ready drawn controls pick loading reach bystate declared states"},
	{"finding: labels, fields, tables, sections, and the selectors that use them",
		"labels labelrows kinds under table sections says byrole refs roleless fields select near explain busy"},
	{"reading: values, tables, questions, files", "attributes compare digest repeats object exceeds told fits calendar answers taken read"},
	{"the targets of a run, and what it has set", "aim focus meant arrival kept leaving carried"},
	{"effects of input, and repeated attempts", "effect calm poll"},
	{"checks of input: presses, keys, drags, files", "unsent preview lost redrawn undrawn guard drag watch typing files heard"},
	{"requests without a target element, and those that only read", "after wait through scroll queries tree reverts"},
	{"operations, and the functions that the Go side calls", "ops act held main"},
}

// Imports go one way: no module of the page uses, directly or not, one that uses it. What two
// modules need from each other belongs in a third one below both, or is passed as a function.
func TestModulesImportOneWay(t *testing.T) {
	imports := moduleImports(t, "page")
	if len(imports) < 60 {
		t.Fatalf("found %d modules in the folder page, want all of them", len(imports))
	}
	for _, circle := range circlesOf(imports) {
		t.Errorf("%d modules import each other in a circle:\n%s", len(circle), importsWithin(circle, imports))
	}
}

// Each module is in one layer, and imports nothing from a higher one.
func TestModulesInLayers(t *testing.T) {
	layer := map[string]int{}
	for i, l := range layers {
		for _, name := range strings.Fields(l.modules) {
			if _, ok := layer[name+".js"]; ok {
				t.Errorf("%s.js is in two layers, want one", name)
			}
			layer[name+".js"] = i
		}
	}
	imports := moduleImports(t, "page")
	for name := range layer {
		if _, ok := imports[name]; !ok {
			t.Errorf("%s is in a layer and not in the folder page: remove it from layers", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		own, ok := layer[name]
		if !ok {
			t.Errorf("%s is in no layer: add it to the lowest one whose subject it has", name)
			continue
		}
		for _, to := range imports[name] {
			if layer[to] > own {
				t.Errorf("%s (%s) imports %s, which is in a higher layer (%s)", name, layers[own].about, to, layers[layer[to]].about)
			}
		}
	}
}

// The check finds a circle of any length, and reports no module that is only above or below one.
func TestCirclesOfImports(t *testing.T) {
	got := circlesOf(map[string][]string{
		"main.js": {"a.js", "d.js"}, "a.js": {"b.js"}, "b.js": {"c.js"}, "c.js": {"a.js", "low.js"},
		"d.js": {"e.js", "low.js"}, "e.js": {"d.js"}, "low.js": nil,
	})
	want := "[[a.js b.js c.js] [d.js e.js]]"
	if fmt.Sprint(got) != want {
		t.Errorf("circlesOf gives %v, want %s", got, want)
	}
}

var importLine = regexp.MustCompile(`(?m)^(?:import|export)\b[^;'"]*\bfrom '\./([\w-]+\.js)';|^import '\./([\w-]+\.js)';`)

// moduleImports returns the modules that each module in folder dir imports, in the order of its
// import lines.
func moduleImports(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.js"))
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		imports[name] = nil
		for _, m := range importLine.FindAllStringSubmatch(string(text), -1) {
			imports[name] = append(imports[name], m[1]+m[2])
		}
	}
	return imports
}

// circlesOf returns the sets of modules that import each other, directly or not. The sets are
// sorted, also by their first module. A module in no circle is in no set.
func circlesOf(imports map[string][]string) [][]string {
	reach := map[string]map[string]bool{}
	for name := range imports {
		seen, open := map[string]bool{}, []string{name}
		for len(open) > 0 {
			next := imports[open[0]]
			open = open[1:]
			for _, to := range next {
				if !seen[to] {
					seen[to] = true
					open = append(open, to)
				}
			}
		}
		reach[name] = seen
	}
	var circles [][]string
	for name := range imports {
		if !reach[name][name] {
			continue
		}
		var circle []string
		for other := range reach[name] {
			if reach[other][name] {
				circle = append(circle, other)
			}
		}
		slices.Sort(circle)
		if circle[0] == name {
			circles = append(circles, circle)
		}
	}
	slices.SortFunc(circles, slices.Compare)
	return circles
}

// importsWithin returns, for each module of a circle, what it imports from the others.
func importsWithin(circle []string, imports map[string][]string) string {
	var lines []string
	for _, name := range circle {
		var within []string
		for _, to := range imports[name] {
			if slices.Contains(circle, to) {
				within = append(within, to)
			}
		}
		lines = append(lines, fmt.Sprintf("  %s imports %s", name, strings.Join(within, ", ")))
	}
	return strings.Join(lines, "\n")
}

// A module that uses a declaration of another one while it is being evaluated must come after it.
// Loaded as modules, the browser reports an error otherwise; the bundle would use undefined.
func TestModulesInOrder(t *testing.T) {
	modules := http.FileServer(http.Dir("page"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		modules.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := open(t, `<h1>Plain</h1>`)
	p.serve(map[string]string{"/": "<h1>Plain</h1>"})
	got := p.eval(fmt.Sprintf(`(async () => {
		globalThis.boot = new Proxy({}, { get: (none, name) => name });
		const { api } = await import(%q);
		return Object.values(api).every((f) => typeof f === 'function' || f === 'info') && Object.keys(api).length;
	})()`, server.URL+"/main.js"))
	if n, ok := got.(float64); !ok || n < 40 {
		t.Errorf("the modules give %v, want the functions that Go calls", got)
	}
}
