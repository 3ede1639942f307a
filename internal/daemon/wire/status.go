package wire

import (
	"time"

	"github.com/actionregistry/action/diag"
)

// A Status is the data of the reply to status.
type Status struct {
	Hello
	Socket      string    `json:"socket"`
	UptimeMS    int64     `json:"uptime_ms"`
	Connections int       `json:"connections"`
	Requests    int       `json:"requests"`   // pending requests, not counting this one
	HeldBytes   int       `json:"held_bytes"` // memory of pending requests and of long lines being read
	Sessions    []Session `json:"sessions"`
	Problems    diag.List `json:"problems"` // problems of all definition files in use
	Memory      Memory    `json:"memory"`
	Goroutines  int       `json:"goroutines"`
}

// Memory is the memory of the daemon's own process, without its browsers.
type Memory struct {
	HeapBytes  uint64 `json:"heap_bytes"`  // reachable objects, and garbage not yet collected
	TotalBytes uint64 `json:"total_bytes"` // memory obtained from the system
}

// A Session describes a session. It is in the replies to session.open and session.list.
type Session struct {
	Name      string     `json:"name"`
	State     string     `json:"state"` // idle, starting, running, held or lost
	Running   *Running   `json:"running,omitempty"`
	Held      *Held      `json:"held,omitempty"` // a person uses the browser
	Queued    int        `json:"queued"`
	URL       string     `json:"url,omitempty"` // address of the active tab, without its query and fragment, which may be secret
	Tab       string     `json:"tab,omitempty"` // active tab
	Window    string     `json:"window,omitempty"`
	Tabs      int        `json:"tabs"`
	Windows   int        `json:"windows"`
	Lost      string     `json:"lost,omitempty"`
	IdleSince *time.Time `json:"idle_since,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // when it ends if no call comes
}

// Running describes the call that is running in a session: an action, a step, or session.open.
type Running struct {
	Action  string    `json:"action,omitempty"`
	Step    string    `json:"step,omitempty"`
	Opening bool      `json:"opening,omitempty"` // the session is being opened by session.open
	Since   time.Time `json:"since"`
}

// Held describes a handoff that is in progress. It is also the data of the reply to session.resume.
type Held struct {
	By      string    `json:"by,omitempty"` // caller of the action or the step that waits, such as pid 4711
	Action  string    `json:"action,omitempty"`
	Step    string    `json:"step,omitempty"`
	Since   time.Time `json:"since"`
	End     time.Time `json:"end"`             // when the handoff times out
	Until   string    `json:"until,omitempty"` // the condition that ends it
	Message string    `json:"message,omitempty"`
}

// HandedBack is the data of the reply to session.handoff, if the request sets wait.
type HandedBack struct {
	Ended string `json:"ended"` // resumed or condition
}

// Sessions is the data of the reply to session.list.
type Sessions struct {
	Sessions []Session `json:"sessions"`
}

// Closed is the data of the reply to session.close.
type Closed struct {
	Closed string `json:"closed"` // name of the session
}

// Reloaded is the data of the reply to action.reload.
type Reloaded struct {
	Actions  int       `json:"actions"`
	Problems diag.List `json:"problems"`
	Kept     []string  `json:"kept"` // invalid files whose last valid version is in use
}
