package browser

// Pages that are large, change all the time or are hostile: the steps act on them as on other
// pages, or report why they cannot.

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

type args = map[string]any

// A doing is a step with a part of its result.
type doing struct {
	step string
	args args
	want string
}

func do(t *testing.T, ctx context.Context, p *Page, list []doing) {
	t.Helper()
	for _, d := range list {
		got, _, err := runStep(t, ctx, p, d.step, d.args)
		if err != nil || !strings.Contains(fmt.Sprint(got), d.want) {
			t.Errorf("%s %v: got %v, %v, want %s", d.step, d.args, got, err, d.want)
		}
	}
}

// Among 50,000 nodes, steps find the right element and report a missing one.
func TestStepsInManyNodes(t *testing.T) {
	testkit.Long(t)
	ctx, p := show(t, `<div id=m></div><form><label>Name <input id=n></label><label><input type=checkbox id=c> Agree</label>
		<label>Size <select id=s><option>S<option>L</select></label><button type=button id=b onclick="this.textContent='Saved'">Save</button></form>
		<script>m.innerHTML = '<p><span>word</span> <a href=#>Link</a> <b></b></p>'.repeat(10000)</script>`)
	if n := evaluate(t, ctx, p, `document.createNodeIterator(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT); let n = 0; const i = document.createTreeWalker(document); while (i.nextNode()) n++; return n`); n.(float64) < 50000 {
		t.Fatalf("the page has %v nodes, want 50,000", n)
	}
	do(t, ctx, p, []doing{
		{"click", args{"selector": "role:button[name='Save']"}, "name:Save"},
		{"wait", args{"text": "Saved"}, ""},
		{"fill_form", args{"fields": args{"Name": "Ada", "Agree": true, "Size": "L"}}, "Agree:true Name:Ada Size:[L]"},
		{"type", args{"selector": "label:Name", "text": " L"}, "text:Ada L"},
		{"find", args{"text": "Saved"}, "count:1"},
		{"get", args{"selector": "css:a", "what": "count"}, "count:10000"},
		{"get", args{"what": "text", "limit": 20}, "(20 of "},
		{"is", args{"selector": "label:Agree", "state": "checked"}, "true"},
		{"scroll_into_view", args{"selector": "css:p:last-child a"}, "name:Link"},
		{"extract", args{"rows": "css:#m p", "fields": args{"word": "css:span"}}, "count:10000"},
	})
	_, _, err := runStep(t, ctx, p, "click", args{"selector": "text:Nowhere"})
	wantCode(t, err, diag.ElementNotFound, "text:Nowhere")
	link, err := selectors.Parse("text:Link", selectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Press(ctx, within(targetOf(link), 20*time.Second), driver.PressOptions{}) // a busy machine needs long for all of them
	wantCode(t, err, diag.ElementAmbiguous, "matches 10000 elements")
}

// renewed renders everything again on each event, from its own state.
const renewed = `<div id=app></div><script>
	const state = {name: '', agree: false, size: 's', n: 0};
	const esc = (s) => s.replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt() + ';');
	function render() {
		const at = document.activeElement?.id;
		app.innerHTML = '<label>Name <input id=n value="' + esc(state.name) + '"></label><label><input type=checkbox id=c ' + (state.agree ? 'checked' : '') + '> Agree</label>' +
			'<label>Size <select id=s><option value=s>S<option value=l ' + (state.size === 'l' ? 'selected' : '') + '>L</select></label><button id=b>Add</button><output id=o>' + state.n + '</output>';
		if (at) { const el = document.getElementById(at); el?.focus(); el?.setSelectionRange?.(99, 99) }
	}
	render();
	addEventListener('input', (e) => { if (e.target.id === 'n') state.name = e.target.value; if (e.target.id === 'c') state.agree = e.target.checked; if (e.target.id === 's') state.size = e.target.value; render() });
	addEventListener('click', (e) => { if (e.target.id === 'b') state.n++; if (e.target.id !== 'c') render() });
	for (const type of %s) addEventListener(type, (e) => { if (!window.still) { still = true; render(); still = false } }, true);
</script>`

// On a page that renders everything again on each event, a step either has the effect that it
// reports, or fails with a code.
func TestStepsOnPageThatRendersAnew(t *testing.T) {
	tests := []struct {
		step  string
		args  args
		state string // of the page, when it is done
		done  string
	}{
		{"click", args{"selector": "role:button[name='Add']"}, "state.n", "1"},
		{"fill", args{"selector": "label:Name", "value": "Ada"}, "state.name", "Ada"},
		{"type", args{"selector": "label:Name", "text": "Ada"}, "state.name", "Ada"},
		{"check", args{"selector": "label:Agree"}, "state.agree", "true"},
		{"select", args{"selector": "label:Size", "values": "L"}, "state.size", "l"},
		{"hover", args{"selector": "css:#b"}, "1", "1"},
		{"get", args{"selector": "css:#o", "what": "text"}, "1", "1"},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.step, func(t *testing.T) {
			ctx, p := show(t, fmt.Sprintf(renewed, "['keyup', 'scroll']"))
			do(t, ctx, p, []doing{{tt.step, tt.args, ""}})
			if got := fmt.Sprint(evaluate(t, ctx, p, tt.state)); got != tt.done {
				t.Errorf("the page holds %s, want %s", got, tt.done)
			}
		})
		if tt.step == "click" {
			continue // the page removes the button during the press, which may be intended
		}
		t.Run(tt.step+" also on focus", func(t *testing.T) {
			ctx, p := show(t, fmt.Sprintf(renewed, "['keyup', 'scroll', 'focusin']"))
			_, _, err := runStep(t, ctx, p, tt.step, tt.args)
			if got := fmt.Sprint(evaluate(t, ctx, p, tt.state)); err == nil && got != tt.done {
				t.Errorf("said done, and the page holds %s, want %s", got, tt.done)
			}
			if e := diag.As(err); err != nil && (e == nil || e.Code != diag.StepFailed && e.Code != diag.ElementNotInteractable || e.Hint == "") {
				t.Errorf("failed with %v, want a code and the next step", err)
			}
		})
	}
}

// A wait continues in the documents that redirects load.
func TestWaitsThroughRedirects(t *testing.T) {
	testkit.Long(t)
	const hop = `<!doctype html><p>Please wait</p><script>setTimeout(() => location = "%s", 30)</script>`
	start := func(t *testing.T) string {
		var hops atomic.Int32
		mux := http.NewServeMux()
		mux.HandleFunc("/{n}", func(w http.ResponseWriter, r *http.Request) {
			hops.Add(1)
			next := map[string]string{"0": "/1", "1": "/2", "2": "/last"}[r.PathValue("n")]
			if r.PathValue("n") == "1" {
				http.Redirect(w, r, next, http.StatusFound)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, hop, next)
		})
		mux.HandleFunc("/last", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>End</title><label>Name <input id=n></label><button id=b onclick="this.textContent='Done'">Save</button>`)
		})
		return serve(t, mux)
	}
	tests := []doing{
		{"wait", args{"selector": "css:#b"}, "name:Save"},
		{"wait", args{"text": "Name"}, ""},
		{"wait", args{"url": "/last"}, "/last"},
		{"wait", args{"function": "document.title === 'End'"}, "true"},
		{"click", args{"selector": "text:Save"}, "name:Save"},
		{"fill", args{"selector": "label:Name", "value": "Ada"}, "value:Ada"},
		{"get", args{"selector": "css:#b", "what": "text"}, "Save"},
		{"extract", args{"rows": "css:#b", "fields": args{"b": args{"what": "text"}}}, "Save"},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.step+fmt.Sprint(tt.args), func(t *testing.T) {
			t.Parallel()
			ctx, p := newPage(t)
			if _, err := p.Open(ctx, start(t)+"/0", driver.Commit); err != nil {
				t.Fatal(err)
			}
			do(t, ctx, p, []doing{tt})
		})
	}
}

func TestDialogsWithoutEnd(t *testing.T) {
	ctx, p := show(t, `<label>Name <input id=n></label><button id=b onclick="for (let i = 0; i < 300; i++) confirm('sure ' + i); this.textContent = 'Asked'">Ask</button>
		<script>window.n = 0; setInterval(() => { if (n++ < 500) alert('again ' + n) }, 1)</script>`)
	// A dialog between press and release loses the release, which is reported.
	for tries := 0; ; tries++ {
		_, _, err := runStep(t, ctx, p, "click", args{"selector": "css:#b"})
		if err == nil {
			break
		}
		if e := wantCode(t, err, diag.StepFailed, "a dialog opened"); tries == 50 || t.Failed() {
			t.Fatal(e)
		}
	}
	do(t, ctx, p, []doing{
		{"wait", args{"text": "Asked"}, ""},
		{"fill", args{"selector": "label:Name", "value": "Ada"}, "Ada"},
		{"snapshot", nil, "Asked"},
		{"eval", args{"script": "document.title = 'x'"}, "x"},
	})
	if n := len(p.TakeDialogs()); n == 0 || n > dialogs.MostOfTab {
		t.Errorf("%d dialogs are kept, want some and at most %d", n, dialogs.MostOfTab)
	}
}

// A page that opens dialogs in an endless loop delays one step, until its timeout, but not the next
// document.
func TestDialogsInAnEndlessLoop(t *testing.T) {
	testkit.Long(t)
	ctx, p := show(t, `<button id=b onclick="for (;;) alert('no end')">Ask</button>`)
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, err := p.Press(short, within(css("#b"), 500*time.Millisecond), driver.PressOptions{})
	wantCode(t, err, diag.Timeout)
	if _, err := p.Open(ctx, site(t, map[string]string{"/": "<!doctype html><p>Quiet</p>"}), driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, p, "document.body.innerText"); got != "Quiet" {
		t.Errorf("the page shows %v", got)
	}
}

// Control characters and bidirectional marks in names and texts neither hide an element nor appear
// in messages.
func TestControlCharacters(t *testing.T) {
	ctx, p := show(t, `<button id=b></button><label id=l><input id=n></label><p id=q></p><select id=s aria-label=Pick></select><script>
		b.textContent = 'Sa\u200bve\u2060 n\u00adow'; b.onclick = () => q.textContent = 'pressed';
		l.prepend('Na\u00adme\u200b'); s.innerHTML = '<option>\u202aOne\u202c</option><option>T\u2060wo</option>';
	</script>`)
	do(t, ctx, p, []doing{
		{"click", args{"selector": "role:button[name='Save now']"}, "name:Save now"},
		{"wait", args{"text": "pressed"}, ""},
		{"click", args{"selector": "text:Save now"}, "role:button"},
		{"fill", args{"selector": "label:Name", "value": "a\tb\u202ec\u200d"}, "a\tb\u202ec\u200d"},
		{"select", args{"selector": "css:#s", "values": "Two"}, "wo"},
		{"find", args{"role": "button", "name": "Save now"}, "count:1"},
	})
	_, _, err := runStep(t, ctx, p, "select", args{"selector": "css:#s", "values": "Three\u202e\n\x1b[31m"})
	e := wantCode(t, err, diag.StepFailed, "available: One, Two")
	evaluate(t, ctx, p, `b.id = 'b\u202e\x1b[31m'`)
	_, _, err2 := runStep(t, ctx, p, "check", args{"selector": "css:button"})
	e2 := wantCode(t, err2, diag.StepFailed, "is not a checkbox")
	for _, text := range []string{e.Msg, e.Hint, e2.Msg, e2.Hint} {
		if i := strings.IndexFunc(text, func(r rune) bool {
			return r < ' ' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		}); i >= 0 {
			t.Errorf("%q has a control character", text)
		}
	}
}
