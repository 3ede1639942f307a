// Package timers finds out which timers of a page will still fire, and when. The browser reports
// timers in a trace: it records its timeline from the first input of a run on. The record is read
// when a wait depends on timers. The package does not replace the timer functions of the page.
//
// A browser makes one record at a time. The timers stay unknown if another tab or a user records,
// or if the record has grown too long. Waits are then as long as timers may take.
package timers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// recordTime is how long the browser may take to complete a record. Usually it takes about 10 ms.
const recordTime = 300 * time.Millisecond

var recordKB = 4096.0 // maximum size of a record

// timeline makes the browser record its whole timeline, which includes timers.
var timeline = proto.TracingStart{
	TransferMode: proto.TracingStartTransferModeReportEvents,
	TraceConfig: &proto.TracingTraceConfig{
		RecordMode: proto.TracingTraceConfigRecordModeRecordUntilFull, TraceBufferSizeInKb: &recordKB,
		IncludedCategories: []string{"devtools.timeline"}, ExcludedCategories: []string{"*"},
	},
}

// A Recorder says which tab a browser is recording. A browser records only one tab at a time. The
// zero value is ready for use.
type Recorder struct{ by atomic.Pointer[Record] }

// Record is the browser's record of the timers of one tab. Init must be called first. Only one run
// at a time may call Begin, Known and Reset. The other methods are safe for concurrent use. All
// methods may be called with any other lock held.
type Record struct {
	recorder *Recorder
	conn     *cdp.Conn
	session  string
	frame    proto.PageFrameID // the frame whose timers count
	left     <-chan struct{}   // closed when the tab is closed

	mu     sync.Mutex
	on     bool
	parts  [][]byte      // params of Tracing.dataCollected
	ended  chan struct{} // closed when the record is complete; nil unless one is being ended
	whole  bool          // no data was lost
	broken bool          // the browser cannot record
	open   open          // state after the run's records so far
	last   *Due          // result of the last record, for the world lastIn; nil for none
	lastIn string
}

// Init prepares r for the main frame of a tab. session is the session of the tab on the connection
// conn. The last argument is a channel that is closed when the tab is closed.
func (r *Record) Init(recorder *Recorder, conn *cdp.Conn, session string, frame proto.PageFrameID, left <-chan struct{}) {
	r.recorder, r.conn, r.session, r.frame, r.left = recorder, conn, session, frame, left
}

// An event is one event of the browser's trace about a timer.
type event struct {
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

// Begin makes the browser record the page's timers from now on, unless it is recording another tab.
// It is called before an input if the run may wait for timers.
func (r *Record) Begin(ctx context.Context) {
	r.mu.Lock()
	ended, wanted := r.ended, !r.on && !r.broken
	r.mu.Unlock()
	if !wanted || !r.complete(ctx, ended) || !r.recorder.by.CompareAndSwap(nil, r) {
		return
	}
	err := r.conn.Start(ctx, r.session, timeline).Wait(nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.Free()
		r.broken = ctx.Err() == nil
		return
	}
	r.on, r.parts, r.whole = true, nil, false
}

// Free allows the browser to record another tab. It is called when the tab of r is closed.
func (r *Record) Free() { r.recorder.by.CompareAndSwap(r, nil) }

// complete waits until the record is complete, but at most for recordTime. It reports whether the
// record is complete. The argument is the result of end; nil means that the record is complete.
func (r *Record) complete(ctx context.Context, ended <-chan struct{}) bool {
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
	case <-r.left:
	}
	return false
}

// end makes the browser end the record. It returns a channel that is closed once the record is
// complete. If nothing is being recorded, it returns nil.
func (r *Record) end(ctx context.Context) <-chan struct{} {
	r.mu.Lock()
	if !r.on {
		r.mu.Unlock()
		return nil
	}
	r.on, r.ended = false, make(chan struct{})
	ended := r.ended
	r.mu.Unlock()
	r.conn.Start(context.WithoutCancel(ctx), r.session, proto.TracingEnd{})
	return ended
}

// Reset ends the record and forgets the results of earlier ones. It is called between runs.
func (r *Record) Reset() {
	r.end(context.Background())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open, r.last = open{}, nil
}

// On reports whether the page's timers are being recorded.
func (r *Record) On() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.on
}

// due ends the record and returns the timers that have not fired. mark is the number of the
// engine's reference timer; see [Due]. The result known is false if a part of the record is
// missing.
func (r *Record) due(ctx context.Context, mark int) (due Due, known bool) {
	ended := r.end(ctx)
	if ended == nil || !r.complete(ctx, ended) {
		return due, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	parts := r.parts
	r.parts = nil
	if !r.whole {
		return due, false
	}
	return r.open.read(parts, r.frame, mark)
}

// Due describes the timers that will still fire. The engine sets a reference timer, whose number is
// ID. Times are in milliseconds since the reference timer was set.
type Due struct {
	ID    int       `json:"id"`
	Due   []float64 `json:"due"`   // when the timers that fire once are due
	Again bool      `json:"again"` // there are repeating timers
}

// Known ends the record and returns the timers that will still fire. It returns nil if they are not
// known. world is the world of the engine that has set the reference timer, and mark the number of
// that timer. If more is set, Known starts the next record.
func (r *Record) Known(ctx context.Context, world string, mark int, more bool) *Due {
	due, known := r.due(ctx, mark)
	r.mu.Lock()
	if !known {
		r.last, r.lastIn = nil, ""
		r.mu.Unlock()
		return nil
	}
	r.last, r.lastIn = &due, world
	r.mu.Unlock()
	if more {
		r.Begin(ctx)
	}
	return &due
}

// SoFar returns the last result of Known for a world, or nil. The result is valid until the page
// sets another timer.
func (r *Record) SoFar(world string) *Due {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lastIn != world {
		return nil
	}
	return r.last
}

// open holds the timers of a frame that had not fired when its last record ended.
type open struct {
	due   map[int]float64 // in microseconds
	again map[int]bool    // repeating timers, which fire until they are removed
	mark  int             // the mark of that record; 0 if there was none
}

// read adds the events of a record to o, and returns the timers that will still fire. The result
// known is false if timers may be missing, for example because the page has set one between two
// records. A window numbers its timers consecutively, so a gap shows that one is missing.
func (o *open) read(parts [][]byte, frame proto.PageFrameID, mark int) (due Due, known bool) {
	var events []event
	for _, part := range parts {
		var v struct{ Value []event }
		if json.Unmarshal(part, &v) != nil {
			return due, false
		}
		events = append(events, slices.DeleteFunc(v.Value, func(e event) bool { return e.Args.Data.Timer == 0 || e.Args.Data.Frame != frame })...)
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.At, b.At) })
	before := *o
	*o = open{before.due, before.again, mark}
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
	due = Due{mark, []float64{}, len(o.again) > 0}
	for _, at := range o.due {
		due.Due = append(due.Due, (at-marked)/1000)
	}
	slices.Sort(due.Due)
	return due, true
}

// Note handles Tracing.dataCollected, which contains a part of the record.
func (r *Record) Note(e *cdp.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if (r.on || r.ended != nil) && bytes.Contains(e.Params, []byte(`"Timer`)) {
		r.parts = append(r.parts, bytes.Clone(e.Params))
	}
}

// NoteEnd handles Tracing.tracingComplete, the end of the record.
func (r *Record) NoteEnd(e *cdp.Event) {
	var v proto.TracingTracingComplete
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended == nil || !cdp.Decode(e, &v) {
		return
	}
	r.whole = !v.DataLossOccurred
	close(r.ended)
	r.ended = nil
	r.Free()
}
