package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// inBackground runs f, which must return before the test ends.
func inBackground(t *testing.T, f func() error) (wait func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	return func() error { return <-done }
}

// A search waits for a frame that comes late, is empty at first, navigates and changes its process.
func TestFrameLate(t *testing.T) {
	testkit.Long(t)
	pages := map[string]string{
		"/main":  `<h1>main</h1>`,
		"/blank": `<p>nothing yet`,
		"/form":  `<button onclick="document.title=this.textContent='hit'">Pay</button>`,
	}
	tests := []struct{ name, script string }{
		{"comes late", `const f=document.createElement('iframe');f.id='f';f.src=far+'/form';document.body.append(f)`},
		{"goes to another document", `const f=document.createElement('iframe');f.id='f';f.src=far+'/blank';f.onload=()=>{f.onload=null;setTimeout(()=>f.src=far+'/form',150)};document.body.append(f)`},
		{"goes to another process", `const f=document.createElement('iframe');f.id='f';f.src=far+'/blank';f.onload=()=>{f.onload=null;setTimeout(()=>f.src='/form',150)};document.body.append(f)`},
		{"comes from this process", `const f=document.createElement('iframe');f.id='f';f.src='/blank';f.onload=()=>{f.onload=null;setTimeout(()=>f.src=far+'/form',150)};document.body.append(f)`},
		{"is removed and added again", `const f=document.createElement('iframe');f.id='f';f.src=far+'/blank';f.onload=()=>{f.onload=null;setTimeout(()=>{f.remove();f.src=far+'/form';document.body.append(f)},150)};document.body.append(f)`},
		{"is another one then", `const f=document.createElement('iframe');f.id='f';f.src=far+'/blank';f.onload=()=>setTimeout(()=>{f.id='';const g=document.createElement('iframe');g.id='f';g.src=far+'/form';document.body.append(g)},150);document.body.append(f)`},
		{"shows up", `const f=document.createElement('iframe');f.id='f';f.style.display='none';f.src=far+'/form';f.onload=()=>setTimeout(()=>f.style.display='',150);document.body.append(f)`},
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		_, far := openFrames(t, ctx, p, pages)
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				evaluate(t, ctx, p, "document.querySelectorAll('iframe').forEach(f=>f.remove())")
				target := chain(framePart("#f"), rolePart("button", "Pay"))
				wait := inBackground(t, func() error {
					_, err := p.Press(ctx, target, driver.PressOptions{})
					return err
				})
				if _, err := p.Eval(ctx, "{ const far='"+far+"'; setTimeout(()=>{"+tt.script+"}, 100) }", nil); err != nil {
					t.Error(err)
				}
				if err := wait(); err != nil {
					t.Fatal(err)
				}
				if got := readText(t, ctx, p, chain(framePart("#f"), cssPart("button"))); got != "hit" {
					t.Errorf("the button says %q, want hit", got)
				}
			})
		}
	})
}

func TestFrameFailures(t *testing.T) {
	const frames = `<iframe id=a src="FAR/form"></iframe><iframe id=b src="HERE/form"></iframe><iframe id=hid style="display:none" src="FAR/form"></iframe><p id=p>text</p>`
	short := 400 * time.Millisecond
	tests := []struct {
		name   string
		parts  []selectors.QueryPart
		code   diag.Code
		text   string
		within time.Duration
	}{
		{"several", []selectors.QueryPart{framePart("#a,#b"), cssPart("button")}, diag.ElementAmbiguous, "matches 2 frames", 2 * time.Second},
		{"no frame", []selectors.QueryPart{framePart("#p"), cssPart("button")}, diag.ParamInvalid, "is not a frame", 2 * time.Second},
		{"no such frame", []selectors.QueryPart{framePart("#none"), cssPart("button")}, diag.ElementNotFound, "nothing matches", short},
		{"nothing in it", []selectors.QueryPart{framePart("#a"), cssPart("#none")}, diag.ElementNotFound, "nothing matches", short},
		{"several in it", []selectors.QueryPart{framePart("#a"), cssPart("button,b")}, diag.ElementAmbiguous, "matches 2 elements", 2 * time.Second},
		{"hidden", []selectors.QueryPart{framePart("#hid"), cssPart("button")}, diag.ElementNotInteractable, "its frame <iframe#hid> is not visible", short},
		{"not without frame:", []selectors.QueryPart{textPart("Far away")}, diag.ElementNotFound, "nothing matches", short},
		{"filter", []selectors.QueryPart{cssPart("body"), {Kind: selectors.Has, Has: &selectors.Query{Parts: []selectors.QueryPart{framePart("#a"), cssPart("b")}}}}, diag.ParamInvalid, "another origin", short},
		{"bad CSS in it", []selectors.QueryPart{framePart("#a"), cssPart("b[[")}, diag.ParamInvalid, "refuses the selector", short},
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{"/main": frames, "/form": `<button>Pay</button><b>Far away</b>`})
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				_, err := p.Press(ctx, within(chain(tt.parts...), tt.within), driver.PressOptions{})
				wantCode(t, err, tt.code, tt.text)
			})
		}
		if f, err := p.Find(ctx, chain(framePart("#hid"), cssPart("button"))); err != nil || f.Count != 1 || f.Visible {
			t.Errorf("find in a hidden frame: got %+v, %v", f, err)
		}
		if is, err := p.Is(ctx, chain(framePart("#hid"), cssPart("button")), "visible"); err != nil || is {
			t.Errorf("is visible in a hidden frame: got %v, %v", is, err)
		}
		if is, err := p.Is(ctx, chain(framePart("#none"), cssPart("button")), "visible"); err != nil || is {
			t.Errorf("is visible in no frame: got %v, %v", is, err)
		}
	})
}

// An error names what covers the frame, and a press waits until that is gone.
func TestFrameCovered(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<iframe id=f src="FAR/form"></iframe><div class=mask style="position:fixed;inset:0" onclick="window.masked=1"></div>`,
			"/form": `<button onclick="this.textContent='hit'">Pay</button>`,
		})
		target := chain(framePart("#f"), cssPart("button"))
		_, err := p.Press(ctx, within(target, 300*time.Millisecond), driver.PressOptions{})
		e := wantCode(t, err, diag.ElementNotInteractable, "covered by <div class=mask>")
		if e.Details["missing"] != "hit" {
			t.Errorf("missing is %v, want hit", e.Details["missing"])
		}
		evaluate(t, ctx, p, "setTimeout(()=>document.querySelector('.mask').remove(), 200)")
		if _, err := p.Press(ctx, target, driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := readText(t, ctx, p, target); got != "hit" {
			t.Errorf("the button says %q, want hit", got)
		}
		if got := evaluate(t, ctx, p, "window.masked ?? 0"); got != 0.0 {
			t.Error("the mask was pressed")
		}
		// The guard of the press is gone: a press beside the frame arrives.
		evaluate(t, ctx, p, "addEventListener('click', () => window.free = 1)")
		if _, err := p.PressAt(ctx, driver.Point{X: 700, Y: 500}, driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, ctx, p, "window.free"); got != 1.0 {
			t.Error("a press beside the frame did not arrive")
		}
	})
}

// A mask that appears between the check and the press is not pressed.
func TestFrameShield(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<iframe id=f src="FAR/form"></iframe><script>
				document.addEventListener('mouseover', () => {}, true);
				f.addEventListener('mouseenter', () => { if (window.once) return; window.once = 1; const m = document.createElement('div'); m.className = 'mask'; m.style = 'position:fixed;inset:0';
				m.onclick = m.onmousedown = () => window.masked = 1; document.body.append(m); setTimeout(() => m.remove(), 300) })</script>`,
			"/form": `<button onclick="this.textContent='hit'">Pay</button>`,
		})
		target := chain(framePart("#f"), cssPart("button"))
		if _, err := p.Press(ctx, target, driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := readText(t, ctx, p, target); got != "hit" {
			t.Errorf("the button says %q, want hit", got)
		}
		if got := evaluate(t, ctx, p, "window.masked ?? 0"); got != 0.0 {
			t.Error("the mask was pressed")
		}
	})
}

// Candidates of an alias may be in frames: the first that matches wins.
func TestFrameAlias(t *testing.T) {
	testkit.Long(t)
	const page = `<iframe id=a src="FAR/form"></iframe><iframe id=b src="FAR/other"></iframe><button id=own>Own</button>`
	inA, inB := framePart("#a"), framePart("#b")
	tests := []struct {
		name string
		pick selectors.QueryPart
		rest []selectors.QueryPart
		want string
		won  int
	}{
		{"first in a frame", aliasPart([]selectors.QueryPart{inA, cssPart("button")}, []selectors.QueryPart{cssPart("#own")}), nil, "Pay", 0},
		{"falls back to the page", aliasPart([]selectors.QueryPart{inA, cssPart("#none")}, []selectors.QueryPart{cssPart("#own")}), nil, "Own", 1},
		{"falls back to a frame", aliasPart([]selectors.QueryPart{cssPart("#none")}, []selectors.QueryPart{inB, cssPart("button")}), nil, "Other", 1},
		{"from frame to frame", aliasPart([]selectors.QueryPart{inA, cssPart("#none")}, []selectors.QueryPart{inB, cssPart("button")}), nil, "Other", 1},
		{"more follows", aliasPart([]selectors.QueryPart{inA, cssPart("#none")}, []selectors.QueryPart{inB, cssPart("div")}), []selectors.QueryPart{rolePart("button", "Other")}, "Other", 1},
		{"names the frame", selectors.QueryPart{Kind: selectors.Frame, Frame: &selectors.Query{Parts: []selectors.QueryPart{
			aliasPart([]selectors.QueryPart{cssPart("#none")}, []selectors.QueryPart{cssPart("#b")})}}}, []selectors.QueryPart{cssPart("button")}, "Other", 1},
		{"inside a frame", inA, []selectors.QueryPart{aliasPart([]selectors.QueryPart{cssPart("#none")}, []selectors.QueryPart{cssPart("button")})}, "Pay", 1},
		{"frame in a frame by alias", selectors.QueryPart{Kind: selectors.Frame, Frame: &selectors.Query{Parts: []selectors.QueryPart{
			aliasPart([]selectors.QueryPart{inA, cssPart("#none")}, []selectors.QueryPart{inB, cssPart("iframe")})}}}, []selectors.QueryPart{cssPart("i")}, "deep", 1},
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{"/main": page, "/form": `<button>Pay</button>`,
			"/other": `<div><button>Other</button></div><iframe src="FAR/deep"></iframe>`, "/deep": "<i>deep</i>"})
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				target := chain(append([]selectors.QueryPart{tt.pick}, tt.rest...)...)
				target.Grace = 200 * time.Millisecond
				var won []string
				target.Decided = func(_ driver.Document, w driver.Winner) { won = append(won, fmt.Sprint(w.Alias, " ", w.Index)) }
				if got := readText(t, ctx, p, target); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				if want := fmt.Sprint("[it ", tt.won, "]"); fmt.Sprint(won) != want {
					t.Errorf("winners %v, want %v", won, want)
				}
				f, err := p.Find(ctx, target)
				if err != nil || f.Count != 1 || f.Element.Text != tt.want {
					t.Errorf("find: got %+v, %v, want one %q", f, err, tt.want)
				}
				r, err := p.Press(ctx, target, driver.PressOptions{})
				if err != nil || r.Element.Text != tt.want {
					t.Errorf("press: got %+v, %v, want %q", r, err, tt.want)
				}
			})
		}
	})
}

// A candidate that appears later in a frame wins as soon as it appears. The state hidden requires
// that all candidates are gone.
func TestFrameAliasWaits(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<iframe id=a src="FAR/form"></iframe><iframe id=b src="FAR/form"></iframe><b id=own>own</b>`,
			"/form": `<script>addEventListener('message', (e) => setTimeout(() => document.body.innerHTML = e.data, 150))</script>`,
		})
		target := chain(aliasPart([]selectors.QueryPart{framePart("#a"), cssPart("button")}, []selectors.QueryPart{framePart("#b"), cssPart("button")}))
		target.Grace = 100 * time.Millisecond
		evaluate(t, ctx, p, "setTimeout(()=>b.contentWindow.postMessage('<button>Late</button>','*'), 200)")
		if got := readText(t, ctx, p, target); got != "Late" {
			t.Errorf("got %q, want Late", got)
		}
		hidden := driver.ElementState{State: "hidden"}
		_, err := p.WaitElement(ctx, within(target, 300*time.Millisecond), hidden)
		wantCode(t, err, diag.ElementNotInteractable, "still visible")
		evaluate(t, ctx, p, "b.contentWindow.postMessage('','*')")
		if _, err := p.WaitElement(ctx, target, hidden); err != nil {
			t.Error("hidden:", err)
		}
		evaluate(t, ctx, p, "a.contentWindow.postMessage('<button>Again</button>','*')")
		if got := readText(t, ctx, p, target); got != "Again" {
			t.Errorf("got %q, want Again", got)
		}
		evaluate(t, ctx, p, "setTimeout(()=>{ a.style.display = 'none' }, 200)")
		if _, err := p.WaitElement(ctx, chain(framePart("#a"), cssPart("button")), hidden); err != nil {
			t.Error("hidden with its frame:", err)
		}
		evaluate(t, ctx, p, "a.style.display = ''; setTimeout(()=>a.remove(), 200)")
		if _, err := p.WaitElement(ctx, chain(framePart("#a"), cssPart("button")), driver.ElementState{State: "detached"}); err != nil {
			t.Error("detached with its frame:", err)
		}
	})
}

// A press that navigates the page or the frame ends when the new document has arrived.
func TestFrameNavigates(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		here, _ := openFrames(t, ctx, p, map[string]string{
			"/main": `<iframe id=f src="FAR/form"></iframe>`,
			"/form": `<a href="/next">On</a> <a target=_top href="HERE/main?top">Top</a> <form action="FAR/main" target=_top><button>Send</button><input required name=q></form>`,
			"/next": `<h1>next</h1><a href="HERE/form">Home</a>`,
		})
		link := func(name string) driver.Target { return chain(framePart("#f"), rolePart("link", name)) }
		if r, err := p.Press(ctx, link("On"), driver.PressOptions{}); err != nil || r.Navigated != nil {
			t.Fatalf("in the frame: got %+v, %v", r, err)
		}
		if f, err := p.Find(ctx, link("On")); err != nil || f.Count != 0 {
			t.Errorf("right after it: got %+v, %v, want the next document", f, err)
		}
		if r, err := p.Press(ctx, link("Home"), driver.PressOptions{}); err != nil || r.Navigated != nil {
			t.Fatalf("to another process: got %+v, %v", r, err)
		}
		if f, err := p.Find(ctx, link("Home")); err != nil || f.Count != 0 {
			t.Errorf("right after it: got %+v, %v, want the form", f, err)
		}
		_, err := p.Press(ctx, chain(framePart("#f"), rolePart("button", "Send")), driver.PressOptions{})
		wantCode(t, err, diag.StepFailed, "was not sent")
		r, err := p.Press(ctx, link("Top"), driver.PressOptions{})
		if err != nil || r.Navigated == nil || !strings.HasSuffix(r.Navigated.URL, "?top") {
			t.Fatalf("of the page: got %+v, %v", r, err)
		}
		if _, err := p.Fill(ctx, chain(framePart("#f"), cssPart("input")), "x"); err != nil {
			t.Fatal(err)
		}
		r, err = p.Press(ctx, chain(framePart("#f"), rolePart("button", "Send")), driver.PressOptions{})
		if err != nil || r.Navigated == nil || strings.HasPrefix(r.Navigated.URL, here) {
			t.Fatalf("a form of the frame: got %+v, %v", r, err)
		}
	})
}

func TestFrameCrashed(t *testing.T) {
	testkit.Long(t)
	for _, i := range []int{1, 2} {
		t.Run(frameBrowsers[i].name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			p, err := openPage(ctx, frameBrowser(t, i))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close(ctx)
			openFrames(t, ctx, p, map[string]string{
				"/main": `<button id=own>Own</button><iframe id=f src="FAR/form"></iframe>`, "/form": `<button>Pay</button>`})
			target := chain(framePart("#f"), cssPart("button"))
			readText(t, ctx, p, target)
			wait := inBackground(t, func() error {
				_, err := p.Press(ctx, within(chain(framePart("#f"), cssPart("#never")), time.Second), driver.PressOptions{})
				return err
			})
			session := ""
			for _, one := range p.Probe().Sessions {
				if one != p.Probe().Session {
					session = one
				}
			}
			p.Browser().Probe().Conn.Start(ctx, session, proto.PageCrash{})
			wantCode(t, wait(), diag.ElementNotFound, "crashed")
			_, err = p.Press(ctx, within(target, 100*time.Millisecond), driver.PressOptions{})
			wantCode(t, err, diag.ElementNotFound, "crashed")
			if _, err = p.Find(ctx, target); err == nil {
				t.Error("find in a crashed frame: no error")
			}
			if got := readText(t, ctx, p, css("#own")); got != "Own" {
				t.Errorf("the page says %q, want Own", got)
			}
			evaluate(t, ctx, p, "f.src = f.src")
			if got := readText(t, ctx, p, target); got != "Pay" {
				t.Errorf("the frame says %q after a reload, want Pay", got)
			}
		})
	}
}

// Frames that were removed leave nothing behind.
func TestFrameLeaks(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		_, far := openFrames(t, ctx, p, map[string]string{"/main": `<h1>main</h1>`, "/form": `<button>Pay</button>`})
		round := func() {
			t.Helper()
			evaluate(t, ctx, p, "const f=document.createElement('iframe');f.id='f';f.src='"+far+"/form';document.body.append(f)")
			readText(t, ctx, p, chain(framePart("#f"), cssPart("button")))
			evaluate(t, ctx, p, "f.remove()")
			if _, err := p.WaitElement(ctx, chain(framePart("#f"), cssPart("button")), driver.ElementState{State: "detached"}); err != nil {
				t.Fatal(err)
			}
		}
		round()
		for range 50 {
			round()
		}
		eventually(t, "forgetting the frames", func() bool {
			left := p.Probe()
			return left.Frames == 0 && left.Contexts == 0 && len(left.Sessions) == 1
		})
		_, lost := p.Browser().Probe().Conn.Held()
		if lost > 0 {
			t.Errorf("%d lost sessions are kept", lost)
		}
	})
}

// A dialog of a frame is answered once. A frame whose document does not arrive blocks nothing.
func TestFrameDialogAndHang(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		mux := http.NewServeMux()
		page := func(path, html string) {
			mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<!doctype html>", strings.ReplaceAll(html, "FAR", "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)))
			})
		}
		page("/main", `<iframe id=f src="FAR/form"></iframe><button id=own>Own</button>`)
		page("/form", `<button onclick="alert('hello')">Pay</button>`)
		over := make(chan struct{})
		mux.HandleFunc("/never", func(http.ResponseWriter, *http.Request) { <-over })
		here := serve(t, mux)
		t.Cleanup(func() { close(over) }) // before the server ends: a browser asks again
		if _, err := p.Open(ctx, here+"/main", driver.Load); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Press(ctx, chain(framePart("#f"), cssPart("button")), driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if d := p.TakeDialogs(); len(d) != 1 || d[0].Message != "hello" {
			t.Errorf("dialogs: got %+v, want one", d)
		}
		far := strings.Replace(here, "127.0.0.1", "localhost", 1)
		evaluate(t, ctx, p, "const g=document.createElement('iframe');g.id='g';g.src='"+far+"/never';document.body.append(g);undefined")
		if _, err := p.Press(ctx, css("#own"), driver.PressOptions{}); err != nil {
			t.Error("beside a frame that hangs:", err)
		}
		_, err := p.Press(ctx, within(chain(framePart("#g"), cssPart("button")), 300*time.Millisecond), driver.PressOptions{})
		wantCode(t, err, diag.ElementNotFound, "nothing matches")
	})
}

// The document of a frame handles the keys in it. A submit that validation stops is reported; one
// that succeeds is waited for.
func TestFrameKey(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		mux := http.NewServeMux()
		mux.HandleFunc("/outer", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<!doctype html><iframe id=f src='http://%s/form'></iframe>", strings.Replace(r.Host, "127.0.0.1", "localhost", 1))
		})
		mux.HandleFunc("/form", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><form action=/sent><input aria-label=Mail name=m required></form>")
		})
		mux.HandleFunc("/sent", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<!doctype html><p>sent %s</p>", r.FormValue("m"))
		})
		if _, err := p.Open(ctx, serve(t, mux)+"/outer", driver.Load); err != nil {
			t.Fatal(err)
		}
		field := chain(framePart("#f"), cssPart("input"))
		_, err := p.Key(ctx, &field, "Enter", 1)
		wantCode(t, err, diag.StepFailed, "Mail")
		if _, err := p.Fill(ctx, field, "ann"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Key(ctx, &field, "Enter", 1); err != nil {
			t.Fatal(err)
		}
		got, err := p.Read(ctx, chain(framePart("#f"), cssPart("p")), driver.ReadOptions{What: "text"})
		if err != nil || got.Value != "sent ann" {
			t.Errorf("the frame shows %v (%v), want what was sent", got.Value, err)
		}
	})
}
