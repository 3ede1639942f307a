package wire

import (
	"encoding/json"
)

// A Message is the body of a request: a pointer to one of the structs of this file. Their json
// tags name the fields, and their wire tags bound the values. docs/protocol.md and its checks are
// derived from the structs and from docs.
type Message interface {
	// Type returns the name of the request on the socket, such as action.run.
	Type() string
}

// table lists the types of messages. To add a message, add it here, give it a method Type, and
// handle it in package daemon.
var table = []entry{
	{message: new(RunRequest), effects: true},
	{message: new(DebugRequest), effects: true},
	{message: new(DryRunRequest)},
	{message: new(ListRequest)},
	{message: new(DescribeRequest)},
	{message: new(SearchRequest)},
	{message: new(ValidateRequest)},
	{message: new(ReloadRequest)},
	{message: new(StepRequest), effects: true},
	{message: new(CommandRequest), effects: true},
	{message: new(SessionOpenRequest), effects: true},
	{message: new(SessionListRequest), control: true},
	{message: new(SessionCloseRequest), control: true},
	{message: new(ApprovalListRequest), control: true},
	{message: new(ApprovalGetRequest), control: true},
	{message: new(ApprovalApproveRequest), control: true},
	{message: new(ApprovalDenyRequest), control: true},
	{message: new(CancelRequest), control: true},
	{message: new(HelloRequest), control: true},
	{message: new(StatusRequest), control: true},
	{message: new(ShutdownRequest), control: true},
}

// docs describes each field in Markdown. A field has the same meaning in all messages.
var docs = map[string]string{
	"cwd":        "folder whose definitions apply, and the base of relative file names; default: the daemon's own",
	"path":       "files and folders with definitions, like `ACTION_PATH`; default: the one of the environment",
	"env":        "`{\"NAME\": \"value\"}`, see below; default: the daemon's own",
	"action":     "full name of an action; for `action.describe` also the name of a namespace",
	"format":     "`json`, or `text` for the output of `action describe`, in `data.text`; default: `json`",
	"params":     "params of the action",
	"from_text":  "convert params or arguments that are texts to the declared types, as on the command line",
	"strict":     "fail if any definition file is invalid",
	"session":    "name of the session; default: `default`",
	"stream":     "send an event `step` after every step, including skipped ones",
	"steps":      "include every step in the result even if the run succeeds",
	"trace":      "send every line of the trace as an event `trace`",
	"timeout":    "time limit of the whole run or of the step, including the wait for other calls of the session: milliseconds, or a text such as `\"5s\"`; default, and for 0: the configured limit",
	"headed":     "show the window of a browser that is started",
	"cdp":        "use a running browser: its port, or its `http:` or `ws:` address",
	"namespace":  "list only the actions of this namespace",
	"namespaces": "list namespaces instead of actions, with `name`, `version`, `description`, `source` and the `count` of actions",
	"query":      "words to search for",
	"limit":      "maximum number of hits; default: 20",
	"paths":      "definition files and folders; default: those of `path`",
	"step":       "name of a step, see [steps.md](steps.md)",
	"args":       "arguments of the step",
	"argv":       "arguments of a command line",
	"engine":     "path, size and time of the engine that must run the command; default: the daemon's engine",
	"color":      "standard error may use colours",
	"watched":    "a user is watching at a terminal, so show the progress of a long run",
	"terminal":   "standard input and standard error are a terminal, so a person there can answer approvals",
	"inputs":     "texts of files that only the caller can read, by path; `-` is its standard input",
	"env_whole":  "`env` holds all variables listed in `missing` that are set",
	"options":    "`headed` (boolean), `viewport` (`{\"width\", \"height\"}`, 1 to 10,000), `user_agent`, `locale` (texts), `ignore_https_errors`, `javascript` (booleans), `profile` (a folder), `proxy`, `cdp`, `cdp_target` (texts), `idle_timeout` (milliseconds or a text such as `\"10m\"`, 10s to 24h): see [sessions.md](sessions.md)",
	"all":        "include the approvals that have ended, which are kept for 5 minutes",
	"approval":   "id of an approval",
	"picture":    "include the picture, a JPEG in base64",
	"channel":    "how the person answers, as `policy.approve_by` names it: `socket` (default), `command`, `terminal`, `http`, `console` or `mcp`",
	"reason":     "what to say to the caller of the run",
	"target":     "id of another request on the same connection",
	"drain":      "wait for pending requests to finish first",
	"replace":    "another build takes over, and its daemon reports the open sessions as lost",
}

// A Location determines the definitions that apply to a request. The zero value means the
// daemon's own.
type Location struct {
	Cwd  string            `json:"cwd,omitempty" wire:"absolute"`
	Path *string           `json:"path,omitempty"`
	Env  map[string]string `json:"env,omitzero"` // an empty map is not the same as nil
}

// ActionCall is an action with its params.
type ActionCall struct {
	Action   string         `json:"action" wire:"required"`
	Params   map[string]any `json:"params,omitzero"`
	FromText bool           `json:"from_text,omitempty"`
	Strict   bool           `json:"strict,omitempty"`
}

// RunOptions determine the session and the limits of a run, and which events precede the reply.
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

// A DebugRequest is a RunRequest whose result has the input, decision and time of each step, and
// the context of a failure.
type DebugRequest struct{ RunRequest }

// A DryRunRequest returns the plan of a run. It needs no browser.
type DryRunRequest struct {
	ActionCall
	Location
}

// A ListRequest returns the actions, or the namespaces if Namespaces is set.
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

func (*RunRequest) Type() string          { return "action.run" }
func (*DebugRequest) Type() string        { return "action.debug" }
func (*DryRunRequest) Type() string       { return "action.dryRun" }
func (*ListRequest) Type() string         { return "action.list" }
func (*DescribeRequest) Type() string     { return "action.describe" }
func (*SearchRequest) Type() string       { return "action.search" }
func (*ValidateRequest) Type() string     { return "action.validate" }
func (*ReloadRequest) Type() string       { return "action.reload" }
func (*StepRequest) Type() string         { return "step" }
func (*CommandRequest) Type() string      { return "command" }
func (*SessionOpenRequest) Type() string  { return "session.open" }
func (*SessionListRequest) Type() string  { return "session.list" }
func (*SessionCloseRequest) Type() string { return "session.close" }
func (*CancelRequest) Type() string       { return "cancel" }
func (*HelloRequest) Type() string        { return "hello" }
func (*StatusRequest) Type() string       { return "status" }
func (*ShutdownRequest) Type() string     { return "shutdown" }

// SessionOf returns the name of the session that handles a message. It returns "" for messages
// that name none.
func SessionOf(m Message) string {
	switch m := m.(type) {
	case *RunRequest:
		return m.Session
	case *DebugRequest:
		return m.Session
	case *StepRequest:
		return m.Session
	case *CommandRequest:
		return m.Session
	case *SessionOpenRequest:
		return m.Session
	case *SessionCloseRequest:
		return m.Session
	}
	return ""
}
