package files

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
)

// TestPackagesKeepToPlainFiles checks that a package can neither write files that other programs
// run nor read hidden files.
func TestPackagesKeepToPlainFiles(t *testing.T) {
	f, cwd := guarded(t)
	f.Packaged = true
	for _, path := range []string{
		".bashrc", ".PROFILE", ".zshrc", ".config/fish/config.fish", ".ssh/authorized_keys", ".git/hooks/pre-commit",
		".git/config", ".npmrc", ".envrc", ".vscode/tasks.json", "reports/.htaccess", ".\u200bssh/config", "\u200b.bashrc",
		"Makefile", "makefile", "package.json", "node_modules/other/actions/a.yaml", "Library/LaunchAgents/x.plist", "crontab",
	} {
		mustMkdir(t, filepath.Dir(filepath.Join(cwd, path)))
		if err := f.put(t, path, "planted", true); diag.CodeOf(err) != diag.PolicyDenied {
			t.Errorf("%s: %v, want POLICY_DENIED", path, err)
		}
	}
	for _, path := range []string{".ssh/id_ed25519", ".agent-browser/config.yaml", "linked/own.yaml"} {
		if got, err := f.ReadPath(path); diag.CodeOf(err) != diag.PolicyDenied {
			t.Errorf("read %s: %v, %v, want POLICY_DENIED", path, got, err)
		}
	}
	for _, path := range []string{"reports/a.pdf", "a.csv", "gitignore.txt"} {
		if err := f.put(t, path, "fine", false); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	mustWrite(t, filepath.Join(cwd, "package.json"), "{}")
	if _, err := f.ReadPath("package.json"); err != nil {
		t.Errorf("read package.json: %v", err)
	}
	f.Allow = []string{filepath.Join(cwd, ".cache/reports")}
	mustMkdir(t, f.Allow[0])
	if err := f.put(t, ".cache/reports/a.pdf", "fine", false); err != nil {
		t.Errorf("in a folder that the user allows: %v", err)
	}
	f = Rules{Cwd: filepath.Join(cwd, ".git", "hooks"), Packaged: true}
	if err := f.put(t, "pre-commit", "planted", true); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("from within .git/hooks: %v, want POLICY_DENIED", err)
	}
}

// TestPackagesWriteOnlyData checks that a package cannot create files that tools run or load.
func TestPackagesWriteOnlyData(t *testing.T) {
	f, cwd := guarded(t)
	f.Packaged = true
	for _, path := range []string{
		"src/main.js", "vite.config.js", "vite.config.ts", "gulpfile.js", "noxfile.py", "build.rs", "Dockerfile", "docker-compose.yml", "compose.yaml",
		"Jenkinsfile", "tox.ini", "setup.cfg", "pyproject.toml", "usercustomize.py", "a.pth", "A.PTH", "CMakeLists.txt", "cmakelists.TXT", "build.gradle",
		"gradlew", "configure", "Vagrantfile", "Brewfile", "Procfile", "Gemfile", "manage.py", "run.sh", "lib.so", "a.yaml", "AGENTS.md", "report",
		"tsconfig.json", "tsconfig.app.json", "tsconfig\u200b.json", "ｐom.xml", "jest.config.json", "requirements.txt", "requirements-dev.txt",
		"evil.py:.png", "out.txt:run.sh", "out.txt:a.test.js", "a:package.json", "evil.py.", "evil.png.py", "png", "index.html", "Composer.json.",
		"tauri.conf.json", "web.config.xml", "mcp_config.json", "pnpm-lock.json", "cargo.json", ".vscode/extensions.json", "keybindings.json", "local.settings.json",
		"api-extractor.json", "Tauri.Conf.JSON", "main.tf.json", "x.pkr.json", "opencode.json", "lefthook-local.json", "docker-bake.override.json", "Devbox.json",
	} {
		mustMkdir(t, filepath.Dir(filepath.Join(cwd, path)))
		err := f.put(t, path, "planted", true)
		if diag.CodeOf(err) != diag.PolicyDenied || diag.As(err).Hint == "" || diag.As(err).Details["reason"] == nil {
			t.Errorf("%s: %v, want POLICY_DENIED with hint and reason", path, err)
		}
		if _, err := os.Lstat(filepath.Join(cwd, path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", path, err)
		}
	}
	for _, path := range []string{
		"report.csv", "shot.PNG", "reports/page.pdf", "data.json", "projects.json", "feed.xml", "notes.txt", "all.tar.gz", "rapport d’activité.xlsx",
		"vite.config.js.zip", "my.report.html", "my.extensions.json", "conf.json", "local.json", "12.30.png:12.31.png",
	} {
		if err := f.put(t, path, "fine", false); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := f.WritePath("reports"); err != nil {
		t.Errorf("a folder to download into: %v", err)
	}
}

// TestPageNamesTheKindsOfFiles checks that docs/configuration.md lists the extensions that packages
// may write.
func TestPageNamesTheKindsOfFiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "The last extension of the name decides")
	list, _, _ = strings.Cut(list, "So a package never creates")
	named := map[string]bool{}
	for i, part := range strings.Split(list, "`") {
		if i%2 == 1 {
			for _, ending := range strings.Fields(part) {
				named[foldName("."+ending)] = true
			}
		}
	}
	if !maps.Equal(named, dataEndings) {
		t.Errorf("the page names %v, want %v", slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(dataEndings)))
	}
}

// TestPackagesReplaceOnlyTheirOwn checks that a package cannot replace a file that no package has
// written.
func TestPackagesReplaceOnlyTheirOwn(t *testing.T) {
	f, cwd := guarded(t)
	of := func(packaged bool) Rules { f := f; f.Packaged = packaged; return f }
	denied := func(path, want string) {
		t.Helper()
		if err := of(true).put(t, path, "planted", true); diag.CodeOf(err) != diag.PolicyDenied || diag.As(err).Hint == "" {
			t.Errorf("%s: %v, want POLICY_DENIED with a hint", path, err)
		}
		if text, err := os.ReadFile(filepath.Join(cwd, path)); err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v, want %q", path, text, err, want)
		}
	}
	fine := func(packaged bool, path, text string) {
		t.Helper()
		if err := of(packaged).put(t, path, text, true); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	mustWrite(t, filepath.Join(cwd, "reports/theirs.csv"), "by hand")
	denied("reports/theirs.csv", "by hand")

	const ours = "reports/ours.csv"
	fine(true, ours, "first")
	fine(true, ours, "second")
	fine(true, ours, "third")
	mustWrite(t, filepath.Join(cwd, ours), "edited, longer")
	denied(ours, "edited, longer")
	fine(false, ours, "by an action of the project")
	denied(ours, "by an action of the project")

	const kept = "reports/kept.csv" // edited by a program that keeps the length and the time
	fine(true, kept, "first")
	edited := filepath.Join(cwd, kept)
	info, err := os.Stat(edited)
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, edited, "mine!")
	if err := os.Chtimes(edited, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	denied(ours, "by an action of the project")

	// The file is created after the path was checked.
	rules := of(true)
	real, err := rules.WritePath("reports/late.csv")
	if err != nil {
		t.Fatal(err)
	}
	late := readerFunc(func([]byte) (int, error) {
		mustWrite(t, real, "by hand")
		return 0, io.EOF
	})
	if err := rules.Write(t.Context(), real, late, true); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want %v", err, fs.ErrExist)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
