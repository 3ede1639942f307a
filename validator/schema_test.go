package validator_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

func resolved(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	// Editors get the JSON, so the test reads it back.
	var s jsonschema.Schema
	if err := json.Unmarshal(validator.SchemaJSON(), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// instance returns a definition as JSON data, as an editor passes it to the schema.
func instance(t testing.TB, root *spec.Node) any {
	t.Helper()
	data, err := json.Marshal(root.Value())
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSchemaAcceptsWhatLoads compares the schema with the checks on every definition file of
// testdata: if there is no problem, the schema finds none.
func TestSchemaAcceptsWhatLoads(t *testing.T) {
	schema := resolved(t)
	files := definitionFiles(t)
	if len(files) < 4 {
		t.Fatalf("found %d definition files in testdata, expected more", len(files))
	}
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			text := read(t, name)
			root, problems := parse(text)
			if root == nil || len(problems) > 0 {
				t.Fatalf("the file is no definition file: %v", problems)
			}
			_, structure := spec.Decode(root, spec.Source{}, catalogue.MainArg)
			err := schema.Validate(instance(t, root))
			if len(structure) == 0 && err != nil {
				t.Errorf("the file has no problem of structure, but the schema says: %v", err)
			}
			if len(structure) > 0 {
				t.Errorf("the file has problems, want none:\n%v", structure)
			}
		})
	}
}

// definitionFiles returns the YAML files of testdata that are definitions.
func definitionFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("../testdata", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return fs.SkipDir
		case !d.IsDir() && (filepath.Ext(name) == ".yaml" || filepath.Ext(name) == ".yml") &&
			strings.Contains(read(t, name), "namespace:"):
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestSchemaAgainstErrors checks that every case of structure.txt fails the schema. Problems of
// meaning are reported by the checks alone or by both, but if the schema fails, the checks do too.
func TestSchemaAgainstErrors(t *testing.T) {
	schema := resolved(t)
	for _, name := range glob(t, filepath.Join(checks, "err", "*.txt")) {
		base := filepath.Base(name)
		for _, c := range cases(t, name) {
			t.Run(base+"/"+c.name, func(t *testing.T) {
				root, _ := parse(c.text)
				if root == nil {
					return // not YAML, so there is no data to check
				}
				if err := schema.Validate(instance(t, root)); err == nil && base == "structure.txt" {
					t.Error("the schema accepts it, want it refused")
				}
			})
		}
	}
}

func TestSchemaAcceptsExamples(t *testing.T) {
	schema := resolved(t)
	for _, e := range catalogue.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			text := "namespace: t\nversion: 1.0.0\nactions:\n  a:b:\n    steps:\n      - " + strings.ReplaceAll(e.Example, "\n", "\n        ") + "\n"
			root, problems := parse(text)
			if len(problems) > 0 {
				t.Fatalf("the example is no YAML: %v", problems)
			}
			if err := schema.Validate(instance(t, root)); err != nil {
				t.Errorf("the schema refuses the example %s: %v", e.Example, err)
			}
		})
	}
}

func TestSchemaKnowsEveryStep(t *testing.T) {
	schema := resolved(t)
	for _, name := range catalogue.Names() {
		data := map[string]any{"namespace": "t", "actions": map[string]any{
			"a:b": map[string]any{"steps": []any{map[string]any{"action": name, "args": map[string]any{"nosuch": 1}}}},
		}}
		if err := schema.Validate(data); err == nil {
			t.Errorf("the schema accepts the argument nosuch of %s, want it refused", name)
		}
	}
}

func TestSchemaIsDeterministic(t *testing.T) {
	want := validator.SchemaJSON()
	for range 5 {
		got, err := json.Marshal(validator.Schema())
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, want); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, compact.Bytes()) {
			t.Fatal("two schemas differ, want the same bytes")
		}
	}
}

// TestSchemaNames compares the patterns of the schema with the rules of package
// spec.
func TestSchemaNames(t *testing.T) {
	s := validator.Schema()
	params := s.Definitions["action"].Properties["params"].PropertyNames
	env := s.Properties["env"].Items.AnyOf[0]
	tests := []struct {
		what    string
		pattern string
		accepts func(string) bool
	}{
		{"namespace", s.Properties["namespace"].Pattern, spec.IsNamespace},
		{"action", s.Properties["actions"].PropertyNames.Pattern, spec.IsAction},
		{"param", params.Pattern, spec.IsName},
		{"env", env.Pattern, spec.IsEnvName},
		{"version", s.Properties["version"].Pattern, spec.IsSemVer},
	}
	names := []string{
		"", "a", "A", "a1", "1a", "a-b", "a_b", "-a", "_a", "a b", "a.b", "ä", "a:b", "a:b:c", "A:b", "a:B", "a1:b-c", "a_b:c", ":a", "a:",
		"1.0.0", "1.0", "01.0.0", "1.0.0-rc.1", "1.0.0+build", "1.0.0-", "v1.0.0", "1.0.0-a..b",
	}
	for _, test := range tests {
		re := regexp.MustCompile(test.pattern)
		for _, name := range names {
			if got, want := re.MatchString(name), test.accepts(name); got != want {
				t.Errorf("pattern of %s accepts %q = %v, want %v as package spec says", test.what, name, got, want)
			}
		}
	}
}
