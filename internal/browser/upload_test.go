package browser

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/testdata/pages"
)

// filesAt makes files with the sizes that their names begin with. A name that ends in "/" makes a
// folder.
func filesAt(t testing.TB, names ...string) []driver.UploadFile {
	t.Helper()
	dir := t.TempDir()
	var files []driver.UploadFile
	for _, name := range names {
		f := driver.UploadFile{Path: filepath.Join(dir, name)}
		if inner, ok := strings.CutSuffix(name, "/"); ok {
			f.Path, f.Folder = filepath.Join(dir, inner), true
			name = filepath.Join(inner, "in", "a.txt")
			if err := os.MkdirAll(filepath.Join(f.Path, "in"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		f.Size = int64(len(name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func openUploads(t *testing.T) (context.Context, *Page) {
	t.Helper()
	t.Parallel()
	ctx, p := sharedPage(t)
	if _, err := p.Open(ctx, serve(t, pages.Handler())+"/upload.html", driver.Load); err != nil {
		t.Fatal(err)
	}
	return ctx, p
}

func TestUpload(t *testing.T) {
	tests := []struct {
		name, selector string
		files          []string
		want           string // what the page saw
		kept           bool
	}{
		{"the input", "#one", []string{"a.txt"}, "one: a.txt 5", true},
		{"a file of any type", "#one", []string{"Ünï cödé (1).bin"}, "one: Ünï cödé (1).bin 20", true},
		{"several", "#several", []string{"a.png", "b.jpg"}, "several: a.png 5, b.jpg 5", true},
		{"its label", "label:has(#one)", []string{"a.txt"}, "one: a.txt 5", true},
		{"hidden in a button", "#antd", []string{"a.txt"}, "inner: a.txt 5", true},
		{"hidden in a button with a role", "#antd [role=button]", []string{"a.txt"}, "inner: a.txt 5", true},
		{"a page that empties it", "#emptied", []string{"a.txt"}, "emptied: a.txt 5", false},
		{"in a shadow root", "#shadow", []string{"a.txt"}, "shadow: a.txt 5", false},
		{"a button that asks", "#opens", []string{"a.txt"}, "attached: a.txt 5", false},
		{"a button that asks late", "#opens-later", []string{"a.txt"}, "attached: a.txt 5", false},
		{"a folder", "#folder", []string{"data/"}, "folder: data/in/a.txt 13", true},
		{"a drop zone", "#zone", []string{"a.txt", "b.txt"}, "dropped: a.txt 5, b.txt 5", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := openUploads(t)
			up, err := p.Upload(ctx, css(tt.selector), filesAt(t, tt.files...))
			if err != nil {
				t.Fatal(err)
			}
			if got := evaluate(t, ctx, p, "log.join('; ')"); got != tt.want {
				t.Errorf("the page saw %q, want %q", got, tt.want)
			}
			if len(up.Files) != len(tt.files) || up.Kept != tt.kept || up.Unheard {
				t.Errorf("got %+v, want %d files, kept %v", up, len(tt.files), tt.kept)
			}
			if up.Dropped != strings.HasPrefix(tt.want, "dropped") {
				t.Errorf("dropped = %v", up.Dropped)
			}
		})
	}
}

func TestUploadRefusals(t *testing.T) {
	tests := []struct {
		name, selector string
		files          []string
		code           diag.Code
		says           string
	}{
		{"several for one", "#one", []string{"a.txt", "b.txt"}, diag.StepFailed, "accepts one file, not 2"},
		{"not accepted", "#several", []string{"a.png", "a.txt"}, diag.StepFailed, "accepts .png,image/jpeg, but not a.txt"},
		{"not accepted by what asks", "#opens", []string{"a.png"}, diag.StepFailed, "accepts .txt, but not a.png"},
		{"disabled", "#locked", []string{"a.txt"}, diag.ElementNotInteractable, "disabled"},
		{"a folder for files", "#one", []string{"data/"}, diag.StepFailed, "accepts files, but data is a folder"},
		{"files for a folder", "#folder", []string{"a.txt"}, diag.StepFailed, "accepts a folder, but a.txt is a file"},
		{"two inputs", "#pair", []string{"a.txt"}, diag.ElementAmbiguous, "contains 2 file inputs"},
		{"nothing", "#plain", []string{"a.txt"}, diag.StepFailed, "accepts no dropped files"},
		{"a press that leads away", "#away", []string{"a.txt"}, diag.StepFailed, "/echo?from=away"},
		{"nothing to clear", "#opens", nil, diag.StepFailed, "nothing to clear"},
		{"no element", "#none", []string{"a.txt"}, diag.ElementNotFound, "#none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := openUploads(t)
			target := css(tt.selector)
			if tt.code == diag.ElementNotFound || tt.code == diag.ElementNotInteractable {
				target.Timeout = 100e6
			}
			_, err := p.Upload(ctx, target, filesAt(t, tt.files...))
			wantCode(t, err, tt.code, tt.says)
			if tt.name == "a press that leads away" {
				return
			}
			if got := evaluate(t, ctx, p, "log.join('; ')"); got != "" {
				t.Errorf("the page saw %q, want nothing", got)
			}
		})
	}
}

// A page that renders its input again, or removes it, has discarded the files, unless it shows or
// sends them. An input that was never in the document belongs to the page's script.
func TestUploadIntoWhatIsDrawnAnew(t *testing.T) {
	const anew = "d.innerHTML = '<input type=file id=f>'"
	ctx, p := show(t, "<body>")
	for _, tt := range []struct{ name, html, script, failed string }{
		{"another in its place", "<div id=d><input type=file id=f></div>", "f.onchange = () => { " + anew + " }", "emptied or removed"},
		{"removed", "<div id=d><input type=file id=f></div>", "f.onchange = () => { d.innerHTML = '' }", "emptied or removed"},
		{"another, and the name", "<div id=d><input type=file id=f></div><p id=o></p>", "f.onchange = () => { o.textContent = f.files[0].name; " + anew + " }", ""},
		{"another, and sent", "<div id=d><input type=file id=f></div>", "f.onchange = () => { fetch('/', { method: 'POST', body: f.files[0] }); " + anew + " }", ""},
		{"never in the document", "<button id=f>Choose</button><p id=o></p>", "f.onclick = () => { const i = document.createElement('input'); i.type = 'file'; i.onchange = () => { o.textContent = i.files[0].name }; i.click(); window.held = i }", ""},
		{"never in the document, and not taken", "<button id=f>Choose</button>", "f.onclick = () => { const i = document.createElement('input'); i.type = 'file'; i.click(); window.held = i }", "neither shows"},
	} {
		if _, err := p.Eval(ctx, "document.body.innerHTML = html; new Function(script)()", map[string]any{"html": tt.html, "script": tt.script}); err != nil {
			t.Fatal(err)
		}
		_, err := p.Upload(ctx, css("#f"), filesAt(t, "a.txt"))
		if tt.failed != "" {
			wantCode(t, err, diag.StepFailed, tt.failed)
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A page that refuses files says so beside the input, in whatever words. One that has taken them
// over lists them.
func TestUploadThatThePageRefuses(t *testing.T) {
	const emptied, gone = "was emptied or removed", "; f.value = ''"
	ctx, p := show(t, "<body>")
	for _, tt := range []struct{ name, script, failed string }{
		{"a sentence that names it", "o.textContent = f.files[0].name + ' is too large and was not added.'" + gone, "is too large and was not added"},
		{"in another language", "o.textContent = 'Soubor ' + f.files[0].name + ' je pro nás příliš velký'" + gone, emptied},
		{"in red", "o.style.color = 'red'; o.textContent = f.files[0].name + ': file type not allowed'" + gone, "file type not allowed"},
		{"in red, kept", "o.style.color = 'red'; o.textContent = f.files[0].name + ' je velký'; o.textContent += ' ' + 'příliš'", "je velký příliš"},
		{"an alert", "o.setAttribute('role', 'alert'); o.textContent = f.files[0].name + ' je příliš velký'", "je příliš velký"},
		{"an error", "o.className = 'error'; o.textContent = f.files[0].name + ' je velký'", "je velký"},
		{"an error that was hidden", "e.hidden = false", "Soubor je velký"},
		{"its validity", "f.setCustomValidity('Příliš velký'); f.reportValidity()", "Příliš velký"},
		{"marked as invalid", "f.setAttribute('aria-invalid', 'true'); f.setAttribute('aria-describedby', 'h')", "PDF files"},
		{"without its name", "o.textContent = 'Only PDF files, please'" + gone, emptied},
		{"a moment later", "const n = f.files[0].name; setTimeout(() => { o.textContent = n + ' was rejected' }, 200)" + gone, "was rejected"},

		{"an alert of what it takes", "o.setAttribute('role', 'alert'); o.textContent = 'Only uploaded images up to 2 MB'", "Only uploaded images"},
		{"in German", "o.setAttribute('role', 'alert'); o.textContent = 'Nur PDF hochgeladen werden kann'", "Nur PDF"},
		{"in Chinese", "o.setAttribute('role', 'alert'); o.textContent = '只能上传JPG'", "只能上传JPG"},
		{"in Japanese", "o.setAttribute('role', 'alert'); o.textContent = '画像ファイルのみアップロードできます'", "画像ファイルのみ"},
		{"an alert in Chinese of its work", "o.setAttribute('role', 'alert'); o.textContent = '正在上传文件'", ""},

		{"kept, and its name", "o.textContent = f.files[0].name", ""},
		{"kept, and a sentence", "o.textContent = 'Soubor ' + f.files[0].name + ' byl vybrán pro odeslání'", ""},
		{"kept, and a hint", "o.textContent = 'Files that are too large cannot be sent'", ""},
		{"listed", "o.innerHTML = '<span>' + f.files[0].name + '</span> <small>5 B</small> <button>Remove</button> <button>Rename</button> <a href=#>Open it here</a>'" + gone, ""},
		{"listed as a link", "o.innerHTML = '<a href=#>' + f.files[0].name + '</a>'" + gone, ""},
		{"listed in two parts", "o.innerHTML = '<span>a</span><span>.txt</span> 5 bytes'" + gone, ""},
		{"listed in red", "o.style.color = 'red'; o.textContent = f.files[0].name" + gone, `marks as failed "a.txt"`},
		{"struck out", "o.innerHTML = '<s>' + f.files[0].name + '</s>'" + gone, `marks as failed "a.txt"`},
		{"struck out by a style", "o.style.textDecoration = 'line-through'; o.innerHTML = '<b>' + f.files[0].name + '</b> 5 B'" + gone, `says "a.txt`},
		{"kept, and struck out", "o.style.textDecoration = 'line-through'; o.textContent = f.files[0].name", ""},
		{"listed in red in a dark box", "o.style.background = '#222'; o.innerHTML = '<b style=color:#ff7875>' + f.files[0].name + '</b> 5 B'" + gone, `says "a.txt`},
		{"listed as an error", "o.innerHTML = '<div class=\"file file--error\">' + f.files[0].name + '</div>'" + gone, `marks as failed "a.txt"`},
		{"listed as failed, a moment later", "const n = f.files[0].name; setTimeout(() => { o.innerHTML = '<div class=is-failed><i>' + n + '</i></div>' }, 200)" + gone, `marks as failed "a.txt"`},
		{"kept, and its name in red", "o.style.color = 'red'; o.textContent = f.files[0].name", ""},
		{"listed beside an icon of an error", "o.innerHTML = '<i class=icon-error style=\"display:inline-block;width:9px;height:9px\"></i>' + f.files[0].name" + gone, `marks as failed "a.txt"`},
		{"listed with a red button", "o.innerHTML = f.files[0].name + '<button class=btn-danger><i class=icon-danger></i></button>'" + gone, ""},
		{"listed in a form with an error", "o.innerHTML = '<div class=has-error>What this form holds is sent once all of its fields are full, as they are marked<p>' + f.files[0].name + '</p></div>'" + gone, ""},
		{"an alert of the browser", "alert(f.files[0].name + ' could not be read')", "could not be read"},
		{"an alert of the browser, emptied", "const n = f.files[0].name; o.textContent = n; setTimeout(() => alert(n + ' je příliš velký'))" + gone, "příliš velký"},
		{"an alert of the browser in French", "alert('Fichier trop volumineux')", "trop volumineux"},
		{"an alert of the browser that tells of success", "alert(f.files[0].name + ' was added')", ""},
		{"an alert of the browser with its name", "alert(f.files[0].name)", ""},
		{"a sentence of success", "o.textContent = 'Your file ' + f.files[0].name + ' was uploaded successfully'" + gone, ""},
		{"an alert of success", "o.setAttribute('role', 'alert'); o.textContent = 'The file was uploaded'", ""},
		{"an alert of its class", "o.setAttribute('role', 'alert'); o.className = 'alert-success'; o.textContent = 'Soubor je tady už'", ""},
		{"an alert with its name alone", "o.setAttribute('role', 'alert'); o.textContent = f.files[0].name", ""},
		{"no errors", "o.setAttribute('role', 'alert'); o.textContent = 'Checked: 0 errors'", ""},
		{"an error of before", "o.textContent = f.files[0].name; r.textContent = r.textContent", ""},
	} {
		html := "<label>File <input type=file id=f></label><p id=h>PDF files, 5 MB</p><p id=o></p><p id=r class=error role=alert>Name is missing</p><p id=e hidden class=error>Soubor je velký</p>"
		if _, err := p.Eval(ctx, "document.body.innerHTML = html; f.onchange = new Function(script)", map[string]any{"html": html, "script": tt.script}); err != nil {
			t.Fatal(err)
		}
		_, err := p.Upload(ctx, css("#f"), filesAt(t, "a.txt"))
		if tt.failed != "" {
			if diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.failed) {
				t.Errorf("%s: got %v, want %s with %q", tt.name, err, diag.StepFailed, tt.failed)
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	// The name of a file may itself speak of an error.
	if _, err := p.Eval(ctx, "document.body.innerHTML = html; f.onchange = new Function(script)", map[string]any{
		"html": "<input type=file id=f><p id=o></p>", "script": "o.textContent = f.files[0].name; f.value = ''"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Upload(ctx, css("#f"), filesAt(t, "failed error.txt")); err != nil {
		t.Error(err)
	}
}

// An entry that the page removes from its list is still there during its animation. The list at
// rest counts.
func TestUploadWithMotion(t *testing.T) {
	const gone = "was emptied or removed"
	const style = `<style>
		.t { transition: opacity .3s, height .3s }
		@keyframes leave { to { opacity: 0; transform: translateY(-9px) } }
		@keyframes come { from { opacity: 0 } }
		@keyframes flash { from { background: yellow } }
	</style>`
	const listed = "const i = document.createElement('li'); i.textContent = f.files[0].name; l.append(i); f.value = ''; const next = (then) => requestAnimationFrame(() => requestAnimationFrame(then)); "
	const byHand = "const step = () => { i.style.opacity = (i.style.opacity || 1) - 0.02; i.style.opacity > 0 ? requestAnimationFrame(step) : i.remove() }; step()"
	rows := []struct{ name, script, failed string }{
		{"a transition", "i.className = 't'; next(() => { i.style.opacity = 0; i.ontransitionend = () => i.remove() })", gone},
		{"the mark of a library without style", "i.className = 'list-leave-from list-leave-active'; next(() => i.remove())", gone},
		{"an answer to a request", "fetch('/slow').then(() => i.remove())", gone},
		{"a transition that shows it", "i.className = 't'; i.style.opacity = 0; next(() => { i.style.opacity = 1 })", ""},
		{"an answer that lets it stay", "fetch('/slow')", ""},
		{"an animation", "i.style.animation = 'leave .3s forwards'; i.onanimationend = () => i.remove()", gone},
		{"a script that fades it", byHand, gone},
		{"taken out when it has come", "i.style.animation = 'come .3s'; i.onanimationend = () => i.remove()", gone},
		{"an animation that shows it", "i.style.animation = 'come .2s'", ""},
		{"one of its colour", "i.style.animation = 'flash 5s'", ""},
		{"one without an end", "i.style.animation = 'come 1s infinite alternate'", ""},
		{"one of what is beside it", "i.innerHTML += '<b style=\"animation: leave 1s forwards\">100 %</b>'", ""},
	}
	ctx, p := sharedPage(t)
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			time.Sleep(300 * time.Millisecond)
		}
		w.Header().Set("Content-Type", "text/html")
	}))
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, tt := range testkit.Some(t, "rows", 5, rows) {
		if _, err := p.Eval(ctx, "document.body.innerHTML = html; f.onchange = new Function(script)", map[string]any{
			"html": style + "<input type=file id=f><ul id=l></ul>", "script": listed + tt.script}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err := p.Upload(ctx, css("#f"), filesAt(t, "a.txt"))
		if tt.failed != "" {
			if diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.failed) {
				t.Errorf("%s: got %v, want %s with %q", tt.name, err, diag.StepFailed, tt.failed)
			}
		} else if took := time.Since(began); err != nil || took > takenTime*3/4 {
			t.Errorf("%s: got %v after %v", tt.name, err, took)
		}
	}
}

// Giving the same files again causes no change event. An empty list clears the input.
func TestUploadAgain(t *testing.T) {
	ctx, p := openUploads(t)
	files := filesAt(t, "a.txt")
	for i, want := range []driver.Upload{{Unheard: false}, {Unheard: true}} {
		up, err := p.Upload(ctx, css("#one"), files)
		if err != nil {
			t.Fatal(err)
		}
		if up.Unheard != want.Unheard {
			t.Errorf("upload %d: unheard = %v, want %v", i+1, up.Unheard, want.Unheard)
		}
	}
	up, err := p.Upload(ctx, css("#one"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(up.Files) != 0 || !up.Kept || up.Unheard {
		t.Errorf("got %+v, want no files", up)
	}
	if got, want := evaluate(t, ctx, p, "log.join('; ')"), "one: a.txt 5; one: "; got != want {
		t.Errorf("the page saw %q, want %q", got, want)
	}
}

// A page may submit the form as soon as it has a file, and so lead to the next document.
func TestUploadThatSends(t *testing.T) {
	ctx, p := openUploads(t)
	up, err := p.Upload(ctx, css("#sends"), filesAt(t, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(up.Files) != 1 {
		t.Errorf("got %+v, want one file", up)
	}
	if got := evaluate(t, ctx, p, "document.title"); got != "Echo" {
		t.Errorf("the page is %v, want Echo", got)
	}
}

// Uploads in frames of another origin, whichever process they are in.
func TestUploadInFrames(t *testing.T) {
	files := filesAt(t, "a.txt")
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		const inner = `<title>Inner</title><input type=file id=one hidden><button id=opens>Attach</button><div id=zone>Drop here</div><p id=out></p><script>
const tell = (files) => { out.textContent += [...files].map((f) => f.name + " " + f.size) + ";"; };
one.onchange = () => { tell(one.files); one.value = ""; };
opens.onclick = () => { const i = document.createElement("input"); i.type = "file"; i.onchange = () => tell(i.files); i.click(); };
zone.ondragover = (e) => e.preventDefault();
zone.ondrop = (e) => { e.preventDefault(); tell(e.dataTransfer.files); };
</script>`
		openFrames(t, ctx, p, map[string]string{
			"/main":  `<h1>Main</h1><iframe id=f src="FAR/inner" width=400 height=300></iframe>`,
			"/inner": inner,
		})
		for _, selector := range []string{"#one", "#opens", "#zone"} {
			if _, err := p.Upload(ctx, inFrame(t, selector), files); err != nil {
				t.Fatalf("%s: %v", selector, err)
			}
		}
		got, err := p.Read(ctx, inFrame(t, "#out"), driver.ReadOptions{What: "text"})
		if err != nil {
			t.Fatal(err)
		}
		if want := "a.txt 5;a.txt 5;a.txt 5;"; got.Value != want {
			t.Errorf("the frame saw %q, want %q", got.Value, want)
		}
	})
}

// inFrame returns the target of a selector in the frame f.
func inFrame(t testing.TB, selector string) driver.Target {
	t.Helper()
	sel, err := selectors.Parse("frame:#f >> css:"+selector, selectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return targetOf(sel)
}

// A page may request files with an input that it does not keep: the input must not be
// garbage-collected before it has the files.
func TestUploadOfAnInputThatNobodyKeeps(t *testing.T) {
	ctx, p := show(t, `<button id=b>Attach</button><p id=out></p><script>
	function ask() {
		const f = document.createElement('input')
		f.type = 'file'
		f.onchange = () => { out.textContent = f.files[0].name }
		f.click()
	}
	b.onclick = () => {
		ask()
		for (let i = 0, kept; i < 1000; i++) kept = new Array(1e5).fill(i)
	}</script>`)
	if _, err := p.Upload(ctx, css("#b"), filesAt(t, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, p, "out.textContent"); got != "a.txt" {
		t.Errorf("the page shows %v", got)
	}
}

// Of several files, each must be in an input, be listed or be sent. The error names the others.
func TestUploadsOfSeveral(t *testing.T) {
	const (
		emptied = "f.value = ''; "
		data    = "const all = (...files) => { const d = new FormData(); for (const x of files) d.append('u', x); return d }; "
		post    = "const post = (body) => fetch('/up', { method: 'POST', body }); "
		list    = "const list = (...files) => { l.innerHTML += files.map((x) => '<li>' + x.name + '</li>').join('') }; "
	)
	rows := []struct{ name, script, missing string }{
		{"one of them listed", "list(a)", "b.txt, aa.txt"},
		{"the second one listed", "list(b)", "a.txt, aa.txt"},
		{"one whose name ends like the other", "list(c)", "a.txt, b.txt"},
		{"one of them sent", "post(a)", "a.txt, b.txt, aa.txt"},
		{"one of them listed and sent", "list(a); post(a)", "b.txt, aa.txt"},
		{"one of them sent by name", "post(all(b))", "a.txt, aa.txt"},
		{"two of them sent by name, in one", "post(all(b, c))", "a.txt"},
		{"one kept", "const d = new DataTransfer(); d.items.add(a); f.files = d.files", "b.txt, aa.txt"},
		{"one picture", "l.innerHTML = '<canvas width=90 height=90>'", "a.txt, b.txt, aa.txt"},
		{"none of them", "l.innerHTML = '<li>3 files</li>'", "a.txt, b.txt, aa.txt"},

		{"all listed", "list(a, b, c)", ""},
		{"listed one by one", "list(a); setTimeout(() => { list(b); setTimeout(() => list(c), 200) }, 200)", ""},
		{"all in one line", "l.textContent = 'Files: ' + [a, b, c].map((x) => x.name).join(', ')", ""},
		{"all sent in one", "post(all(a, b, c))", ""},
		{"each sent by itself", "[a, b, c].forEach(post)", ""},
		{"each sent when the one before has come", "post(all(a)).then(() => post(all(b))).then(() => post(all(c)))", ""},
		{"in JSON", "post(JSON.stringify([a, b, c].map((x) => x.name)))", ""},
		{"listed and sent", "list(a, c); setTimeout(() => post(all(b)), 300)", ""},
		{"in another input", "const d = new DataTransfer(); [a, b, c].forEach((x) => d.items.add(x)); g.files = d.files", ""},
		{"a picture of each", "l.innerHTML = '<canvas width=90 height=90></canvas>'.repeat(3)", ""},
	}
	ctx, p := sharedPage(t)
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Type", "text/html") }))
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, tt := range testkit.Kinds(t, "rows", 4, rows, func(i int) any { return rows[i].missing == "" }) {
		if _, err := p.Eval(ctx, "document.body.innerHTML = html; f.onchange = new Function(script)", map[string]any{
			"html":   "<input type=file id=f multiple><input type=file id=g hidden multiple><ul id=l></ul>",
			"script": "const [a, b, c] = f.files; " + data + post + list + strings.Replace(tt.script, "f.files =", emptied+"f.files =", 1) + "; " + unlessKept(tt.name, emptied)}); err != nil {
			t.Fatal(err)
		}
		_, err := p.Upload(ctx, css("#f"), filesAt(t, "a.txt", "b.txt", "aa.txt"))
		switch {
		case tt.missing == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.missing != "" && (diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.missing)):
			t.Errorf("%s: got %v, want that %s are missing", tt.name, err, tt.missing)
		}
	}
}

func unlessKept(name, script string) string {
	if strings.Contains(name, "kept") {
		return ""
	}
	return script
}

// A drop zone that accepts the drop must also show or send the files.
func TestUploadDropped(t *testing.T) {
	const gone = "neither shows"
	ctx, p := show(t, "<body>")
	for _, tt := range []struct{ name, script, failed string }{
		{"nothing", "", gone},
		{"a count", "o.textContent = 'Dropped: 0 files'", gone},
		{"a class", "z.className = 'over'", gone},
		{"one of them", "o.textContent = files[0].name", "b.txt"},
		{"a refusal", "o.textContent = files[0].name + ' is too large'", "too large"},
		{"an alert", "alert('Only images, please')", "Only images"},

		{"listed", "o.textContent = 'Dropped: ' + files.map((x) => x.name).join(', ')", ""},
		{"listed later", "setTimeout(() => { o.textContent = files.map((x) => x.name).join(', ') }, 300)", ""},
		{"in an input", "g.files = e.dataTransfer.files", ""},
		{"sent", "for (const body of files) fetch('/', { method: 'POST', body })", ""},
	} {
		if _, err := p.Eval(ctx, "document.body.innerHTML = html; z.ondragover = (e) => e.preventDefault(); z.ondrop = new Function('e', 'e.preventDefault(); const files = [...e.dataTransfer.files]; ' + script)", map[string]any{
			"html": "<div id=z style='width:200px;height:99px;border:1px solid'>Drop here</div><input type=file id=g hidden multiple><p id=o></p>", "script": tt.script}); err != nil {
			t.Fatal(err)
		}
		up, err := p.Upload(ctx, css("#z"), filesAt(t, "a.txt", "b.txt"))
		switch {
		case tt.failed == "" && (err != nil || !up.Dropped):
			t.Errorf("%s: %+v, %v", tt.name, up, err)
		case tt.failed != "" && (diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.failed)):
			t.Errorf("%s: got %v, want %s with %q", tt.name, err, diag.StepFailed, tt.failed)
		}
	}
}
