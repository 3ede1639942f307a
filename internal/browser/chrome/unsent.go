package chrome

// Forms that the browser should have sent and did not. It does not send a form that the click
// handlers have removed from the page, nor one whose button they have disabled or taken out of
// the form. It reports that at most on the page's console.

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// A NotSent is the engine's report of such a form.
type NotSent struct {
	Why string `json:"why"`
	// Sure means that the browser was meant to send the form: it has an address, and no other
	// button submits it.
	Sure bool `json:"sure"`
	// ByAny means that any request of the page may have replaced it: the form would have been
	// sent by GET, or it is still on the page and may be sent later.
	ByAny bool   `json:"byAny"`
	Desc  string `json:"desc"` // the button
}

// sentBefore holds the numbers of requests, of writes and of opened tabs before the input of a
// step.
type sentBefore struct{ requests, writes, tabs int }

// FormUnsent decides about a form that the browser has not sent, after input that led to nav. If
// the page may have intended that, it returns the reason, for a warning. It returns "" if there
// is no such form or the page has sent something itself. label names the pressed button.
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
	return "", diag.New(diag.StepFailed, "%s: %s before the browser sent it, so it was not sent", label, n.Why).
		WithDetail("reason", n.Why).WithDetail("button", n.Desc).
		WithHint("the page does this in the button's own click handlers: use snapshot and requests to see what it did before pressing again")
}

// tookOverLocked reports whether the page has sent something since the input began, or has
// navigated to another document.
func (s *Step) tookOverLocked() bool {
	return s.Net.Writes() > s.before.writes || s.opened() > s.before.tabs || s.frames.isLed()
}

// isLed reports whether the page, or a frame that existed before or that a link or a form has
// navigated, has begun to navigate since the step began.
func (fs *Frames) isLed() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.nav.led {
		return true
	}
	for _, f := range fs.frames {
		if f.nav.led && (f.nav.isAsked() || f.there) {
			return true
		}
	}
	return false
}
