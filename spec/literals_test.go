package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// otherWords lists, by file, literals that equal a key by chance, with their meaning in that file.
var otherWords = map[string]map[string]string{
	"spec/decoder.go":            {"name": "a name to propose if no character of the given name is valid"},
	"spec/spec.go":               {"env": "a kind of source"},
	"registry/describe.go":       {"env": "the root of expressions", "pattern": "that of a version override"},
	"registry/describe_param.go": {"name": "that of the param, which is the key above it in a file"},
	"registry/text.go":           {"action": "a noun that is counted"},
	"validator/shape.go":         {"version": "a tag of package validator/v10"},
	"validator/warnings.go":      {"timeout": "a flag of the command line", "steps": "a flag of the command line"},
	"validator/schema_steps.go":  {"selector": "part of an argument of a step, or the definition of a selector", "name": "part of an argument of a step"},
}

// TestKeysAreNamedInTheTable checks that a key of definition files is written only in its entry.
// Code that uses one by name uses the constants of keys.go.
func TestKeysAreNamedInTheTable(t *testing.T) {
	keys := make(map[string]MappingName)
	for _, m := range Mappings() {
		for i := range m.Fields {
			keys[m.Fields[i].Name] = m.Name
		}
	}
	fset := token.NewFileSet()
	seen := make(map[string]bool)
	for _, pattern := range []string{"../spec/*.go", "../validator/*.go", "../registry/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no file matches %s: %v", pattern, err)
		}
		for _, name := range files {
			short := filepath.ToSlash(strings.TrimPrefix(name, "../"))
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(short, "spec/keys") {
				continue
			}
			file, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			eachWord(file, func(lit *ast.BasicLit, word string) {
				if keys[word] == "" {
					return
				}
				seen[short+" "+word] = true
				if otherWords[short][word] == "" {
					t.Errorf("%s: %q is a key of %s: ask the table for it, or use its constant of spec/keys.go", fset.Position(lit.Pos()), word, keys[word])
				}
			})
		}
	}
	for file, words := range otherWords {
		for word := range words {
			if !seen[file+" "+word] {
				t.Errorf("%s does not have %q any more: drop it from the list of this test", file, word)
			}
		}
	}
}

// eachWord calls f for each string, and for the JSON name of each tag that only a param has. It
// omits constants, which have their own meaning, such as types of params.
func eachWord(file *ast.File, f func(*ast.BasicLit, string)) {
	param := MappingOf(ParamMap).Names(func(f *Field) bool { return f.Types != nil })
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.Field:
			if n.Tag != nil {
				text, _ := strconv.Unquote(n.Tag.Value)
				if name, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ","); slices.Contains(param, name) {
					f(n.Tag, name)
				}
			}
		case *ast.BasicLit:
			if word, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				f(n, word)
			}
		}
		return true
	})
}
