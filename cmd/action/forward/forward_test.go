package forward

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"actionregistry/daemon/endpoint"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connect returns a connection to a daemon that serves it as a test wants.
func connect(t *testing.T, serve func(net.Conn, *bufio.Reader)) *conn {
	t.Helper()
	dir, err := os.MkdirTemp("", "fw-") // short: paths of sockets are
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	path := endpoint.Path(nil)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if nc, err := l.Accept(); err == nil {
			serve(nc, bufio.NewReader(nc))
			_ = nc.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-ended
	})
	c, err := dial(endpoint.Patience{Began: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	return c
}

// A request is what a daemon is asked.
type request struct {
	ID, Target             int
	Type, Program, Session string
	Argv                   []string
	Cwd                    string
	Path                   *string
	Env                    map[string]string
}

// next reads a request.
func next(r *bufio.Reader) request {
	var req request
	line, _ := r.ReadBytes('\n')
	_ = json.Unmarshal(line, &req)
	return req
}

// says answers the request with a line.
func says(line string) func(net.Conn, *bufio.Reader) {
	return func(nc net.Conn, r *bufio.Reader) {
		next(r)
		fmt.Fprintln(nc, line)
	}
}

// refuses answers the request with an error.
func refuses(id, code string) func(net.Conn, *bufio.Reader) {
	return says(fmt.Sprintf(`{"id":%s,"success":false,"error":{"code":%q,"message":"no"}}`, id, code))
}

// What comes of a command that has no output.
const (
	elsewhere  = "for main"
	closed     = "closed"
	unreadable = "unreadable"
)

func outcome(err error) string {
	var loss *Loss
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errElsewhere):
		return elsewhere
	case !errors.As(err, &loss):
		return err.Error()
	case loss.Why == Refused:
		return string(loss.Reply)
	}
	return map[Why]string{Interrupted: "interrupted", Silent: "silent", Closed: closed, Unreadable: unreadable}[loss.Why]
}

func TestOutcomes(t *testing.T) {
	tests := []struct {
		name  string
		serve func(net.Conn, *bufio.Reader)
		out   string
		err   string // as outcome tells it
	}{
		{"done", says(`{"id":1,"success":true,"data":{"stdout":"a\n\u003c","stderr":"b","exit":3}}`), "a\n<|b|3", ""},
		{"long output", func(nc net.Conn, r *bufio.Reader) {
			next(r)
			fmt.Fprintln(nc, `{"id":1,"event":"output","data":{"stdout":"a"}}`)
			fmt.Fprintln(nc, `{"id":1,"event":"output","data":{"stdout":"b"}}`)
			fmt.Fprintln(nc, `{"id":1,"success":true,"data":{"stdout":"c","stderr":"d"}}`)
		}, "abc|d|0", ""},
		{"declined, or not known", refuses("1", "INVALID_REQUEST"), "", elsewhere},
		{"a daemon that ends", refuses("1", "CANCELLED"), "", elsewhere},
		{"too many connections", refuses("null", "LIMIT_EXCEEDED"), "", elsewhere},
		{"an answer that is too long", refuses("1", "LIMIT_EXCEEDED"), "", `{"code":"LIMIT_EXCEEDED","message":"no"}`},
		{"a fault", refuses("1", "INTERNAL"), "", `{"code":"INTERNAL","message":"no"}`},
		{"no JSON", says("hello"), "", unreadable},
		{"the end behind the request", func(_ net.Conn, r *bufio.Reader) { next(r) }, "", closed},
		{"half an answer", func(nc net.Conn, r *bufio.Reader) { next(r); fmt.Fprint(nc, `{"id":1,`) }, "", closed},
		{"long work", func(nc net.Conn, r *bufio.Reader) {
			next(r)
			if hello := next(r); hello.Type == "hello" {
				fmt.Fprintf(nc, `{"id":%d,"success":true,"data":{"pid":1}}`+"\n", hello.ID)
				fmt.Fprintln(nc, `{"id":1,"success":true,"data":{"stdout":"late"}}`)
			}
		}, "late||0", ""},
		{"killed in long work", func(_ net.Conn, r *bufio.Reader) {
			next(r)
			_, _ = r.Peek(1) // the greeting, which is not read
		}, "", closed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := connect(t, test.serve).command([]string{"get", "url"})
			if got := outcome(err); got != test.err {
				t.Errorf("error %q, want %q", got, test.err)
			}
			if out != nil {
				if got := fmt.Sprintf("%s|%s|%d", out.stdout, out.stderr, out.exit); got != test.out {
					t.Errorf("output %q, want %q", got, test.out)
				}
			}
		})
	}
}

// A request that the daemon has not read has not begun.
func TestUnreadRequest(t *testing.T) {
	sent := make(chan struct{})
	c := connect(t, func(net.Conn, *bufio.Reader) { <-sent })
	if err := c.send(member{"id", running}, member{"type", "command"}); err != nil {
		t.Fatal(err)
	}
	close(sent)
	_, err := c.Read(make([]byte, 1))
	if err := c.noOutcome(err); !errors.Is(err, errElsewhere) {
		t.Errorf("error %v, want that main runs it", err)
	}
}

func TestSilentDaemon(t *testing.T) {
	for name, argv := range map[string][]string{
		"that reads":         {"get", "url"},
		"that reads nothing": {"fill", "css:#a", strings.Repeat("x", 4<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			tested := make(chan struct{})
			c := connect(t, func(net.Conn, *bufio.Reader) { <-tested })
			defer close(tested)
			c.patience = endpoint.Patience{Began: time.Now().Add(-time.Hour), Limit: time.Millisecond}
			_, err := c.command(argv)
			var loss *Loss
			if !errors.As(err, &loss) || loss.Why != Silent || loss.PID != os.Getpid() || loss.Waits < endpoint.Grace {
				t.Errorf("error %+v, want Silent with the process to end", loss)
			}
		})
	}
}

// A command may run for longer than a daemon has to take a line.
func TestLateCancel(t *testing.T) {
	got := make(chan request, 1)
	c := connect(t, func(_ net.Conn, r *bufio.Reader) { got <- next(r) })
	if err := c.file.SetWriteDeadline(time.Now()); err != nil { // that of the command
		t.Fatal(err)
	}
	if err := c.send(member{"id", cancelling}, member{"type", "cancel"}, member{"target", running}); err != nil {
		t.Fatal(err)
	}
	if r := <-got; r.Type != "cancel" || r.Target != running {
		t.Errorf("request %+v, want the cancel", r)
	}
}

func TestRequest(t *testing.T) {
	t.Setenv("ACTION_PATH", "/defs")
	t.Setenv("ACTION_SESSION", "mine")
	t.Setenv("ACTION_BROWSER_HEADED", "1")
	t.Setenv("PASSWORD", "s3cret")
	got := make(chan request, 1)
	c := connect(t, func(nc net.Conn, r *bufio.Reader) {
		got <- next(r)
		fmt.Fprintln(nc, `{"id":1,"success":true,"data":{}}`)
	})
	text := "\n\"é<"
	if _, err := c.command([]string{"fill", "css:#a", text}); err != nil {
		t.Fatal(err)
	}
	r := <-got
	cwd, _ := os.Getwd()
	if r.Type != "command" || len(r.Argv) != 3 || r.Argv[2] != text || r.Cwd != cwd || r.Program != endpoint.Program() ||
		r.Session != "mine" || r.Path == nil || *r.Path != "/defs" {
		t.Errorf("request %+v", r)
	}
	if r.Env["ACTION_BROWSER_HEADED"] != "1" || r.Env["HOME"] != os.Getenv("HOME") || r.Env["PASSWORD"] != "" {
		t.Errorf("environment %v, want the settings and the home, and nothing else", r.Env)
	}
}
