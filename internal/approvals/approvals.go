// Package approvals keeps the questions that runs ask people, and their answers. A run waits in
// [Table.Ask] until somebody answers with [Table.Answer], the time is up or the run ends. Each
// question is answered once, and the answer counts once.
//
// The package does not decide what has to be approved: the executor does. Nor does it decide over
// which channels people may answer: the configuration does. It knows no browser, no connection and
// no command.
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

// Channels that have rules. Over ByTerminal and ByMCP, the client that started the run answers,
// after it has asked its user. Over BySocket and all other channels, only other connections may
// answer.
const (
	ByTerminal = "terminal"
	ByMCP      = "mcp"
	BySocket   = "socket"
	// ByProgram is the program that embeds the registry. It needs no entry in a configuration,
	// because whoever writes that program also chooses its configuration.
	ByProgram = "program"
)

// An Approval is a question with its state and its answer, as plain data without secrets.
type Approval struct {
	ID    string `json:"id"` // random, 128 bits
	State string `json:"state"`
	executor.ApprovalRequest
	Session string    `json:"session,omitempty"`
	Run     string    `json:"run"` // the same for all approvals of one call
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires"`
	By      *Answer   `json:"by,omitempty"` // who has answered
	// Outcome is the result of the run; nil until the run has ended. A large result is kept without
	// its data and its steps.
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
	Reason  string    `json:"reason,omitempty"` // why the person denied it
}

// A Question is what a run asks.
type Question struct {
	executor.ApprovalRequest
	Session  string
	Run      string
	Timeout  time.Duration // how long to wait
	Channels []string      // channels that may answer
	Caller   Caller
}

// A Reply is the answer to a question.
type Reply struct {
	Yes     bool
	Channel string
	UID     int
	Reason  string // why the answer is no
	// From identifies the connection that answers; nil means none. A connection may not answer the
	// questions of its own calls, unless a person answers at its terminal or in its MCP client.
	From any
}

// A Caller describes who has started a run. The zero value means that nobody is known.
type Caller struct {
	Owner any // identifies its connection; nil for none
	// Asked is called when a question begins to wait, and Answered when the question has ended.
	// Both are called by the goroutine of the run and may be nil.
	Asked, Answered func(Approval)
}

type callerKey struct{}

// WithCaller returns a context whose questions belong to the caller c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller that [WithCaller] has put into ctx, or the zero value.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
