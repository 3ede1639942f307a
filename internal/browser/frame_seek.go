package browser

// Finding an element through frames that the engine cannot enter.
//
// The engine goes as far as it can in one world. When it meets such a frame it answers with a
// crossing, and the search continues in the frame's world with the rest of the query. Concurrently,
// the outer world watches the frame: when the query no longer leads into it, the search starts
// again.
//
// An alias is resolved where it stands in the query. If one of its candidates leads into a frame,
// only that candidate is searched there, concurrently with the others. Then the query is narrowed
// to the candidate that matches first.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/selectors"
)

// A lookup is the common part of every search request to the engine. Times are in milliseconds. A
// Timeout of 0 means a single query.
type lookup struct {
	in      documents.World    // world that gets the request
	more    []*selectors.Query // further queries of the question, bound
	Query   *selectors.Query   `json:"query"`
	Timeout int64              `json:"timeout"`
	Elapsed int64              `json:"elapsed"`
	Grace   int64              `json:"grace"`
	ID      int64              `json:"id"`
	Hold    int                `json:"hold,omitempty"`  // key of the frame that is searched concurrently; 0: none
	Busy    *busyQuery         `json:"busy,omitempty"`  // wait until the content to read is no longer loading
	Calm    *calmQuery         `json:"calm,omitempty"`  // end the wait when the page is calm
	Leave   bool               `json:"leave,omitempty"` // take the focus from a field if the element is disabled
	Keep    int64              `json:"keep,omitempty"`  // number of the run that later checks the value that is read; 0: none
	Part    int                `json:"part,omitempty"`  // number of the current part of that run
	Asks    bool               `json:"asks"`            // the engine may answer with a request for names
	Kept    bool               `json:"kept"`            // the browser keeps the accessibility tree, so the page can get names itself
}

// A busyQuery is a [driver.Busy] in the form that the engine receives.
type busyQuery struct {
	Query *selectors.Query `json:"query,omitempty"`
	Most  int64            `json:"most"` // ms left to wait for the loading to end
}

// A calmQuery makes the engine end a wait when the page is calm. The page is not calm while an
// element matches Query, or while an ARIA attribute says that it is busy.
type calmQuery struct {
	Query *selectors.Query `json:"query,omitempty"`
}

// A question is a request that a step sends to the engine. It may be sent to several worlds.
type question struct {
	method string             // function of the engine
	with   func(lookup) any   // returns the argument of the function
	more   []*selectors.Query // further queries in the request, such as those of the fields of a row
	// match is the state in which an element counts as a match for a candidate of an alias.
	match state
	// union is set for a wait until elements are gone. That wait ends when no candidate of an alias
	// matches any more.
	union bool
	// once means a single query, without waiting.
	once bool
	// beside means that several frames are searched concurrently.
	beside bool
	// none is the answer for a selector that can match nothing. If it is nil, the page is queried even
	// for such a selector.
	none *acted
	// along, if set, sends a call that reads back the effect of the request. Both are sent at once.
	along func(documents.World) *cdp.Call
}

// A crossing is the position in a query from which the search continues in a frame that the engine
// cannot enter.
type crossing struct {
	key    int   // key of the frame, as in [documents.World]
	path   []int // position in the query; see underAlias
	hidden bool  // the frame is not visible
}

// in searches for the query "full" in w and in the frames of w. If w is gone, the error is
// cdp.ErrGone.
func (s *seeker) in(ctx context.Context, w documents.World, full *selectors.Query, x question) (*acted, error) {
	q, won := full, []winner(nil)
	var inside []crossing // candidates to be searched inside frames
	for emptied := false; ; {
		r, found, err := s.beside(ctx, w, q, x, inside)
		switch {
		case errors.Is(err, documents.ErrAgain):
			q, won, inside = full, nil, nil
			continue
		case err != nil:
			return nil, err
		case found != nil:
			won = append(won, winnerOf(q, found.path))
			q, inside = narrow(q, found.path), nil
			continue
		case r.OK && x.union && len(inside) > 0 && !emptied:
			if r, err = s.goneInside(ctx, w, q, x, inside); errors.Is(err, documents.ErrAgain) {
				inside = nil
				continue
			} else if err != nil || !r.OK {
				return r, err
			}
			emptied = true
			continue
		case r.Reason != "enter":
			r.Won = append(won, r.Won...)
			return r, nil
		}
		c, before := crossing{r.Frame, r.Path, r.Hidden}, r.Won
		if !underAlias(c.path) {
			if r, err = s.inside(ctx, w, q, c, x); errors.Is(err, documents.ErrAgain) {
				q, won, inside = full, nil, nil
				continue
			} else if err != nil {
				return nil, err
			}
			r.Won = slices.Concat(won, before, r.Won)
			return r, nil
		}
		inside = append(inside, c)
		if x.union {
			continue
		}
		switch ok, err := s.matches(ctx, w, q, c, x, 0); {
		case errors.Is(err, documents.ErrAgain):
			inside = nil
		case err != nil:
			return nil, err
		case ok:
			won = append(won, winnerOf(q, c.path))
			q, inside = narrow(q, c.path), nil
		}
	}
}

// beside searches in w. It also searches in the frames of the argument "inside", all concurrently.
// Each frame is searched for the candidate that leads into it. If such a candidate is the first to
// match, found is its crossing. Otherwise r is the answer of w.
func (s *seeker) beside(ctx context.Context, w documents.World, q *selectors.Query, x question, inside []crossing) (r *acted, found *crossing, err error) {
	rest := q
	for _, c := range inside {
		rest = without(rest, c.path)
	}
	here := func(ctx context.Context) (*acted, error) { return s.ask(ctx, w, rest, x, 0) }
	if x.once || x.union || len(inside) == 0 {
		r, err = here(ctx)
		return r, nil, err
	}
	x.beside = true
	all := []func(context.Context) (*acted, error){here}
	for _, c := range inside {
		all = append(all, func(ctx context.Context) (*acted, error) {
			ok, err := s.matches(ctx, w, q, c, x, s.left())
			if err == nil && !ok { // the time is up: the search in w reports that
				<-ctx.Done()
				err = ctx.Err()
			}
			return &acted{}, err
		})
	}
	i, r, err := first(ctx, all...)
	if i > 0 && err == nil {
		return nil, &inside[i-1], nil
	}
	return r, nil, err
}

// inside continues the search in the frame of c, with the rest of q. If q stops leading into that
// frame, it returns documents.ErrAgain.
func (s *seeker) inside(ctx context.Context, w documents.World, q *selectors.Query, c crossing, x question) (*acted, error) {
	inner, err := s.enter(ctx, w, c, x)
	if err != nil {
		return nil, err
	}
	there := func(ctx context.Context) (*acted, error) {
		r, err := s.in(ctx, inner, behind(q, c.path), x)
		if cdp.IsGone(err) {
			err = s.p.Gone(ctx, inner)
		}
		if err == nil {
			r.unseen = r.unseen || c.hidden
		}
		return r, err
	}
	if x.once {
		return there(ctx)
	}
	_, r, err := first(ctx, there, func(ctx context.Context) (*acted, error) { return nil, s.hold(ctx, w, q, c, x) })
	return r, err
}

// enter returns the world of the frame of c. If the process of the frame has crashed, enter waits
// until the page has loaded the frame again, and then returns documents.ErrAgain.
func (s *seeker) enter(ctx context.Context, w documents.World, c crossing, x question) (documents.World, error) {
	inner, err := s.p.Enter(ctx, w, c.key)
	if !errors.Is(err, documents.ErrCrashed) || x.once || s.left() == 0 {
		return inner, err
	}
	if err := s.p.Revived(ctx, w, c.key, s.left); err != nil {
		return inner, err
	}
	return inner, documents.ErrAgain
}

// hold waits until q no longer leads into the frame of c, and then returns documents.ErrAgain. It
// returns the error of ctx if ctx ends first.
func (s *seeker) hold(ctx context.Context, w documents.World, q *selectors.Query, c crossing, x question) error {
	if err := s.p.Link.Pause(ctx, documents.HoldAfter); err != nil {
		return err
	}
	if x.method != "act" {
		x = question{method: "act", with: func(l lookup) any { return act{lookup: l, State: &x.match} }}
	}
	r, err := s.ask(ctx, w, q, x, c.key)
	if err == nil && r.Reason == "changed" {
		return documents.ErrAgain
	}
	if err == nil { // the time is up, also for the search inside
		<-ctx.Done()
		err = ctx.Err()
	}
	return err
}

// matches reports whether the candidate of c matches inside its frame. It waits for a match for at
// most d. If d is 0, it makes a single query.
func (s *seeker) matches(ctx context.Context, w documents.World, q *selectors.Query, c crossing, x question, d time.Duration) (bool, error) {
	if partsLast(q.Parts, c.path) && x.match.State == "visible" {
		if c.hidden {
			return false, nil
		}
	} else { // only the element at the end of the query must be visible
		x.match.State = "attached"
	}
	inner, err := s.enter(ctx, w, c, x)
	if err != nil {
		return false, err
	}
	probe := *s
	probe.start, probe.limit, probe.t.Decided = time.Now(), d, nil
	ask := question{method: "act", once: d == 0, match: x.match, with: func(l lookup) any {
		return act{lookup: l, Op: op{Name: "none"}, State: &x.match}
	}}
	r, err := probe.in(ctx, inner, candidate(q, c.path), ask)
	if cdp.IsGone(err) {
		err = s.p.Gone(ctx, inner)
	}
	return err == nil && r.OK, err
}

// goneInside checks whether the candidates that lead into frames no longer match anything there. It
// checks one frame after another, and returns the first refusal. If there is none, it returns the
// last answer.
func (s *seeker) goneInside(ctx context.Context, w documents.World, q *selectors.Query, x question, inside []crossing) (*acted, error) {
	var last *acted
	for _, c := range inside {
		inner, err := s.enter(ctx, w, c, x)
		if err != nil {
			return nil, err
		}
		r, err := s.in(ctx, inner, behind(q, c.path), x)
		if cdp.IsGone(err) {
			err = s.p.Gone(ctx, inner)
		}
		if err != nil || !r.OK {
			return r, err
		}
		last = r
	}
	return last, nil
}

// first runs the functions fs concurrently. It returns the answer and the index of the function
// that ends first. It cancels the others and waits for them. If fs[0] succeeds, its answer is
// returned in any case, because it may have changed the page.
func first(ctx context.Context, fs ...func(context.Context) (*acted, error)) (int, *acted, error) {
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(documents.ErrSettled)
	type answer struct {
		r   *acted
		err error
	}
	var wg sync.WaitGroup
	answers := make([]answer, len(fs))
	ended := make(chan int, len(fs))
	for i, f := range fs {
		wg.Go(func() {
			answers[i].r, answers[i].err = f(ctx)
			ended <- i
		})
	}
	i := <-ended
	cancel(documents.ErrSettled)
	wg.Wait()
	if answers[0].err == nil || outer.Err() != nil {
		i = 0
	}
	return i, answers[i].r, answers[i].err
}

// A path is the position in a query at which the engine met a frame. It begins with the index of a
// part. If that is an alias, the index of a candidate follows, and a path in the candidate. If it is
// a frame that is found through another frame, -1 follows, and a path in its selector. The last
// part is a frame, or a ref whose element is in one. The functions below take a query apart at a
// path. They change no query, because queries share their parts.

// underAlias reports whether path leads through an alias.
func underAlias(path []int) bool {
	for i := 1; i < len(path); i += 2 {
		if path[i] >= 0 {
			return true
		}
	}
	return false
}

// innermost returns the i for which path[i] is the last alias of path.
func innermost(path []int) int {
	for i := len(path) - 2; i > 0; i -= 2 {
		if path[i] >= 0 {
			return i - 1
		}
	}
	return 0
}

// behind returns the part of q that must be searched inside the frame at the end of path. The
// result is nil if q is nil, which stands for the focused element.
func behind(q *selectors.Query, path []int) *selectors.Query {
	if q == nil { // the focused element
		return nil
	}
	return &selectors.Query{Parts: partsBehind(q.Parts, path)}
}

// partsBehind is like behind, for the parts of a query.
func partsBehind(parts []selectors.QueryPart, path []int) []selectors.QueryPart {
	part, after := &parts[path[0]], parts[path[0]+1:]
	switch {
	case len(path) == 1 && part.Kind == selectors.RefKind: // the element of the ref is in the frame
		return parts[path[0]:]
	case len(path) == 1:
		return after
	case path[1] < 0: // a frame inside the selector of a frame
		inner := partsBehind(part.Frame.Parts, path[2:])
		return slices.Concat([]selectors.QueryPart{{Kind: selectors.Frame, Frame: &selectors.Query{Parts: inner}}}, after)
	}
	return slices.Concat(partsBehind(part.Alts[path[1]].Parts, path[2:]), after)
}

// candidate returns the query to search inside the frame at the end of path. It consists of the
// rest of the candidate that path selects in its last alias.
func candidate(q *selectors.Query, path []int) *selectors.Query {
	at := innermost(path)
	return &selectors.Query{Parts: partsBehind(partAt(q.Parts, path[:at+1]).Alts[path[at+1]].Parts, path[at+2:])}
}

// partsLast reports whether nothing follows the last alias of path.
func partsLast(parts []selectors.QueryPart, path []int) bool {
	return len(partsBehind(parts, path)) == len(candidate(&selectors.Query{Parts: parts}, path).Parts)
}

// partAt returns the part at the end of path.
func partAt(parts []selectors.QueryPart, path []int) *selectors.QueryPart {
	part := &parts[path[0]]
	switch {
	case len(path) == 1:
		return part
	case path[1] < 0:
		return partAt(part.Frame.Parts, path[2:])
	}
	return partAt(part.Alts[path[1]].Parts, path[2:])
}

// narrow returns a copy of q in which the last alias of path is replaced by the candidate that path
// selects.
func narrow(q *selectors.Query, path []int) *selectors.Query {
	at := innermost(path)
	return &selectors.Query{Parts: edit(q.Parts, path[:at+1], func(part selectors.QueryPart) []selectors.QueryPart {
		return part.Alts[path[at+1]].Parts
	})}
}

// without returns a copy of q in which the candidate that path selects in its last alias matches
// nothing.
func without(q *selectors.Query, path []int) *selectors.Query {
	at := innermost(path)
	return &selectors.Query{Parts: edit(q.Parts, path[:at+1], func(part selectors.QueryPart) []selectors.QueryPart {
		part.Alts = slices.Clone(part.Alts)
		part.Alts[path[at+1]].Parts = []selectors.QueryPart{{Kind: selectors.CSS, Value: ":not(*)"}}
		return []selectors.QueryPart{part}
	})}
}

// edit returns a copy of parts in which the part at the end of path is replaced. The function "by"
// returns the replacement for that part.
func edit(parts []selectors.QueryPart, path []int, by func(selectors.QueryPart) []selectors.QueryPart) []selectors.QueryPart {
	i := path[0]
	part := parts[i]
	var put []selectors.QueryPart
	switch {
	case len(path) == 1:
		put = by(part)
	case path[1] < 0:
		part.Frame = &selectors.Query{Parts: edit(part.Frame.Parts, path[2:], by)}
		put = []selectors.QueryPart{part}
	default:
		part.Alts = slices.Clone(part.Alts)
		part.Alts[path[1]].Parts = edit(part.Alts[path[1]].Parts, path[2:], by)
		put = []selectors.QueryPart{part}
	}
	return slices.Concat(parts[:i], put, parts[i+1:])
}

// winnerOf describes the candidate that path selects in its last alias.
func winnerOf(q *selectors.Query, path []int) winner {
	at := innermost(path)
	return winner{Alias: partAt(q.Parts, path[:at+1]).Alias, Index: path[at+1]}
}
