package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fakeClock is time that only moves when somebody sleeps on it.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*fakeTimer
	slept  []time.Duration
}

type fakeTimer struct {
	context.Context
	at    time.Time
	fired bool
	stop  context.CancelCauseFunc
	cause error
}

func newClock() *fakeClock { return &fakeClock{now: time.Unix(1_700_000_000, 0)} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the time to its end, or to the deadline of ctx before that.
func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	c.mu.Lock()
	c.slept = append(c.slept, d)
	end := c.now.Add(d)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(end) {
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
		t.stop(t.cause)
	}
	return ctx.Err()
}

func (c *fakeClock) WithTimeout(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	inner, stop := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{Context: inner, at: c.now.Add(d), stop: stop, cause: cause}
	c.timers = append(c.timers, t)
	if d <= 0 {
		t.fired = true
		stop(context.DeadlineExceeded)
	}
	return t, func() { stop(context.Canceled) }
}

func (t *fakeTimer) Deadline() (time.Time, bool) {
	if outer, ok := t.Context.Deadline(); ok && outer.Before(t.at) {
		return outer, true
	}
	return t.at, true
}

// Err tells a time that was up, here or in an outer context, from a cancel.
func (t *fakeTimer) Err() error {
	err := t.Context.Err()
	if err != nil && !errors.Is(context.Cause(t.Context), context.Canceled) {
		return context.DeadlineExceeded
	}
	return err
}

// A fakePage is a page of elements that are there or not, by selector.
type fakePage struct {
	reverted       []steps.Reverted
	lost           [][]steps.Reverted // in each look; Part is the index of the iteration
	part           int
	keeps          bool
	looks, excused int
	unlooked       error // of the last look
	steps.Browser
	steps.Uploader
	clock   *fakeClock
	doc     steps.Document
	version string
	present map[string]string  // selector → text of the element
	fail    map[string][]error // call → what its next uses return; nil is success
	takes   map[string]time.Duration
	then    map[string]func() // called when the call has succeeded
	calls   []string
	held    []string // what is down
	probes  int
	probed  string // what the last probe asked for
	docs    int
	limits  []time.Duration // what was left of each call's time
	waits   []time.Duration // Target.Timeout of each call
	graces  []time.Duration
	prefers []int
}

func newPage(c *fakeClock) *fakePage {
	return &fakePage{
		clock: c, doc: steps.Document{ID: "d1", URL: "https://shop.test/", Title: "Shop"},
		present: map[string]string{}, fail: map[string][]error{}, takes: map[string]time.Duration{}, then: map[string]func(){},
	}
}

func (p *fakePage) Active() steps.Page { return p }

func (p *fakePage) navigate(url string) {
	p.docs++
	p.doc = steps.Document{ID: fmt.Sprintf("d%d", p.docs+1), URL: url, Title: "Page " + url}
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

// call is one use of the page without an element.
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

// at is one use of the page with an element: it waits for it in vain when it is
// not there.
func (p *fakePage) at(ctx context.Context, name string, t steps.Target) (steps.Element, error) {
	q, err := t.Bind(ctx, p.doc)
	if err != nil {
		return steps.Element{}, err
	}
	p.waits, p.graces = append(p.waits, t.Timeout), append(p.graces, t.Grace)
	key, won := p.match(q)
	if key == "" {
		p.calls = append(p.calls, name+" -")
		if err := p.clock.Sleep(ctx, t.Timeout); err != nil {
			return steps.Element{}, p.ended(ctx, name)
		}
		return steps.Element{}, diag.New(diag.ElementNotFound, "nothing matches %s", t.Source).WithHint("look at the page")
	}
	if err := p.call(ctx, name+" "+key); err != nil {
		return steps.Element{}, err
	}
	if won != nil && t.Decided != nil {
		t.Decided(p.doc, *won)
	}
	return steps.Element{Text: p.present[key], Desc: key}, nil
}

func (p *fakePage) match(q *selectors.Query) (string, *steps.Winner) {
	if len(q.Parts) == 1 && q.Parts[0].Kind == selectors.AliasKind {
		part := q.Parts[0]
		p.prefers = append(p.prefers, part.Prefer)
		for i, alt := range part.Alts {
			if key := show(alt.Parts); p.has(key) {
				return key, &steps.Winner{Alias: part.Alias, Index: i, Source: alt.Source}
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

func (p *fakePage) Open(ctx context.Context, url string, _ steps.LoadState) (steps.Navigation, error) {
	if err := p.call(ctx, "open "+url); err != nil {
		return steps.Navigation{}, err
	}
	p.navigate(url)
	return steps.Navigation{URL: url, Title: p.doc.Title, Status: 200}, nil
}

func (p *fakePage) History(ctx context.Context, delta int) (steps.Navigation, error) {
	return steps.Navigation{}, p.call(ctx, "history")
}

func (p *fakePage) Reload(ctx context.Context, _ steps.LoadState) (steps.Navigation, error) {
	err := p.call(ctx, "reload")
	p.navigate(p.doc.URL)
	return steps.Navigation{URL: p.doc.URL}, err
}

func (p *fakePage) Document(ctx context.Context) (steps.Document, error) {
	err := p.call(ctx, "document")
	return p.doc, err
}

func (p *fakePage) Shown(ctx context.Context) (steps.Document, error) {
	err := p.call(ctx, "shown")
	return steps.Document{ID: p.doc.ID, URL: p.doc.URL}, err
}

func (p *fakePage) Press(ctx context.Context, t steps.Target, _ steps.PressOptions) (steps.Press, error) {
	e, err := p.at(ctx, "press", t)
	return steps.Press{Element: e}, err
}

func (p *fakePage) PressAt(ctx context.Context, _ steps.Point, _ steps.PressOptions) (steps.Press, error) {
	return steps.Press{}, p.call(ctx, "press at")
}

func (p *fakePage) Hover(ctx context.Context, t steps.Target, _ steps.PressOptions) (steps.Element, error) {
	return p.at(ctx, "hover", t)
}

func (p *fakePage) ScrollIntoView(ctx context.Context, t steps.Target) (steps.Element, error) {
	return p.at(ctx, "scroll", t)
}

func (p *fakePage) Hold(ctx context.Context, t steps.Target, _ time.Duration) (steps.Press, error) {
	e, err := p.at(ctx, "hold", t)
	return steps.Press{Element: e}, err
}

func (p *fakePage) Drag(ctx context.Context, from, to steps.Place) (steps.Dragged, error) {
	for _, place := range []steps.Place{from, to} {
		if place.Target == nil {
			continue
		}
		if _, err := p.at(ctx, "drag", *place.Target); err != nil {
			return steps.Dragged{}, err
		}
	}
	return steps.Dragged{Changed: true}, nil
}

func (p *fakePage) MoveTo(ctx context.Context, at steps.Point) (steps.Spot, error) {
	return steps.Spot{Point: at}, p.call(ctx, "move to")
}

func (p *fakePage) Button(ctx context.Context, button string, _ bool) (steps.Spot, error) {
	return steps.Spot{}, p.call(ctx, "button "+button)
}

func (p *fakePage) Scroll(ctx context.Context, _ *steps.Target, _ steps.ScrollBy) (steps.Scrolled, error) {
	return steps.Scrolled{Moved: true}, p.call(ctx, "scroll by")
}

func (p *fakePage) ScrollTo(ctx context.Context, _ *steps.Target, _ steps.Point) (steps.Scrolled, error) {
	return steps.Scrolled{Moved: true}, p.call(ctx, "scroll to")
}

func (p *fakePage) Watch(steps.Watching) int { return 0 }
func (p *fakePage) Unwatch()                 {}

func (p *fakePage) Await(context.Context, time.Duration) error { return nil }
func (p *fakePage) Caused(context.Context, int, bool) (steps.Caused, error) {
	return steps.Caused{}, nil
}
func (p *fakePage) Expect(context.Context, int, string) error { return nil }
func (p *fakePage) Settle(context.Context, int, steps.Watching, time.Duration) ([]string, error) {
	return nil, nil
}
func (p *fakePage) Keep(on bool)                         { p.keeps = on }
func (p *fakePage) LookBack(context.Context)             { p.looks++ }
func (p *fakePage) Excuse(context.Context, steps.Effect) { p.excused++ }

func (p *fakePage) Part() int { p.part++; return p.part }

func (p *fakePage) Lost(_ context.Context, parts [][2]int, _ bool) ([]steps.Reverted, error) {
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

func (p *fakePage) Reverted(context.Context) ([]steps.Reverted, error) {
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

func (p *fakePage) Control(ctx context.Context, t steps.Target) (steps.ControlKind, error) {
	_, err := p.at(ctx, "control", t)
	return steps.FillControl, err
}

func (p *fakePage) WaitMore(ctx context.Context, _ *steps.Target, _ steps.Direction, _ steps.Stop, _ int, _ time.Duration) (steps.Listing, error) {
	return steps.Listing{Reason: "text_found"}, p.call(ctx, "wait more")
}

func (p *fakePage) Snapshot(ctx context.Context, o steps.SnapshotOptions) (*snapshot.Snapshot, error) {
	if err := p.call(ctx, "snapshot"); err != nil {
		return nil, err
	}
	return new(snapshot.Book).Take(&snapshot.Reading{Document: snapshot.Document{ID: p.doc.ID, URL: p.doc.URL}}, o.Options)
}

func (p *fakePage) PDF(ctx context.Context, _ steps.PDFOptions) ([]byte, error) {
	return []byte("%PDF"), p.call(ctx, "pdf")
}

func (p *fakePage) Type(ctx context.Context, t *steps.Target, text string, _ time.Duration) (steps.Element, error) {
	return p.at(ctx, "type "+text, *t)
}

func (p *fakePage) Key(ctx context.Context, _ *steps.Target, key string, _ int) (steps.Press, error) {
	return steps.Press{}, p.call(ctx, "key "+key)
}

func (p *fakePage) Commit(ctx context.Context, _ *steps.Target, key string, _ int) (steps.Press, error) {
	return steps.Press{}, p.call(ctx, "commit "+key)
}

func (p *fakePage) Focus(ctx context.Context, t steps.Target) (steps.Element, error) {
	return p.at(ctx, "focus", t)
}

func (p *fakePage) Fill(ctx context.Context, t steps.Target, value string) (steps.Filled, error) {
	e, err := p.at(ctx, "fill "+value, t)
	return steps.Filled{Element: e, Value: value}, err
}

func (p *fakePage) Check(ctx context.Context, t steps.Target, _ bool) (steps.Element, error) {
	return p.at(ctx, "check", t)
}

func (p *fakePage) Select(ctx context.Context, t steps.Target, values []string, by string) ([]string, error) {
	_, err := p.at(ctx, "select", t)
	return values, err
}

func (p *fakePage) Read(ctx context.Context, t steps.Target, _ steps.ReadOptions) (steps.Reading, error) {
	e, err := p.at(ctx, "read", t)
	return steps.Reading{Value: e.Text}, err
}

func (p *fakePage) ReadRenewed(ctx context.Context, t steps.Target, _ []any) (steps.Reading, bool, error) {
	r, err := p.Read(ctx, t, steps.ReadOptions{})
	return r, true, err
}

func (p *fakePage) Find(ctx context.Context, t steps.Target) (steps.Found, error) {
	q, err := t.Bind(ctx, p.doc)
	if err != nil {
		return steps.Found{}, err
	}
	p.waits = append(p.waits, t.Timeout)
	key, _ := p.match(q)
	if err := p.call(ctx, "find "+show(q.Parts)); err != nil || key == "" {
		return steps.Found{}, err
	}
	return steps.Found{Element: steps.Element{Text: p.present[key]}, Count: 1, Visible: true}, nil
}

func (p *fakePage) Count(ctx context.Context, t steps.Target) (int, error) {
	f, err := p.Find(ctx, t)
	return f.Count, err
}

func (p *fakePage) Is(ctx context.Context, t steps.Target, _ string) (bool, error) {
	f, err := p.Find(ctx, t)
	return f.Count > 0, err
}

func (p *fakePage) Look(ctx context.Context, questions []steps.Question) ([]any, error) {
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

func (p *fakePage) Extract(ctx context.Context, rows steps.Target, fields []steps.ExtractField, _ steps.RowFilter) ([]map[string]any, error) {
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

func (p *fakePage) WaitElement(ctx context.Context, t steps.Target, s steps.ElementState) (steps.Element, error) {
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

func (p *fakePage) WaitURL(ctx context.Context, pattern steps.URLPattern) (string, error) {
	p.calls = append(p.calls, "wait url")
	if pattern.Match(p.doc.URL) {
		return p.doc.URL, nil
	}
	if err := p.clock.Sleep(ctx, time.Hour); err == nil {
		return "", fmt.Errorf("an hour passed without a deadline")
	}
	return "", p.ended(ctx, "wait url")
}

func (p *fakePage) WaitLoad(ctx context.Context, s steps.LoadState) error {
	return p.call(ctx, "wait load")
}

func (p *fakePage) WaitStable(ctx context.Context) error { return p.call(ctx, "wait stable") }

func (p *fakePage) Eval(ctx context.Context, script string, _ map[string]any) (any, error) {
	return script, p.call(ctx, "eval")
}

func (p *fakePage) WaitFunction(ctx context.Context, _ string, _ map[string]any) (any, error) {
	return true, p.call(ctx, "wait function")
}

func (p *fakePage) Screenshot(ctx context.Context, _ steps.ShotOptions) (steps.Shot, error) {
	return steps.Shot{}, p.call(ctx, "screenshot")
}

func (p *fakePage) Version(ctx context.Context, probe steps.VersionProbe) (string, error) {
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

var _ steps.Page = (*fakePage)(nil)

func (p *fakePage) Requests() ([]steps.Request, int) { return nil, 0 }

func (p *fakePage) ClearRequests() { p.calls = append(p.calls, "clear requests") }
