package browser

// Timers that a page has set: whether one is still to fire, and when. A page does not say that of
// itself, and its functions are not replaced; the browser knows, and says it in a trace. So from
// the first input of a run on it records its timeline, and where a wait depends on timers, the
// record is read.
//
// A browser makes one record at a time. What another tab or a person records, and a record that
// grew too long, leave the timers unknown: waits are then as long as timers may take.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// recordTime is how long a record may take to be complete: some 10 ms, but seconds where a process
// of the browser has started meanwhile.
const recordTime = 300 * time.Millisecond

var recordKB = 4096.0 // a record grows to that

// timeline says what is recorded: the browser has no narrower category with timers in it.
var timeline = proto.TracingStart{
	TransferMode: proto.TracingStartTransferModeReportEvents,
	TraceConfig: &proto.TracingTraceConfig{
		RecordMode: proto.TracingTraceConfigRecordModeRecordUntilFull, TraceBufferSizeInKb: &recordKB,
		IncludedCategories: []string{"devtools.timeline"}, ExcludedCategories: []string{"*"},
	},
}

// A timerRecord is the browser's record of what a page does. Guarded by Page.mu.
type timerRecord struct {
	on     bool
	parts  [][]byte      // params of Tracing.dataCollected
	ended  chan struct{} // closed when the record is complete; nil when none is being ended
	whole  bool          // it lacks nothing
	broken bool          // the browser makes none for us
	open   openTimers    // of the records of the run so far
	last   *dueTimers    // what the last of them said, of the world lastIn; nil: nothing
	lastIn string
}

// A timerEvent is an entry of the record.
type timerEvent struct {
	Name string  `json:"name"`
	At   float64 `json:"ts"` // in microseconds
	Args struct {
		Data struct {
			Timer   int               `json:"timerId"`
			Timeout float64           `json:"timeout"` // in milliseconds
			Once    bool              `json:"singleShot"`
			Frame   proto.PageFrameID `json:"frame"`
		} `json:"data"`
	} `json:"args"`
}

// recordTimers has the browser record the page's timers from now on, if a run is under way that
// may wait for them. It is called before input.
func (p *Page) recordTimers(ctx context.Context) {
	p.mu.Lock()
	r, ended := &p.timers, p.timers.ended
	wanted := p.kept.run != 0 && !r.on && !r.broken
	p.mu.Unlock()
	if !wanted || !p.recordEnded(ctx, ended) || !p.b.recording.CompareAndSwap(nil, p) {
		return
	}
	err := p.do(ctx, timeline, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.b.recording.CompareAndSwap(p, nil)
		r.broken = ctx.Err() == nil
		return
	}
	r.on, r.parts, r.whole = true, nil, false
}

// recordEnded waits until a record that is being ended is complete, and reports whether it is.
func (p *Page) recordEnded(ctx context.Context, ended <-chan struct{}) bool {
	if ended == nil {
		return true
	}
	late := time.NewTimer(recordTime)
	defer late.Stop()
	select {
	case <-ended:
		return true
	case <-late.C:
	case <-ctx.Done():
	case <-p.left:
	}
	return false
}

// endRecord ends the record without waiting for it; nil: there is none.
func (p *Page) endRecord(ctx context.Context) <-chan struct{} {
	p.mu.Lock()
	r := &p.timers
	if !r.on {
		p.mu.Unlock()
		return nil
	}
	r.on, r.ended = false, make(chan struct{})
	ended := r.ended
	p.mu.Unlock()
	p.start(context.WithoutCancel(ctx), proto.TracingEnd{})
	return ended
}

// recordsTimers reports whether the page's timers may be known.
func (p *Page) recordsTimers() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.timers.on
}

// timersDue ends the record, and returns when the timers that have not fired are due, in
// milliseconds after the timer mark of the main document was set. known: nothing is missing.
func (p *Page) timersDue(ctx context.Context, mark int) (due dueTimers, known bool) {
	ended := p.endRecord(ctx)
	if ended == nil || !p.recordEnded(ctx, ended) {
		return due, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := p.timers.parts
	p.timers.parts = nil
	if !p.timers.whole {
		return due, false
	}
	return p.timers.open.read(parts, p.frame, mark)
}

// dueTimers says which timers are still to fire: when, in milliseconds after the timer with the
// number ID was set.
type dueTimers struct {
	ID    int       `json:"id"`
	Due   []float64 `json:"due"`   // of those that fire once
	Again bool      `json:"again"` // there are some that fire again and again
}

// knownTimers is timersDue for the engine of w, which has set the mark; nil: nothing is known.
// more: the run may ask again, so the browser goes on recording.
func (p *Page) knownTimers(ctx context.Context, w world, mark int, more bool) *dueTimers {
	due, known := p.timersDue(ctx, mark)
	if !known {
		p.forgetTimers()
		return nil
	}
	p.mu.Lock()
	p.timers.last, p.timers.lastIn = &due, w.id
	p.mu.Unlock()
	if more {
		p.recordTimers(ctx)
	}
	return &due
}

// timersSoFar is what knownTimers has said last of w. It holds for as long as the page sets no other
// timer, which the engine sees.
func (p *Page) timersSoFar(w world) *dueTimers {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timers.lastIn != w.id {
		return nil
	}
	return p.timers.last
}

func (p *Page) forgetTimers() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timers.last, p.timers.lastIn = nil, ""
}

// openTimers are those of a frame that have not fired when its last record ended.
type openTimers struct {
	due   map[int]float64 // in microseconds
	again map[int]bool    // those that fire until they are removed
	mark  int             // of that record; 0: there was none
}

// read adds a record. A window numbers its timers one after the other, so it shows whether one was
// set between two records.
func (o *openTimers) read(parts [][]byte, frame proto.PageFrameID, mark int) (due dueTimers, known bool) {
	var events []timerEvent
	for _, part := range parts {
		var v struct{ Value []timerEvent }
		if json.Unmarshal(part, &v) != nil {
			return due, false
		}
		events = append(events, slices.DeleteFunc(v.Value, func(e timerEvent) bool { return e.Args.Data.Timer == 0 || e.Args.Data.Frame != frame })...)
	}
	slices.SortStableFunc(events, func(a, b timerEvent) int { return cmp.Compare(a.At, b.At) })
	before := *o
	*o = openTimers{before.due, before.again, mark}
	if before.mark == 0 {
		o.due, o.again = make(map[int]float64), make(map[int]bool)
	}
	marked, next := 0.0, before.mark+1
	for _, e := range events {
		switch d := e.Args.Data; e.Name {
		case "TimerInstall":
			if delete(o.again, d.Timer); d.Once {
				o.due[d.Timer] = e.At + d.Timeout*1000
			} else {
				o.again[d.Timer] = true
			}
			if d.Timer == next {
				next++
			}
			if d.Timer == mark {
				marked = e.At
			}
		case "TimerFire":
			delete(o.due, d.Timer)
		case "TimerRemove":
			delete(o.due, d.Timer)
			delete(o.again, d.Timer)
		}
	}
	delete(o.due, mark)
	if marked == 0 || before.mark > 0 && next != mark+1 {
		return due, false
	}
	due = dueTimers{mark, []float64{}, len(o.again) > 0}
	for _, at := range o.due {
		due.Due = append(due.Due, (at-marked)/1000)
	}
	slices.Sort(due.Due)
	return due, true
}

// noteRecord handles a part of the record.
func (p *Page) noteRecord(e *cdp.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := &p.timers; (r.on || r.ended != nil) && bytes.Contains(e.Params, []byte(`"Timer`)) {
		r.parts = append(r.parts, bytes.Clone(e.Params))
	}
}

// recordComplete ends what endRecord has begun.
func (p *Page) recordComplete(v *proto.TracingTracingComplete) {
	r := &p.timers
	if r.ended == nil {
		return
	}
	r.whole = !v.DataLossOccurred
	close(r.ended)
	r.ended = nil
	p.b.recording.CompareAndSwap(p, nil)
}
