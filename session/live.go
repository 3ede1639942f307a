package session

// Starting, losing and ending the browsers of sessions.

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"actionregistry/browser"
	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/snapshot"
)

// WarnSessionLost is the code of the warning that a call began on a clean page,
// since what the session held was lost.
const WarnSessionLost = "session_lost"

// A loss is what went with a browser or a page that ended by itself.
type loss struct {
	what string // the browser ended, the page crashed, the session expired
	url  string // that the page showed; "" when it was blank
	run  string // what was running
	told bool   // a step by hand has failed for it; guarded by Manager.mu

	refs *snapshot.Book // of a session that is no more: its numbers are not given again
}

func (l *loss) String() string {
	text := l.what
	if l.run != "" {
		text += " while " + l.run + " ran"
	}
	if l.url == "" {
		return text + ": its page, cookies and storage are lost"
	}
	return fmt.Sprintf("%s: its page (%s), cookies and storage are lost", text, l.url)
}

// err is what a step by hand fails with, once.
func (l *loss) err() error {
	e := diag.New(diag.BrowserUnavailable, "%s", l).WithHint("open a page again: it will be a clean one").WithDetail("lost", l.what)
	if l.url != "" {
		e.WithDetail("url", l.url)
	}
	if l.run != "" {
		e.WithDetail("running", l.run)
	}
	return e
}

// explain completes the error of the call that met the loss. The URL stays out:
// it may hold a secret of that call.
func (l *loss) explain(e *diag.Error) {
	of := loss{what: l.what, run: l.run}
	e.Msg, e.Hint = of.String(), "open a page again: it will be a clean one"
	e.WithDetail("lost", of.what).WithDetail("running", of.run)
}

func (l *loss) warning() executor.Warning {
	return executor.Warning{Code: WarnSessionLost, Message: l.String() + "; this began on a clean page"}
}

// States of a session.
const (
	StateStarting = "starting" // its browser is being started
	StateIdle     = "idle"
	StateRunning  = "running"
	StateLost     = "lost" // its page is gone; the next call gets a new one
)

// A RunInfo is what runs, or waits, in a session.
type RunInfo struct {
	Action  string    `json:"action,omitempty"`
	Step    string    `json:"step,omitempty"`
	Opening bool      `json:"opening,omitempty"` // by session.open
	Since   time.Time `json:"since"`
}

// An Info tells about a session.
type Info struct {
	Name      string     `json:"name"`
	State     string     `json:"state"`
	Running   *RunInfo   `json:"running,omitempty"`
	Queued    int        `json:"queued"`
	URL       string     `json:"url,omitempty"` // without what may be secret in it
	Lost      string     `json:"lost,omitempty"`
	IdleSince *time.Time `json:"idle_since,omitempty"`
}

func (m *Manager) infoLocked(s *live) Info {
	i := Info{Name: s.name, State: StateIdle, URL: s.url}
	lost := s.lost
	if s.page != nil {
		address, wrong := lookAt(s.browser, s.page)
		if wrong == "" {
			i.URL = address
		} else if lost == nil {
			lost = s.lossOf(wrong, "")
		}
	}
	if lost != nil {
		i.State, i.Lost = StateLost, lost.String()
	}
	if len(s.turns) == 0 {
		since := s.idleSince
		i.IdleSince = &since
		return i
	}
	if i.State = StateRunning; s.page == nil {
		i.State = StateStarting
	}
	running := s.turns[0].what
	i.Running, i.Queued = &running, len(s.turns)-1
	return i
}

// lookAt tells the URL of a page without asking it, and what is wrong when the
// page, which may be nil, or its browser is gone. It waits for nothing.
func lookAt(b *browser.Browser, p *browser.Page) (address, wrong string) {
	if isDone(b) {
		return "", "the browser ended"
	}
	if p == nil {
		return "", ""
	}
	address, err := p.State()
	if err != nil {
		return "", "the page crashed"
	}
	return shown(address), ""
}

// shown is a URL without what may be secret in it, "" for a blank page.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "about:blank" {
		return ""
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	if u.Opaque != "" { // data:, which holds the page itself
		return u.Scheme + ":…"
	}
	return u.String()
}

// lossOf is what went with the session's page; run is what was running. Manager.mu
// must be held.
func (s *live) lossOf(wrong, run string) *loss {
	return &loss{what: fmt.Sprintf("%s (session %s)", wrong, s.name), url: s.url, run: run}
}

// settle looks at a session before and after what the call whose turn it is does;
// run is what it has run. A page that is gone is given up, so that the next call
// gets a clean one, and what was lost is returned, and kept until it is told.
func (m *Manager) settle(ctx context.Context, s *live, run string) *loss {
	m.mu.Lock()
	b, p := s.browser, s.page
	if b == nil || s.ended {
		m.mu.Unlock()
		return nil
	}
	address, wrong := lookAt(b, p)
	if wrong == "" {
		s.url = address
		m.mu.Unlock()
		return nil
	}
	var lost *loss
	if p != nil {
		lost = s.lossOf(wrong, run)
		s.lost = lost
	}
	s.page, s.url = nil, ""
	dead := isDone(b)
	if dead {
		s.browser, s.started = nil, nil
	}
	m.mu.Unlock()
	if dead {
		m.warnOf(shut(ctx, b))
	} else {
		m.warnOf(p.Close(ctx))
	}
	return lost
}

// awaitEnd waits until it shows what made a call fail: calls to a browser that
// ends fail a moment before [browser.Browser.Done].
func (m *Manager) awaitEnd(s *live) {
	m.mu.Lock()
	b, p := s.browser, s.page
	m.mu.Unlock()
	if b == nil {
		return
	}
	if _, wrong := lookAt(b, p); wrong != "" {
		return
	}
	late := time.NewTimer(shutTime)
	defer late.Stop()
	select {
	case <-b.Done():
	case <-late.C: // it failed for another reason
	}
}

func isDone(b *browser.Browser) bool {
	select {
	case <-b.Done():
		return true
	default:
		return false
	}
}

// warnOf tells of a failure that is nobody's result.
func (m *Manager) warnOf(err error) {
	if err != nil && m.o.Warn != nil {
		m.o.Warn(err.Error())
	}
}

// tellLoss notes that the call k, which has its turn, has told a loss itself. A
// step that fails for it is the one that does; but calls that wait were made in
// trust of what is gone.
func (m *Manager) tellLoss(s *live, k *call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.lost != nil && k.step && !k.opensPage() && len(s.turns) == 1 {
		s.lost.told = true
	}
}

// takeLoss returns what was lost and not told yet, which is then told.
func (m *Manager) takeLoss(s *live) *loss {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := s.lost
	s.lost = nil
	return l
}

// open returns the page of a session for the call whose turn it is; it is opened
// and the browser started where there is none.
func (m *Manager) open(ctx context.Context, s *live, d *Definitions, asked SessionOptions) (*browser.Page, error) {
	m.mu.Lock()
	b, page, err := s.browser, s.page, s.refuseLocked(asked)
	m.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case page != nil:
		return page, nil
	case b == nil:
		page, err = m.start(ctx, s, d, asked)
	default:
		page, err = m.newPage(ctx, s, b)
	}
	if err != nil && ctx.Err() != nil {
		err = cancelledCall(ctx)
	}
	return page, err
}

func (m *Manager) newPage(ctx context.Context, s *live, b *browser.Browser) (*browser.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, launchTime)
	defer cancel()
	page, err := b.NewPage(ctx)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s.page = page
	return page, nil
}

// start starts the browser of a session. What was asked for an earlier one of it
// still holds.
func (m *Manager) start(ctx context.Context, s *live, d *Definitions, asked SessionOptions) (*browser.Page, error) {
	o, err := d.browserOptions()
	if err != nil {
		return nil, err
	}
	o.Warn, o.Refs = m.o.Warn, s.refs
	m.mu.Lock()
	asked = asked.over(s.asked)
	asked.apply(&o)
	s.started = &o
	m.mu.Unlock()
	b, page, err := launch(ctx, o)
	m.mu.Lock()
	ended := s.ended // who ended it does not know of this browser
	switch {
	case err != nil:
		s.started = nil
	case !ended:
		s.asked, s.browser, s.page = asked, b, page
	}
	m.mu.Unlock()
	if err == nil && ended {
		m.warnOf(shut(ctx, b))
		return nil, cancelledCall(ctx)
	}
	return page, err
}

// drainTime is how long the calls of a session that was ended may take to
// notice.
const drainTime = 5 * time.Second

// finish ends the browser of a session that is out of the table and waits for
// the calls that were in it.
func (m *Manager) finish(ctx context.Context, s *live) error {
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
	return diag.New(diag.Timeout, "what ran in the session %s has not ended yet, although its browser has", s.name).
		WithHint("the session is closed; look at the daemon's log, and restart the daemon if this stays")
}

// endBrowser ends the browser of a session that is out of the table.
func (m *Manager) endBrowser(ctx context.Context, s *live) error {
	m.mu.Lock()
	b := s.browser
	s.browser, s.page, s.started = nil, nil, nil
	m.mu.Unlock()
	if b == nil {
		return nil
	}
	return shut(ctx, b)
}
