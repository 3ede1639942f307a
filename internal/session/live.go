package session

// The browser of a session: how it is opened for a call, how its loss is noticed and reported, and
// how it ends with the session.

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/loader"
)

// WarnSessionLost is the code of the warning that a session was lost and that the call began on a
// new page.
const WarnSessionLost = "session_lost"

// A loss describes what a session lost when its browser ended or its page crashed.
type loss struct {
	what string // what happened, such as "the browser ended (session a)"
	url  string // URL of the page; "" if it was blank
	run  string // name of the action or step that was running
	told bool   // a failed step has reported the loss; guarded by Manager.mu

	cause Cause // the cause to record for the next process, in case this one ends before the loss is reported

	kept bool // only the page is lost: cookies and other tabs remain

	refs *snapshot.Book // last ref number of a session that has ended, so that no number is reused
}

func (l *loss) String() string {
	text := l.what
	if l.run != "" {
		text += " while " + l.run + " was running"
	}
	page := "its page"
	if l.url != "" {
		page += " (" + l.url + ")"
	}
	if l.kept {
		return text + ": " + page + " is lost; cookies, storage and other tabs stay"
	}
	return text + ": " + page + ", cookies and storage are lost"
}

// err returns the error of a manual step that fails because of the loss.
func (l *loss) err() error {
	e := diag.New(diag.BrowserUnavailable, "%s", l).WithHint("open a page again").WithDetail("lost", l.what)
	if l.url != "" {
		e.WithDetail("url", l.url)
	}
	if l.run != "" {
		e.WithDetail("running", l.run)
	}
	return e
}

// explain describes the loss in the error of the call during which it occurred. It omits the URL,
// which may contain a secret.
func (l *loss) explain(e *diag.Error) {
	of := loss{what: l.what, run: l.run, kept: l.kept}
	e.Msg, e.Hint = of.String(), "open a page again"
	e.WithDetail("lost", of.what).WithDetail("running", of.run)
}

func (l *loss) warning() executor.Warning {
	return executor.Warning{Code: WarnSessionLost, Message: l.String() + "; this call began on a clean page"}
}

// States of a session.
const (
	StateStarting = "starting" // its browser is being started
	StateIdle     = "idle"
	StateRunning  = "running"
	StateHeld     = "held" // a person uses its browser
	StateLost     = "lost" // its page is lost; the next call starts on a new one
)

// A RunInfo describes a call that runs or waits in a session.
type RunInfo struct {
	Action  string    `json:"action,omitempty"`
	Step    string    `json:"step,omitempty"`
	Opening bool      `json:"opening,omitempty"` // session.open is running
	Since   time.Time `json:"since"`
}

// An Info describes a session.
type Info struct {
	Name      string     `json:"name"`
	State     string     `json:"state"`
	Running   *RunInfo   `json:"running,omitempty"`
	Held      *HoldInfo  `json:"held,omitempty"`
	Queued    int        `json:"queued"`
	URL       string     `json:"url,omitempty"` // URL of the active tab, without the parts that often contain secrets
	Tab       string     `json:"tab,omitempty"` // the active tab
	Window    string     `json:"window,omitempty"`
	Tabs      int        `json:"tabs"`
	Windows   int        `json:"windows"`
	Lost      string     `json:"lost,omitempty"`
	IdleSince *time.Time `json:"idle_since,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // when the session ends if no call comes; nil: never, or a call is running
	Gone      bool       `json:"-"`                    // the session has ended, and its loss is not yet reported
}

func (m *Manager) infoLocked(s *namedSession) Info {
	i := Info{Name: s.name, State: StateIdle, URL: s.url}
	lost := s.lost
	if s.browser != nil {
		state, wrong := lookAt(s.browser)
		if wrong == "" {
			i.URL = s.shown(state.URL)
		} else if lost == nil {
			lost = s.lossOf(wrong, "")
		}
		if wrong != ended {
			i.Tab, i.Window, i.Tabs, i.Windows = state.Tab, state.Window, state.Tabs, state.Windows
		}
	}
	if lost != nil {
		i.State, i.Lost = StateLost, lost.String()
	}
	if len(s.queue) == 0 {
		since := s.idleSince
		i.IdleSince = &since
		if end := m.expiryLocked(s); !end.IsZero() {
			i.ExpiresAt = &end
		}
		return i
	}
	if i.State = StateRunning; s.browser == nil {
		i.State = StateStarting
	}
	running := s.queue[0].what
	i.Running, i.Queued = &running, len(s.queue)-1
	if s.hold != nil {
		held := s.hold.info
		i.State, i.Held, i.URL = StateHeld, &held, "" // other callers must not see which pages the person visits
	}
	return i
}

// Problems of a session's browser.
const (
	ended   = "the browser ended"
	crashed = "the page crashed" // the active tab has crashed
)

// lookAt returns the last known state of a browser, without a query to the browser. wrong is "the
// browser ended", "the page crashed" or "".
func lookAt(b *chrome.Browser) (state chrome.State, wrong string) {
	state = b.State()
	switch {
	case isDone(b):
		return state, ended
	case state.Crashed:
		return state, crashed
	}
	return state, ""
}

// shown returns a URL as users may see it. It removes the user, the query and the fragment, and
// masks the secrets of the session's runs. For a blank page it returns "".
func (s *namedSession) shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "about:blank" {
		return ""
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	if u.Opaque != "" { // data:, which contains the page itself
		return u.Scheme + ":…"
	}
	return s.secrets.String(u.String())
}

// lossOf returns the loss of the session's page. wrong comes from lookAt, and run is the name of
// the action or step that was running. The caller holds Manager.mu.
func (s *namedSession) lossOf(wrong, run string) *loss {
	return &loss{what: fmt.Sprintf("%s (session %s)", wrong, s.name), cause: LostBrowser, url: s.url, run: run, kept: wrong == crashed}
}

// settle checks the browser before and after each call. It releases a browser that has ended, and
// replaces a crashed tab. It records the loss and returns it, or nil if nothing was lost. run is
// the name of the action or step that was running, or "" before a call.
func (m *Manager) settle(ctx context.Context, s *namedSession, run string) *loss {
	m.mu.Lock()
	b := s.browser
	if b == nil || s.ended {
		m.mu.Unlock()
		return nil
	}
	state, wrong := lookAt(b)
	if wrong == "" {
		s.url = s.shown(state.URL)
		m.mu.Unlock()
		return nil
	}
	lost := s.lossOf(wrong, run)
	s.lost, s.url = lost, ""
	if wrong == ended {
		s.browser, s.started = nil, nil
	}
	m.mu.Unlock()
	if wrong == ended {
		m.warnOf(shut(ctx, b))
	} else {
		m.warnOf(renew(ctx, b))
	}
	return lost
}

// renew replaces a crashed tab. It does so even if ctx has ended.
func renew(ctx context.Context, b *chrome.Browser) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), launchTime)
	defer cancel()
	return b.Renew(ctx)
}

// awaitEnd waits until the browser has ended, but at most shutTime. It is called after a call
// failed, perhaps because the browser was ending.
func (m *Manager) awaitEnd(s *namedSession) {
	m.mu.Lock()
	b := s.browser
	m.mu.Unlock()
	if b == nil {
		return
	}
	if _, wrong := lookAt(b); wrong != "" {
		return
	}
	late := time.NewTimer(shutTime)
	defer late.Stop()
	select {
	case <-b.Done():
	case <-late.C: // the call failed for another reason
	}
}

func isDone(b *chrome.Browser) bool {
	select {
	case <-b.Done():
		return true
	default:
		return false
	}
}

// tellLoss records that the failure of call k has reported the loss. It records nothing if other
// calls are queued: the next of them must report the loss again.
func (m *Manager) tellLoss(s *namedSession, k *call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.lost != nil && k.step && !k.opensPage() && len(s.queue) == 1 {
		s.lost.told = true
	}
}

// takeLoss removes and returns the loss of the session. It returns nil if there is none.
func (m *Manager) takeLoss(s *namedSession) *loss {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := s.lost
	s.lost = nil
	return l
}

// open returns the browser of s for the call that is first in its queue. If s has no browser, open
// uses e or starts one. If e is not used, open ends it.
func (m *Manager) open(ctx context.Context, s *namedSession, d *definitions.Set, asked SessionOptions, e *prelaunch) (*chrome.Browser, error) {
	defer m.drop(ctx, e)
	m.mu.Lock()
	b, err := s.browser, s.refuseLocked(asked)
	m.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		b, err = m.start(ctx, s, d, asked, e)
	default: // a tab that closed itself may not have been replaced yet
		err = b.Renew(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = executor.NotBegun(ctx)
	}
	return b, err
}

// start starts the browser of a session. Options that "asked" does not set are those of the
// session's last browser.
func (m *Manager) start(ctx context.Context, s *namedSession, d *definitions.Set, asked SessionOptions, e *prelaunch) (*chrome.Browser, error) {
	o := m.options(d.Config, s)
	m.mu.Lock()
	asked = asked.over(s.asked)
	asked.apply(&o)
	s.started = &o
	m.mu.Unlock()
	b, err := launch(ctx, o, e)
	m.mu.Lock()
	ended := s.ended // if the session was closed during the start, this browser must be ended here
	switch {
	case err != nil:
		s.started = nil
	case !ended:
		s.asked, s.browser = asked, b
	}
	m.mu.Unlock()
	if err == nil && ended {
		m.warnOf(shut(ctx, b))
		return nil, executor.NotBegun(ctx)
	}
	m.recordRemains() // before the call does anything that a crash could lose
	return b, err
}

// options returns the configured options for a browser of s. They do not include those of
// [SessionOptions].
func (m *Manager) options(c *loader.Config, s *namedSession) startup.Options {
	o := browserOptions(c)
	o.Warn, o.Refs = m.o.Warn, s.refs
	return o
}

// drainTime is how long finish waits for the calls of an ended session.
const drainTime = 5 * time.Second

// finish ends the browser of a session that was removed from the table, and waits for its calls. If
// they have not returned after drainTime, or when ctx ends, the error is TIMEOUT.
func (m *Manager) finish(ctx context.Context, s *namedSession) error {
	err := m.endBrowser(ctx, s)
	late := time.NewTimer(drainTime)
	defer late.Stop()
	select {
	case <-s.drained:
		return err
	case <-ctx.Done():
	case <-late.C:
	}
	select {
	case <-s.drained:
		return err
	default:
	}
	return diag.New(diag.Timeout, "a call in the session %s has not ended yet, although its browser has ended", s.name).
		WithHint("the session is closed; check the daemon's log, and restart the daemon if this persists")
}

// endBrowser ends the browser of a session that was removed from the table.
func (m *Manager) endBrowser(ctx context.Context, s *namedSession) error {
	m.mu.Lock()
	b := s.browser
	s.browser, s.started = nil, nil
	m.mu.Unlock()
	if b == nil {
		return nil
	}
	return shut(ctx, b)
}
