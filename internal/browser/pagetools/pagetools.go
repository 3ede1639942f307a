// Package pagetools knows the tools that pages offer to agents (WebMCP): functions that scripts
// register in document.modelContext, and forms with a toolname. It has the calls of the protocol's
// domain WebMCP, which rod does not know, and records the events of that domain.
//
// Names, descriptions, schemas and answers are data of the page and may be hostile, so the record
// is bounded. The package sends nothing and chooses no tool.
package pagetools

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// Enable makes the browser report the tools of a session. It must be sent before the page runs.
// Otherwise the existing tools of frames are not reported.
type Enable struct{}

// Invoke calls a tool. The reply is an [Invoked].
type Invoke struct {
	Frame proto.PageFrameID `json:"frameId"`
	Name  string            `json:"toolName"`
	Input map[string]any    `json:"input"`
}

// Cancel aborts a call.
type Cancel struct {
	ID string `json:"invocationId"`
}

func (Enable) ProtoReq() string { return "WebMCP.enable" }
func (Invoke) ProtoReq() string { return "WebMCP.invokeTool" }
func (Cancel) ProtoReq() string { return "WebMCP.cancelInvocation" }

// Invoked is the reply to an [Invoke].
type Invoked struct {
	ID string `json:"invocationId"`
}

// A Tool is a tool as the browser reports it.
type Tool struct {
	Name        string            `json:"name"`
	Description string            `json:"description"` // cut at 4,000 bytes
	Schema      json.RawMessage   `json:"inputSchema"` // nil if there is none, or one of more than 64 KiB
	Hints       map[string]bool   `json:"annotations"`
	Frame       proto.PageFrameID `json:"frameId"`
	Node        int               `json:"backendNodeId"` // of a form; 0 for a function
	Session     string            `json:"-"`             // the session that reports the tool
}

// AwaitsButton reports whether the tool is a form that a call fills, but does not submit.
func (t *Tool) AwaitsButton() bool { return t.Node != 0 && !t.Hints["autosubmit"] }

// An Answer is the outcome of a call: its result or its error.
type Answer struct {
	ID        string          `json:"invocationId"`
	Status    string          `json:"status"` // Completed, Canceled or Error
	Output    json.RawMessage `json:"output"` // nil if TooLarge is set
	Error     string          `json:"errorText"`
	Exception *struct {
		Description string          `json:"description"`
		Value       json.RawMessage `json:"value"`
	} `json:"exception"`
	TooLarge bool `json:"-"`
}

// Limits of a record.
const (
	maxTools       = 1000
	maxName        = 1000
	maxDescription = 4000
	maxSchema      = 64 << 10
	maxAnswers     = 8
)

// A Record holds the tools of one tab. During a call, it also holds the answers. The zero value is
// ready for use. Its methods may be called with any other lock held.
type Record struct {
	mu      sync.Mutex
	tools   []Tool
	more    map[proto.PageFrameID]int // tools beyond the limits
	calling bool
	id      string   // the call whose answer counts; "" for all
	answers []Answer // the latest, during a call
}

// BeginCall begins to record answers.
func (r *Record) BeginCall() { r.call(true) }

// EndCall forgets the answers.
func (r *Record) EndCall() { r.call(false) }

func (r *Record) call(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calling, r.id, r.answers = on, "", nil
}

// Note records an event of the domain WebMCP. If a frame has a new document, Note forgets the tools
// of the old one.
func (r *Record) Note(e *cdp.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Method {
	case "Page.frameNavigated":
		var v struct {
			Frame struct {
				ID proto.PageFrameID `json:"id"`
			} `json:"frame"`
		}
		if len(r.tools)+len(r.more) > 0 && cdp.Decode(e, &v) {
			delete(r.more, v.Frame.ID)
			r.tools = slices.DeleteFunc(r.tools, func(t Tool) bool { return t.Frame == v.Frame.ID })
		}
	case "WebMCP.toolsAdded", "WebMCP.toolsRemoved":
		var v struct {
			Tools []Tool `json:"tools"`
		}
		if !cdp.Decode(e, &v) {
			return
		}
		for _, t := range v.Tools {
			t.Session = e.Session
			r.drop(&t)
			if e.Method == "WebMCP.toolsAdded" {
				r.add(t)
			}
		}
	case "WebMCP.toolResponded":
		var a Answer
		if !r.calling || !cdp.Decode(e, &a) || r.id != "" && a.ID != r.id {
			return
		}
		if len(a.Output) > expr.MaxValueBytes {
			a.Output, a.TooLarge = nil, true
		}
		r.answers = append(r.answers[max(0, len(r.answers)-maxAnswers+1):], a)
	}
}

func (r *Record) add(t Tool) {
	if len(r.tools) == maxTools || len(t.Name) > maxName {
		if r.more == nil {
			r.more = make(map[proto.PageFrameID]int)
		}
		r.more[t.Frame]++
		return
	}
	t.Description = diag.Clip(t.Description, maxDescription)
	if len(t.Schema) > maxSchema {
		t.Schema = nil
	}
	r.tools = append(r.tools, t)
}

func (r *Record) drop(t *Tool) {
	r.tools = slices.DeleteFunc(r.tools, func(have Tool) bool { return have.Name == t.Name && have.Frame == t.Frame })
}

// Tools returns the tools of the frames that the given function accepts, in the order in which the
// browser reported them. more is the number of further tools, which exceeded the limits of the
// record.
func (r *Record) Tools(has func(proto.PageFrameID) bool) (list []Tool, more int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tools {
		if has(t.Frame) {
			list = append(list, t)
		}
	}
	for frame, n := range r.more {
		if has(frame) {
			more += n
		}
	}
	return list, more
}

// Answer returns the answer to the call with this id, if it has arrived. From then on, the record
// ignores the answers to other calls.
func (r *Record) Answer(id string) (a Answer, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.id = id
	for _, a := range r.answers {
		if a.ID == id {
			return a, true
		}
	}
	return a, false
}
