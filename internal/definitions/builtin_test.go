package definitions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/validator"
)

// TestBuiltinDefinitions: the builtin definitions have no errors. Nothing else checks them.
func TestBuiltinDefinitions(t *testing.T) {
	set, err := loader.Load(t.Context(), loader.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range validator.Check(set.Namespaces) {
		t.Error(e)
	}
}

// TestErrorsOfChangedBuiltins: the builtin definitions are checked if a project changes what they
// run.
func TestErrorsOfChangedBuiltins(t *testing.T) {
	for _, tt := range []struct{ name, text, file, says string }{
		{"nothing", "", "", ""},
		{"a project of its own", "namespace: shop\nversion: 1.0.0\nactions: {\"a:b\": {steps: [{action: run, args: {action: \"components:button:clack\"}}]}}", "shop.yaml", "components:button:clack"},
		{"a builtin action of which another one runs", "namespace: components\nactions: {\"dialog:which\": {internal: true, params: {more: {type: string, required: true}}, steps: [{action: back}]}}", "builtin/components.yaml", "more"},
		{"nothing again", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.text != "" {
				if err := os.WriteFile(filepath.Join(dir, "shop.yaml"), []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			defs, err := definitions.Load(t.Context(), definitions.Options{Cwd: t.TempDir(), Environ: []string{"ACTION_PATH=" + dir}})
			if err != nil {
				t.Fatal(err)
			}
			errs := defs.Errors()
			if (len(errs) > 0) != (tt.says != "") {
				t.Fatalf("got the errors %v, want some with %q", errs, tt.says)
			}
			if len(errs) > 0 && (!strings.HasSuffix(errs[0].Pos.File, tt.file) || !strings.Contains(errs[0].Error(), tt.says)) {
				t.Errorf("got %v, want one in %s with %q", errs[0], tt.file, tt.says)
			}
		})
	}
}
