package daemon_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/wire"
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

// runTests runs the tests with their own temporary folder. It fails if they leave folders,
// processes or goroutines.
func runTests(m *testing.M) int {
	temp, err := os.MkdirTemp("", "dt-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(temp)
	os.Setenv("TMPDIR", temp)
	code := m.Run()
	left, _ := filepath.Glob(filepath.Join(temp, "action-*"))
	left = append(left, browsersIn(temp)...)
	if len(left) > 0 {
		fmt.Println("left:", left)
		code = 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Println(err)
		code = 1
	}
	return code
}

// browsersIn lists the browsers with a profile in dir, on systems with /proc.
func browsersIn(dir string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && bytes.Contains(line, []byte("--user-data-dir="+dir)) {
			found = append(found, file)
		}
	}
	return found
}

// patience bounds every wait in tests. Only a failing test reaches it.
const patience = 2 * time.Minute

// folder returns a new folder with a short name, because the system limits the length of a socket's
// path.
func folder(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "dm-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func socketIn(tb testing.TB) string { return filepath.Join(folder(tb), "action", "daemon.sock") }

// A served is a server that is running during a test.
type served struct {
	*daemon.Server
	t      *testing.T
	path   string
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // of Serve; read when ended is closed
}

// serve starts a server, with a fake backend unless o has one. before, if given, is called before
// Serve.
func serve(t *testing.T, o daemon.Options, before ...func(*daemon.Server)) *served {
	t.Helper()
	if o.Backend == nil {
		o.Backend = newFake()
	}
	if o.Socket == "" {
		o.Socket = socketIn(t)
	}
	server, err := daemon.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, prepare := range before {
		prepare(server)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &served{Server: server, t: t, path: o.Socket, cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		s.err = server.Serve(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		if err := s.wait(); err != nil {
			t.Error("Serve:", err)
		}
	})
	return s
}

// wait waits until the server has ended.
func (s *served) wait() error {
	s.t.Helper()
	select {
	case <-s.ended:
		return s.err
	case <-time.After(patience):
		s.t.Fatal("the server has not ended")
		return nil
	}
}

// A peer is a client that sends and receives lines unchanged.
type peer struct {
	*net.UnixConn
	t  *testing.T
	in *bufio.Reader
}

func (s *served) dial(t *testing.T) *peer {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: s.path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &peer{c, t, bufio.NewReader(c)}
}

func (p *peer) send(text string) {
	p.t.Helper()
	if _, err := p.Write([]byte(text)); err != nil {
		p.t.Fatalf("writing %.80q: %v", text, err)
	}
}

// A message is any line from the daemon.
type message struct {
	wire.Reply
	Event  string `json:"event"`
	Action string `json:"action"`
}

func (p *peer) receive() *message {
	p.t.Helper()
	line, err := p.in.ReadBytes('\n')
	if err != nil {
		p.t.Fatalf("reading: %v", err)
	}
	m := new(message)
	if err := json.Unmarshal(line, m); err != nil {
		p.t.Fatalf("%s: %v", line, err)
	}
	m.Line = line
	return m
}

// ask sends one line and returns the next one.
func (p *peer) ask(line string) *message {
	p.t.Helper()
	p.send(line + "\n")
	return p.receive()
}

// code returns the code of the error, or "".
func (m *message) code() string {
	if m.Error == nil {
		return ""
	}
	return string(m.Error.Code)
}

// mustAnswer fails the test unless the connection still works.
func (p *peer) mustAnswer() {
	p.t.Helper()
	if m := p.ask(`{"id":"alive","type":"status"}`); !m.Success || string(m.ID) != `"alive"` {
		p.t.Fatalf("status = %s, want success with the id", m.Line)
	}
}

func text(m *message) string { return strings.TrimSpace(string(m.Line)) }

func uid() string { return strconv.Itoa(os.Geteuid()) }

func contextEnded() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx, cancel
}
