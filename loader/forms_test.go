package loader

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// definitionFiles returns all definition files of the project, by path.
func definitionFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, root := range []string{"../actions", "../testdata"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "err" || d.Name() == "openapi"):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasPrefix(path, "../testdata/definitions/"):
				return nil
			}
			text, err := os.ReadFile(path)
			files[path] = text
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 10 {
		t.Fatalf("found %d definition files, want those of the project", len(files))
	}
	return files
}

// stepMaps calls f for each step of a file's tree.
func stepMaps(n *spec.Node, f func(step *spec.Node)) {
	if n == nil {
		return
	}
	for _, k := range n.Keys {
		switch k.Name {
		case "steps", "fallback", "else":
			for _, step := range k.Value.Items {
				if step.Kind == spec.Map {
					f(step)
				}
			}
		}
		stepMaps(k.Value, f)
	}
	for _, item := range n.Items {
		stepMaps(item, f)
	}
}

// shorten converts a step from the long form to the short one, and reports whether it was in the
// long form.
func shorten(step *spec.Node) bool {
	action, args := step.Get("action"), step.Get("args")
	if action == nil || args != nil && args.Kind != spec.Map {
		return false
	}
	main, known := catalogue.MainArg(action.Str)
	if !known {
		return false
	}
	value := args
	switch {
	case args == nil:
		value = &spec.Node{Kind: spec.Null, Pos: action.Pos}
	case len(args.Keys) == 1 && args.Keys[0].Name == main && args.Keys[0].Value.Kind != spec.Map && args.Keys[0].Value.Kind != spec.Null:
		value = args.Keys[0].Value
	}
	keys := []spec.Key{{Name: action.Str, Pos: action.Pos, Value: value}}
	for _, k := range step.Keys {
		if k.Name != "action" && k.Name != "args" {
			keys = append(keys, k)
		}
	}
	step.Keys = keys
	return true
}

// Every definition means the same in the long and in the short form of its steps.
func TestBothFormsMeanTheSame(t *testing.T) {
	same := cmp.Options{cmpopts.IgnoreTypes(diag.Pos{}), cmpopts.IgnoreFields(spec.File{}, "Root"), cmpopts.IgnoreUnexported(spec.Node{}), cmpopts.IgnoreFields(spec.Override{}, "Match"),
		cmpopts.EquateEmpty()}
	stepsSeen := 0
	for path, text := range definitionFiles(t) {
		read := func(form func(*spec.Node) *spec.Node) *spec.File {
			root, problems := ParseFile(path, text)
			if root == nil || len(problems) > 0 {
				t.Fatalf("%s: %v", path, problems)
			}
			f, problems := spec.Decode(form(root), spec.Source{}, catalogue.MainArg)
			if len(problems) > 0 {
				t.Fatalf("%s: %v", path, problems)
			}
			return f
		}
		asWritten := read(func(root *spec.Node) *spec.Node { return root })
		short := read(func(root *spec.Node) *spec.Node {
			stepMaps(root, func(step *spec.Node) {
				shorten(step)
				stepsSeen++
			})
			return root
		})
		if diff := cmp.Diff(asWritten, short, same); diff != "" {
			t.Errorf("%s differs in its short form (-as written +short):\n%s", path, diff)
		}
		if diff := cmp.Diff(asWritten, read(longForm), same); diff != "" {
			t.Errorf("%s differs in its long form (-as written +long):\n%s", path, diff)
		}
	}
	if stepsSeen < 500 {
		t.Errorf("%d steps were seen, want those of the builtin definitions", stepsSeen)
	}
}
