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
)

// WarnSessionLost is the code of the warning that a call began on a clean page,
// since what the session held was lost.
const WarnSessionLost = "session_lost"

// A loss is what went with a browser or a page that ended by itself.
type loss struct {
	what string // the browser ended, the page crashed, the session expired
	url  string // that the page showed; "" when it was blank
	run  string // what was running
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

func (l *loss) warning() executor.Warning {
	return executor.Warning{Code: WarnSessionLost, Message: l.String() + "; this began on a clean page"}
}

// lookAt tells the URL of a page without asking it, and what is wrong when the
// page or its browser is gone. It waits for nothing.
func lookAt(b *browser.Browser, p *browser.Page) (address, wrong string) {
	if isDone(b) {
		return "", "the browser ended"
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

// settle looks at a session before and after a call that has its turn. What is
// gone is given up, so that the next call gets a clean page; running is the call
// that was running.
func (m *Manager) settle(ctx context.Context, s *live, running string) {
	m.mu.Lock()
	b, p := s.browser, s.page
	m.mu.Unlock()
	if b == nil || p == nil {
		return
	}
	address, wrong := lookAt(b, p)
	m.mu.Lock()
	if wrong == "" {
		s.url = address
		m.mu.Unlock()
		return
	}
	if s.url != "" || running != "" {
		s.lost = &loss{what: lossText(wrong, s.name), url: s.url, run: running}
	}
	s.page, s.url = nil, ""
	alone := !s.ended // else somebody else ends the browser
	dead := isDone(b)
	if dead && alone {
		s.browser = nil
	}
	m.mu.Unlock()
	switch {
	case !alone:
	case dead:
		m.warnOf(shut(ctx, b))
	default:
		m.warnOf(p.Close(ctx))
	}
}

func lossText(wrong, name string) string {
	return fmt.Sprintf("%s (session %s)", wrong, name)
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
func (m *Manager) open(ctx context.Context, s *live, d *Definitions) (*browser.Page, error) {
	m.mu.Lock()
	b, page, wish := s.browser, s.page, s.wish
	m.mu.Unlock()
	switch {
	case page != nil:
		return page, nil
	case b != nil:
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
	o, err := d.browserOptions()
	if err != nil {
		return nil, err
	}
	wish.apply(&o)
	o.Warn = m.o.Warn
	b, page, err = launch(ctx, o)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	ended := s.ended
	if !ended {
		s.browser, s.page, s.started, s.url = b, page, o, ""
	}
	m.mu.Unlock()
	if ended { // meanwhile; who ended it does not know of this browser
		m.warnOf(shut(ctx, b))
		return nil, cancelledCall(ctx)
	}
	return page, nil
}

// drainTime is how long the calls of a session that was ended may take to
// notice.
const drainTime = 5 * time.Second

// finish ends the browser of a session that is out of the table and waits for
// the calls that were in it.
func (m *Manager) finish(ctx context.Context, s *live) error {
	m.mu.Lock()
	b := s.browser
	s.browser, s.page = nil, nil
	m.mu.Unlock()
	var err error
	if b != nil {
		err = shut(ctx, b)
	}
	late := time.NewTimer(drainTime)
	defer late.Stop()
	select {
	case <-s.drained:
	case <-ctx.Done():
		return cancelledCall(ctx)
	case <-late.C:
		return diag.New(diag.Timeout, "what ran in the session %s has not ended %s after its browser", s.name, drainTime).
			WithHint("the session is closed; look at the daemon's log, and restart the daemon if this stays")
	}
	return err
}
