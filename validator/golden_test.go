package validator_test

// The golden cases of testdata/checks. A file of ok is a definition without problems. A file of err
// holds several, each after a line "=== name". Every problem has a comment on its line:
//
//	steps: [{action: clik}]   # want: "unknown step"
//
// with a quoted pattern for each problem of the line. Where a comment is not possible, a line
// nearby says "# want-next N:" and means the N-th line after it. A folder in err is one case of
// several files. To add a case, edit these files.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

const checks = "../testdata/checks"

func TestGoldenErrors(t *testing.T) {
	total := 0
	for _, name := range glob(t, filepath.Join(checks, "err", "*.txt")) {
		for _, c := range cases(t, name) {
			t.Run(filepath.Base(name)+"/"+c.name, func(t *testing.T) {
				want := wants(t, c.text)
				for _, w := range want {
					total += len(w)
				}
				compare(t, name, check(c.text), want)
			})
		}
	}
	if total < 60 && !t.Failed() {
		t.Errorf("the cases want %d problems, expected at least 60: are they all read?", total)
	}
}

func TestGoldenOK(t *testing.T) {
	for _, name := range glob(t, filepath.Join(checks, "ok", "*.yaml")) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text := read(t, name)
			if list := check(text); len(list) > 0 {
				t.Errorf("found problems, want none:\n%v", list)
			}
			if list := validator.Warnings(load(t, text)); len(list) > 0 {
				t.Errorf("found warnings, want none:\n%v", list)
			}
		})
	}
}

func TestGoldenWarnings(t *testing.T) {
	for _, name := range glob(t, filepath.Join(checks, "warn", "*.txt")) {
		for _, c := range cases(t, name) {
			t.Run(filepath.Base(name)+"/"+c.name, func(t *testing.T) {
				if list := check(c.text); len(list) > 0 {
					t.Errorf("found problems, want warnings only:\n%v", list)
				}
				compare(t, name, validator.Warnings(load(t, c.text)), wants(t, c.text))
			})
		}
	}
}

// TestGoldenFolders loads each folder of err as a whole, for problems that take several files.
func TestGoldenFolders(t *testing.T) {
	for _, dir := range glob(t, filepath.Join(checks, "err", "*", "")) {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			set, err := loader.CheckFiles(t.Context(), []string{dir}, loader.Options{NoBuiltin: true})
			if err != nil {
				t.Fatal(err)
			}
			byFile := make(map[string]diag.List)
			for _, e := range validator.Join(set.Problems, validator.Check(set.Namespaces)) {
				byFile[filepath.Base(e.Pos.File)] = append(byFile[filepath.Base(e.Pos.File)], e)
			}
			for _, name := range glob(t, filepath.Join(dir, "*.yaml")) {
				compare(t, name, byFile[filepath.Base(name)], wants(t, read(t, name)))
				delete(byFile, filepath.Base(name))
			}
			for name, list := range byFile {
				t.Errorf("got problems of %q, which is no file of the case:\n%v", name, list)
			}
		})
	}
}

// A goldenCase is one definition file. Its text begins with as many comments as there are lines
// before it, so that its lines are those of the file.
type goldenCase struct{ name, text string }

func cases(t *testing.T, file string) []goldenCase {
	t.Helper()
	var list []goldenCase
	for i, line := range strings.SplitAfter(read(t, file), "\n") {
		if name, ok := strings.CutPrefix(line, "=== "); ok {
			list = append(list, goldenCase{name: strings.TrimSpace(name), text: strings.Repeat("#\n", i+1)})
		} else if len(list) > 0 {
			list[len(list)-1].text += line
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s has no case", file)
	}
	return list
}

var wantLine = regexp.MustCompile(`# want(?:-next (-?\d+))?: (.*)$`)

// wants returns the patterns of each line.
func wants(t *testing.T, text string) map[int][]*regexp.Regexp {
	t.Helper()
	out := make(map[int][]*regexp.Regexp)
	for i, line := range strings.Split(text, "\n") {
		m := wantLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at := i + 1
		if m[1] != "" {
			offset, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			at += offset
		}
		for rest := strings.TrimSpace(m[2]); rest != ""; rest = strings.TrimSpace(rest) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("line %d: expected quoted patterns, found %s", i+1, rest)
			}
			rest = rest[len(quoted):]
			pattern, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			out[at] = append(out[at], regexp.MustCompile(pattern))
		}
	}
	return out
}

// compare compares problems with patterns, line by line.
func compare(t *testing.T, file string, got diag.List, want map[int][]*regexp.Regexp) {
	t.Helper()
	left := make(map[int][]*regexp.Regexp)
	for line, patterns := range want {
		left[line] = append([]*regexp.Regexp(nil), patterns...)
	}
	for _, e := range got {
		if e.Code == diag.Internal {
			t.Errorf("%s: a check failed: %s", file, e.Msg)
		}
		if e.Hint == "" {
			t.Errorf("%s:%d: %q has no hint", file, e.Pos.Line, e.Msg)
		}
		matched := false
		for i, pattern := range left[e.Pos.Line] {
			if pattern.MatchString(e.Msg) {
				left[e.Pos.Line] = append(left[e.Pos.Line][:i:i], left[e.Pos.Line][i+1:]...)
				matched = true
				break
			}
		}
		if !matched {
			t.Errorf("%s:%d:%d: got %q, want %s", file, e.Pos.Line, e.Pos.Column, e.Msg, patternsOf(want[e.Pos.Line]))
		}
	}
	for _, line := range sortedLines(left) {
		for _, pattern := range left[line] {
			t.Errorf("%s:%d: got no problem, want %q", file, line, pattern)
		}
	}
}

func patternsOf(list []*regexp.Regexp) string {
	if len(list) == 0 {
		return "none here"
	}
	return fmt.Sprintf("%q", list)
}

func sortedLines(m map[int][]*regexp.Regexp) []int {
	var lines []int
	for line := range m {
		lines = append(lines, line)
	}
	sort.Ints(lines)
	return lines
}

// check returns every problem of a single definition file, in its structure and in its meaning.
func check(text string) diag.List {
	root, problems := parse(text)
	if root == nil {
		return problems.Sorted()
	}
	file, more := spec.Decode(root, spec.Source{Kind: spec.Project}, catalogue.MainArg)
	problems = append(problems, more...)
	ns := namespaceOf(file)
	return validator.Join(problems, validator.Check(map[string]*spec.Namespace{ns.Name: ns}))
}

// load returns the namespaces of files without problems of structure, one for each file.
func load(t testing.TB, texts ...string) map[string]*spec.Namespace {
	t.Helper()
	all := make(map[string]*spec.Namespace)
	for _, text := range texts {
		root, problems := parse(text)
		if len(problems) > 0 {
			t.Fatalf("no YAML: %v", problems)
		}
		file, problems := spec.Decode(root, spec.Source{Kind: spec.Project}, catalogue.MainArg)
		if len(problems) > 0 {
			t.Fatalf("no definition file: %v", problems)
		}
		ns := namespaceOf(file)
		all[ns.Name] = ns
	}
	return all
}

// namespaceOf returns what merging makes of a single file.
func namespaceOf(f *spec.File) *spec.Namespace {
	ns := &spec.Namespace{
		Name: f.Namespace.Value, Pos: f.Namespace.Pos(), Env: f.Env, Compat: f.Compat, Busy: f.Busy, Settle: f.Settle,
		Actions: f.Actions, Order: f.Order,
		Layers: []spec.Layer{{Selectors: f.Selectors, Overrides: f.Overrides}},
	}
	if f.Version != nil {
		ns.Version = f.Version.Value
	}
	return ns
}

// parse reads YAML. The node is nil if the text is not YAML.
func parse(text string) (*spec.Node, diag.List) {
	return loader.ParseFile("case.yaml", []byte(text))
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file matches %s (%v)", pattern, err)
	}
	return names
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
