package approvals

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
)

// maxPending bounds the questions that wait for an answer at the same time.
const maxPending = 1000

// A Table holds the approvals of a manager. It is safe for concurrent use.
type Table struct {
	clock Clock
	// changed is called with the number of pending approvals whenever that number has changed. The
	// calls do not overlap. changed may be nil.
	changed func(pending int)

	reporting sync.Mutex // held while changed is called; acquired before mu

	mu      sync.Mutex // guards the fields below
	pending map[string]*entry
	ended   []*entry // oldest first
}

// An entry is one approval in the table.
type entry struct {
	Approval
	caller   Caller
	picture  []byte
	done     chan struct{} // closed when the approval has ended
	stop     func()        // stops the timer that lets the approval expire
	ended    time.Time
	running  bool      // whether its run has not ended
	finished time.Time // when its run ended
}

// New returns an empty table. A nil clock means the clock of the machine. The function "changed" is
// called with the number of pending approvals whenever that number has changed. The calls do not
// overlap. The function may be nil.
func New(clock Clock, changed func(pending int)) *Table {
	if clock == nil {
		clock = wallClock{}
	}
	return &Table{clock: clock, changed: changed, pending: make(map[string]*entry)}
}

// NewID returns a random id of 128 bits.
func NewID() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw[:]))
}

// Ask waits for the answer to a question. It returns nil only if the answer is yes. If the answer
// is no, or nobody has answered in time, the error is POLICY_DENIED with the reason "denied" or
// "expired". If too many questions are pending, the error is LIMIT_EXCEEDED. If ctx ends first, the
// approval is cancelled, and the error is that of ctx.
func (t *Table) Ask(ctx context.Context, q Question) error {
	now := t.clock.Now()
	e := &entry{
		Approval: Approval{
			ID: NewID(), State: Pending, ApprovalRequest: q.ApprovalRequest, Session: q.Session, Run: q.Run,
			Since: now, Expires: now.Add(q.Timeout), HasPicture: len(q.Picture) > 0, Channels: slices.Clone(q.Channels),
		},
		caller: q.Caller, picture: q.Picture, done: make(chan struct{}), running: true,
	}
	e.ApprovalRequest.Picture = nil
	t.mu.Lock()
	if len(t.pending) >= maxPending {
		t.mu.Unlock()
		return diag.New(diag.LimitExceeded, "found %d approvals that wait for an answer, which is the limit", maxPending).
			WithHint("answer some of the approvals, which `action approvals` lists")
	}
	t.pending[e.ID] = e
	e.stop = t.clock.After(q.Timeout, func() { t.expire(e) })
	asked := e.Approval
	t.mu.Unlock()
	t.report()
	if f := q.Caller.Asked; f != nil {
		f(asked)
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		t.end(e, Cancelled)
	}
	t.mu.Lock()
	answered := e.Approval
	t.mu.Unlock()
	if f := q.Caller.Answered; f != nil {
		f(answered)
	}
	return outcome(ctx, &answered)
}

// outcome returns the result of [Table.Ask] for an approval that has ended: nil if it was approved,
// otherwise an error.
func outcome(ctx context.Context, a *Approval) error {
	what := a.Action
	if a.Step != "" && a.Step != a.Action {
		what = a.Step + " of " + a.Action
	}
	switch a.State {
	case Approved:
		return nil
	case Denied:
		e := diag.New(diag.PolicyDenied, "a person denied %s (over the channel %s); nothing was done", what, a.By.Channel).
			WithDetail("reason", "denied").WithDetail("approval", a.ID).WithHint("ask the person what to do instead; do not try to do the same with other steps")
		if a.By.Reason != "" {
			e.WithDetail("said", a.By.Reason)
			e.Msg += ": " + diag.Clip(a.By.Reason, 200)
		}
		return e
	case Expired:
		return diag.New(diag.PolicyDenied, "%s was not approved within %s; nothing was done", what, a.Expires.Sub(a.Since)).
			WithDetail("reason", "expired").WithDetail("approval", a.ID).WithHint("run the action again when somebody can answer, or set a longer policy.approve_timeout")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Canceled
}

func (t *Table) expire(e *entry) { t.end(e, Expired) }

// end ends an entry unless it has ended.
func (t *Table) end(e *entry, state string) {
	t.mu.Lock()
	first := e.State == Pending
	if first {
		t.endLocked(e, state)
	}
	t.mu.Unlock()
	if first {
		t.report()
	}
}

// report calls changed with the number of pending approvals.
func (t *Table) report() {
	if t.changed == nil {
		return
	}
	t.reporting.Lock()
	defer t.reporting.Unlock()
	t.mu.Lock()
	n := len(t.pending)
	t.mu.Unlock()
	t.changed(n)
}

// Answer answers a pending approval and returns it. The error is INVALID_REQUEST if no pending
// approval has this id. It is POLICY_DENIED if the channel or the connection may not answer.
func (t *Table) Answer(id string, r Reply) (Approval, error) {
	t.mu.Lock()
	e := t.pending[id]
	if e == nil {
		defer t.mu.Unlock()
		return Approval{}, t.notPendingLocked(id)
	}
	if err := e.accepts(&r); err != nil {
		t.mu.Unlock()
		return Approval{}, err
	}
	if !t.clock.Now().Before(e.Expires) { // the timer is late
		t.endLocked(e, Expired)
		err := t.notPendingLocked(id)
		t.mu.Unlock()
		t.report()
		return Approval{}, err
	}
	e.By = &Answer{Channel: r.Channel, UID: r.UID, At: t.clock.Now(), Reason: diag.Clip(r.Reason, 1000)}
	state := Denied
	if r.Yes {
		state = Approved
	}
	t.endLocked(e, state)
	a := e.Approval
	t.mu.Unlock()
	t.report()
	return a, nil
}

// accepts returns an error if r may not answer the question.
func (e *entry) accepts(r *Reply) error {
	own := r.From != nil && r.From == e.caller.Owner
	byOwner := r.Channel == ByTerminal || r.Channel == ByMCP // over these, the client of the run asks its user
	switch {
	case !slices.Contains(e.Channels, r.Channel):
		return diag.New(diag.PolicyDenied, "policy.approve_by does not allow answers by %s: it lists %s", r.Channel, orNone(e.Channels)).
			WithDetail("reason", "channel").WithHint("answer over a channel that policy.approve_by lists")
	case own != byOwner:
		must := "must not come"
		if byOwner {
			must = "must come"
		}
		return diag.New(diag.PolicyDenied, "this connection may not answer over %s: the answer %s from the connection that started the run", r.Channel, must).
			WithDetail("reason", "own").WithHint("answer with: action approve %s", e.ID)
	}
	return nil
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (t *Table) notPendingLocked(id string) error {
	for _, e := range t.ended {
		if e.ID == id {
			return diag.New(diag.InvalidRequest, "the state of the approval %s is %s: an approval is answered only once", id, e.State).
				WithDetail("state", e.State).WithHint("list the approvals that wait for an answer: action approvals")
		}
	}
	return Unknown(id)
}

// Unknown returns the error for an id that no table has.
func Unknown(id string) *diag.Error {
	return diag.New(diag.InvalidRequest, "there is no approval %s", fmt.Sprintf("%q", diag.Clip(id, 60))).
		WithDetail("state", "unknown").WithHint("`action approvals` lists those that wait for an answer; an approval that has ended is kept for %s", keepTime)
}

// List returns the pending approvals, oldest first. If all is true, it puts the approvals that have
// ended before them.
func (t *Table) List(all bool) []Approval {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweepLocked()
	var out []Approval
	for _, e := range t.pending {
		out = append(out, e.Approval)
	}
	slices.SortFunc(out, func(a, b Approval) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	if !all {
		return out
	}
	var ended []Approval
	for _, e := range t.ended {
		ended = append(ended, e.Approval)
	}
	return append(ended, out...)
}

// Get returns an approval that is pending, or that ended recently. For an unknown id, the error is
// INVALID_REQUEST.
func (t *Table) Get(id string) (Approval, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.findLocked(id); e != nil {
		return e.Approval, nil
	}
	return Approval{}, Unknown(id)
}

// Picture returns the picture of an approval as a JPEG, or nil if there is none.
func (t *Table) Picture(id string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.findLocked(id); e != nil {
		return e.picture
	}
	return nil
}

func (t *Table) findLocked(id string) *entry {
	t.sweepLocked()
	if e := t.pending[id]; e != nil {
		return e
	}
	for _, e := range t.ended {
		if e.ID == id {
			return e
		}
	}
	return nil
}
