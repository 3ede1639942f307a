package approvals

// What is kept of approvals that have ended, for a limited time.

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/actionregistry/action/executor"
)

const (
	maxEnded      = 256
	keepTime      = 5 * time.Minute
	maxResultSize = 256 << 10
)

// endLocked gives a pending entry its final state, and moves it to the entries that have ended.
func (t *Table) endLocked(e *entry, state string) {
	delete(t.pending, e.ID)
	e.State, e.ended = state, t.clock.Now()
	e.stop()
	close(e.done)
	t.ended = append(t.ended, e)
	t.sweepLocked()
}

// sweepLocked forgets entries that ended more than keepTime ago. It keeps an entry while its run
// continues, unless the approval was cancelled. If more than maxEnded entries remain, it forgets
// the oldest ones.
func (t *Table) sweepLocked() {
	now := t.clock.Now()
	t.ended = slices.DeleteFunc(t.ended, func(e *entry) bool {
		since := e.ended
		if e.finished.After(since) {
			since = e.finished
		}
		return now.Sub(since) >= keepTime && (!e.running || e.State == Cancelled)
	})
	if n := len(t.ended) - maxEnded; n > 0 {
		t.ended = slices.Delete(t.ended, 0, n)
	}
}

// Finish records the result of a run in its approvals, and cancels those that are still pending.
func (t *Table) Finish(run string, result *executor.Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := bounded(result)
	for _, e := range t.pending {
		if e.Run == run {
			t.endLocked(e, Cancelled)
		}
	}
	for _, e := range t.ended {
		if e.Run == run {
			e.Outcome, e.finished, e.running = kept, t.clock.Now(), false
		}
	}
	t.sweepLocked()
}

// bounded returns r, or a smaller copy if r is too large to keep.
func bounded(r *executor.Result) *executor.Result {
	if r == nil {
		return nil
	}
	if data, err := json.Marshal(r); err == nil && len(data) <= maxResultSize {
		return r
	}
	small := *r
	small.Data, small.Steps = nil, nil
	small.Warnings = append(slices.Clone(r.Warnings), executor.Warning{Code: executor.WarnMore, Message: "the data and the steps of the run are too large to be kept"})
	if data, err := json.Marshal(small); err == nil && len(data) <= maxResultSize {
		return &small
	}
	return &executor.Result{Success: r.Success, Action: r.Action, DurationMS: r.DurationMS}
}
