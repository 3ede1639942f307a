package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// ownDialogs starts a browser for one test, whose dialogs no other test answers, and opens one
// page.
func ownDialogs(t *testing.T, policy chrome.DialogPolicy, html string) (context.Context, *chrome.Browser, *Page) {
	t.Helper()
	ctx := testContext(t)
	b, err := Launch(ctx, startup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	b.BeginCall(policy, true)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	if html != "" {
		if _, err := p.Open(ctx, site(t, map[string]string{"/": "<!doctype html>" + html})+"/", driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	return ctx, b, p
}

var leaveAll = chrome.DialogPolicy{"alert": "leave", "confirm": "leave", "prompt": "leave", "beforeunload": "leave"}

func answer(t *testing.T, ctx context.Context, b *chrome.Browser, accept bool, text ...string) *chrome.Dialog {
	t.Helper()
	a := driver.DialogAnswer{Accept: accept}
	if len(text) > 0 {
		a.Text = &text[0]
	}
	d, err := b.AnswerDialog(ctx, a)
	if err != nil {
		t.Fatal("answer:", err)
	}
	return d
}

func mustPress(t *testing.T, ctx context.Context, p *Page, selector string) {
	t.Helper()
	if _, err := p.Press(ctx, css(selector), driver.PressOptions{}); err != nil {
		t.Fatal("press:", err)
	}
}

func TestNextDialog(t *testing.T) {
	ctx, b, p := ownDialogs(t, nil, `<button id=b onclick="out.value=String(prompt('Name?','Ann'))">x</button>
		<button id=c onclick="out.value=String(confirm('Sure?'))">x</button><textarea id=out></textarea>`)
	const odd = "two\nlines, 漢字 \u202e\U0001F600 \"quoted\" ${x}"
	for _, tt := range []struct {
		name, button string
		prepare      func()
		want         any
	}{
		{"a prompt by default", "#b", func() {}, "null"},
		{"a prompt with a text", "#b", func() { answer(t, ctx, b, true, odd) }, odd},
		{"once only", "#b", func() {}, "null"},
		{"a prompt accepted as it stands", "#b", func() { answer(t, ctx, b, true) }, "Ann"},
		{"a prompt with nothing in it", "#b", func() { answer(t, ctx, b, true, "") }, ""},
		{"the later answer counts", "#c", func() { answer(t, ctx, b, true); answer(t, ctx, b, false) }, "false"},
		{"a confirm", "#c", func() { answer(t, ctx, b, true) }, "true"},
	} {
		tt.prepare()
		mustPress(t, ctx, p, tt.button)
		if got := evaluate(t, ctx, p, "out.value"); got != tt.want {
			t.Errorf("%s: the page got %q, want %q", tt.name, got, tt.want)
		}
	}
	all := b.DialogHistory()
	if d := all[1]; d.Kind != "prompt" || d.Message != "Name?" || d.Default != "Ann" || d.Text != odd || d.Answer != "accepted" || d.Tab != p.Probe().ID || d.URL == "" {
		t.Errorf("the history has %+v", d)
	}
}

func TestDialogHistoryIsBounded(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, nil, `<button id=b onclick="for (let i = 0; i < 130; i++) alert('a' + i)">x</button>`)
	mustPress(t, ctx, p, "#b")
	all := b.DialogHistory()
	if len(all) != dialogs.MostInHistory || all[0].Message != "a120" || all[9].Message != "a129" || all[9].Number != 130 {
		t.Errorf("%d dialogs from %+v, want the last 10", len(all), all[0])
	}
	if list, more := b.TakeDialogs(); len(list) != dialogs.MostOfTab || more != 30 {
		t.Errorf("%d dialogs and %d more are told, want 100 and 30", len(list), more)
	}
}

// A dialog that is left open blocks the page, and calls that need the page report it immediately.
func TestLeftDialog(t *testing.T) {
	ctx, b, p := ownDialogs(t, leaveAll, `<button id=b onclick="out.value=String(prompt('Name?','Ann'))">x</button><input id=out><input id=k onkeydown="confirm('key')">`)
	mustPress(t, ctx, p, "#b")
	for name, f := range map[string]func() error{
		"press": func() error { _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); return err },
		"open":  func() error { _, err := p.Open(ctx, "about:blank", driver.Load); return err },
		"eval":  func() error { _, err := p.Eval(ctx, "1", nil); return err },
		"fill":  func() error { _, err := p.Fill(ctx, css("#out"), "x"); return err },
		"read":  func() error { _, err := p.Document(ctx); return err },
		"back":  func() error { _, err := p.History(ctx, -1); return err },
	} {
		e := wantCode(t, f(), diag.StepFailed, `prompt "Name?"`)
		if e.Hint != chrome.DialogHint || e.Details["dialog"] != "prompt" || e.Details["message"] != "Name?" || e.Details["url"] == "" {
			t.Errorf("%s: hint %q, details %v", name, e.Hint, e.Details)
		}
	}
	if tabs, err := b.Tabs(ctx); err != nil || len(tabs) != 1 {
		t.Errorf("tabs %v, %v", tabs, err)
	}
	if d := answer(t, ctx, b, true, "Bob"); d.Kind != "prompt" || d.Answer != "accepted" || d.Text != "Bob" {
		t.Errorf("answered %+v", d)
	}
	if got := evaluate(t, ctx, p, "out.value"); got != "Bob" {
		t.Errorf("the page got %q", got)
	}
	target := css("#k")
	if _, err := p.Key(ctx, &target, "a", 1); err != nil {
		t.Fatal("key:", err)
	}
	if d := answer(t, ctx, b, false); d.Message != "key" || d.Answer != "dismissed" {
		t.Errorf("answered %+v", d)
	}
	if _, err := p.Eval(ctx, "confirm('eval')", nil); !errors.Is(err, dialogs.ErrOpened) {
		t.Errorf("eval of what opens one: %v", err)
	}
	answer(t, ctx, b, true)
}

func TestLeftDialogOfAnotherTab(t *testing.T) {
	testkit.Long(t)
	url := site(t, map[string]string{
		"/":    `<!doctype html><button id=b onclick="window.w = window.open('/pop')">x</button><button id=c onclick="w.confirm('theirs')">x</button>`,
		"/pop": `<!doctype html><p>pop`,
	})
	ctx, b, p := ownDialogs(t, leaveAll, "")
	if _, err := p.Open(ctx, url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	r, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	if err != nil || r.Tab == "" {
		t.Fatalf("press: %+v, %v", r, err)
	}
	mustPress(t, ctx, p, "#c")
	_, err = p.Document(ctx)
	wantCode(t, err, diag.StepFailed, "theirs", r.Tab)
	if err := b.SwitchTab(ctx, r.Tab); err != nil {
		t.Fatal(err)
	}
	if d := answer(t, ctx, b, true); d.Tab != r.Tab {
		t.Errorf("answered %+v, want that of %s", d, r.Tab)
	}
	if _, err := p.Document(ctx); err != nil {
		t.Error(err)
	}
}

// A tab that was not opened by the tab with the dialog has its own renderer, and is not blocked.
func TestLeftDialogBeside(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, leaveAll, `<button id=b onclick="confirm('Sure?')">x</button>`)
	mustPress(t, ctx, p, "#b")
	if _, err := b.OpenTab(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := activePage(b).Open(ctx, site(t, map[string]string{"/": "<title>Other</title>"}), driver.Load); err != nil {
		t.Fatal(err)
	}
	if d, err := activePage(b).Document(ctx); err != nil || d.Title != "Other" {
		t.Errorf("the other tab: %v, %v", d, err)
	}
	if d := answer(t, ctx, b, true); d.Tab != p.Probe().ID {
		t.Errorf("answered %+v, want that of %s", d, p.Probe().ID)
	}
}

func TestLeftDialogOfAFrame(t *testing.T) {
	testkit.Long(t)
	base := site(t, map[string]string{"/in": `<!doctype html><button id=i onclick="document.title=confirm('inner')">x</button>`})
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	ctx, b, p := ownDialogs(t, leaveAll, `<p id=p>outer</p><iframe src="`+other+`/in"></iframe>`)
	sel, err := selectors.Parse("frame:css:iframe >> css:#i", selectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	target := targetOf(sel)
	if _, err := p.Press(ctx, target, driver.PressOptions{}); err != nil {
		t.Fatal("press:", err)
	}
	_, err = p.Document(ctx)
	wantCode(t, err, diag.StepFailed, "inner")
	answer(t, ctx, b, true)
	if _, err := p.Document(ctx); err != nil {
		t.Error(err)
	}
}

func TestBeforeUnloadIsLeft(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, leaveAll, `<button id=b onclick="onbeforeunload=e=>e.preventDefault()">x</button>`)
	next := site(t, map[string]string{"/": "<title>Next</title>"})
	mustPress(t, ctx, p, "#b")
	_, err := p.Open(ctx, next, driver.Load)
	wantCode(t, err, diag.StepFailed, "beforeunload")
	answer(t, ctx, b, false)
	if doc, err := p.Document(ctx); err != nil || strings.HasPrefix(doc.URL, next) {
		t.Errorf("the page is %v, %v; it was to stay", doc, err)
	}
	_, err = p.Open(ctx, next, driver.Load)
	wantCode(t, err, diag.StepFailed, "beforeunload")
	answer(t, ctx, b, true)
	eventually(t, "the next page", func() bool { return strings.HasPrefix(p.Frames.CurrentDocument().URL, next) })
}

func TestBeforeUnloadIsDismissedOnce(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, nil, `<button id=b onclick="onbeforeunload=e=>e.preventDefault()">x</button>`)
	next := site(t, map[string]string{"/": "<title>Next</title>"})
	mustPress(t, ctx, p, "#b")
	answer(t, ctx, b, false)
	_, err := p.Open(ctx, next, driver.Load)
	wantCode(t, err, diag.NavigationFailed)
	if _, err := p.Open(ctx, next, driver.Load); err != nil {
		t.Error(err)
	}
}

// A dialog that opens while the page is loading does not block Open for ever.
func TestLeftDialogWhileLoading(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, leaveAll, "")
	url := site(t, map[string]string{"/": `<!doctype html><script>alert('first')</script><title>Loaded</title>`})
	_, err := p.Open(ctx, url, driver.Load)
	wantCode(t, err, diag.StepFailed, "first")
	answer(t, ctx, b, true)
	if err := p.WaitLoad(ctx, driver.Load); err != nil {
		t.Fatal(err)
	}
	if doc, err := p.Document(ctx); err != nil || doc.Title != "Loaded" {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestCloseWithLeftDialog(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, leaveAll, `<button id=b onclick="for (;;) confirm('again')">x</button>`)
	w, err := b.OpenWindow(ctx, driver.Size{})
	if err != nil {
		t.Fatal(err)
	}
	mustPress(t, ctx, p, "#b")
	if err := b.CloseWindow(ctx, p.Probe().Window); err != nil {
		t.Error("close:", err)
	}
	if all := b.Windows(); len(all) != 1 || all[0].ID != w {
		t.Errorf("windows are %v, want %s", all, w)
	}
	if d := b.DialogHistory(); d[len(d)-1].Answer == driver.DialogOpen {
		t.Errorf("the last dialog is %+v", d[len(d)-1])
	}
	if answer(t, ctx, b, true) != nil {
		t.Error("a dialog is open yet")
	}
}

func TestUnusedAnswer(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, nil, `<button id=b onclick="document.title=confirm('Sure?')">x</button>`)
	answer(t, ctx, b, true)
	if b.EndCall() {
		t.Error("an answer by hand waits until it is used")
	}
	b.BeginCall(nil, false)
	if b.EndCall() {
		t.Error("an answer by hand outlives a run that does not use it")
	}
	mustPress(t, ctx, p, "#b")
	if got := evaluate(t, ctx, p, "document.title"); got != "true" {
		t.Errorf("confirm gave %v", got)
	}
	b.BeginCall(nil, false)
	answer(t, ctx, b, true)
	if !b.EndCall() || b.EndCall() {
		t.Error("the answer of a run ends with it, and is told once")
	}
}

// A page may open any number of dialogs at once while steps are running.
func TestDialogsRace(t *testing.T) {
	testkit.Long(t)
	ctx, b, p := ownDialogs(t, chrome.DialogPolicy{"alert": "leave"}, `<button id=b onclick="let n = 0; setInterval(() => alert('n' + n++), 5)">x</button>`)
	mustPress(t, ctx, p, "#b")
	for range 20 {
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		for {
			if _, err := p.Eval(short, "1", nil); errors.Is(err, dialogs.ErrOpen) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		answer(t, short, b, true)
		cancel()
	}
	for i, d := range b.DialogHistory() {
		if i > 0 && d.Message != fmt.Sprint("n", 10+i) && d.Answer != "accepted" && d.Answer != "open" {
			t.Errorf("the history has %+v", d)
		}
	}
}
