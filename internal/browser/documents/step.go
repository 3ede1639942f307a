package documents

// The navigations and requests that a step has begun, and the navigations that the browser has
// refused.
//
// The browser reports a refusal only in its log, to which a page cannot write. Examples are a form
// that a sandbox forbids to send, and a link to an address that the page may not open.
//
// The browser also does not send a form that a click handler has removed from the page, or whose
// button a click handler has disabled. At most, it reports that on the page's console.

import (
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// A Step tracks what the current step has begun, and the navigations that the browser has refused.
type Step struct {
	moves  *Moves
	Net    *network.Traffic
	opened func() int // number of tabs that the page has opened

	mu      sync.Mutex // held while the lock of frames is acquired
	input   bool       // the step's input has begun
	blocked string     // log entry for the first refused navigation since the input began; "" for none
	before  sentBefore // what was sent before the input
}

// refusals lists the log entries about refused navigations. Each pair is the beginning of an entry
// and a hint.
var refusals = [][2]string{
	{"Blocked form submission to ", "the frame's sandbox lacks allow-forms: the page must allow it, or open the frame's address directly"},
	{newTab, "the frame's sandbox lacks allow-popups: the page must allow it, or open the address"},
	{"Unsafe attempt to initiate navigation ", "the frame may not navigate the page (allow-top-navigation): open the address"},
	{"Unsafe JavaScript attempt to initiate navigation ", "the frame may not navigate the page (allow-top-navigation): open the address"},
	{"Sending form data to ", "the page's Content Security Policy (form-action) forbids it"},
	{"Refused to send form data to ", "the page's Content Security Policy (form-action) forbids it"},
	{"Running the JavaScript URL violates ", "the page's Content Security Policy (script-src) forbids javascript: links"},
	{"Refused to run the JavaScript URL ", "the page's Content Security Policy (script-src) forbids javascript: links"},
	{localResource, "a web page may not link to a file or a page of the browser: open it, if the policy allows that"},
	{"Not allowed to navigate top frame to ", "a page may not link to such an address"},
}

const (
	newTab        = "Blocked opening "
	localResource = "Not allowed to load local resource"
)

// NoteBlocked records a log entry of the browser if it is about a refused navigation. Only the
// first such entry since the step's input is kept.
func (s *Step) NoteBlocked(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.input || s.blocked != "" {
		return
	}
	for _, r := range refusals {
		if strings.HasPrefix(text, r[0]) && (r[0] != localResource || s.moves.leadsTo(text)) {
			s.blocked = text
			return
		}
	}
}

// BlocksTab reports whether a log entry is about a tab that the browser did not open.
func BlocksTab(text string) bool { return strings.HasPrefix(text, newTab) }

// mostRefusal is the maximum length of a reported log entry, in characters.
const mostRefusal = 300

// blockedNavigation returns the error for a navigation that the browser refused during the step,
// or nil.
func (s *Step) blockedNavigation() error {
	s.mu.Lock()
	text := s.blocked
	s.mu.Unlock()
	for _, r := range refusals {
		if !strings.HasPrefix(text, r[0]) {
			continue
		}
		if short := []rune(cdp.FirstLine(text)); len(short) > mostRefusal {
			text = string(short[:mostRefusal]) + "…"
		}
		return diag.New(diag.NavigationFailed, "the browser refused the navigation: %s", cdp.FirstLine(text)).WithDetail("reason", cdp.FirstLine(text)).WithHint("%s", r[1])
	}
	return nil
}

// Begin forgets the effects of earlier input. The argument input is set if the step's own input
// begins now.
func (s *Step) Begin(input bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked, s.input = "", input
	s.before = sentBefore{s.Net.Sent(), s.Net.Writes(), s.opened()}
	s.moves.forgetMoves(input)
}

// A NotSent is the engine's report that a pressed button did not send its form.
type NotSent struct {
	Why string `json:"why"`
	// Sure is set if the form has an address and no other submit button. The browser should then
	// have sent it.
	Sure bool `json:"sure"`
	// ByAny is set if the form uses GET or is still on the page. Then any request of the page
	// counts as a replacement for sending the form.
	ByAny bool   `json:"byAny"`
	Desc  string `json:"desc"` // the button
}

// sentBefore holds the numbers of requests, writes and opened tabs before the input of a step.
type sentBefore struct{ requests, writes, tabs int }

// FormUnsent decides whether a form that was not sent is an error. n describes the form, and nav is
// the navigation that the input has caused. Both may be nil. label names the pressed button in the
// error. If the page may have held back the form on purpose, FormUnsent returns the reason as a
// warning. It returns "" if there is nothing to report.
func (s *Step) FormUnsent(n *NotSent, nav *driver.Navigation, label string) (string, error) {
	if n == nil || nav != nil {
		return "", nil
	}
	s.mu.Lock()
	taken, asked := s.tookOverLocked(), s.Net.Sent() > s.before.requests
	s.mu.Unlock()
	if taken {
		return "", nil
	}
	if !n.Sure || n.ByAny && asked {
		return n.Why, nil
	}
	return "", diag.New(diag.StepFailed, "%s: %s before the browser sent the form, so the form was not sent", label, n.Why).
		WithDetail("reason", n.Why).WithDetail("button", n.Desc).
		WithHint("the button's own click handlers did this: check with `snapshot` and `requests` what the handlers have done, before you press again")
}

// tookOverLocked reports whether the page has sent data, opened a tab or begun to navigate since
// the input began.
func (s *Step) tookOverLocked() bool {
	return s.Net.Writes() > s.before.writes || s.opened() > s.before.tabs || s.moves.isLed()
}
