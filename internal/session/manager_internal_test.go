package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// TestClosedSessionIsTheReason checks that a call reports that its session was closed, whatever error
// this has caused in the call.
func TestClosedSessionIsTheReason(t *testing.T) {
	m := NewManager(ManagerOptions{})
	defer m.Close(context.Background())
	why := diag.New(diag.Cancelled, "the session a was closed").WithHint("run it again")
	for _, tt := range []struct {
		seen, want diag.Code
		msg        string
	}{
		{diag.Cancelled, diag.Cancelled, why.Msg},
		{diag.BrowserUnavailable, diag.Cancelled, why.Msg},
		{diag.VerifyFailed, diag.VerifyFailed, "seen"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		r := &executor.Result{Error: diag.New(tt.seen, "seen")}
		if m.after(ctx, &namedSession{ended: true}, &call{name: "get", step: true}, r) {
			t.Errorf("%s: it seems that the page was lost", tt.seen)
		}
		if r.Error.Code != tt.want || r.Error.Msg != tt.msg {
			t.Errorf("%s: got %s %q, want %s %q", tt.seen, r.Error.Code, r.Error.Msg, tt.want, tt.msg)
		}
	}
}

// TestBrowserOfAnEndedSession checks that a browser is ended immediately if its session ended
// during the start.
func TestBrowserOfAnEndedSession(t *testing.T) {
	m := NewManager(ManagerOptions{})
	defer m.Close(context.Background())
	d, err := m.Definitions(t.Context(), Call{})
	if err != nil {
		t.Fatal(err)
	}
	s := &namedSession{name: "a", ended: true}
	b, err := m.start(t.Context(), s, d, SessionOptions{}, nil)
	if b != nil || diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("got %v, %v, want CANCELLED", b, err)
	}
	if s.browser != nil {
		t.Error("the ended session has the browser")
	}
}

// TestShownURL checks that the shown URL of a session contains no part that may be secret.
func TestShownURL(t *testing.T) {
	for address, want := range map[string]string{
		"about:blank": "", "": "", "http://[": "",
		"https://ada:pw@example.test/a/b?token=1#t": "https://example.test/a/b",
		"data:text/html,<p>secret":                  "data:…",
		"about:srcdoc":                              "about:…",
	} {
		if got := new(namedSession).shown(address); got != want {
			t.Errorf("%s is shown as %q, want %q", address, got, want)
		}
	}
}

func TestLossText(t *testing.T) {
	l := &loss{what: "the browser ended (session a)", url: "http://x.test/", run: "shop:order:create"}
	const want = "the browser ended (session a) while shop:order:create was running: its page (http://x.test/), cookies and storage are lost"
	if got := l.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e := diag.New(diag.BrowserUnavailable, "gone").WithDetail("stderr", "x")
	l.explain(e)
	if strings.Contains(e.Msg, "x.test") || e.Details["stderr"] != "x" || e.Details["running"] != l.run || e.Hint == "" {
		t.Errorf("the error of the call is %q %v", e.Msg, e.Details)
	}
}

func TestTurnWithALimit(t *testing.T) {
	free, taken := make(chan struct{}), make(chan struct{})
	close(free)
	if c := (&slot{ready: free}); c.await(t.Context(), time.Nanosecond) != nil || c.waited != 0 {
		t.Errorf("a call that is first waited %v", c.waited)
	}
	if err := (&slot{ready: taken}).await(t.Context(), time.Nanosecond); diag.CodeOf(err) != diag.Timeout {
		t.Errorf("a call behind another: %v, want %s", err, diag.Timeout)
	}
	for _, tt := range []struct{ limit, waited, want time.Duration }{
		{0, time.Second, 0},
		{time.Second, 0, time.Second},
		{3 * time.Second, time.Second, 2 * time.Second},
		{time.Second, time.Second, time.Millisecond},
	} {
		if got := rest(tt.limit, tt.waited); got != tt.want {
			t.Errorf("of %v remains %v after %v, want %v", tt.limit, got, tt.waited, tt.want)
		}
	}
}
