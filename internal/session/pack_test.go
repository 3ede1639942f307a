package session_test

// Tests of the pack in docs/writing-packs.md, installed as an npm package, on pages of both
// versions.

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/testdata/pages"
)

// docPack returns the definitions and the package.json of the pack on the page.
func docPack(t *testing.T) (text, description string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/writing-packs.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindSubmatch(page)
		if m == nil {
			t.Fatalf("docs/writing-packs.md has no block like %s", pattern)
		}
		return string(m[1])
	}
	return block("(?s)```yaml\n(namespace: eresh\nversion.*?)```"), block("(?s)```json\n(.*?)```")
}

// newPack installs the pack in a new folder and adds the files of a project.
func newPack(t *testing.T, project map[string]string) *bench {
	t.Helper()
	text, description := docPack(t)
	cwd, home := t.TempDir(), t.TempDir()
	files := map[string]string{
		filepath.Join(cwd, "node_modules/@company/ab-actions-eresh/package.json"):       description,
		filepath.Join(cwd, "node_modules/@company/ab-actions-eresh/actions/eresh.yaml"): text,
		filepath.Join(home, ".agent-browser/config.yaml"):                               `actions: {packages: ["@company/ab-actions-eresh"]}`,
	}
	for name, text := range project {
		files[filepath.Join(cwd, name)] = text
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environ := []string{"HOME=" + home, shortWait}
	defs, err := definitions.Load(t.Context(), definitions.Options{Cwd: cwd, Environ: environ, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Session: session.New(session.Options{Definitions: defs}), defs: defs, cwd: cwd, environ: environ}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	return b
}

func TestPackOfTheDocs(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newPack(t, nil)
	for _, major := range []string{"1", "2"} {
		t.Run(major, func(t *testing.T) {
			b.mustRun(t, "web:page:open", map[string]any{"url": base + "/eresh.html?v=" + major})
			r := b.run(t, "eresh:dialog:open", map[string]any{"trigger": "新建"})
			want(t, data(t, r), "title", "New customer")
			if r.Version != major+".3.1" {
				t.Errorf("version %q, want %q", r.Version, major+".3.1")
			}
			again := b.run(t, "eresh:dialog:open", map[string]any{"trigger": "新建"})
			wantError(t, again, diag.ElementNotInteractable, "covered by <div class=er-mask>")
			b.mustRun(t, "eresh:dialog:close", nil)
			want(t, b.mustRun(t, "eresh:dialog:open", map[string]any{"trigger": "customer-new", "trigger_by": "testid"}), "title", "New customer")
			b.mustRun(t, "eresh:dialog:close", nil)
			wantError(t, b.run(t, "eresh:dialog:open", map[string]any{"trigger": "导入"}), diag.ElementNotInteractable, "disabled")
		})
	}
	for _, major := range []string{"1", "2"} {
		t.Run(major+" bundled", func(t *testing.T) {
			b.mustRun(t, "web:page:open", map[string]any{"url": base + "/eresh.html?bundled&v=" + major})
			r := b.run(t, "eresh:dialog:open", map[string]any{"trigger": "新建"})
			data(t, r)
			if r.Version != major+".x" || r.Detected != executor.DetectedByMarkup {
				t.Errorf("version %q, detected by %q", r.Version, r.Detected)
			}
			b.mustRun(t, "eresh:field:set", map[string]any{"label": "Name", "value": "Ada"})
			b.mustRun(t, "eresh:field:set", map[string]any{"label": "Express", "value": true})
			b.mustRun(t, "eresh:field:set", map[string]any{"label": "Express", "value": false})
			wantError(t, b.run(t, "eresh:field:set", map[string]any{"label": "Level", "value": "high"}), diag.StepFailed, "no case of the step choose holds")
			b.mustRun(t, "eresh:region:choose", map[string]any{"path": []any{"Europe", "Porto", "Depot"}})
			if got := data(t, b.Step(t.Context(), "get", session.RunOptions{Params: map[string]any{"what": "text", "selector": "css:#said"}}))["text"]; got != "Europe/Porto/Depot" {
				t.Errorf("the page has chosen %v", got)
			}
			wantError(t, b.run(t, "eresh:region:choose", map[string]any{"path": []any{"Europe", "Lyon", "Shop"}}), diag.ElementNotFound, "Shop")
		})
	}
	b.mustRun(t, "web:page:open", map[string]any{"url": base + "/eresh.html?v=3"})
	wantError(t, b.run(t, "eresh:dialog:open", map[string]any{"trigger": "新建"}), diag.VersionIncompatible, "3.3.1")
}

// TestPackChangedByAProject checks that a project can replace one selector of the pack.
func TestPackChangedByAProject(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newPack(t, map[string]string{".agent-browser/actions/eresh.yaml": "namespace: eresh\nselectors:\n  dialog_close: css:[data-close]\n"})
	b.mustRun(t, "web:page:open", map[string]any{"url": base + "/eresh.html"})
	b.mustRun(t, "eresh:dialog:open", map[string]any{"trigger": "新建"})
	wantError(t, b.run(t, "eresh:dialog:close", nil), diag.ElementNotFound, "dialog_close is css:[data-close]")
}
