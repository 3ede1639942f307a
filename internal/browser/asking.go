package browser

// One question of a search to the engine of a document: it is sent, and answered in time or not.

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/devtools"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/selectors"
)

const (
	// mostRounds limits how often in a row the engine may request names. After that, the engine
	// decides with the names that it knows.
	mostRounds = 5
	// newRow is how long a query must wait in the page so that the count for mostRounds starts
	// again.
	newRow = 500 * time.Millisecond
)

// ask sends x to the engine in w and returns the answer. The argument "hold" is the key of the
// frame that is searched concurrently, or 0. While the page is still requesting data, ask sends x
// again in two cases: the engine ended its wait early because the page was calm, or the element is
// disabled. For a disabled element, it sends x once more when the requests are answered. The engine
// may then take the focus from a field.
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
			l.Keep, l.Part = s.p.controls.keeper.run, s.p.controls.keeper.part
		}
		if !x.once && !x.beside {
			l.Calm = s.calm
		}
		for {
			r, err := s.askOnce(ctx, w, l, x)
			switch {
			case err != nil:
				return r, err
			case r.Leaves && !x.once && s.left() > 0:
				if l.Leave = !s.p.Fetches(); !l.Leave {
					if err := s.p.Link.Pause(ctx, stirPause); err != nil {
						return nil, err
					}
				}
			case !r.Calm || !s.p.Fetches():
				return r, nil
			}
		}
	})
}

// askOnce makes one call for ask. It fills in the fields of l that differ from call to call.
func (s *seeker) askOnce(ctx context.Context, w documents.World, l lookup, x question) (*acted, error) {
	l.ID, l.Grace, l.Elapsed = s.p.NextAct(), s.t.Grace.Milliseconds(), time.Since(s.start).Milliseconds()
	if !x.once {
		l.Timeout = s.left().Milliseconds()
	}
	if b := s.t.Busy; b != nil {
		l.Busy = &busyQuery{s.busy, max(min(b.Most-time.Since(s.start), documents.Patience(ctx)), 0).Milliseconds()}
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

// call calls a function of the engine and decodes its answer into out. It waits for the answer for
// about the time that s has left. If ctx ends first, call cancels the function, whose number is id.
func (s *seeker) call(ctx context.Context, w documents.World, method string, id int64, arg, out any) error {
	guarded, cancel := s.guarded(ctx)
	defer cancel()
	return s.hear(ctx, guarded, w, s.p.Call(guarded, w, method, arg), id, out)
}

// guarded returns ctx with the deadline for an answer of the page.
func (s *seeker) guarded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, documents.AnswerWithin(ctx, s.left()))
}

// hear waits for the answer to the call k and decodes it into out. The argument "guarded" is the
// context with which k was started. If no answer comes, hear cancels the engine's function, whose
// number is id.
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

// silent waits until k is answered, but only for the time that s has left, or for AnswerGrace if that
// is longer: a slow page may still be working on k. It reports whether the page has stopped
// answering. To find out, it sends the page a probe after half of that time. It returns false at once
// if half of the time that s has left is less than leastSilence.
func (s *seeker) silent(ctx context.Context, w documents.World, k *cdp.Call) bool {
	half := s.left() / 2
	if half < leastSilence {
		return false
	}
	half = max(half, documents.AnswerGrace/2)
	if !stillOpenAfter(ctx, k, half) {
		return false
	}
	probe := s.p.Link.StartIn(ctx, s.p.Frames.SessionOf(w.ID), proto.RuntimeEvaluate{Expression: "0"})
	if !stillOpenAfter(ctx, k, half) {
		return false
	}
	select {
	case <-probe.Done():
		return false
	default:
		return true
	}
}

// stirPause is the pause before ask queries a disabled element again while requests of the page are
// open.
const stirPause = 30 * time.Millisecond

// left returns how much longer to wait for the element, at least 0.
func (s *seeker) left() time.Duration { return max(s.limit-time.Since(s.start), 0) }

// stillOpenAfter waits for d and reports whether k is still unanswered. It returns false as soon as
// k is answered or ctx ends.
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

// leastSilence is the shortest silence after which a page counts as not answering.
const leastSilence = 400 * time.Millisecond

// sure calls query and returns its answer. If the engine needs the names of elements in w, sure
// sends the names and calls query again. It passes two values to query: whether the engine may
// request names, and whether the browser keeps the accessibility tree of w. The first value is
// false after mostRounds requests in a row. The count starts again as described for newRow, but not
// after the time "end".
func (p *finder) sure(ctx context.Context, w documents.World, end time.Time, query func(asks, kept bool) (*acted, error)) (*acted, error) {
	kept := p.Frames.KeepsAX(w)
	for round := 1; ; round++ {
		began := time.Now()
		r, err := query(round <= mostRounds, kept)
		if err != nil || r.Reason != "names" && r.Reason != "tree" {
			return r, err
		}
		p.KeepAX(ctx, w)
		kept = true
		if r.Reason == "tree" {
			continue
		}
		if time.Since(began) > newRow && time.Now().Before(end) {
			round = 0
		}
		devtools.SendNames(ctx, p.Tab, w, r.Unsure)
	}
}
