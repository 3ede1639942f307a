package browser

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

func TestPressSendsTrustedEvents(t *testing.T) {
	ctx, p := show(t, `<button id=b>Save</button><script>
		window.log=[];
		for(const n of ['mousemove','pointerdown','mousedown','focus','pointerup','mouseup','click'])
			b.addEventListener(n,e=>log.push(n+(e.isTrusted?'':'!')))
	</script>`)
	got, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "Save" || got.Role != "button" || got.Navigated != nil {
		t.Errorf("got %+v, want the Save button and no navigation", got)
	}
	const want = "mousemove,pointerdown,mousedown,focus,pointerup,mouseup,click"
	if log := evaluate(t, ctx, p, "log.join()"); log != want {
		t.Errorf("events %v, want %v", log, want)
	}
}

func TestPressOptions(t *testing.T) {
	tests := []struct {
		name string
		o    driver.PressOptions
		want string
	}{
		{"left", driver.PressOptions{}, "click 0"},
		{"double", driver.PressOptions{Count: 2}, "click 0,click 0,dblclick 0"},
		{"right", driver.PressOptions{Button: "right"}, "contextmenu 2"},
		{"middle", driver.PressOptions{Button: "middle"}, "auxclick 1"},
		{"modifiers", driver.PressOptions{Modifiers: []string{"Shift", "Alt"}}, "click 0 shift alt"},
		{"position", driver.PressOptions{Position: &driver.Point{X: 7, Y: 9}}, "click 0 at 7 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, `<div id=b style="width:100px;height:50px">x</div><script>
				window.log=[];
				for(const n of ['click','dblclick','auxclick','contextmenu']) b.addEventListener(n,e=>{
					if (n==='auxclick' && e.button===2) return;
					log.push(n+' '+e.button+(e.shiftKey?' shift':'')+(e.altKey?' alt':'')+(e.offsetX===7?' at '+e.offsetX+' '+e.offsetY:''))})
			</script>`)
			if _, err := p.Press(ctx, css("#b"), tt.o); err != nil {
				t.Fatal(err)
			}
			if log := evaluate(t, ctx, p, "log.join()"); log != tt.want {
				t.Errorf("events %q, want %q", log, tt.want)
			}
		})
	}
}

// A click on an actionable element takes one evaluation, three events and one read-back.
func TestPressMessages(t *testing.T) {
	var mu sync.Mutex
	var sent []string
	ctx := testContext(t)
	b, err := Launch(ctx, startup.Options{Trace: func(m string) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, m)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close(ctx)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	url := site(t, map[string]string{
		"/plain": `<!doctype html><button>Save</button>`,
		"/other": `<!doctype html><style>button::after{content:"!"}</style><button>Save</button>`,
	})
	press := []string{"Runtime.callFunctionOn", "Input.dispatchMouseEvent", "Input.dispatchMouseEvent",
		"Input.dispatchMouseEvent", "Runtime.callFunctionOn"}
	// The first role that only the browser knows makes the browser keep its accessibility tree.
	first := append([]string{"Runtime.callFunctionOn", "Accessibility.enable", "Accessibility.getRootAXNode"}, press...)
	for _, tt := range []struct {
		page, name string
		want       [][]string
	}{{"/other", "Save!", [][]string{first, press}}, {"/plain", "Save", [][]string{press, press}}} {
		if _, err := p.Open(ctx, url+tt.page, driver.Load); err != nil {
			t.Fatal(err)
		}
		for i, want := range tt.want {
			mu.Lock()
			if ends := slices.Contains(sent, "Accessibility.disable"); i == 0 && ends != (tt.page == "/plain") {
				t.Errorf("%s: the tree of the page before is kept: %v", tt.page, !ends)
			}
			sent = nil
			mu.Unlock()
			if _, err := p.Press(ctx, query(rolePart("button", tt.name)), driver.PressOptions{}); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			if !slices.Equal(sent, want) {
				t.Errorf("%s: press %d sent %q, want %q", tt.page, i, sent, want)
			}
			mu.Unlock()
		}
	}
}

func TestPressWaits(t *testing.T) {
	tests := []struct{ name, html string }{
		{"appears", `<script>setTimeout(()=>document.body.innerHTML='<button id=b onclick="window.hit=1">x</button>',60)</script>`},
		{"shown", `<button id=b style="display:none" onclick="window.hit=1">x</button><script>setTimeout(()=>b.style.display='',60)</script>`},
		{"enabled", `<button id=b disabled onclick="window.hit=1">x</button><script>setTimeout(()=>b.disabled=false,60)</script>`},
		{"uncovered", `<button id=b onclick="window.hit=1">x</button><div id=m style="position:fixed;inset:0"></div><script>setTimeout(()=>m.remove(),60)</script>`},
		{"comes to rest", `<style>@keyframes a{from{margin-left:300px}}</style><button id=b style="animation:a .2s" onclick="window.hit=1">x</button>`},
		{"far below", `<div style="height:5000px"></div><button id=b onclick="window.hit=1">x</button>`},
		{"in a shadow root", `<x-y></x-y><script>customElements.define('x-y',class extends HTMLElement{constructor(){super();
			this.attachShadow({mode:'open'}).innerHTML='<button id=b onclick="window.hit=1">x</button>'}})</script>`},
		{"shadow host", `<x-y id=b onclick="window.hit=1">slotted</x-y><script>customElements.define('x-y',class extends HTMLElement{constructor(){super();
			this.attachShadow({mode:'open'}).innerHTML='<button><slot></slot></button>'}})</script>`},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
				t.Fatal(err)
			}
			if hit := evaluate(t, ctx, p, "window.hit"); hit != 1.0 {
				t.Errorf("the handler ran %v times, want once", hit)
			}
		})
	}
}

func TestPressFailures(t *testing.T) {
	const mask = `<div class=mask style="position:fixed;inset:0"></div>`
	tests := []struct {
		name, html string
		code       diag.Code
		texts      []string
		missing    any
	}{
		{"nothing", `<p>x</p>`, diag.ElementNotFound, []string{"nothing matches css:#b"}, nil},
		{"hidden", `<button id=b hidden>Save</button>`, diag.ElementNotInteractable, nil, "visible"},
		{"disabled", `<button id=b disabled>Save</button>`, diag.ElementNotInteractable, []string{`"Save" button`}, "enabled"},
		{"covered", `<button id=b>Save</button>` + mask, diag.ElementNotInteractable, []string{`"Save" button: covered by <div`, "mask"}, "hit"},
		{"bad selector", `<button id=b>Save</button>`, diag.ParamInvalid, []string{"##"}, nil},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			target := css("#b")
			if tt.name == "bad selector" {
				target = css("##")
			}
			_, err := p.Press(ctx, within(target, 150*time.Millisecond), driver.PressOptions{})
			e := wantCode(t, err, tt.code, tt.texts...)
			if e.Details["missing"] != tt.missing {
				t.Errorf("details.missing is %v, want %v", e.Details["missing"], tt.missing)
			}
		})
	}
}

func TestAnEmptyPageIsTold(t *testing.T) {
	ctx, p := show(t, `<div id=app></div>`)
	_, err := p.Press(ctx, within(css("#b"), 0), driver.PressOptions{})
	if e := wantCode(t, err, diag.ElementNotFound); !strings.Contains(e.Hint, "the page shows nothing") {
		t.Errorf("hint %q, want what the page lacks", e.Hint)
	}
}

func TestAnErrorPageIsNamed(t *testing.T) {
	ctx, p := show(t, `<p>x</p>`)
	address := "http://" + nobody(t) + "/x"
	if _, err := p.Open(ctx, address, driver.Load); err == nil {
		t.Fatalf("%s was opened", address)
	}
	_, err := p.Press(ctx, within(css("#b"), 0), driver.PressOptions{})
	e := wantCode(t, err, diag.ElementNotFound)
	if want := "the browser's error page (cannot open " + address + ": nothing is listening there (ERR_CONNECTION_REFUSED))"; !strings.Contains(e.Hint, want) {
		t.Errorf("hint %q, want %q in it", e.Hint, want)
	}
	if e.Details["unreachable"] != address {
		t.Errorf("details.unreachable is %v, want %s", e.Details["unreachable"], address)
	}
}

func TestPressAmbiguous(t *testing.T) {
	ctx, p := show(t, `<button class=b id=one>Save</button><button class=b id=two>Save</button>`)
	_, err := p.Press(ctx, css(".b"), driver.PressOptions{})
	e := wantCode(t, err, diag.ElementAmbiguous, "css:.b matches 2 elements")
	if lines, _ := e.Details["lines"].([]string); len(lines) != 2 || !strings.Contains(lines[0], "one") {
		t.Errorf("details.lines is %v, want a line about each", e.Details["lines"])
	}
}

// The element jumps away when the button goes down. The page has seen that press, so it is not
// repeated, and the element under the release sees nothing.
func TestAPressThatBeganIsNotRepeated(t *testing.T) {
	ctx, p := show(t, `<style>button{position:absolute;left:0;width:80px;height:30px}#b{top:0}#bad{top:100px}</style>
		<button id=b onmousedown="downs++;b.style.top='100px';bad.style.top='0'">Go</button><button id=bad onclick="wrong++" onmouseup="wrong++">Delete</button>
		<script>window.downs=0;window.wrong=0</script>`)
	_, err := p.Press(ctx, within(css("#b"), 2*time.Second), driver.PressOptions{})
	wantCode(t, err, diag.StepFailed, "would have ended on <button#bad")
	if got := evaluate(t, ctx, p, "[downs,wrong].join()"); got != "1,0" {
		t.Errorf("downs and wrong events: got %v, want 1,0", got)
	}
}

// The element jumps away before the press. The element that is there instead sees nothing.
func TestPressNeverHitsAnotherElement(t *testing.T) {
	const page = `<style>button{position:fixed;left:0;width:100px;height:40px}</style>
		<button id=bad style="top:200px" onclick="window.worse=1">Delete</button>
		<button id=b style="top:0" onclick="window.hit=(window.hit||0)+1">Save</button>
		<script>window.jumps=0;
		// Chromium tells the page about the move before the press.
		addEventListener('mousemove',()=>{ if(jumps++<%d){ [b.style.top,bad.style.top]=[bad.style.top,b.style.top] } },true)</script>`
	t.Run("once", func(t *testing.T) {
		ctx, p := show(t, fmt.Sprintf(page, 1))
		if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if v := evaluate(t, ctx, p, "[window.worse,window.hit].join()"); v != ",1" {
			t.Errorf("[bad,hit] = %v, want only one hit", v)
		}
	})
	t.Run("always", func(t *testing.T) {
		ctx, p := show(t, fmt.Sprintf(page, 1000000))
		_, err := p.Press(ctx, within(css("#b"), 300*time.Millisecond), driver.PressOptions{})
		wantCode(t, err, diag.ElementNotInteractable, "would have hit", "Delete")
		if v := evaluate(t, ctx, p, "[window.worse,window.hit].join()"); v != "," {
			t.Errorf("[bad,hit] = %v, want neither", v)
		}
	})
}

func TestPressStoppedByValidation(t *testing.T) {
	ctx, p := show(t, `<form action=/sent><label>Mail <input name=mail required></label><button>Send</button></form>`)
	_, err := p.Press(ctx, css("button"), driver.PressOptions{})
	e := wantCode(t, err, diag.StepFailed, "Mail")
	if e.Details["field"] != "Mail" || e.Details["reason"] == "" {
		t.Errorf("details %v, want field and reason", e.Details)
	}
}

// pressPages serves a page for each result of a press.
func pressPages() http.Handler {
	mux := http.NewServeMux()
	html := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>", body)
		})
	}
	html("/{$}", `<title>start</title>
		<a id=link href=/next>x</a> <a id=hash href=#h>x</a> <a id=none href=/none>x</a> <a id=file href=/file>x</a>
		<a id=refused href="http://127.0.0.1:1/">x</a> <a id=blank href=/next target=_blank>x</a> <a id=void href="javascript:void(0)">x</a>
		<form action=/next><button id=get>x</button></form><form action=/post method=post><button id=post>x</button></form>
		<button id=script onclick="location.href='/next'">x</button>
		<button id=reload onclick="location.reload()">x</button>
		<button id=push onclick="history.pushState({},'','/pushed')">x</button>
		<button id=alert onclick="alert('hi');window.after=1">x</button>
		<button id=moved onclick="location.href='/moved'">x</button>
		<button id=gone onclick="this.remove()">x</button>
		<a id=slow href=/slow>x</a>`)
	html("/next", "<title>next</title>")
	html("/slow", "<title>slow</title>")
	html("POST /post", "<title>posted</title>")
	mux.HandleFunc("/none", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		fmt.Fprint(w, "data")
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/next", http.StatusFound) })
	return mux
}

func TestPressNavigates(t *testing.T) {
	url := serve(t, pressPages())
	tests := []struct {
		id, title, at string // title "": no new document
		failed        string // the message of NAVIGATION_FAILED
	}{
		{id: "link", title: "next", at: "/next"},
		{id: "get", title: "next", at: "/next?"},
		{id: "post", title: "posted", at: "/post"},
		{id: "script", title: "next", at: "/next"},
		{id: "moved", title: "next", at: "/next"},
		{id: "reload", title: "start", at: "/"},
		{id: "refused", failed: "ERR_UNSAFE_PORT"}, {id: "none", failed: "204 No Content"},
		{id: "hash", at: "/#h"}, {id: "push", at: "/pushed"}, {id: "file", at: "/"},
		{id: "blank", at: "/"}, {id: "void", at: "/"}, {id: "alert", at: "/"}, {id: "gone", at: "/"},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			ctx, p := sharedPage(t)
			if _, err := p.Open(ctx, url, driver.Load); err != nil {
				t.Fatal(err)
			}
			before, err := p.Document(ctx)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Press(ctx, css("#"+tt.id), driver.PressOptions{})
			if tt.failed != "" {
				wantCode(t, err, diag.NavigationFailed, tt.failed)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			after, err := p.Document(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if isNew := after.ID != before.ID; isNew != (tt.title != "") || isNew != (got.Navigated != nil) {
				t.Errorf("new document: %v, navigation told: %v, want %v", isNew, got.Navigated, tt.title != "")
			}
			if after.URL != url+tt.at {
				t.Errorf("at %s, want %s", after.URL, url+tt.at)
			}
			if n := got.Navigated; n != nil && (n.Status != 200 || n.Title != tt.title && n.Title != "") {
				t.Errorf("navigation %+v, want status 200 and title %q", *n, tt.title)
			}
			if tt.id == "alert" {
				if after := evaluate(t, ctx, p, "window.after"); after != 1.0 {
					t.Errorf("the script after alert gave %v, want 1", after)
				}
			}
		})
	}
}

func TestDialogs(t *testing.T) {
	ctx, p := show(t, `<button id=b onclick="window.got=[alert('a'),confirm('c'),prompt('p','d')]">x</button>`)
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(evaluate(t, ctx, p, "window.got")); got != "[<nil> false <nil>]" {
		t.Errorf("the page got %v, want alert accepted, confirm and prompt dismissed", got)
	}
	got := p.TakeDialogs()
	want := []chrome.Dialog{
		{Kind: "alert", Message: "a", Answer: "accepted"}, {Kind: "confirm", Message: "c", Answer: "dismissed"},
		{Kind: "prompt", Message: "p", Default: "d", Answer: "dismissed"},
	}
	for i := range got {
		got[i].Number, got[i].URL, got[i].Tab = 0, "", "" // the browser is that of other tests, too
	}
	if !slices.Equal(got, want) {
		t.Errorf("dialogs %v, want %v", got, want)
	}
	if again := p.TakeDialogs(); len(again) != 0 {
		t.Errorf("dialogs again %v, want none", again)
	}
}

func TestBeforeUnloadIsAccepted(t *testing.T) {
	url := site(t, map[string]string{"/": `<button id=b onclick="onbeforeunload=e=>e.preventDefault()">x</button>`, "/next": "next"})
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, url+"/next", driver.Load); err != nil {
		t.Fatal(err)
	}
	if d := p.TakeDialogs(); len(d) != 1 || d[0].Kind != "beforeunload" || d[0].Answer != "accepted" {
		t.Errorf("dialogs %v, want one beforeunload accepted", d)
	}
}

func TestHoverAndPressAt(t *testing.T) {
	ctx, p := show(t, `<style>#b{position:fixed;left:50px;top:50px;width:80px;height:30px}</style>
		<button id=b onmouseover="window.over=1" onclick="window.hit=1">Menu</button>`)
	el, err := p.Hover(ctx, css("#b"), driver.PressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if el.Name != "Menu" {
		t.Errorf("hovered %+v, want Menu", el)
	}
	got, err := p.PressAt(ctx, driver.Point{X: 60, Y: 60}, driver.PressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Desc, "#b") {
		t.Errorf("pressed %q, want #b", got.Desc)
	}
	if v := evaluate(t, ctx, p, "[window.over,window.hit].join()"); v != "1,1" {
		t.Errorf("[over,hit] = %v, want 1,1", v)
	}
}

func TestScrollIntoView(t *testing.T) {
	ctx, p := show(t, `<div style="height:4000px"></div><p id=b>below</p>`)
	if _, err := p.ScrollIntoView(ctx, css("#b")); err != nil {
		t.Fatal(err)
	}
	if y, _ := evaluate(t, ctx, p, "scrollY").(float64); y < 1000 {
		t.Errorf("scrolled to %v, want below 1000", y)
	}
}

// Bind is called again for a document that replaces another one during a wait.
func TestBindForEachDocument(t *testing.T) {
	url := site(t, map[string]string{
		"/":     `<script>setTimeout(()=>location.href='/next',50)</script>`,
		"/next": `<button id=new onclick="window.hit=1">x</button>`,
	})
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	var docs []driver.Document
	target := css("")
	target.Bind = func(_ context.Context, d driver.Document) (*selectors.Query, error) {
		docs = append(docs, d)
		selector := "#old"
		if strings.HasSuffix(d.URL, "/next") {
			selector = "#new"
		}
		return &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: selector}}}, nil
	}
	got, err := p.Press(ctx, target, driver.PressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Navigated != nil {
		t.Errorf("the press tells %+v, which the page did before by itself", got.Navigated)
	}
	if len(docs) != 2 || docs[0].ID == docs[1].ID {
		t.Errorf("bound for %v, want two documents", docs)
	}
}

// The page may be busy with a press for as long as the element may be waited for. A step with more
// time gives it to the page too.
func TestAnswerTime(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{time.Second: 7 * time.Second, 15 * time.Second: 15 * time.Second} {
		if got := (&seeker{limit: limit}).answerTime(); got != want {
			t.Errorf("answer time of a wait of %s: got %s, want %s", limit, got, want)
		}
	}
}

// In other steps the page has the time of the step, however short the wait for the element is.
func TestAnswerTimeOfALook(t *testing.T) {
	if got := documents.AnswerWithin(t.Context(), time.Second); got != time.Second+documents.AnswerGrace {
		t.Errorf("without a deadline: got %s", got)
	}
	for _, whole := range []time.Duration{time.Second, time.Minute} {
		ctx, cancel := context.WithTimeout(t.Context(), whole)
		defer cancel()
		got := documents.AnswerWithin(ctx, 10*time.Millisecond)
		if low := max(whole-time.Second, documents.AnswerGrace); got < low || got > max(whole, documents.AnswerGrace+time.Second) {
			t.Errorf("of %s: got %s", whole, got)
		}
	}
}
