package session

// Holds: a person uses the browser of a session, and every other call is refused.

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/chrome"
)

// A HoldInfo describes a hold: the time during which a person uses the browser of a session.
type HoldInfo struct {
	By      string    `json:"by,omitempty"` // caller of the action or step that waits, such as "pid 4711"
	Action  string    `json:"action,omitempty"`
	Step    string    `json:"step,omitempty"`
	Since   time.Time `json:"since"`
	End     time.Time `json:"end"`               // when the time for the person is over
	Until   string    `json:"until,omitempty"`   // the condition that ends the hold, as written
	Message string    `json:"message,omitempty"` // what the person should do
}

// A hold is the state of a session while a person uses its browser. Manager.mu guards it.
type hold struct {
	info    HoldInfo
	resumed chan struct{} // closed by Resume
	over    bool          // resumed is closed
}

// callerKey is the context key of the caller's name.
type callerKey struct{}

// WithCaller returns a context with the name of the caller, such as "pid 4711". While a handoff of
// this caller lasts, the errors of other calls contain the name.
func WithCaller(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, callerKey{}, name)
}

func callerOf(ctx context.Context) string {
	name, _ := ctx.Value(callerKey{}).(string)
	return name
}

// refuseHeldLocked returns an error if a person uses the browser of the session, and nil otherwise.
func (s *namedSession) refuseHeldLocked() error {
	if s.hold == nil {
		return nil
	}
	h := s.hold.info
	what, message := cmp.Or(h.Action, h.Step), ""
	if h.By != "" {
		what += " (" + h.By + ")"
	}
	if h.Message != "" {
		message = ": " + h.Message
	}
	e := diag.New(diag.SessionHeld, "a person has been using the session %s since %s, at the request of %s%s", s.name, h.Since.Format(time.TimeOnly), what, message).
		WithDetail("session", s.name).WithDetail("since", h.Since.UTC().Format(time.RFC3339)).WithDetail("end", h.End.UTC().Format(time.RFC3339)).
		WithHint("wait, or use another session with --session; the person ends the handoff with: action session resume %s", s.name)
	for _, d := range []struct{ name, value string }{{"by", h.By}, {"action", h.Action}, {"step", h.Step}, {"until", h.Until}, {"message", h.Message}} {
		if d.value != "" {
			e.WithDetail(d.name, d.value)
		}
	}
	return e
}

// beginHold begins a hold for the call that is first in the queue of s. Other calls are refused
// until the caller calls end. If held is not nil, beginHold calls it. The channel resumed is closed
// by Resume.
func (m *Manager) beginHold(ctx context.Context, s *namedSession, what RunInfo, held func(), h executor.Handoff) (resumed <-chan struct{}, end func()) {
	own := &hold{resumed: make(chan struct{}), info: HoldInfo{
		By: callerOf(ctx), Action: what.Action, Step: what.Step, Since: time.Now(), End: h.End, Until: h.Until, Message: h.Message,
	}}
	m.mu.Lock()
	s.hold = own
	m.mu.Unlock()
	if held != nil {
		held()
	}
	return own.resumed, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		s.hold = nil
	}
}

// Resume ends the hold of a session. The call that waits for the person then continues. If no
// person uses the session, the error is INVALID_REQUEST.
func (m *Manager) Resume(name string) (*HoldInfo, error) {
	name = cmp.Or(name, DefaultName)
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[name]
	if s == nil {
		return nil, diag.New(diag.InvalidRequest, "there is no session %q", name).WithHint("list the sessions with: action session list")
	}
	if s.hold == nil || s.hold.over {
		return nil, diag.New(diag.InvalidRequest, "no person has taken over the session %s", name).
			WithHint("there is nothing to resume; see: action session list")
	}
	s.hold.over = true
	close(s.hold.resumed)
	info := s.hold.info
	return &info, nil
}

const (
	personDelay = 200 * time.Millisecond // between two evaluations of a condition
	personTime  = 2 * time.Second        // of one evaluation
)

// awaitPerson waits until resumed is closed or the condition of h holds. It then returns
// [executor.Resumed] or [executor.ConditionHolds]. It returns an error if ctx or the browser ends,
// or if the page crashes.
func awaitPerson(ctx context.Context, b *chrome.Browser, h executor.Handoff, resumed <-chan struct{}) (string, error) {
	tick := time.NewTicker(personDelay)
	defer tick.Stop()
	for {
		select {
		case <-resumed:
			return executor.Resumed, nil
		case <-b.Done():
			return "", cdp.Unavailable("the browser ended while a person used it").WithHint("open a page again: a new browser will start")
		case <-ctx.Done():
			return "", ctx.Err()
		case <-tick.C:
		}
		if b.State().Crashed {
			return "", cdp.Unavailable("the page crashed while a person used it").WithHint("open a page again")
		}
		if h.Holds == nil {
			continue
		}
		if ok, err := holdsNow(ctx, h); ok || err != nil {
			return executor.ConditionHolds, err
		}
	}
}

// lasting lists the codes of errors that end a handoff if its condition returns them. After any
// other error, the condition is evaluated again: the page may still be loading, for example.
var lasting = []diag.Code{diag.DefinitionInvalid, diag.ParamInvalid, diag.ParamRequired, diag.LimitExceeded, diag.SecurityError, diag.PolicyDenied, diag.Internal}

func holdsNow(ctx context.Context, h executor.Handoff) (bool, error) {
	short, cancel := context.WithTimeout(ctx, personTime)
	defer cancel()
	ok, err := h.Holds(short)
	if e := diag.As(err); err != nil && short.Err() == nil && (e == nil || slices.Contains(lasting, e.Code)) {
		return false, err
	}
	return ok && err == nil, nil
}
