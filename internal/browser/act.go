package browser

// Acting on one element: one call of the engine finds it, waits until it is ready, and
// prepares the action.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Readiness of an element, SPEC 5.3.
var (
	attached  = []string{"attached"}
	forPress  = []string{"visible", "stable", "enabled", "hit"}
	forHover  = []string{"visible", "stable", "hit"}
	forFill   = []string{"visible", "enabled", "editable"}
	forSelect = []string{"visible", "enabled"}
)

// An op says what the engine does with the element at the moment it is ready. Each op uses
// the fields that package engine names for it.
type op struct {
	Name     string            `json:"name"`
	Position *point            `json:"position,omitempty"`
	Button   string            `json:"button,omitempty"`
	Count    int               `json:"count,omitempty"`
	On       bool              `json:"on"`
	Value    string            `json:"value"`
	Values   []string          `json:"values"`
	Names    []string          `json:"names,omitempty"`
	What     string            `json:"what,omitempty"`
	Limit    int               `json:"limit,omitempty"`
	Attr     string            `json:"attr,omitempty"`
	By       string            `json:"by,omitempty"`
	Keep     int64             `json:"keep,omitempty"` // the run that holds what it sets
	Part     int               `json:"part,omitempty"` // of that run
	Watch    *documents.Noting `json:"watch,omitempty"`
	Scroll   *scroll           `json:"scroll,omitempty"`
	Before   *[]any            `json:"before,omitempty"` // rows that a table has shown
	But      []int             `json:"but,omitempty"`    // numbers of calendars that do not count
	Drawn    bool              `json:"drawn,omitempty"`  // with Before: read what is drawn some frames later, even if it is the same
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// An act is a request to the engine; see package engine.
type act struct {
	lookup
	Need   []string `json:"need"`
	Strict bool     `json:"strict"`
	Inner  bool     `json:"inner,omitempty"` // the request is for a frame other than the main one
	Op     op       `json:"op"`
	State  *state   `json:"state,omitempty"`
}

type state struct {
	State string `json:"state"`
	Text  string `json:"text,omitempty"`
}

// An acted is the engine's answer.
type acted struct {
	OK    bool     `json:"ok"`
	El    element  `json:"el"`
	Won   []winner `json:"won"`
	Count int      `json:"count"`

	Reason  string          `json:"reason"`
	Seen    documents.Lines `json:"seen"`
	Aside   []string        `json:"aside"` // frames that are shown, if the query leads into none
	Empty   bool            `json:"empty"` // the page shows nothing at all
	Lines   []string        `json:"lines"`
	Missing string          `json:"missing"`
	Detail  string          `json:"detail"`
	Row     []string        `json:"row"` // the texts in the row of a stale element now
	Message string          `json:"message"`
	Code    diag.Code       `json:"code"`
	Next    string          `json:"next"` // to be done
	Details map[string]any  `json:"details"`
	Frames  bool            `json:"frames"` // it is about the frames on the way
	Unsure  []int           `json:"unsure"` // elements whose names are required, if Reason is "names"

	Point   point           `json:"point"`
	Wheel   *point          `json:"wheel"` // how far the mouse wheel must be turned over it
	Already bool            `json:"already"`
	Works   bool            `json:"works"`   // the page may still change the state
	Undrawn bool            `json:"undrawn"` // the page draws another state
	Calm    bool            `json:"calm"`    // the wait ended before its time, for nothing on the page is under way
	Mode    string          `json:"mode"`
	Settle  bool            `json:"settle"` // the page must see the selection first
	Now     float64         `json:"now"`    // number of a slider
	Keys    [2]string       `json:"keys"`   // that make it more, and less
	Takes   *takes          `json:"takes"`  // of a file input
	Held    *held           `json:"held"`   // by a control that was looked at again
	Values  []string        `json:"values"`
	Value   json.RawMessage `json:"value"`
	Cut     bool            `json:"cut"`
	Tree    *tree           `json:"tree"` // of a walk

	Answers []*acted `json:"answers"` // of a look, one for each question

	Reverted []revert `json:"reverted"` // controls that the run has set; nil if none was checked
	As       sentAs   `json:"as"`       // of a control that the run sets

	read *cdp.Call // the read-back that was sent along

	// Of other functions than act.
	Visible bool             `json:"visible"`
	Enough  bool             `json:"enough"`
	Grown   bool             `json:"grown"`
	Rows    []map[string]any `json:"rows"`
	Text    string           `json:"text"`
	Attr    string           `json:"attr"`
	Ref     shown            `json:"ref"`
	Refs    map[string]shown `json:"refs"` // of the parts of a calendar

	// View is the size of the viewport that the position refers to, if it is not the
	// page's.
	View  *point `json:"view"`
	Moved bool   `json:"moved"`

	// Frame, Path and Hidden belong to a crossing.
	Frame  int   `json:"frame"`
	Path   []int `json:"path"`
	Hidden bool  `json:"hidden"`

	doc    driver.Document // in which it was done
	w      documents.World
	unseen bool // a frame around it is hidden
	sent   int  // requests that may store something before it

	nothing bool // the selector can match nothing: the page was not queried
}

// A winner is the candidate of an alias that has won.
type winner struct {
	Alias  string `json:"alias"`
	Index  int    `json:"index"`
	Source string `json:"source"`
}

type element struct {
	Role string `json:"role"`
	Name string `json:"name"`
	Text string `json:"text"`
	Desc string `json:"desc"`
}

func (e element) plain() driver.Element {
	return driver.Element{Role: e.Role, Name: e.Name, Text: e.Text, Desc: e.Desc}
}

// A seeker finds the element of one step. It lives for one call of a method, and keeps what
// must last across the documents of that call: the time, and the selector bound for the
// document.
type seeker struct {
	p     *finder
	t     driver.Target // Bind nil: the focused element
	start time.Time
	limit time.Duration // of waiting
	cut   bool          // the limit is the context's, which is shorter than the target's
	bound string        // id of the document of query
	query *selectors.Query
	busy  *selectors.Query // of t.Busy
	calm  *calmLook        // of t.Calm; nil: all of the time is waited
}

func (p *finder) seek(ctx context.Context, t driver.Target) *seeker {
	s := &seeker{p: p, t: t, start: time.Now(), limit: t.Timeout}
	if deadline, ok := ctx.Deadline(); ok {
		left := max(time.Until(deadline)-documents.ReportMargin, 0)
		// Half of its time is enough to say that an element is not there: callers bound the call
		// and the wait alike, and the elements before it have taken a part.
		s.cut = left+documents.ReportMargin < s.limit/2
		s.limit = min(s.limit, left)
	}
	return s
}

func (p *finder) seekFocused(ctx context.Context) *seeker {
	return p.seek(ctx, driver.Target{Source: "the focused element"})
}

// find is seek and act for methods that act once.
func (p *finder) find(ctx context.Context, t driver.Target, a act) (*acted, error) {
	return p.seek(ctx, t).act(ctx, a)
}

// act calls the engine until it has queried a document that stayed. It fills in a's query
// and times.
func (s *seeker) act(ctx context.Context, a act) (*acted, error) {
	s.p.controls.keepSince(a.Op.Name)
	a.Op.Keep, a.Op.Part = s.p.controls.kept.run, cmp.Or(a.Op.Part, s.p.controls.kept.part)
	sends := a.Op.Name != "" && a.Op.Name != "none" && a.Op.Name != "read"
	if sends {
		if a.Op.Name != "carried" {
			s.p.controls.followKept(ctx)
		}
		if s.p.controls.kept.run != 0 {
			s.p.Timers.Begin(ctx)
		}
		a.Op.Watch = s.p.Noting(ctx)
	}
	sent := s.p.Net.Writes()
	x := question{method: "act", match: a.match(), union: a.State != nil && (a.State.State == "hidden" || a.State.State == "detached")}
	x.none = &acted{OK: x.union, Reason: "none"}
	if a.Op.Name == "select" {
		x.along = func(w documents.World) *cdp.Call { return s.p.Call(ctx, w, "held", map[string]any{"along": true}) }
	}
	x.with = func(l lookup) any {
		asked := a // several worlds may be queried concurrently
		asked.lookup, asked.Inner = l, l.in.Outer != nil
		return asked
	}
	for {
		r, err := s.search(ctx, x)
		if err != nil {
			return nil, err
		}
		if r.OK {
			err = s.outward(ctx, r, a)
		}
		switch {
		case errors.Is(err, documents.ErrAgain):
			continue
		case err != nil:
			return nil, err
		case !r.OK:
			return nil, s.failure(ctx, r)
		}
		r.sent = sent
		s.decided(r.doc, r)
		s.p.controls.toldReverts(r.w, r.Reverted)
		if sends {
			s.p.NoteWorld(r.w)
		}
		if s.t.Keep {
			s.p.controls.keepIn(r.w)
		}
		return r, nil
	}
}

// match is the state that a candidate of an alias must have.
func (a *act) match() state {
	if a.State != nil && (a.State.State == "visible" || a.State.State == "") || slices.Contains(a.Need, "visible") {
		return state{State: "visible"}
	}
	return state{State: "attached"}
}

// search sends x to the page, until it has queried a document that stayed.
func (s *seeker) search(ctx context.Context, x question) (*acted, error) {
	for {
		w, err := s.p.CurrentWorld(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.bind(ctx, w.Doc); err != nil {
			return nil, err
		}
		if r := s.nothing(w, x); r != nil {
			return r, nil
		}
		r, err := s.in(ctx, w, s.query, x)
		switch {
		case cdp.IsGone(err):
			if err := s.p.Frames.AfterWorld(ctx, w); err != nil {
				return nil, err
			}
		case errors.Is(err, documents.ErrAgain):
		case errors.Is(err, documents.ErrCrashed):
			return nil, diag.New(diag.ElementNotFound, "%s: the process of its frame has crashed", s.t.Source).
				WithDetail("selector", s.t.Source).WithDetail("reason", "frame_crashed").WithHint("reload the page")
		case err != nil:
			return nil, err
		default:
			return r, nil
		}
	}
}

// nothing is the answer to x where the selector can match nothing: the page is not queried.
// It is nil for other selectors, and where x queries the page for more than matches.
func (s *seeker) nothing(w documents.World, x question) *acted {
	if _, ok := s.query.Nothing(); !ok || x.none == nil {
		return nil
	}
	r := *x.none
	r.doc, r.w, r.nothing = w.Doc, w, true
	return &r
}

// decided reports which candidates of aliases have won, and which refs were found again:
// for those the engine puts the ref in the place of the alias.
func (s *seeker) decided(doc driver.Document, r *acted) {
	for _, won := range r.Won {
		if ref, ok := strings.CutPrefix(won.Alias, "@"); ok {
			if s.t.FoundAgain != nil {
				s.t.FoundAgain(ref)
			}
			continue
		}
		if s.t.Decided == nil {
			continue
		}
		s.t.Decided(doc, driver.Winner{Alias: won.Alias, Index: won.Index, Source: won.Source})
	}
}

// bind gets the selector for doc, once.
func (s *seeker) bind(ctx context.Context, doc driver.Document) error {
	if s.t.Bind == nil || s.bound == doc.ID {
		return nil
	}
	q, err := s.t.Bind(ctx, doc)
	if err == nil && s.t.Busy != nil {
		s.busy, err = s.t.Busy.Bind(ctx, doc)
	}
	if err == nil && s.t.Calm != nil {
		s.calm = &calmLook{}
		s.calm.Query, err = s.t.Calm.Bind(ctx, doc)
	}
	if err != nil {
		return err
	}
	s.query, s.bound = q, doc.ID
	return nil
}

// ask makes one call of the engine in w; hold is the frame that is searched at the same
// time, or 0.
func (s *seeker) ask(ctx context.Context, w documents.World, q *selectors.Query, x question, hold int) (*acted, error) {
	q, err := s.p.binder.bindRefs(q, w)
	if err != nil {
		return nil, err
	}
	more := make([]*selectors.Query, len(x.more))
	for i, q := range x.more {
		if more[i], err = s.p.binder.bindRefs(q, w); err != nil {
			return nil, err
		}
	}
	return s.p.sure(ctx, w, s.start.Add(s.limit), func(asks, kept bool) (*acted, error) {
		l := lookup{in: w, more: more, Query: q, Asks: asks, Kept: kept, Hold: hold}
		if s.t.Keep {
			l.Keep, l.Part = s.p.controls.kept.run, s.p.controls.kept.part
		}
		if !x.once && !x.beside {
			l.Calm = s.calm
		}
		for {
			r, err := s.askOnce(ctx, w, l, x)
			if err != nil || !r.Calm || !s.p.Fetches() {
				return r, err
			}
		}
	})
}

// askOnce is one call of ask; it fills in the parts of l that differ from call to call.
func (s *seeker) askOnce(ctx context.Context, w documents.World, l lookup, x question) (*acted, error) {
	l.ID, l.Grace, l.Elapsed = s.p.NextAct(), s.t.Grace.Milliseconds(), time.Since(s.start).Milliseconds()
	if !x.once {
		l.Timeout = s.left().Milliseconds()
	}
	if b := s.t.Busy; b != nil {
		l.Busy = &busyLook{s.busy, max(min(b.Most-time.Since(s.start), documents.Patience(ctx)), 0).Milliseconds()}
	}
	guarded, cancel := s.guarded(ctx)
	defer cancel()
	k := s.p.Call(guarded, w, x.method, x.with(l))
	var r acted
	if x.along != nil {
		r.read = x.along(w)
	}
	err := s.hear(ctx, guarded, w, k, l.ID, &r)
	r.doc, r.w = w.Doc, w
	return &r, err
}

// call calls a function of the engine that waits for at most the remaining time. When ctx
// is cancelled the engine is notified, without waiting for it: id is that of the call.
func (s *seeker) call(ctx context.Context, w documents.World, method string, id int64, arg, out any) error {
	guarded, cancel := s.guarded(ctx)
	defer cancel()
	return s.hear(ctx, guarded, w, s.p.Call(guarded, w, method, arg), id, out)
}

// guarded is ctx, bounded by the time to wait for the page's answer.
func (s *seeker) guarded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, documents.AnswerWithin(ctx, s.left()))
}

// hear waits for the answer to k, made by call with guarded.
func (s *seeker) hear(ctx, guarded context.Context, w documents.World, k *cdp.Call, id int64, out any) error {
	p := s.p
	silent := s.silent(guarded, w, k)
	err := error(cdp.NotAnswering(context.DeadlineExceeded))
	if silent {
		p.Link.Suspect(err)
	} else {
		err = p.Answer(guarded, k, out)
	}
	if err != nil && (silent || guarded.Err() != nil) {
		p.Call(context.WithoutCancel(ctx), w, "cancel", map[string]int64{"id": id})
	}
	return err
}

// leastSilence is the shortest silence after which a page counts as not answering.
const leastSilence = 400 * time.Millisecond

// silent waits for the answer to k, at most until the time of s is up. It reports whether
// the page has not even answered a probe in the second half of that time: then its answer
// is not worth waiting for.
func (s *seeker) silent(ctx context.Context, w documents.World, k *cdp.Call) bool {
	half := s.left() / 2
	if half < leastSilence || !stillOpenAfter(ctx, k, half) {
		return false
	}
	probe := s.p.Link.StartIn(ctx, s.p.Frames.SessionOf(w.ID), proto.RuntimeEvaluate{Expression: "0"})
	if !stillOpenAfter(ctx, k, s.left()) {
		return false
	}
	select {
	case <-probe.Done():
		return false
	default:
		return true
	}
}

// stillOpenAfter waits for d, and returns false as soon as k or ctx has ended.
func stillOpenAfter(ctx context.Context, k *cdp.Call, d time.Duration) bool {
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-k.Done():
		return false
	case <-ctx.Done():
		return false
	case <-late.C:
		return true
	}
}

// left is how much longer to wait for the element.
func (s *seeker) left() time.Duration { return max(s.limit-time.Since(s.start), 0) }
