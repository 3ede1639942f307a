package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// nestedPages returns a page with a frame of another origin, which has one of the page's own
// origin, which has one of another origin again. The element with the id t in the last one is
// empty.
func nestedPages(deepest string) map[string]string {
	return map[string]string{
		"/main":  `<h1>main</h1><iframe id=one src="FAR/one"></iframe>`,
		"/one":   `<p>one</p><iframe id=two src="FAR/two"></iframe><script>onmessage = (e) => two.contentWindow.postMessage(e.data, '*')</script>`,
		"/two":   `<p>two</p><iframe id=three src="HERE/three"></iframe><script>onmessage = (e) => three.contentWindow.postMessage(e.data, '*')</script>`,
		"/three": `<p id=t></p>` + deepest,
	}
}

// tell returns a script of the page that sends a message to the innermost frame after ms
// milliseconds.
func tell(message string, ms int) string {
	return fmt.Sprintf("setTimeout(() => one.contentWindow.postMessage(%q, '*'), %d), 1", message, ms)
}

// WaitText waits for text in frames of any origin at any depth.
func TestFrameWaitText(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, nestedPages(`<script>onmessage = (e) => t.textContent = e.data</script>`))
		if err := p.WaitText(ctx, "two"); err != nil { // the text is shown
			t.Fatal(err)
		}
		evaluate(t, ctx, p, tell("All done", 150))
		if err := p.WaitText(ctx, "All done"); err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
		defer cancel()
		wantCode(t, p.WaitText(short, "never"), diag.Timeout, "did not appear")

		// Hidden frames show no text, until they are shown.
		evaluate(t, ctx, p, "one.style.display = 'none', 1")
		short, cancel = context.WithTimeout(ctx, 400*time.Millisecond)
		defer cancel()
		wantCode(t, p.WaitText(short, "All done"), diag.Timeout, "did not appear")
		evaluate(t, ctx, p, "setTimeout(() => one.style.display = '', 150), 1")
		if err := p.WaitText(ctx, "All done"); err != nil {
			t.Error("a frame that is shown:", err)
		}

		// A frame that comes late, and one that navigates.
		evaluate(t, ctx, p, "setTimeout(() => one.src = one.src.replace('one', 'three'), 100), 1")
		wait := inBackground(t, func() error { return p.WaitText(ctx, "All done anew") })
		evaluate(t, ctx, p, "one.onload = () => "+tell("All done anew", 50))
		if err := wait(); err != nil {
			t.Error("a frame that went elsewhere:", err)
		}
		evaluate(t, ctx, p, `setTimeout(() => { const f = document.createElement('iframe'); f.src = one.src.replace('three', 'two'); one.remove(); document.body.append(f) }, 100), 1`)
		if err := p.WaitText(ctx, "two"); err != nil {
			t.Error("a frame that came late:", err)
		}
		// A wait that was given up does not mean that the page is not answering.
		if p.Link.IsStuck() {
			t.Error("the page counts as one that does not answer")
		}
	})
}

// The page is stable when all its frames are, at the same time.
func TestFrameWaitStable(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, nestedPages(`<script>
			onmessage = (e) => { const end = performance.now() + Number(e.data);
				const turn = () => { t.textContent = performance.now(); if (performance.now() < end) setTimeout(turn, 20); else t.textContent = 'rests' }; turn() }</script>`))
		if err := p.WaitText(ctx, "two"); err != nil {
			t.Fatal(err)
		}
		evaluate(t, ctx, p, tell("1200", 0))
		if err := p.WaitStable(ctx); err != nil {
			t.Fatal(err)
		}
		if err := p.WaitText(ctx, "rests"); err != nil {
			t.Error(err)
		}
		deep := chain(framePart("#one"), framePart("#two"), framePart("#three"), cssPart("#t"))
		if got := readText(t, ctx, p, deep); got != "rests" {
			t.Errorf("stable while the frame showed %q", got)
		}
		evaluate(t, ctx, p, tell("60000", 0))
		short, cancel := context.WithTimeout(ctx, 1500*time.Millisecond)
		defer cancel()
		wantCode(t, p.WaitStable(short), diag.Timeout, "does not come to rest", "<p#t")
		evaluate(t, ctx, p, "one.remove()") // nothing changes from now on
		if err := p.WaitStable(ctx); err != nil {
			t.Error("without the frame:", err)
		}
	})
}

// Requests of frames count, and end with their frames.
func TestFrameNetworkIdle(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		mux := http.NewServeMux()
		page := func(path, html string) {
			mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<!doctype html>", strings.ReplaceAll(html, "FAR", "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)))
			})
		}
		asked, answer := make(chan struct{}, 8), make(chan struct{})
		mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			select {
			case <-answer:
			case <-r.Context().Done():
			}
		})
		page("/main", `<iframe id=f src="FAR/frame"></iframe>`)
		page("/frame", `<p id=t>frame</p><script>onmessage = () => fetch('/slow').then(() => t.textContent = 'answered')</script>`)
		page("/other", `<p>other</p>`)
		here := serve(t, mux)
		if _, err := p.Open(ctx, here+"/main", driver.NetworkIdle); err != nil {
			t.Fatal(err)
		}
		idle := func() error {
			short, cancel := context.WithTimeout(ctx, 1200*time.Millisecond)
			defer cancel()
			return p.WaitLoad(short, driver.NetworkIdle)
		}
		ask := func() {
			evaluate(t, ctx, p, "f.contentWindow.postMessage(1, '*')")
			<-asked
			if err := p.Link.Until(ctx, "the request is not reported", func() bool { return p.Net.Busy() == 1 }); err != nil {
				t.Fatal(err)
			}
		}
		ask()
		wantCode(t, idle(), diag.Timeout, "one request is under way")
		wait := inBackground(t, func() error { return p.WaitStable(ctx) })
		close(answer)
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if got := readText(t, ctx, p, chain(framePart("#f"), cssPart("#t"))); got != "answered" {
			t.Errorf("stable while the frame showed %q", got)
		}
		answer = make(chan struct{})
		ask()
		evaluate(t, ctx, p, "f.src = f.src.replace('frame', 'other'), 1")
		if err := p.WaitText(ctx, "other"); err != nil {
			t.Fatal(err)
		}
		if err := idle(); err != nil {
			t.Error("after the frame went elsewhere:", err)
		}
		evaluate(t, ctx, p, "new Promise(r => { f.onload = () => r(1); f.src = f.src.replace('other', 'frame') })")
		ask()
		evaluate(t, ctx, p, "f.remove()")
		if err := idle(); err != nil {
			t.Error("after the frame was removed:", err)
		}
	})
}

// Lists in frames end by what the frame shows.
func TestFrameWaitMore(t *testing.T) {
	testkit.Long(t)
	type m = map[string]any
	const list = `<style>.i{height:100px}</style><div id=l></div><button id=m>More</button><script>
		let n=0;const add=()=>{for(let i=0;i<10&&n<50;i++){n++;l.insertAdjacentHTML('beforeend','<div class=i id=i'+n+'>Item '+n+'.</div>')}};add();`
	const feed = list + `m.remove();onscroll=()=>{const s=document.scrollingElement;if(s.scrollTop+s.clientHeight>=s.scrollHeight-50)setTimeout(add,30)}</script>`
	const pager = list + `m.onclick=()=>setTimeout(add,30)</script>`
	const in = "frame:#one >> frame:#two >> frame:#three >> "
	tests := []struct {
		name, step string
		args       m
		want       string
	}{
		{"text", "scroll_until", m{"scroll_selector": in + "css:body", "stop_text": "Item 33."}, "text_found"},
		{"selector", "scroll_until", m{"scroll_selector": in + "css:body", "stop_selector": in + "css:#i33"}, "selector_found"},
		{"to the end", "scroll_until", m{"scroll_selector": in + "css:body", "stall": 600}, "stalled"},
		{"count", "load_more_until", m{"load_more_selector": in + "css:#m", "content_selector": in + "css:.i", "item_count": 25}, "item_count_reached 2 30"},
		{"text of a list", "load_more_until", m{"load_more_selector": in + "css:#m", "content_selector": in + "css:.i", "stop_text": "Item 15."}, "text_found 1 20"},
		{"no more", "load_more_until", m{"load_more_selector": in + "css:#m", "content_selector": in + "css:.i", "stall": 600}, "stalled"},
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				page := feed
				if tt.step == "load_more_until" {
					page = pager
				}
				openFrames(t, ctx, p, nestedPages(page))
				got, _, err := runStep(t, ctx, p, tt.step, tt.args)
				if err != nil {
					t.Fatal(err)
				}
				s := fmt.Sprint(got["stop_reason"])
				if tt.step == "load_more_until" {
					s += fmt.Sprint(" ", got["loads_performed"], " ", got["final_count"])
				}
				if !strings.HasPrefix(s, tt.want) {
					t.Errorf("got %s, want %s", s, tt.want)
				}
				n, err := p.Find(ctx, chain(framePart("#one"), framePart("#two"), framePart("#three"), cssPart(".i")))
				if whole := strings.HasPrefix(tt.want, "stalled"); err != nil || (n.Count == 50) != whole {
					t.Errorf("%d items (%v) were loaded, want all: %v", n.Count, err, whole)
				}
			})
		}
		bad := chain(framePart("#one"), selectors.QueryPart{Kind: selectors.CSS, Value: "div["})
		_, err := p.WaitMore(ctx, nil, driver.Down, driver.Stop{Element: &bad}, 0, time.Second)
		wantCode(t, err, diag.ParamInvalid, "refuses the selector")
	})
}

// A request that is answered is no longer open, whether or not the page reads the answer. Requests
// of workers belong to their page.
func TestAnsweredRequestsEnd(t *testing.T) {
	testkit.Long(t)
	mux := http.NewServeMux()
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>", html)
		})
	}
	page("/unread", `<script>fetch('/data').then((r) => { document.title = r.status })</script>`)
	page("/chunked", `<script>fetch('/parts').then((r) => { document.title = r.status })</script>`)
	page("/apart", `<script>fetch('/head-first').then((r) => { document.title = r.status })</script>`)
	page("/bits", `<script>fetch('/slowly').then((r) => { document.title = r.status })</script>`)
	page("/posted", `<script>fetch('/data', { method: 'POST', body: 'x' })</script>`)
	page("/worker", `<script>new Worker('/w.js').onmessage = (e) => { document.title = e.data }</script>`)
	page("/blob", `<script>new Worker(URL.createObjectURL(new Blob(["postMessage('ok')"]))).onmessage = (e) => { document.title = e.data }</script>`)
	page("/ended", `<script>const w = new Worker('/hangs.js'); w.onmessage = () => w.terminate()</script>`)
	page("/slow", `<script>new Worker('/slow.js').onmessage = (e) => { document.title = e.data }</script>`)
	script := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, text)
		})
	}
	script("/w.js", "fetch('/data').then((r) => r.json()).then(() => postMessage('ok'))")
	script("/hangs.js", "fetch('/held'); postMessage('')")
	script("/slow.js", "fetch('/late').then((r) => r.text()).then(postMessage)")
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[1, 2]") })
	mux.HandleFunc("/parts", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "[1, ")
		w.(http.Flusher).Flush()
		fmt.Fprint(w, "2]")
	})
	later := func(w http.ResponseWriter, text string) {
		w.(http.Flusher).Flush()
		time.Sleep(100 * time.Millisecond)
		fmt.Fprint(w, text)
	}
	mux.HandleFunc("/head-first", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "6")
		later(w, "[1, 2]")
	})
	mux.HandleFunc("/slowly", func(w http.ResponseWriter, _ *http.Request) {
		later(w, "[1, ")
		later(w, "2]")
	})
	mux.HandleFunc("/held", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	asked, answer := make(chan struct{}, 8), make(chan struct{})
	mux.HandleFunc("/late", func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-answer
		fmt.Fprint(w, "late")
	})
	url := serve(t, mux)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		for _, path := range []string{"/unread", "/chunked", "/apart", "/bits", "/posted", "/worker", "/blob", "/ended"} {
			p.ClearRequests()
			if _, err := p.Open(ctx, url+path, driver.NetworkIdle); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if path != "/worker" {
				continue
			}
			var seen []string
			list, _ := p.Requests()
			for _, r := range list {
				seen = append(seen, fmt.Sprint(strings.TrimPrefix(r.URL, url), " ", r.Status))
			}
			if got, want := strings.Join(seen, ", "), "/worker 200, /w.js 200, /data 200"; !strings.HasPrefix(got, want) {
				t.Errorf("the requests are %s, want %s", got, want)
			}
		}
		done := inBackground(t, func() error { _, err := p.Open(ctx, url+"/slow", driver.NetworkIdle); return err })
		<-asked
		answer <- struct{}{}
		if err := done(); err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, ctx, p, "document.title"); got != "late" {
			t.Errorf("the title is %q: the request of the worker was not waited for", got)
		}
	})
}

// Text in a frame inside a collapsed box is not visible, whatever process the frame is in.
func TestTextInACollapsedFrame(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<div id=box style="max-height:0;overflow:hidden"><iframe src="FAR/in" width=300 height=100></iframe></div>
				<div style="display:grid;grid-template-rows:0fr"><div style="overflow:hidden;min-height:0"><iframe src="HERE/near" width=300 height=100></iframe></div></div>
				<iframe src="FAR/flat" width=0 height=0></iframe><iframe src="HERE/thin" width=0 height=100></iframe>
				<div style="height:2000px"></div><iframe src="FAR/below" width=300 height=100></iframe>`,
			"/flat": `<p>Paid flat</p>`, "/thin": `<p>Paid thin</p>`,
			"/in": `<p>Paid in full</p>`, "/near": `<p>Paid near</p>`, "/below": `<p>Paid below</p>`,
		})
		if err := p.WaitText(ctx, "Paid below"); err != nil {
			t.Error("below the viewport:", err)
		}
		for _, text := range []string{"Paid in full", "Paid near", "Paid flat", "Paid thin"} {
			short, cancel := context.WithTimeout(ctx, time.Second)
			if err := p.WaitText(short, text); err == nil {
				t.Errorf("%q is found in a collapsed box, or a frame without a size", text)
			}
			cancel()
		}
		evaluate(t, ctx, p, `document.getElementById('box').style.maxHeight = 'none'`)
		if err := p.WaitText(ctx, "Paid in full"); err != nil {
			t.Error("once it is unfolded:", err)
		}
	})
}
