package executor_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/selectors"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fakeClock advances only when Sleep is called.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*fakeTimer
	slept  []time.Duration
}

type fakeTimer struct {
	at    time.Time
	fired bool
	f     func()
}

func newClock() *fakeClock { return &fakeClock{now: time.Unix(1_700_000_000, 0)} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep advances the clock by d, or only to the deadline of ctx if that is earlier.
func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	deadline, ok := ctx.Deadline() // reads the clock
	c.mu.Lock()
	c.slept = append(c.slept, d)
	end := c.now.Add(d)
	if ok && deadline.Before(end) {
		end = deadline
	}
	c.now = end
	var due []*fakeTimer
	for _, t := range c.timers {
		if !t.fired && !t.at.After(end) {
			t.fired = true
			due = append(due, t)
		}
	}
	c.mu.Unlock()
	for _, t := range due {
		t.f()
	}
	return ctx.Err()
}

func (c *fakeClock) AfterFunc(d time.Duration, f func()) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		t.fired = true
	}
}

// A fakePage is a page whose elements exist or not, by selector.
type fakePage struct {
	reverted       []driver.Reverted
	lost           [][]driver.Reverted // result of each check; Part is the index of the iteration
	part           int
	keeps          bool
	looks, excused int
	unlooked       error // error of the last check
	driver.Browser
	driver.Uploader
	clock   *fakeClock
	doc     driver.Document
	version string
	present map[string]string  // selector → text of the element
	fail    map[string][]error // call → errors of its next uses; nil is success
	takes   map[string]time.Duration
	then    map[string]func() // called when the call has succeeded
	calls   []string
	held    []string // keys and buttons that are down
	probes  int
	probed  string // what the last probe queried
	docs    int
	limits  []time.Duration // time left at each call
	waits   []time.Duration // Target.Timeout of each call
	graces  []time.Duration
	prefers []int

	previews map[string]driver.Preview // of elements
	consents []driver.Consent
	expects  []string // Target.Expect of each call
}

func newPage(c *fakeClock) *fakePage {
	return &fakePage{
		clock: c, doc: driver.Document{ID: "d1", URL: "https://shop.test/", Title: "Shop"},
		present: map[string]string{}, fail: map[string][]error{}, takes: map[string]time.Duration{}, then: map[string]func(){},
	}
}

func (p *fakePage) Active() driver.Page { return p }

func (p *fakePage) navigate(url string) {
	p.docs++
	p.doc = driver.Document{ID: fmt.Sprintf("d%d", p.docs+1), URL: url, Title: "Page " + url}
}

func show(parts []selectors.QueryPart) string {
	var out []string
	for _, q := range parts {
		s := string(q.Kind) + string(q.Op) + ":" + q.Value
		if q.Kind == selectors.Role {
			s += q.Role
			for _, a := range q.Attrs {
				s += fmt.Sprintf("[%s%s=%v]", a.Name, a.Op, a.Value)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, " >> ")
}

// call records a call of the page that concerns no element.
func (p *fakePage) call(ctx context.Context, name string) error {
	p.calls = append(p.calls, name)
	left := time.Duration(0)
	if d, ok := ctx.Deadline(); ok {
		left = d.Sub(p.clock.Now())
	}
	p.limits = append(p.limits, left)
	if err := p.clock.Sleep(ctx, p.takes[name]); err != nil {
		return p.ended(ctx, name)
	}
	if next := p.fail[name]; len(next) > 0 {
		p.fail[name] = next[1:]
		if next[0] != nil {
			return next[0]
		}
	}
	if f := p.then[name]; f != nil {
		f()
	}
	return ctx.Err()
}

func (p *fakePage) ended(ctx context.Context, name string) error {
	if ctx.Err() == context.DeadlineExceeded {
		return diag.New(diag.Timeout, "%s still waits", name)
	}
	return diag.New(diag.Cancelled, "%s was stopped", name)
}

// at records a call of the page that concerns an element. If the element does not exist, at waits
// until the timeout.
func (p *fakePage) at(ctx context.Context, name string, t driver.Target) (driver.Element, error) {
	q, err := t.Bind(ctx, p.doc)
	if err != nil {
		return driver.Element{}, err
	}
	p.expects = append(p.expects, t.Expect)
	p.waits, p.graces = append(p.waits, t.Timeout), append(p.graces, t.Grace)
	key, won := p.match(q)
	if key == "" {
		p.calls = append(p.calls, name+" -")
		if err := p.clock.Sleep(ctx, t.Timeout); err != nil {
			return driver.Element{}, p.ended(ctx, name)
		}
		return driver.Element{}, diag.New(diag.ElementNotFound, "nothing matches %s", t.Source).WithHint("look at the page")
	}
	if err := p.call(ctx, name+" "+key); err != nil {
		return driver.Element{}, err
	}
	if won != nil && t.Decided != nil {
		t.Decided(p.doc, *won)
	}
	return driver.Element{Text: p.present[key], Desc: key}, nil
}

func (p *fakePage) match(q *selectors.Query) (string, *driver.Winner) {
	if len(q.Parts) == 1 && q.Parts[0].Kind == selectors.AliasKind {
		part := q.Parts[0]
		p.prefers = append(p.prefers, part.Prefer)
		for i, alt := range part.Alts {
			if key := show(alt.Parts); p.has(key) {
				return key, &driver.Winner{Alias: part.Alias, Index: i}
			}
		}
		return "", nil
	}
	if key := show(q.Parts); p.has(key) {
		return key, nil
	}
	return "", nil
}

func (p *fakePage) has(key string) bool { _, ok := p.present[key]; return ok }

func (p *fakePage) Open(ctx context.Context, url string, _ driver.LoadState) (driver.Navigation, error) {
	if err := p.call(ctx, "open "+url); err != nil {
		return driver.Navigation{}, err
	}
	p.navigate(url)
	return driver.Navigation{URL: url, Title: p.doc.Title, Status: 200}, nil
}

func (p *fakePage) History(ctx context.Context, delta int) (driver.Navigation, error) {
	return driver.Navigation{}, p.call(ctx, "history")
}

func (p *fakePage) Reload(ctx context.Context, _ driver.LoadState) (driver.Navigation, error) {
	err := p.call(ctx, "reload")
	p.navigate(p.doc.URL)
	return driver.Navigation{URL: p.doc.URL}, err
}

func (p *fakePage) Document(ctx context.Context) (driver.Document, error) {
	err := p.call(ctx, "document")
	return p.doc, err
}

func (p *fakePage) Shown(ctx context.Context) (driver.Document, error) {
	err := p.call(ctx, "shown")
	return driver.Document{ID: p.doc.ID, URL: p.doc.URL}, err
}

func (p *fakePage) Press(ctx context.Context, t driver.Target, _ driver.PressOptions) (driver.Press, error) {
	e, err := p.at(ctx, "press", t)
	return driver.Press{Element: e}, err
}

func (p *fakePage) PressAt(ctx context.Context, _ driver.Point, _ driver.PressOptions) (driver.Press, error) {
	return driver.Press{}, p.call(ctx, "press at")
}

func (p *fakePage) Hover(ctx context.Context, t driver.Target, _ driver.PressOptions) (driver.Element, error) {
	return p.at(ctx, "hover", t)
}

func (p *fakePage) ScrollIntoView(ctx context.Context, t driver.Target) (driver.Element, error) {
	return p.at(ctx, "scroll", t)
}

func (p *fakePage) Hold(ctx context.Context, t driver.Target, _ time.Duration) (driver.Press, error) {
	e, err := p.at(ctx, "hold", t)
	return driver.Press{Element: e}, err
}

func (p *fakePage) HoldAt(ctx context.Context, _ driver.Point, _ time.Duration) (driver.Press, error) {
	return driver.Press{}, p.call(ctx, "hold at")
}

func (p *fakePage) Drag(ctx context.Context, from, to driver.Place) (driver.Dragged, error) {
	for _, place := range []driver.Place{from, to} {
		if place.Target == nil {
			continue
		}
		if _, err := p.at(ctx, "drag", *place.Target); err != nil {
			return driver.Dragged{}, err
		}
	}
	return driver.Dragged{Changed: true}, nil
}

func (p *fakePage) MoveTo(ctx context.Context, at driver.Point) (driver.Spot, error) {
	return driver.Spot{Point: at}, p.call(ctx, "move to")
}

func (p *fakePage) Button(ctx context.Context, button string, _ bool) (driver.Spot, error) {
	return driver.Spot{}, p.call(ctx, "button "+button)
}

func (p *fakePage) Scroll(ctx context.Context, _ *driver.Target, _ driver.ScrollBy) (driver.Scrolled, error) {
	return driver.Scrolled{Moved: true}, p.call(ctx, "scroll by")
}

func (p *fakePage) ScrollTo(ctx context.Context, _ *driver.Target, _ driver.Point) (driver.Scrolled, error) {
	return driver.Scrolled{Moved: true}, p.call(ctx, "scroll to")
}

func (p *fakePage) Watch(driver.Watching) int { return 0 }
func (p *fakePage) Unwatch()                  {}

func (p *fakePage) Await(context.Context, int, time.Duration) error { return nil }
func (p *fakePage) Caused(context.Context, int, bool) (driver.Caused, error) {
	return driver.Caused{}, nil
}
func (p *fakePage) Expect(context.Context, int, string) error { return nil }
func (p *fakePage) Settle(context.Context, int, driver.Watching, time.Duration) ([]string, error) {
	return nil, nil
}
func (p *fakePage) Keep(on bool)                          { p.keeps = on }
func (p *fakePage) LookBack(context.Context)              { p.looks++ }
func (p *fakePage) Excuse(context.Context, driver.Effect) { p.excused++ }

func (p *fakePage) Part() int { p.part++; return p.part }

func (p *fakePage) Lost(_ context.Context, parts [][2]int, _ bool) ([]driver.Reverted, error) {
	if len(p.lost) == 0 {
		return nil, nil
	}
	lost := p.lost[0]
	p.lost = p.lost[1:]
	for i := range lost {
		lost[i].Part = parts[lost[i].Part][0]
	}
	return lost, nil
}

func (p *fakePage) Reverted(context.Context) ([]driver.Reverted, error) {
	return p.reverted, p.unlooked
}

func (p *fakePage) LetGo(ctx context.Context) ([]string, error) {
	if len(p.held) == 0 {
		return nil, nil
	}
	held := p.held
	p.held = nil
	return held, p.call(ctx, "let go")
}

func (p *fakePage) HoldKey(ctx context.Context, key string, _ bool) ([]string, error) {
	p.held = append(p.held, key)
	return p.held, p.call(ctx, "hold key "+key)
}

func (p *fakePage) Control(ctx context.Context, t driver.Target) (driver.ControlKind, error) {
	_, err := p.at(ctx, "control", t)
	return driver.FillControl, err
}

func (p *fakePage) WaitMore(ctx context.Context, _ *driver.Target, _ driver.Direction, _ driver.Stop, _ int, _ time.Duration) (driver.Listing, error) {
	return driver.Listing{Reason: "text_found"}, p.call(ctx, "wait more")
}

func (p *fakePage) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*snapshot.Snapshot, error) {
	if err := p.call(ctx, "snapshot"); err != nil {
		return nil, err
	}
	return new(snapshot.Book).Take(&snapshot.Reading{Document: snapshot.Document{ID: p.doc.ID, URL: p.doc.URL}}, o.Options)
}

func (p *fakePage) PDF(ctx context.Context, _ driver.PDFOptions) ([]byte, error) {
	return []byte("%PDF"), p.call(ctx, "pdf")
}

func (p *fakePage) Type(ctx context.Context, t *driver.Target, text string, _ time.Duration) (driver.Element, error) {
	return p.at(ctx, "type "+text, *t)
}

func (p *fakePage) Key(ctx context.Context, _ *driver.Target, key string, _ int) (driver.Press, error) {
	return driver.Press{}, p.call(ctx, "key "+key)
}

func (p *fakePage) Commit(ctx context.Context, _ *driver.Target, key string, _ int) (driver.Press, error) {
	return driver.Press{}, p.call(ctx, "commit "+key)
}

func (p *fakePage) Focus(ctx context.Context, t driver.Target) (driver.Element, error) {
	return p.at(ctx, "focus", t)
}

func (p *fakePage) Fill(ctx context.Context, t driver.Target, value string) (driver.Filled, error) {
	e, err := p.at(ctx, "fill "+value, t)
	return driver.Filled{Element: e, Value: value}, err
}

func (p *fakePage) Check(ctx context.Context, t driver.Target, _ bool) (driver.Element, error) {
	return p.at(ctx, "check", t)
}

func (p *fakePage) Select(ctx context.Context, t driver.Target, values []string, by string) ([]string, error) {
	_, err := p.at(ctx, "select", t)
	return values, err
}

func (p *fakePage) Read(ctx context.Context, t driver.Target, _ driver.ReadOptions) (driver.Reading, error) {
	e, err := p.at(ctx, "read", t)
	return driver.Reading{Value: e.Text}, err
}

func (p *fakePage) ReadRenewed(ctx context.Context, t driver.Target, _ []any) (driver.Reading, bool, error) {
	r, err := p.Read(ctx, t, driver.ReadOptions{})
	return r, true, err
}

func (p *fakePage) Find(ctx context.Context, t driver.Target) (driver.Found, error) {
	q, err := t.Bind(ctx, p.doc)
	if err != nil {
		return driver.Found{}, err
	}
	p.waits = append(p.waits, t.Timeout)
	key, _ := p.match(q)
	if err := p.call(ctx, "find "+show(q.Parts)); err != nil || key == "" {
		return driver.Found{}, err
	}
	return driver.Found{Element: driver.Element{Text: p.present[key]}, Count: 1, Visible: true}, nil
}

func (p *fakePage) Count(ctx context.Context, t driver.Target) (int, error) {
	f, err := p.Find(ctx, t)
	return f.Count, err
}

func (p *fakePage) Is(ctx context.Context, t driver.Target, _ string) (bool, error) {
	f, err := p.Find(ctx, t)
	return f.Count > 0, err
}

func (p *fakePage) Look(ctx context.Context, questions []driver.Question) ([]any, error) {
	out := make([]any, len(questions))
	for i, q := range questions {
		query, err := q.Target.Bind(ctx, p.doc)
		if err != nil {
			return nil, err
		}
		out[i] = 0.0
		if key, _ := p.match(query); key != "" {
			out[i] = 1.0
		}
	}
	return out, p.call(ctx, "look")
}

func (p *fakePage) Extract(ctx context.Context, rows driver.Target, fields []driver.ExtractField, _ driver.RowFilter) ([]map[string]any, error) {
	e, err := p.at(ctx, "extract", rows)
	if err != nil {
		return nil, err
	}
	row := map[string]any{}
	for _, f := range fields {
		row[f.Name] = e.Text
	}
	return []map[string]any{row}, nil
}

func (p *fakePage) WaitElement(ctx context.Context, t driver.Target, s driver.ElementState) (driver.Element, error) {
	e, err := p.at(ctx, "wait "+s.State, t)
	if s.State != "hidden" {
		return e, err
	}
	if err == nil {
		return e, diag.New(diag.ElementNotInteractable, "%s is not hidden", t.Source)
	}
	if diag.CodeOf(err) == diag.ElementNotFound {
		return e, nil
	}
	return e, err
}

func (p *fakePage) WaitText(ctx context.Context, text string) error {
	if p.has("text*:" + text) {
		return p.call(ctx, "wait text")
	}
	p.calls = append(p.calls, "wait text -")
	err := p.clock.Sleep(ctx, time.Hour)
	if err == nil {
		return fmt.Errorf("an hour passed without a deadline")
	}
	return p.ended(ctx, "wait text")
}

func (p *fakePage) WaitURL(ctx context.Context, pattern driver.URLPattern) (string, error) {
	p.calls = append(p.calls, "wait url")
	if pattern.Match(p.doc.URL) {
		return p.doc.URL, nil
	}
	if err := p.clock.Sleep(ctx, time.Hour); err == nil {
		return "", fmt.Errorf("an hour passed without a deadline")
	}
	return "", p.ended(ctx, "wait url")
}

func (p *fakePage) WaitLoad(ctx context.Context, s driver.LoadState) error {
	return p.call(ctx, "wait load")
}

func (p *fakePage) WaitStable(ctx context.Context) error { return p.call(ctx, "wait stable") }

func (p *fakePage) Eval(ctx context.Context, script string, _ map[string]any) (any, error) {
	return script, p.call(ctx, "eval")
}

func (p *fakePage) WaitFunction(ctx context.Context, _ string, _ map[string]any) (any, error) {
	return true, p.call(ctx, "wait function")
}

func (p *fakePage) Screenshot(ctx context.Context, _ driver.ShotOptions) (driver.Shot, error) {
	return driver.Shot{}, p.call(ctx, "screenshot")
}

func (p *fakePage) Version(ctx context.Context, probe driver.VersionProbe) (string, error) {
	p.probes++
	switch {
	case probe.Script != nil:
		p.probed = probe.Script.String()
	case probe.Selector != nil:
		p.probed = show(probe.Selector.Parts)
	default:
		p.probed = probe.Meta
	}
	return p.version, p.call(ctx, "version")
}

func (p *fakePage) PageTools(ctx context.Context) ([]driver.PageTool, int, error) {
	return []driver.PageTool{{Name: "book"}}, 0, p.call(ctx, "page tools")
}

func (p *fakePage) CallTool(ctx context.Context, c driver.ToolCall) (driver.ToolAnswer, error) {
	return driver.ToolAnswer{Value: "booked"}, p.call(ctx, "call tool "+c.Name)
}

var _ driver.Page = (*fakePage)(nil)

func (p *fakePage) Requests() ([]driver.Request, int) { return nil, 0 }

func (p *fakePage) Console() ([]driver.Message, int) { return nil, 0 }

func (p *fakePage) JSONAnswer(context.Context, int) []byte { return nil }

func (p *fakePage) ClearRequests() { p.calls = append(p.calls, "clear requests") }

// Preview returns the preview that the test has set for the element, with the element's text.
func (p *fakePage) Preview(ctx context.Context, t *driver.Target, _ bool) (driver.Preview, error) {
	if t == nil {
		return p.previewed("focus"), p.call(ctx, "preview")
	}
	e, err := p.at(ctx, "preview", *t)
	v := p.previewed(e.Desc)
	v.Element = e
	return v, err
}

func (p *fakePage) PreviewAt(ctx context.Context, _ driver.Point) (driver.Preview, error) {
	return p.previewed("point"), p.call(ctx, "preview at")
}

func (p *fakePage) previewed(key string) driver.Preview {
	v := p.previews[key]
	v.Mark = "1\n" + p.present[key]
	return v
}

func (p *fakePage) Permit(_ context.Context, c driver.Consent) error {
	p.consents = append(p.consents, c)
	return nil
}
