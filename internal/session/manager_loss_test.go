package session_test

// Tests of sessions whose browser or page ended unexpectedly, and of idle sessions. The loss is
// reported once, and the next page is clean.

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

const (
	lostAll  = ", cookies and storage are lost"
	lostPage = " is lost; cookies, storage and other tabs stay"
)

// losses are the ways in which a session can be lost. lose returns when List shows the loss.
var losses = []struct {
	name   string
	what   string // part of the reported cause
	extent string // part of the message: what is lost and what remains
	cookie string // cookies of the page afterwards
	lose   func(t *testing.T, m *managed, clock *turnable)
}{
	{"the browser is killed", "the browser ended (session a)", lostAll, "", func(t *testing.T, m *managed, _ *turnable) {
		killBrowser(t)
		wantLost(t, m, lostAll)
	}},
	{"the page is killed", "the page crashed (session a)", lostPage, "who=ada", func(t *testing.T, m *managed, _ *turnable) {
		killTab(t)
		wantLost(t, m, lostPage)
	}},
	{"the session expires", "the session a expired after 5m0s without a call", lostAll, "", func(t *testing.T, m *managed, clock *turnable) {
		expire(t, m, clock)
	}},
}

// wantLost waits until List reports that the session is lost.
func wantLost(t *testing.T, m *managed, extent string) {
	t.Helper()
	eventually(t, "the loss", func() bool { return m.info("a").State == session.StateLost })
	if got := m.info("a"); !strings.Contains(got.Lost, extent) || got.URL == "" {
		t.Errorf("List returns %+v", got)
	}
}

// expire advances the clock until the only session has expired.
func expire(t *testing.T, m *managed, clock *turnable) {
	t.Helper()
	procs := browserProcesses(t)
	eventually(t, "the timer", func() bool { return clock.waiting() == 1 })
	clock.turn(5 * time.Minute)
	eventually(t, "the expiry", func() bool { return len(m.List()) == 0 })
	wantGone(t, procs)
}

// lost opens a page in a session, sets a cookie and loses the session.
func lost(t *testing.T, lose func(*testing.T, *managed, *turnable)) (*managed, *site) {
	t.Helper()
	clock := newTurnable()
	m, s := newManager(t, session.ManagerOptions{Clock: clock}), newSite(t)
	m.open(t, "a", s.url+"/held?token=1")
	m.eval(t, "a", "document.cookie = 'who=ada'")
	lose(t, m, clock)
	return m, s
}

func TestLossIsToldOnce(t *testing.T) {
	for i, tt := range losses {
		type way struct {
			name string
			try  func(t *testing.T)
		}
		ways := []way{
			{"step", func(t *testing.T) {
				m, s := lost(t, tt.lose)
				r := m.step(t, "a", "get", map[string]any{"what": "url"})
				wantError(t, r, diag.BrowserUnavailable, tt.what+": its page ("+s.url+"/held)"+tt.extent)
				if got := r.Error.Details["url"]; got != s.url+"/held" {
					t.Errorf("details %v, want the URL without its query", r.Error.Details)
				}
				if got := m.url(t, "a"); got != "about:blank" {
					t.Errorf("the next step sees %s, want a clean page", got)
				}
				wantClean(t, m, s, tt.cookie)
			}},
			{"open", func(t *testing.T) {
				m, s := lost(t, tt.lose)
				wantLossWarning(t, m.open(t, "a", s.url+"/next"), tt.what)
				if got := m.url(t, "a"); got != s.url+"/next" {
					t.Errorf("the session shows %s", got)
				}
				wantClean(t, m, s, tt.cookie)
			}},
			{"run", func(t *testing.T) {
				m, s := lost(t, tt.lose)
				r := m.run(t, "a", "web:page:open", map[string]any{"url": s.url + "/next"})
				want(t, data(t, r), "url", s.url+"/next")
				wantLossWarning(t, r, tt.what)
				wantClean(t, m, s, tt.cookie)
			}},
			{"session.open", func(t *testing.T) {
				m, s := lost(t, tt.lose)
				info, err := m.Open(t.Context(), in("a"), session.SessionOptions{})
				if err != nil || info.State != session.StateIdle || info.Lost != "" {
					t.Errorf("Open: %+v, %v", info, err)
				}
				wantClean(t, m, s, tt.cookie)
			}},
			{"session.close", func(t *testing.T) {
				m, s := lost(t, tt.lose)
				if err := m.CloseSession(t.Context(), "a"); err != nil {
					t.Fatal(err)
				}
				wantClean(t, m, s, "")
			}},
		}
		t.Run(tt.name, func(t *testing.T) {
			for _, w := range testkit.Share(t, "ways to learn of a loss", ways, i, len(losses)) {
				t.Run(w.name, w.try)
			}
		})
	}
}

func wantLossWarning(t *testing.T, r *executor.Result, what string) {
	t.Helper()
	wantWarnings(t, r, session.WarnSessionLost)
	if len(r.Warnings) > 0 && !strings.Contains(r.Warnings[0].Message, what) {
		t.Errorf("warning %q, want %q in it", r.Warnings[0].Message, what)
	}
}

// wantClean opens the page of the session again. The page must have only the given cookies of the
// old state, and no loss may be reported.
func wantClean(t *testing.T, m *managed, s *site, cookie string) {
	t.Helper()
	wantWarnings(t, m.open(t, "a", s.url+"/held"))
	if got := m.eval(t, "a", "document.cookie"); got != cookie {
		t.Errorf("the clean page has the cookie %q, want %q", got, cookie)
	}
	if got := m.info("a"); got.State != session.StateIdle || got.Lost != "" {
		t.Errorf("List returns %+v", got)
	}
}

func TestLossDuringACall(t *testing.T) {
	for _, tt := range losses[:2] {
		for _, kind := range testkit.One(t, "calls", []string{"run", "step"}) {
			t.Run(tt.name+" during a "+kind, func(t *testing.T) {
				m, s := newManager(t, session.ManagerOptions{}), newSite(t)
				m.open(t, "a", s.url+"/held")
				name, params := "web:page:eval", map[string]any{"script": "fetch('/gate')"}
				var running <-chan *executor.Result
				if kind == "run" {
					name, params = "t:page:ask", nil
					c := in("a")
					path := definitionFiles(t, map[string]string{"t.yaml": askYAML})
					c.Path = &path
					running = begin(func() *executor.Result { return m.Run(t.Context(), c, name, params) })
				} else {
					name = "eval"
					running = begin(func() *executor.Result { return m.Step(t.Context(), in("a"), name, params) })
				}
				get(t, "the request for /gate", s.entered)
				if tt.name == losses[0].name {
					killBrowser(t)
				} else {
					killTab(t)
				}
				r := get(t, "the call", running)
				wantError(t, r, diag.BrowserUnavailable, tt.what+" while "+name+" was running: its page"+tt.extent)
				if r.Error != nil && (r.Error.Action != name || r.Error.Details["running"] != name) {
					t.Errorf("the error does not name what ran: %s", describe(r.Error))
				}
				// A step that fails with the loss has reported the loss. A run that fails has not, so the
				// next step reports it.
				r = m.step(t, "a", "get", map[string]any{"what": "url"})
				if kind == "step" {
					want(t, data(t, r), "url", "about:blank")
				} else {
					wantError(t, r, diag.BrowserUnavailable, tt.what+" while "+name+" was running: its page ("+s.url+"/held)")
				}
				wantClean(t, m, s, "")
			})
		}
	}
}

const askYAML = `namespace: t
version: 1.0.0
description: For tests
actions:
  page:ask:
    description: Ask the site for what it holds back
    steps:
      - action: eval
        args: {script: "fetch('/gate')"}
`

// TestLossWhileCallsWait checks that a queued call runs on a clean page after the browser has
// ended, if it does not depend on the old page.
func TestLossWhileCallsWait(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "a", s.url+"/held")
	running := begin(func() *executor.Result {
		return m.Step(t.Context(), in("a"), "eval", map[string]any{"script": "fetch('/gate')"})
	})
	get(t, "the request for /gate", s.entered)
	var calls []<-chan *executor.Result
	for i, f := range []func() *executor.Result{
		func() *executor.Result { return m.Step(t.Context(), in("a"), "get", map[string]any{"what": "url"}) },
		func() *executor.Result {
			return m.Step(t.Context(), in("a"), "open", map[string]any{"url": s.url + "/new"})
		},
		func() *executor.Result { return m.Step(t.Context(), in("a"), "get", map[string]any{"what": "url"}) },
	} {
		calls = append(calls, begin(f))
		eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == i+1 })
	}
	killBrowser(t)
	wantError(t, get(t, "the call that ran", running), diag.BrowserUnavailable, "while eval ran")
	wantError(t, get(t, "the step that waited", calls[0]), diag.BrowserUnavailable, "while eval ran")
	opened := get(t, "the open that waited", calls[1])
	data(t, opened)
	wantWarnings(t, opened)
	want(t, data(t, get(t, "the last", calls[2])), "url", s.url+"/new")
}

// TestOpenAtTheMomentOfALoss checks that open warns of the loss if it is the first call to notice
// it.
func TestOpenAtTheMomentOfALoss(t *testing.T) {
	testkit.Long(t)
	for name, kill := range map[string]func(*testing.T){"browser": killBrowser, "page": killTab} {
		t.Run(name, func(t *testing.T) {
			m, s := newManager(t, session.ManagerOptions{}), newSite(t)
			for i := range 5 {
				m.open(t, "a", fmt.Sprint(s.url, "/", i))
				kill(t) // do not wait until the loss shows
				wantLossWarning(t, m.open(t, "a", s.url+"/new"), "(session a)")
				if got := m.url(t, "a"); got != s.url+"/new" {
					t.Errorf("the session shows %s", got)
				}
			}
		})
	}
}

// TestLossOfPageThenBrowser loses the page, and then the browser before there is a new page.
func TestLossOfPageThenBrowser(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "a", s.url+"/held")
	killTab(t)
	wantLost(t, m, lostPage)
	get := map[string]any{"what": "url"}
	wantError(t, m.step(t, "a", "get", get), diag.BrowserUnavailable, "the page crashed")
	procs := browserProcesses(t)
	killBrowser(t)
	wantGone(t, procs)
	wantError(t, m.step(t, "a", "get", get), diag.BrowserUnavailable, "the browser ended")
	wantClean(t, m, s, "")
}

func TestExpiry(t *testing.T) {
	clock := newTurnable()
	m, s := newManager(t, session.ManagerOptions{Clock: clock, Idle: time.Minute}), newSite(t)
	running := s.hang(t, m, t.Context(), "busy")
	m.open(t, "first", s.url)
	eventually(t, "the timer", func() bool { return clock.waiting() == 1 })
	clock.turn(40 * time.Second)
	m.open(t, "second", s.url)
	clock.turn(20 * time.Second)
	eventually(t, "the end of the first", func() bool { return m.info("first").Name == "" })
	eventually(t, "the next timer", func() bool { return clock.waiting() == 1 })
	if got := m.info("second"); got.State != session.StateIdle {
		t.Errorf("the second is %+v, but its time is not up", got)
	}
	clock.turn(40 * time.Second)
	eventually(t, "the end of the second", func() bool { return m.info("second").Name == "" })
	clock.turn(time.Hour)
	if got := m.info("busy"); got.State != session.StateRunning {
		t.Errorf("the session that runs is %+v", got)
	}
	s.let()
	data(t, get(t, "the call that ran", running))
	if got := m.info("busy"); got.State != session.StateIdle { // the idle time begins when the call ends
		t.Errorf("the session that ran is %+v", got)
	}
	eventually(t, "the timer", func() bool { return clock.waiting() == 1 })
	clock.turn(time.Minute)
	eventually(t, "the end of the last", func() bool { return len(m.List()) == 0 })
}

// TestOwnIdleTimeout checks that a session with its own idle timeout ends after that time, even if an
// older session has a longer timeout. Info reports when the session will end.
func TestOwnIdleTimeout(t *testing.T) {
	clock := newTurnable()
	m, s := newManager(t, session.ManagerOptions{Clock: clock, Idle: time.Hour}), newSite(t)
	m.open(t, "long", s.url)
	eventually(t, "the timer", func() bool { return clock.waiting() == 1 })
	openFor := func(d time.Duration) *session.Info {
		t.Helper()
		info, err := m.Open(t.Context(), session.Call{Session: "short"}, session.SessionOptions{IdleTimeout: d})
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	for _, d := range []time.Duration{10 * time.Second, time.Minute, 0} { // 0 keeps the last timeout
		info, want := openFor(d), cmp.Or(d, time.Minute)
		if info.ExpiresAt == nil || info.IdleSince == nil || info.ExpiresAt.Sub(*info.IdleSince) != want {
			t.Fatalf("opened for %s, it expires at %v, idle since %v", d, info.ExpiresAt, info.IdleSince)
		}
	}
	clock.turn(30 * time.Second)
	if got := m.info("short"); got.State != session.StateIdle {
		t.Errorf("before its time, it is %+v", got)
	}
	eventually(t, "the end of its time", func() bool { clock.turn(31 * time.Second); return m.info("short").Name == "" })
	if got := m.info("long"); got.State != session.StateIdle || got.ExpiresAt == nil || got.ExpiresAt.Sub(*got.IdleSince) != time.Hour {
		t.Errorf("the other session is %+v", got)
	}
	wantError(t, m.step(t, "short", "get", map[string]any{"what": "url"}), diag.BrowserUnavailable, "expired after 1m0s without a call")
	for _, d := range []time.Duration{-time.Second, time.Millisecond, 25 * time.Hour} {
		if _, err := m.Open(t.Context(), session.Call{Session: "short"}, session.SessionOptions{IdleTimeout: d}); diag.CodeOf(err) != diag.InvalidRequest {
			t.Errorf("%s: %v, want INVALID_REQUEST", d, err)
		}
	}
	running := s.hang(t, m, t.Context(), "busy")
	if got := m.info("busy"); got.ExpiresAt != nil {
		t.Errorf("while a call runs, it expires at %s", got.ExpiresAt)
	}
	s.let()
	data(t, get(t, "the call that ran", running))
}

func TestNoExpiry(t *testing.T) {
	testkit.Long(t)
	clock := newTurnable()
	m, s := newManager(t, session.ManagerOptions{Clock: clock, Idle: -1}), newSite(t)
	m.open(t, "a", s.url+"/x")
	clock.turn(1000 * time.Hour)
	m.open(t, "b", s.url)
	if got := m.url(t, "a"); got != s.url+"/x" {
		t.Errorf("the session shows %s", got)
	}
	if n := clock.waiting(); n != 0 {
		t.Errorf("%d timers run for what never happens", n)
	}
}

// TestCallsAtTheMomentOfExpiry checks that a call at the moment of an expiry runs in the old
// session or reports its loss.
func TestCallsAtTheMomentOfExpiry(t *testing.T) {
	testkit.Long(t)
	clock := newTurnable()
	m, s := newManager(t, session.ManagerOptions{Clock: clock, Idle: time.Second}), newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	turned := make(chan struct{})
	go func() {
		defer close(turned)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			if clock.waiting() > 0 {
				clock.turn(time.Second)
			}
			<-tick.C
		}
	}()
	for range 20 {
		wantKnown := func(r *executor.Result) {
			t.Helper()
			if r.Error != nil && (r.Error.Code != diag.BrowserUnavailable || !strings.Contains(r.Error.Msg, "expired")) {
				t.Errorf("got %s", describe(r.Error))
			}
		}
		m.open(t, "a", s.url)
		wantKnown(m.step(t, "a", "get", map[string]any{"what": "url"}))
		wantKnown(m.step(t, "a", "get", map[string]any{"what": "url"}))
	}
	cancel()
	<-turned
}
