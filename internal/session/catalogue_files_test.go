package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
)

func addFilesCases(stepCases map[string]stepCase) {
	// Uploads use screenshots that an earlier step has written into the current folder.
	shot := func(name string) does { return does{"screenshot", object{"path": name}} }
	shots := []does{shot("a.png"), shot("b.png")}
	saw := func(want string) look {
		return told("log.map((l) => l.replace(/ \\d+/g, '')).join('; ')", want)
	}
	one := object{"selector": "css:#one", "files": "a.png"}
	stepCases["upload"] = stepCase{
		Effects: []trial{
			{page: "upload.html", before: shots, args: object{"selector": "label:Invoice", "files": "a.png"},
				want: object{"files": "[a.png]", "count": 1, "kept": true}, look: saw("one: a.png")},
			{page: "upload.html", before: shots, args: object{"selector": "label:Photos", "files": []any{"a.png", "b.png"}},
				want: object{"files": "[a.png b.png]", "count": 2, "kept": true}, look: saw("several: a.png, b.png")},
			{page: "upload.html", before: shots, args: object{"selector": "css:#emptied", "files": "a.png"},
				want: object{"files": "[a.png]", "kept": false}, look: saw("emptied: a.png")},
			{page: "upload.html", before: shots, args: object{"selector": "css:#zone", "files": "a.png"},
				want: object{"files": "[a.png]", "kept": false}, warning: "dropped", look: saw("dropped: a.png")},
			{page: "upload.html", before: append(shots[:1:1], does{"upload", one}), args: one,
				want: object{"files": "[a.png]", "kept": true}, warning: "unchanged", look: saw("one: a.png")},
			{page: "upload.html", before: append(shots[:1:1], does{"upload", one}), args: object{"selector": "css:#one", "files": []any{}},
				want: object{"files": "[]", "count": 0, "kept": true}, look: saw("one: a.png; one: ")},
		},
		Refusals: []trial{
			{page: "upload.html", args: object{"selector": "css:#one", "files": "missing.txt"}, code: diag.ParamInvalid, says: "there is no file missing.txt", look: saw("")},
			{page: "upload.html", args: object{"selector": "css:#one", "files": "/etc/passwd"}, code: diag.PolicyDenied, says: "/etc/passwd is outside", look: saw("")},
			{page: "upload.html", args: object{"selector": "css:#one", "files": ""}, code: diag.ParamInvalid, says: "empty", look: saw("")},
			{page: "upload.html", before: shots, args: object{"selector": "css:#one", "files": []any{"a.png", "b.png"}}, code: diag.StepFailed, says: "accepts one file, not 2", look: saw("")},
			{page: "upload.html", before: shots, args: object{"selector": "css:#opens", "files": "a.png"}, code: diag.StepFailed, says: "accepts .txt, but not a.png", look: saw("")},
			{page: "upload.html", before: shots, args: object{"selector": "css:#plain", "files": "a.png"}, code: diag.StepFailed, says: "Plain|accepts no dropped files", look: saw("")},
		},
		Late: []trial{
			{page: "upload.html", before: shots, args: object{"selector": "css:#none", "files": "a.png"}, code: diag.ElementNotFound, says: "css:#none"},
			{page: "upload.html", before: shots, args: object{"selector": "css:#locked", "files": "a.png"}, code: diag.ElementNotInteractable, says: "disabled"},
		},
	}

	// reads checks whether the file of a result has the expected content.
	reads := func(want string) func(*testing.T, *bench, object) {
		return func(t *testing.T, b *bench, got object) {
			path, _ := got["path"].(string)
			body, err := os.ReadFile(path)
			info, statErr := os.Stat(path)
			if err != nil || statErr != nil || string(body) != want || got["size"] != int64(len(want)) || info.Mode().Perm() != 0o600 {
				t.Errorf("%s holds %q, %v, %v; want %q, its size and mode 0600", path, body, err, info, want)
			}
			if strings.HasPrefix(path, b.cwd) {
				err = os.Remove(path)
			} else {
				err = os.RemoveAll(filepath.Dir(path)) // the private temporary folder of this test
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	const report = "a report\n"
	link := "css:#report"
	still := look{"get", object{"what": "title"}, "Download"}
	stepCases["download"] = stepCase{
		Effects: []trial{
			{page: "download.html", args: object{"selector": link}, want: object{"filename": "report.txt", "url": "BASE/download"}, check: reads(report), look: still},
			{page: "download.html", args: object{"selector": link, "path": "./"}, want: object{"filename": "report.txt"}, check: reads(report)},
			{page: "download.html", args: object{"selector": link, "path": "mine.txt"}, want: object{"filename": "report.txt"}, check: reads(report)},
			{page: "download.html", before: []does{shot("mine.txt")}, args: object{"selector": link, "path": "mine.txt", "overwrite": true}, check: reads(report)},
			{page: "download.html", args: object{"selector": "css:#made", "path": "made"}, want: object{"filename": "made.txt"}, check: reads("made here")},
			{page: "download.html", args: object{"url": "BASE/download", "path": "got.txt"}, want: object{"filename": "report.txt"}, check: reads(report), look: still},
		},
		Refusals: []trial{
			{page: "download.html", before: []does{shot("there.txt")}, args: object{"selector": link, "path": "there.txt"}, code: diag.StepFailed, says: "there.txt already exists"},
			{page: "download.html", before: []does{shot("report.txt")}, args: object{"selector": link, "path": "./"}, code: diag.StepFailed, says: "report.txt already exists"},
			{page: "download.html", args: object{"selector": link, "path": "/etc/report.txt"}, code: diag.PolicyDenied, says: "/etc/report.txt is outside"},
			{page: "download.html", args: object{"selector": link, "path": "nowhere/"}, code: diag.ParamInvalid, says: "there is no folder nowhere/"},
			{page: "download.html", args: object{"selector": link, "path": "nowhere/report.txt"}, code: diag.ParamInvalid, says: "there is no folder nowhere"},
			{page: "download.html", args: object{"url": "javascript:alert(1)"}, code: diag.PolicyDenied, says: "javascript:", look: still},
			{page: "download.html", args: object{"url": "BASE/missing"}, code: diag.StepFailed, says: "the server answered 404", look: still},
		},
		Late: []trial{
			{page: "download.html", args: object{"selector": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"},
			{page: "download.html", args: object{"url": "BASE/slow?ms=60000"}, code: diag.Timeout, says: "/slow?ms=60000 did not answer in time", look: still},
		},
	}
}

// TestUploadOfAFolder checks that no file in an uploaded folder may be a link to a place outside of
// the folders that may be read.
func TestUploadOfAFolder(t *testing.T) {
	t.Parallel()
	b := newStepBench(t)
	inner := filepath.Join(b.cwd, "data", "in")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inner, "a.txt"), []byte("a text"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.show(t, trial{page: "upload.html"})
	args := object{"selector": "css:#folder", "files": "data"}
	got := data(t, b.Step(t.Context(), "upload", session.RunOptions{Params: args, Cwd: b.cwd}))
	if files, _ := got["files"].([]any); len(files) != 1 || files[0] != "data/in/a.txt" {
		t.Errorf("files = %v, want data/in/a.txt", got["files"])
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(inner, "link")); err != nil {
		t.Fatal(err)
	}
	r := b.Step(t.Context(), "upload", session.RunOptions{Params: args, Cwd: b.cwd})
	wantError(t, r, diag.PolicyDenied, "link")
}

// TestDownloadThatNobodyAskedFor checks that the result of a step reports a download that no step
// requested.
func TestDownloadThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	b := newStepBench(t)
	b.show(t, trial{page: "download.html"})
	r := b.Step(t.Context(), "click", session.RunOptions{Params: object{"selector": "css:#report"}, Cwd: b.cwd})
	data(t, r)
	wantWarnings(t, r, "download")
	_, path, _ := strings.Cut(r.Warnings[0].Message, "kept as ")
	path, _, _ = strings.Cut(path, " ")
	if body, err := os.ReadFile(path); err != nil || string(body) != "a report\n" || filepath.Base(path) != "report.txt" {
		t.Errorf("%s holds %q, %v", path, body, err)
	}
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("%s is left behind the browser: %v", path, err)
	}
}
