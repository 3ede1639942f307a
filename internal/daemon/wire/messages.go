package wire

import (
	"encoding/json"
)

// A Message is the body of a request: a pointer to a struct of this package. The json tags of the
// struct are the names of the fields. The wire tags restrict their values: required; absolute (a
// path); one-of=A|B; min=N; max=N.
type Message interface {
	// Type returns the name of the request on the socket, such as action.run.
	Type() string
}

// A Location determines which definitions apply to a request. The zero value means the folder and
// the environment of the daemon.
type Location struct {
	Cwd  string            `json:"cwd,omitempty" wire:"absolute"`
	Path *string           `json:"path,omitempty"`
	Env  map[string]string `json:"env,omitzero"` // an empty map is not the same as nil
	// Unattended is set if the request comes from a model or from another machine, not from a
	// person.
	Unattended bool `json:"unattended,omitempty"`
}

// ActionCall is an action with its params.
type ActionCall struct {
	Action   string         `json:"action" wire:"required"`
	Params   map[string]any `json:"params,omitzero"`
	FromText bool           `json:"from_text,omitempty"`
	Strict   bool           `json:"strict,omitempty"`
}

// Values returns the values of the request that may have any type.
func (c *ActionCall) Values() map[string]any { return c.Params }

// RunOptions are the options of a run: its session, its limits, and the events to send.
type RunOptions struct {
	Session string   `json:"session,omitempty"`
	Stream  bool     `json:"stream,omitempty"`
	Steps   bool     `json:"steps,omitempty"`
	Trace   bool     `json:"trace,omitempty"`
	Timeout Duration `json:"timeout,omitzero"`
	Headed  *bool    `json:"headed,omitempty"`
	CDP     string   `json:"cdp,omitempty"`
}

// A RunRequest runs an action. Its reply is the executor.Result.
type RunRequest struct {
	ActionCall
	RunOptions
	Location
}

// A DebugRequest is like a RunRequest, but its result has more details of each step and of a
// failure.
type DebugRequest struct{ RunRequest }

// A DryRunRequest returns the plan of a run. It needs no browser.
type DryRunRequest struct {
	ActionCall
	Location
}

// A ListRequest lists the actions. If Namespaces is set, it lists the namespaces instead.
type ListRequest struct {
	Location
	Namespace  string `json:"namespace,omitempty"`
	Namespaces bool   `json:"namespaces,omitempty"`
	Strict     bool   `json:"strict,omitempty"`
}

// A DescribeRequest returns a description of an action, or of a namespace.
type DescribeRequest struct {
	Action string `json:"action" wire:"required"`
	Format string `json:"format,omitempty" wire:"one-of=json|text"`
	Location
}

// A SearchRequest finds actions by words.
type SearchRequest struct {
	Query string `json:"query" wire:"required"`
	Limit int    `json:"limit,omitempty"`
	Location
}

// A ValidateRequest checks definition files.
type ValidateRequest struct {
	Paths []string `json:"paths,omitempty"`
	Location
}

// A ReloadRequest reloads the definition files. Its reply is Reloaded.
type ReloadRequest struct{ Location }

// A StepRequest runs one step. Its reply is the executor.Result.
type StepRequest struct {
	Step     string         `json:"step" wire:"required"`
	Args     map[string]any `json:"args,omitzero"`
	FromText bool           `json:"from_text,omitempty"`
	RunOptions
	Location
}

// Values returns the values of the request that may have any type.
func (r *StepRequest) Values() map[string]any { return r.Args }

// A CommandRequest runs a command line of action. Its reply is Output.
type CommandRequest struct {
	Argv     []string          `json:"argv" wire:"required"`
	Engine   string            `json:"engine,omitempty"` // ID of an endpoint.Engine
	Session  string            `json:"session,omitempty"`
	Color    bool              `json:"color,omitempty"`
	Watched  bool              `json:"watched,omitempty"`
	Terminal bool              `json:"terminal,omitempty"`
	Inputs   map[string]string `json:"inputs,omitzero"`
	EnvWhole bool              `json:"env_whole,omitempty"`
	Location
}

// A SessionOpenRequest opens a session with options. Its reply is a Session.
type SessionOpenRequest struct {
	Session string          `json:"session,omitempty"`
	Options *SessionOptions `json:"options,omitempty"`
	Location
}

// SessionOptions are the options of session.open. The zero value uses the configuration.
type SessionOptions struct {
	Headed            *bool     `json:"headed,omitempty"`
	Viewport          *Viewport `json:"viewport,omitempty"`
	UserAgent         string    `json:"user_agent,omitempty"`
	Locale            string    `json:"locale,omitempty"`
	IgnoreHTTPSErrors *bool     `json:"ignore_https_errors,omitempty"`
	JavaScript        *bool     `json:"javascript,omitempty"`
	Profile           string    `json:"profile,omitempty"` // a folder
	Proxy             string    `json:"proxy,omitempty"`
	CDP               string    `json:"cdp,omitempty"`         // port or address of a running browser
	Target            string    `json:"cdp_target,omitempty"`  // id of a tab of that browser, or a part of its address
	IdleTimeout       Duration  `json:"idle_timeout,omitzero"` // time without a call after which the session ends
}

// A Viewport is a size in CSS pixels.
type Viewport struct {
	Width  int `json:"width" wire:"required,min=1,max=10000"`
	Height int `json:"height" wire:"required,min=1,max=10000"`
}

// A SessionListRequest lists the sessions. Its reply is Sessions.
type SessionListRequest struct{}

// A SessionCloseRequest ends a session and its browser.
type SessionCloseRequest struct {
	Session string `json:"session,omitempty"`
}

// A SessionHandoffRequest lets a person use the browser of a session. Its reply is a Session. If
// Wait is set, its reply is HandedBack instead.
type SessionHandoffRequest struct {
	Session string   `json:"session,omitempty"`
	Message string   `json:"message,omitempty"`
	Until   string   `json:"until,omitempty"`
	Timeout Duration `json:"timeout,omitzero"`
	Wait    bool     `json:"wait,omitempty"`
	Location
}

// A SessionResumeRequest ends the handoff of a session. Its reply is Held.
type SessionResumeRequest struct {
	Session string `json:"session,omitempty"`
}

// A CancelRequest cancels another request of the same connection. Its reply is Cancelling.
type CancelRequest struct {
	Target json.RawMessage `json:"target" wire:"required"`
}

// A HelloRequest requests a description of the daemon. Its reply is Hello.
type HelloRequest struct{}

// A StatusRequest requests the state of the daemon. Its reply is Status.
type StatusRequest struct{}

// A ShutdownRequest ends the daemon. Its reply is Stopping.
type ShutdownRequest struct {
	Drain   bool `json:"drain,omitempty"`
	Replace bool `json:"replace,omitempty"`
}

func (*RunRequest) Type() string            { return "action.run" }
func (*DebugRequest) Type() string          { return "action.debug" }
func (*DryRunRequest) Type() string         { return "action.dryRun" }
func (*ListRequest) Type() string           { return "action.list" }
func (*DescribeRequest) Type() string       { return "action.describe" }
func (*SearchRequest) Type() string         { return "action.search" }
func (*ValidateRequest) Type() string       { return "action.validate" }
func (*ReloadRequest) Type() string         { return "action.reload" }
func (*StepRequest) Type() string           { return "step" }
func (*CommandRequest) Type() string        { return "command" }
func (*SessionOpenRequest) Type() string    { return "session.open" }
func (*SessionListRequest) Type() string    { return "session.list" }
func (*SessionCloseRequest) Type() string   { return "session.close" }
func (*CancelRequest) Type() string         { return "cancel" }
func (*HelloRequest) Type() string          { return "hello" }
func (*StatusRequest) Type() string         { return "status" }
func (*ShutdownRequest) Type() string       { return "shutdown" }
func (*SessionHandoffRequest) Type() string { return "session.handoff" }
func (*SessionResumeRequest) Type() string  { return "session.resume" }
