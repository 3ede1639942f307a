package documents

// Effects of input. Events of the browser are recorded as they arrive. Effects that only the page
// can detect are recorded by the engine (engine/page/effect.js).

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Effects implements [driver.Effects]: it records what an input causes.
type Effects struct {
	link    *Link
	Net     *network.Traffic
	Timers  *timers.Record
	frames  *Frames
	moves   *Moves
	worlds  *Worlds
	outcome *Outcome
	latest  func() int

	mu      sync.Mutex // guards the notes; acquired before the lock of frames
	effects effects
}

// effects holds the notes of a run, oldest first. It is guarded by Effects.mu.
type effects struct {
	notes []*effectNote
	last  int
}

// maxNotes is the number of notes that are kept. Older notes are dropped.
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
	watching driver.Watching     // used only by the goroutine of the run
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

// after returns the latest note that began before any request with a higher number was sent. If
// there is none, it returns the oldest note. For number 0, it returns the latest note. It returns
// nil if there are no notes.
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

// NoteDialog records that the page has opened a dialog.
func (es *Effects) NoteDialog(message string) {
	es.mu.Lock()
	defer es.mu.Unlock()
	if n := es.effects.current(); n != nil {
		n.Dialog = message
	}
}

// NotePopup records that the page has opened a tab.
func (es *Effects) NotePopup(address string) {
	es.mu.Lock()
	defer es.mu.Unlock()
	if n := es.effects.current(); n != nil {
		n.Popup = address
	}
}

// NoteRequest records that the page has sent a request of kind k. It calls note to add the request
// to the traffic. The argument to note reports whether the last input may have caused the request.
func (es *Effects) NoteRequest(k network.Kind, note func(fresh bool)) {
	es.mu.Lock()
	defer es.mu.Unlock()
	note(es.effects.isFresh())
	es.effects.request(k)
	es.link.Notify()
}

// NoteDownload records that the page has begun the download of a file with that name.
func (es *Effects) NoteDownload(name string) {
	es.mu.Lock()
	defer es.mu.Unlock()
	if n := es.effects.current(); n != nil {
		n.Download = name
		es.link.Notify()
	}
}

// freshTime is how long an input counts as the cause of the page's new requests.
const freshTime = time.Second

func (e *effects) isFresh() bool {
	n := e.current()
	return n != nil && time.Since(n.began) < freshTime
}

// Watch implements [driver.Effects].
func (es *Effects) Watch(o driver.Watching) int {
	es.mu.Lock()
	defer es.mu.Unlock()
	e := &es.effects
	if before := e.current(); before != nil {
		es.causedLocked(before)
		final := before.Caused
		before.final = &final
	}
	e.last++
	doc := es.frames.CurrentDocument()
	n := &effectNote{n: e.last, began: time.Now(), document: doc.ID, url: doc.URL, before: es.Net.Background(), last: es.latest(), watching: o}
	e.notes = append(e.notes[max(0, len(e.notes)-maxNotes+1):], n)
	return n.n
}

// Unwatch implements [driver.Effects].
func (es *Effects) Unwatch() {
	es.mu.Lock()
	defer es.mu.Unlock()
	es.effects.notes = nil
}

// Noting returns what the engine needs to record the effects of the current input. It returns nil
// if no effects are watched.
func (es *Effects) Noting(ctx context.Context) *Noting {
	es.mu.Lock()
	n := es.effects.current()
	es.mu.Unlock()
	if n == nil {
		return nil
	}
	doc := es.frames.CurrentDocument()
	out := &Noting{N: n.n}
	if n.watching.Settles {
		out.Signs = true
		if b := n.watching.Busy; b != nil {
			out.Busy, _ = b.Bind(ctx, doc) // ignore an error here: the wait after the input reports it
		}
	}
	return out
}

// A Noting asks the engine to record the effects of an input.
type Noting struct {
	N     int              `json:"n"`
	Signs bool             `json:"signs,omitempty"` // whether to record the signs of loading that the page shows before the input
	Busy  *selectors.Query `json:"busy,omitempty"`
}

// NoteHere makes the engine in w record the effects of the current input. The caller needs it only
// if no engine call precedes the input. NoteHere returns when the engine is ready for the input. It
// does nothing unless the step needs effects that only the page can detect.
func (es *Effects) NoteHere(ctx context.Context, w World) error {
	es.mu.Lock()
	n := es.effects.current()
	wanted := n != nil && n.watching.Deep && len(n.worlds) == 0
	es.mu.Unlock()
	if !wanted {
		return nil
	}
	es.NoteWorld(w)
	err := es.worlds.Answer(ctx, es.worlds.Call(ctx, w, "beginNote", map[string]any{"watch": es.Noting(ctx)}), nil)
	if cdp.IsGone(err) {
		return nil
	}
	return err
}

// NoteWorld records the world of a document that received input.
func (es *Effects) NoteWorld(w World) {
	es.mu.Lock()
	defer es.mu.Unlock()
	if n := es.effects.current(); n != nil && !slices.ContainsFunc(n.worlds, func(have World) bool { return have.ID == w.ID }) {
		n.worlds = append(n.worlds, w)
	}
}

// causedLocked updates n from the state of the tab. The caller holds mu.
func (es *Effects) causedLocked(n *effectNote) {
	if n.final != nil {
		return
	}
	if doc := es.frames.CurrentDocument(); doc.ID != n.document || doc.URL != n.url {
		n.URL = doc.URL
	}
	n.Pending = len(es.Net.OpenSince(n.before)) > 0 || es.moves.isNavigating()
}

// Caused implements [driver.Effects].
func (es *Effects) Caused(ctx context.Context, number int, deep bool) (driver.Caused, error) {
	es.mu.Lock()
	n := es.effects.note(number)
	if n == nil {
		es.mu.Unlock()
		return driver.Caused{}, nil
	}
	es.causedLocked(n)
	c, worlds := n.Caused, slices.Clone(n.worlds)
	if n.final != nil {
		c = *n.final
	}
	es.mu.Unlock()
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
		switch err := es.worlds.Answer(ctx, es.worlds.Call(ctx, w, "caused", map[string]int{"n": number}), &seen); {
		case cdp.IsGone(err):
			c.URL = cmp.Or(c.URL, es.moves.Address())
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
func (es *Effects) Expect(ctx context.Context, number int, what string) error {
	es.mu.Lock()
	n := es.effects.note(number)
	es.mu.Unlock()
	if n == nil {
		return diag.New(diag.Internal, "the input %d is not watched", number).WithHint("report this as a bug")
	}
	if what == "dom" {
		return es.expectDOM(ctx, n)
	}
	return es.link.Until(ctx, "", func() bool {
		es.mu.Lock()
		defer es.mu.Unlock()
		es.causedLocked(n)
		switch what {
		case "navigation":
			return n.URL != "" && !es.moves.isNavigating()
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
func (es *Effects) expectDOM(ctx context.Context, n *effectNote) error {
	es.mu.Lock()
	worlds := slices.Clone(n.worlds)
	es.mu.Unlock()
	if len(worlds) == 0 {
		return diag.New(diag.StepFailed, "cannot detect whether this input has changed the page").
			WithHint("set `expect` to another effect, or check the page with `verify`")
	}
	w := worlds[len(worlds)-1]
	id, d := es.worlds.acts.next(), Patience(ctx)
	guarded, cancel := context.WithTimeout(ctx, AnswerWithin(ctx, d))
	defer cancel()
	var r waiting
	arg := map[string]any{"n": n.n, "id": id, "timeout": d.Milliseconds()}
	switch err := es.worlds.Answer(guarded, es.worlds.Call(guarded, w, "awaitChange", arg), &r); {
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
func (es *Effects) Settle(ctx context.Context, number int, o driver.Watching, most time.Duration) (open []string, err error) {
	es.mu.Lock()
	n := es.effects.note(number)
	es.mu.Unlock()
	if n == nil {
		return nil, nil
	}
	until := time.Now().Add(most)
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for {
		begun := es.Net.SentData()
		err := es.link.UntilQuiet(short, "", func() (bool, time.Duration) {
			return len(es.Net.OpenSince(n.before)) == 0 && !es.moves.isNavigating(), es.Net.UnreadAgain()
		})
		if err == nil {
			var r waiting
			r, err = es.forCalm(short, n, o, until)
			if err == nil && r.Reason == "op" {
				return nil, r.Failure()
			}
			if err == nil && !r.OK {
				return append(r.Seen, "the page")[:max(len(r.Seen), 1)], nil
			}
		}
		switch {
		case es.outcome.closedItself(ctx):
			return nil, nil
		case ctx.Err() == nil && short.Err() != nil:
			if open = es.Net.OpenSince(n.before); len(open) == 0 { // no request is open any more: the answer came too late to say what it was waiting for
				open = []string{"the page"}
			}
			return open, nil
		case err != nil:
			return nil, err
		}
		if es.Net.SentData() == begun {
			return nil, nil
		}
	}
}

// Fetches reports whether the page is navigating or has a pending request that may add content to
// it.
func (es *Effects) Fetches() bool {
	es.mu.Lock()
	defer es.mu.Unlock()
	if es.moves.isNavigating() {
		return true
	}
	var before *network.Background
	if n := es.effects.current(); n != nil {
		before = n.before
	}
	return es.Net.Fetches(before)
}

// forCalm waits until the documents of the page have finished reacting to an input.
func (es *Effects) forCalm(ctx context.Context, n *effectNote, o driver.Watching, until time.Time) (waiting, error) {
	w, err := es.worlds.CurrentWorld(ctx)
	if err != nil {
		return waiting{}, err
	}
	var busy *selectors.Query
	if o.Busy != nil {
		if busy, err = o.Busy.Bind(ctx, w.Doc); err != nil {
			return waiting{}, err
		}
	}
	timers := es.Timers.SoFar(w.ID)
	calm := &patrol{p: es.worlds, method: "calm", all: true, until: until, arg: func() map[string]any {
		return map[string]any{"n": n.n, "query": busy, "timers": timers, "asks": es.Timers.On()}
	}}
	for {
		r, err := calm.Wait(ctx)
		if err != nil || r.Timer == 0 {
			return r, err
		}
		timers = es.Timers.Known(ctx, w.ID, r.Timer, true)
	}
}
