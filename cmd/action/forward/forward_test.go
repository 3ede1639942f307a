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
	"actionregistry/diag"
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
	c, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	return c
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
func refuses(id string, code diag.Code) func(net.Conn, *bufio.Reader) {
	return says(fmt.Sprintf(`{"id":%s,"success":false,"error":{"code":%q,"message":"no"}}`, id, code))
}

const elsewhere = "for main"

func TestOutcomes(t *testing.T) {
	tests := []struct {
		name  string
		serve func(net.Conn, *bufio.Reader)
		out   string
		err   string // a code, or elsewhere
	}{
		{"done", says(`{"id":1,"success":true,"data":{"stdout":"a\n\u003c","stderr":"b","exit":3}}`), "a\n<|b|3", ""},
		{"long output", func(nc net.Conn, r *bufio.Reader) {
			next(r)
			fmt.Fprintln(nc, `{"id":1,"event":"output","data":{"stdout":"a"}}`)
			fmt.Fprintln(nc, `{"id":1,"event":"output","data":{"stdout":"b"}}`)
			fmt.Fprintln(nc, `{"id":1,"success":true,"data":{"stdout":"c","stderr":"d"}}`)
		}, "abc|d|0", ""},
		{"declined, or not known", refuses("1", diag.InvalidRequest), "", elsewhere},
		{"a daemon that ends", refuses("1", diag.Cancelled), "", elsewhere},
		{"too many connections", refuses("null", diag.LimitExceeded), "", elsewhere},
		{"an answer that is too long", refuses("1", diag.LimitExceeded), "", "LIMIT_EXCEEDED"},
		{"a fault", refuses("1", diag.Internal), "", "INTERNAL"},
		{"no JSON", says("hello"), "", "INTERNAL"},
		{"the end behind the request", func(_ net.Conn, r *bufio.Reader) { next(r) }, "", "BROWSER_UNAVAILABLE"},
		{"half an answer", func(nc net.Conn, r *bufio.Reader) { next(r); fmt.Fprint(nc, `{"id":1,`) }, "", "BROWSER_UNAVAILABLE"},
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
		}, "", "BROWSER_UNAVAILABLE"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := connect(t, test.serve).command([]string{"get", "url"})
			got := string(diag.CodeOf(err))
			if errors.Is(err, errElsewhere) {
				got = elsewhere
			}
			if got != test.err {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if out != nil {
				if got := fmt.Sprintf("%s|%s|%d", out.Stdout, out.Stderr, out.Exit); got != test.out {
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
	if err := c.send(request{ID: running, Type: "command"}); err != nil {
		t.Fatal(err)
	}
	close(sent)
	_, err := c.Read(make([]byte, 1))
	if err := c.noOutcome(err); !errors.Is(err, errElsewhere) {
		t.Errorf("error %v, want that main runs it", err)
	}
}

func TestSilentDaemon(t *testing.T) {
	tested := make(chan struct{})
	c := connect(t, func(net.Conn, *bufio.Reader) { <-tested })
	defer close(tested)
	c.alive = time.Millisecond
	_, err := c.command([]string{"get", "url"})
	e := diag.As(err)
	if e == nil || e.Code != diag.BrowserUnavailable || !strings.Contains(e.Msg, "does not answer") || e.Hint != fmt.Sprint("end it with: kill ", os.Getpid()) {
		t.Errorf("error %v, want BROWSER_UNAVAILABLE with the process to end", err)
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
