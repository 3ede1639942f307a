package trace

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
)

// A Recorder writes a trace: one JSON object per line. It is safe for concurrent use. A nil
// *Recorder records nothing.
type Recorder struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewRecorder returns a Recorder that writes to w, which the caller closes.
func NewRecorder(w io.Writer) *Recorder { return &Recorder{w: w} }

// An Entry is one line of a trace. Empty fields are omitted.
type Entry struct {
	Time   time.Time `json:"time"`
	Event  string    `json:"event"` // run, step, end
	Action string    `json:"action"`
	// Path is the path of a step in Action, such as "steps[2].fallback[0]".
	Path       string         `json:"path,omitempty"`
	Index      *int           `json:"index,omitempty"` // index of a step in its list, from 0
	Step       string         `json:"step,omitempty"`  // name of the step
	Decision   string         `json:"decision,omitempty"`
	Status     string         `json:"status,omitempty"`
	Attempts   int            `json:"attempts,omitempty"`
	Selector   string         `json:"selector,omitempty"` // the candidate that won
	Input      map[string]any `json:"input,omitempty"`
	Output     any            `json:"output,omitempty"`
	Error      *diag.Error    `json:"error,omitempty"`
	DurationMS int64          `json:"duration_ms"`
}

// Record masks e with p and writes it as one line. After a failed write, it writes nothing more.
func (r *Recorder) Record(p *Pass, e Entry) {
	if r == nil {
		return
	}
	e.Error = p.Error(e.Error)
	e.Decision = p.String(e.Decision)
	e.Selector = p.String(e.Selector)
	e.Input = p.Map(e.Input)
	e.Output = p.Value(e.Output)
	line, err := json.Marshal(e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if err == nil {
		_, err = r.w.Write(append(line, '\n'))
	}
	r.err = err
}

// Err returns the first write error.
func (r *Recorder) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
