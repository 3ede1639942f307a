package action_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The files of a package are read from bottom to top: a file calls only files below it. What counts
// is every use of a function or a method that the package declares, called or passed as a value.
// Uses of types, constants and variables do not count, and neither do calls through an interface:
// that is how a lower file reaches a higher one that it does not know.
//
// A call against the order is an arrow. It exists if the calls between files form a circle.

// arrows are the explained ones by package, as "from to": without them, no calls form a circle.
var arrows = map[string]map[string]string{}

// unordered are the packages that are still to be put in order.
var unordered []string

// readingOrder begins the sentence of a package comment that lists its files.
const readingOrder = "Files, bottom to top: "

// leastOrdered is the number of files from which a package comment lists them.
const leastOrdered = 4

// A listed package is what the go command reports of it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Standard                bool
}

// listPackages returns the packages of the module, and the files with the types of all packages that
// they import.
func listPackages(t *testing.T) (own []listed, exports map[string]string) {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Standard", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports = make(map[string]string)
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := in.Decode(&p); err == io.EOF {
			return own, exports
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if within(p.ImportPath, module) && !p.Standard {
			own = append(own, p)
		}
	}
}

// calls maps the files of a package to the files that they call, and these to the calls, as
// "caller → called".
type calls map[string]map[string][]string

func (c calls) add(from, to, call string) {
	if c[from] == nil {
		c[from] = make(map[string][]string)
	}
	if !slices.Contains(c[from][to], call) {
		c[from][to] = append(c[from][to], call)
	}
}

// circle returns files of which each calls the next one, and the last one the first, or nil.
func (c calls) circle() []string {
	const open, done = 1, 2
	state := make(map[string]int)
	var way []string
	var walk func(file string) []string
	walk = func(file string) []string {
		state[file], way = open, append(way, file)
		for _, to := range slices.Sorted(maps.Keys(c[file])) {
			if state[to] == open {
				return slices.Clone(way[slices.Index(way, to):])
			}
			if state[to] != done {
				if found := walk(to); found != nil {
					return found
				}
			}
		}
		state[file], way = done, way[:len(way)-1]
		return nil
	}
	for _, file := range slices.Sorted(maps.Keys(c)) {
		if state[file] == 0 {
			if found := walk(file); found != nil {
				return found
			}
		}
	}
	return nil
}

// order returns the names of files such that each calls only those before it. There must be no
// circle.
func (c calls) order(files []string) []string {
	var out []string
	var walk func(name string)
	walk = func(name string) {
		if slices.Contains(out, name) {
			return
		}
		for _, to := range slices.Sorted(maps.Keys(c[name])) {
			walk(to)
		}
		out = append(out, name)
	}
	for _, file := range files {
		walk(fileName(file))
	}
	return out
}

// without returns c without one arrow.
func (c calls) without(from, to string) calls {
	out := maps.Clone(c)
	out[from] = maps.Clone(c[from])
	delete(out[from], to)
	return out
}

// callsOf returns the calls between files, and the files with the package comment.
func callsOf(t *testing.T, p listed, fset *token.FileSet, imports types.Importer) (calls, []*ast.File) {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	config := types.Config{Importer: imports}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := config.Check(p.ImportPath, fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	base := func(pos token.Pos) string { return fileName(fset.Position(pos).Filename) }
	c := make(calls)
	for _, file := range files {
		for _, decl := range file.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				f, ok := info.Uses[id].(*types.Func)
				if !ok || f.Pkg() != pkg || isOfInterface(f) {
					return true
				}
				if from, to := base(id.Pos()), base(f.Origin().Pos()); from != to {
					c.add(from, to, declName(decl)+" → "+f.Name())
				}
				return true
			})
		}
	}
	return c, files
}

// fileName returns the name of a file as package comments list it: without its folder, its ending
// and the name of this system.
func fileName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".go"), "_"+runtime.GOOS)
}

func isOfInterface(f *types.Func) bool {
	of := f.Signature().Recv()
	return of != nil && types.IsInterface(of.Type())
}

// declName returns the name of a function, or of the first type or value of another declaration.
func declName(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return s.Name.Name
		case *ast.ValueSpec:
			return s.Names[0].Name
		}
	}
	return "?"
}

// orderOf returns the files that a package comment lists, bottom to top, or nil.
func orderOf(files []*ast.File) []string {
	for _, file := range files {
		text := strings.Join(strings.Fields(file.Doc.Text()), " ")
		if _, rest, ok := strings.Cut(text, readingOrder); ok {
			list, _, _ := strings.Cut(rest, ".")
			return strings.Split(list, ", ")
		}
	}
	return nil
}

// checkOrder reports files that the package comment does not list, and calls against its order.
func checkOrder(t *testing.T, dir string, p listed, order []string, c calls) {
	t.Helper()
	var names []string
	for _, file := range p.GoFiles {
		names = append(names, fileName(file))
		if !slices.Contains(order, fileName(file)) {
			t.Errorf("%s: the package comment lists its files without %s", dir, file)
		}
	}
	for i, from := range order {
		if !slices.Contains(names, from) {
			t.Errorf("%s: the package comment lists %s.go, which does not exist", dir, from)
		}
		for _, to := range slices.Sorted(maps.Keys(c[from])) {
			if slices.Index(order, to) > i {
				t.Errorf("%s: the package comment lists %s before %s, which it calls: %s", dir, from, to, strings.Join(c[from][to], ", "))
			}
		}
	}
}

func TestFilesCallDown(t *testing.T) {
	own, exports := listPackages(t)
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })
	for _, p := range own {
		dir := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		c, files := callsOf(t, p, fset, imports)
		if slices.Contains(unordered, dir) {
			if c.circle() == nil {
				t.Errorf("%s: its files are in order: remove it from the packages that are not", dir)
			}
			continue
		}
		whole := c
		for arrow := range arrows[dir] {
			from, to, _ := strings.Cut(arrow, " ")
			c = c.without(from, to)
		}
		if round := c.circle(); round != nil {
			t.Errorf("%s: files call each other in a circle: move a function to the file of its subject, or pass the lower file "+
				"a value or a function:\n%s", path.Join(module, dir), describeCircle(c, round))
			continue
		}
		for arrow := range arrows[dir] {
			from, to, _ := strings.Cut(arrow, " ")
			again := maps.Clone(c)
			again[from] = maps.Clone(c[from])
			if again[from] == nil {
				again[from] = make(map[string][]string)
			}
			again[from][to] = whole[from][to]
			if len(whole[from][to]) == 0 || again.circle() == nil {
				t.Errorf("%s: the arrow %q is explained, and no longer there: remove it from the table", dir, arrow)
			}
		}
		switch order := orderOf(files); {
		case order != nil:
			checkOrder(t, dir, p, order, c)
		case len(p.GoFiles) >= leastOrdered:
			t.Errorf("%s: the package comment does not say in which order its files are read, for example: %s%s.",
				dir, readingOrder, strings.Join(c.order(p.GoFiles), ", "))
		}
	}
}

func describeCircle(c calls, round []string) string {
	var b strings.Builder
	for i, from := range round {
		to := round[(i+1)%len(round)]
		fmt.Fprintf(&b, "\t%s calls %s: %s\n", from, to, strings.Join(c[from][to], ", "))
	}
	return b.String()
}

func TestCircles(t *testing.T) {
	c := make(calls)
	c.add("parse", "lex", "expr → next")
	c.add("lex", "text", "next → fold")
	if round := c.circle(); round != nil {
		t.Errorf("found the circle %v, expected none", round)
	}
	if got := c.order([]string{"eval.go", "parse.go", "lex.go", "text.go"}); !slices.Equal(got, []string{"eval", "text", "lex", "parse"}) {
		t.Errorf("found the order %v, expected that of the calls", got)
	}
	c.add("text", "parse", "fold → expr")
	if round := c.circle(); len(round) != 3 {
		t.Errorf("found the circle %v, expected one of three files", round)
	}
	if round := c.without("text", "parse").circle(); round != nil {
		t.Errorf("without the arrow found the circle %v, expected none", round)
	}
}
