package rules

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// A Guard says what pages must not do unless a person has approved it: go to another origin, send a
// form, or save a file. The zero value forbids nothing.
type Guard struct{ LeaveOrigin, Submit, Download bool }

// A Consents holds the guard of a session and the consent that a person has given. The zero value
// forbids nothing. A Consents is safe for concurrent use. Its methods may be called with any other
// lock held.
type Consents struct {
	mu      sync.Mutex
	guard   Guard
	consent driver.Consent
	refused []error // since the last call of TakeUnapproved
}

// maxUnapproved is the maximum number of refusals that are recorded.
const maxUnapproved = 20

// Set replaces the guard and ends the current consent. It reports whether the guard has changed.
func (c *Consents) Set(g Guard) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed = c.guard != g
	c.guard, c.consent = g, driver.Consent{}
	return changed
}

// Permit replaces the current consent.
func (c *Consents) Permit(consent driver.Consent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.consent = consent
}

// Guard returns the current guard.
func (c *Consents) Guard() Guard {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.guard
}

// A Move describes a request for a document.
type Move struct {
	From string // address of the document that is replaced, or that opened the tab; "" for none
	To   string
	Main bool // whether it replaces the document of the page, not that of a frame
	Form bool // whether it sends a form
	// Redirect is set if a server has redirected an earlier request to this address. Document has
	// already decided about the earlier request.
	Redirect bool
	Post     bool // whether its method is POST
}

// Document returns an error if the guard forbids m and nobody has approved it.
func (c *Consents) Document(m Move) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	from, to := originOf(m.From), originOf(m.To)
	approved, _ := parts(c.consent.Form)
	switch {
	case c.guard.Submit && m.Form && !m.Redirect && !c.consent.Submit:
		return c.refuse("submit", "the page tried to send a form to %s by itself", to)
	case c.guard.Submit && m.Form && !m.Redirect && !m.sends(c.consent.Form):
		return c.refuse("submit", "the page tried to send a form to another address than the approved one, %s", approved)
	case c.guard.LeaveOrigin && m.Main && from != "" && to != "" && from != to && !slices.Contains(c.consent.Origins, to):
		return c.refuse("leave_origin", "the page tried to go from %s to %s by itself", from, to)
	}
	if m.Form && !m.Redirect {
		c.consent.Submit = false // the consent covers one form
	}
	return nil
}

// sends reports whether m sends its form to the approved address. If approved is empty, every
// address is approved.
func (m *Move) sends(approved string) bool {
	if approved == "" {
		return true
	}
	to, query := parts(m.To)
	want, wanted := parts(approved)
	return to == want && (!m.Post || query == wanted)
}

// parts splits an address into the base and the query. It drops the fragment.
func parts(address string) (base, query string) {
	address, _, _ = strings.Cut(address, "#")
	base, query, _ = strings.Cut(address, "?")
	return base, query
}

// Download returns an error if the guard forbids downloads and nobody has approved them.
func (c *Consents) Download(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.guard.Download || c.consent.Download {
		return nil
	}
	return c.refuse("download", "the page tried to save the file %s by itself", diag.Clip(name, 100))
}

// refuse records and returns the error for something that the page has done without approval. The
// caller holds c.mu.
func (c *Consents) refuse(risk, format string, args ...any) error {
	e := diag.New(diag.PolicyDenied, format, args...).WithDetail("reason", "unapproved").WithDetail("risk", risk).
		WithHint("policy.approve requires an approval for %q: do this with a step of its own, so that a person can approve the step", risk)
	if len(c.refused) < maxUnapproved {
		c.refused = append(c.refused, e)
	}
	return e
}

// TakeUnapproved returns the errors that were recorded since the last call.
func (c *Consents) TakeUnapproved() []error {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.refused
	c.refused = nil
	return out
}

// SendsForm reports whether a paused request for a document sends a form. Every POST does. The
// argument byForm is set if the page has reported that it sends a form.
func SendsForm(v *proto.FetchRequestPaused, byForm bool) bool {
	return byForm || v.Request.Method == http.MethodPost
}

// originOf returns the origin of a web address, or "".
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return u.Scheme + "://" + host
}
