// Package approvals keeps the questions that runs ask people, and their answers. A run waits in
// [Table.Ask] until somebody answers with [Table.Answer], the time is up or the run ends. Each
// question is answered once, and the answer counts once.
//
// The package decides neither what has to be approved nor over which channels people are asked: the
// executor and the configuration do. It knows no browser, no connection and no command.
//
// Files, bottom to top: clock, approvals, text, ended, table.
package approvals

import (
	"context"
	"time"

	"github.com/actionregistry/action/executor"
)

// States of an approval.
const (
	Pending   = "pending"
	Approved  = "approved"
	Denied    = "denied"
	Expired   = "expired"   // nobody answered in time
	Cancelled = "cancelled" // its run ended first
)

// Channels that the client of a run uses: all others are other connections.
const (
	ByTerminal = "terminal"
	ByMCP      = "mcp"
	BySocket   = "socket"
	// ByProgram is the program that embeds the registry. No configuration names it: whoever writes
	// that program also chooses its configuration.
	ByProgram = "program"
)

// An Approval is a question and what became of it, as plain data without secrets.
type Approval struct {
	ID    string `json:"id"` // random, 128 bits
	State string `json:"state"`
	executor.ApprovalRequest
	Session string    `json:"session,omitempty"`
	Run     string    `json:"run"` // the same for all approvals of one call
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires"`
	By      *Answer   `json:"by,omitempty"` // who has answered
	// Outcome is the result of the run, once it has ended; without its data if that is too large.
	Outcome *executor.Result `json:"outcome,omitempty"`
	// HasPicture reports whether there is a picture, which [Table.Picture] returns.
	HasPicture bool `json:"has_picture"`

	// Channels lists the channels that may answer.
	Channels []string `json:"channels"`
}

// An Answer says who has answered.
type Answer struct {
	Channel string    `json:"channel"` // one of those of policy.approve_by
	UID     int       `json:"uid"`
	At      time.Time `json:"at"`
	Reason  string    `json:"reason,omitempty"` // of a denial
}

// A Question is what a run asks.
type Question struct {
	executor.ApprovalRequest
	Session  string
	Run      string
	Timeout  time.Duration // how long to wait
	Channels []string      // that may answer
	Caller   Caller
}

// A Reply is the answer to a question.
type Reply struct {
	Yes     bool
	Channel string
	UID     int
	Reason  string // of a no
	// From identifies the connection that answers; nil means none. It may not answer the questions of
	// its own calls, except by a person at its terminal or its MCP client.
	From any
}

// A Caller is who has started a run. The zero value is nobody.
type Caller struct {
	Owner any // identifies its connection; nil for none
	// Asked is called when a question begins to wait, Answered when it has ended. Both are called by
	// the goroutine of the run and may be nil.
	Asked, Answered func(Approval)
}

type callerKey struct{}

// WithCaller returns a context in which questions have that caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller of a context, or the zero value.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
