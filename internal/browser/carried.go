package browser

// Controls that a run has set, after their document was replaced. A list may submit its form when
// it changes, and so lead to another document. That document shows whether the change took effect:
// it shows the new value, the old one, or none if the server asks for a sign-in.

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

// A carryOver lists the controls that a run has set in a document. Once the document is replaced,
// it also lists the controls that differ in the next document or are missing from it.
type carryOver struct {
	set       []*setControl     // controls that are believed to hold their values
	gone      []driver.Reverted // controls that hold another value in the next document
	missing   []*setControl     // controls that the next document does not have
	untracked bool              // the run has also set controls that only the engine knows
	unknown   bool              // whether the document of such controls was replaced, so that their values are not known
}

// A setControl is a control that the run has set, with the data to find it in another document.
type setControl struct {
	key  string // its bound selector, which identifies the control
	t    driver.Target
	op   op // the operation "carried", which compares the value
	as   sentAs
	desc string
	sent int    // number of requests, before it was set, that may have stored something
	led  bool   // whether its own change has led to the next document
	at   string // address of the next document
	lost bool   // whether the next document lacks it, and nothing has stored its value
}

// sentAs describes how a form sends a control. CSS is a selector for the name or id of the control,
// or "" if it has neither. Value is the value of a checkbox or radio button.
type sentAs struct {
	CSS   string `json:"css"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// keepSet records that the run has set the control of r to the value in o, and returns the record.
func (p *controls) keepSet(r *acted, s *seeker, o op) *setControl {
	p.keepWorld(r.w)
	o.Name, o.Part = "carried", p.keeper.part
	key, _ := json.Marshal(s.query)
	// Bind would insert current values into the selector, not those with which the control was
	// found.
	c := &setControl{key: string(key), t: boundTo(s.t.Source, s.query), op: o, as: r.As, desc: r.El.Desc, sent: r.sent}
	for _, k := range p.keeper.worlds {
		k.drop(c)
	}
	if k := p.keeper.in(r.w); k != nil && s.query != nil {
		k.set = append(k.set, c)
	}
	return c
}

// drop removes the records of the control that c describes.
func (k *keptWorld) drop(c *setControl) {
	same := func(have *setControl) bool {
		return have.key == c.key || have.as.CSS != "" && have.as == c.as && have.desc == c.desc
	}
	k.set = slices.DeleteFunc(k.set, same)
	k.missing = slices.DeleteFunc(k.missing, same)
	k.gone = slices.DeleteFunc(k.gone, func(r driver.Reverted) bool { return r.Desc == c.desc })
}

// followKept calls follow for each document that the page has replaced since the last input. It
// must be called before input.
func (p *controls) followKept(ctx context.Context) {
	for i := 0; i < len(p.keeper.worlds); i++ { // follow may add a world
		k := p.keeper.worlds[i]
		if !k.excused && p.Frames.CurrentDocument().ID != k.Doc.ID {
			p.follow(ctx, k, nil)
		}
	}
}

// mostFollowed limits how long to wait for the next document while it is loading.
const mostFollowed = 3 * time.Second

// follow searches the current document for the controls that the run has set in k. It records which
// of them have kept, changed or lost their values. The argument "led" is the control whose change
// led to the current document, or nil. If something is wrong with that document, such as an error
// status, the result says what. Otherwise the result is "".
func (p *controls) follow(ctx context.Context, k *keptWorld, led *setControl) (wrong string) {
	set := k.set
	k.set, k.excused, k.unknown = nil, true, k.untracked
	f := &following{p: p, k: k}
	for _, c := range set {
		c.led = c == led
		f.check(ctx, c)
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

// A following compares a replaced document with the next one.
type following struct {
	p      *controls
	k      *keptWorld
	waited bool // whether it has waited for the next document
}

// check searches the next document for c and records the result.
func (f *following) check(ctx context.Context, c *setControl) {
	p := f.p
	h, w := p.findAgain(ctx, c)
	if (h == nil || !h.Same) && !f.waited {
		short, cancel := context.WithTimeout(ctx, mostFollowed)
		_ = p.WaitStable(short) // the control is compared even if the page does not come to rest
		cancel()
		f.waited = true
		h, w = p.findAgain(ctx, c)
	}
	byQuery, byPath := c.inAddress(f.k.Doc.URL, p.Frames.CurrentDocument().URL)
	switch {
	case h != nil && h.Same:
		if k := p.keepWorld(w); k != nil {
			k.set = append(k.set, c)
		}
	case byPath, byQuery && h == nil: // the address shows that the choice took effect
	case h == nil, byQuery:
		f.k.missing = append(f.k.missing, c)
	default:
		c.at = p.Frames.CurrentDocument().URL
		f.k.gone = append(f.k.gone, c.reverted(h))
	}
}

// reverted describes c for a report. h is the value of c in the next document, or nil if that
// document does not have c.
func (c *setControl) reverted(h *held) driver.Reverted {
	r := driver.Reverted{Desc: c.desc, Set: c.setTo(), Part: c.op.Part, Led: c.at}
	if h != nil {
		r.Holds, r.Secret = h.Value, h.Secret
	}
	if r.Secret = r.Secret || strings.Contains(c.as.CSS+c.desc, "password"); r.Secret {
		r.Set, r.Holds = "", ""
	}
	return r
}

// findAgain finds c in the current document, and returns its value and its world. It searches by
// the selector of c, then by its name or id. If it finds no control of the same kind, it returns
// nil.
func (p *controls) findAgain(ctx context.Context, c *setControl) (*held, documents.World) {
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

// ofCSS returns a target with a CSS selector.
func ofCSS(css string) driver.Target {
	return boundTo("css:"+css, &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: css}}})
}

// boundTo returns a target whose selector is already bound: its query is q.
func boundTo(source string, q *selectors.Query) driver.Target {
	return driver.Target{Source: source, Bind: func(context.Context, driver.Document) (*selectors.Query, error) { return q, nil }}
}

// asksForSignIn reports whether the page shows exactly one field for an existing password.
func (p *controls) asksForSignIn(ctx context.Context) bool {
	r, err := p.find(ctx, ofCSS("input[type=password]:not([autocomplete=new-password])"), act{Need: []string{"visible"}, Op: op{Name: "none"}})
	return err == nil && r.Count == 1
}

// setTo returns the value to which the run has set c, for messages.
func (c *setControl) setTo() string {
	switch {
	case c.op.What == "select":
		return strings.Join(c.op.Names, ", ")
	case c.op.What == "check":
		return checkedWord(c.op.On)
	}
	return c.op.Value
}

// inAddress reports whether the new address of the page shows that the page has used the value of
// c. The arguments "before" and "now" are the old and the new address. byQuery is true if the query
// has gained the value, or has lost the value of a checkbox that is off. byPath is true if the
// value is an option that names the new address; see leadsTo.
func (c *setControl) inAddress(before, now string) (byQuery, byPath bool) {
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

// leadsTo reports whether the value of an option names the address "to". It does if the value is
// that address, or an element of its path that the path of the address "from" does not have.
func leadsTo(from, to *url.URL, value string) bool {
	if to.Path == from.Path && to.Host == from.Host {
		return false
	}
	if target, err := from.Parse(value); err == nil && strings.ContainsAny(value, "/.?#") && target.Host == to.Host &&
		strings.Trim(target.Path, "/") == strings.Trim(to.Path, "/") && (target.RawQuery == "" || target.RawQuery == to.RawQuery) {
		return true
	}
	part := func(u *url.URL) bool { return slices.Contains(strings.Split(u.Path, "/"), value) }
	return part(to) && !part(from)
}

// checkNewDocument checks a control after its change has led the page from w to another document.
// If that document shows that the change did not take effect, the error is STEP_FAILED. nav is the
// navigation to that document. If nav is nil, checkNewDocument returns nil. label names the control
// in messages.
func (p *controls) checkNewDocument(ctx context.Context, w documents.World, nav *driver.Navigation, c *setControl, label string) error {
	k := p.keeper.in(w)
	if nav == nil || k == nil || !slices.Contains(k.set, c) {
		return nil
	}
	wrong := p.follow(ctx, k, c)
	address := p.Frames.CurrentDocument().URL
	failed := func(format string, args ...any) error {
		return diag.New(diag.StepFailed, format, args...).WithDetail("url", address).WithDetail("selector", c.t.Source).
			WithHint("check the new page with `snapshot`: the change may not be stored, and values that were filled earlier may be lost")
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
		return failed("%s does not hold the value that was set, on the page that its change led to: %s", label, address)
	}
	return failed("%s holds %q instead of %q on the page that its change led to: %s", label, r.Holds, r.Set, address)
}

// takeLost removes and returns the controls that hold another value in the next document. It
// returns only controls that were set in the given parts of the run.
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

// inParts reports whether n is in one of the ranges in parts. Each range consists of its first and
// last number.
func inParts(parts [][2]int, n int) bool {
	return slices.ContainsFunc(parts, func(p [2]int) bool { return p[0] <= n && n <= p[1] })
}

// missingControls returns an error if the next document does not have a control that was set in the
// given parts of the run. It ignores a control whose own change led to that document.
func (k *keptWorld) missingControls(parts [][2]int) error {
	for _, c := range k.missing {
		if !c.led && inParts(parts, c.op.Part) {
			return diag.New(diag.VerifyFailed, "the page went to another document, which does not have %s: the value that was set is lost", c.desc).
				WithDetail("control", c.desc).WithDetail("reason", "reverted").
				WithHint("check the page with `snapshot`; the control that was set last may submit the form: set that control first, in a step of its own")
		}
	}
	return nil
}

// lost returns the controls that have lost their values. The error names a control whose value is
// unknown, because the next document does not show the control.
func (k *keptWorld) lost() (all []driver.Reverted, err error) {
	all = k.gone
	for _, c := range k.missing {
		if c.lost {
			all = append(all, c.reverted(nil))
			continue
		}
		err = cmp.Or(err, c.notShown())
	}
	return all, err
}

// notShown returns the error for a control that the next document does not show.
func (c *setControl) notShown() error {
	by := "the page went to another document"
	if c.led {
		by = "the change of " + c.desc + " led to another page"
	}
	return diag.New(diag.StepFailed, "%s, which does not show the value of %s", by, cmp.Or(c.desc, c.t.Source)).WithHint("check whether the page has stored the value")
}

// checkedWord names the state of a checkbox in messages.
func checkedWord(v any) string {
	switch v {
	case true:
		return "checked"
	case false:
		return "unchecked"
	}
	return fmt.Sprint(v)
}

// in returns the record of the world w, or nil if there is none.
func (k *keeper) in(w documents.World) *keptWorld {
	i := slices.IndexFunc(k.worlds, func(have *keptWorld) bool { return have.ID == w.ID })
	if i < 0 {
		return nil
	}
	return k.worlds[i]
}

// keepWorld returns the record of w, in which the run has set a control. It creates the record if
// there is none. It returns nil if the run keeps no values.
func (p *controls) keepWorld(w documents.World) *keptWorld {
	k := p.keeper.in(w)
	switch {
	case p.keeper.run == 0:
		return nil
	case k == nil:
		k = &keptWorld{World: w}
		p.keeper.worlds = append(p.keeper.worlds, k)
	}
	k.excused = false
	return k
}
