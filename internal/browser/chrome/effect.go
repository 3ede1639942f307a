package chrome

// Effects of input. Events of the browser are recorded as they arrive; effects that only the page
// can see are recorded by its engine (engine/page/effect.js).

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// effects are the notes of a run, oldest first. Tab.mu guards them, except for the fields that
// only the run itself uses.
type effects struct {
	notes []*effectNote
	last  int
}

// maxNotes limits the notes of a run with very many steps: the oldest are dropped.
const maxNotes = 2000

// An effectNote records the effects of one input.
type effectNote struct {
	n        int
	began    time.Time
	document string // the document before the input, and its URL
	url      string
	before   *network.Background // requests that were under way before the input
	last     int                 // number of the session's latest request before the input
	worlds   []World             // worlds that received the input
	watching driver.Watching     // used by the run only
	final    *driver.Caused      // set once the next input has begun
	driver.Caused
}

func (e *effects) note(n int) *effectNote {
	i := slices.IndexFunc(e.notes, func(have *effectNote) bool { return have.n == n })
	if i < 0 {
		return nil
	}
	return e.notes[i]
}

// current returns the note of the last input, or nil.
func (e *effects) current() *effectNote {
	if len(e.notes) == 0 {
		return nil
	}
	return e.notes[len(e.notes)-1]
}

// after is the note of the first input after a request with a number, as far as that is known; 0: that of the last input.
func (e *effects) after(number int) *effectNote {
	n := e.current()
	if number == 0 {
		return n
	}
	for _, by := range slices.Backward(e.notes) {
		n = by
		if by.last <= number {
			break
		}
	}
	return n
}

func (e *effects) request(k network.Kind) {
	if n := e.current(); n != nil && !n.before.Polls(k) {
		n.Requests++
	}
}

func (e *effects) dialog(message string) {
	if n := e.current(); n != nil {
		n.Dialog = message
	}
}

func (e *effects) popup(address string) {
	if n := e.current(); n != nil {
		n.Popup = address
	}
}

func (p *Tab) NoteDownload(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := p.effects.current(); n != nil {
		n.Download = name
		p.notifyLocked()
	}
}

// freshTime is how long after an input new requests count as caused by it.
const freshTime = time.Second

func (e *effects) isFresh() bool {
	n := e.current()
	return n != nil && time.Since(n.began) < freshTime
}

// Watch implements [driver.Effects].
func (p *Tab) Watch(o driver.Watching) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &p.effects
	if before := e.current(); before != nil {
		p.causedLocked(before)
		final := before.Caused
		before.final = &final
	}
	e.last++
	n := &effectNote{n: e.last, began: time.Now(), document: p.doc.id, url: p.doc.url, before: p.Net.Background(), last: int(p.b.lastRequest.Load()), watching: o}
	e.notes = append(e.notes[max(0, len(e.notes)-maxNotes+1):], n)
	return n.n
}

// Unwatch implements [driver.Effects].
func (p *Tab) Unwatch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.effects.notes = nil
}

// Noting returns the note that the engine receives with an input; nil if no effects are watched.
func (p *Tab) Noting(ctx context.Context) *Noting {
	p.mu.Lock()
	n := p.effects.current()
	doc := driver.Document{ID: p.doc.id, URL: p.doc.url, Status: p.doc.status}
	p.mu.Unlock()
	if n == nil {
		return nil
	}
	out := &Noting{N: n.n}
	if n.watching.Settles {
		out.Signs = true
		if b := n.watching.Busy; b != nil {
			out.Busy, _ = b.Bind(ctx, doc) // an error is reported by the wait
		}
	}
	return out
}

// Noting is a note in the form that the engine receives.
type Noting struct {
	N     int              `json:"n"`
	Signs bool             `json:"signs,omitempty"` // record what shows before the input that something is loading
	Busy  *selectors.Query `json:"busy,omitempty"`
}

// NoteHere begins a note in w for input that the engine does not prepare, if the step requires
// effects that only the page can see. Input may overtake an evaluation, so noteHere waits for the
// reply.
func (p *Tab) NoteHere(ctx context.Context, w World) error {
	p.mu.Lock()
	n := p.effects.current()
	wanted := n != nil && n.watching.Deep && len(n.worlds) == 0
	p.mu.Unlock()
	if !wanted {
		return nil
	}
	p.NoteWorld(w)
	err := p.Answer(ctx, p.Call(ctx, w, "beginNote", map[string]any{"watch": p.Noting(ctx)}), nil)
	if cdp.IsGone(err) {
		return nil
	}
	return err
}

// NoteWorld records the world of a document that received input.
func (p *Tab) NoteWorld(w World) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := p.effects.current(); n != nil && !slices.ContainsFunc(n.worlds, func(have World) bool { return have.ID == w.ID }) {
		n.worlds = append(n.worlds, w)
	}
}

// causedLocked updates a note from the state of the tab.
func (p *Tab) causedLocked(n *effectNote) {
	if n.final != nil {
		return
	}
	if p.doc.id != n.document || p.doc.url != n.url {
		n.URL = p.doc.url
	}
	n.Pending = len(p.Net.OpenSince(n.before)) > 0 || p.nav.pending()
}

// Caused implements [driver.Effects].
func (p *Tab) Caused(ctx context.Context, number int, deep bool) (driver.Caused, error) {
	p.mu.Lock()
	n := p.effects.note(number)
	if n == nil {
		p.mu.Unlock()
		return driver.Caused{}, nil
	}
	p.causedLocked(n)
	c, worlds := n.Caused, slices.Clone(n.worlds)
	if n.final != nil {
		c = *n.final
	}
	p.mu.Unlock()
	if !deep {
		return c, nil
	}
	for _, w := range worlds {
		var seen struct {
			Known   bool   `json:"known"`
			DOM     int    `json:"dom"`
			Values  int    `json:"values"`
			Focus   string `json:"focus"`
			Pending bool   `json:"pending"`
		}
		switch err := p.Answer(ctx, p.Call(ctx, w, "caused", map[string]int{"n": number}), &seen); {
		case cdp.IsGone(err):
			c.URL = cmp.Or(c.URL, p.Address())
		case err != nil:
			return c, err
		default:
			c.Deep = c.Deep || seen.Known
			c.DOM, c.Values, c.Pending = c.DOM+seen.DOM, c.Values+seen.Values, c.Pending || seen.Pending
			c.Focus = cmp.Or(c.Focus, seen.Focus)
		}
	}
	return c, nil
}

// Expect implements [driver.Effects].
func (p *Tab) Expect(ctx context.Context, number int, what string) error {
	p.mu.Lock()
	n := p.effects.note(number)
	p.mu.Unlock()
	if n == nil {
		return diag.New(diag.Internal, "the input %d is not watched", number).WithHint("this is a bug in action: please report it")
	}
	if what == "dom" {
		return p.expectDOM(ctx, n)
	}
	return p.Until(ctx, "", func() bool {
		p.causedLocked(n)
		switch what {
		case "navigation":
			return n.URL != "" && !p.nav.pending()
		case "request":
			return n.Requests > 0
		case "dialog":
			return n.Dialog != ""
		case "download":
			return n.Download != ""
		case "popup":
			return n.Popup != ""
		}
		return false
	})
}

// expectDOM waits until the last document that received the input has changed or was replaced.
func (p *Tab) expectDOM(ctx context.Context, n *effectNote) error {
	p.mu.Lock()
	worlds := slices.Clone(n.worlds)
	p.mu.Unlock()
	if len(worlds) == 0 {
		return diag.New(diag.StepFailed, "changes of the page cannot be detected for this input").
			WithHint("expect another effect, or check the page with verify")
	}
	w := worlds[len(worlds)-1]
	id, d := p.acts.next(), Patience(ctx)
	guarded, cancel := context.WithTimeout(ctx, AnswerWithin(ctx, d))
	defer cancel()
	var r waiting
	arg := map[string]any{"n": n.n, "id": id, "timeout": d.Milliseconds()}
	switch err := p.Answer(guarded, p.Call(guarded, w, "awaitChange", arg), &r); {
	case cdp.IsGone(err):
		return nil
	case err != nil:
		return err
	case !r.OK:
		return diag.New(diag.Timeout, "the page did not change")
	}
	return nil
}

// Settle implements [driver.Effects].
func (p *Tab) Settle(ctx context.Context, number int, o driver.Watching, most time.Duration) (open []string, err error) {
	p.mu.Lock()
	n := p.effects.note(number)
	p.mu.Unlock()
	if n == nil {
		return nil, nil
	}
	until := time.Now().Add(most)
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for {
		begun := p.Net.SentData()
		err := p.UntilQuiet(short, "", func() (bool, time.Duration) {
			return len(p.Net.OpenSince(n.before)) == 0 && !p.nav.pending(), p.Net.UnreadAgain()
		})
		if err == nil {
			var r waiting
			r, err = p.forCalm(short, n, o, until)
			if err == nil && r.Reason == "op" {
				return nil, r.Failure()
			}
			if err == nil && !r.OK {
				return append(r.Seen, "the page")[:max(len(r.Seen), 1)], nil
			}
		}
		switch {
		case p.ClosedItself(ctx):
			return nil, nil
		case ctx.Err() == nil && short.Err() != nil:
			if open = p.Net.OpenSince(n.before); len(open) == 0 { // the answer arrived too late to report more
				open = []string{"the page"}
			}
			return open, nil
		case err != nil:
			return nil, err
		}
		if p.Net.SentData() == begun {
			return nil, nil
		}
	}
}

// Fetches reports whether requests are under way that may add what the page does not show yet.
func (p *Tab) Fetches() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.nav.pending() {
		return true
	}
	var before *network.Background
	if n := p.effects.current(); n != nil {
		before = n.before
	}
	return p.Net.Fetches(before)
}

// forCalm waits until the documents have finished what an input made them do.
func (p *Tab) forCalm(ctx context.Context, n *effectNote, o driver.Watching, until time.Time) (waiting, error) {
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		return waiting{}, err
	}
	var busy *selectors.Query
	if o.Busy != nil {
		if busy, err = o.Busy.Bind(ctx, w.Doc); err != nil {
			return waiting{}, err
		}
	}
	timers := p.Timers.SoFar(w.ID)
	calm := &patrol{p: p, method: "calm", all: true, until: until, arg: func() map[string]any {
		return map[string]any{"n": n.n, "query": busy, "timers": timers, "asks": p.Timers.On()}
	}}
	for {
		r, err := calm.Wait(ctx)
		if err != nil || r.Timer == 0 {
			return r, err
		}
		timers = p.Timers.Known(ctx, w.ID, r.Timer, true)
	}
}
