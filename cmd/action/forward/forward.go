// Package forward has the daemon do a command line before the rest of the program
// is initialised.
//
// What a command asks of a daemon that is there takes a millisecond or two. The
// packages that read definitions and drive browsers take longer than that to
// initialise, in every process, also where it uses none of them. Go initialises
// packages in the order of their import paths, each after those that it imports:
// this one imports only what comes before anything large, and so is initialised
// behind package os. That leaves out encoding/json and fmt, also behind other
// imports; a test of the command holds it. Its init sends the command line, prints
// what comes back and ends the process.
//
// Wherever that cannot be, main goes on as if nothing had been: without a daemon,
// with one of another build, for a command that needs its own process. That takes
// longer and gives the same. The package reads no flags and starts no daemon.
package forward

import (
	"errors"
	"io"
	"os"
	"time"

	"actionregistry/daemon/endpoint"
)

// A Loss is why a command that the daemon may have begun has no outcome.
type Loss struct {
	Why   Why
	PID   int           // of the daemon; 0: not known
	Waits time.Duration // since it was last heard
	Reply []byte        // of the daemon, for Refused: its error, as JSON
	Cause error         // or nil
}

// Why says what has happened to a command.
type Why int

// What can happen to a command.
const (
	Interrupted Why = iota + 1 // it was interrupted, and has not ended since
	Silent                     // the daemon is there and does not answer
	Closed                     // the daemon has closed the connection
	Unreadable                 // the daemon's answer is not of the protocol
	Refused                    // the daemon's answer is an error, of what came of the command
)

func (l *Loss) Error() string { return "the command has no outcome" }
func (l *Loss) Unwrap() error { return l.Cause }

var (
	asked bool
	lost  *Loss
)

// Asked reports whether there was a daemon, which has been asked to do the command line.
func Asked() bool { return asked }

// Lost returns why a command that the daemon has begun has no outcome, or nil. The
// command must not be run a second time.
func Lost() *Loss { return lost }

func init() {
	// Tests that contain this package are programs of other names. Someone who
	// watches is told what a long run does, which takes the process itself.
	if len(os.Args) < 2 || base(os.Args[0]) != "action" || !IsFor(os.Args[1:]) || mayBeTerminal(os.Stderr) {
		return
	}
	c, err := dial(endpoint.Patience{Began: time.Now(), Limit: endpoint.Limit(os.Args[1:])})
	if err != nil {
		return
	}
	defer c.end()
	asked = true
	out, err := c.command(os.Args[1:])
	if err != nil {
		errors.As(err, &lost)
		return
	}
	_, err = os.Stdout.Write(out.stdout)
	if _, err2 := os.Stderr.WriteString(out.stderr); (err != nil || err2 != nil) && out.exit == 0 {
		out.exit = 1
	}
	os.Exit(out.exit)
}

// own are the commands that need a process of their own, and work while the daemon
// does not answer. A test holds the list to the grammar.
var own = []string{"__complete", "completion", "daemon", "dry-run", "expr", "reload", "schema", "session", "validate", "version"}

// IsFor reports whether the daemon may be able to run a command line. It is false for
// help about commands, and where daemon stands anywhere: it must work with a daemon
// that does not answer.
func IsFor(argv []string) bool {
	command := ""
	for _, word := range argv {
		if word == "daemon" {
			return false
		}
		if command == "" && word != "" && word[0] != '-' {
			command = word
		}
	}
	for _, name := range own {
		if name == command {
			return false
		}
	}
	return command != ""
}

// base is the last part of a path.
func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
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

// An output is what comes of a command.
type output struct {
	stdout []byte
	stderr string
	exit   int
}

// Environ returns what the daemon is told of the environment: the settings, with
// the path of definitions and the session apart.
func Environ(environ []string) (path *string, session string, env map[string]string) {
	env = make(map[string]string)
	for _, kv := range environ {
		name, value := variable(kv)
		switch {
		case name == "ACTION_PATH":
			path = &value
		case name == "ACTION_SESSION":
			session = value
		case name == "HOME", len(name) > 7 && name[:7] == "ACTION_":
			env[name] = value
		}
	}
	return path, session, env
}

// variable takes NAME=value apart.
func variable(kv string) (name, value string) {
	for i := range len(kv) {
		if kv[i] == '=' {
			return kv[:i], kv[i+1:]
		}
	}
	return kv, ""
}

// command returns the output of a command line. An error that is a *Loss is that of a
// command that may have begun; with all others it has not.
func (c *conn) command(argv []string) (*output, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	path, session, env := Environ(os.Environ())
	// The command request of docs/protocol.md.
	members := []member{{"id", running}, {"type", "command"}, {"argv", argv}, {"program", endpoint.Program()}, {"cwd", cwd}, {"env", env}}
	if session != "" {
		members = append(members, member{"session", session})
	}
	if path != nil {
		members = append(members, member{"path", *path})
	}
	if err := c.send(members...); errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, c.noOutcome(err) // main would only wait once more
	} else if err != nil {
		return nil, err
	}
	var stdout []byte // what comes before the reply
	for {
		line, err := c.line()
		if err != nil {
			return nil, c.noOutcome(err)
		}
		m, ok := parse(line)
		switch {
		case !ok:
			return nil, &Loss{Why: Unreadable}
		case m.id == greeting: // it lives, and a run takes as long as it takes
			c.asked, c.heard = false, time.Now()
			if err := c.within(c.patience.Greet(c.heard)); err != nil {
				return nil, c.noOutcome(err)
			}
		case m.id == cancelling:
		case m.event:
			stdout = append(stdout, m.out.stdout...)
		case m.fault == nil:
			m.out.stdout = append(stdout, m.out.stdout...)
			return &m.out, nil
		case m.id != running:
			return nil, c.noOutcome(errElsewhere)
		case m.code == "INTERNAL", m.code == "LIMIT_EXCEEDED": // of what came of it
			return nil, &Loss{Why: Refused, Reply: m.fault}
		default:
			return nil, c.noOutcome(errElsewhere)
		}
	}
}

func (c *conn) send(members ...member) error {
	_, err := c.Write(append(appendObject(nil, members...), '\n'))
	return err
}

// line reads a line of the daemon's.
func (c *conn) line() ([]byte, error) {
	for from := 0; ; {
		for i := from; i < len(c.unread); i++ {
			if c.unread[i] == '\n' {
				line := c.unread[:i]
				c.unread = c.unread[i+1:]
				return line, nil
			}
		}
		if from = len(c.unread); from >= maxLine {
			return nil, &Loss{Why: Unreadable}
		}
		if cap(c.unread) == from {
			c.unread = append(make([]byte, 0, max(16<<10, 2*from)), c.unread...)
		}
		n, err := c.Read(c.unread[from:cap(c.unread)])
		if err != nil {
			return nil, err
		}
		c.unread = c.unread[:from+n]
	}
}

// A message is a line of the daemon's.
type message struct {
	id    int
	event bool
	out   output
	fault []byte // an error, as it stands; nil: none
	code  string // of fault
}

// parse reads a message; ok is false when it is none.
func parse(line []byte) (m message, ok bool) {
	r := &reader{s: line}
	r.object(func(name string) {
		switch name {
		case "id":
			m.id = r.number()
		case "event":
			m.event = r.text() != ""
		case "data":
			r.output(&m.out)
		case "error":
			m.fault = r.skip()
			of := &reader{s: m.fault}
			of.object(func(name string) {
				if name == "code" {
					m.code = of.text()
					return
				}
				of.skip()
			})
		default:
			r.skip()
		}
	})
	return m, !r.bad && r.next() == 0
}

// output reads the data of an answer or of an event. That of a greeting has none of it.
func (r *reader) output(out *output) {
	r.object(func(name string) {
		switch name {
		case "stdout":
			out.stdout = []byte(r.text())
		case "stderr":
			out.stderr = r.text()
		case "exit":
			out.exit = r.number()
		default:
			r.skip()
		}
	})
}

// noOutcome is the error of a command that has not been answered. One that has
// neither begun nor been interrupted is for this process.
func (c *conn) noOutcome(why error) error {
	var loss *Loss
	switch {
	case errors.As(why, &loss):
		return loss
	case c.interrupted.Load():
		return &Loss{Why: Interrupted}
	case errors.Is(why, os.ErrDeadlineExceeded):
		return &Loss{Why: Silent, PID: c.peer.PID, Waits: time.Since(c.heard)}
	case errors.Is(why, io.EOF), c.greeted && why != errElsewhere: // it may have read the request
		return &Loss{Why: Closed, Cause: why}
	}
	return errElsewhere
}
