package browser

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A request counts as sending a file only if it may contain the file and the server has not refused
// it.
func TestUploadOfOneThatIsSent(t *testing.T) {
	const gone, refused, left = "neither shows the files nor sends them", "the server did not accept them", "without sending them"
	rows := []struct{ name, script, failed string }{
		{"an event", "post('/ok', JSON.stringify({ event: 'file_rejected' })); f.value = ''", gone},
		{"an event with the name", "post('/ok', JSON.stringify({ event: 'rejected', file: a.name })); f.value = ''", gone},
		{"a form with the name", "const d = new FormData(); d.append('name', a.name); post('/ok', d); f.value = ''", gone},
		{"a check of the name that is refused", "f.disabled = true; post('/422', new URLSearchParams({ name: a.name })).then((r) => { f.disabled = false; if (!r.ok) f.value = '' })", gone},
		{"the file, refused", "post('/413', a); f.value = ''", refused},
		{"the file in a form, refused", "const d = new FormData(); d.append('u', a); post('/413', d); f.value = ''", refused},
		{"the file, refused and kept", "post('/413', a)", refused},
		{"not taken, and not sent again", "post('/503', a); f.value = ''", refused},
		{"led to a sign-in page", "o.textContent = a.name; post('/302', a); f.value = ''", refused},
		{"refused, and the page says so", "post('/413', a).then(() => { o.textContent = 'Too large' }); f.value = ''", "Too large"},

		{"broken off, and taken out of the list", "const c = new AbortController(); setTimeout(() => c.abort(), 300); o.textContent = a.name; fetch('/never', { method: 'POST', body: a, signal: c.signal }).catch(() => { o.textContent = '' }); f.value = ''", refused},
		{"a form in a frame, refused", "const n = document.createElement('iframe'); n.name = 'n'; o.append(n); form('/422', 'n')", refused},
		{"a form that leads to a refusal", "form('/422', '')", refused},
		{"a form that leads to a refusal, a moment later", "setTimeout(() => form('/422', ''), 100)", ""},
		{"led on, and not sent", "location = '/ok'", left},
		{"loaded again, and not sent", "location.reload()", left},
		{"a question, and led on", "fetch('/401').then(() => { location = '/ok' })", left},
		{"an event, and led on", "post('/ok', JSON.stringify({ event: 'chosen' })).then(() => { location = '/ok' })", left},
		{"emptied, and led on", "f.value = ''; location = '/ok'", left},
		{"a form sent by GET", "s.method = 'get'; form('/ok', '')", left},
		{"a form that sends the name", "s.enctype = 'application/x-www-form-urlencoded'; form('/ok', '')", left},
		{"sent, and led on", "post('/ok', a).then(() => { location = '/ok' })", ""},
		{"over a socket, and led on", "new WebSocket('ws://' + location.host); location = '/ok'", ""},
		{"a part of the page", "location.hash = 'files'", ""},
		{"a form that leads on", "form('/ok', '')", ""},
		{"a form in a frame", "const n = document.createElement('iframe'); n.name = 'n'; o.append(n); form('/ok', 'n')", ""},
		{"the file", "post('/ok', a); f.value = ''", ""},
		{"in a form", "const d = new FormData(); d.append('u', a); post('/ok', d); f.value = ''", ""},
		{"as bytes", "a.arrayBuffer().then((b) => post('/ok', b)); f.value = ''", ""},
		{"its text", "a.text().then((s) => post('/ok', s)); f.value = ''", ""},
		{"a part of its text", "a.text().then((s) => post('/ok', JSON.stringify({ rows: [s.slice(0, 300)] }))); f.value = ''", ""},
		{"in pieces", "a.text().then(async (s) => { for (let i = 0; i < s.length; i += 100) await post('/ok', JSON.stringify({ i, s: s.slice(i, i + 100) })) }); f.value = ''", ""},
		{"after its name", "post('/ok', JSON.stringify({ name: a.name })).then(() => post('/ok', a)); f.value = ''", ""},
		{"after a new token", "post('/401', a).then(() => post('/ok', '{}')).then(() => post('/ok', a)); f.value = ''", ""},
		{"once more after a failure", "post('/503', a).then(() => setTimeout(() => post('/ok', a), 500)); f.value = ''", ""},
		{"kept, and a long event that is refused", "post('/404', JSON.stringify({ event: 'file_chosen', more: 'x'.repeat(400) }))", ""},
		{"kept, and an event that is refused", "post('/404', JSON.stringify({ event: 'file_chosen' }))", ""},
	}
	ctx, p := sharedPage(t)
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/never":
			_, _ = io.Copy(io.Discard, r.Body) // otherwise the end of the request is not noticed
			<-r.Context().Done()
		case "/302":
			http.Redirect(w, r, "/users/sign_in", http.StatusFound)
		case "/401":
			w.WriteHeader(http.StatusUnauthorized)
		case "/404":
			w.WriteHeader(http.StatusNotFound)
		case "/503":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/413":
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		case "/422":
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
	}))
	note := driver.UploadFile{Path: filepath.Join(t.TempDir(), "note.txt"), Size: 600}
	if err := os.WriteFile(note.Path, []byte(strings.Repeat("a note", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range testkit.Kinds(t, "rows", 5, rows, func(i int) any { return rows[i].failed }) {
		if _, err := p.Open(ctx, url, driver.Load); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Eval(ctx, "document.body.innerHTML = html; f.onchange = new Function(script)", map[string]any{
			"html":   "<form method=post enctype=multipart/form-data id=s><input type=file id=f name=u></form><p id=o></p>",
			"script": "const form = (to, target) => { s.action = to; s.target = target; s.submit() }; const [a] = f.files, post = (to, body) => fetch(to, { method: 'POST', body }); " + tt.script}); err != nil {
			t.Fatal(err)
		}
		_, err := p.Upload(ctx, css("#f"), []driver.UploadFile{note})
		switch {
		case tt.failed == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.failed != "" && (diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.failed)):
			t.Errorf("%s: got %v, want %s with %q", tt.name, err, diag.StepFailed, tt.failed)
		}
	}
}

// A list may show a shortened name.
func TestUploadShownInShort(t *testing.T) {
	ctx, p := show(t, "<body>")
	for _, tt := range []struct {
		script string
		taken  bool
	}{
		{"o.textContent = '12 KB, a qu…en.txt'", true},
		{"o.textContent = 'a quite long name...'", true},
		{"o.innerHTML = '<b>a quite …</b>'; o.firstChild.title = f.files[0].name", true},
		{"o.textContent = 'a quart…'", false},
		{"o.textContent = 'a quite…pdf'", false},
		{"o.textContent = 'a quite… is too large'", false},
		{"o.textContent = 'a…'", false},
	} {
		if _, err := p.Eval(ctx, "document.body.innerHTML = '<input type=file id=f><p id=o></p>'; f.onchange = new Function(script)", map[string]any{"script": tt.script + "; f.value = ''"}); err != nil {
			t.Fatal(err)
		}
		_, err := p.Upload(ctx, css("#f"), filesAt(t, "a quite long name of many children.txt"))
		if got := err == nil; got != tt.taken {
			t.Errorf("%s: got %v, want it taken: %v", tt.script, err, tt.taken)
		}
	}
}
