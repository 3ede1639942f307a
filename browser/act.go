package browser

// Acting on one element: one call of the engine finds it, waits until it is
// ready, and prepares what is to be done.

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/diag"
	"actionregistry/selectors"
	"actionregistry/steps"
)

const (
	// answerGrace is how much later than its limit the engine may answer. A page
	// that takes longer is in a loop of its own.
	answerGrace = 5 * time.Second
	// reportMargin is the part of a deadline that is kept to say what was seen.
	reportMargin = 100 * time.Millisecond
)

// Readiness of an element, SPEC 5.3.
var (
	attached  = []string{"attached"}
	forPress  = []string{"visible", "stable", "enabled", "hit"}
	forHover  = []string{"visible", "stable", "hit"}
	forFill   = []string{"visible", "enabled", "editable"}
	forSelect = []string{"visible", "enabled"}
)

// An op says what the engine does with the element, at the moment it is ready.
// Each op uses the fields that package engine names for it.
type op struct {
	Name     string   `json:"name"`
	Position *point   `json:"position,omitempty"`
	Button   string   `json:"button,omitempty"`
	Count    int      `json:"count,omitempty"`
	On       bool     `json:"on"`
	Value    string   `json:"value"`
	Values   []string `json:"values"`
	What     string   `json:"what,omitempty"`
	Attr     string   `json:"attr,omitempty"`
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// An act is what is asked of the engine; see package engine. Times are in
// milliseconds.
type act struct {
	Query   *selectors.Query `json:"query"`
	Need    []string         `json:"need"`
	Strict  bool             `json:"strict"`
	Timeout int64            `json:"timeout"`
	Elapsed int64            `json:"elapsed"`
	Grace   int64            `json:"grace"`
	ID      int64            `json:"id"`
	Op      op               `json:"op"`
	State   *state           `json:"state,omitempty"`
}

type state struct {
	State string `json:"state"`
	Text  string `json:"text,omitempty"`
}

// An acted is the engine's answer.
type acted struct {
	OK  bool    `json:"ok"`
	El  element `json:"el"`
	Won []struct {
		Alias  string `json:"alias"`
		Index  int    `json:"index"`
		Source string `json:"source"`
	} `json:"won"`
	Count int `json:"count"`

	Reason  string         `json:"reason"`
	Seen    lines          `json:"seen"`
	Lines   []string       `json:"lines"`
	Missing string         `json:"missing"`
	Detail  string         `json:"detail"`
	Message string         `json:"message"`
	Code    diag.Code      `json:"code"`
	Details map[string]any `json:"details"`

	Point   point           `json:"point"`
	Already bool            `json:"already"`
	Mode    string          `json:"mode"`
	Values  []string        `json:"values"`
	Value   json.RawMessage `json:"value"`

	doc steps.Document // in which it was done
	w   world
}

// lines is a list of texts, or one text of several lines.
type lines []string

func (l *lines) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = strings.FieldsFunc(one, func(r rune) bool { return r == '\n' })
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}

type element struct {
	Role string `json:"role"`
	Name string `json:"name"`
	Text string `json:"text"`
	Desc string `json:"desc"`
}

func (e element) plain() steps.Element {
	return steps.Element{Role: e.Role, Name: e.Name, Text: e.Text, Desc: e.Desc}
}

// A seeker finds the element of one step. It lives for one call of a method, and
// carries over what must hold across the documents of that call: the time, and
// the selector bound for the document.
type seeker struct {
	p     *Page
	t     steps.Target // Bind nil: the focused element
	start time.Time
	limit time.Duration // of waiting
	cut   bool          // the limit is the context's, shorter than the target's
	bound string        // id of the document of query
	query *selectors.Query
}

func (p *Page) seek(ctx context.Context, t steps.Target) *seeker {
	s := &seeker{p: p, t: t, start: time.Now(), limit: t.Timeout}
	if deadline, ok := ctx.Deadline(); ok {
		left := max(time.Until(deadline)-reportMargin, 0)
		// A little less is no other limit: callers bound the call and the wait alike.
		s.cut = left+2*reportMargin < s.limit
		s.limit = min(s.limit, left)
	}
	return s
}

func (p *Page) seekFocused(ctx context.Context) *seeker {
	return p.seek(ctx, steps.Target{Source: "the focused element"})
}

// find is seek and act for methods that act once.
func (p *Page) find(ctx context.Context, t steps.Target, a act) (*acted, error) {
	return p.seek(ctx, t).act(ctx, a)
}

// act asks the engine until it has looked at a document that stayed. a's query
// and times are filled in.
func (s *seeker) act(ctx context.Context, a act) (*acted, error) {
	for {
		w, err := s.p.currentWorld(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.bind(ctx, w.doc); err != nil {
			return nil, err
		}
		r, err := s.ask(ctx, w, a)
		switch {
		case errors.Is(err, errWorldGone):
			if err := s.p.afterWorld(ctx, w); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		case !r.OK:
			return nil, s.failure(ctx, r)
		}
		s.decided(w.doc, r)
		return r, nil
	}
}

// decided tells which candidates of aliases have won.
func (s *seeker) decided(doc steps.Document, r *acted) {
	if s.t.Decided == nil {
		return
	}
	for _, won := range r.Won {
		s.t.Decided(doc, steps.Winner{Alias: won.Alias, Index: won.Index, Source: won.Source})
	}
}

// bind gets the selector for doc, once.
func (s *seeker) bind(ctx context.Context, doc steps.Document) error {
	if s.t.Bind == nil || s.bound == doc.ID {
		return nil
	}
	q, err := s.t.Bind(ctx, doc)
	if err != nil {
		return err
	}
	s.query, s.bound = q, doc.ID
	return nil
}

// ask makes one call of the engine.
func (s *seeker) ask(ctx context.Context, w world, a act) (*acted, error) {
	a.Query, a.ID = s.query, s.p.acts.next()
	a.Timeout, a.Grace = s.left().Milliseconds(), s.t.Grace.Milliseconds()
	a.Elapsed = time.Since(s.start).Milliseconds()
	var r acted
	err := s.call(ctx, w, "act", a.ID, a, &r)
	r.doc, r.w = w.doc, w
	return &r, err
}

// call calls a function of the engine that waits for at most the time that is
// left. When ctx is cancelled the engine is told, without waiting for it: id is
// that of the call.
func (s *seeker) call(ctx context.Context, w world, method string, id int64, arg, out any) error {
	p := s.p
	if needsAX(s.query) {
		p.keepAX(ctx, w)
	}
	guarded, cancel := context.WithTimeout(ctx, s.left()+answerGrace)
	defer cancel()
	err := p.answer(guarded, p.call(guarded, w, method, arg), out)
	if err != nil && guarded.Err() != nil {
		p.call(context.WithoutCancel(ctx), w, "cancel", map[string]int64{"id": id})
	}
	return err
}

// left is how much longer the element may be waited for.
func (s *seeker) left() time.Duration { return max(s.limit-time.Since(s.start), 0) }

// needsAX reports whether q asks for roles, which the browser computes quickly
// only while it keeps an accessibility tree.
func needsAX(q *selectors.Query) bool { return q != nil && partsNeedAX(q.Parts) }

func partsNeedAX(parts []selectors.QueryPart) bool {
	for i := range parts {
		part := &parts[i]
		if part.Kind == selectors.Role || needsAX(part.Has) || needsAX(part.Frame) {
			return true
		}
		for j := range part.Alts {
			if partsNeedAX(part.Alts[j].Parts) {
				return true
			}
		}
	}
	return false
}

// keepAX makes the browser keep the accessibility tree of w's document. The page
// does these calls before those that are sent after them, so nobody waits.
func (p *Page) keepAX(ctx context.Context, w world) {
	p.mu.Lock()
	kept := p.doc.ax || p.doc.id != w.doc.ID
	if !kept {
		p.doc.ax = true
	}
	p.mu.Unlock()
	if !kept {
		ctx = context.WithoutCancel(ctx) // the next look needs it too
		p.start(ctx, proto.AccessibilityEnable{})
		p.start(ctx, proto.AccessibilityGetRootAXNode{FrameID: p.frame})
	}
}
