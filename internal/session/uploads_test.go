package session_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// TestUploadsThatAPageRefuses tests pages without a library. They may refuse a file long after they
// have sent it.
func TestUploadsThatAPageRefuses(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
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
		{"upload:files", files("photo.png"), sent + `m.className = 'toast'; m.textContent = 'A tárhely megtelt' })`, "megtelt"},
		{"upload:files", files("photo.png"), sent + `m.className = 'toast'; m.textContent = 'photo.png was added' })`, ""},

		{"upload:files", files("photo.png"), `m.setAttribute('role', 'alert'); m.className = 'alert-warning'; m.textContent = 'Es sind schon zwei Dateien da'`, "schon zwei"},
		{"upload:files", files("photo.png"), `m.setAttribute('role', 'alert'); m.textContent = 'The limit is 1, you have selected 2 files'`, "limit is 1"},
		{"upload:files", files("photo.png"), sent + `m.setAttribute('role', 'alert'); m.className = 'alert-warning'; m.textContent = 'Es sind schon zwei Dateien da' })`, "schon zwei"},

		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; setTimeout(() => { m.innerHTML = ''; m.insertAdjacentHTML('afterend', '<div role=dialog><h2>Not accepted</h2><p>No room is left.</p><button>OK</button></div>') }, 200)`, "Not accepted"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; setTimeout(() => { m.innerHTML = '' }, 500)`, "has removed photo.png from its list"},
		{"upload:files", files("photo.png"), `m.insertAdjacentHTML('afterend', '<div role=dialog><p>photo.png already exists. Overwrite it?</p><button>Yes</button><button>No</button></div>')`, "already exists"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; ` + sent + `m.innerHTML += '<i title="Sending failed">!</i>' })`, "Sending failed"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; ` + sent + `m.innerHTML += '<i aria-label="Fehlgeschlagen">!</i>' })`, "Fehlgeschlagen"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; ` + sent + `setTimeout(() => { m.firstChild.style.color = '#c11' }, 500) })`, "marks photo.png in red"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; ` + sent + `setTimeout(() => { m.innerHTML = '<del>photo.png</del> again' }, 500) })`, "strikes it out"},
		{"upload:files", files("photo.png"), `m.innerHTML = 'photo.png is already there. Replace it? <button type=button>Yes</button><button type=button>No</button>'`, "asks first"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; ` + sent + `m.innerHTML += ' <button type=button>Retry</button>' })`, "offers to send a file again"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'photo.png <small>重试</small>' })`, "offers to send a file again"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'photo.png (quarantined)' })`, "quarantined"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'Storage full' })`, "Storage full"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'Der Speicher ist voll' })`, "Speicher ist voll"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'Only PDF' })`, "Only PDF"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'Nur JPG, GIF' })`, "Nur JPG"},
		{"upload:files", files("photo.png"), sent + `m.innerHTML = 'A fájl túl nagy' })`, "túl nagy"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b> <progress value=40 max=100></progress>'`, "is incomplete"},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b> <span role=progressbar aria-valuenow=40>40 of 100</span>'; ` + sent + ` })`, "is incomplete"},

		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b> <progress value=40 max=100></progress>'; ` + sent + `setTimeout(() => { m.querySelector('progress').value = 100 }, 600) })`, ""},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b style="color:#c11">photo.png</b>'; ` + sent + ` })`, ""},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b>'; ` + sent + `m.innerHTML = 'One file is stored' })`, ""},
		{"upload:files", files("photo.png"), `m.innerHTML = '<b>photo.png</b> <button type=button title="Remove if it failed">Remove</button>'; ` + sent + ` })`, ""},
		{"upload:files", files("photo.png"), `m.setAttribute('role', 'alert'); m.className = 'alert-info'; m.textContent = 'Large files take a while'`, ""},
		{"upload:files", files("photo.png"), `m.setAttribute('role', 'alert'); m.className = 'alert-success'; m.textContent = 'Uploaded, the limit is 3 files'`, ""},
		{"upload:files", files("photo.png"), sent + `a.value = ''; m.textContent = 'photo.png was sent' })`, ""},
		{"upload:files", files("photo.png"), sent + `m.textContent = 'Only you can see photo.png, and for storage it is free' })`, ""},
		{"upload:files", files("photo.png"), sent + `m.setAttribute('role', 'alert'); m.textContent = 'Uploaded without errors' })`, ""},
		{"upload:files", files("failed-tests.png"), sent + `a.value = ''; m.textContent = 'failed-tests.png' })`, ""},
		{"form:fill", fill, `m.textContent = a.files[0].name; a.value = ''`, ""},
	} {
		html = `<h1>Files</h1><p>Files that are too large are rejected.</p><form><label>File <input id=a type=file></label><p id=m></p></form><script>a.onchange = () => { ` + tt.script + ` }</script>`
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:"+tt.action, tt.params)
		t.Run(tt.script, func(t *testing.T) {
			if tt.failed != "" {
				wantError(t, r, diag.StepFailed, tt.failed)
			} else if r.Error != nil {
				t.Errorf("%s: %s", tt.action, describe(r.Error))
			}
		})
	}
}

// TestUploadsOverALimit tests full upload lists, which refuse a file with or without a message.
func TestUploadsOverALimit(t *testing.T) {
	t.Parallel()
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", libraries.Handler(dir))
	mux.HandleFunc("POST /up", func(http.ResponseWriter, *http.Request) {})
	field := ""
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><link rel=stylesheet href=/npm/element-ui.css><div id=app></div><script src=/npm/vue2.js></script><script src=/npm/element-ui.js></script><script>
const full = [{name: 'food.jpeg', url: '/food'}];
new Vue({el: '#app', data: {full}, template: '<el-form><el-form-item label="Files"><el-upload action="/up" %s><el-button>Choose</el-button></el-upload></el-form-item></el-form>', methods: {
 warn(f, l) { this.$message.warning('The limit is 1, you selected ' + f.length + ' files this time, add up to ' + (f.length + l.length) + ' totally') },
 warnzh(f, l) { this.$message.warning('当前限制选择 1 个文件，本次选择了 ' + f.length + ' 个文件') },
}})</script>`, field)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range testkit.Some(t, "lists of uploads", 2, []struct{ field, step, action string }{ // parts of the expected errors; "" means success
		{`:limit="1" :file-list="full" :on-exceed="warn"`, "The limit is 1", "The limit is 1"},
		{`:limit="1" :file-list="full" :on-exceed="warnzh"`, "限制选择 1", "限制选择 1"},
		{`:limit="1" :file-list="full"`, "", "neither listed nor sent a.txt"},
		{`:limit="2" :file-list="full"`, "", ""},
		{`:limit="2" :file-list="full" :auto-upload="false"`, "", ""},
		{`:show-file-list="false"`, "", ""},
		{`:show-file-list="false" :auto-upload="false"`, "", ""},
	}) {
		field = tt.field
		for says, run := range map[string]func() *executor.Result{
			"step " + tt.step: func() *executor.Result {
				return b.Step(t.Context(), "upload", session.RunOptions{Params: object{"selector": "css:input[type=file]", "files": "a.txt"}, Cwd: b.cwd})
			},
			"action " + tt.action: func() *executor.Result {
				return b.run(t, "element:upload:files", object{"label": "Choose", "files": []any{"a.txt"}})
			},
		} {
			b.open(t, base)
			_, says, _ = strings.Cut(says, " ")
			if r := run(); says != "" {
				wantError(t, r, diag.StepFailed, says)
			} else if r.Error != nil {
				t.Errorf("%s: %s", tt.field, describe(r.Error))
			}
		}
	}
}

// TestUploadsThatElementPlusRefuses tests Element Plus, which lists a file before the page has
// accepted it, and removes a refused file with an animation.
func TestUploadsThatElementPlusRefuses(t *testing.T) {
	t.Parallel()
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", libraries.Handler(dir))
	mux.HandleFunc("GET /no", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(400 * time.Millisecond)
		w.WriteHeader(http.StatusConflict)
	})
	decide := ""
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><link rel=stylesheet href=/npm/element-plus.css><div id=app><el-form><el-form-item label="Files">
<el-upload action="/up" :before-upload="decide"><el-button>Choose</el-button></el-upload></el-form-item></el-form></div>
<script src=/npm/vue.js></script><script src=/npm/element-plus.js></script><script>
Vue.createApp({methods: {async decide() { %s }}}).use(ElementPlus).mount('#app')</script>`, decide)
	})
	mux.HandleFunc("POST /up", func(http.ResponseWriter, *http.Request) {})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range testkit.Some(t, "rows", 4, []struct{ decide, action string }{ // part of the expected error; "" means success
		{"return false", "neither shows the files nor sends them"},
		{"if (!(await fetch('/no')).ok) throw 1", "neither shows the files nor sends them"},
		{"ElementPlus.ElMessage.warning('只能上传JPG'); return false", "只能上传JPG"},
		{"ElementPlus.ElMessage.warning('Nur PDF hochgeladen werden kann'); return false", "Nur PDF"},
		{"", ""},
	}) {
		decide = tt.decide
		b.open(t, base)
		r := b.run(t, "element:upload:files", object{"label": "Choose", "files": []any{"a.txt"}})
		if tt.action != "" {
			wantError(t, r, diag.StepFailed, tt.action)
		} else if r.Error != nil {
			t.Errorf("%s: %s", tt.decide, describe(r.Error))
		}
	}
}

// TestUploadsThatAPageEmpties checks that files that a page removes from its input count as
// accepted only if the page lists them, shows a picture of one or reports success. Any other
// message may be a refusal.
func TestUploadsThatAPageEmpties(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	base := serve(t, mux)
	b := newStepBench(t)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a text"), 0o600); err != nil {
		t.Fatal(err)
	}
	refusing := []string{
		"NAME was skipped", "Only PDF files can be added (NAME)", "NAME was already added", "The selected file NAME is a program", "NAME: PDF only", "NAME > 2 MB", "❌ NAME",
		"Файл NAME слишком большой", "Файл NAME завеликий", "NAME 文件格式不正确", "NAME 已存在", "NAME は画像ではありません", "NAME 파일은 업로드할 수 없습니다", "NAME dosyası çok büyük",
		"NAME: väärä tiedostomuoto", "Plik NAME przekracza limit 2 MB", "Plik NAME jest za duży", "A(z) NAME fájl túl nagy", "Berkas NAME terlalu besar", "الملف NAME كبير جدا", "הקובץ NAME גדול מדי",
		"Datei NAME: nur PDF", "Le fichier sélectionné NAME est vide", "Bitte als PDF: NAME", "Max 2 MB: NAME",
	}
	const (
		icon    = `data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%22200%22 height=%22200%22%3E%3C/svg%3E`
		dot     = `data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`
		gone    = "neither shows the files nor sends them"
		picture = `const r = new FileReader(); r.onload = () => { m.innerHTML = "<img src='" + r.result + "'>" }; r.readAsDataURL(a.files[0]); a.value = ''`
	)
	say := func(text string) string {
		return "m.textContent = '" + strings.ReplaceAll(text, "NAME", "' + a.files[0].name + '") + "'; a.value = ''"
	}
	lines := ""
	for _, text := range refusing {
		lines += "<div>" + strings.ReplaceAll(strings.ReplaceAll(text, "<", "&lt;"), "NAME", "a.txt") + "</div>"
	}
	tests := []struct {
		file, script, failed string
	}{
		{"a.txt", "m.innerHTML = '" + lines + "'; a.value = ''", gone},
		{"a.txt", say("NAME was skipped"), `it says "a.txt was skipped"`},
		{"a.png", `m.innerHTML = '<img width=100 height=100 src="` + icon + `"> Maks. 2 MB'; a.value = ''`, gone},
		{"a.png", `face.outerHTML = face.outerHTML; a.value = ''`, gone},

		{"a.txt", say("NAME"), ""},
		{"a.txt", say("NAME (text/plain), 6 bytes, May 5, 2026"), ""},
		{"a.txt", say("File: NAME"), ""},
		{"a.txt", say("Your invoice: NAME"), ""},
		{"a.txt", say("NAME was added"), ""},
		{"a.txt", say("Thank you, we have received NAME. You can now save the form."), ""},
		{"a.txt", say("3 rows were imported from NAME"), ""},
		{"a.txt", say("Ausgewählte Datei: NAME, hochgeladen"), ""},
		{"a.txt", say("已选择文件 NAME"), ""},
		{"a.txt", say("NAME を選択しました"), ""},
		{"a.txt", `m.innerHTML = '<li><span>a.</span><span>txt</span> <button>Remove this file</button></li>'; a.value = ''`, ""},
		{"a.png", `m.innerHTML = '<img src="' + URL.createObjectURL(a.files[0]) + '">'; a.value = ''`, ""},
		{"a.png", picture, ""},
		{"a.png", `m.innerHTML = '<canvas width=100 height=100>'; a.value = ''`, ""},
	}
	for _, tt := range testkit.Kinds(t, "files that are removed", 4, tests, func(i int) any { return tests[i].failed }) {
		html = `<img id=face width=100 height=100 src="` + dot + `"><label>Your invoice <input id=a type=file></label><div id=m></div><p>Max 2 MB</p><script>a.onchange = () => { ` + tt.script + ` }</script>`
		step := func(name string, args object) *executor.Result {
			return b.Step(t.Context(), name, session.RunOptions{Params: args, Cwd: b.cwd})
		}
		data(t, step("open", object{"url": base}))
		if _, err := os.Stat(filepath.Join(b.cwd, tt.file)); err != nil {
			data(t, step("screenshot", object{"path": tt.file}))
		}
		r := step("upload", object{"selector": "label:Your invoice", "files": tt.file})
		if tt.failed != "" {
			wantError(t, r, diag.StepFailed, tt.failed)
		} else if r.Error != nil {
			t.Errorf("%s: %s", tt.script, describe(r.Error))
		}
	}
}

// TestUploadsInDoubt checks that in doubt an upload fails, because pages refuse files in countless
// words, or without any.
func TestUploadsInDoubt(t *testing.T) {
	t.Parallel()
	html, page := "", ""
	mux := muxShowing(&html)
	mux.HandleFunc("POST /up", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
	mux.HandleFunc("POST /401", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	mux.HandleFunc("POST /out", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) })
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	if err := os.WriteFile(filepath.Join(b.cwd, "people.csv"), []byte(strings.Repeat("Ada,36\n", 50)), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		doubt = "no known words of success"
		led   = "neither names people.csv nor says that it has it"
	)
	sent := func(text string) string {
		return "post('/up').then(() => { a.value = ''; m.textContent = '" + text + "' })"
	}
	rows := []struct{ script, page, failed string }{
		{sent("0 rows imported"), "", doubt},
		{sent("Imported 0 of 3 rows"), "", doubt},
		{sent("Row 2: age is missing"), "", doubt},
		{sent("Es wurden keine Zeilen importiert"), "", doubt},
		{sent("已存在同名文件"), "", doubt},
		{"m.textContent = 'people.csv – processing'; post('/up').then(() => { a.value = ''; setTimeout(() => { m.textContent = 'people.csv – failed' }, 600) })", "", "failed"},
		{"m.textContent = 'people.csv 75 % – paused'; post('/up')", "", "is incomplete"},
		{"m.innerHTML = '<progress value=3 max=4></progress>'; post('/up').then(() => { a.value = '' })", "", "is incomplete"},
		{"post('/out').then(() => { a.value = '' })", "", "sign-in page"},
		{"a.form.submit()", "<h1>Files</h1><p>Only images are accepted.</p><form><input type=file></form>", led},
		{"a.form.submit()", `{"success":false}`, led},
		{"a.form.submit()", "<h1>Files</h1><p>Warning: people.csv was skipped because it is a duplicate.</p>", "the page that opened says"},
		{"post('/up').then(() => { a.value = ''; m.innerHTML = '<ul><li>people.csv ✗</ul>' })", "", "a sign that warns or refuses"},
		{"post('/up').then(() => { a.value = ''; m.innerHTML = '<ul><li>people.csv <span title=Virus>⚠</span></ul>' })", "", "a sign that warns or refuses"},
		{sent("Import finished: 0 added, 3 skipped"), "", doubt},
		{"a.form.submit()", "<h1>Sign in</h1><form><input type=password></form>", led},

		{sent("3 rows imported"), "", ""},
		{sent("Thank you"), "", ""},
		{sent("上传成功"), "", ""},
		{sent("Complete"), "", ""},
		{sent("Logo updated"), "", ""},
		{"post('/up').then(() => { a.value = ''; m.innerHTML = '<div role=status class=toast>Logo updated</div>' })", "", ""},
		{"a.form.submit()", "<h1>Files</h1><p>Your picture has been updated.</p>", ""},
		{sent("Files (1)"), "", ""},
		{sent("people.csv"), "", ""},
		{"m.textContent = 'people.csv – processing'; post('/up').then(() => { a.value = ''; setTimeout(() => { m.textContent = 'people.csv' }, 600) })", "", ""},
		{"post('/up').then(() => { a.value = ''; m.innerHTML = '<ul><li>Document 17</ul>' })", "", ""},
		{"post('/up').then(() => { a.value = '' })", "", ""},
		{"post('/401').then(() => post('/up')).then(() => { a.value = ''; m.textContent = 'people.csv' })", "", ""},
		{"a.form.submit()", "<h1>Files</h1><ul><li>people.csv</ul>", ""},
		{"a.form.submit()", "<h1>Files</h1><p>Your file was uploaded.</p>", ""},
	}
	for _, tt := range testkit.Kinds(t, "rows", 6, rows, func(i int) any { return rows[i].failed }) {
		page = tt.page
		html = `<h1>Files</h1><form method=post action=/up enctype=multipart/form-data><label>File <input id=a name=a type=file></label><p id=m></p></form><p>Files (0)</p>
			<script>const post = (to) => fetch(to, {method: 'POST', body: a.files[0]}); a.onchange = () => { ` + tt.script + ` }</script>`
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:upload:files", object{"label": "File", "files": []any{"people.csv"}})
		t.Run(tt.script+tt.page, func(t *testing.T) {
			if tt.failed != "" {
				wantError(t, r, diag.StepFailed, tt.failed)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
