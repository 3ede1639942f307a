package browser

// Faults of the closest peer: it reported success although nothing, or the wrong thing, had
// happened. Each has a test here, with its number in the project's list; 8 and 9 concern refs and
// are in the tests of snapshots. Similar tests for other steps follow.

import (
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/testkit"
)

// soon is the time limit of waits that must fail.
const soon = 300 * time.Millisecond

func TestFault1FillReadonly(t *testing.T) {
	for name, attr := range map[string]string{"readonly": "readonly", "disabled": "disabled"} {
		t.Run(name, func(t *testing.T) {
			ctx, p := show(t, `<input id=f value=keep `+attr+`>`)
			_, err := p.Fill(ctx, within(css("#f"), soon), "new")
			wantCode(t, err, diag.ElementNotInteractable, name)
			if v := evaluate(t, ctx, p, "f.value"); v != "keep" {
				t.Errorf("holds %q, want the old value", v)
			}
		})
	}
}

func TestFault2FillTypedInputs(t *testing.T) {
	tests := []struct{ name, html, value, text string }{
		{"date", `<input id=f type=date value=2020-01-01>`, "01.02.2026", "YYYY-MM-DD"},
		{"number with letters", `<input id=f type=number value=5>`, "12abc", "a number"},
		{"range beyond", `<input id=f type=range min=0 max=10 value=3>`, "99", "0 to 10"},
		{"range between", `<input id=f type=range min=0 max=10 step=5 value=5>`, "7", "steps of 5"},
		{"maxlength", `<input id=f maxlength=4 value=abc>`, "abcdef", "at most 4"},
		{"color", `<input id=f type=color value=#112233>`, "blue", "#rrggbb"},
		{"time", `<input id=f type=time value=10:00>`, "25:00", "HH:MM"},
		{"month", `<input id=f type=month value=2026-01>`, "January", "YYYY-MM"},
		{"week", `<input id=f type=week value=2026-W01>`, "5", "Www"},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			before := evaluate(t, ctx, p, "f.value")
			_, err := p.Fill(ctx, within(css("#f"), soon), tt.value)
			wantCode(t, err, diag.StepFailed, tt.text)
			if v := evaluate(t, ctx, p, "f.value"); v != before {
				t.Errorf("holds %q, want %q", v, before)
			}
		})
	}
}

func TestFault3FillContenteditable(t *testing.T) {
	ctx, p := show(t, `<div id=f contenteditable><p>old</p><p>lines</p></div>`)
	got, err := p.Fill(ctx, css("#f"), "new")
	if err != nil {
		t.Fatal(err)
	}
	if v := evaluate(t, ctx, p, "f.innerText.trim()"); v != "new" || got.Value != "new" {
		t.Errorf("holds %q, told %q, want new in place of the old", v, got.Value)
	}
}

func TestFault4WrongKindOfElement(t *testing.T) {
	ctx, p := show(t, `<h1 id=h>Title</h1><div id=d>Agree</div>`)
	_, err := p.Fill(ctx, within(css("#h"), soon), "x")
	wantCode(t, err, diag.StepFailed, "<h1#h")
	_, err = p.Check(ctx, within(css("#d"), soon), true)
	wantCode(t, err, diag.StepFailed, "is not a checkbox")
}

func TestFault5BadSelectors(t *testing.T) {
	ctx, p := show(t, `<input>`)
	_, err := p.Fill(ctx, within(css("input["), soon), "x")
	wantCode(t, err, diag.ParamInvalid, "input[")
	_, err = p.Fill(ctx, within(css("#absent"), soon), "x")
	wantCode(t, err, diag.ElementNotFound, "#absent")
}

func TestFault6UnknownSelectorKind(t *testing.T) {
	_, errs := program.Hand("get", map[string]any{"what": "text", "selector": "txt:Save"}, false)
	if len(errs) != 1 {
		t.Fatalf("errors %v, want one", errs)
	}
	e := wantCode(t, errs[0], diag.ParamInvalid, "txt")
	if !strings.Contains(e.Hint, "text") {
		t.Errorf("hint %q, want the kind that is meant", e.Hint)
	}
}

func TestFault7BlockedSubmit(t *testing.T) {
	ctx, p := show(t, `<form action=/sent><label>Mail <input name=mail type=email value=x></label><button id=b>Send</button></form>`)
	_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	e := wantCode(t, err, diag.StepFailed, "the form was not sent", "Mail")
	if e.Details["field"] != "Mail" || e.Details["reason"] == "" {
		t.Errorf("details %v, want the field and its reason", e.Details)
	}
}

func TestFault10FirstOfSeveral(t *testing.T) {
	ctx, p := show(t, `<p>Ann <button onclick="window.hit=1">Edit</button></p><p>Bob <button onclick="window.hit=2">Edit</button></p>`)
	_, err := p.Press(ctx, css("button"), driver.PressOptions{})
	e := wantCode(t, err, diag.ElementAmbiguous, "matches 2 elements")
	if !strings.Contains(e.Hint, "Edit") {
		t.Errorf("hint %q, want a line about each", e.Hint)
	}
	if hit := evaluate(t, ctx, p, "window.hit??0"); hit != 0.0 {
		t.Errorf("button %v was pressed", hit)
	}
}

// A question of the page that was not accepted is reported.
func TestFault11UnansweredQuestion(t *testing.T) {
	ctx, p := show(t, `<button id=b onclick="window.sure=confirm('Delete it?')">Delete</button>`)
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	asked := p.TakeDialogs()
	if len(asked) != 1 || asked[0].Message != "Delete it?" || asked[0].Answer != "dismissed" {
		t.Errorf("dialogs %+v, want the question and that it was refused", asked)
	}
}

func TestFault12CrashedPage(t *testing.T) {
	ctx, p := show(t, `<button id=b>x</button>`)
	p.Frames.Start(ctx, proto.PageCrash{})
	_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	wantCode(t, err, diag.BrowserUnavailable, "crashed")
	_, err = p.Press(ctx, css("#b"), driver.PressOptions{})
	wantCode(t, err, diag.BrowserUnavailable, "crashed")
}

// Typed text has arrived, or the step fails.
func TestTypeReadsBack(t *testing.T) {
	tests := []struct {
		name, html, text string
		fails            string // "": it is typed
		holds            string
	}{
		{"all of it", `<input id=f>`, "héllo 日本", "", "héllo 日本"},
		{"maxlength", `<input id=f maxlength=3>`, "abcde", `took 3 of the 5 characters and holds "abc"`, ""},
		{"full", `<textarea id=f maxlength=2>ab</textarea>`, "c", "took 0 of the 1", ""},
		{"number with letters", `<input id=f type=number>`, "1a2b", "took ", ""},
		{"half a number", `<input id=f type=number>`, "1e", "", ""},
		{"no number", `<input id=f type=number>`, "12-3", `holds ""`, ""},
		{"keys refused", `<input id=f onkeydown="if(/\D/.test(event.key))event.preventDefault()">`, "1x2", `holds "12"`, ""},
		{"input refused", `<input id=f onbeforeinput="event.preventDefault()">`, "abc", `took 0 of the 3 characters and holds ""`, ""},
		{"mask with its own keys", `<input id=f onkeypress="event.preventDefault();this.value+=event.key;if(this.value.length===3)this.value+='-'">`, "12345", "", "123-45"},
		{"fields for one digit each", `<input id=f maxlength=1 oninput="g.focus()"><input id=g maxlength=1>`, "12", "", "1"},
		{"sent with Enter", `<input id=f onkeydown="if(event.key==='Enter'){window.sent=this.value;this.value=''}">`, "hi\n", "", ""},
		{"chips", `<input id=f onkeydown="if(event.key===','){event.preventDefault();this.value=''}">`, "ab", "", "ab"},
		{"editor that renders by itself", `<div id=f contenteditable></div><script>f.addEventListener('beforeinput',e=>{e.preventDefault();f.textContent+=e.data})</script>`, "abc", "", "abc"},
		{"multiline", `<textarea id=f></textarea>`, "a\nb", "", "a\nb"},
		{"contenteditable", `<div id=f contenteditable>x</div>`, "yz", "", "xyz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			target := within(css("#f"), soon)
			_, err := p.Type(ctx, &target, tt.text, 0)
			if tt.fails != "" {
				wantCode(t, err, diag.StepFailed, tt.fails)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v := evaluate(t, ctx, p, "f.value??f.textContent"); v != tt.holds {
				t.Errorf("holds %q, want %q", v, tt.holds)
			}
		})
	}
}

func TestTypeNeverTellsSecret(t *testing.T) {
	ctx, p := show(t, `<input id=f type=password maxlength=3>`)
	target := css("#f")
	got, err := p.Type(ctx, &target, "s3cret", 0)
	e := wantCode(t, err, diag.StepFailed, "took 3 of the 6 characters")
	if strings.Contains(e.Msg, "s3c") || got.Text != "" || e.Details["value"] != nil {
		t.Errorf("%q with %v tells what a password field holds", e.Msg, e.Details)
	}
}

// Held keys affect all later input until they are released.
func TestHoldKey(t *testing.T) {
	ctx, p := show(t, `<input id=f><button id=b>x</button><script>window.log=[];
		for(const n of ['keydown','keyup','click'])addEventListener(n,e=>log.push(n+(e.key?' '+e.key:'')+(e.shiftKey?' shift':'')+(e.repeat?' again':'')))</script>`)
	hold := func(key string, down bool, want string) {
		t.Helper()
		held, err := p.HoldKey(ctx, key, down)
		if got := strings.Join(held, " "); err != nil || got != want {
			t.Fatalf("holding %s: %q, %v, want %q", key, got, err, want)
		}
	}
	hold("Shift", true, "Shift")
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	hold("a", true, "Shift a")
	hold("a", true, "Shift a")
	hold("a", false, "Shift")
	hold("Shift", false, "")
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = "keydown Shift shift,click shift,keydown a shift,keydown a shift again,keyup a shift,keyup Shift,click"
	if log := evaluate(t, ctx, p, "log.join()"); log != want {
		t.Errorf("the page saw %v, want %v", log, want)
	}
	_, err := p.HoldKey(ctx, "Shift", false)
	wantCode(t, err, diag.StepFailed, "not down")
	_, err = p.HoldKey(ctx, "Control+a", true)
	wantCode(t, err, diag.ParamInvalid, "chord")
	_, err = p.HoldKey(ctx, "Shft", true)
	wantCode(t, err, diag.ParamInvalid, "unknown key")
}

func TestPDF(t *testing.T) {
	ctx, p := show(t, `<h1>Invoice</h1>`)
	data, err := p.PDF(ctx, driver.PDFOptions{Landscape: true, Background: true})
	if err != nil || !strings.HasPrefix(string(data), "%PDF") {
		t.Errorf("%d bytes, %v, want a PDF", len(data), err)
	}
}
