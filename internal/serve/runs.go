package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// errCancelled is the cause when a client cancels a run.
var errCancelled = errors.New("cancelled by a request")

// defaultSession is the session of a request without a session.
const defaultSession = "default"

// States of a run.
const (
	running   = "running"
	succeeded = "succeeded"
	failedRun = "failed"
	cancelled = "cancelled"
)

// A run is one execution of an action or a step, with an id. Its events and its result are kept for
// some time after its end.
type run struct {
	id      string
	op      *ops.Operation
	name    string // name of the action or the step
	session string
	began   time.Time
	cancel  context.CancelCauseFunc
	over    chan struct{} // closed when the run has ended

	// The fields below are guarded by the mutex of runs.
	state   string
	events  []event
	dropped int             // number of events that are no longer kept
	bytes   int             // size of the events and the result
	changed chan struct{}   // closed when an event is added
	result  json.RawMessage // the answer, which has the id of the run
	why     *failure        // error of the run; nil if it succeeded
	ended   time.Time
}

// An event is one event of a run.
type event struct {
	number int // counts from 1
	name   string
	data   json.RawMessage
}

// runs holds the runs by id. newRuns makes one.
type runs struct {
	o    Options
	mu   sync.Mutex
	all  map[string]*run
	list []*run // oldest first
	size int    // bytes of all runs
}

func newRuns(o Options) *runs { return &runs{o: o, all: make(map[string]*run)} }

// begin registers a new run. If too many are running, the error is LIMIT_EXCEEDED.
func (s *runs) begin(o *ops.Operation, name, session string, cancel context.CancelCauseFunc) (*run, error) {
	var random [12]byte
	rand.Read(random[:])
	r := &run{
		id: "run_" + base64.RawURLEncoding.EncodeToString(random[:]), op: o, name: name, session: session, began: time.Now(),
		cancel: cancel, over: make(chan struct{}), changed: make(chan struct{}), state: running,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked(s.o.MaxRuns-1, s.o.MaxRunBytes)
	if len(s.list) >= s.o.MaxRuns {
		return nil, diag.New(diag.LimitExceeded, "found %d unfinished runs, which is the limit", len(s.list)).WithHint("send the request again when another run has ended")
	}
	s.all[r.id] = r
	s.list = append(s.list, r)
	return r, nil
}

// forgetLocked removes the runs that ended more than KeepRuns ago. Then it removes the oldest
// finished runs, until at most count runs and at most size bytes are left.
func (s *runs) forgetLocked(count, size int) {
	old := time.Now().Add(-s.o.KeepRuns)
	kept := s.list[:0]
	left := len(s.list)
	for _, r := range s.list {
		if r.state != running && (r.ended.Before(old) || left > count || s.size > size) {
			delete(s.all, r.id)
			s.size -= r.bytes
			left--
			continue
		}
		kept = append(kept, r)
	}
	clear(s.list[len(kept):])
	s.list = kept
}

// forget removes runs that are too old, or too many; see forgetLocked.
func (s *runs) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked(s.o.MaxRuns, s.o.MaxRunBytes)
}

// get returns the run with an id. For an unknown id, the error has the status 404.
func (s *runs) get(id string) (*run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked(s.o.MaxRuns, s.o.MaxRunBytes)
	if r := s.all[id]; r != nil {
		return r, nil
	}
	return nil, fail(http.StatusNotFound, diag.InvalidRequest, "found no run with this id").
		hint("finished runs are kept for %s", s.o.KeepRuns)
}

// add adds an event to a run. If there are too many events, it drops the oldest ones.
func (s *runs) add(r *run, name string, data json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addLocked(r, name, data)
}

func (s *runs) addLocked(r *run, name string, data json.RawMessage) {
	r.events = append(r.events, event{number: r.dropped + len(r.events) + 1, name: name, data: data})
	s.countLocked(r, len(data))
	for len(r.events) > s.o.MaxEvents || len(r.events) > 1 && s.size > s.o.MaxRunBytes {
		s.countLocked(r, -len(r.events[0].data))
		r.events = r.events[1:]
		r.dropped++
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

func (s *runs) countLocked(r *run, n int) {
	r.bytes += n
	s.size += n
}

// end records that a run has ended. result is the answer of the run. "why" is the error of the run,
// or nil if it succeeded.
func (s *runs) end(r *run, result json.RawMessage, why *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.state, r.result, r.why, r.ended = succeeded, result, why, time.Now()
	switch {
	case why != nil && why.err.Code == diag.Cancelled:
		r.state = cancelled
	case why != nil:
		r.state = failedRun
	}
	s.addLocked(r, "result", result) // its bytes are shared with the result
	close(r.over)
}

// after returns the events of a run with numbers above n, as far as they are kept. The result
// "last" reports whether the run has ended. The channel "more" is closed when a new event is added.
func (s *runs) after(r *run, n int) (events []event, last bool, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := min(max(n-r.dropped, 0), len(r.events))
	return r.events[from:len(r.events):len(r.events)], r.state != running, r.changed
}

// count returns the number of unfinished runs, the number of all kept runs, and the size of all
// kept runs in bytes.
func (s *runs) count() (busy, kept, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.list {
		if r.state == running {
			busy++
		}
	}
	return busy, len(s.list), s.size
}

// A RunState is the answer to a request for a run.
type RunState struct {
	ID      string    `json:"id"`
	State   string    `json:"state"`
	Type    string    `json:"type"`
	Name    string    `json:"name"`
	Session string    `json:"session"`
	Began   time.Time `json:"began"`
	Events  int       `json:"events"`
	// Result is the answer to the request that began the run. It is absent until the run has ended.
	Result json.RawMessage `json:"result,omitempty"`
}

func (s *runs) stateOf(r *run) RunState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return RunState{
		ID: r.id, State: r.state, Type: r.op.Name, Name: r.name, Session: r.session, Began: r.began.UTC(),
		Events: r.dropped + len(r.events), Result: r.result,
	}
}

// launch starts a run in the background.
func (s *Server) launch(ctx context.Context, o *ops.Operation, m wire.Message, name string) (*run, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r, err := s.runs.begin(o, name, cmp.Or(o.SessionOf(m), defaultSession), cancel)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	s.working.Go(func() {
		defer cancel(nil)
		reply, err := s.daemon.Stream(ctx, m, func(e wire.Event) {
			data := e.Data
			if e.Error != nil {
				data, _ = json.Marshal(map[string]any{"error": e.Error}) // encoding an error does not fail
			}
			s.runs.add(r, e.Event, data)
		})
		result, why := s.finished(ctx, r, reply, err)
		s.runs.end(r, result, why)
		code := ""
		if why != nil {
			code = string(why.err.Code)
		}
		s.seen.ended(code)
	})
	return r, nil
}

// finished returns the answer of a run. If the run failed, it also returns the failure.
func (s *Server) finished(ctx context.Context, r *run, reply *wire.Reply, err error) (json.RawMessage, *failure) {
	if reply != nil && reply.Success {
		return withID(reply.Line, r.id), nil
	}
	if ctx.Err() != nil && diag.CodeOf(err) != diag.Cancelled && reply == nil {
		err = diag.New(diag.Cancelled, "%v", context.Cause(ctx)).Because(err)
	}
	f := failed(r.op, err)
	f.more = make(map[string]any)
	if reply != nil && reply.Line != nil {
		_ = json.Unmarshal(reply.Line, &f.more) // it was decoded before
		delete(f.more, "error")
	}
	f.more["id"], f.more["instance"], f.more["success"] = r.id, runPath(r.id), false
	text, err := json.Marshal(f.problem())
	if err != nil {
		text = []byte(`{}`) // cannot happen: the values were decoded from JSON
	}
	return text, f
}

func runPath(id string) string { return "/api/v1/runs/" + id }

// withID replaces the id of a reply by the id of a run. The id of the reply must be its first
// field.
func withID(line json.RawMessage, id string) json.RawMessage {
	_, rest, _ := bytes.Cut(line, []byte(","))
	return append([]byte(`{"id":"`+id+`",`), bytes.TrimRight(rest, "\r\n")...)
}
