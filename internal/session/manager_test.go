package session_test

// Tests of named sessions: their isolation, queues and limits.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

func TestSessionsLastAndShareNothing(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	if got := m.List(); len(got) != 0 {
		t.Fatalf("sessions before the first use: %v", got)
	}
	m.open(t, "", s.url+"/one?token=1#x")
	m.eval(t, "", "document.cookie = 'who=ada'; localStorage.setItem('k', 'v')")
	m.open(t, "other", s.url+"/two")

	if got := m.url(t, "default"); got != s.url+"/one?token=1#x" {
		t.Errorf("the default session shows %s", got)
	}
	const held = "document.cookie + ' ' + localStorage.getItem('k')"
	if got := m.eval(t, "default", held); got != "who=ada v" {
		t.Errorf("the session holds %q, want %q", got, "who=ada v")
	}
	if got := m.eval(t, "other", held); got != " null" {
		t.Errorf("the other session holds %q, want nothing", got)
	}
	list := m.List()
	if len(list) != 2 || list[0].Name != "default" || list[1].Name != "other" {
		t.Fatalf("List: %+v", list)
	}
	for i, want := range []string{s.url + "/one", s.url + "/two"} {
		if got := list[i]; got.State != session.StateIdle || got.URL != want || got.Running != nil || got.IdleSince == nil {
			t.Errorf("List returns %+v, want idle at %s", got, want)
		}
	}
}

func TestRunInASession(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	r := m.run(t, "a", "web:page:open", map[string]any{"url": s.url + "/x"})
	want(t, data(t, r), "url", s.url+"/x")
	if got := m.url(t, "a"); got != s.url+"/x" {
		t.Errorf("a step after the run sees %s", got)
	}
}

// TestBadCallsMakeNoSession checks that an invalid call creates no session.
func TestBadCallsMakeNoSession(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	tests := []struct {
		name string
		got  *executor.Result
		code diag.Code
	}{
		{"unknown action", m.run(t, "a", "web:page:opne", nil), diag.ActionNotFound},
		{"missing param", m.run(t, "a", "web:page:open", nil), diag.ParamRequired},
		{"unknown step", m.step(t, "a", "clik", nil), diag.InvalidRequest},
		{"missing argument", m.step(t, "a", "click", nil), diag.ParamRequired},
	}
	for _, tt := range tests {
		if code(tt.got) != tt.code {
			t.Errorf("%s: got %v, want %s", tt.name, tt.got.Error, tt.code)
		}
	}
	if got := m.List(); len(got) != 0 {
		t.Errorf("sessions: %v", got)
	}
}

func TestSessionNames(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	m := newManager(t, session.ManagerOptions{})
	for _, name := range []string{"a b", "a/b", `a\b`, `a"b`, "a'b", "a\nb", "a\x00b", "a\xffb", "\u202eb", strings.Repeat("n", 65)} {
		wantError(t, m.step(t, name, "get", map[string]any{"what": "url"}), diag.InvalidRequest, "name of a session")
	}
	for _, name := range []string{"a", "shop-1_x.y", "会话", strings.Repeat("n", 64)} {
		if got := m.url(t, name); got != "about:blank" {
			t.Errorf("session %q shows %s", name, got)
		}
	}
}

func TestCallsOfASessionRunInOrder(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	first := s.hang(t, m, t.Context(), "a")
	var waiting []<-chan *executor.Result
	var wantSeen []string
	for i := range 10 {
		path := fmt.Sprintf("/n?%d", i)
		wantSeen = append(wantSeen, path)
		waiting = append(waiting, begin(func() *executor.Result {
			return m.Step(t.Context(), in("a"), "open", map[string]any{"url": s.url + path})
		}))
		eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == i+1 })
	}
	info := m.info("a")
	if info.State != session.StateRunning || info.Running == nil || info.Running.Step != "open" || info.Running.Since.IsZero() {
		t.Errorf("List returns %+v, running %+v", info, info.Running)
	}
	for _, c := range waiting {
		pending(t, "a call that waits", c)
	}
	s.let()
	data(t, get(t, "the first", first))
	for _, c := range waiting {
		data(t, get(t, "a call of the queue", c))
	}
	if got := s.requests()[1:]; !slices.Equal(got, wantSeen) {
		t.Errorf("the order was %v", got)
	}
}

// TestTimeOfACallThatWaits checks that the timeout of a call includes its wait in the queue.
func TestTimeOfACallThatWaits(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	first := s.hang(t, m, t.Context(), "a")
	for what, call := range map[string]func(session.Call) *executor.Result{
		"a step": func(c session.Call) *executor.Result {
			return m.Step(t.Context(), c, "open", map[string]any{"url": s.url + "/late"})
		},
		"an action": func(c session.Call) *executor.Result {
			return m.Run(t.Context(), c, "web:page:open", map[string]any{"url": s.url + "/late"})
		},
	} {
		r := get(t, what+" that waits", begin(func() *executor.Result {
			return call(session.Call{Session: "a", Timeout: 50 * time.Millisecond})
		}))
		wantError(t, r, diag.Timeout, "the timeout (50ms) expired while the call waited in the queue")
		if e := diag.As(r.Error); e.Details["running"] != "open" {
			t.Errorf("%s: details %v, want what is running", what, e.Details)
		}
		pending(t, "the call that runs", first)
	}
	patient := begin(func() *executor.Result {
		return m.Step(t.Context(), session.Call{Session: "a", Timeout: time.Hour}, "get", map[string]any{"what": "url"})
	})
	eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == 1 })
	s.let()
	data(t, get(t, "the first", first))
	data(t, get(t, "the call with enough time", patient))
	if got := s.requests(); len(withoutGate(got)) > 1 {
		t.Errorf("pages requested: %v, want that of the first call", got)
	}
}

func TestSessionsRunSideBySide(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	hanging := s.hang(t, m, t.Context(), "a")
	m.open(t, "b", s.url+"/b")
	pending(t, "the call in the other session", hanging)
	s.let()
	data(t, get(t, "the first", hanging))
}

func TestQueueBound(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{QueueMax: 2}), newSite(t)
	calls := []<-chan *executor.Result{s.hang(t, m, t.Context(), "a")}
	for i := range 2 {
		calls = append(calls, begin(func() *executor.Result {
			return m.Step(t.Context(), in("a"), "get", map[string]any{"what": "url"})
		}))
		eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == i+1 })
	}
	r := m.step(t, "a", "get", map[string]any{"what": "url"})
	wantError(t, r, diag.LimitExceeded, "2 calls are already waiting for the session a")
	s.let()
	for _, c := range calls {
		data(t, get(t, "a call that had a place", c))
	}
	m.url(t, "a") // the queue has a free slot again
}

func TestSessionBound(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{MaxSessions: 2}), newSite(t)
	m.open(t, "a", s.url)
	m.open(t, "b", s.url)
	wantError(t, m.step(t, "c", "open", map[string]any{"url": s.url}), diag.LimitExceeded, "2 sessions")
	if err := m.CloseSession(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	m.open(t, "c", s.url)
}

func TestSessionOptions(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	yes, no := true, false
	mine := session.SessionOptions{UserAgent: "Tester/1", Locale: "de-DE", Viewport: &startup.Viewport{Width: 500, Height: 400}}
	for range 2 { // an open session accepts the same options
		info, err := m.Open(t.Context(), in("a"), mine)
		if err != nil {
			t.Fatal(err)
		}
		if info.Name != "a" || info.State != session.StateIdle || info.Running != nil {
			t.Errorf("Open returned %+v", info)
		}
	}
	const seen = "[navigator.userAgent, navigator.language, innerWidth, innerHeight].join(' ')"
	const wantSeen = "Tester/1 de-DE 500 400"
	m.open(t, "a", s.url)
	if got := m.eval(t, "a", seen); got != wantSeen {
		t.Errorf("the page sees %v, want %s", got, wantSeen)
	}
	for _, tt := range []struct {
		name string
		o    session.SessionOptions
		bad  string // "": accepted
	}{
		{"none", session.SessionOptions{}, ""},
		{"part of them", session.SessionOptions{Locale: "de-DE"}, ""},
		{"as they are by default", session.SessionOptions{Headed: &no, IgnoreHTTPSErrors: &no}, ""},
		{"user agent", session.SessionOptions{UserAgent: "Tester/2"}, "another user_agent"},
		{"several", session.SessionOptions{UserAgent: "Tester/1", Locale: "fr", Viewport: &startup.Viewport{Width: 1, Height: 1}}, "another viewport and locale"},
		{"headed", session.SessionOptions{Headed: &yes}, "another headed"},
		{"https errors", session.SessionOptions{IgnoreHTTPSErrors: &yes}, "another ignore_https_errors"},
	} {
		_, err := m.Open(t.Context(), in("a"), tt.o)
		switch e := diag.As(err); {
		case tt.bad == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.bad != "" && (e == nil || e.Code != diag.InvalidRequest || !strings.Contains(e.Msg, tt.bad)):
			t.Errorf("%s: got %v, want INVALID_REQUEST with %q", tt.name, err, tt.bad)
		}
	}
	r := m.Step(t.Context(), session.Call{Session: "a", Headed: &yes}, "get", map[string]any{"what": "url"})
	wantError(t, r, diag.InvalidRequest, "headed")

	// The browser that replaces a lost one has the same options.
	killBrowser(t)
	m.open(t, "a", s.url)
	if got := m.eval(t, "a", seen); got != wantSeen {
		t.Errorf("after the crash the page sees %v, want %s", got, wantSeen)
	}
	if err := m.CloseSession(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Open(t.Context(), in("a"), session.SessionOptions{UserAgent: "Tester/2"}); err != nil {
		t.Errorf("other options for a new session: %v", err)
	}
}

// TestSessionOptionsOfTwoAtOnce opens a session twice at the same time, with different options. One
// call succeeds, and the browser has its options; the other call fails.
func TestSessionOptionsOfTwoAtOnce(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	errs := make([]chan error, 2)
	for i := range errs {
		errs[i] = make(chan error, 1)
		go func() {
			_, err := m.Open(t.Context(), in("a"), session.SessionOptions{UserAgent: fmt.Sprint("Tester/", i)})
			errs[i] <- err
		}()
	}
	won := -1
	for i, c := range errs {
		switch err := get(t, "an answer", c); {
		case err == nil && won < 0:
			won = i
		case diag.CodeOf(err) != diag.InvalidRequest:
			t.Fatalf("got %v, want one success and one INVALID_REQUEST", err)
		}
	}
	m.open(t, "a", s.url)
	if got := m.eval(t, "a", "navigator.userAgent"); got != fmt.Sprint("Tester/", won) {
		t.Errorf("call %d succeeded, but the browser does not have its options: %v", won, got)
	}
}

// TestSessionOptionsOfACallThatWaited checks that the options of a call are checked again when the
// call is first in the queue, because the browser may have changed.
func TestSessionOptionsOfACallThatWaited(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	german := session.Call{Session: "a", Env: map[string]string{"ACTION_BROWSER_LOCALE": "de-DE"}}
	running := begin(func() *executor.Result {
		return m.Run(t.Context(), german, "web:page:open", map[string]any{"url": s.url + "/gate"})
	})
	get(t, "the request for /gate", s.entered)
	second := begin(func() *executor.Result {
		return m.Step(t.Context(), in("a"), "open", map[string]any{"url": s.url})
	})
	eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == 1 })
	third := make(chan error, 1)
	go func() {
		_, err := m.Open(t.Context(), in("a"), session.SessionOptions{Locale: "de-DE"})
		third <- err
	}()
	eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == 2 })
	killBrowser(t)
	wantError(t, get(t, "the run", running), diag.BrowserUnavailable, "")
	data(t, get(t, "the second", second))
	if err := get(t, "the third", third); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("got %v, want INVALID_REQUEST: the browser is not a German one any more", err)
	}
}

// TestBrowserThatCannotBeStarted checks that a failed start of a browser leaves no session, and
// that the next call tries again.
func TestBrowserThatCannotBeStarted(t *testing.T) {
	m := newManager(t, session.ManagerOptions{}, "ACTION_BROWSER_PATH=/nonexistent/browser")
	for range 2 {
		wantError(t, m.step(t, "a", "get", map[string]any{"what": "url"}), diag.BrowserUnavailable, "cannot be started")
		if got := m.List(); len(got) != 0 {
			t.Errorf("sessions: %v", got)
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "a", s.url+"/before")
	runCtx, cancelRun := context.WithCancel(t.Context())
	defer cancelRun()
	running := s.hang(t, m, runCtx, "a")

	queue := func(ctx context.Context, path string, place int) <-chan *executor.Result {
		c := begin(func() *executor.Result {
			return m.Step(ctx, in("a"), "open", map[string]any{"url": s.url + path})
		})
		eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == place })
		return c
	}
	waitCtx, cancelWait := context.WithCancel(t.Context())
	defer cancelWait()
	second := queue(t.Context(), "/second", 1)
	third := queue(waitCtx, "/third", 2)
	fourth := queue(t.Context(), "/fourth", 3)

	cancelWait() // the waiting call ends although the session is busy
	wantError(t, get(t, "the call that waited", third), diag.Cancelled, "before it began")
	pending(t, "the call that runs", running)
	pending(t, "the other call that waits", second)
	cancelRun()
	wantError(t, get(t, "the call that ran", running), diag.Cancelled, "")
	data(t, get(t, "the second", second))
	data(t, get(t, "the fourth", fourth))
	if got, want := s.requests(), []string{"/before", "/second", "/fourth"}; !slices.Equal(withoutGate(got), want) {
		t.Errorf("requested pages: %v, want %v", got, want)
	}
	if got := m.info("a"); got.State != session.StateIdle || got.Queued != 0 {
		t.Errorf("List returns %+v", got)
	}
}

func withoutGate(uris []string) []string {
	return slices.DeleteFunc(uris, func(uri string) bool { return uri == "/gate" })
}

// TestOtherSettingsAreTold checks that a browser keeps its options, that a call with another
// configuration gets a warning, and that the configuration applies to the next browser.
func TestOtherSettingsAreTold(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	m := newManager(t, session.ManagerOptions{})
	get := func(locale string) *executor.Result {
		call := session.Call{Env: map[string]string{"ACTION_BROWSER_LOCALE": locale}}
		return m.Step(t.Context(), call, "eval", map[string]any{"script": "navigator.language"})
	}
	told := func(r *executor.Result) bool {
		data(t, r)
		return slices.ContainsFunc(r.Warnings, func(w executor.Warning) bool {
			return w.Code == session.WarnSettings && strings.Contains(w.Message, "browser.locale")
		})
	}
	for range 2 {
		if told(get("de-DE")) {
			t.Error("a call with the same settings got a warning about other settings")
		}
	}
	r := get("fr-FR")
	if !told(r) || data(t, r)["value"] != "de-DE" {
		t.Errorf("got %v with the warnings %v, want de-DE and that fr-FR does not count", r.Data, r.Warnings)
	}
	if err := m.CloseSession(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if r := get("fr-FR"); told(r) || data(t, r)["value"] != "fr-FR" {
		t.Errorf("got %v with the warnings %v, want fr-FR", r.Data, r.Warnings)
	}
}
