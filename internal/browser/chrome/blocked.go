package chrome

// Navigations that the browser refuses silently: a form that a sandbox forbids to send, or a link
// to an address that the page may not open. The browser reports them only in its log, to which a
// page cannot write.

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// refusals are the beginnings of the log entries for refused navigations, each with a hint.
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

// noteBlocked records the first navigation that was refused since the input of the step began.
func (s *Step) noteBlocked(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.input || s.blocked != "" {
		return
	}
	for _, r := range refusals {
		if strings.HasPrefix(text, r[0]) && (r[0] != localResource || s.frames.leadsTo(text)) {
			s.blocked = text
			return
		}
	}
}

// blocksTab reports whether a log entry is about a tab that the browser did not open.
func blocksTab(text string) bool { return strings.HasPrefix(text, newTab) }

// leadsTo reports whether text is about a refused navigation, not about an image or another
// resource.
func (fs *Frames) leadsTo(text string) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	leads := func(n *navigation) bool { return n.led && n.to != "" && strings.Contains(text, n.to) }
	for _, f := range fs.frames {
		if leads(&f.nav) {
			return true
		}
	}
	return leads(&fs.nav)
}

// mostRefusal limits the length of a reported log entry, which may contain long addresses.
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
