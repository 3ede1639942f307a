package session

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
)

func (f fileRules) put(t *testing.T, path, text string, replace bool) error {
	t.Helper()
	real, err := f.WritePath(path)
	if err != nil {
		return err
	}
	return f.Write(t.Context(), real, strings.NewReader(text), replace)
}

func mustMkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	mustMkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustSymlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// guarded lays out a project below a home whose own folder is a link into another
// one, as people keep their settings in a repository.
func guarded(t *testing.T) (fileRules, string) {
	t.Helper()
	home := t.TempDir()
	cwd := filepath.Join(home, "work")
	mustMkdir(t, filepath.Join(cwd, "reports"))
	mustWrite(t, filepath.Join(cwd, ".agent-browser/actions/own.yaml"), "own")
	mustWrite(t, filepath.Join(cwd, ".agent-browser/config.yaml"), "config")
	mustSymlink(t, ".agent-browser/actions", filepath.Join(cwd, "linked"))
	mustWrite(t, filepath.Join(cwd, "dotfiles/ab/actions/user.yaml"), "user")
	mustSymlink(t, filepath.Join(cwd, "dotfiles/ab"), filepath.Join(home, ".agent-browser"))
	mustMkdir(t, filepath.Join(cwd, "more"))
	return fileRules{cwd: cwd, home: home, sources: []string{filepath.Join(cwd, "more"), filepath.Join(cwd, "one.txt")}}, cwd
}

// TestNobodyWritesDefinitions: not a step of any source, by no name.
func TestNobodyWritesDefinitions(t *testing.T) {
	f, cwd := guarded(t)
	for _, path := range []string{
		".agent-browser/actions/planted.yaml", ".agent-browser/config.yaml", ".agent-browser/new/shot.png", ".agent-browser",
		".Agent-Browser/actions/planted.yaml", ".AGENT-BROWSER/config.yaml", ".agent-browſer/config.yaml",
		".agent-bro\u200bwser/config.yaml", ".agent-browser./config.yaml", ".agent‐browser/config.yaml",
		"．ａｇｅｎｔ-browser/config.yaml", ".agent-browser::$INDEX_ALLOCATION/config.yaml",
		"reports/../.agent-browser/actions/planted.yaml", "reports/.agent-browser/actions/planted.yaml",
		"linked/planted.yaml", "dotfiles/ab/actions/planted.yaml", "dotfiles/ab/config.yaml", "dotfiles/ab/actions/user.yaml",
		"more/planted.yaml", "more/deeper/planted.YML", "more/shot.png:planted.yaml", "more/planted.yaml:shot.png", "one.txt",
		filepath.Join(cwd, ".agent-browser/actions/planted.yaml"),
	} {
		if err := f.put(t, path, "planted", true); diag.CodeOf(err) != diag.PolicyDenied {
			t.Errorf("%s: %v, want POLICY_DENIED", path, err)
		} else if e := diag.As(err); e.Hint == "" || e.Details["path"] == nil || e.Details["reason"] == nil {
			t.Errorf("%s: %v lacks hint, path or reason", path, e)
		}
		if file, err := f.Create(path); diag.CodeOf(err) != diag.PolicyDenied {
			t.Errorf("Create %s: %v, %v", path, file, err)
		}
	}
	for _, path := range []string{"reports/a.yaml", "a.png", "more/shot.png", ".bashrc", ".git/hooks/pre-commit", "Makefile", "dotfiles/a.png"} {
		mustMkdir(t, filepath.Dir(filepath.Join(cwd, path)))
		if err := f.put(t, path, "fine", false); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(cwd, ".agent-browser/config.yaml")); err != nil || string(text) != "config" {
		t.Errorf("the configuration holds %q, %v", text, err)
	}
}

// TestPackagesKeepToPlainFiles: what starts by itself is not a package's to write,
// and what is hidden is not its to read.
func TestPackagesKeepToPlainFiles(t *testing.T) {
	f, cwd := guarded(t)
	f.packaged = true
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
	f.allow = []string{filepath.Join(cwd, ".cache/reports")}
	mustMkdir(t, f.allow[0])
	if err := f.put(t, ".cache/reports/a.pdf", "fine", false); err != nil {
		t.Errorf("in a folder that the user allows: %v", err)
	}
	f = fileRules{cwd: filepath.Join(cwd, ".git", "hooks"), packaged: true}
	if err := f.put(t, "pre-commit", "planted", true); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("from within .git/hooks: %v, want POLICY_DENIED", err)
	}
}

// TestPackagesWriteOnlyData: what tools run or load is not a package's to make.
func TestPackagesWriteOnlyData(t *testing.T) {
	f, cwd := guarded(t)
	f.packaged = true
	for _, path := range []string{
		"src/main.js", "vite.config.js", "vite.config.ts", "gulpfile.js", "noxfile.py", "build.rs", "Dockerfile", "docker-compose.yml", "compose.yaml",
		"Jenkinsfile", "tox.ini", "setup.cfg", "pyproject.toml", "usercustomize.py", "a.pth", "A.PTH", "CMakeLists.txt", "cmakelists.TXT", "build.gradle",
		"gradlew", "configure", "Vagrantfile", "Brewfile", "Procfile", "Gemfile", "manage.py", "run.sh", "lib.so", "a.yaml", "AGENTS.md", "report",
		"tsconfig.json", "tsconfig.app.json", "tsconfig\u200b.json", "ｐom.xml", "jest.config.json", "requirements.txt", "requirements-dev.txt",
		"evil.py:.png", "out.txt:run.sh", "out.txt:a.test.js", "a:package.json", "evil.py.", "evil.png.py", "png", "index.html", "Composer.json.",
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
		"vite.config.js.zip", "my.report.html", "12.30.png:12.31.png",
	} {
		if err := f.put(t, path, "fine", false); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := f.WritePath("reports"); err != nil {
		t.Errorf("a folder to download into: %v", err)
	}
}

// TestPageNamesTheKindsOfFiles: docs/configuration.md lists what packages may write.
func TestPageNamesTheKindsOfFiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "The kinds of files go by")
	list, _, _ = strings.Cut(list, "So a package never makes")
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

// TestPackagesReplaceOnlyTheirOwn: what no package has written stays as it is.
func TestPackagesReplaceOnlyTheirOwn(t *testing.T) {
	f, cwd := guarded(t)
	of := func(packaged bool) fileRules { f := f; f.packaged = packaged; return f }
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

	// One that has come since the path was judged.
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

// TestPathsThatChangeMeanwhile: a path is judged as it is when the file is written.
func TestPathsThatChangeMeanwhile(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, cwd string)
	}{
		{"the folder becomes a link", func(t *testing.T, cwd string) {
			if err := os.Remove(filepath.Join(cwd, "reports")); err != nil {
				t.Fatal(err)
			}
			mustSymlink(t, ".agent-browser/actions", filepath.Join(cwd, "reports"))
		}},
		{"the file becomes a link", func(t *testing.T, cwd string) {
			mustSymlink(t, "../.agent-browser/config.yaml", filepath.Join(cwd, "reports/a.yaml"))
		}},
		{"the file becomes a link to nothing", func(t *testing.T, cwd string) {
			mustSymlink(t, "../.agent-browser/actions/planted.yaml", filepath.Join(cwd, "reports/a.yaml"))
		}},
		{"the file becomes another name of one", func(t *testing.T, cwd string) {
			if err := os.Link(filepath.Join(cwd, ".agent-browser/config.yaml"), filepath.Join(cwd, "reports/a.yaml")); err != nil {
				t.Fatal(err)
			}
		}},
		{"the folder leads outside", func(t *testing.T, cwd string) {
			if err := os.Remove(filepath.Join(cwd, "reports")); err != nil {
				t.Fatal(err)
			}
			mustSymlink(t, t.TempDir(), filepath.Join(cwd, "reports"))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, cwd := guarded(t)
			real, err := f.WritePath("reports/a.yaml")
			if err != nil {
				t.Fatal(err)
			}
			tt.change(t, cwd)
			if err := f.Write(t.Context(), real, strings.NewReader("planted"), true); diag.CodeOf(err) != diag.PolicyDenied {
				t.Errorf("got %v, want POLICY_DENIED", err)
			}
			for path, want := range map[string]string{".agent-browser/config.yaml": "config", ".agent-browser/actions/own.yaml": "own"} {
				if text, err := os.ReadFile(filepath.Join(cwd, path)); err != nil || string(text) != want {
					t.Errorf("%s holds %q, %v", path, text, err)
				}
			}
			if _, err := os.Stat(filepath.Join(cwd, ".agent-browser/actions/planted.yaml")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the planted file is there: %v", err)
			}
		})
	}
}

// TestFolderSwappedBetween: a folder that is another one by the time it is opened
// is not written to.
func TestFolderSwappedBetween(t *testing.T) {
	dir := t.TempDir()
	mustMkdir(t, filepath.Join(dir, "a"))
	mustMkdir(t, filepath.Join(dir, "b"))
	info, err := os.Lstat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if root, err := enter(info, func() (*os.Root, error) { return os.OpenRoot(filepath.Join(dir, "b")) }); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("got %v, %v, want POLICY_DENIED", root, err)
	}
}

// TestOpen: what is read is a regular file at the path that was judged.
func TestOpen(t *testing.T) {
	f, cwd := guarded(t)
	f.packaged = true
	mustMkdir(t, filepath.Join(cwd, ".ssh"))
	mustWrite(t, filepath.Join(cwd, ".ssh/a.json"), "key")
	mustWrite(t, filepath.Join(cwd, "reports/a.json"), "report")
	if err := syscall.Mkfifo(filepath.Join(cwd, "reports/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustSymlink(t, "reports/a.json", filepath.Join(cwd, "link.json"))
	mustSymlink(t, ".ssh/a.json", filepath.Join(cwd, "secret.json"))
	read := func(path string) (string, error) {
		file, err := f.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		return string(text), err
	}
	for _, path := range []string{"reports/a.json", "link.json", filepath.Join(cwd, "reports", "a.json")} {
		if text, err := read(path); err != nil || text != "report" {
			t.Errorf("%s: got %q, %v, want the report", path, text, err)
		}
	}
	for _, path := range []string{".ssh/a.json", "secret.json", "../x", "reports", "reports/pipe", "reports/none"} {
		if text, err := read(path); err == nil {
			t.Errorf("%s: got %q, want an error", path, text)
		}
	}

	// The folder and a link to the hidden one take each other's place all the time.
	reports, aside := filepath.Join(cwd, "reports"), filepath.Join(cwd, "aside")
	link := filepath.Join(cwd, "swapped")
	mustSymlink(t, ".ssh", link)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
			}
			_ = os.Rename(reports, aside)
			_ = os.Rename(link, reports)
			_ = os.Rename(reports, link)
			_ = os.Rename(aside, reports)
		}
	}()
	for range 2000 {
		if text, err := read("reports/a.json"); err == nil && text != "report" {
			t.Errorf("read %q through a link", text)
			break
		}
	}
	close(done)
	<-ended
}

// TestWrite: a file comes to its place as a whole, for its owner only.
func TestWrite(t *testing.T) {
	tests := []struct {
		name    string
		there   fs.FileMode // of a file that is there; 0: none
		replace bool
		want    error
	}{
		{"new", 0, false, nil},
		{"new, or over another", 0, true, nil},
		{"new, where one is", 0o644, false, fs.ErrExist},
		{"over another", 0o644, true, nil},
		{"over one that may not be written", 0o444, true, fs.ErrPermission},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := fileRules{cwd: t.TempDir()}
			path := filepath.Join(f.cwd, "report.txt")
			other := filepath.Join(t.TempDir(), "other name")
			if tt.there != 0 {
				mustWrite(t, path, "old")
				if err := errors.Join(os.Chmod(path, tt.there), os.Link(path, other)); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.put(t, "report.txt", "new", tt.replace); !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			want := "new"
			if tt.want != nil {
				want = "old"
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != want {
				t.Errorf("it holds %q, %v, want %q", text, err, want)
			}
			if info, err := os.Stat(path); tt.want == nil && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("its mode is %v, %v, want 0600", info.Mode(), err)
			}
			if text, err := os.ReadFile(other); tt.there != 0 && (err != nil || string(text) != "old") {
				t.Errorf("its other name holds %q, %v", text, err)
			}
			if entries, err := os.ReadDir(f.cwd); err != nil || len(entries) != 1 {
				t.Errorf("beside it are %v, %v", entries, err)
			}
		})
	}
}
