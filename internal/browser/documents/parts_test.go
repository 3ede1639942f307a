package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// parts returns the parts of a tab without a browser: its connection answers nothing.
func parts(t *testing.T) Parts {
	t.Helper()
	in, silent := io.Pipe()
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	conn := cdp.OverPipes(in, out, func(*cdp.Event) {}, nil)
	t.Cleanup(func() {
		_ = silent.Close()
		conn.Close()
	})
	return NewParts("t1", Surroundings{
		Conn: conn, Session: "s1", Frame: "main", Refs: new(snapshot.Book), Timers: new(timers.Recorder),
		Over:         func(err error) *diag.Error { return cdp.Unavailable("ended").Because(err) },
		Hindered:     func() *diag.Error { return nil },
		Beside:       func(context.Context) error { return nil },
		NetFailure:   func(_, failure string) string { return failure },
		Refusal:      func(string) *diag.Error { return nil },
		Ready:        func(context.Context) error { return nil },
		ClosedItself: func(context.Context) bool { return false },
		Opened:       func() int { return 0 },
		Latest:       func() int { return 7 },
	})
}

// feed passes an event to the frames.
func (p Parts) feed(session, method, params string, args ...any) {
	p.Frames.Handle(&cdp.Event{Session: session, Method: method, Params: json.RawMessage(fmt.Sprintf(params, args...))})
}

// commit passes the events of a new document to the frames.
func (p Parts) commit(session, frame, parent, loader, url string) {
	params := fmt.Sprintf(`{"frame":{"id":%q,"parentId":%q,"loaderId":%q,"url":%q}}`, frame, parent, loader, url)
	p.Frames.Commit(&cdp.Event{Session: session, Method: "Page.frameNavigated", Params: json.RawMessage(params)})
}

// context passes the event of a new context of the engine to the frames.
func (p Parts) context(session, frame, id string, number int) {
	p.feed(session, "Runtime.executionContextCreated",
		`{"context":{"id":%d,"uniqueId":%q,"name":"action","auxData":{"frameId":%q,"isDefault":false}}}`, number, id, frame)
}

func TestSignal(t *testing.T) {
	var s signal
	seen := s.now()
	waits := s.after(seen)
	select {
	case <-waits:
		t.Fatal("a change before there was one")
	default:
	}
	s.notify()
	for name, c := range map[string]<-chan struct{}{"the one that waited": waits, "one that comes late": s.after(seen)} {
		select {
		case <-c:
		default:
			t.Error("the change is not reported to", name)
		}
	}
}

// A change between the check of a condition and the wait for the next change is not lost.
func TestUntilSeesChangeDuringCheck(t *testing.T) {
	p := parts(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	checks := 0
	err := p.Link.Until(ctx, "nothing changed", func() bool {
		checks++
		if checks == 1 {
			p.Link.Notify()
		}
		return checks == 2
	})
	if err != nil || checks != 2 {
		t.Errorf("%d checks, %v", checks, err)
	}
}

func TestUntilEnds(t *testing.T) {
	p := parts(t)
	never := func() bool { return false }
	short, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := p.Link.Until(short, "it is late", never); diag.CodeOf(err) != diag.Timeout || diag.As(err).Msg != "it is late" {
		t.Errorf("at the deadline: %v", err)
	}
	p.Link.Lose(diag.New(diag.StepFailed, "first"))
	p.Link.Lose(diag.New(diag.StepFailed, "second"))
	if err := p.Link.Until(context.Background(), "", never); err == nil || diag.As(err).Msg != "first" {
		t.Errorf("of a lost page: %v", err)
	}
	if err := p.Link.StartIn(context.Background(), "s1", proto.PageEnable{}).Wait(nil); err == nil || diag.As(err).Msg != "first" {
		t.Errorf("a call of a lost page: %v", err)
	}
}

func TestFramesFollowEvents(t *testing.T) {
	p, ctx := parts(t), context.Background()
	p.commit("s1", "main", "", "d1", "https://a.test/")
	p.context("s1", "main", "w1", 3)
	w, err := p.CurrentWorld(ctx)
	if err != nil || w.ID != "w1" || w.Doc.ID != "d1" || w.Doc.URL != "https://a.test/" {
		t.Fatalf("the world is %+v, %v", w, err)
	}
	p.feed("s1", "Page.frameAttached", `{"frameId":"inner","parentFrameId":"main"}`)
	p.Frames.AddSession("inner", "s2")
	p.context("s2", "inner", "w2", 1)
	if got := p.Frames.SessionOf("w2"); got != "s2" {
		t.Errorf("the session of the frame's context is %q", got)
	}
	if frames, contexts := p.Frames.Counts(); frames != 1 || contexts != 1 {
		t.Errorf("%d frames, %d contexts", frames, contexts)
	}
	p.feed("s1", "Page.navigatedWithinDocument", `{"frameId":"main","url":"https://a.test/#x"}`)
	if got := p.Frames.CurrentDocument(); got.ID != "d1" || got.URL != "https://a.test/#x" {
		t.Errorf("after a navigation within the document: %+v", got)
	}
	p.feed("s1", "Runtime.executionContextsCleared", `{}`)
	p.commit("s1", "main", "", "d2", "https://b.test/")
	if p.Frames.IsCurrent(w) {
		t.Error("the world of the document before is current")
	}
	if frames, _ := p.Frames.Counts(); frames != 0 {
		t.Errorf("%d frames are left of the document before", frames)
	}
}

func TestMoves(t *testing.T) {
	p := parts(t)
	p.commit("s1", "main", "", "d1", "https://a.test/")
	p.Step.Begin(true)
	if p.Moves.isLed() || p.Moves.isNavigating() {
		t.Error("navigates before anything has begun")
	}
	p.feed("s1", "Page.frameStartedNavigating", `{"frameId":"main","loaderId":"d2","url":"https://a.test/file","navigationType":"differentDocument"}`)
	if !p.Moves.isLed() || !p.Moves.isNavigating() || p.Moves.Address() != "https://a.test/file" {
		t.Errorf("the page navigates to %q", p.Moves.Address())
	}
	p.Moves.Responded("d2", 200)
	p.Moves.FetchFailed("d2", "net::ERR_ABORTED", true)
	if p.Moves.isNavigating() || !p.Moves.TakeSaved() || p.Moves.TakeSaved() {
		t.Error("an answer that is a file is reported once, and ends the navigation")
	}
	p.feed("s1", "Page.frameStartedNavigating", `{"frameId":"main","loaderId":"d3","url":"https://a.test/none","navigationType":"differentDocument"}`)
	p.Moves.Responded("d3", 204)
	p.Moves.FetchFailed("d3", "net::ERR_ABORTED", true)
	if got := p.Moves.Status(); got != 204 {
		t.Errorf("the status is %d, want that of the answer without a document", got)
	}
	p.Moves.ForgetMove()
	if p.Moves.Status() == 204 || p.Moves.isLed() {
		t.Error("a forgotten navigation is still known")
	}
}

func TestBlockedNavigation(t *testing.T) {
	p := parts(t)
	const text = "Blocked form submission to 'https://a.test/' because the form's frame is sandboxed"
	p.Step.NoteBlocked(text)
	if err := p.Step.blockedNavigation(); err != nil {
		t.Errorf("before input: %v", err)
	}
	p.Step.Begin(true)
	p.Step.NoteBlocked("a warning of the page")
	p.Step.NoteBlocked(text)
	if err := p.Step.blockedNavigation(); diag.CodeOf(err) != diag.NavigationFailed {
		t.Errorf("after input: %v", err)
	}
	p.Step.Begin(true)
	if err := p.Step.blockedNavigation(); err != nil {
		t.Errorf("in the next step: %v", err)
	}
}

func TestFormUnsent(t *testing.T) {
	p := parts(t)
	unsent := &NotSent{Why: "a handler removed the form", Sure: true}
	p.Step.Begin(true)
	if _, err := p.Step.FormUnsent(unsent, nil, "the button"); diag.CodeOf(err) != diag.StepFailed {
		t.Errorf("a form that was to be sent: %v", err)
	}
	if why, err := p.Step.FormUnsent(&NotSent{Why: "perhaps"}, nil, "the button"); why != "perhaps" || err != nil {
		t.Errorf("a form that perhaps was to be sent: %q, %v", why, err)
	}
	if why, err := p.Step.FormUnsent(unsent, &driver.Navigation{}, "the button"); why != "" || err != nil {
		t.Errorf("after a navigation: %q, %v", why, err)
	}
	p.feed("s1", "Page.frameStartedNavigating", `{"frameId":"main","loaderId":"d2","url":"https://a.test/","navigationType":"differentDocument"}`)
	if why, err := p.Step.FormUnsent(unsent, nil, "the button"); why != "" || err != nil {
		t.Errorf("while the page navigates: %q, %v", why, err)
	}
}

func TestEffectsOfInput(t *testing.T) {
	p, ctx := parts(t), context.Background()
	p.commit("s1", "main", "", "d1", "https://a.test/")
	if p.HasInput() {
		t.Error("input before there was one")
	}
	first := p.Watch(driver.Watching{})
	p.NoteDialog("sure?")
	p.NoteRequest(network.KindOf("GET", "https://a.test/x"), func(fresh bool) {
		if !fresh {
			t.Error("a request right after the input is not caused by it")
		}
	})
	second := p.Watch(driver.Watching{})
	p.NotePopup("https://b.test/")
	p.NoteDownload("report.pdf")
	p.commit("s1", "main", "", "d2", "https://a.test/next")
	for _, tt := range []struct {
		n    int
		want driver.Caused
	}{
		{first, driver.Caused{Dialog: "sure?", Requests: 1}},
		{second, driver.Caused{Popup: "https://b.test/", Download: "report.pdf", URL: "https://a.test/next"}},
	} {
		got, err := p.Caused(ctx, tt.n, false)
		if err != nil || got.Dialog != tt.want.Dialog || got.Requests != tt.want.Requests || got.Popup != tt.want.Popup ||
			got.Download != tt.want.Download || got.URL != tt.want.URL {
			t.Errorf("input %d caused %+v, %v, want %+v", tt.n, got, err, tt.want)
		}
	}
	p.Unwatch()
	if p.HasInput() {
		t.Error("input after the run")
	}
}

func TestHandedOver(t *testing.T) {
	p, ctx := parts(t), context.Background()
	p.Handed.HandOver(&cdp.Event{Session: "s1", Method: "Input.dragIntercepted", Params: json.RawMessage(`{"data":{"items":[],"dragOperationsMask":1}}`)})
	if err := p.Handed.DragHandedOver(ctx); err != nil || p.Handed.DragData() == nil {
		t.Errorf("the drag: %v, %v", p.Handed.DragData(), err)
	}
	p.Handed.ForgetDrag()
	if p.Handed.DragData() != nil {
		t.Error("a forgotten drag is still there")
	}
	p.Handed.HandOver(&cdp.Event{Session: "s2", Method: "Page.fileChooserOpened", Params: json.RawMessage(`{"frameId":"inner","mode":"selectSingle"}`)})
	if c, err := p.Handed.ChooserOpened(ctx); err != nil || c == nil || c.Session != "s2" || c.Frame != "inner" {
		t.Errorf("the file dialog: %+v, %v", c, err)
	}
}

func TestNavigationFailed(t *testing.T) {
	for failure, want := range map[string]string{
		"net::ERR_CONNECTION_REFUSED": "cannot open https://a.test/: nothing is listening there (ERR_CONNECTION_REFUSED)",
		"net::ERR_STRANGE":            "cannot open https://a.test/: the URL cannot be loaded (ERR_STRANGE)",
		"":                            "cannot open https://a.test/: the URL cannot be loaded (no reason given)",
	} {
		if got := navigationFailed("https://a.test/", failure); got.Code != diag.NavigationFailed || got.Msg != want {
			t.Errorf("%s: got %q, want %q", failure, got.Msg, want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for address, good := range map[string]bool{
		"https://a.test/": true, "about:blank": true, "file:///x": true, "data:text/html,x": true,
		"": false, "a.test": false, "localhost:80": false, "javascript:alert(1)": false, "https://": false, "http://%zz": false,
	} {
		if err := checkURL(address); (err == nil) != good || err != nil && diag.CodeOf(err) != diag.ParamInvalid {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A lost page ends what waits for its documents.
func TestWorldOfLostPage(t *testing.T) {
	p := parts(t)
	done := make(chan error)
	go func() {
		_, err := p.CurrentWorld(context.Background())
		done <- err
	}()
	gone := diag.New(diag.StepFailed, "closed")
	p.Link.Lose(gone)
	if err := <-done; err == nil || diag.As(err).Msg != "closed" {
		t.Errorf("got %v", err)
	}
}
