// Package wire defines what both sides of the daemon's socket share: the splitting into lines,
// the head of a request, and the messages.
//
// The package has only plain data: it opens and serves no connections, runs nothing, and imports
// only package diag. Package ops decodes the fields of requests and performs them. Package daemon
// serves the protocol. Package client and the command line send requests.
//
// Files, bottom to top: words, build, wire, lines, status, errors, measure, messages, approvals, parse.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/actionregistry/action/diag"
)

const (
	// Protocol is the version of the messages. It changes only if older programs would
	// misunderstand a message. New fields do not change it.
	Protocol = 1
	// MaxLineBytes limits the length of a line, without its line break.
	MaxLineBytes = 8 << 20
	// MaxDepth limits the nesting of objects and lists in a request.
	MaxDepth = 64
	// MaxValues limits the number of names and values in a request, because each needs much memory.
	MaxValues = 100_000
	// MaxIDBytes limits the length of an id.
	MaxIDBytes = 1024
)

// A Request is one line from a client.
type Request struct {
	ID   json.RawMessage // a text or a number
	Body Message
}

// MarshalJSON encodes the request as one JSON object: the id, the type, and the fields of the body.
func (r Request) MarshalJSON() ([]byte, error) {
	head, err := json.Marshal(struct {
		ID   json.RawMessage `json:"id"`
		Type string          `json:"type"`
	}{r.ID, r.Body.Type()})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(r.Body)
	if err != nil || string(body) == "{}" {
		return head, err
	}
	head[len(head)-1] = ','
	return append(head, body[1:]...), nil
}

// Null is the id of an answer to a request whose id could not be read.
var Null = json.RawMessage("null")

// A Duration is an integer of milliseconds, or a text such as 500ms or 5s. It is never negative.
type Duration time.Duration

// MarshalJSON encodes the duration as a text such as 5s.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON decodes an integer of milliseconds, or a text such as 500ms or 5s.
func (d *Duration) UnmarshalJSON(data []byte) error {
	parsed, err := ParseDuration(data)
	*d = Duration(parsed)
	return err
}

// ParseDuration decodes a [Duration]: an integer of milliseconds, or a text such as 500ms or 5s.
func ParseDuration(data []byte) (time.Duration, error) {
	var text string
	if json.Unmarshal(data, &text) == nil {
		if parsed, err := time.ParseDuration(text); err == nil && parsed >= 0 {
			return parsed, nil
		}
	} else if ms, err := strconv.ParseInt(string(data), 10, 64); err == nil && ms >= 0 && ms <= math.MaxInt64/int64(time.Millisecond) {
		return time.Duration(ms) * time.Millisecond, nil
	}
	return 0, fmt.Errorf("expected an integer of milliseconds, or a text such as 500ms or 5s")
}

// A Reply is the last line that the daemon sends about a request.
type Reply struct {
	ID      json.RawMessage `json:"id"`
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data,omitempty"`
	Error   *diag.Error     `json:"error,omitempty"`

	// Line is the whole reply as received.
	Line json.RawMessage `json:"-"`
}

// Decode decodes the data of a reply into v. In fields of type any, numbers become json.Number.
func (r *Reply) Decode(v any) error {
	if len(r.Data) == 0 || string(r.Data) == "null" {
		return BadPeer(errNoResult)
	}
	dec := json.NewDecoder(bytes.NewReader(r.Data))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return BadPeer(err)
	}
	return nil
}

// Check returns the error in a reply. If the reply has neither success nor an error, Check returns
// a [BadPeer] error.
func (r *Reply) Check() error {
	switch {
	case r.Error != nil:
		return r.Error
	case !r.Success:
		return BadPeer(errNoResult)
	}
	return nil
}

// Output decodes the reply to a [CommandRequest]. If the reply has no exit code, the error is from
// [BadPeer].
func (r *Reply) Output() (*Output, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var exit struct {
		Exit *uint8 `json:"exit"`
	}
	out := new(Output)
	if err := errors.Join(r.Decode(&exit), r.Decode(out)); err != nil {
		return nil, BadPeer(err)
	}
	if exit.Exit == nil {
		return nil, BadPeer(errNoExit)
	}
	return out, nil
}

var (
	errNoResult = errors.New("the answer has no result")
	errNoExit   = errors.New("the answer has no exit code")
)

// BadPeer returns the error for a daemon whose answer is invalid. The argument says why.
func BadPeer(err error) *diag.Error {
	return diag.New(diag.Internal, "the daemon's answer could not be read: %v", err).
		WithHint("the daemon may have another version; stop it with: action daemon stop --force").Because(err)
}

// Names of events.
const (
	EventStep   = "step"   // data is an executor.StepEvent
	EventTrace  = "trace"  // data is one line of the trace
	EventOutput = "output" // data is an Output, to be printed before the output of the reply
)

// An Event is a line that the daemon sends about a request before the reply.
type Event struct {
	ID    json.RawMessage `json:"id"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data,omitempty"`
	// Error is set instead of Data if the data is too long for a line.
	Error *diag.Error `json:"error,omitempty"`
}

// A Hello is the data of the reply to hello.
type Hello struct {
	Protocol   int    `json:"protocol"`
	Build      Build  `json:"build"`
	Version    string `json:"version"`
	PID        int    `json:"pid"`
	Executable string `json:"executable,omitempty"`
	Stopping   bool   `json:"stopping,omitempty"` // the daemon accepts no new requests
}

// An Output is the data of the reply to command. It has the text that the client should print, and
// the exit code.
type Output struct {
	Stdout string `json:"stdout,omitempty"`
	Stderr string `json:"stderr,omitempty"`
	Exit   int    `json:"exit"`
	// Missing is set if the command needs further input and has not run. The client must add the
	// input and send the request again.
	Missing *Missing `json:"missing,omitempty"`
	// Engine describes the daemon's engine. It is set if the request names another engine. The
	// command has then not run.
	Engine *Hello `json:"engine,omitempty"`
}

// Missing lists the input that a command needs from the client.
type Missing struct {
	Input string   `json:"input,omitempty"` // file that only the client can read; "-" is its standard input; for CommandRequest.Inputs
	Env   []string `json:"env,omitempty"`   // names of variables; for Location.Env
}

// A Stopping is the data of the reply to shutdown.
type Stopping struct {
	Stopping bool `json:"stopping"`
	Running  int  `json:"running"` // number of pending requests
}

// A Cancelling is the data in the reply to a cancel request.
type Cancelling struct {
	// Cancelled is false if the request had already ended.
	Cancelled bool `json:"cancelled"`
}
