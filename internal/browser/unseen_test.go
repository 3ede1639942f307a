package browser

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// watchedBody is the content of each document of watchedPages: controls, a table, and an open and a
// closed shadow root.
const watchedBody = `<h1>NAME</h1><button id=b title=Tip>NAME button</button><label>NAME field <input id=i value=x placeholder=Ph></label>
	<select id=s><option>one<option>two</select><table><tr class=r><td>Ann</td><td>1</td></tr><tr class=r><td>Bob</td><td>2</td></tr></table>
	<div style="cursor:pointer">NAME clickable</div><x-open></x-open><x-closed></x-closed><p hidden>NAME secret</p>`

func watchedPages(t *testing.T) map[string]string {
	t.Helper()
	script, err := os.ReadFile("../../testdata/pages/html/watched.js")
	if err != nil {
		t.Fatal(err)
	}
	page := func(name, frames string) string {
		return "<script>" + string(script) + `
			for (const mode of ['open', 'closed']) customElements.define('x-' + mode, class extends HTMLElement { constructor() { super();
				const root = this.attachShadow({ mode }); root.innerHTML = '<button>` + name + ` ' + mode + '</button><slot></slot>'; watchRoot(root) } })
			addEventListener('load', () => { try { startWatching() } catch (e) { document.title = e.message + e.stack } })</script>` + strings.ReplaceAll(watchedBody, "NAME", name) + frames
	}
	return map[string]string{
		"/main": page("Main", `<iframe id=near title=near src="HERE/near"></iframe><iframe id=far title=far src="FAR/far"></iframe>`),
		"/near": page("Near", ""), "/far": page("Far", ""),
	}
}

// reports returns what the page and its frames have noticed.
func reports(t *testing.T, ctx context.Context, p *Page, message string) map[string]string {
	t.Helper()
	got, err := p.Eval(ctx, `const told = {}, all = [window, window[0], window[1]];
		return await new Promise((resolve) => {
			addEventListener('message', (e) => { if (!e.data.tell) return; told[e.data.tell] = e.data.seen + (e.data.names ? 'new names: ' + e.data.names + '\n' : ''); if (Object.keys(told).length === 3) resolve(told) });
			for (const w of all) { if (`+fmt.Sprint(message != "")+`) w.postMessage('`+message+`', '*'); w.postMessage('report', '*') } })`, nil)
	if err != nil {
		t.Fatal("the report:", err)
	}
	told := make(map[string]string)
	for path, seen := range got.(map[string]any) {
		told[path] = fmt.Sprint(seen)
	}
	return told
}

// readAll runs every step that reads, in all documents. It returns the first error.
func readAll(ctx context.Context, p *Page) error {
	for _, frame := range [][]selectors.QueryPart{nil, {framePart("#near")}, {framePart("#far")}} {
		in := func(parts ...selectors.QueryPart) driver.Target {
			return chain(append(append([]selectors.QueryPart{}, frame...), parts...)...)
		}
		s, err := p.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		if _, err := p.Snapshot(ctx, driver.SnapshotOptions{Options: snapshot.Options{Interactive: true, Delta: s.ID}}); err != nil {
			return fmt.Errorf("delta: %w", err)
		}
		for _, part := range []selectors.QueryPart{cssPart("#b"), rolePart("heading", ""), {Kind: selectors.TextKind, Value: "Ann"}, {Kind: selectors.Label, Op: selectors.Contains, Value: "field"},
			{Kind: selectors.Placeholder, Attr: "placeholder", Value: "Ph"}, {Kind: selectors.Title, Attr: "title", Value: "Tip"}, {Kind: selectors.XPath, Value: "//button"}, cssPart("x-open")} {
			f, err := p.Find(ctx, in(part))
			if err != nil || f.Ref == "" {
				return fmt.Errorf("find %s %s: %+v, %w", part.Kind, part.Value, f, err)
			}
			if _, err := p.Read(ctx, ref(f.Ref), driver.ReadOptions{What: "text"}); err != nil {
				return fmt.Errorf("get by ref: %w", err)
			}
		}
		if _, err := p.Read(ctx, in(cssPart("x-open"), cssPart("button")), driver.ReadOptions{What: "text"}); err != nil {
			return fmt.Errorf("get in a shadow root: %w", err)
		}
		for _, what := range []string{"text", "html", "attrs", "box", "styles"} {
			if _, err := p.Read(ctx, in(cssPart("#b")), driver.ReadOptions{What: what}); err != nil {
				return fmt.Errorf("get %s: %w", what, err)
			}
		}
		for _, state := range []string{"visible", "enabled", "editable", "focused"} {
			if _, err := p.Is(ctx, in(cssPart("#i")), state); err != nil {
				return fmt.Errorf("is %s: %w", state, err)
			}
		}
		if _, err := p.WaitElement(ctx, in(cssPart("#s")), driver.ElementState{State: "visible"}); err != nil {
			return fmt.Errorf("wait: %w", err)
		}
		if _, err := p.WaitElement(ctx, within(in(cssPart(".none")), 300*time.Millisecond), driver.ElementState{}); err == nil {
			return fmt.Errorf("wait for nothing: no error")
		}
		rows, err := p.Extract(ctx, in(cssPart(".r")), []driver.ExtractField{{Name: "n", Query: &selectors.Query{Parts: []selectors.QueryPart{cssPart("td")}}}}, driver.RowFilter{})
		if err != nil || len(rows) != 2 {
			return fmt.Errorf("extract: %v, %w", rows, err)
		}
	}
	if err := p.WaitText(ctx, "Far button"); err != nil {
		return fmt.Errorf("wait text: %w", err)
	}
	return p.WaitStable(ctx)
}

// A page that watches every prototype, its window, its DOM and its events notices nothing when it
// is read, in any frame.
func TestReadingIsNotSeen(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, watchedPages(t))
		if err := p.WaitStable(ctx); err != nil { // the frames have begun to watch
			t.Fatal(err)
		}
		if got := evaluate(t, ctx, p, "String(watching) + document.title"); got != "true" {
			t.Fatalf("the page does not watch: %v", got)
		}
		// Querying the page runs a script in its world, which it notices.
		reports(t, ctx, p, "")
		asking := make(map[string]bool)
		for line := range strings.Lines(reports(t, ctx, p, "")["/main"]) {
			asking[line] = true
		}
		if err := readAll(ctx, p); err != nil {
			t.Fatal(err)
		}
		for path, seen := range reports(t, ctx, p, "") {
			for line := range strings.Lines(seen) {
				if path != "/main" || !asking[line] {
					t.Errorf("%s has seen %s", path, line)
				}
			}
		}
		// Each of them would have noticed an attribute that is written.
		for path, seen := range reports(t, ctx, p, "touch") {
			if !strings.Contains(seen, "changed attributes\n") {
				t.Errorf("%s does not watch: it has seen %q", path, seen)
			}
		}
	})
}
