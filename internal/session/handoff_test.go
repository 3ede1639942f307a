package session_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

const loginDefinition = `namespace: t
version: 1.0.0
description: For tests
actions:
  shop:enter:
    description: Enter with the help of a person
    params:
      url: {type: string, required: true}
      who: {type: string, required: true, secret: true}
      until: {type: string, default: /home}
    steps:
      - {open: "${params.url}"}
      - {fill: {selector: "css:#kept", value: first}}
      - {handoff: {message: "log in as ${params.who}", until: "${page.url} contains ${params.until}"}, timeout: 1m}
      - {wait: {selector: "text:Orders"}}
    returns: {url: "${page.url}"}
    verify:
      - {text: Welcome, message: It did not come}
`

// TestHandoffRecordsNothing lets a person log in while a run waits. Then the run continues, and no
// output contains the text that the person has typed. The person has a connection of its own to the
// browser.
func TestHandoffRecordsNothing(t *testing.T) {
	shell, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		t.Fatal(err)
	}
	handoffRecordsNothing(t, shell)
}

func handoffRecordsNothing(t *testing.T, program string, args ...string) {
	m := &spied{managed: newManager(t, session.ManagerOptions{})}
	base, path := newLogin(t), definitionFiles(t, map[string]string{"t.yaml": loginDefinition})
	socket, _ := runningBrowser(t, program, args...)
	call := session.Call{Session: "a", Path: &path, CDP: socket, Trace: m, Debug: true, OnStep: func(e executor.StepEvent) { m.note(e) }, Timeout: 15 * time.Second}
	running := begin(func() *executor.Result {
		return m.Run(session.WithCaller(t.Context(), "pid 4711"), call, "t:shop:enter", map[string]any{"url": base, "who": "top-secret"})
	})
	eventually(t, "the hold", func() bool { return m.info("a").State == session.StateHeld || len(running) > 0 })
	if len(running) > 0 {
		t.Fatalf("the run ended: %+v", <-running)
	}
	info := m.info("a")
	if h := info.Held; h.By != "pid 4711" || h.Action != "t:shop:enter" || h.Message != "log in as ***" || !strings.Contains(h.Until, "page.url") || info.URL != "" {
		t.Errorf("held: %+v", info)
	}
	e := wantCode(t, "a call", m.step(t, "a", "get", map[string]any{"what": "title"}).Error, diag.SessionHeld, "the session a", "t:shop:enter (pid 4711)", "log in as ***")
	if e.Details["session"] != "a" || e.Details["by"] != "pid 4711" || e.Details["action"] != "t:shop:enter" || !strings.Contains(e.Hint, "action session resume a") {
		t.Errorf("error: %+v", e)
	}
	pending(t, "the run", running)
	newPerson(t, socket, base).login(t)
	r := get(t, "the run", running)
	m.note(fmt.Sprintf("%+v %+v %+v", r, r.Warnings, r.Error))
	if got := data(t, r)["url"]; got != base+"/home" {
		t.Errorf("the run ended at %v", got)
	}
	m.reads(t)
	list := fmt.Sprint(data(t, m.step(t, "a", "requests", nil))["requests"])
	if !strings.Contains(list, base) || strings.Contains(list, "/beacon") || strings.Contains(list, "/in") {
		t.Errorf("requests: %s", list)
	}
	// The person stays on the page, and removes the typed text.
	m.open(t, "a", base)
	m.eval(t, "a", "console.log('before')")
	m.handoff(t, "a", session.HandoffRequest{})
	who := newPerson(t, socket, base)
	who.do(t, evaluate{"pw.focus()"})
	sent := beacons(t, base)
	who.do(t, insertText{typed})
	eventually(t, "what the page sends", func() bool { return beacons(t, base) >= sent+2 })
	who.do(t, evaluate{"pw.value = kept.value = ''; history.replaceState(0, '', '/'); document.title = 'login'"})
	if _, err := m.Resume("a"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end", func() bool { return m.info("a").State == session.StateIdle })
	m.eval(t, "a", "console.log('after'); return fetch('/after').then(r => r.status)")
	m.reads(t)
	console := fmt.Sprint(data(t, m.step(t, "a", "get", map[string]any{"what": "console"})))
	list = fmt.Sprint(data(t, m.step(t, "a", "requests", nil))["requests"])
	if !strings.Contains(console, "before") || !strings.Contains(console, "after") || !strings.Contains(list, "/after") {
		t.Errorf("messages or requests that no person caused are missing: %s\n%s", console, list)
	}
	m.silent(t)
}

// reads adds everything that can be read of a session to the output.
func (s *spied) reads(t *testing.T) {
	t.Helper()
	for _, r := range []*executor.Result{
		s.step(t, "a", "requests", nil), s.step(t, "a", "get", map[string]any{"what": "console"}), s.step(t, "a", "snapshot", nil),
		s.step(t, "a", "dialog", map[string]any{"do": "history"}), s.step(t, "a", "tab", map[string]any{"do": "list"}),
	} {
		s.note(data(t, r), r.Warnings)
	}
	s.note(s.List())
}

// TestHandoffEnds ends a handoff in every way.
func TestHandoffEnds(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{Idle: 10 * time.Millisecond}), newSite(t)
	begins := func(r session.HandoffRequest) <-chan string {
		c := make(chan string, 1)
		r.Wait = true
		go func() {
			_, ended, err := m.Handoff(context.WithoutCancel(t.Context()), in("a"), r)
			c <- fmt.Sprint(ended, diag.CodeOf(err))
		}()
		m.held(t, "a")
		return c
	}
	for _, tt := range []struct {
		name string
		r    session.HandoffRequest
		end  func()
		want string
	}{
		{"resume", session.HandoffRequest{Message: "hello"}, func() {
			if h, err := m.Resume("a"); err != nil || h.Message != "hello" || h.Step != "handoff" {
				t.Errorf("resume: %+v, %v", h, err)
			}
		}, executor.Resumed},
		{"the condition", session.HandoffRequest{Until: "${page.title} == '/'"}, func() {}, executor.ConditionHolds},
		{"the time", session.HandoffRequest{Timeout: 300 * time.Millisecond}, func() {}, string(diag.Timeout)},
		{"the end of the session", session.HandoffRequest{}, func() {
			if err := m.CloseSession(t.Context(), "a"); err != nil {
				t.Error(err)
			}
		}, string(diag.Cancelled)},
	} {
		m.open(t, "a", s.url)
		end := begins(tt.r)
		tt.end()
		if got := get(t, tt.name, end); got != tt.want {
			t.Errorf("%s: ended with %s, want %s", tt.name, got, tt.want)
		}
		eventually(t, "the end", func() bool { return m.info("a").State != session.StateHeld })
	}
	_, err := m.Resume("a")
	wantCode(t, "resume of no session", err, diag.InvalidRequest)
	m.open(t, "b", s.url)
	_, err = m.Resume("b")
	wantCode(t, "resume of a session that is not held", err, diag.InvalidRequest, "no person has taken over")
	_, _, err = m.Handoff(t.Context(), in("b"), session.HandoffRequest{Timeout: 25 * time.Hour})
	wantCode(t, "a timeout", err, diag.InvalidRequest, "at most 24h")
	_, _, err = m.Handoff(t.Context(), in("b"), session.HandoffRequest{Until: "${params.x} == 1"})
	wantCode(t, "a condition", err, diag.ParamInvalid, "page.url or page.title")
}

// TestHandoffHolds checks what happens in a held session: new calls are refused, calls that were
// already queued run after the handoff, and refs from before the handoff are stale.
func TestHandoffHolds(t *testing.T) {
	clock := newTurnable()
	m, s := newManager(t, session.ManagerOptions{Idle: time.Minute, Clock: clock}), newSite(t)
	gate := s.hang(t, m, t.Context(), "a")
	type handed struct {
		info *session.Info
		err  error
	}
	begun := make(chan handed, 1)
	client, gone := context.WithCancel(t.Context())
	go func() {
		info, _, err := m.Handoff(client, in("a"), session.HandoffRequest{Message: "go on"})
		begun <- handed{info, err}
	}()
	eventually(t, "the queue", func() bool { return m.info("a").Queued == 1 })
	var waiting []<-chan *executor.Result
	for range 20 {
		waiting = append(waiting, begin(func() *executor.Result { return m.step(t, "a", "get", map[string]any{"what": "url"}) }))
	}
	eventually(t, "the queue", func() bool { return m.info("a").Queued == 21 })
	s.let()
	data(t, get(t, "the first call", gate))
	h := get(t, "the handoff", begun)
	if h.err != nil || h.info.State != session.StateHeld || h.info.Queued != 20 {
		t.Fatalf("Handoff: %+v, %v", h.info, h.err)
	}
	gone() // the handoff continues without its caller
	for what, f := range map[string]func() error{
		"a step": func() error { return m.step(t, "a", "get", map[string]any{"what": "url"}).Error },
		"a run":  func() error { return m.run(t, "a", "web:page:describe", nil).Error },
		"opening": func() error {
			_, err := m.Open(t.Context(), in("a"), session.SessionOptions{})
			return err
		},
		"a second handoff": func() error { _, _, err := m.Handoff(t.Context(), in("a"), session.HandoffRequest{}); return err },
	} {
		if err := f(); what != "a run" || diag.CodeOf(err) != diag.ActionNotFound {
			wantCode(t, what, err, diag.SessionHeld, "go on")
		}
	}
	for i, c := range waiting {
		pending(t, fmt.Sprint("call ", i), c)
	}
	clock.turn(2 * time.Minute) // longer than the idle time
	if _, err := m.Resume("a"); err != nil {
		t.Fatal(err)
	}
	for _, c := range waiting {
		data(t, get(t, "a call that waited", c))
	}
}

// TestHandoffStalesRefs checks that refs and deltas from before a handoff are refused.
func TestHandoffStalesRefs(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	m.open(t, "a", newLogin(t))
	shot := data(t, m.step(t, "a", "snapshot", nil))
	_, ref, _ := strings.Cut(fmt.Sprint(shot["text"]), `button "other" [ref=`)
	ref, _, _ = strings.Cut(ref, "]")
	_, id, _ := strings.Cut(fmt.Sprint(shot["text"]), "[snapshot ")
	id = strings.TrimSuffix(strings.Fields(id)[0], "]")
	data(t, m.step(t, "a", "key_down", map[string]any{"key": "Shift"}))
	m.handoff(t, "a", session.HandoffRequest{})
	if _, err := m.Resume("a"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end", func() bool { return m.info("a").State == session.StateIdle })
	wantCode(t, "a ref", m.step(t, "a", "click", map[string]any{"selector": "@" + ref}).Error, diag.StaleRef, "a person has used the browser since then")
	wantCode(t, "a delta", m.step(t, "a", "snapshot", map[string]any{"delta": id}).Error, diag.StaleRef, "a person has used the browser since then")
	wantCode(t, "a key that was released", m.step(t, "a", "key_up", map[string]any{"key": "Shift"}).Error, diag.StepFailed)
	again := fmt.Sprint(data(t, m.step(t, "a", "snapshot", nil))["text"])
	if strings.Contains(again, "[ref="+ref+"]") {
		t.Errorf("the ref %s is used again:\n%s", ref, again)
	}
}

// TestHandoffLost ends the browser, or its page, while a person uses it.
func TestHandoffLost(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	for _, tt := range []struct {
		what string
		kill func(*testing.T)
	}{{"the browser ended", killBrowser}, {"the page crashed", killTab}} {
		m.open(t, "a", s.url)
		done := begin(func() *executor.Result { return m.Step(t.Context(), in("a"), "handoff", nil) })
		m.held(t, "a")
		tt.kill(t)
		wantCode(t, tt.what, get(t, "the handoff", done).Error, diag.BrowserUnavailable, tt.what+" (session a) while handoff was running")
		if state := m.info("a").State; state == session.StateHeld {
			t.Errorf("the session is %s", state)
		}
	}
	m.open(t, "a", s.url)
}

// TestHandoffChangesControls lets a person change a control that the run has set.
func TestHandoffChangesControls(t *testing.T) {
	shell, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		t.Fatal(err)
	}
	m := newManager(t, session.ManagerOptions{})
	base, path := newLogin(t), definitionFiles(t, map[string]string{"t.yaml": `namespace: t
version: 1.0.0
description: For tests
actions:
  field:set:
    description: Set a field, and let a person change it
    params:
      url: {type: string, required: true}
    steps:
      - {open: "${params.url}"}
      - {fill: {selector: "css:#kept", value: by the run}}
      - {handoff: {message: change it}}
      - {get: {selector: "css:#kept", what: value}, output: now}
    returns: {value: "${steps.now.value}"}
    verify:
      - {text: other, message: The page is another one}
`})
	socket, _ := runningBrowser(t, shell)
	done := begin(func() *executor.Result {
		return m.Run(t.Context(), session.Call{Session: "a", Path: &path, CDP: socket}, "t:field:set", map[string]any{"url": base})
	})
	m.held(t, "a")
	who := newPerson(t, socket, base)
	who.do(t, evaluate{"kept.select()"})
	who.do(t, insertText{"by a person"})
	if _, err := m.Resume("a"); err != nil {
		t.Fatal(err)
	}
	if got := data(t, get(t, "the run", done))["value"]; got != "by a person" {
		t.Errorf("value %v", got)
	}
}

// TestHandoffsBeside runs many sessions with handoffs at the same time.
func TestHandoffsBeside(t *testing.T) {
	testkit.Long(t)
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	var all []<-chan *executor.Result
	for i := range 8 {
		name := fmt.Sprint("s", i)
		m.open(t, name, s.url)
		all = append(all, begin(func() *executor.Result { return m.Step(t.Context(), in(name), "handoff", nil) }))
	}
	for i := range all {
		m.held(t, fmt.Sprint("s", i))
	}
	for i, c := range all {
		if i%2 == 0 {
			if _, err := m.Resume(fmt.Sprint("s", i)); err != nil {
				t.Error(err)
			}
		} else if err := m.CloseSession(t.Context(), fmt.Sprint("s", i)); err != nil {
			t.Error(err)
		}
		if r := get(t, "the handoff", c); (r.Error == nil) != (i%2 == 0) {
			t.Errorf("session %d: %v", i, r.Error)
		}
	}
}
