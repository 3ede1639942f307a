package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

func TestFill(t *testing.T) {
	tests := []struct {
		name, html, value string
		want              string // "": value
		reformatted       bool
		invalid           string // * is any text of the browser
	}{
		{name: "text", html: `<input id=f value=old>`, value: "new"},
		{name: "empty", html: `<input id=f value=old>`, value: ""},
		{name: "hostile", html: `<input id=f>`, value: `"'<b>${x}\ >> '|| true`},
		{name: "unicode", html: `<input id=f>`, value: "日本語 👍🏽 é"},
		{name: "textarea", html: `<textarea id=f>old</textarea>`, value: "one\ntwo"},
		{name: "password", html: `<input id=f type=password>`, value: "s3cret!"},
		{name: "password in the clear", html: `<input id=f autocomplete="section-a current-password">`, value: "s3cret!"},
		{name: "password in dots", html: `<input id=f style="-webkit-text-security: disc">`, value: "s3cret!"},
		{name: "no password", html: `<input id=f autocomplete=new-password oninput="this.value=this.value.toUpperCase()">`, value: "ab", want: "AB", reformatted: true},
		{name: "email", html: `<input id=f type=email>`, value: "a@example.test"},
		{name: "number", html: `<input id=f type=number>`, value: "12.5", invalid: "*"},
		{name: "date", html: `<input id=f type=date>`, value: "2026-02-28"},
		{name: "time", html: `<input id=f type=time>`, value: "13:45"},
		{name: "datetime", html: `<input id=f type=datetime-local>`, value: "2026-02-28T13:45"},
		{name: "month", html: `<input id=f type=month>`, value: "2026-02"},
		{name: "week", html: `<input id=f type=week>`, value: "2026-W07"},
		{name: "color", html: `<input id=f type=color>`, value: "#AABBCC", want: "#aabbcc"},
		{name: "range", html: `<input id=f type=range min=0 max=10>`, value: "7"},
		{name: "contenteditable", html: `<div id=f contenteditable>old <b>text</b></div>`, value: "new text"},
		{name: "label", html: `<label id=f>Name <input></label>`, value: "Ada"},
		{name: "cleared mask", html: `<input id=f value="01/02/2024" oninput="if(!this.value)this.value='__/__/____'">`, value: "", want: "__/__/____"},
		{name: "cleared mask of a telephone", html: `<input id=f value="+1 (555) 555-5555" oninput="if(!this.value)this.value='+1 (___) ___-____'">`, value: "", want: "+1 (___) ___-____"},
		{name: "cleared mask that shows its placeholder", html: `<input id=f placeholder="dd/mm/yyyy" value="01/02/2024" oninput="if(!this.value)this.value='dd/mm/yyyy'">`, value: "", want: "dd/mm/yyyy"},
		{name: "mask", html: `<input id=f oninput="this.value=this.value.replace(/\D/g,'').replace(/(\d{3})(\d+)/,'$1-$2')">`, value: "123456", want: "123-456", reformatted: true},
		{name: "upper case", html: `<input id=f oninput="this.value=this.value.toUpperCase()">`, value: "ab", want: "AB", reformatted: true},
		{name: "digits of full width", html: `<input id=f oninput="this.value=this.value.normalize('NFKC')">`, value: "１２ ｶﾞ", want: "12 ガ", reformatted: true},
		{name: "too much", html: `<input id=f type=number max=32>`, value: "40", invalid: "*"},
		{name: "another pattern", html: `<input id=f pattern="[A-Z]+">`, value: "ab", invalid: "*"},
		{name: "not checked", html: `<form novalidate><input id=f aria-invalid=false></form><input type=number max=3 value=9>`, value: "40"},

		{name: "marked by the page", html: `<input id=f aria-describedby=m oninput="this.setAttribute('aria-invalid', true);m.textContent='At most 32'"><p id=m></p>`, value: "40", invalid: "At most 32"},
		{name: "marked in the next frame", html: `<input id=f aria-errormessage=m oninput="requestAnimationFrame(()=>{this.setAttribute('aria-invalid', 'grammar');m.textContent='Hm'})"><p id=m></p>`, value: "40", invalid: "Hm"},
		{name: "valid again", html: `<input id=f aria-invalid=true oninput="this.removeAttribute('aria-invalid')">`, value: "40"},
		{name: "emptied", html: `<input id=f required value=x>`, value: ""},
		{name: "password marked", html: `<input id=f type=password aria-invalid=true aria-describedby=m><p id=m>pw1 is weak</p>`, value: "pw1", invalid: "pw1 is weak"},
		{name: "appears", html: `<p id=p></p><script>setTimeout(()=>p.innerHTML='<input id=f>',50)</script>`, value: "x"},
		{name: "unlocks", html: `<input id=f readonly><script>setTimeout(()=>f.readOnly=false,50)</script>`, value: "x"},
	}
	for _, tt := range testkit.Kinds(t, "rows", 5, tests, func(i int) any { return tests[i].reformatted }) {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.value
			}
			ctx, p := show(t, tt.html)
			got, err := p.Fill(ctx, css("#f"), tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if got.Value != tt.want || got.Reformatted != tt.reformatted || got.Secret != strings.HasPrefix(tt.name, "password") {
				t.Errorf("got %+v, want value %q, reformatted %v", got, tt.want, tt.reformatted)
			}
			var invalid string
			if got.Invalid != nil {
				invalid = *got.Invalid
			}
			if invalid != tt.invalid && (tt.invalid != "*" || invalid == "") {
				t.Errorf("marked as invalid by %q, want %q", invalid, tt.invalid)
			}
		})
	}
}

func TestFillEvents(t *testing.T) {
	const keyed = "keydown!229 old,beforeinput,input,keyup!229 new"
	for _, tt := range []struct{ field, value, want string }{
		{"<input id=f value=old>", "new", keyed},
		{"<textarea id=f>old</textarea>", "new", keyed},
		{"<input id=f type=date>", "2026-03-04", "input!,change!"},
		{"<div id=f contenteditable>old</div>", "new", "beforeinput,input"},
	} {
		t.Run(tt.field, func(t *testing.T) {
			ctx, p := show(t, tt.field+`<script>window.log=[];
				for(const n of ['keydown','keypress','beforeinput','input','change','keyup']) f.addEventListener(n,e=>log.push(n+(e.isTrusted?'':'!')+(e.keyCode?e.keyCode+' '+f.value:'')))</script>`)
			if _, err := p.Fill(ctx, css("#f"), tt.value); err != nil {
				t.Fatal(err)
			}
			if log := evaluate(t, ctx, p, "log.join()"); log != tt.want {
				t.Errorf("events %v, want %s", log, tt.want)
			}
		})
	}
}

func TestFillRefuses(t *testing.T) {
	const nfkc = `<input id=f oninput="this.value=this.value.normalize('NFKC')">`
	tests := []struct {
		name, html, value string
		code              diag.Code
		text              string
	}{
		{"readonly", `<input id=f readonly>`, "x", diag.ElementNotInteractable, "readonly"},
		{"disabled", `<input id=f disabled>`, "x", diag.ElementNotInteractable, "disabled"},
		{"fieldset", `<fieldset disabled><input id=f></fieldset>`, "x", diag.ElementNotInteractable, "fieldset"},
		{"hidden", `<input id=f style="display:none">`, "x", diag.ElementNotInteractable, "display"},
		{"heading", `<h1 id=f>Title</h1>`, "x", diag.StepFailed, "h1"},
		{"button", `<button id=f>Save</button>`, "x", diag.StepFailed, "click"},
		{"checkbox", `<input id=f type=checkbox>`, "x", diag.StepFailed, "check"},
		{"file", `<input id=f type=file>`, "x", diag.StepFailed, "upload"},
		{"select", `<select id=f><option>a</select>`, "a", diag.StepFailed, "select"},
		{"date", `<input id=f type=date>`, "tomorrow", diag.StepFailed, "YYYY-MM-DD"},
		{"no such date", `<input id=f type=date>`, "2026-02-30", diag.StepFailed, "YYYY-MM-DD"},
		{"number", `<input id=f type=number>`, "abc", diag.StepFailed, "number"},
		{"range", `<input id=f type=range min=0 max=10>`, "50", diag.StepFailed, "0 to 10"},
		{"maxlength", `<input id=f maxlength=3>`, "four", diag.StepFailed, "at most 3"},
		{"emptied by the page", `<input id=f oninput="this.value=''">`, "--", diag.StepFailed, `holds "" instead of "--"`},
		{"another number", `<input id=f type=number oninput="this.value=Math.abs(this.value)">`, "-5", diag.StepFailed, `holds "5" instead of "-5"`},
		{"a power as digits", nfkc, "10²", diag.StepFailed, `holds "102" instead of "10²"`},
		{"a power behind a letter", nfkc, "m²", diag.StepFailed, `holds "m2" instead of "m²"`},
		{"a fraction as digits", nfkc, "1½", diag.StepFailed, `instead of "1½"`},
		{"a circled digit", nfkc, "①", diag.StepFailed, `holds "1" instead of "①"`},
		{"refused by the page", `<input id=f value=keep oninput="this.value='keep'">`, "other", diag.StepFailed, `holds "keep" instead of "other"`},
	}
	for _, tt := range testkit.Kinds(t, "rows", 5, tests, func(i int) any { return tests[i].text }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Fill(ctx, within(css("#f"), 700*time.Millisecond), tt.value)
			wantCode(t, err, tt.code, tt.text)
		})
	}
}

// The read-back is sent together with the text. It runs after the page has handled the text,
// however it does that, even if the page hides the input event from other listeners.
func TestFillIsReadBackBehindThePage(t *testing.T) {
	const old = "f.value = 'old'"
	channel := "const c = new MessageChannel(); c.port1.onmessage = "
	tests := []struct{ name, script, holds string }{
		{"in the handler", "f.oninput = () => { " + old + " }", "old"},
		{"in a message", "f.oninput = () => { " + channel + "() => { " + old + " }; c.port2.postMessage(0) }", "old"},
		{"in a message of a message", "let n = 0; f.oninput = () => { " + channel + "() => { if (n++) " + old + "; else c.port2.postMessage(0) }; c.port2.postMessage(0) }", "old"},
		{"in a timer", "f.oninput = () => setTimeout(() => { " + old + " })", "old"},
		{"in a frame", "f.oninput = () => requestAnimationFrame(() => { " + old + " })", "old"},
		{"when a key is let go", "f.onkeyup = () => { " + old + " }", "old"},
		{"a frame after a key is let go", "f.onkeyup = () => requestAnimationFrame(() => { " + old + " })", "old"},
		{"a long handler", "f.oninput = () => { const until = performance.now() + 50; while (performance.now() < until); " + old + " }", "old"},
		{"refused before", "f.onbeforeinput = (e) => e.preventDefault()", "old"},
		{"set before", "f.onbeforeinput = (e) => { e.preventDefault(); f.value = e.data }", "new"},
		{"stopped on its way", "addEventListener('input', (e) => e.stopImmediatePropagation(), true)", "new"},
		{"the focus goes elsewhere", "f.onfocus = () => g.focus()", ""},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, "<input id=f value=old><input id=g><script>"+tt.script+"</script>")
			got, err := p.Fill(ctx, within(css("#f"), soon), "new")
			switch tt.holds {
			case "new":
				if err != nil || got.Value != "new" {
					t.Errorf("got %+v, %v", got, err)
				}
			case "old":
				wantCode(t, err, diag.StepFailed, `holds "old" instead of "new"`)
			default:
				wantCode(t, err, diag.StepFailed, "focus")
			}
		})
	}
}

// A password is compared exactly, and is never shown.
func TestFillNeverTellsSecret(t *testing.T) {
	for _, field := range []string{"type=password", "autocomplete=current-password", "style='-webkit-text-security: disc'"} {
		for _, change := range []string{"'changed-secret'", "this.value.toUpperCase()", "this.value.replace('-', '')"} {
			t.Run(field+" "+change, func(t *testing.T) {
				ctx, p := show(t, `<input id=f `+field+` oninput="this.value=`+change+`">`)
				_, err := p.Fill(ctx, css("#f"), "my-secret")
				e := wantCode(t, err, diag.StepFailed, "does not hold")
				if all := strings.ToLower(fmt.Sprint(e.Msg, e.Hint, e.Details)); strings.Contains(all, "secret") {
					t.Errorf("the error tells a secret: %s", all)
				}
			})
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name, html string
		on         bool
		state      string // script
	}{
		{"check", `<input id=f type=checkbox>`, true, "f.checked"},
		{"already", `<input id=f type=checkbox checked>`, true, "f.checked"},
		{"uncheck", `<input id=f type=checkbox checked>`, false, "!f.checked"},
		{"radio", `<input id=f type=radio name=a>`, true, "f.checked"},
		{"label", `<label id=f><input type=checkbox>Agree</label>`, true, "document.querySelector('input').checked"},
		{"hidden behind label", `<label for=f>Agree</label><input id=f type=checkbox style="position:absolute;opacity:0;width:0;height:0">`, true, "f.checked"},
		{"pressed on a part that paints nothing", `<div style="display:inline-flex;height:20px" onclick="f.checked = !f.checked"><input id=f type=checkbox role=switch aria-label=News style="position:absolute;opacity:0;width:0;height:0;margin:0"><span style="cursor:pointer;width:40px"></span></div>`, true, "f.checked"},
		{"drawn by its parent", `<div style="display:inline-flex;height:20px" onclick="f.checked = !f.checked; this.lastChild.style.background = f.checked ? 'green' : 'grey'"><input id=f type=checkbox role=switch aria-label=News style="position:absolute;opacity:0;width:0;height:0;margin:0"><span style="cursor:pointer;width:40px;background:grey"></span></div>`, true, "f.checked"},
		{"aria", `<div id=f role=switch aria-checked=false tabindex=0 onclick="this.ariaChecked=this.ariaChecked!=='true'">x</div>`, true, "f.ariaChecked==='true'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			if _, err := p.Check(ctx, css("#f"), tt.on); err != nil {
				t.Fatal(err)
			}
			if ok := evaluate(t, ctx, p, tt.state); ok != true {
				t.Errorf("%s is %v, want true", tt.state, ok)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	tests := []struct {
		name, html string
		on         bool
		text       string
	}{
		{"div", `<div id=f>x</div>`, true, "is not a checkbox"},
		{"radio", `<input id=f type=radio name=a checked>`, false, "radio"},
		{"undone", `<input id=f type=checkbox onclick="return false">`, true, "unchecked after the press"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Check(ctx, within(css("#f"), 700*time.Millisecond), tt.on)
			wantCode(t, err, diag.StepFailed, tt.text)
		})
	}
}

func TestSelect(t *testing.T) {
	const list = `<select id=f %s onchange="window.changed=1"><option value=no>Norway</option><option value=se>Sweden</option><option value=dk disabled>Denmark</option></select>`
	tests := []struct {
		name, attr string
		values     []string
		want       string // joined; else text of the error
		fails      bool
	}{
		{"value", "", []string{"se"}, "se", false},
		{"label", "", []string{"Sweden"}, "se", false},
		{"several", "multiple", []string{"Norway", "se"}, "no,se", false},
		{"none", "multiple", []string{}, "", false},
		{"no match", "", []string{"Finland"}, `no option matched "Finland"; available: Norway, Sweden`, true},
		{"disabled option", "", []string{"dk"}, "disabled", true},
		{"two of one", "", []string{"no", "se"}, "one option", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, fmt.Sprintf(list, tt.attr))
			got, err := p.Select(ctx, within(css("#f"), 200*time.Millisecond), tt.values, "")
			if tt.fails {
				wantCode(t, err, diag.StepFailed, tt.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if joined := strings.Join(got, ","); joined != tt.want {
				t.Errorf("selected %q, want %q", joined, tt.want)
			}
		})
	}
}

func TestType(t *testing.T) {
	ctx, p := show(t, `<input id=f value="a-"><script>window.keys=[];f.addEventListener('keydown',e=>keys.push(e.key+'/'+e.code+'/'+e.keyCode))</script>`)
	target := css("#f")
	if _, err := p.Type(ctx, &target, "bC1 é", 0); err != nil {
		t.Fatal(err)
	}
	if v := evaluate(t, ctx, p, "f.value"); v != "a-bC1 é" {
		t.Errorf("holds %q, want %q", v, "a-bC1 é")
	}
	const want = "b/KeyB/66,C/KeyC/67,1/Digit1/49, /Space/32"
	if v := evaluate(t, ctx, p, "keys.join()"); v != want {
		t.Errorf("keys %v, want %v", v, want)
	}
	if _, err := p.Type(ctx, nil, "!", time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if v := evaluate(t, ctx, p, "f.value"); v != "a-bC1 é!" {
		t.Errorf("holds %q, want the text added at the caret", v)
	}
}

func TestTypeWithoutFocus(t *testing.T) {
	ctx, p := show(t, `<p>x</p>`)
	_, err := p.Type(ctx, nil, "x", 0)
	wantCode(t, err, diag.StepFailed, "has the focus")
}

// The read-back of a selection is sent together with it, even if the list does not exist yet.
func TestSelectIsReadBackBehindThePage(t *testing.T) {
	const old = "f.value = 'a'"
	channel := "const c = new MessageChannel(); c.port1.onmessage = "
	for name, handler := range map[string]string{
		"nothing":                   "",
		"in the handler":            old,
		"in a message of a message": "let n = 0; " + channel + "() => { if (n++) " + old + "; else c.port2.postMessage(0) }; c.port2.postMessage(0)",
		"in a timer":                "setTimeout(() => { " + old + " })",
		"in a frame":                "requestAnimationFrame(() => { " + old + " })",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, p := show(t, `<div id=d></div><script>setTimeout(() => {
				d.innerHTML = '<select id=f><option value=a>A<option value=b>B</select>'; f.onchange = () => { `+handler+` } }, 100)</script>`)
			got, err := p.Select(ctx, css("#f"), []string{"B"}, "")
			if handler != "" {
				wantCode(t, err, diag.StepFailed, `has ["a"] selected instead of ["b"]`)
			} else if err != nil || !slices.Equal(got, []string{"b"}) {
				t.Errorf("selected %q, %v", got, err)
			}
		})
	}
}

// If a selection leads to another page, Select returns after that navigation.
func TestSelectNavigates(t *testing.T) {
	url := site(t, map[string]string{"/": `<select id=f onchange="location.href=this.value"><option>-<option value=/next>Next</select>`, "/next": "<title>next</title>"})
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Select(ctx, css("#f"), []string{"Next"}, ""); err != nil || len(got) != 1 || got[0] != "/next" {
		t.Fatalf("selected %q, %v, want /next", got, err)
	}
	if doc, err := p.Document(ctx); err != nil || doc.URL != url+"/next" {
		t.Errorf("at %+v, %v, want the next page", doc, err)
	}
}

func TestTypeDelayIsCancelled(t *testing.T) {
	ctx, p := show(t, `<input id=f autofocus>`)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() {
		target := css("#f")
		_, err := p.Type(ctx, &target, "abc", time.Hour)
		done <- err
	}()
	if _, err := p.WaitFunction(testContext(t), "document.querySelector('#f').value==='a'", nil); err != nil {
		t.Error(err)
	}
	cancel()
	wantCode(t, <-done, diag.Cancelled)
}

func TestKey(t *testing.T) {
	ctx, p := show(t, `<form action="about:blank#sent"><input id=f value="hello"></form><script>
		window.keys=[];f.addEventListener('keydown',e=>keys.push((e.ctrlKey?'^':'')+(e.shiftKey?'+':'')+e.key))</script>`)
	target := css("#f")
	for _, k := range []string{"ControlOrMeta+a", "x", "ArrowLeft", "Shift+Y", "Backspace", "F5x"} {
		_, err := p.Key(ctx, &target, k, 1)
		if k == "F5x" {
			e := wantCode(t, err, diag.ParamInvalid, `unknown key "F5x"`)
			if !strings.Contains(e.Hint, "F5") {
				t.Errorf("hint %q, want F5", e.Hint)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", k, err)
		}
	}
	if v := evaluate(t, ctx, p, "f.value"); v != "x" {
		t.Errorf("holds %q, want x", v)
	}
	if _, err := p.Key(ctx, nil, "z", 3); err != nil {
		t.Fatal(err)
	}
	if v := evaluate(t, ctx, p, "f.value"); v != "zzzx" {
		t.Errorf("holds %q, want zzzx", v)
	}
}

func TestKeyEnterSubmits(t *testing.T) {
	url := site(t, map[string]string{"/": `<form action=/next><input id=f name=q></form>`, "/next": "<title>next</title>"})
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	target := css("#f")
	got, err := p.Key(ctx, &target, "Enter", 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Navigated == nil || got.Navigated.URL != url+"/next?q=" {
		t.Errorf("navigated %+v, want the next page", got.Navigated)
	}
}

func TestKeyEnterStoppedByValidation(t *testing.T) {
	ctx, p := show(t, `<form action=/sent><label>Mail <input id=f name=mail required></label><button>Send</button></form>`)
	target := css("#f")
	_, err := p.Key(ctx, &target, "Enter", 1)
	e := wantCode(t, err, diag.StepFailed, "Mail")
	if e.Details["field"] != "Mail" {
		t.Errorf("details %v, want the field", e.Details)
	}
}

// A state that the page takes back a moment after the press is an error.
func TestCheckTakenBackLater(t *testing.T) {
	for name, on := range map[string]string{
		"in a microtask":             `Promise.resolve().then(back)`,
		"in a message":               `const c = new MessageChannel(); c.port1.onmessage = back; c.port2.postMessage(0)`,
		"in a message to the window": `postMessage(0, '*')`,
		"in a timer":                 `setTimeout(back)`,
		"in a frame":                 `requestAnimationFrame(back)`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, p := show(t, `<input id=f type=checkbox><script>const back = () => { f.checked = false }; onmessage = back; f.onchange = () => { `+on+` }</script>`)
			_, err := p.Check(ctx, css("#f"), true)
			wantCode(t, err, diag.StepFailed, "unchecked after the press")
		})
	}
}
