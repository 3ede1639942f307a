package browser

// What the browser refuses to a page silently: a form that a sandbox does not let be sent,
// a link to where the page may not go. The browser only reports it in its log, to which a
// page cannot write.

import (
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// refusals are the beginnings of what the browser logs when it does not let a navigation
// begin, with advice.
var refusals = [][2]string{
	{"Blocked form submission to ", "the frame's sandbox lacks allow-forms: the page must allow it, or open the frame's address by itself"},
	{newTab, "the frame's sandbox lacks allow-popups: the page must allow it, or open the address"},
	{"Unsafe attempt to initiate navigation ", "the frame may not lead the page elsewhere (allow-top-navigation): open the address"},
	{"Unsafe JavaScript attempt to initiate navigation ", "the frame may not lead the page elsewhere (allow-top-navigation): open the address"},
	{"Sending form data to ", "the page's Content Security Policy (form-action) forbids it"},
	{"Refused to send form data to ", "the page's Content Security Policy (form-action) forbids it"},
	{"Running the JavaScript URL violates ", "the page's Content Security Policy (script-src) forbids javascript: links"},
	{"Refused to run the JavaScript URL ", "the page's Content Security Policy (script-src) forbids javascript: links"},
	{localResource, "a page of the web may not lead to a file or a page of the browser: open it, where the policy allows that"},
	{"Not allowed to navigate top frame to ", "a page may not lead to such an address"},
}

const (
	newTab        = "Blocked opening "
	localResource = "Not allowed to load local resource"
)

// noteBlocked records the first navigation that was refused since the input of the step
// began.
func (p *Tab) noteBlocked(v *proto.LogEntryAdded) {
	if v.Entry != nil && strings.HasPrefix(v.Entry.Text, newTab) {
		p.popups.withdraw()
	}
	if v.Entry == nil || !p.input || p.blocked != "" {
		return
	}
	for _, r := range refusals {
		if strings.HasPrefix(v.Entry.Text, r[0]) && (r[0] != localResource || p.leadsToLocked(v.Entry.Text)) {
			p.blocked = v.Entry.Text
			return
		}
	}
}

// leadsToLocked reports whether text is about a refused navigation, and not about an image
// or another resource.
func (p *Tab) leadsToLocked(text string) bool {
	leads := func(n *navigation) bool { return n.led && n.to != "" && strings.Contains(text, n.to) }
	for _, f := range p.frames {
		if leads(&f.nav) {
			return true
		}
	}
	return leads(&p.nav)
}

// mostRefusal bounds what is reported of a log entry: addresses in it may be long.
const mostRefusal = 300

// blockedNavigation is the error of a navigation that the browser did not let begin during
// the step, or nil.
func (p *Tab) blockedNavigation() error {
	p.mu.Lock()
	text := p.blocked
	p.mu.Unlock()
	for _, r := range refusals {
		if !strings.HasPrefix(text, r[0]) {
			continue
		}
		if short := []rune(cdp.FirstLine(text)); len(short) > mostRefusal {
			text = string(short[:mostRefusal]) + "…"
		}
		return diag.New(diag.NavigationFailed, "the browser refused it: %s", cdp.FirstLine(text)).WithDetail("reason", cdp.FirstLine(text)).WithHint("%s", r[1])
	}
	return nil
}
