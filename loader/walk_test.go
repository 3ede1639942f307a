package loader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// An endless is a file system in which every folder contains the same entries. Those whose names
// begin with "d" are folders.
type endless struct {
	names []string
	read  func() // before a folder is read; or nil
}

func (e endless) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

func (e endless) Stat(name string) (fs.FileInfo, error) { return dirEntry(name), nil }

func (e endless) ReadDir(string) ([]fs.DirEntry, error) {
	if e.read != nil {
		e.read()
	}
	list := make([]fs.DirEntry, len(e.names))
	for i, name := range e.names {
		list[i] = dirEntry(name)
	}
	return list, nil
}

type dirEntry string

func (e dirEntry) Name() string               { return string(e) }
func (e dirEntry) IsDir() bool                { return e == "." || strings.HasPrefix(filepath.Base(string(e)), "d") }
func (e dirEntry) Size() int64                { return 0 }
func (e dirEntry) ModTime() time.Time         { return time.Time{} }
func (e dirEntry) Sys() any                   { return nil }
func (e dirEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e dirEntry) Type() fs.FileMode          { return e.Mode().Type() }
func (e dirEntry) Mode() fs.FileMode {
	if e.IsDir() {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

// A source that is a whole disk is abandoned, and what was not searched is reported.
func TestWalkIsBounded(t *testing.T) {
	many := make([]string, 2*maxVisited)
	for i := range many {
		many[i] = fmt.Sprintf("f%06d", i)
	}
	for _, test := range []struct {
		name  string
		names []string
		want  string
		files int
	}{
		{"deep", []string{"a.yaml", "d"}, "at most 64 levels", maxNested + 1},
		{"many files", many, "too many files and folders, expected at most 100000", 0},
		{"wide and deep", []string{"da", "db", "dc"}, "too many files and folders, expected at most 100000", 0},
		{"many definitions", []string{"a.yaml", "da", "db"}, "too many definition files, expected at most 10000", maxFiles + 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			files, problems, err := (&Tree{FS: endless{names: test.names}}).list(t.Context(), spec.Source{Kind: spec.Env, Name: "/"})
			if err != nil || len(files) != test.files {
				t.Errorf("%d files, error %v, want %d", len(files), err, test.files)
			}
			found := 0
			for _, p := range problems {
				if strings.Contains(p.Msg, test.want) && p.Code == diag.LimitExceeded && p.Hint != "" {
					found++
				}
			}
			if found != 1 || len(problems) > 2 {
				t.Errorf("problems %v, want %q once", problems, test.want)
			}
		})
	}
}

// A walk ends with its context at any point.
func TestWalkIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	tree := &Tree{FS: endless{names: []string{"da", "db"}, read: func() {
		if read++; read == 10 {
			cancel()
		}
	}}}
	if _, _, err := tree.list(ctx, spec.Source{Kind: spec.Env}); !errors.Is(err, context.Canceled) || read > 10 {
		t.Errorf("error %v after %d folders, want the end after 10", err, read)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.yaml"), linkedFile)
	if _, err := CheckFiles(ctx, []string{dir}, Options{NoBuiltin: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("CheckFiles: %v", err)
	}
}

// A pipe instead of a file is rejected, because opening it would wait for a writer.
func TestPipesInPlaceOfFiles(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{"project/.agent-browser/config.yaml", "home/.agent-browser/config.yaml", "npm/node_modules/p/package.json", "defs/a.yaml"} {
		file = filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), syscall.Mkfifo(file, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []ConfigOptions{
		{Cwd: filepath.Join(dir, "project")},
		{Cwd: filepath.Join(dir, "defs"), Home: filepath.Join(dir, "home")},
		{Cwd: filepath.Join(dir, "npm"), Environ: []string{"ACTION_ACTIONS_PACKAGES=p"}},
		{Environ: []string{"ACTION_PATH=" + filepath.Join(dir, "defs")}},
	} {
		c, problems := ReadConfig(o)
		set, err := Load(t.Context(), Options{Sources: c.Sources(), NoBuiltin: true})
		if err != nil {
			t.Fatal(err)
		}
		problems.Add(set.Problems...)
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), "expected a regular file") {
			t.Errorf("%+v: problems %v, want that a file is none", o, problems)
		}
	}
}

// Nothing of a rejected file is shown: neither its lines nor their content.
func TestNothingOfRefusedFiles(t *testing.T) {
	const secret = "hunter2"
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "far", "secret.yaml"), secret+": [\n")
	writeFile(t, filepath.Join(dir, "far", "credentials"), secret+"\n")
	link := func(from, to string) {
		t.Helper()
		from = filepath.Join(dir, from)
		if err := os.MkdirAll(filepath.Dir(from), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, to), from); err != nil {
			t.Fatal(err)
		}
	}
	link("work/.agent-browser/actions/a.yaml", "far/secret.yaml")
	link("work/.agent-browser/actions/b.yml", "far/credentials")
	link("other/.agent-browser/config.yaml", "far/secret.yaml")
	writeFile(t, filepath.Join(dir, "paths", ".agent-browser", "config.yaml"), "actions: {paths: [../../far/credentials]}\n")
	link("path/x.yaml", "far/secret.yaml")
	writeFile(t, filepath.Join(dir, "large.yaml"), secret+strings.Repeat(" ", MaxFileBytes))
	if err := os.MkdirAll(filepath.Join(dir, "npm", "node_modules", "bad"), 0o700); err != nil {
		t.Fatal(err)
	}
	link("npm/node_modules/bad/package.json", "far/credentials")
	for name, test := range map[string]struct {
		o    ConfigOptions
		want int // problems
	}{
		"links in a project":    {ConfigOptions{Cwd: filepath.Join(dir, "work")}, 2},
		"a linked config":       {ConfigOptions{Cwd: filepath.Join(dir, "other")}, 1},
		"a file of a project":   {ConfigOptions{Cwd: filepath.Join(dir, "paths")}, 1},
		"a link in ACTION_PATH": {ConfigOptions{Environ: []string{"ACTION_PATH=" + filepath.Join(dir, "path")}}, 1},
		"a file that is a link": {ConfigOptions{Environ: []string{"ACTION_PATH=" + filepath.Join(dir, "path", "x.yaml")}}, 1},
		"a large file":          {ConfigOptions{Environ: []string{"ACTION_PATH=" + filepath.Join(dir, "large.yaml")}}, 1},
		"a linked package.json": {ConfigOptions{Cwd: filepath.Join(dir, "npm"), Environ: []string{"ACTION_ACTIONS_PACKAGES=bad"}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c, problems := ReadConfig(test.o)
			set, err := Load(t.Context(), Options{Sources: c.Sources(), NoBuiltin: true})
			if err != nil {
				t.Fatal(err)
			}
			problems.Add(set.Problems...)
			if len(problems) != test.want {
				t.Errorf("problems %v, want %d", problems, test.want)
			}
			var shown strings.Builder
			printer := diag.Printer{Source: func(file string) []byte {
				text, _ := os.ReadFile(file) // as a command does that gets the problems of a daemon
				return text
			}}
			_ = printer.Print(&shown, problems)
			if strings.Contains(shown.String(), secret) || strings.Contains(shown.String(), secret[:1]+"'") {
				t.Errorf("a file that was refused is shown:\n%s", &shown)
			}
			for _, p := range problems {
				if !strings.Contains(shown.String(), p.Pos.File) {
					t.Errorf("the file %s is not named:\n%s", p.Pos.File, &shown)
				}
			}
		})
	}
}
