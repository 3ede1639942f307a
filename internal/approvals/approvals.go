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

// Channels with special rules. Over ByTerminal and ByMCP, only the connection that started the run
// may answer. Over any other channel, only other connections may answer.
const (
	ByTerminal = "terminal"
	ByMCP      = "mcp"
	BySocket   = "socket"
	// ByProgram is the program that embeds the registry. It needs no entry in a configuration.
	ByProgram = "program"
)

// An Approval is a question, its state and its answer. Secrets in it are masked.
type Approval struct {
	ID    string `json:"id"` // random, 128 bits
	State string `json:"state"`
	executor.ApprovalRequest
	Session string    `json:"session,omitempty"`
	Run     string    `json:"run"` // the same for all approvals of one call
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires"`
	By      *Answer   `json:"by,omitempty"` // who has answered
	// Outcome is the result of the run. It is nil until the run has ended. The data and the steps of a
	// large result are left out.
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
	// From identifies the connection that answers. Nil means none.
	From any
}

// A Caller describes who has started a run. The zero value means that this is unknown.
type Caller struct {
	Owner any // identifies its connection; nil for none
	// Asked is called when a question begins to wait, and Answered when it has ended. They are called
	// on the goroutine of the run. Both may be nil.
	Asked, Answered func(Approval)
}

type callerKey struct{}

// WithCaller returns a context for the runs that c starts.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller that [WithCaller] has put into ctx, or the zero value.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
