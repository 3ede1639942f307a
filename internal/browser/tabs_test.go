package browser

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
)

// fresh starts a browser for one test, with one window and a page with html.
func fresh(t *testing.T, o startup.Options, pages map[string]string) (context.Context, *chrome.Browser, string) {
	t.Helper()
	t.Parallel()
	b, _ := launch(t, o)
	ctx := testContext(t)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	base := site(t, pages)
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	return ctx, b, base
}

// ids lists the open tabs, the active one with a star.
func ids(t *testing.T, ctx context.Context, b *chrome.Browser) string {
	t.Helper()
	tabs, err := b.Tabs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, tab := range tabs {
		id := tab.ID
		if tab.Active {
			id += "*"
		}
		list = append(list, id)
	}
	return strings.Join(list, " ")
}

func wantTabs(t *testing.T, ctx context.Context, b *chrome.Browser, want string) {
	t.Helper()
	if got := ids(t, ctx, b); got != want {
		t.Errorf("tabs = %q, want %q", got, want)
	}
}

func pressIn(t *testing.T, ctx context.Context, b *chrome.Browser, selector string, o driver.PressOptions) driver.Press {
	t.Helper()
	r, err := b.Active().Press(ctx, css(selector), o)
	if err != nil {
		t.Fatalf("press %s: %v", selector, err)
	}
	return r
}

var openers = map[string]string{
	"/": `<!doctype html><title>first</title>
<a id=blank href=/second target=_blank>x</a>
<a id=opener href=/second target=_blank rel=opener>x</a>
<button id=script onclick="window.open('/second')">x</button>
<button id=noopener onclick="window.open('/second','','noopener')">x</button>
<button id=empty onclick="window.open('').document.body.textContent='made'">x</button>
<button id=two onclick="window.open('/second');window.open('/third')">x</button>
<button id=named onclick="window.open('/third','one')">x</button>
<form action=/second target=_blank><button id=form>x</button><input id=field></form>
<a id=plain href=/second>x</a>
<button id=close onclick="window.close()">x</button>
<button id=nothing>x</button>`,
	"/second": `<!doctype html><title>second</title><button id=close onclick="window.close()">x</button>
<button id=close2 onclick="setTimeout(()=>window.close())">x</button><a id=blank href=/third target=_blank>x</a>
<script>document.title+=' '+(window.opener!==null)</script>`,
	"/third": `<!doctype html><title>third</title>`,
}

func TestPageOpensTab(t *testing.T) {
	testkit.Long(t)
	tests := []struct {
		name, press string
		o           driver.PressOptions
		url, title  string
	}{
		{"link", "#blank", driver.PressOptions{}, "/second", "second false"},
		{"link with an opener", "#opener", driver.PressOptions{}, "/second", "second true"},
		{"window.open", "#script", driver.PressOptions{}, "/second", "second true"},
		{"window.open without an opener", "#noopener", driver.PressOptions{}, "/second", "second false"},
		{"form", "#form", driver.PressOptions{}, "/second?", "second false"},
		{"a blank one", "#empty", driver.PressOptions{}, "about:blank", ""},
		{"link with Control", "#plain", driver.PressOptions{Modifiers: []string{controlOrMeta()}}, "/second", "second false"},
		{"link with Shift", "#plain", driver.PressOptions{Modifiers: []string{"Shift"}}, "/second", "second false"},
		{"link with the middle button", "#plain", driver.PressOptions{Button: "middle"}, "/second", "second false"},
		{"named", "#named", driver.PressOptions{}, "/third", "third"},
	}
	ctx, b, base := fresh(t, startup.Options{}, openers)
	first := b.ActiveTab()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := pressIn(t, ctx, b, tt.press, tt.o); got.Tab == "" || got.Navigated != nil {
				t.Fatalf("press = %+v, want the id of a tab and no navigation", got)
			} else if b.ActiveTab() != first {
				t.Errorf("the new tab is active")
			} else if err := b.SwitchTab(ctx, got.Tab); err != nil {
				t.Fatal(err)
			}
			news := b.TakeNews()
			if len(news) != 1 || news[0].Kind != chrome.TabOpened || news[0].Tab != b.ActiveTab() || news[0].Opener != first {
				t.Errorf("news = %+v, want one tab opened by %s", news, first)
			}
			doc, err := b.Active().Document(ctx)
			if err != nil || strings.TrimPrefix(doc.URL, base) != tt.url || doc.Title != tt.title {
				t.Errorf("document = %+v, %v, want %s %q", doc, err, tt.url, tt.title)
			}
			if err := b.CloseTab(ctx, ""); err != nil {
				t.Fatal(err)
			}
			wantTabs(t, ctx, b, first+"*")
			if news := b.TakeNews(); len(news) != 0 {
				t.Errorf("news of what was asked for: %+v", news)
			}
		})
	}
	if got := pressIn(t, ctx, b, "#nothing", driver.PressOptions{}); got.Tab != "" {
		t.Errorf("a press that opens nothing: tab %q", got.Tab)
	}
	if got := pressIn(t, ctx, b, "#two", driver.PressOptions{}); got.Tab != "t13" {
		t.Errorf("a press that opens two: tab %q, want the second, t13; there are %s", got.Tab, ids(t, ctx, b))
	}
	if _, err := b.Active().Focus(ctx, css("#field")); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Active().Key(ctx, nil, "Enter", 1); err != nil || got.Tab != "t14" {
		t.Errorf("Enter in the form: %+v, %v, want tab t14", got, err)
	}
}

func TestTabClosesItself(t *testing.T) {
	testkit.Long(t)
	ctx, b, _ := fresh(t, startup.Options{}, openers)
	second := pressIn(t, ctx, b, "#opener", driver.PressOptions{}).Tab
	if err := b.SwitchTab(ctx, second); err != nil {
		t.Fatal(err)
	}
	third := pressIn(t, ctx, b, "#blank", driver.PressOptions{}).Tab
	b.TakeNews()
	pressIn(t, ctx, b, "#close", driver.PressOptions{})
	wantTabs(t, ctx, b, "t1* "+third)
	news := b.TakeNews()
	if len(news) != 1 || news[0].Kind != chrome.TabClosed || news[0].Tab != second || news[0].Active != "t1" || !strings.HasSuffix(news[0].URL, "/second") {
		t.Errorf("news = %+v, want that %s closed and t1 is active", news, second)
	}
	wantCode(t, b.SwitchTab(ctx, second), diag.ParamInvalid, second)
}

// TestCutTitle checks that a title that the browser cuts in its list of tabs ends with an ellipsis.
func TestCutTitle(t *testing.T) {
	ctx, b, _ := fresh(t, startup.Options{}, map[string]string{
		"/": `<!doctype html><title>x</title><button onclick="document.title='w'.repeat(5000)">Go</button>`,
	})
	pressIn(t, ctx, b, "button", driver.PressOptions{})
	list, err := b.Tabs(ctx)
	if want := strings.Repeat("w", 4096) + "…"; err != nil || len(list) != 1 || list[0].Title != want {
		t.Errorf("got %+v, %v, want the beginning of the title and an ellipsis", list, err)
	}
}

// If the opener is no longer a tab, the previously active tab becomes active.
func TestTabThatWasActiveBefore(t *testing.T) {
	testkit.Long(t)
	ctx, b, _ := fresh(t, startup.Options{}, openers)
	for range 3 {
		if _, err := b.OpenTab(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"t2", "t1", "t4"} {
		if err := b.SwitchTab(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"t1* t2 t3", "t2* t3", "t3*"} {
		if err := b.CloseTab(ctx, ""); err != nil {
			t.Fatal(err)
		}
		wantTabs(t, ctx, b, want)
	}
	wantCode(t, b.CloseTab(ctx, ""), diag.InvalidRequest, "only tab of the session")
	if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, b.CloseTab(ctx, "t5"), diag.InvalidRequest, "only tab of the window w2")
	wantCode(t, b.CloseTab(ctx, "t9"), diag.ParamInvalid, `no tab "t9"`)
	wantTabs(t, ctx, b, "t3 t5*")
}

func TestLastTabClosesItself(t *testing.T) {
	testkit.Long(t)
	ctx, b, base := fresh(t, startup.Options{}, openers)
	if _, err := b.Active().Eval(ctx, "document.cookie='a=1'", nil); err != nil {
		t.Fatal(err)
	}
	if err := b.SwitchTab(ctx, pressIn(t, ctx, b, "#opener", driver.PressOptions{}).Tab); err != nil {
		t.Fatal(err)
	}
	if err := b.CloseTab(ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	b.TakeNews()
	second := b.Active().(*Page)
	pressIn(t, ctx, b, "#close2", driver.PressOptions{})
	eventually(t, "a new tab", func() bool { return b.Active() != driver.Page(second) })
	wantTabs(t, ctx, b, "t3*")
	if err := b.Renew(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Active().Open(ctx, base+"/third", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Active().Eval(ctx, "document.cookie", nil); err != nil || got != "a=1" {
		t.Errorf("cookie = %v, %v, want that of the window", got, err)
	}
	if news := b.TakeNews(); len(news) != 1 || news[0].Tab != "t2" || news[0].Active != "t3" {
		t.Errorf("news = %+v, want that t2 closed and t3 is active", news)
	}
	_, err := second.Document(ctx)
	wantCode(t, err, diag.StepFailed, "t2 was closed")
}

func TestWindows(t *testing.T) {
	ctx, b, base := fresh(t, startup.Options{}, openers)
	cookie := func(script string) string {
		t.Helper()
		v, err := b.Active().Eval(ctx, script, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v.(string)
	}
	cookie("document.cookie='who=ann'")
	w, err := b.OpenWindow(ctx, driver.Size{})
	if err != nil || w != "w2" {
		t.Fatalf("window = %q, %v, want w2", w, err)
	}
	if _, err := b.Active().Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := cookie("document.cookie"); got != "" {
		t.Errorf("a new window has the cookie %q", got)
	}
	cookie("document.cookie='who=bob'")
	tab := pressIn(t, ctx, b, "#blank", driver.PressOptions{}).Tab
	if err := b.SwitchTab(ctx, tab); err != nil {
		t.Fatal(err)
	}
	if got := cookie("document.cookie"); got != "who=bob" {
		t.Errorf("a pop-up has the cookie %q, want that of its window", got)
	}
	if err := b.SwitchWindow(ctx, "w1"); err != nil {
		t.Fatal(err)
	}
	if got := cookie("document.cookie"); got != "who=ann" {
		t.Errorf("w1 has the cookie %q", got)
	}
	want := []driver.WindowInfo{{ID: "w1", Tabs: 1, Active: true, Tab: "t1"}, {ID: "w2", Tabs: 2, Tab: "t3"}}
	if got := b.Windows(); !slices.Equal(got, want) {
		t.Errorf("windows = %+v, want %+v", got, want)
	}
	if err := b.SwitchWindow(ctx, "w2"); err != nil || b.ActiveTab() != "t3" {
		t.Errorf("active = %s, %v, want t3", b.ActiveTab(), err)
	}
	if err := b.CloseWindow(ctx, ""); err != nil {
		t.Fatal(err)
	}
	wantTabs(t, ctx, b, "t1*")
	wantCode(t, b.CloseWindow(ctx, "w1"), diag.InvalidRequest, "only window")
	wantCode(t, b.SwitchWindow(ctx, "w2"), diag.ParamInvalid, `no window "w2"`)
	if s := b.State(); s.Tabs != 1 || s.Windows != 1 || s.Tab != "t1" || s.Window != "w1" || s.URL != base+"/" {
		t.Errorf("state = %+v", s)
	}
}

// A tab that crashes affects only its own page.
func TestCrashedTab(t *testing.T) {
	testkit.Long(t)
	ctx, b, base := fresh(t, startup.Options{}, openers)
	if _, err := b.Active().Eval(ctx, "document.cookie='a=1'", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.OpenTab(ctx); err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(base, "127.0.0.1", "localhost", 1) // in another process
	if _, err := b.Active().Open(ctx, other+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	crash := func(id string) {
		t.Helper()
		p, err := b.FindTab(id)
		if err != nil {
			t.Fatal(err)
		}
		p.Frames.Start(ctx, proto.PageCrash{})
	}
	crash("t2")
	eventually(t, "the crash", func() bool { return b.State().Crashed })
	if err := b.Renew(ctx); err != nil {
		t.Fatal(err)
	}
	wantTabs(t, ctx, b, "t1 t3*")
	if err := b.SwitchTab(ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Active().Eval(ctx, "document.cookie", nil); err != nil || got != "a=1" {
		t.Errorf("the other tab: %v, %v, want its cookie", got, err)
	}
	if news := b.TakeNews(); len(news) != 0 {
		t.Errorf("news = %+v, want none of the active tab", news)
	}
	if err := b.SwitchTab(ctx, "t3"); err != nil {
		t.Fatal(err)
	}
	crash("t1")
	eventually(t, "the end of the crashed tab", func() bool { return b.State().Tabs == 1 })
	if news := b.TakeNews(); len(news) != 1 || news[0].Kind != chrome.TabCrashed || news[0].Tab != "t1" {
		t.Errorf("news = %+v, want that t1 crashed", news)
	}
	if _, err := b.Active().Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Active().Eval(ctx, "document.cookie", nil); err != nil || got != "a=1" {
		t.Errorf("after both crashes: %v, %v, want the window's cookie", got, err)
	}
}

func TestTooManyTabs(t *testing.T) {
	testkit.Long(t)
	ctx, b, _ := fresh(t, startup.Options{MaxTabs: 2}, openers)
	if got := pressIn(t, ctx, b, "#two", driver.PressOptions{}); got.Tab != "t2" {
		t.Errorf("tab = %q, want the one that has room", got.Tab)
	}
	news := b.TakeNews()
	if len(news) != 2 || news[0].Kind != chrome.TabOpened || news[1].Kind != chrome.TabRefused || news[1].Opener != "t1" {
		t.Errorf("news = %+v, want one opened and one refused", news)
	}
	_, err := b.OpenTab(ctx)
	wantCode(t, err, diag.LimitExceeded, "2 tabs")
	_, err = b.OpenWindow(ctx, driver.Size{})
	wantCode(t, err, diag.LimitExceeded, "2 tabs")
	wantTabs(t, ctx, b, "t1* t2")
	if got := pressIn(t, ctx, b, "#nothing", driver.PressOptions{}); got.Tab != "" {
		t.Errorf("the next press opened %q", got.Tab)
	}
}

// A ref is valid only in its own tab.
func TestRefOfAnotherTab(t *testing.T) {
	testkit.Long(t)
	ctx, b, _ := fresh(t, startup.Options{Refs: new(snapshot.Book)}, openers)
	found, err := b.Active().Find(ctx, css("#nothing"))
	if err != nil || found.Ref == "" {
		t.Fatalf("find = %+v, %v", found, err)
	}
	if _, err := b.OpenTab(ctx); err != nil {
		t.Fatal(err)
	}
	to := ref(found.Ref)
	_, err = b.Active().Press(ctx, to, driver.PressOptions{})
	e := wantCode(t, err, diag.StaleRef, "belongs to the tab t1", "active tab is t2")
	if !strings.Contains(e.Hint, "tab switch t1") {
		t.Errorf("hint %q, want how to switch", e.Hint)
	}
	if err := b.SwitchTab(ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Active().Press(ctx, to, driver.PressOptions{}); err != nil {
		t.Errorf("in its own tab: %v", err)
	}
}

// A tab whose page asks before it closes, or does not answer, is closed too.
func TestCloseUnwillingTab(t *testing.T) {
	testkit.Long(t)
	for name, script := range map[string]string{
		"asks":          "addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='x'})",
		"endless":       "setTimeout(()=>{for(;;);})",
		"opens another": "addEventListener('pagehide',()=>window.open('/second'))",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, b, base := fresh(t, startup.Options{}, openers)
			if _, err := b.OpenTab(ctx); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Active().Open(ctx, base+"/", driver.Load); err != nil {
				t.Fatal(err)
			}
			pressIn(t, ctx, b, "#nothing", driver.PressOptions{})
			if _, err := b.Active().Eval(ctx, script+";0", nil); err != nil {
				t.Fatal(err)
			}
			if err := b.CloseTab(ctx, "t2"); err != nil {
				t.Fatal(err)
			}
			if got := ids(t, ctx, b); !strings.HasPrefix(got, "t1*") || strings.Contains(got, "t2") {
				t.Errorf("tabs = %q, want t1 active and no t2", got)
			}
		})
	}
}

// Every tab runs as slowly as requested. Without a request, nothing is sent.
func TestCPUSlowdown(t *testing.T) {
	testkit.Long(t)
	for _, tt := range []struct {
		name       string
		rate, want int
	}{{"own speed", 0, 0}, {"the same", 1, 0}, {"a quarter", 4, 2}} {
		t.Run(tt.name, func(t *testing.T) {
			var asked atomic.Int32
			ctx, b, _ := fresh(t, startup.Options{CPUSlowdown: tt.rate, Trace: func(method string) {
				if method == (proto.EmulationSetCPUThrottlingRate{}).ProtoReq() {
					asked.Add(1)
				}
			}}, openers)
			if _, err := b.OpenTab(ctx); err != nil {
				t.Fatal(err)
			}
			if got := int(asked.Load()); got != tt.want {
				t.Errorf("%d of two tabs were slowed down, want %d", got, tt.want)
			}
		})
	}
}
