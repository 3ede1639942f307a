package documents

// Waits that concern the whole page. A world queries the documents that its engine reaches. The
// frames with other worlds are queried concurrently, at any depth. During the wait, the engine of
// the surrounding document reports frames that are added, removed or hidden.

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

const (
	// frameGrace is added to the time limit of a frame. A frame that takes longer is ignored.
	frameGrace = time.Second
	// AnswerGrace is added to the time limit of an engine call. A page that takes longer runs an
	// endless loop.
	AnswerGrace = 5 * time.Second
	// ReportMargin is the time before a deadline that is reserved for reporting the result.
	ReportMargin = 100 * time.Millisecond
)

// A patrol waits for a condition in the main document of a page and in the documents of its frames.
type patrol struct {
	p      *Worlds
	method string
	arg    func() map[string]any // the request, without the fields that ask adds
	until  time.Time
	// all is set if the condition must hold in every document. Otherwise one document is enough.
	all bool
}

// waiting is the engine's answer to a wait that concerns the whole page.
type waiting struct {
	OK      bool      `json:"ok"`
	Reason  string    `json:"reason"`
	Code    diag.Code `json:"code"` // if Reason is "op", for a page too large to query
	Message string    `json:"message"`
	Next    string    `json:"next"`
	Seen    Lines     `json:"seen"`
	Frames  []int     `json:"frames"` // if Reason is "frames", the keys of the frames to query too
	Timer   int       `json:"timer"`  // the engine's mark, if the answer depends on the page's timers; else 0
	worlds  int       // number of worlds queried
}

// Failure returns the error for an answer whose Reason is "op".
func (r waiting) Failure() *diag.Error {
	return diag.New(r.Code, "%s", r.Message).WithHint("%s", r.Next)
}

// Wait waits in the current document and its frames. If the document is replaced, Wait continues in
// the new one.
func (q *patrol) Wait(ctx context.Context) (waiting, error) {
	for {
		w, err := q.p.CurrentWorld(ctx)
		if err != nil {
			return waiting{}, err
		}
		r, err := q.in(ctx, w)
		if !cdp.IsGone(err) {
			return r, err
		}
		if err := q.p.frames.AfterWorld(ctx, w); err != nil {
			return waiting{}, err
		}
	}
}

func (q *patrol) left() time.Duration { return max(time.Until(q.until), 0) }

// A post is the part of a patrol in one world and its frames.
type post struct {
	q       *patrol
	w       World
	answers chan told
	group   sync.WaitGroup
	frames  map[int]context.CancelFunc // frames being queried, by key
	said    map[int]waiting            // their answers
	own     *waiting                   // the world's own answer; nil until it arrives
}

// told is the answer of the frame with this key. The key 0 means the world itself.
type told struct {
	key int
	r   waiting
	err error
}

// in waits in w and in the frames that w shows. The error is cdp.ErrGone if the document of w was
// replaced.
func (q *patrol) in(ctx context.Context, w World) (waiting, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	at := &post{q: q, w: w, answers: make(chan told), frames: make(map[int]context.CancelFunc), said: make(map[int]waiting)}
	defer at.group.Wait()
	defer cancel(ErrSettled)
	at.ask(ctx, 0, func(ctx context.Context) (waiting, error) { return q.ask(ctx, w, nil) })
	for {
		var t told
		select {
		case t = <-at.answers:
		case <-ctx.Done():
			return waiting{}, q.p.link.Explain(ctx, ctx.Err())
		}
		if t.err != nil {
			return waiting{}, t.err
		}
		if r := at.hear(ctx, t); r != nil {
			return *r, nil
		}
	}
}

// ask calls f in a goroutine and sends its result to at.answers, unless ctx ends first. key is the
// key of the frame, or 0 for the world itself.
func (at *post) ask(ctx context.Context, key int, f func(context.Context) (waiting, error)) {
	at.group.Go(func() {
		r, err := f(ctx)
		if ctx.Err() != nil {
			return
		}
		select {
		case at.answers <- told{key, r, err}:
		case <-ctx.Done():
		}
	})
}

// hear records an answer. It returns the combined answer of the world and its frames, or nil while
// more answers are needed.
func (at *post) hear(ctx context.Context, t told) *waiting {
	switch {
	case t.key != 0 && at.frames[t.key] == nil: // the frame was removed during the query
		return nil
	case t.key == 0 && t.r.Reason == "frames":
		at.turnTo(ctx, t.r.Frames)
		at.ask(ctx, 0, func(ctx context.Context) (waiting, error) { return at.q.ask(ctx, at.w, t.r.Frames) })
		return nil
	case t.key == 0:
		at.own = &t.r
	default:
		at.said[t.key] = t.r
	}
	worlds := 1
	for _, r := range at.said {
		worlds += r.worlds
	}
	t.r.worlds = worlds
	over := at.own != nil && len(at.said) == len(at.frames)
	switch {
	case t.r.OK != at.q.all: // this answer decides the wait alone
		return &t.r
	case !over:
		return nil
	case !at.q.all: // the outermost world's report is the most useful
		t.r = *at.own
	}
	t.r.worlds = worlds
	return &t.r
}

// turnTo starts the queries of the frames with these keys, and cancels the queries of all other
// frames.
func (at *post) turnTo(ctx context.Context, keys []int) {
	shown := make(map[int]bool, len(keys))
	for _, key := range keys[:min(len(keys), MostFrames)] {
		shown[key] = true
		if at.frames[key] != nil {
			continue
		}
		inner, cancel := context.WithCancelCause(ctx)
		at.frames[key] = func() { cancel(ErrSettled) }
		at.ask(inner, key, func(ctx context.Context) (waiting, error) { return at.q.frame(ctx, at.w, key) })
	}
	for key, cancel := range at.frames {
		if !shown[key] {
			cancel()
			delete(at.frames, key)
			delete(at.said, key)
		}
	}
}

// frame queries the frame with this key in w. A frame that does not answer in time counts as calm
// and empty.
func (q *patrol) frame(ctx context.Context, w World, key int) (waiting, error) {
	for {
		r, err := q.once(ctx, w, key)
		switch {
		case errors.Is(err, ErrAgain) && q.all: // the surrounding world may no longer watch the frame: it must query again
			return waiting{OK: true, worlds: 1}, nil
		case errors.Is(err, ErrAgain):
			continue
		case errors.Is(err, errSilent):
			return waiting{OK: q.all, Reason: "silent"}, nil
		}
		return r, err
	}
}

// errSilent means that a frame could not be queried in the remaining time.
var errSilent = errors.New("the frame does not answer")

// once queries the document that a frame shows. The error is [ErrAgain] if the document was
// replaced.
func (q *patrol) once(ctx context.Context, w World, key int) (waiting, error) {
	if w.depth() >= DeepestFrame {
		return waiting{}, errSilent
	}
	guarded, cancel := context.WithTimeout(ctx, q.left()+frameGrace)
	defer cancel()
	inner, err := q.p.Enter(guarded, w, key)
	if err == nil {
		var r waiting
		if r, err = q.in(guarded, inner); err == nil {
			return r, nil
		}
		if cdp.IsGone(err) {
			err = q.p.Gone(guarded, inner)
		}
	}
	if errors.Is(err, ErrCrashed) || guarded.Err() != nil && ctx.Err() == nil {
		return waiting{}, errSilent
	}
	return waiting{}, err
}

// depth returns the number of frames around w.
func (w World) depth() int {
	n := 0
	for ; w.Outer != nil; w = *w.Outer {
		n++
	}
	return n
}

// ask makes one engine call. The engine is notified if ctx ends first.
func (q *patrol) ask(ctx context.Context, w World, frames []int) (waiting, error) {
	id, arg := q.p.acts.next(), q.arg()
	arg["id"], arg["timeout"], arg["frames"] = id, q.left().Milliseconds(), frames
	guarded, cancel := context.WithTimeout(ctx, AnswerWithin(ctx, q.left()))
	defer cancel()
	var r waiting
	err := q.p.Answer(guarded, q.p.Call(guarded, w, q.method, arg), &r)
	if err != nil && guarded.Err() != nil {
		q.p.Call(context.WithoutCancel(ctx), w, "cancel", map[string]int64{"id": id})
	}
	return r, err
}

// AnswerWithin returns how long the page may take to answer a query. The argument is the query's
// own time limit. If the deadline of ctx is later, the page may use that time too.
func AnswerWithin(ctx context.Context, looking time.Duration) time.Duration {
	most := looking + AnswerGrace
	if deadline, ok := ctx.Deadline(); ok {
		most = max(most, time.Until(deadline)-ReportMargin)
	}
	return most
}

// Lines is a list of texts. In JSON it is an array, or a string of several lines.
type Lines []string

func (l *Lines) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = strings.FieldsFunc(one, func(r rune) bool { return r == '\n' })
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}

// Patience returns the time until the deadline of ctx, less ReportMargin. It is never negative.
// Without a deadline, it is one day.
func Patience(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 24 * time.Hour
	}
	return max(time.Until(deadline)-ReportMargin, 0)
}
