package browser

// Forms that the browser was to send and has not: it sends none that the handlers of the
// click have taken off the page, and none for a button that they have disabled or taken out
// of its form. It says so on the page's console at most.

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// A notSent is what the engine tells of such a form.
type notSent struct {
	Why string `json:"why"`
	// Sure says that it was meant for the browser to send: it has an address, and no other
	// button that sends it.
	Sure bool `json:"sure"`
	// ByAny says that any request of the page may stand for it: it would have been sent by
	// GET, or it is still there and may be sent later.
	ByAny bool   `json:"byAny"`
	Desc  string `json:"desc"` // the button
}

// sentBefore counts what had been sent before the input of a step, and the tabs that had come.
type sentBefore struct{ requests, writes, tabs int }

// formUnsent judges a form that the browser has not sent, after input that led to nav. It
// returns why, for a warning, where the page may have wanted it so; "" where there is none,
// or the page has sent something itself. label is what was pressed.
func (p *Tab) formUnsent(n *notSent, nav *driver.Navigation, label string) (string, error) {
	if n == nil || nav != nil {
		return "", nil
	}
	p.mu.Lock()
	taken, asked := p.tookOverLocked(), p.net.Sent() > p.before.requests
	p.mu.Unlock()
	if taken {
		return "", nil
	}
	if !n.Sure || n.ByAny && asked {
		return n.Why, nil
	}
	return "", diag.New(diag.StepFailed, "%s: %s before the browser sent it, so it was not sent", label, n.Why).
		WithDetail("reason", n.Why).WithDetail("button", n.Desc).
		WithHint("the page does this in the button's own click handlers: see with snapshot and requests what it did before pressing again")
}

// tookOverLocked reports whether the page has sent something since the input began, or has led
// to another document.
func (p *Tab) tookOverLocked() bool {
	if p.net.Writes() > p.before.writes || len(p.popups.came) > p.before.tabs || p.nav.led {
		return true
	}
	for _, f := range p.frames {
		if f.nav.led && (f.nav.isAsked() || f.there) {
			return true
		}
	}
	return false
}
