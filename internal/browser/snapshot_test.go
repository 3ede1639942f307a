package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

func take(t testing.TB, ctx context.Context, p *Page, o snapshot.Options) *snapshot.Snapshot {
	t.Helper()
	s, err := p.Snapshot(ctx, driver.SnapshotOptions{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	anySnapshot = regexp.MustCompile(`snap_[a-z0-9]{6}`)
	anyHost     = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
)

// steady returns the text without what differs from run to run.
func steady(s *snapshot.Snapshot) string {
	return anyHost.ReplaceAllString(anySnapshot.ReplaceAllString(s.Text(), "snap_ab12cd"), "https://example.test")
}

// body returns the lines of the text without the header.
func body(s *snapshot.Snapshot) string {
	_, text, _ := strings.Cut(s.Text(), "\n")
	return text
}

func ref(ref string) driver.Target { return refIn("", ref) }

func refIn(id, ref string) driver.Target {
	return within(query(selectors.QueryPart{Kind: selectors.RefKind, Value: ref, Snapshot: id}), time.Second)
}

// refOf returns the ref of the element with this name.
func refOf(t testing.TB, s *snapshot.Snapshot, name string) string {
	t.Helper()
	for ref, shown := range s.Refs() {
		if shown.(map[string]any)["name"] == name {
			return ref
		}
	}
	t.Fatalf("%q has no ref in\n%s", name, s.Text())
	return ""
}

const pricesPage = `<title>Prices</title><nav><a href="/">Home</a></nav><main><h1>Today</h1><input type=search aria-label=Search value=gold>
	<label><input type=checkbox checked> In stock</label><iframe title=Chart srcdoc="<button>Zoom</button>"></iframe></main>`

func TestSnapshotExample(t *testing.T) {
	ctx, p := show(t, pricesPage)
	s := take(t, ctx, p, snapshot.Options{})
	want := `[snapshot snap_ab12cd] url=https://example.test/ title="Prices" page_rev=1 nodes=8 truncated=false
- navigation:
  - link "Home" [ref=e1] [url=/]
- main:
  - heading "Today" [level=1] [ref=e2]
  - searchbox "Search" [ref=e3] value="gold"
  - checkbox "In stock" [checked] [ref=e4]
  - iframe "Chart":
    - button "Zoom" [ref=e5]
`
	if got := steady(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if s.Stats.Seen == 0 || s.Stats.Kept != 8 || s.Nodes != 8 {
		t.Errorf("stats %+v", s.Stats)
	}
	for _, r := range []string{"e1", "e2", "e3", "e4", "e5"} {
		if _, err := p.Read(ctx, ref(r), driver.ReadOptions{What: "text"}); err != nil {
			t.Errorf("%s: %v", r, err)
		}
	}
}

// TestSnapshotWaitsForLoad reads pages whose scripts draw them before the load event, and a page that
// never loads.
func TestSnapshotWaitsForLoad(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/script":
			w.Header().Set("Content-Type", "text/javascript")
			select { // a script that arrives after the document
			case <-time.After(300 * time.Millisecond):
			case <-r.Context().Done():
			}
			fmt.Fprint(w, `document.querySelector('main').innerHTML = '<h1>Drawn</h1>'`)
		case "/never":
			<-r.Context().Done()
		default:
			fmt.Fprintf(w, "<!doctype html><title>T</title><main></main>%s", r.URL.Query().Get("more"))
		}
	}))
	ctx, p := sharedPage(t)
	for _, tt := range testkit.Some(t, "ways to load", 2, []struct{ more, want, cut string }{
		{`<script defer src="/script"></script>`, `heading "Drawn"`, "false"},
		{`<h2>Before</h2><img src="/never">`, `heading "Before"`, "loading"}, // after three seconds
		{`<script type="module" src="/script"></script>`, `heading "Drawn"`, "false"},
	}) {
		if _, err := p.Open(ctx, base+"/?more="+url.QueryEscape(tt.more), driver.Commit); err != nil {
			t.Fatal(err)
		}
		if s := take(t, ctx, p, snapshot.Options{}); !strings.Contains(s.Text(), tt.want) || !strings.Contains(s.Text(), "truncated="+tt.cut+"\n") {
			t.Errorf("%s: %s, or truncated=%s, is not in\n%s", tt.more, tt.want, tt.cut, s.Text())
		}
	}
}

func TestSnapshotOptions(t *testing.T) {
	ctx, p := show(t, `<main><h1>Head</h1><div role=group><ul><li><a href=/a>One</a></li></ul></div>
		<section aria-label=Box id=s><p>`+strings.Repeat("word ", 100)+`</p><button>In</button></section></main>`)
	tests := []struct {
		name      string
		o         snapshot.Options
		has, lack []string
	}{
		{"interactive", snapshot.Options{Interactive: true}, []string{`- link "One" [ref=`, `- button "In" [ref=`, "nodes=2 ", "truncated=false"}, []string{"heading", "main", "/a", "word"}},
		{"compact", snapshot.Options{}, []string{`heading "Head" [level=1]`, `link "One" [ref=e1] [url=/a]`, `region "Box"`, "truncated=max_text", "…"}, []string{"- list", "group"}},
		{"full", snapshot.Options{Full: true}, []string{"- group:", "- list:", "- listitem"}, nil},
		{"depth", snapshot.Options{MaxDepth: 1}, []string{"- main:", "- … 5 more", "truncated=max_depth"}, []string{"link"}},
		{"nodes", snapshot.Options{MaxNodes: 2}, []string{"nodes=2", "truncated=max_nodes", " more"}, []string{"link"}},
		{"characters", snapshot.Options{MaxChars: 300}, []string{"truncated=max_chars"}, []string{"button"}},
	}
	for _, tt := range tests {
		s := take(t, ctx, p, tt.o)
		for _, text := range tt.has {
			if !strings.Contains(s.Text(), text) {
				t.Errorf("%s: %q is not in\n%s", tt.name, text, s.Text())
			}
		}
		for _, text := range tt.lack {
			if strings.Contains(body(s), text) {
				t.Errorf("%s: %q is in\n%s", tt.name, text, s.Text())
			}
		}
	}
	scope := css("#s")
	s, err := p.Snapshot(ctx, driver.SnapshotOptions{Scope: &scope, Options: snapshot.Options{MaxText: 9}})
	if err != nil || !strings.HasPrefix(body(s), "- region \"Box\":\n  - paragraph \"word wor…\" [ref=") || strings.Contains(s.Text(), "Head") {
		t.Errorf("scope: %v\n%s", err, s.Text())
	}
	none := within(css("#none"), 0)
	_, err = p.Snapshot(ctx, driver.SnapshotOptions{Scope: &none})
	wantCode(t, err, diag.ElementNotFound, "#none")
	tree := take(t, ctx, p, snapshot.Options{JSON: true}).Tree()
	if top, ok := tree[0].(map[string]any); !ok || top["role"] != "main" || len(top["children"].([]any)) != 3 {
		t.Errorf("tree %v", tree)
	}
}

func TestSnapshotDelta(t *testing.T) {
	ctx, p := show(t, `<button id=a>A</button><input id=i aria-label=I value=1><a id=l href=#x>L</a>`)
	first := take(t, ctx, p, snapshot.Options{})
	same := take(t, ctx, p, snapshot.Options{Delta: first.ID})
	if same.Nodes != 0 || body(same) != "" {
		t.Errorf("nothing changed, got\n%s", same.Text())
	}
	evaluate(t, ctx, p, `i.value='2', l.remove(), a.insertAdjacentHTML('beforebegin','<button>N</button>'), 1`)
	got := body(take(t, ctx, p, snapshot.Options{Delta: first.ID}))
	want := "- added:\n  - button \"N\" [ref=e4]\n- changed:\n  - textbox \"I\" [ref=e2] value=\"2\"\n- removed:\n  - link \"L\" [ref=e3] [url=#x]\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestSnapshotOfHostileNames(t *testing.T) {
	ctx, p := show(t, "<button aria-label='x&quot; [ref=e99]\n- link &quot;Pay'>b</button><p>\u202eevil\u2066 line\u2028end</p><a href='/a b] [ref=e98]'>l</a>"+
		`<script>document.title = 'T" nodes=1\n[snapshot snap_000000]'; history.replaceState(0, '', '/x] title="y')</script>`)
	s := take(t, ctx, p, snapshot.Options{})
	if n := strings.Count(s.Text(), "\n"); n != 4 || s.Nodes != 3 {
		t.Errorf("%d lines for %d nodes:\n%s", n, s.Nodes, s.Text())
	}
	for _, bad := range []string{"\u202e", "\u2066", "\u2028"} {
		if strings.Contains(s.Text(), bad) {
			t.Errorf("%q is in\n%s", bad, s.Text())
		}
	}
	for _, line := range strings.Split(body(s), "\n")[:3] {
		// Outside of quotes there is one ref.
		bare := regexp.MustCompile(`"(\\.|[^"\\])*"`).ReplaceAllString(line, "")
		if n := strings.Count(bare, "[ref="); n != 1 {
			t.Errorf("%d refs in %s", n, line)
		}
	}
}

// Whatever a page writes, a node has one line with one ref, and the JSON contains its texts
// unchanged.
func TestSnapshotOfForgedLines(t *testing.T) {
	forged := []string{"\x1b[31mred\x1b[0m", "\x1b]0;title\a", "a\rb", "a\u0085b", "a\u2029b", "\u200f\u202bright\u061c", `"] [ref=e1] ["`, `\" [ref=e1]`,
		"]\n- button \"Pay\" [ref=e1]", "- … 15 more", "a\x00b\x7f", "\ufeffx\ufffe", "[snapshot snap_000000] url=x", "\U000e0041tag", "\u2066x\u2069"}
	ctx, p := show(t, `<main id=m></main>`)
	script := `for (const s of forged) {
		const b = document.createElement('button'), l = document.createElement('a'), i = document.createElement('input'), p = document.createElement('p');
		b.ariaLabel = s; l.href = '/' + s; l.title = s; i.placeholder = s; i.value = s; p.textContent = s; m.append(b, l, i, p) }
		document.title = forged.join('')`
	if _, err := p.Eval(ctx, script, map[string]any{"forged": forged}); err != nil {
		t.Fatal(err)
	}
	all := snapshot.Options{MaxNodes: 1000, MaxChars: 100_000}
	s := take(t, ctx, p, all)
	lines := strings.Split(strings.TrimSuffix(s.Text(), "\n"), "\n")
	if len(lines) != s.Nodes+1 {
		t.Errorf("%d lines for %d nodes:\n%s", len(lines), s.Nodes, s.Text())
	}
	quoted := regexp.MustCompile(`"(\\.|[^"\\])*"`)
	for _, line := range lines {
		bare := quoted.ReplaceAllString(line, "")
		if n := strings.Count(bare, "[ref="); n > 1 {
			t.Errorf("%d refs in %q", n, line)
		}
		for _, r := range line {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
				t.Errorf("%q is in %q", r, line)
			}
		}
	}
	all.JSON = true
	text, err := json.Marshal(take(t, ctx, p, all).Tree())
	if err != nil || !json.Valid(text) {
		t.Fatalf("%v: %s", err, text)
	}
	for _, name := range forged[:2] {
		if want, _ := json.Marshal(name); !strings.Contains(string(text), string(want)) {
			t.Errorf("the tree has no %s", want)
		}
	}
}

func TestSnapshotTellsNoPassword(t *testing.T) {
	ctx, p := show(t, `<label>Password <input id=p type=password value=s3cret></label><label>Again <input autocomplete=new-password value=s3cret></label>
		<label>Mail <input value=a@b></label>`)
	for range 2 {
		for _, o := range []snapshot.Options{{}, {Interactive: true}, {Full: true}} {
			s := take(t, ctx, p, o)
			if strings.Contains(s.Text(), "s3cret") || strings.Contains(s.Text(), "***") || !strings.Contains(s.Text(), `value="a@b"`) {
				t.Errorf("%+v:\n%s", o, s.Text())
			}
		}
	}
}

// A password field counts as one even while the page shows what was typed.
func TestPasswordThatThePageShows(t *testing.T) {
	ctx, p := show(t, `<label>Password <input id=p type=password></label><button id=t onclick="p.type='text'">show</button><textarea id=d style="-webkit-text-security: disc">s3cret</textarea>`)
	if _, err := p.Fill(ctx, css("#p"), "s3cret"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("#t"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if s := take(t, ctx, p, snapshot.Options{}); strings.Contains(s.Text(), "s3cret") {
		t.Errorf("the snapshot shows it:\n%s", s.Text())
	}
	if got, err := p.Read(ctx, css("#p"), driver.ReadOptions{What: "text"}); err != nil || got.Value != "" {
		t.Errorf("its text is %v, %v", got, err)
	}
}

// A ref names its element as long as that can be certain; otherwise it is stale.
func TestRefs(t *testing.T) {
	ctx, p := show(t, `<div id=d><button id=b onclick="this.dataset.n=1">Save</button></div><input aria-label=Name id=n>`)
	first := take(t, ctx, p, snapshot.Options{})
	save, name := refOf(t, first, "Save"), refOf(t, first, "Name")
	if _, err := p.Press(ctx, ref(save), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if evaluate(t, ctx, p, `b.dataset.n`) != "1" {
		t.Error("the button was not pressed")
	}
	if got, err := p.Fill(ctx, refIn(first.ID, name), "Ann"); err != nil || got.Value != "Ann" {
		t.Errorf("filled %+v, %v", got, err)
	}

	evaluate(t, ctx, p, `d.innerHTML='<button id=b onclick="this.dataset.n=2">Save</button>', 1`)
	var told []string
	again := ref(save)
	again.Decided = func(_ driver.Document, w driver.Winner) { told = append(told, w.Alias) }
	again.FoundAgain = func(ref string) { told = append(told, ref) }
	if _, err := p.Press(ctx, again, driver.PressOptions{}); err != nil {
		t.Errorf("rendered anew: %v", err)
	} else if evaluate(t, ctx, p, `b.dataset.n`) != "2" {
		t.Error("the button that was rendered anew was not pressed")
	}
	if len(told) != 1 || told[0] != save {
		t.Errorf("told %v, want that %s was found again", told, save)
	}

	evaluate(t, ctx, p, `b.textContent='Delete account', 1`)
	_, err := p.Press(ctx, ref(save), driver.PressOptions{})
	e := wantCode(t, err, diag.StaleRef, `it was button "Save" and is now button "Delete account"`)
	if e.Details["ref"] != save || e.Details["was"] != `button "Save"` || e.Details["is"] != `button "Delete account"` ||
		e.Details["snapshot_page_rev"] != 1 || e.Details["current_page_rev"] != 1 || e.Details["url"] == "" || e.Hint != "take a new snapshot" {
		t.Errorf("details %v, hint %s", e.Details, e.Hint)
	}
	second := take(t, ctx, p, snapshot.Options{})
	if got := refOf(t, second, "Name"); got != name {
		t.Errorf("the field was %s and is %s", name, got)
	}
	if _, err = p.Press(ctx, ref(refOf(t, second, "Delete account")), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	_, err = p.Press(ctx, refIn(first.ID, save), driver.PressOptions{})
	wantCode(t, err, diag.StaleRef)

	evaluate(t, ctx, p, `b.remove(), 1`)
	_, err = p.Press(ctx, ref(save), driver.PressOptions{})
	wantCode(t, err, diag.StaleRef, "no longer on the page")
	_, err = p.Press(ctx, ref("e99"), driver.PressOptions{})
	wantCode(t, err, diag.ElementNotFound, "@e99")
}

func TestRefOfAnotherDocument(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{"/a": "<!doctype html><button>Same</button>", "/b": "<!doctype html><button onclick='this.id=\"hit\"'>Same</button>"})
	ctx, p := newPage(t)
	open := func(path string) {
		if _, err := p.Open(ctx, url+path, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	open("/a")
	first := take(t, ctx, p, snapshot.Options{})
	if first.PageRev != 1 {
		t.Errorf("page_rev %d, want 1", first.PageRev)
	}
	open("/b")
	_, err := p.Press(ctx, ref("e1"), driver.PressOptions{})
	e := wantCode(t, err, diag.StaleRef, "another document")
	if e.Details["snapshot_page_rev"] != 1 || e.Details["current_page_rev"] != 2 {
		t.Errorf("details %v", e.Details)
	}
	if evaluate(t, ctx, p, `document.querySelectorAll('#hit').length`) != 0.0 {
		t.Error("a button of another page was pressed")
	}
	if s := take(t, ctx, p, snapshot.Options{Delta: first.ID}); s.PageRev != 2 || !strings.Contains(s.Text(), "delta=new_document") || !strings.Contains(s.Text(), "[ref=e2]") {
		t.Errorf("delta over documents:\n%s", s.Text())
	}
}

func TestFindGivesRef(t *testing.T) {
	ctx, p := show(t, `<button>One</button><button>Two</button><p hidden id=h>x</p>`)
	f, err := p.Find(ctx, css("button:last-of-type"))
	if err != nil || f.Ref != "e1" {
		t.Fatalf("found %+v, %v, want the ref e1", f, err)
	}
	if got, err := p.Read(ctx, ref(f.Ref), driver.ReadOptions{What: "text"}); err != nil || got.Value != "Two" {
		t.Errorf("read %v, %v", got, err)
	}
	if s := take(t, ctx, p, snapshot.Options{}); !strings.Contains(s.Text(), `button "Two" [ref=e1]`) || !strings.Contains(s.Text(), `button "One" [ref=e2]`) {
		t.Errorf("snapshot\n%s", s.Text())
	}
	if f, err = p.Find(ctx, css(".none")); err != nil || f.Ref != "" {
		t.Errorf("found %+v, %v", f, err)
	}
}

// linksPage is a form with 200 links. agent-browser 0.41.2 returns peerShort characters for it with
// "snapshot -i", and peerLong with "snapshot".
const peerShort, peerLong = 7442, 17481

func linksPage() string {
	var b strings.Builder
	b.WriteString(`<title>Bench</title><h1>Bench page</h1><form id=f><label>Name <input name=name></label><label>Email <input type=email name=email></label>
		<label>Notes <textarea name=notes></textarea></label><label>Country <select name=country><option>Norway<option>Sweden<option>Denmark</select></label>
		<label><input type=checkbox name=agree> I agree to the terms</label><label><input type=radio name=plan> Basic</label><label><input type=radio name=plan> Pro</label>
		<button>Submit</button></form><ul>`)
	for i := range 200 {
		fmt.Fprintf(&b, "<li><a href=/item/%d>Link number %d</a></li>", i, i)
	}
	return b.String() + "</ul>"
}

func TestSnapshotIsShort(t *testing.T) {
	ctx, p := show(t, linksPage())
	for _, tt := range []struct {
		interactive  bool
		nodes, limit int
		facts        []string
	}{
		{true, 208, peerShort, []string{`[type=email]`, `[options="Norway | Sweden | Denmark"] value="Norway"`, `link "Link number 199"`}},
		{false, 211, peerLong * 2 / 3, []string{`heading "Bench page" [level=1]`, `value="Norway"`, `link "Link number 199" [ref=e208] [url=/item/199]`}},
	} {
		s := take(t, ctx, p, snapshot.Options{Interactive: tt.interactive, MaxNodes: 500, MaxChars: 50_000})
		if n := len([]rune(s.Text())); n >= tt.limit || s.Nodes != tt.nodes || len(s.Truncated) > 0 {
			t.Errorf("%d characters for %d nodes, want all %d in fewer than %d:\n%.2000s", n, s.Nodes, tt.nodes, tt.limit, s.Text())
		}
		for _, fact := range tt.facts {
			if !strings.Contains(s.Text(), fact) {
				t.Errorf("%s is not in\n%.2000s", fact, s.Text())
			}
		}
	}
}

func TestSnapshotOfBigPage(t *testing.T) {
	testkit.Long(t)
	ctx, p := show(t, `<main id=m></main><script>m.innerHTML = '<div><span>x</span><a href=#>Link</a></div>'.repeat(12500)</script>`)
	for _, o := range []snapshot.Options{{}, {Interactive: true}, {JSON: true, MaxChars: 5000}} {
		s := take(t, ctx, p, o)
		if s.Nodes > 200 || len(s.Text()) > 12000 || len(s.Truncated) == 0 {
			t.Errorf("%+v: %d nodes, %d characters, truncated %v", o, s.Nodes, len(s.Text()), s.Truncated)
		}
	}
}

// A page that renders everything again on each event can still be acted on by refs.
func TestRefsOnPageThatRendersAnew(t *testing.T) {
	ctx, p := show(t, `<div id=app></div><script>
		let n = 0; const render = () => { app.innerHTML = '<button>Add</button><output>' + n + '</output>' };
		render(); for (const type of ['mousemove','mouseover','focusin','keydown']) addEventListener(type, render, true);
		app.addEventListener('click', (e) => { if (e.target.tagName === 'BUTTON') { n++; render() } })</script>`)
	add := refOf(t, take(t, ctx, p, snapshot.Options{}), "Add")
	for range 3 {
		evaluate(t, ctx, p, `render(), 1`)
		if _, err := p.Read(ctx, ref(add), driver.ReadOptions{What: "text"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSnapshotOfFrames(t *testing.T) {
	t.Parallel()
	inner := site(t, map[string]string{"/": "<!doctype html><h2>Inside</h2><button onclick='this.textContent=\"Done\"'>Deep</button>"})
	middle := site(t, map[string]string{"/": `<!doctype html><button>Middle</button><iframe title=Inner src="` + strings.Replace(inner, "127.0.0.1", "localhost", 1) + `/"></iframe>`})
	outer := site(t, map[string]string{"/": `<!doctype html><button>Before</button><iframe title=Other src="` + strings.Replace(middle, "127.0.0.1", "localhost", 1) +
		`/"></iframe><button>After</button>`})
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, outer+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	s := take(t, ctx, p, snapshot.Options{})
	want := `- button "Before" [ref=e1]
- iframe "Other":
  - button "Middle" [ref=e2]
  - iframe "Inner":
    - heading "Inside" [level=2] [ref=e3]
    - button "Deep" [ref=e4]
- button "After" [ref=e5]
`
	if got := body(s); got != want {
		t.Fatalf("got\n%swant\n%s", got, want)
	}
	if got, err := p.Read(ctx, ref("e4"), driver.ReadOptions{What: "text"}); err != nil || got.Value != "Deep" {
		t.Errorf("read %v, %v", got, err)
	}
	if _, err := p.Press(ctx, ref("e4"), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	if s = take(t, ctx, p, snapshot.Options{Delta: s.ID}); body(s) != "- changed:\n  - button \"Done\" [focused] [ref=e4]\n" {
		t.Errorf("after the press:\n%s", s.Text())
	}
	inside := driver.Target{Source: "frame:iframe >> css:h2", Timeout: time.Second, Bind: func(context.Context, driver.Document) (*selectors.Query, error) {
		frame := selectors.QueryPart{Kind: selectors.CSS, Value: "iframe"}
		return &selectors.Query{Parts: []selectors.QueryPart{
			{Kind: selectors.Frame, Frame: &selectors.Query{Parts: []selectors.QueryPart{frame}}}, {Kind: selectors.CSS, Value: "button"}}}, nil
	}}
	if s, err := p.Snapshot(ctx, driver.SnapshotOptions{Scope: &inside}); err != nil || body(s) != "- button \"Middle\" [ref=e2]\n" {
		t.Errorf("scope in a frame: %v\n%s", err, body(s))
	}
}

// A snapshot reports that it has left out frames.
func TestSnapshotOfManyFrames(t *testing.T) {
	testkit.Long(t)
	for _, n := range []int{documents.MostFrames, documents.MostFrames + 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			ctx, p := show(t, strings.Repeat(`<iframe sandbox srcdoc="<button>In</button>"></iframe>`, n))
			s := take(t, ctx, p, snapshot.Options{MaxNodes: 500})
			if got := strings.Count(s.Text(), `button "In"`); got != documents.MostFrames {
				t.Errorf("%d were read, want %d", got, documents.MostFrames)
			}
			if told := slices.Contains(s.Truncated, snapshot.Frames); told != (n > documents.MostFrames) {
				t.Errorf("truncated=%v", s.Truncated)
			}
		})
	}
}

func TestSnapshotOfClosedRoots(t *testing.T) {
	ctx, p := show(t, `<x-card></x-card><x-plain>text</x-plain><script>
		customElements.define('x-inner', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML = '<button onclick="window.hit=1">Deep</button>' } });
		customElements.define('x-card', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML = '<h2>Card</h2><x-inner></x-inner>' } });
		</script>`)
	s := take(t, ctx, p, snapshot.Options{})
	want := "- heading \"Card\" [level=2] [ref=e1]\n- button \"Deep\" [ref=e2]\n- text \"text\"\n"
	if body(s) != want {
		t.Fatalf("got\n%swant\n%s", body(s), want)
	}
	if _, err := p.Press(ctx, ref("e2"), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	if evaluate(t, ctx, p, `window.hit`) != 1.0 {
		t.Error("the button was not pressed")
	}
}

// The example of docs/page-reading.md.
func TestPageReadingExample(t *testing.T) {
	doc, err := os.ReadFile("../../docs/page-reading.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(html|snapshot)\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want the page and two snapshots", len(blocks))
	}
	ctx, p := show(t, blocks[0][2])
	plain := func(s string) string {
		return anyHost.ReplaceAllString(anySnapshot.ReplaceAllString(s, "snap"), "http://example.test")
	}
	first := take(t, ctx, p, snapshot.Options{})
	if got, want := plain(first.Text()), plain(blocks[1][2]); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if _, err := p.Check(ctx, ref("e4"), true); err != nil {
		t.Error(err)
	}
	if _, err := p.Press(ctx, ref("e6"), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	second := take(t, ctx, p, snapshot.Options{Delta: first.ID})
	if got, want := plain(second.Text()), plain(blocks[2][2]); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
