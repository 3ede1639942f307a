package browser

// Controls that a run has set, in the document that has replaced theirs. A list whose change
// sends its form leads to another document, which holds what the server has made of it: the new
// value, the old one, or none where it asks for a sign-in.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// carriage is what becomes of the controls of a world when its document is replaced.
type carriage struct {
	set     []*setControl
	gone    []driver.Reverted // those that hold something else there
	missing []*setControl     // those that are not there
	bare    bool              // it has others, of which only the engine knows
	unknown bool              // of which nothing is known therefore
}

// A setControl is a control that the run has set, as it can be found in another document.
type setControl struct {
	key  string // its selector, with the values that are put in
	t    driver.Target
	op   op // of the engine: carried
	as   sentAs
	desc string
	sent int    // requests that may store something before it
	led  bool   // its change has led to the other document
	at   string // the address of that
	lost bool   // it is not there, and nothing was sent before
}

// sentAs is how a form sends a control, and a selector of it; "" where it has no name.
type sentAs struct {
	CSS   string `json:"css"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// keepSet records that the run has set the control of r, as o says.
func (p *controls) keepSet(r *acted, s *seeker, o op) *setControl {
	p.keepWorld(r.w)
	o.Name, o.Part = "carried", p.kept.part
	key, _ := json.Marshal(s.query)
	// The values in its selector are those of now, which Bind would take anew.
	c := &setControl{key: string(key), t: boundTo(s.t.Source, s.query), op: o, as: r.As, desc: r.El.Desc, sent: r.sent}
	for _, k := range p.kept.worlds {
		k.drop(c)
	}
	if k := p.kept.in(r.w); k != nil && s.query != nil {
		k.set = append(k.set, c)
	}
	return c
}

// drop forgets what was known of a control that is set again.
func (k *keptWorld) drop(c *setControl) {
	same := func(have *setControl) bool {
		return have.key == c.key || have.as.CSS != "" && have.as == c.as && have.desc == c.desc
	}
	k.set = slices.DeleteFunc(k.set, same)
	k.missing = slices.DeleteFunc(k.missing, same)
	k.gone = slices.DeleteFunc(k.gone, func(r driver.Reverted) bool { return r.Desc == c.desc })
}

// followKept follows the controls of documents that have gone by themselves since the last input.
func (p *controls) followKept(ctx context.Context) {
	for i := 0; i < len(p.kept.worlds); i++ { // following one may add one
		k := p.kept.worlds[i]
		if !k.excused && p.Frames.CurrentDocument().ID != k.Doc.ID {
			p.follow(ctx, k, nil)
		}
	}
}

// Of the page that has come instead, which is loading yet.
const mostFollowed = 3 * time.Second

// follow looks for the controls of a world in the document that has replaced its own. led is the
// one whose change has led there; nil: the page went there by itself. It says what
// is wrong with that document as a whole; "" if nothing is.
func (p *controls) follow(ctx context.Context, k *keptWorld, led *setControl) (wrong string) {
	set := k.set
	k.set, k.excused, k.unknown = nil, true, k.bare
	f := &following{p: p, k: k}
	for _, c := range set {
		c.led = c == led
		f.one(ctx, c)
	}
	at := p.Frames.CurrentDocument()
	switch {
	case at.Status >= http.StatusBadRequest:
		wrong = fmt.Sprintf("which the server answered with %d", at.Status)
	case len(k.missing) > 0 && p.asksForSignIn(ctx):
		wrong = "which asks for a sign-in"
	}
	for _, c := range k.missing {
		c.lost = wrong != "" || led != nil && !c.led && p.Net.Writes() == led.sent
		c.at = at.URL
	}
	return wrong
}

// following is one look at the document that has replaced another one.
type following struct {
	p     *controls
	k     *keptWorld
	rests bool // it has been waited for
}

// one looks for a control.
func (f *following) one(ctx context.Context, c *setControl) {
	p := f.p
	h, w := p.carriedBy(ctx, c)
	if (h == nil || !h.Same) && !f.rests {
		short, cancel := context.WithTimeout(ctx, mostFollowed)
		_ = p.WaitStable(short) // whether or not it comes to rest, it is looked at
		cancel()
		f.rests = true
		h, w = p.carriedBy(ctx, c)
	}
	byQuery, byPath := c.namedIn(f.k.Doc.URL, p.Frames.CurrentDocument().URL)
	switch {
	case h != nil && h.Same:
		if k := p.keepWorld(w); k != nil {
			k.set = append(k.set, c)
		}
	case byPath, byQuery && h == nil: // it is where the choice leads
	case h == nil, byQuery:
		f.k.missing = append(f.k.missing, c)
	default:
		c.at = p.Frames.CurrentDocument().URL
		f.k.gone = append(f.k.gone, c.reverted(h))
	}
}

// reverted is a control that holds something else (h) in another document; nil: that does not have it.
func (c *setControl) reverted(h *held) driver.Reverted {
	r := driver.Reverted{Desc: c.desc, Set: c.says(), Part: c.op.Part, Led: c.at}
	if h != nil {
		r.Holds, r.Secret = h.Value, h.Secret
	}
	if r.Secret = r.Secret || strings.Contains(c.as.CSS+c.desc, "password"); r.Secret {
		r.Set, r.Holds = "", ""
	}
	return r
}

// carriedBy is what a control holds in the document that there is now; nil where it is not.
func (p *controls) carriedBy(ctx context.Context, c *setControl) (*held, documents.World) {
	t := c.t
	for range 2 {
		if r, err := p.find(ctx, t, act{Need: attached, Strict: true, Op: c.op}); err == nil && r.Held != nil {
			return r.Held, r.w
		}
		if c.as.CSS == "" {
			break
		}
		t = ofCSS(c.as.CSS)
	}
	return nil, documents.World{}
}

func ofCSS(css string) driver.Target {
	return boundTo("css:"+css, &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: css}}})
}

func boundTo(source string, q *selectors.Query) driver.Target {
	return driver.Target{Source: source, Bind: func(context.Context, driver.Document) (*selectors.Query, error) { return q, nil }}
}

// asksForSignIn reports whether the page has a field for a password that exists: a form to
// register has another one, or says that it is new.
func (p *controls) asksForSignIn(ctx context.Context) bool {
	r, err := p.find(ctx, ofCSS("input[type=password]:not([autocomplete=new-password])"), act{Need: []string{"visible"}, Op: op{Name: "none"}})
	return err == nil && r.Count == 1
}

// says is what it was set to, for messages.
func (c *setControl) says() string {
	switch {
	case c.op.What == "select":
		return strings.Join(c.op.Names, ", ")
	case c.op.What == "check":
		return checkedWord(c.op.On)
	}
	return c.op.Value
}

// namedIn reports whether an address, unlike the one before, has what the control was set to: in its
// query, as a form sends it, or as the address that a list of links leads to.
func (c *setControl) namedIn(before, now string) (byQuery, byPath bool) {
	from, err := url.Parse(before)
	to, failed := url.Parse(now)
	if err != nil || failed != nil {
		return false, false
	}
	values := c.op.Values
	switch c.op.What {
	case "fill":
		values = []string{c.op.Value}
	case "check":
		values = []string{c.as.Value}
	}
	had, has := from.Query(), to.Query()
	for _, v := range values {
		for name, all := range has {
			inQuery := slices.Contains(all, v) && (c.op.What == "select" || name == c.as.Name)
			byQuery = byQuery || v != "" && inQuery && !(c.op.What == "check" && !c.op.On) && !slices.Contains(had[name], v)
		}
		if c.op.What == "check" && !c.op.On && slices.Contains(had[c.as.Name], v) && !slices.Contains(has[c.as.Name], v) {
			byQuery = true
		}
		if c.op.What == "select" && v != "" {
			byPath = byPath || leadsTo(from, to, v)
		}
	}
	return byQuery, byPath
}

// leadsTo reports whether an option with this value has led to an address: it is the address, or a part of its path.
func leadsTo(from, to *url.URL, value string) bool {
	if to.Path == from.Path && to.Host == from.Host {
		return false
	}
	if meant, err := from.Parse(value); err == nil && strings.ContainsAny(value, "/.?#") && meant.Host == to.Host &&
		strings.Trim(meant.Path, "/") == strings.Trim(to.Path, "/") && (meant.RawQuery == "" || meant.RawQuery == to.RawQuery) {
		return true
	}
	part := func(u *url.URL) bool { return slices.Contains(strings.Split(u.Path, "/"), value) }
	return part(to) && !part(from)
}

// ledAway is for a control whose change has led the page to another document: it fails where that shows that the change was not taken.
func (p *controls) ledAway(ctx context.Context, w documents.World, nav *driver.Navigation, c *setControl, label string) error {
	k := p.kept.in(w)
	if nav == nil || k == nil || !slices.Contains(k.set, c) {
		return nil
	}
	wrong := p.follow(ctx, k, c)
	address := p.Frames.CurrentDocument().URL
	failed := func(format string, args ...any) error {
		return diag.New(diag.StepFailed, format, args...).WithDetail("url", address).WithDetail("selector", c.t.Source).
			WithHint("that page is open: see it with snapshot; the change may not be stored, and what was filled in before may be gone")
	}
	if wrong != "" {
		return failed("the change of %s led to %s, %s", label, address, wrong)
	}
	i := slices.IndexFunc(k.gone, func(r driver.Reverted) bool { return r.Desc == c.desc && r.Part == c.op.Part })
	if i < 0 {
		return nil
	}
	r := k.gone[i]
	k.gone = slices.Delete(k.gone, i, i+1)
	if r.Secret {
		return failed("%s does not hold what it was set to on the page that its change led to: %s", label, address)
	}
	return failed("%s holds %q instead of %q on the page that its change led to: %s", label, r.Holds, r.Set, address)
}

// takeLost removes, and returns, what these parts have set and another document does not hold.
func (k *keptWorld) takeLost(parts [][2]int) (lost []driver.Reverted) {
	k.gone = slices.DeleteFunc(k.gone, func(r driver.Reverted) bool {
		if !inParts(parts, r.Part) {
			return false
		}
		lost = append(lost, r)
		return true
	})
	return lost
}

func inParts(parts [][2]int, n int) bool {
	return slices.ContainsFunc(parts, func(p [2]int) bool { return p[0] <= n && n <= p[1] })
}

// withoutFields is the error of a page that has nothing of what these parts have set beside the control that has led to it.
func (k *keptWorld) withoutFields(parts [][2]int) error {
	for _, c := range k.missing {
		if !c.led && inParts(parts, c.op.Part) {
			return diag.New(diag.VerifyFailed, "the page went to another document, which does not have %s: what it was set to is gone", c.desc).
				WithDetail("control", c.desc).WithDetail("reason", "reverted").
				WithHint("see the page with snapshot: what is set last may send the form; set that alone, and first")
		}
	}
	return nil
}

// left lists what another document does not hold any more. The error is that of controls of which it does not
// show what has become of them.
func (k *keptWorld) left() (all []driver.Reverted, err error) {
	all = k.gone
	for _, c := range k.missing {
		if c.lost {
			all = append(all, c.reverted(nil))
			continue
		}
		err = cmp.Or(err, c.unseen())
	}
	return all, err
}

func (c *setControl) unseen() error {
	by := "the page went to another document"
	if c.led {
		by = "the change of " + c.desc + " led to another page"
	}
	return diag.New(diag.StepFailed, "%s, which does not show what %s holds", by, cmp.Or(c.desc, c.t.Source)).WithHint("see whether it has taken that")
}
