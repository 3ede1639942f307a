// Package action_test holds the rules that bind all packages of the
// module: which may import which, who may use which library, what every package
// says about itself. It tests no behaviour; each package does that beside its code.
package action_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/actionregistry/action"

// rows is the table of ARCHITECTURE.md: a package imports packages of lower rows
// only. A folder below one of these belongs to its row, unless it has one of its own.
var rows = map[string]int{
	"diag": 1, "actions": 1,
	"version": 2, "expr": 2, "internal/snapshot": 2, "internal/trace": 2, "internal/hosts": 2,
	"internal/daemon/wire": 2,
	"selectors":            3,
	"spec":                 4, "internal/driver": 4,
	"internal/steps":           5,
	"internal/steps/catalogue": 6,
	"internal/program":         7,
	"internal/egress":          8,
	"registry":                 9, "loader": 9, "validator": 9, "executor": 9, "internal/browser": 9,
	"internal/definitions": 10, "internal/files": 10, "internal/approvals": 10,
	"internal/session": 11,
	"internal/ops":     12,
	"":                 12, // the module's own package, for programs that embed it
	"internal/daemon":  13,
	"internal/mcp":     14,
	"internal/serve":   14,
	"internal/pysdk":   14, // its test writes modules of sdk/python
	"cmd/action":       15,
	"cmd/actiond":      15,
	"internal/testkit": 15, // no product imports it
	"sdk/python":       15, // tests only: the SDK is Python
}

// apart are packages that do not import another one although it is in a lower row, and why.
var apart = []struct{ dir, imported, reason string }{
	{"internal/browser", "internal/steps", "a browser does what internal/driver says, whatever the steps are"},
	{"internal/browser", "internal/program", "a browser does what internal/driver says, whatever runs it"},
	{"internal/definitions", "internal/browser", "definitions are read and checked without a browser"},
	{"internal/approvals", "internal/browser", "people answer questions, whatever the run acts on"},
	{"internal/files", "internal/browser", "files are guarded without a browser"},
}

// firstWithGoroutines is the lowest row whose packages may start goroutines.
const firstWithGoroutines = 8

// owners names the one package (with the folders below it) that may import a
// library, and why.
var owners = []struct {
	library, owner, reason string
	product                bool // tests of other packages may import it
}{
	{"github.com/goccy/go-yaml", "loader", "its panics and positions are dealt with in one place", false},
	{"github.com/go-rod/rod", "internal/browser", "its errors become codes, and its faults are kept out, in one place", false},
	{"github.com/modelcontextprotocol/go-sdk", "internal/mcp", "its transport and its types stay behind one package", true},
	{"github.com/coder/websocket", "internal/serve", "the socket is served over HTTP in one place", false},
	{"github.com/VictoriaMetrics/metrics", "internal/serve", "only the server over HTTP shows metrics", false},
	{"github.com/evanw/esbuild", "internal/browser/engine/bundle", "it bundles the page engine, and is no part of the product", false},
}

// banned names calls that product code does not make.
var banned = []struct{ call, allowed, reason string }{
	{"time.Sleep", "", "wait for what you need, with a context and a clock that tests can turn"},
	{"os.Exit", "cmd", "return an error: only main ends the process, or deferred cleaning is lost"},
}

// A file is one parsed Go file of the module.
type file struct {
	name string // relative to the root, with slashes
	test bool
	ast  *ast.File
}

// sources parses every Go file of the module, in a package's folder (slashes,
// relative to the root) by folder. Folders that the go tool passes over are left
// out, and so are other modules.
func sources(t *testing.T) (*token.FileSet, map[string][]file) {
	t.Helper()
	fset := token.NewFileSet()
	packages := make(map[string][]file)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); name != "." && err == nil {
				return fs.SkipDir // another module: bench
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(name)
		packages[path.Dir(slashed)] = append(packages[path.Dir(slashed)],
			file{name: slashed, test: strings.HasSuffix(name, "_test.go"), ast: parsed})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) == 0 {
		t.Fatal("found no package: run this test in the root of the module")
	}
	return fset, packages
}

// rowOf returns the row of a folder and the entry of the table that gives it.
func rowOf(dir string) (entry string, row int, ok bool) {
	if dir == "." {
		return dir, rows[""], true
	}
	for entry = dir; entry != "."; entry = path.Dir(entry) {
		if row, ok = rows[entry]; ok {
			return entry, row, true
		}
	}
	return "", 0, false
}

// importError says what is wrong with a package in dir importing imported, a path
// inside the module; "" when it may.
func importError(dir, imported string) string {
	entry, row, ok := rowOf(dir)
	if !ok {
		return fmt.Sprintf("package %s has no row: put it in the table of ARCHITECTURE.md and of this test", dir)
	}
	for _, two := range apart {
		if within(dir, two.dir) && within(imported, two.imported) {
			return fmt.Sprintf("package %s imports %s: %s", dir, imported, two.reason)
		}
	}
	target, lower, ok := rowOf(imported)
	switch {
	case !ok:
		return fmt.Sprintf("package %s imports %s, which has no row in the table", dir, imported)
	case target == entry:
		return "" // folders of one noun; the compiler refuses cycles
	case lower >= row:
		return fmt.Sprintf("package %s (row %d) imports %s (row %d): imports run down the rows only, so that each package can be "+
			"used and tested without what stands above it; let %s own a small interface that %s satisfies",
			dir, row, imported, lower, dir, imported)
	}
	return ""
}

func TestImportsRunDownTheRows(t *testing.T) {
	fset, packages := sources(t)
	for dir, files := range packages {
		if _, _, ok := rowOf(dir); !ok {
			t.Errorf("%s", importError(dir, ""))
			continue
		}
		for _, f := range files {
			if f.test {
				continue // a test may put the packages together
			}
			for _, spec := range f.ast.Imports {
				imported := importPath(t, spec)
				if !within(imported, module) {
					continue
				}
				if msg := importError(dir, path.Clean(strings.TrimPrefix(imported[len(module):], "/"))); msg != "" {
					t.Errorf("%s: %s", fset.Position(spec.Pos()), msg)
				}
			}
		}
	}
}

func TestImportRule(t *testing.T) {
	tests := []struct {
		name, dir, imported string
		allowed             bool
	}{
		{"down", "internal/steps", "expr", true},
		{"up", "expr", "internal/steps", false},
		{"same row", "loader", "registry", false},
		{"up from a folder with a row of its own", "internal/steps", "internal/steps/catalogue", false},
		{"own folder", "internal/daemon/client", "internal/daemon/wire", true},
		{"below another noun", "cmd/actiond", "internal/daemon/client", true},
		{"up from a folder", "internal/browser/engine", "internal/session", false},
		{"apart", "internal/browser", "internal/steps", false},
		{"apart, below it", "internal/browser/engine", "internal/steps", false},
		{"apart, from above", "internal/definitions", "internal/browser", false},
		{"test data", "internal/session", "testdata/shop", false},
		{"no row", "util", "diag", false},
		{"no row below another folder", "internal/util", "diag", false},
		{"of a package without a row", "cmd/action", "internal/util", false},
		{"the module's own package from below", "internal/session", ".", false},
		{"the module's own package from above", "cmd/actiond", ".", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := importError(test.dir, test.imported)
			if (got == "") != test.allowed {
				t.Errorf("importError(%q, %q) = %q, want allowed = %v", test.dir, test.imported, got, test.allowed)
			}
		})
	}
}

// TestClientIsSmall: the client starts with every command. What it imports is started too.
func TestClientIsSmall(t *testing.T) {
	fset, packages := sources(t)
	allowed := []string{module + "/internal/daemon/wire", module + "/internal/daemon/endpoint", module + "/diag"}
	for _, dir := range []string{"cmd/action", "internal/daemon/wire", "internal/daemon/endpoint", "diag"} {
		for _, f := range packages[dir] {
			for _, spec := range f.ast.Imports {
				imported := importPath(t, spec)
				if library := strings.Contains(strings.Split(imported, "/")[0], ".") || within(imported, module); f.test || !library || slices.Contains(allowed, imported) {
					continue
				}
				if dir == "internal/daemon/endpoint" && imported == "golang.org/x/sys/unix" && strings.HasSuffix(f.name, "_darwin.go") {
					continue
				}
				t.Errorf("%s: the client would import %s: it starts with every command", fset.Position(spec.Pos()), imported)
			}
		}
	}
	for _, f := range packages["internal/daemon/wire"] {
		for _, spec := range f.ast.Imports {
			if imported := importPath(t, spec); !f.test && within(imported, module) && imported != module+"/diag" {
				t.Errorf("%s: internal/daemon/wire imports %s: it is plain data", fset.Position(spec.Pos()), imported)
			}
		}
	}
}

func TestLibrariesHaveOneOwner(t *testing.T) {
	fset, packages := sources(t)
	for dir, files := range packages {
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				imported := importPath(t, spec)
				for _, o := range owners {
					if !within(imported, o.library) || within(dir, o.owner) || f.test && o.product {
						continue
					}
					t.Errorf("%s: only package %s imports %s: %s", fset.Position(spec.Pos()), o.owner, o.library, o.reason)
				}
			}
		}
	}
}

func TestPackagesSayWhatTheyAre(t *testing.T) {
	_, packages := sources(t)
	for dir, files := range packages {
		var comment []string
		product := false
		for _, f := range files {
			if f.test {
				continue
			}
			product = true
			if f.ast.Doc != nil {
				comment = append(comment, strings.TrimSpace(f.ast.Doc.Text()))
			}
		}
		switch {
		case !product:
		case len(comment) == 0:
			t.Errorf("package %s has no package comment: say what it does and what it does not do", dir)
		case len(comment) > 1:
			t.Errorf("package %s has %d package comments: keep one", dir, len(comment))
		case strings.Count(comment[0], "\n") < 2:
			t.Errorf("package %s says too little, in fewer than 3 lines: say what it does and what it does not do:\n%s", dir, comment[0])
		}
	}
}

func TestGoroutinesStartAtTheTop(t *testing.T) {
	fset, packages := sources(t)
	for dir, files := range packages {
		_, row, ok := rowOf(dir)
		if !ok || row >= firstWithGoroutines {
			continue
		}
		eachProductNode(files, func(n ast.Node) {
			if stmt, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: package %s (row %d) starts a goroutine: packages below row %d do not, so that their callers decide about concurrency",
					fset.Position(stmt.Pos()), dir, row, firstWithGoroutines)
			}
		})
	}
}

func TestBannedCalls(t *testing.T) {
	fset, packages := sources(t)
	for dir, files := range packages {
		eachProductNode(files, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			for _, b := range banned {
				if callee(call) == b.call && (b.allowed == "" || !within(dir, b.allowed)) {
					t.Errorf("%s: %s: %s", fset.Position(call.Pos()), b.call, b.reason)
				}
			}
		})
	}
}

// TestTableIsWhole keeps rows from naming packages that moved or were renamed.
func TestTableIsWhole(t *testing.T) {
	_, packages := sources(t)
	var missing []string
	for dir := range rows {
		if packages[path.Clean(dir)] == nil {
			missing = append(missing, dir)
		}
	}
	sort.Strings(missing)
	if len(missing) > 0 {
		t.Errorf("the table names packages without Go files: %s", strings.Join(missing, ", "))
	}
}

func eachProductNode(files []file, visit func(ast.Node)) {
	for _, f := range files {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			visit(n)
			return true
		})
	}
}

// callee returns "pkg.Func" of a call of that form, else "".
func callee(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + sel.Sel.Name
}

// within reports whether name is folder or lies below it.
func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

func importPath(t *testing.T, spec *ast.ImportSpec) string {
	t.Helper()
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
