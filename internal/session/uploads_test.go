package session_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/diag"
)

// A page without a library may say that it refuses a file long after it has sent it.
func TestUploadsThatAPageRefuses(t *testing.T) {
	t.Parallel()
	html := ""
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Page</title>"+html)
	})
	mux.HandleFunc("POST /up", func(w http.ResponseWriter, r *http.Request) {})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for _, name := range []string{"photo.png", "failed-tests.png"} {
		if err := os.WriteFile(filepath.Join(b.cwd, name), []byte("a"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const sent = `fetch('/up', {method: 'POST', body: a.files[0]}).then(r => r.text()).then(() => { `
	files := func(name string) object { return object{"label": "File", "files": []any{name}} }
	fill := object{"values": object{"File": []any{"photo.png"}}}
	for _, tt := range []struct {
		action string
		params object
		script string
		failed string
	}{
		{"upload:files", files("photo.png"), `m.textContent = a.files[0].name + ' is too large and was not added.'; a.value = ''`, "too large"},
		{"form:fill", fill, `m.textContent = a.files[0].name + ' is too large and was not added.'; a.value = ''`, "too large"},
		{"form:fill", fill, `m.style.color = 'red'; m.textContent = a.files[0].name + ' is too large'`, "too large"},
		{"upload:files", files("photo.png"), sent + `a.value = ''; m.textContent = 'Virus found in photo.png' })`, "Virus found"},
		{"upload:files", files("photo.png"), sent + `a.value = ''; m.textContent = 'Upload failed: quota' })`, "Upload failed"},
		{"upload:files", files("photo.png"), sent + `m.setAttribute('role', 'alert'); m.textContent = 'Soubor je velký' })`, "je velký"},
		{"upload:files", files("photo.png"), sent + `m.className = 'error'; m.textContent = 'Soubor je velký' })`, "je velký"},

		{"upload:files", files("photo.png"), sent + `a.value = ''; m.textContent = 'photo.png was sent' })`, ""},
		{"upload:files", files("photo.png"), sent + `m.setAttribute('role', 'alert'); m.textContent = 'Uploaded without errors' })`, ""},
		{"upload:files", files("failed-tests.png"), sent + `a.value = ''; m.textContent = 'failed-tests.png' })`, ""},
		{"form:fill", fill, `m.textContent = a.files[0].name; a.value = ''`, ""},
	} {
		html = `<h1>Files</h1><p>Files that are too large are rejected.</p><form><label>File <input id=a type=file></label><p id=m></p></form><script>a.onchange = () => { ` + tt.script + ` }</script>`
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:"+tt.action, tt.params)
		if tt.failed != "" {
			wantError(t, r, diag.StepFailed, tt.failed)
		} else if r.Error != nil {
			t.Errorf("%s, %s: %s", tt.action, tt.script, describe(r.Error))
		}
	}
}
