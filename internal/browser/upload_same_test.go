package browser

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// inFolders makes files of one name, the nth with n bytes, each in its own folder.
func inFolders(t *testing.T, name string, count int) (files []driver.UploadFile) {
	t.Helper()
	dir := t.TempDir()
	for n := 1; n <= count; n++ {
		f := driver.UploadFile{Path: filepath.Join(dir, fmt.Sprint(n), name), Size: int64(n)}
		if err := os.Mkdir(filepath.Dir(f.Path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path, []byte(strings.Repeat("x", n)), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

const sameFiles = `const [a, b] = f.files; const put = (input, ...files) => { const d = new DataTransfer(); for (const x of files) d.items.add(x); input.files = d.files };
const list = (...files) => { l.innerHTML += files.map((x) => '<li>' + x.name + ' <b>' + x.size + ' bytes</b></li>').join('') };
const data = (...files) => { const d = new FormData(); for (const x of files) d.append('u', x); return d }; const post = (body) => fetch('/up?n=x.txt', { method: 'POST', body });
`

// onFiles gives files to an input whose change event runs a script.
func onFiles(t *testing.T, ctx context.Context, p *Page, script string, files []driver.UploadFile) (driver.Upload, error) {
	t.Helper()
	if _, err := p.Eval(ctx, "document.body.innerHTML = html; f.onchange = new Function(script)", map[string]any{
		"html":   "<main><input type=file id=f multiple><input type=file id=g hidden multiple><ul id=l></ul></main><p id=m></p>",
		"script": sameFiles + script}); err != nil {
		t.Fatal(err)
	}
	return p.Upload(ctx, css("#f"), files)
}

func openForFiles(t *testing.T) (context.Context, *Page) {
	t.Helper()
	t.Parallel()
	ctx, p := sharedPage(t)
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Type", "text/html") }))
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	return ctx, p
}

// Several files with the same name are distinguished: in an input by their sizes, in a list and a
// request by the number of times that the name occurs.
func TestUploadsOfOneName(t *testing.T) {
	const emptied = "; f.value = ''"
	rows := []struct {
		name, script string
		missing      bool
	}{
		{"one listed", "list(a)" + emptied, true},
		{"one listed, and a message of it", "list(a); m.textContent = a.name + ' was added'" + emptied, true},
		{"one listed, with its name on the entry", "list(a); l.lastChild.title = a.name" + emptied, true},
		{"one sent", "post(data(a))" + emptied, true},
		{"one listed and sent", "list(a); post(data(a))" + emptied, true},
		{"one sent in JSON, with its path", "post(JSON.stringify({name: a.name, path: 'in/' + a.name}))" + emptied, true},
		{"one kept", "put(f, a)", true},
		{"one in another input, twice", "put(g, a, a)" + emptied, true},

		{"both listed", "list(a, b)" + emptied, false},
		{"listed one by one", "list(a); setTimeout(() => list(b), 200)" + emptied, false},
		{"both in one line", "l.textContent = a.name + ', ' + b.name" + emptied, false},
		{"both sent in one", "post(data(a, b))" + emptied, false},
		{"each sent by itself", "post(data(a)).then(() => post(data(b)))" + emptied, false},
		{"each sent bare", "post(a); post(b)" + emptied, false},
		{"both in JSON", "post(JSON.stringify([{name: a.name}, {name: b.name}]))" + emptied, false},
		{"both in another input", "put(g, b, a)" + emptied, false},
		{"kept", "", false},
	}
	ctx, p := openForFiles(t)
	for _, tt := range testkit.Kinds(t, "rows", 4, rows, func(i int) any { return rows[i].missing }) {
		_, err := onFiles(t, ctx, p, tt.script, inFolders(t, "x.txt", 2))
		if tt.missing {
			if diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), "x.txt") {
				t.Errorf("%s: got %v, want that one x.txt is missing", tt.name, err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A file that the page puts into the input instead of the given one must be as large, or a picture.
func TestUploadsThatThePageReplaces(t *testing.T) {
	ctx, p := openForFiles(t)
	for _, tt := range testkit.Some(t, "rows", 3, []struct{ name, file, script, says, replaced string }{
		{"an empty file", "x.txt", "put(f, new File([], a.name))", "was given x.txt with 1 bytes, and the page put one with 0 bytes in its place", ""},
		{"an empty picture", "x.png", "put(f, new File([], a.name))", "one with 0 bytes", ""},
		{"another text", "x.txt", "put(f, new File(['other'], a.name))", "one with 5 bytes", ""},
		{"in another input, empty", "x.txt", "put(g, new File([], a.name)); f.value = ''", "neither shows", ""},

		{"the same", "x.txt", "put(f, a)", "", ""},
		{"a copy", "x.txt", "put(f, new File([a], a.name))", "", ""},
		{"a smaller picture", "x.png", "put(f, new File(['other'], a.name, {type: a.type}))", "", "x.png (5 bytes, was 1)"},
		{"in another input", "x.txt", "put(g, a); f.value = ''", "", ""},
		{"a picture in another input", "x.png", "put(g, new File(['other'], a.name)); f.value = ''", "", ""},
	}) {
		up, err := onFiles(t, ctx, p, tt.script, inFolders(t, tt.file, 1))
		switch {
		case tt.says != "":
			wantCode(t, err, diag.StepFailed, tt.says)
		case err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case strings.Join(up.Replaced, "; ") != tt.replaced:
			t.Errorf("%s: replaced %q, want %q", tt.name, up.Replaced, tt.replaced)
		}
	}
}

// If a page puts an empty file into the input after the step, the run has lost the file.
func TestRevertedToAnEmptyFile(t *testing.T) {
	ctx, p := openForFiles(t)
	for script, want := range map[string]int{
		"put(f, new File([], f.files[0].name))":           1,
		"put(f, new File([f.files[0]], f.files[0].name))": 0,
	} {
		p.Keep(true)
		if _, err := onFiles(t, ctx, p, "", inFolders(t, "x.txt", 1)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Eval(ctx, "new Function(script)()", map[string]any{"script": sameFiles + script}); err != nil {
			t.Fatal(err)
		}
		if got := reverted(t, ctx, p); len(got) != want {
			t.Errorf("%s: reverted %+v, want %d", script, got, want)
		}
	}
}
