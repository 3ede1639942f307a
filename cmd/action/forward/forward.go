// Package forward has the daemon do a command line before the rest of the program
// is initialised.
//
// What a command asks of a daemon that is there takes a millisecond or two. The
// packages that read definitions and drive browsers take longer than that to
// initialise, in every process, also where it uses none of them. Go initialises
// packages in the order of their import paths, each after those that it imports:
// this one imports nothing that comes late, such as net and path/filepath, and so
// comes before the large libraries; a test of the command holds that. Its init
// sends the command line, prints what comes back and ends the process.
//
// Wherever that cannot be, main goes on as if nothing had been: without a daemon,
// with one of another build, for a command that needs its own process. That takes
// longer and gives the same. The package reads no flags and starts no daemon.
package forward

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"actionregistry/daemon/endpoint"
	"actionregistry/diag"
)

// lost is why a command that the daemon may have begun has no outcome.
var lost *diag.Error

// Lost returns why a command that the daemon has begun has no outcome, or nil. The
// command must not be run a second time.
func Lost() error {
	if lost == nil {
		return nil
	}
	return lost
}

func init() {
	// Tests that contain this package are programs of other names. Someone who
	// watches is told what a long run does, which takes the process itself.
	if len(os.Args) < 2 || os.Args[0][strings.LastIndexByte(os.Args[0], '/')+1:] != "action" || mayBeTerminal(os.Stderr) {
		return
	}
	c, err := dial()
	if err != nil {
		return
	}
	defer c.end()
	out, err := c.command(os.Args[1:])
	if err != nil {
		errors.As(err, &lost)
		return
	}
	_, err = io.WriteString(os.Stdout, out.Stdout)
	if _, err2 := io.WriteString(os.Stderr, out.Stderr); errors.Join(err, err2) != nil && out.Exit == 0 {
		out.Exit = 1
	}
	os.Exit(out.Exit)
}

// mayBeTerminal reports whether f is a device other than the null device. The
// library that can tell terminals would have to be initialised first.
func mayBeTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// errElsewhere says that main is to run the command.
var errElsewhere = errors.New("the command is for this process")

// The ids of our requests. A daemon that takes none answers with another.
const (
	running = iota + 1
	greeting
	cancelling
)

// A request is the command request of docs/protocol.md.
type request struct {
	ID      int               `json:"id"`
	Type    string            `json:"type"`
	Argv    []string          `json:"argv,omitempty"`
	Program string            `json:"program,omitempty"`
	Session string            `json:"session,omitempty"`
	Cwd     string            `json:"cwd,omitempty"`
	Path    *string           `json:"path,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Target  int               `json:"target,omitempty"`
}

// A message is a line of the daemon's.
type message struct {
	ID    int         `json:"id"`
	Event string      `json:"event"`
	Data  output      `json:"data"`
	Error *diag.Error `json:"error"`
}

// An output is what comes of a command.
type output struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Exit   int    `json:"exit"`
}

// Environ returns what the daemon is told of the environment: the settings, with
// the path of definitions and the session apart.
func Environ(environ []string) (path *string, session string, env map[string]string) {
	env = make(map[string]string)
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch {
		case name == "ACTION_PATH":
			path = &value
		case name == "ACTION_SESSION":
			session = value
		case name == "HOME", strings.HasPrefix(name, "ACTION_"):
			env[name] = value
		}
	}
	return path, session, env
}

// command returns the output of a command line. An error that is a *diag.Error is
// that of a command that may have begun; with all others it has not.
func (c *conn) command(argv []string) (*output, error) {
	req := request{ID: running, Type: "command", Argv: argv, Program: endpoint.Program()}
	var err error
	if req.Cwd, err = os.Getwd(); err != nil {
		return nil, err
	}
	req.Path, req.Session, req.Env = Environ(os.Environ())
	if err := c.send(req); err != nil {
		return nil, err
	}
	var stdout strings.Builder // what comes before the reply
	lines := bufio.NewReaderSize(c, 16<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil, c.noOutcome(err)
		}
		m := new(message)
		if err := json.Unmarshal(line, m); err != nil {
			return nil, diag.New(diag.Internal, "the daemon's answer could not be read: %v", err).
				WithHint("end it with: action daemon stop").Because(err)
		}
		switch {
		case m.ID == greeting: // it lives, and a run takes as long as it takes
			if err := c.timeout(syscall.SO_RCVTIMEO, 0); err != nil {
				return nil, c.noOutcome(err)
			}
		case m.ID == cancelling:
		case m.Event != "":
			stdout.WriteString(m.Data.Stdout)
		case m.Error == nil:
			stdout.WriteString(m.Data.Stdout)
			m.Data.Stdout = stdout.String()
			return &m.Data, nil
		case m.ID != running:
			return nil, c.noOutcome(errElsewhere)
		case m.Error.Code == diag.Internal, m.Error.Code == diag.LimitExceeded: // of what came of it
			return nil, m.Error
		default:
			return nil, c.noOutcome(errElsewhere)
		}
	}
}

func (c *conn) send(req request) error {
	line, err := json.Marshal(req)
	if err == nil {
		_, err = c.Write(append(line, '\n'))
	}
	return err
}

// noOutcome is the error of a command that has not been answered. One that has
// neither begun nor been interrupted is for this process.
func (c *conn) noOutcome(why error) error {
	switch {
	case c.interrupted.Load():
		return diag.New(diag.Cancelled, "interrupted").WithHint("see what the daemon does with: action daemon status")
	case errors.Is(why, os.ErrDeadlineExceeded):
		e := diag.New(diag.BrowserUnavailable, "the daemon is there and does not answer within %s", c.alive)
		if c.peer.PID == 0 {
			return e.WithHint("end its process")
		}
		return e.WithHint("end it with: kill %d", c.peer.PID)
	case errors.Is(why, io.EOF), c.greeted && why != errElsewhere: // it may have read the request
		return diag.New(diag.BrowserUnavailable, "the daemon has closed the connection").
			WithHint("send the request again; when it repeats, see what it says: action daemon run").Because(why)
	}
	return errElsewhere
}
