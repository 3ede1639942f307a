package session_test

// Tests of closing sessions: each ends immediately, whatever it is doing, and leaves nothing.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// profiles returns the temporary folders of browsers.
func profiles(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "action-[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wantClosed closes a session and checks that no session, folder or process remains.
func wantClosed(t *testing.T, m *managed, name string) {
	t.Helper()
	procs := browserProcesses(t)
	if err := m.CloseSession(t.Context(), name); err != nil {
		t.Fatal("CloseSession:", err)
	}
	if got := m.List(); len(got) != 0 {
		t.Errorf("sessions left: %+v", got)
	}
	if got := profiles(t); len(got) != 0 {
		t.Errorf("folders left: %v", got)
	}
	wantGone(t, procs)
}

func TestCloseIdleSession(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "a", s.url+"/one")
	m.eval(t, "a", "document.cookie = 'who=ada'")
	wantClosed(t, m, "a")
	if err := m.CloseSession(t.Context(), "a"); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("closing it twice: %v, want INVALID_REQUEST", err)
	}
	// The next session of that name is a new one, and reports no loss.
	if got := m.url(t, "a"); got != "about:blank" {
		t.Errorf("a new session shows %s", got)
	}
	m.open(t, "a", s.url+"/one")
	if got := m.eval(t, "a", "document.cookie"); got != "" {
		t.Errorf("a new session has cookies: %v", got)
	}
}

func TestCloseSessionThatWaits(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	calls := []<-chan *executor.Result{s.hang(t, m, t.Context(), "a")}
	for i := range 3 {
		calls = append(calls, begin(func() *executor.Result {
			return m.Run(t.Context(), in("a"), "web:page:open", map[string]any{"url": s.url})
		}))
		eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == i+1 })
	}
	wantClosed(t, m, "a")
	for _, c := range calls {
		wantError(t, get(t, "the call", c), diag.Cancelled, "the session a was closed")
	}
	if got := len(s.requests()); got > 1 { // the request for /gate
		t.Errorf("requested pages: %v", s.requests())
	}
}

// TestCloseSessionInVerify closes a session while a run is in its verify phase.
func TestCloseSessionInVerify(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	path := definitionFiles(t, map[string]string{"t.yaml": `namespace: t
version: 1.0.0
description: For tests
actions:
  page:never:
    description: Wait for what does not come
    steps: [{action: set, args: {values: {v: 1}}}]
    verify:
      - {condition: "${page.title} == 'never'", message: It did not come}
`})
	m.open(t, "a", s.url)
	stepped := make(chan executor.StepEvent, 1)
	c := session.Call{Session: "a", Path: &path, OnStep: func(e executor.StepEvent) { stepped <- e }}
	running := begin(func() *executor.Result { return m.Run(t.Context(), c, "t:page:never", nil) })
	get(t, "the step", stepped)
	wantClosed(t, m, "a")
	wantError(t, get(t, "the run", running), diag.Cancelled, "the session a was closed")
}

// TestCloseWedgedSession closes a session whose page runs an endless script.
func TestCloseWedgedSession(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "a", s.url)
	running := begin(func() *executor.Result {
		return m.Step(t.Context(), in("a"), "eval", map[string]any{"script": s.spin()})
	})
	eventually(t, "the endless script", s.spinning)
	if got := m.info("a"); got.State != session.StateRunning || got.URL != s.url+"/" {
		t.Errorf("List returns %+v", got)
	}
	wantClosed(t, m, "a")
	wantError(t, get(t, "the call", running), diag.Cancelled, "the session a was closed")
}

// startless returns the path of a browser that starts but never answers, and a function that
// returns the number of its starts.
func startless(t *testing.T) (path string, starts func() int) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "browser")
	script := fmt.Sprintf("#!/bin/sh\ntouch '%s'/started.$$\nexec sleep 600\n", dir)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, func() int {
		found, _ := filepath.Glob(filepath.Join(dir, "started.*"))
		return len(found)
	}
}

func TestCloseSessionWhoseBrowserStarts(t *testing.T) {
	path, starts := startless(t)
	m := newManager(t, session.ManagerOptions{}, "ACTION_BROWSER_PATH="+path)
	running := begin(func() *executor.Result {
		return m.Step(t.Context(), in("a"), "open", map[string]any{"url": "about:blank"})
	})
	eventually(t, "the start", func() bool { return starts() == 1 })
	if got := m.info("a"); got.State != session.StateStarting {
		t.Errorf("List returns %+v, want %s", got, session.StateStarting)
	}
	waiting := begin(func() *executor.Result {
		return m.Step(t.Context(), in("a"), "open", map[string]any{"url": "about:blank"})
	})
	eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == 1 })
	wantClosed(t, m, "a")
	for _, c := range []<-chan *executor.Result{running, waiting} {
		wantError(t, get(t, "the call", c), diag.Cancelled, "the session a was closed")
	}
	if got := starts(); got != 1 {
		t.Errorf("%d browsers were started, want 1", got)
	}
}

func TestCancelWhileTheBrowserStarts(t *testing.T) {
	path, starts := startless(t)
	m := newManager(t, session.ManagerOptions{}, "ACTION_BROWSER_PATH="+path)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opened := make(chan error, 1)
	go func() {
		_, err := m.Open(ctx, in("a"), session.SessionOptions{})
		opened <- err
	}()
	eventually(t, "the start", func() bool { return starts() == 1 })
	procs := browserProcesses(t)
	cancel()
	if err := get(t, "the answer", opened); diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("got %v, want CANCELLED", err)
	}
	if got := m.List(); len(got) != 0 {
		t.Errorf("sessions left: %+v", got)
	}
	wantGone(t, procs)
}

func TestCloseSessionByMany(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	running := s.hang(t, m, t.Context(), "a")
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		all.Go(func() { errs[i] = m.CloseSession(t.Context(), "a") })
	}
	all.Wait()
	closed := 0
	for _, err := range errs {
		switch {
		case err == nil:
			closed++
		case diag.CodeOf(err) != diag.InvalidRequest:
			t.Errorf("got %v, want success or INVALID_REQUEST", err)
		}
	}
	if closed != 1 {
		t.Errorf("%d of them closed it, want 1", closed)
	}
	wantError(t, get(t, "the call", running), diag.Cancelled, "closed")
}

func TestCloseManagerWhileCallsRun(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	var calls []<-chan *executor.Result
	for _, name := range []string{"a", "b"} {
		calls = append(calls, s.hang(t, m, t.Context(), name))
	}
	m.open(t, "c", s.url)
	for i := range 2 {
		calls = append(calls, begin(func() *executor.Result {
			return m.Step(t.Context(), in("a"), "get", map[string]any{"what": "url"})
		}))
		eventually(t, "the call in the queue", func() bool { return m.info("a").Queued == i+1 })
	}
	procs := browserProcesses(t)
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		wantError(t, get(t, "the call", c), diag.Cancelled, "stopping")
	}
	if got := profiles(t); len(got) != 0 {
		t.Errorf("folders left: %v", got)
	}
	wantGone(t, procs)
	wantError(t, m.step(t, "a", "open", map[string]any{"url": s.url}), diag.Cancelled, "stopping")
	if err := m.Close(t.Context()); err != nil {
		t.Error("closing it twice:", err)
	}
}

// TestWedgedPageIsUsableAgain checks that steps on a page in an endless loop end with their
// timeout, and that the next open leaves that page.
func TestWedgedPageIsUsableAgain(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "a", s.url+"/one")
	short := session.Call{Session: "a", Timeout: time.Second}
	r := m.Step(t.Context(), short, "eval", map[string]any{"script": s.spin()})
	wantError(t, r, diag.Timeout, "")
	r = m.Step(t.Context(), short, "get", map[string]any{"what": "text", "selector": "css:p"})
	wantError(t, r, diag.Timeout, "does not answer")
	m.open(t, "a", s.url+"/two")
	if got := m.url(t, "a"); got != s.url+"/two" {
		t.Errorf("the session shows %s", got)
	}
	wantClosed(t, m, "a")
}

// TestListWaitsForNothing checks that List returns while sessions start, run and hang.
func TestListWaitsForNothing(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	m.open(t, "wedged", s.url)
	calls := []<-chan *executor.Result{
		begin(func() *executor.Result {
			return m.Step(t.Context(), in("wedged"), "eval", map[string]any{"script": s.spin()})
		}),
		s.hang(t, m, t.Context(), "hanging"),
	}
	eventually(t, "the endless script", s.spinning)
	path, starts := startless(t)
	calls = append(calls, begin(func() *executor.Result {
		c := session.Call{Session: "starting", Env: map[string]string{"ACTION_BROWSER_PATH": path}}
		return m.Step(t.Context(), c, "open", map[string]any{"url": s.url})
	}))
	eventually(t, "the start", func() bool { return starts() == 1 })

	listed := make(chan []session.Info, 1)
	go func() { listed <- m.List() }()
	got := make(map[string]string)
	for _, i := range get(t, "the list", listed) {
		got[i.Name] = i.State
	}
	for name, state := range map[string]string{"wedged": session.StateRunning, "hanging": session.StateRunning, "starting": session.StateStarting} {
		if got[name] != state {
			t.Errorf("session %s is %q, want %s", name, got[name], state)
		}
	}
	for _, c := range calls {
		pending(t, "a call", c)
	}
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		wantError(t, get(t, "the call", c), diag.Cancelled, "stopping")
	}
}

// TestNoSessionOfABadCall checks that an invalid first call leaves no session, although its browser
// has been started in advance.
func TestNoSessionOfABadCall(t *testing.T) {
	path, _ := startless(t)
	for _, bad := range []struct {
		step string
		args map[string]any
		code diag.Code
	}{{"click", map[string]any{"selector": "role:["}, diag.ParamInvalid}, {"no:such", nil, diag.ActionNotFound}} {
		m := newManager(t, session.ManagerOptions{}, "ACTION_BROWSER_PATH="+path)
		do := m.Step
		if bad.code == diag.ActionNotFound {
			do = m.Run
		}
		if e := do(t.Context(), in("a"), bad.step, bad.args).Error; e == nil || e.Code != bad.code {
			t.Errorf("%s: got %v, want %s", bad.step, e, bad.code)
		}
		if list := m.List(); len(list) != 0 {
			t.Errorf("%s: there are sessions: %+v", bad.step, list)
		}
	}
}
