package browser

// Acting on one element: one call of the engine finds it, waits until it is actionable, and
// prepares the input.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// The actionability checks that an element must pass before a step acts on it. The strings are the
// names of the checks in the engine. attached requires only that the element exists.
var (
	attached  = []string{"attached"}
	forPress  = []string{"visible", "stable", "enabled", "hit"}
	forHover  = []string{"visible", "stable", "hit"}
	forFill   = []string{"visible", "enabled", "editable"}
	forSelect = []string{"visible", "enabled"}
)

// An op is an operation that the engine performs on an element. Name is its key in
// engine/page/ops.js. Each operation uses only some of the other fields.
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
	Keep     int64             `json:"keep,omitempty"` // number of the run that later checks the value; 0: none
	Part     int               `json:"part,omitempty"` // number of the part of that run
	Watch    *documents.Noting `json:"watch,omitempty"`
	Scroll   *scroll           `json:"scroll,omitempty"`
	Before   *[]any            `json:"before,omitempty"` // rows that the table showed before; the step waits for other rows
	But      []int             `json:"but,omitempty"`    // numbers of the calendars that the operation ignores
	Drawn    bool              `json:"drawn,omitempty"`  // with Before: some frames later, read the rows even if they are the same
}

// A point is a position, a distance or a size. X and Y are in CSS pixels.
type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// An act is the argument of the engine's function act, which waits for an element and performs Op
// on it. The element must pass the checks in Need. If State is set, the engine waits for that state
// instead. If Strict is set, several matches are an error.
type act struct {
	lookup
	Need   []string `json:"need"`
	Strict bool     `json:"strict"`
	Expect string   `json:"expect,omitempty"` // see [driver.Target.Expect]
	Inner  bool     `json:"inner,omitempty"`  // whether the request is for a frame other than the main one
	Op     op       `json:"op"`
	State  *state   `json:"state,omitempty"`
}

// A state is a [driver.ElementState] in the form that the engine receives.
type state struct {
	State string `json:"state"`
	Text  string `json:"text,omitempty"`
}

// acted is the engine's answer to a search. OK means that the element was found and the operation
// performed. Otherwise Reason says why not.
type acted struct {
	OK    bool     `json:"ok"`
	El    element  `json:"el"`
	Won   []winner `json:"won"`
	Count int      `json:"count"`

	Reason  string          `json:"reason"`
	Seen    documents.Lines `json:"seen"`
	Aside   []string        `json:"aside"` // visible frames, not searched because the query enters no frame
	Empty   bool            `json:"empty"` // the page shows no content
	Lines   []string        `json:"lines"`
	Missing string          `json:"missing"`
	Detail  string          `json:"detail"`
	Row     []string        `json:"row"` // texts of the row that a stale element is in now
	Message string          `json:"message"`
	Code    diag.Code       `json:"code"`
	Next    string          `json:"next"` // hint: what to do next
	Details map[string]any  `json:"details"`
	Frames  bool            `json:"frames"` // Reason concerns the frames on the way to the element
	Unsure  []int           `json:"unsure"` // numbers of the elements whose names are requested, if Reason is "names"

	Point   point           `json:"point"`
	Wheel   *point          `json:"wheel"`   // distance to turn the mouse wheel over the element
	Already bool            `json:"already"` // the element has the requested state, without input
	Works   bool            `json:"works"`   // the page may still change the state
	Undrawn bool            `json:"undrawn"` // the page still draws the previous state
	Calm    bool            `json:"calm"`    // the wait ended early, because nothing on the page is in progress
	Leaves  bool            `json:"leaves"`  // the element is disabled, and the engine may take the focus from a field
	Mode    string          `json:"mode"`
	Settle  bool            `json:"settle"` // whether the page must process its selection event before text is inserted
	Now     float64         `json:"now"`    // current number of a slider
	Keys    [2]string       `json:"keys"`   // keys that increase and decrease that number
	Takes   *takes          `json:"takes"`  // what a file input accepts
	Held    *held           `json:"held"`   // value of a control that was read again
	Values  []string        `json:"values"`
	Value   json.RawMessage `json:"value"`
	Cut     bool            `json:"cut"`
	Tree    *tree           `json:"tree"` // answer to a walk

	Answers []*acted `json:"answers"` // answers to the questions of Look, in their order

	Reverted []revert `json:"reverted"` // controls that the page has changed since the run set them; nil if none was checked
	As       sentAs   `json:"as"`       // how a form sends the control that the run sets

	read *cdp.Call // the read-back that was sent with the act; nil if none was

	// The following fields are set by functions of the engine other than act.
	Visible bool             `json:"visible"`
	Enough  bool             `json:"enough"`
	Grown   bool             `json:"grown"`
	Rows    []map[string]any `json:"rows"`
	Text    string           `json:"text"`
	Attr    string           `json:"attr"`
	Ref     shown            `json:"ref"`
	Refs    map[string]shown `json:"refs"` // of the buttons and other parts of a calendar

	// View is the size of the viewport that Point refers to. Nil means the page's own viewport.
	View  *point `json:"view"`
	Moved bool   `json:"moved"` // the engine has scrolled to the element

	// Frame, Path and Hidden are the fields of a [crossing].
	Frame  int   `json:"frame"`
	Path   []int `json:"path"`
	Hidden bool  `json:"hidden"`

	doc    driver.Document // in which the operation was performed
	w      documents.World
	unseen bool // a frame around it is hidden
	sent   int  // number of requests before the operation that may have stored something

	nothing bool // the selector can match nothing: the page was not queried
}

// A winner is the candidate that matched for an alias; see [driver.Winner].
type winner struct {
	Alias string `json:"alias"`
	Index int    `json:"index"`
}

// An element is a [driver.Element] as the engine sends it.
type element struct {
	Role string `json:"role"`
	Name string `json:"name"`
	Text string `json:"text"`
	Desc string `json:"desc"`
}

// plain returns e as a [driver.Element], for callers outside the package.
func (e element) plain() driver.Element {
	return driver.Element{Role: e.Role, Name: e.Name, Text: e.Text, Desc: e.Desc}
}

// A seeker searches for the element of one step. Each call of a Page method creates its own seeker.
// If the document is replaced during the call, the search continues in the new document, with the
// same time limit.
type seeker struct {
	p     *finder
	t     driver.Target // Bind nil: the focused element
	start time.Time
	limit time.Duration // of the wait, from start
	cut   bool          // whether the deadline of the context left less than half of the target's timeout
	bound string        // id of the document that query is bound for
	query *selectors.Query
	busy  *selectors.Query // t.Busy, bound
	calm  *calmQuery       // t.Calm, bound; nil: the wait does not end early
}

func (p *finder) seek(ctx context.Context, t driver.Target) *seeker {
	s := &seeker{p: p, t: t, start: time.Now(), limit: t.Timeout}
	if deadline, ok := ctx.Deadline(); ok {
		left := max(time.Until(deadline)-documents.ReportMargin, 0)
		// A caller may bound the call and each wait by the same time, and the elements before this
		// one have taken a part of it. So the wait counts as cut short only if less than half of it
		// is left.
		s.cut = left+documents.ReportMargin < s.limit/2
		s.limit = min(s.limit, left)
	}
	return s
}

func (p *finder) seekFocused(ctx context.Context) *seeker {
	return p.seek(ctx, driver.Target{Source: "the focused element"})
}

// find searches for the element of t and performs a on it.
func (p *finder) find(ctx context.Context, t driver.Target, a act) (*acted, error) {
	return p.seek(ctx, t).act(ctx, a)
}

// act finds the element and performs a.Op on it. If the document is replaced during the search, act
// searches the next document. The caller need not set the query and the time limits of a. If the
// engine refuses, the error has a code; see failure.
func (s *seeker) act(ctx context.Context, a act) (*acted, error) {
	s.p.controls.keepSince(a.Op.Name)
	a.Expect = s.t.Expect
	a.Op.Keep, a.Op.Part = s.p.controls.keeper.run, cmp.Or(a.Op.Part, s.p.controls.keeper.part)
	sends := a.Op.Name != "" && a.Op.Name != "none" && a.Op.Name != "read"
	if sends {
		if a.Op.Name != "carried" {
			s.p.controls.followKept(ctx)
		}
		if s.p.controls.keeper.run != 0 {
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
		asked := a // a copy, because several worlds may be queried concurrently
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
		s.p.controls.noteReverts(r.w, r.Reverted)
		if sends {
			s.p.NoteWorld(r.w)
		}
		if s.t.Keep {
			s.p.controls.keepIn(r.w)
		}
		return r, nil
	}
}

// match returns the state in which an element counts as a match for a candidate of an alias.
func (a *act) match() state {
	if a.State != nil && (a.State.State == "visible" || a.State.State == "") || slices.Contains(a.Need, "visible") {
		return state{State: "visible"}
	}
	return state{State: "attached"}
}

// search sends x to the page and returns the answer, which may be a refusal. If the document is
// replaced, search sends x to the next document.
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
			return nil, diag.New(diag.ElementNotFound, "%s: the process of the frame that contains the element has crashed", s.t.Source).
				WithDetail("selector", s.t.Source).WithDetail("reason", "frame_crashed").WithHint("reload the page")
		case err != nil:
			return nil, err
		default:
			return r, nil
		}
	}
}

// nothing returns the answer to x for a selector that can match nothing. The page need not be
// queried then. It returns nil for any other selector, and if x.none is nil.
func (s *seeker) nothing(w documents.World, x question) *acted {
	if _, ok := s.query.Nothing(); !ok || x.none == nil {
		return nil
	}
	r := *x.none
	r.doc, r.w, r.nothing = w.Doc, w, true
	return &r
}

// decided reports to the target which candidates of its aliases matched and which refs were found
// again. In r.Won, a ref is listed as an alias whose name begins with "@".
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
		s.t.Decided(doc, driver.Winner(won))
	}
}

// bind binds the selectors of the target for doc, unless they are already bound for it.
func (s *seeker) bind(ctx context.Context, doc driver.Document) error {
	if s.t.Bind == nil || s.bound == doc.ID {
		return nil
	}
	q, err := s.t.Bind(ctx, doc)
	if err == nil && s.t.Busy != nil {
		s.busy, err = s.t.Busy.Bind(ctx, doc)
	}
	if err == nil && s.t.Calm != nil {
		s.calm = &calmQuery{}
		s.calm.Query, err = s.t.Calm.Bind(ctx, doc)
	}
	if err != nil {
		return err
	}
	s.query, s.bound = q, doc.ID
	return nil
}
