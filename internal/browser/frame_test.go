package browser

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// frameBrowsers are the ways in which Chromium runs frames: in the page's process, and in their
// own.
var frameBrowsers = []struct {
	name    string
	options startup.Options
}{
	{"same process", startup.Options{}},
	{"own process", startup.Options{Args: []string{"--site-per-process"}}},
	{"full", startup.Options{Path: "chromium"}},
}

var frameLaunch [3]struct {
	once sync.Once
	b    *chrome.Browser
	err  error
}

// eachBrowser runs f, on its own page, for each of frameBrowsers; with -short, in one of the
// shell's.
func eachBrowser(t *testing.T, f func(t *testing.T, ctx context.Context, p *Page)) {
	t.Parallel()
	for _, i := range testkit.One(t, "ways of keeping frames", testkit.Rows(t, "builds", []int{0, 1, 2}, func(i int) bool { return i < 2 })) {
		way := frameBrowsers[i]
		t.Run(way.name, func(t *testing.T) {
			ctx := testContext(t)
			b := shared
			if i > 0 {
				b = frameBrowser(t, i)
			}
			p, err := openPage(ctx, b)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := p.Close(context.Background()); err != nil {
					t.Error("close:", err)
				}
			})
			f(t, ctx, p)
		})
	}
}

func frameBrowser(t *testing.T, i int) *chrome.Browser {
	t.Helper()
	launch := &frameLaunch[i]
	launch.once.Do(func() {
		if path := frameBrowsers[i].options.Path; path != "" {
			if _, launch.err = exec.LookPath(path); launch.err != nil {
				return
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), testTime)
		defer cancel()
		launch.b, launch.err = Launch(ctx, frameBrowsers[i].options)
	})
	if launch.err != nil {
		t.Fatal("this test needs it:", launch.err)
	}
	return launch.b
}

// closeFrameBrowsers ends the browsers that eachBrowser has started.
func closeFrameBrowsers(ctx context.Context) error {
	for i := range frameLaunch {
		if b := frameLaunch[i].b; b != nil {
			if err := b.Close(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// frameSite serves pages. In them HERE is the site itself, and FAR the same site under another
// name, which is another origin.
func frameSite(t testing.TB, pages map[string]string) (here, far string) {
	t.Helper()
	mux := http.NewServeMux()
	for path, html := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			near := "http://" + r.Host
			there := strings.NewReplacer("127.0.0.1", "localhost", "localhost", "127.0.0.1").Replace(near)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>"+strings.NewReplacer("HERE", near, "FAR", there).Replace(html))
		})
	}
	here = serve(t, mux)
	return here, strings.Replace(here, "127.0.0.1", "localhost", 1)
}

// openFrames shows /main of a frameSite.
func openFrames(t testing.TB, ctx context.Context, p *Page, pages map[string]string) (here, far string) {
	t.Helper()
	here, far = frameSite(t, pages)
	if _, err := p.Open(ctx, here+"/main", driver.Load); err != nil {
		t.Fatal(err)
	}
	return here, far
}

// part makes the parts of a query: CSS, or frame with CSS.
func cssPart(v string) selectors.QueryPart { return selectors.QueryPart{Kind: selectors.CSS, Value: v} }

func framePart(v string) selectors.QueryPart {
	return selectors.QueryPart{Kind: selectors.Frame, Frame: &selectors.Query{Parts: []selectors.QueryPart{cssPart(v)}}}
}

func textPart(v string) selectors.QueryPart {
	return selectors.QueryPart{Kind: selectors.TextKind, Value: v}
}

func rolePart(role, name string) selectors.QueryPart {
	p := selectors.QueryPart{Kind: selectors.Role, Role: role}
	if name != "" {
		p.Attrs = []selectors.QueryAttr{{Name: "name", Value: name}}
	}
	return p
}

func aliasPart(alts ...[]selectors.QueryPart) selectors.QueryPart {
	p := selectors.QueryPart{Kind: selectors.AliasKind, Alias: "it"}
	for _, parts := range alts {
		p.Alts = append(p.Alts, selectors.QueryAlt{Parts: parts})
	}
	return p
}

func chain(parts ...selectors.QueryPart) driver.Target {
	t := query(parts[0])
	t.Source = "it"
	t.Bind = func(context.Context, driver.Document) (*selectors.Query, error) {
		return &selectors.Query{Parts: parts}, nil
	}
	return t
}

func readText(t testing.TB, ctx context.Context, p *Page, target driver.Target) string {
	t.Helper()
	v, err := p.Read(ctx, target, driver.ReadOptions{What: "text"})
	if err != nil {
		t.Fatalf("reading: %v", err)
	}
	return strings.TrimSpace(fmt.Sprint(v.Value))
}

const formFrame = `<title>frame</title><body style="margin:0"><h1 id=h>Form</h1>
<button id=b onclick="h.textContent='pressed '+event.isTrusted">Pay</button>
<label>Name <input id=n oninput="h.textContent='typed '+value"></label>
<label><input type=checkbox id=c> Agree</label>
<select id=s><option>one<option>two</select>
<ul><li><b>A</b> <i>1</i><li><b>B</b> <i>2</i></ul>
<div style="height:1500px"></div><button id=low onclick="h.textContent='low'">Low</button>`

func TestFrameSteps(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<style>iframe{border:7px solid;padding:9px;margin:20px 0 0 30px}</style><p style="height:1200px">x</p><iframe id=pay src="FAR/form" width=500 height=200></iframe><p style="height:900px">`,
			"/form": formFrame,
		})
		in := func(part selectors.QueryPart) driver.Target { return chain(framePart("#pay"), part) }
		head := func(want string) {
			t.Helper()
			if got := readText(t, ctx, p, in(cssPart("#h"))); got != want {
				t.Errorf("the heading is %q, want %q", got, want)
			}
		}
		if r, err := p.Press(ctx, in(rolePart("button", "Pay")), driver.PressOptions{}); err != nil {
			t.Fatal("press:", err)
		} else if r.Element.Name != "Pay" || r.Navigated != nil {
			t.Errorf("press: got %+v", r)
		}
		head("pressed true")
		if _, err := p.Press(ctx, in(cssPart("#low")), driver.PressOptions{}); err != nil {
			t.Fatal("press low:", err)
		}
		head("low")
		if r, err := p.Fill(ctx, in(selectors.QueryPart{Kind: selectors.Label, Value: "Name"}), "Ann"); err != nil || r.Value != "Ann" {
			t.Fatalf("fill: got %+v, %v", r, err)
		}
		head("typed Ann")
		if _, err := p.Type(ctx, ptr(in(cssPart("#n"))), "a!", 0); err != nil {
			t.Fatal("type:", err)
		}
		head("typed Anna!")
		if _, err := p.Key(ctx, ptr(in(cssPart("#n"))), "Backspace", 1); err != nil {
			t.Fatal("key:", err)
		}
		head("typed Anna")
		if _, err := p.Check(ctx, in(rolePart("checkbox", "Agree")), true); err != nil {
			t.Fatal("check:", err)
		}
		if is, err := p.Is(ctx, in(cssPart("#c")), "checked"); err != nil || !is {
			t.Errorf("is checked: got %v, %v", is, err)
		}
		if got, err := p.Select(ctx, in(cssPart("#s")), []string{"two"}, ""); err != nil || len(got) != 1 || got[0] != "two" {
			t.Errorf("select: got %q, %v", got, err)
		}
		if _, err := p.Hover(ctx, in(cssPart("#b")), driver.PressOptions{}); err != nil {
			t.Error("hover:", err)
		}
		if f, err := p.Find(ctx, in(cssPart("li"))); err != nil || f.Count != 2 || !f.Visible {
			t.Errorf("find: got %+v, %v", f, err)
		}
		told, err := p.Look(ctx, []driver.Question{{Target: in(cssPart("li")), What: "count"}, {Target: in(cssPart("li")), What: "visible"}, {Target: in(cssPart("#none")), What: "text"},
			{Target: in(cssPart("li")), What: "text"}, {Target: in(cssPart("#c")), What: "attr", Attr: "type"}, {Target: in(rolePart("checkbox", "Agree")), What: "count"}, {Target: css("iframe"), What: "visible"}})
		if err != nil || fmt.Sprint(told) != "[2 2 <nil> A 1 checkbox 1 1]" {
			t.Errorf("look: got %v, %v", told, err)
		}
		rows, err := p.Extract(ctx, in(cssPart("li")), []driver.ExtractField{{Name: "n", Query: &selectors.Query{Parts: []selectors.QueryPart{cssPart("i")}}}}, driver.RowFilter{})
		if err != nil || fmt.Sprint(rows) != "[map[n:1] map[n:2]]" {
			t.Errorf("extract: got %v, %v", rows, err)
		}
		if _, err := p.WaitElement(ctx, in(cssPart("#h")), driver.ElementState{State: "visible", Text: "typed"}); err != nil {
			t.Error("wait:", err)
		}
		if _, err := p.WaitElement(ctx, in(cssPart("#none")), driver.ElementState{State: "hidden"}); err != nil {
			t.Error("wait hidden:", err)
		}
		shot, err := p.Screenshot(ctx, driver.ShotOptions{Target: ptr(in(cssPart("#b")))})
		if err != nil || len(shot.Data) == 0 {
			t.Errorf("screenshot: %d bytes, %v", len(shot.Data), err)
		}
	})
}

func ptr[T any](v T) *T { return &v }

// The box of an element in a frame is in the coordinates of the page's viewport, whatever is around
// the frame.
func TestFrameBox(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<body style="margin:0"><iframe id=plain src="FAR/in" style="position:absolute;left:10px;top:20px;width:200px;height:100px;border:3px solid;padding:4px"></iframe>
				<iframe id=scaled src="FAR/in" style="position:absolute;left:300px;top:20px;width:200px;height:100px;border:10px solid;transform:scale(.5);transform-origin:0 0"></iframe>
				<div style="zoom:2;position:absolute;left:10px;top:100px"><iframe id=zoomed src="FAR/in" style="width:200px;height:100px;border:1px solid"></iframe></div>`,
			"/in": `<body style="margin:0"><button id=b style="position:absolute;left:30px;top:40px;width:50px;height:20px" onclick="this.textContent='hit'">b</button>`,
		})
		for id, want := range map[string]string{
			"plain": "47 67 50 20", "scaled": "320 45 25 10", "zoomed": "82 282 100 40",
		} {
			target := chain(framePart("#"+id), cssPart("#b"))
			v, err := p.Read(ctx, target, driver.ReadOptions{What: "box"})
			if err != nil {
				t.Fatal(id, err)
			}
			box := v.Value.(map[string]any)
			if got := fmt.Sprintf("%.0f %.0f %.0f %.0f", box["x"], box["y"], box["width"], box["height"]); got != want {
				t.Errorf("box in %s: got %s, want %s", id, got, want)
			}
			if _, err := p.Press(ctx, target, driver.PressOptions{}); err != nil {
				t.Errorf("press in %s: %v", id, err)
			} else if got := readText(t, ctx, p, target); got != "hit" {
				t.Errorf("press in %s: the button says %q, want hit", id, got)
			}
		}
		evaluate(t, ctx, p, "plain.style.transform = 'rotate(20deg)'")
		_, err := p.Press(ctx, within(chain(framePart("#plain"), cssPart("#b")), 300*time.Millisecond), driver.PressOptions{})
		wantCode(t, err, diag.ElementNotInteractable, "rotated")
	})
}

// An element in a frame is found only by a selector that enters the frame. The error of another
// selector names the frame.
func TestFrameAside(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<p>out</p><iframe id=pay src="FAR/in"></iframe><iframe id=hidden src="HERE/in" hidden></iframe>`,
			"/in":   `<button>Pay</button>`,
		})
		_, err := p.Press(ctx, within(chain(rolePart("button", "Pay")), 0), driver.PressOptions{})
		if e := wantCode(t, err, diag.ElementNotFound); !strings.Contains(e.Hint, "frames that were not searched: <iframe#pay> (") {
			t.Errorf("the hint is %q", e.Hint)
		}
		_, err = p.Press(ctx, within(chain(framePart("#pay"), rolePart("button", "Play")), 0), driver.PressOptions{})
		if e := wantCode(t, err, diag.ElementNotFound); strings.Contains(e.Hint, "not searched") {
			t.Errorf("inside the frame the hint is %q", e.Hint)
		}
	})
}

// Three nested frames: of another origin, of the page's own again, and sandboxed. All scroll along
// with the button, and the browser may use their previous positions for a while. Each round has its
// own site, and so its own processes.
func TestFrameNested(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		pages := map[string]string{
			"/main": `<div style="height:300px;overflow:auto;border:3px solid"><p style="height:700px"><iframe id=one src="HERE/one" width=500 height=400></iframe></div>`,
			"/one":  `<p style="height:500px">one<iframe id=two src="FAR/two" width=400 height=300></iframe>`,
			"/two":  `<p style="height:400px">two</p><div class=widget><iframe id=three width=300 height=150 sandbox=allow-scripts srcdoc="<body style='margin:0'><p style='height:300px'>x</p><button onclick='this.textContent=event.isTrusted'>Pay</button>"></iframe></div>`,
		}
		to := chain(framePart("#one"), framePart("#two"), cssPart(".widget"), framePart("iframe"), textPart("Pay"))
		for round := range 6 {
			openFrames(t, ctx, p, pages)
			if round%2 == 1 {
				if _, err := p.Hover(ctx, to, driver.PressOptions{}); err != nil {
					t.Fatal(round, "hover:", err)
				}
			}
			if _, err := p.Press(ctx, to, driver.PressOptions{}); err != nil {
				t.Fatal(round, "press:", err)
			}
			if got := readText(t, ctx, p, chain(framePart("#one"), framePart("#two"), framePart("#three"), rolePart("button", ""))); got != "true" {
				t.Errorf("round %d: the button says %q, want true", round, got)
			}
		}
	})
}
