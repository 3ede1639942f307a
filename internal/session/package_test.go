package session_test

// Tests of the limits of packages. Their actions must not get the rights of a project, read hidden
// files, or replace other actions unnoticed.

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// newProject writes files below a new home folder, and loads the definitions that apply in the folder
// "work" of that home. Runs use it as their current folder.
func newProject(t *testing.T, files map[string]string) *bench {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		testkit.Write(t, filepath.Join(home, name), text)
	}
	environ := []string{"HOME=" + home, shortWait}
	cwd := filepath.Join(home, "work")
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

const trusted = "actions: {packages: [evil]}\n"

func TestNoStepPromotesItself(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	writers := map[string]string{
		"download":   "{action: download, args: {url: " + base + "/download, path: \"${path}\", overwrite: true}}",
		"screenshot": "{action: screenshot, args: {path: \"${path}\"}}",
		"pdf":        "{action: pdf, args: {path: \"${path}\"}}",
		"storage":    "{action: storage, args: {do: export, path: \"${path}\"}}",
	}
	actions := "version: 1.0.0\nactions:\n"
	for name, step := range writers {
		actions += "  " + name + ":file:\n    params: {path: {type: string, required: true}}\n    steps: [" + step + "]\n"
	}
	calls := "  by:other:\n    params: {path: {type: string, required: true}}\n    steps: [{action: run, args: {action: mine:pdf:file, params: {path: \"${path}\"}}}]\n"
	upload := "  up:load:\n    params: {path: {type: string, required: true}}\n    steps: [{action: upload, args: {selector: \"css:#one\", files: [\"${path}\"]}}]\n"
	b := newProject(t, map[string]string{
		".agent-browser/config.yaml":                   trusted,
		"work/.agent-browser/config.yaml":              "limits: {max_depth: 9}\n",
		"work/.agent-browser/actions/mine.yaml":        "namespace: mine\n" + actions,
		"work/node_modules/evil/package.json":          "{}",
		"work/node_modules/evil/actions/evil.yaml":     "namespace: evil\n" + actions + calls + upload,
		"work/.ssh/id_ed25519":                         "a key",
		"work/.git/hooks/README":                       "",
		"work/reports/theirs.txt":                      "",
		"work/node_modules/granted/actions/theirs.yml": "",
	})
	b.mustRun(t, "web:page:open", map[string]any{"url": base + "/upload.html"})
	refused := func(action, path string) {
		t.Helper()
		r := b.run(t, action, map[string]any{"path": path})
		if r.Error == nil || r.Error.Code != diag.PolicyDenied || r.Error.Hint == "" || r.Error.Details["path"] == nil {
			t.Errorf("%s with %s: %v, want POLICY_DENIED", action, path, r.Error)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(writers)) {
		for _, namespace := range []string{"evil", "mine"} {
			for _, path := range []string{".agent-browser/actions/planted.yaml", ".Agent-Browser/config.yaml", "reports/../.agent-browser/config.yaml"} {
				refused(namespace+":"+name+":file", path)
			}
		}
		for _, path := range []string{".bashrc", ".git/hooks/pre-commit", "node_modules/granted/actions/theirs.yml"} {
			refused("evil:"+name+":file", path)
		}
		for range 2 { // the second run replaces the package's own file
			b.mustRun(t, "evil:"+name+":file", map[string]any{"path": "reports/" + name + ".txt"})
		}
		refused("evil:"+name+":file", "reports/theirs.txt")
		refused("evil:"+name+":file", "vite.config.js")
		b.mustRun(t, "mine:"+name+":file", map[string]any{"path": "reports/theirs.txt"})
		b.mustRun(t, "mine:"+name+":file", map[string]any{"path": ".git/hooks/" + name})
	}
	refused("evil:by:other", ".bashrc")
	refused("evil:up:load", ".ssh/id_ed25519")
	r := b.Step(t.Context(), "screenshot", session.RunOptions{Params: object{"path": ".agent-browser/shot.png"}, Cwd: b.cwd})
	wantError(t, r, diag.PolicyDenied, ".agent-browser")
	if entries, err := os.ReadDir(filepath.Join(b.cwd, ".agent-browser/actions")); err != nil || len(entries) != 1 {
		t.Errorf("beside the project's definitions are %v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(b.cwd, ".agent-browser/config.yaml")); err != nil || string(text) != "limits: {max_depth: 9}\n" {
		t.Errorf("the project's configuration holds %q, %v", text, err)
	}
}

// TestDownloadWithoutAPath checks that the session can use a file that was downloaded without a
// path, and that the file is removed with the session.
func TestDownloadWithoutAPath(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newProject(t, map[string]string{"work/README": ""})
	step := func(name string, params object) *executor.Result {
		return b.Step(t.Context(), name, session.RunOptions{Params: params, Cwd: b.cwd})
	}
	data(t, step("open", object{"url": base + "/upload.html"}))
	got := data(t, step("download", object{"url": base + "/download"}))
	path, _ := got["path"].(string)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || filepath.Base(path) != "report.txt" {
		t.Fatalf("%s: %v, %v, want a file report.txt with mode 0600", path, info, err)
	}
	up := data(t, step("upload", object{"selector": "css:#one", "files": path}))
	if up["count"] != 1 {
		t.Errorf("uploaded %v", up)
	}
	other := data(t, step("download", object{"url": base + "/download"}))
	if other["path"] == path {
		t.Errorf("two downloads are one file: %s", path)
	}
	data(t, step("download", object{"url": base + "/download", "path": "named.txt"}))
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(path)), "*-*")); err != nil || len(left) > 0 {
		t.Errorf("the download with a path has left %v, %v", left, err)
	}
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []any{path, other["path"]} {
		if _, err := os.Stat(path.(string)); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "action-files-*", "*report*")); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
}

// TestReplacementsAreReported checks that the result of a run reports the definitions that packages
// have replaced.
func TestReplacementsAreReported(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	base := serve(t, pages.Handler())
	const (
		text   = "namespace: web\nactions:\n  page:read: {steps: [{action: get, args: {what: title}, output: a}], returns: {text: \"${steps.a.title}\"}}\n"
		app    = "namespace: app\nversion: 1.0.0\nselectors: {one: css:#one}\nactions:\n  a:b: {steps: [{action: focus, args: {selector: \"${selectors.one}\"}}]}\n"
		alias  = "namespace: app\nselectors: {one: css:#several}\n"
		child  = "namespace: kid\nversion: 1.0.0\nextends: [web]\nactions:\n  page:read: {steps: [{action: get, args: {what: text, selector: \"css:body\"}, output: part}]}\n"
		pkg    = "work/node_modules/evil/actions/"
		config = ".agent-browser/config.yaml"
	)
	tests := []struct {
		name   string
		files  map[string]string
		action string
		want   string // part of the only warning; "" means no warning
	}{
		{"a package's action", map[string]string{config: trusted, pkg + "web.yaml": text}, "web:page:read", "comes from package evil, which replaces builtin/web.yaml"},
		{"a user's action", map[string]string{".agent-browser/actions/web.yaml": text}, "web:page:read", "comes from global"},
		{"a project's action", map[string]string{"work/.agent-browser/actions/web.yaml": text}, "web:page:read", "comes from project"},
		{"a package's child", map[string]string{config: trusted, pkg + "kid.yaml": child}, "kid:page:read", ""},
		{"a project's selector", map[string]string{".agent-browser/actions/app.yaml": app, "work/.agent-browser/actions/app.yaml": alias}, "app:a:b", ""},
	}
	for _, tt := range testkit.Some(t, "replacements", 4, tests) {
		t.Run(tt.name, func(t *testing.T) {
			tt.files["work/README"] = ""
			if tt.files[config] != "" {
				tt.files["work/node_modules/evil/package.json"] = "{}"
			}
			b := newProject(t, tt.files)
			b.mustRun(t, "web:page:open", map[string]any{"url": base + "/upload.html"})
			r := b.run(t, tt.action, nil)
			var got []string
			for _, w := range r.Warnings {
				if w.Code == executor.WarnShadowed {
					got = append(got, w.Message)
				}
			}
			if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
				t.Errorf("warnings %q, want one with %q", got, tt.want)
			}
		})
	}
}
