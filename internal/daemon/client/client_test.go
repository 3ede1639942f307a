package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// asDaemon is a variable of the environment. If it is set, the test binary runs as a daemon.
const asDaemon = "CLIENT_TEST_DAEMON"

func TestMain(m *testing.M) {
	if mode := os.Getenv(asDaemon); mode != "" {
		os.Exit(runDaemon(mode))
	}
	goleak.VerifyTestMain(m)
}

func runDaemon(mode string) int {
	if mode == "broken" {
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	built, _ := strconv.ParseInt(mode, 10, 64)
	s, err := daemon.Listen(daemon.Options{
		Backend: newFake(), Ready: os.NewFile(client.ReadyFD, "ready"),
		Build: wire.Build{Version: "test", Built: built},
		Idle:  time.Minute, // ends a daemon that a test has not ended
	})
	if err == nil {
		err = s.Serve(ctx)
	}
	if err != nil {
		return 1
	}
	return 0
}

// patience bounds every wait in tests. Only a failing test reaches it.
const patience = 30 * time.Second

// A fake is a backend that runs only the actions echo and hang.
type fake struct {
	daemon.Backend
	began chan struct{}
}

func newFake() *fake { return &fake{began: make(chan struct{}, 10)} }

func (f *fake) Run(ctx context.Context, c session.Call, action string, params map[string]any) *executor.Result {
	if action == "hang" {
		f.began <- struct{}{}
		<-ctx.Done()
		return &executor.Result{Action: action, Error: diag.New(diag.Cancelled, "the run was cancelled")}
	}
	for i := range 100 {
		if c.OnStep != nil {
			c.OnStep(executor.StepEvent{StepResult: executor.StepResult{Index: i}})
		}
	}
	return &executor.Result{Success: true, Action: action, Data: params}
}

func (f *fake) List() []session.Info        { return nil }
func (f *fake) Problems() diag.List         { return nil }
func (f *fake) Close(context.Context) error { return nil }

// environment gives this test and its processes their own folder for sockets, and returns the path
// of the socket.
func environment(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dc-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	return endpoint.Path(nil)
}

// serve starts a daemon in this process.
func serve(t *testing.T, f *fake) string {
	t.Helper()
	path := environment(t)
	s, err := daemon.Listen(daemon.Options{Backend: f})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return path
}

func dial(t *testing.T, path string) *client.Client {
	t.Helper()
	c, err := client.Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCall(t *testing.T) {
	c := dial(t, serve(t, newFake()))
	reply, err := c.Call(t.Context(), &wire.RunRequest{ActionCall: wire.ActionCall{Action: "echo", Params: map[string]any{"x": "y"}}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Result(reply)
	if err != nil || !result.Success || fmt.Sprint(result.Data) != "map[x:y]" || result.Action != "echo" {
		t.Errorf("Result = %+v, %v", result, err)
	}
	reply, err = c.Call(t.Context(), &struct {
		wire.StatusRequest
		Action string `json:"action"`
	}{Action: "x"})
	if diag.CodeOf(err) != diag.InvalidRequest || reply == nil || diag.As(err).Hint == "" {
		t.Errorf("Call = %v, %v, want the daemon's INVALID_REQUEST", reply, err)
	}
	hello, err := c.Hello(t.Context())
	if err != nil || hello.PID != os.Getpid() || hello.Protocol != wire.Protocol || hello.PID != c.PID() {
		t.Errorf("Hello = %+v, %v", hello, err)
	}
	status, err := c.Status(t.Context())
	if err != nil || status.Connections != 1 || status.PID != os.Getpid() || status.Memory.TotalBytes == 0 {
		t.Errorf("Status = %+v, %v", status, err)
	}
	if _, err := c.Call(t.Context(), &wire.RunRequest{ActionCall: wire.ActionCall{Action: strings.Repeat("x", 9<<20)}}); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("too long: %v", err)
	}
}

func TestStreamAndConcurrency(t *testing.T) {
	c := dial(t, serve(t, newFake()))
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			n := 0
			reply, err := c.Stream(t.Context(), &wire.RunRequest{ActionCall: wire.ActionCall{Action: "echo", Params: map[string]any{"i": i}}, RunOptions: wire.RunOptions{Stream: i%2 == 0}},
				func(e wire.Event) {
					var step executor.StepEvent
					if err := json.Unmarshal(e.Data, &step); err != nil || e.Event != wire.EventStep || step.Index != n {
						t.Errorf("event %d = %+v, %v", n, e, err)
					}
					n++
				})
			if err != nil || !strings.Contains(string(reply.Line), fmt.Sprintf(`{"i":%d}`, i)) {
				t.Errorf("call %d: %v", i, err)
			}
			if want := 100 * ((i + 1) % 2); n != want {
				t.Errorf("call %d had %d events, want %d", i, n, want)
			}
		})
	}
	wg.Wait()
}

func TestContextCancelsInTheDaemon(t *testing.T) {
	f := newFake()
	c := dial(t, serve(t, f))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-f.began
		cancel()
	}()
	reply, err := c.Call(ctx, &wire.RunRequest{ActionCall: wire.ActionCall{Action: "hang"}})
	if diag.CodeOf(err) != diag.Cancelled || reply == nil || err.Error() != "the run was cancelled" {
		t.Errorf("Call = %v, %v, want the daemon's own CANCELLED", reply, err)
	}
	if _, err := c.Hello(t.Context()); err != nil {
		t.Errorf("the connection afterwards: %v", err)
	}
}

// TestBadDaemons checks the errors for a daemon that ends during a call, and for daemons that send
// invalid answers.
func TestBadDaemons(t *testing.T) {
	tests := []struct {
		name, say string
		code      diag.Code
		msg       string
	}{
		{"ends", "", diag.BrowserUnavailable, "closed the connection"},
		{"half an answer", `{"id":1,`, diag.BrowserUnavailable, "closed the connection"},
		{"invalid JSON", "HTTP/1.1 200 OK\n", diag.Internal, "could not be read"},
		{"refuses", `{"id":null,"success":false,"error":{"code":"LIMIT_EXCEEDED","message":"full"}}` + "\n", diag.LimitExceeded, "full"},
		{"another id", `{"id":77,"success":true}` + "\n", diag.BrowserUnavailable, "closed the connection"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := environment(t)
			listen(t, path, func(nc net.Conn) {
				buf := make([]byte, 1000)
				if _, err := nc.Read(buf); err == nil {
					_, _ = nc.Write([]byte(test.say))
				}
				_ = nc.Close()
			})
			c := dial(t, path)
			_, err := c.Hello(t.Context())
			if diag.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.msg) || diag.As(err).Hint == "" && test.name != "refuses" {
				t.Errorf("Hello = %v, want %s with %q", err, test.code, test.msg)
			}
			if _, err := c.Hello(t.Context()); err == nil {
				t.Error("a second call succeeds on an ended connection")
			}
		})
	}
}

// listen listens at path and calls serve for each connection, concurrently.
func listen(t *testing.T, path string, serve func(net.Conn)) {
	t.Helper()
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			nc, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { serve(nc) })
		}
	})
	t.Cleanup(func() {
		ln.Close()
		wg.Wait()
	})
}

func TestDialErrors(t *testing.T) {
	path := environment(t)
	_, err := client.Dial(t.Context(), path)
	if diag.CodeOf(err) != diag.BrowserUnavailable || diag.As(err).Hint != "start a daemon with: action daemon start" {
		t.Errorf("no folder: %v", err)
	}
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err = client.Dial(t.Context(), path); diag.CodeOf(err) != diag.SecurityError {
		t.Errorf("open folder: %v, want SECURITY_ERROR", err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err = client.Dial(t.Context(), path); diag.CodeOf(err) != diag.BrowserUnavailable || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no socket: %v", err)
	}
}

// process returns a Start function that runs this test binary as a daemon. mode is the build time
// that the daemon reports, or broken.
func process(t *testing.T, mode string) func(context.Context) error {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return client.Process(exe, endpoint.Handover{}, append(os.Environ(), asDaemon+"="+mode))
}

func ensure(t *testing.T, o client.Options) *client.Client {
	t.Helper()
	o.Timeout = patience
	c, err := client.Ensure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// end stops the daemon of c and waits until its process has ended.
func end(t *testing.T, c *client.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := c.Shutdown(ctx, false); err != nil {
		t.Error(err)
	}
	if err := c.Wait(ctx); err != nil {
		t.Error(err)
	}
}

func TestEnsureStartsOne(t *testing.T) {
	path := environment(t)
	pids := make([]int, 20)
	clients := make([]*client.Client, len(pids))
	var wg sync.WaitGroup
	for i := range pids {
		wg.Go(func() {
			c, err := client.Ensure(t.Context(), client.Options{Start: process(t, "1"), Timeout: patience})
			if err != nil {
				t.Error(err)
				return
			}
			clients[i], pids[i] = c, c.PID()
		})
	}
	wg.Wait()
	for i, c := range clients {
		if c == nil {
			continue
		}
		if pids[i] != pids[0] || pids[i] == os.Getpid() {
			t.Errorf("client %d speaks to %d, client 0 to %d, want one daemon", i, pids[i], pids[0])
		}
		if i > 0 {
			c.Close()
		}
	}
	end(t, clients[0])
	clients[0].Close()
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestStartedDaemonHoldsNothing(t *testing.T) {
	environment(t)
	// A descriptor without close-on-exec, as shells leave open.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	leaked, err := syscall.Dup(int(w.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	c := ensure(t, client.Options{Start: process(t, "1")})
	defer end(t, c)
	if err := errors.Join(syscall.Close(leaked), w.Close()); err != nil {
		t.Fatal(err)
	}
	// Reading ends only if no other process holds the other end.
	if err := r.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Read = %d, %v, want the end: the daemon holds a stream of its caller", n, err)
	}
}

func TestOlderDaemonIsReplaced(t *testing.T) {
	tests := []struct {
		name     string
		build    wire.Build
		replaced bool
	}{
		{"older", wire.Build{Version: "test", Built: 2}, true},
		{"same", wire.Build{Version: "test", Built: 1}, false},
		{"newer", wire.Build{Version: "test", Built: 0}, false},
		{"not asked for", wire.Build{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			environment(t)
			old := ensure(t, client.Options{Start: process(t, "1")})
			oldPID := old.PID()
			running := make(chan error, 1)
			if test.replaced {
				go func() {
					_, err := old.Call(t.Context(), &wire.RunRequest{ActionCall: wire.ActionCall{Action: "hang"}})
					running <- err
				}()
				for {
					status, err := old.Status(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if status.Requests == 1 {
						break
					}
				}
			}
			c := ensure(t, client.Options{Start: process(t, "2"), Build: test.build})
			if got := c.PID() != oldPID; got != test.replaced {
				t.Errorf("replaced = %v, want %v", got, test.replaced)
			}
			if test.replaced {
				if status, err := old.Status(t.Context()); err != nil || !status.Stopping || status.Requests != 1 {
					t.Errorf("the old one: %+v, %v, want the run to go on", status, err)
				}
				end(t, old)
				if err := <-running; diag.CodeOf(err) != diag.Cancelled {
					t.Errorf("the old one's run: %v", err)
				}
			}
			end(t, c)
		})
	}
}

func TestEnsureErrors(t *testing.T) {
	t.Run("none to start", func(t *testing.T) {
		environment(t)
		if _, err := client.Ensure(t.Context(), client.Options{}); diag.CodeOf(err) != diag.BrowserUnavailable {
			t.Errorf("Ensure = %v", err)
		}
	})
	t.Run("no such program", func(t *testing.T) {
		environment(t)
		_, err := client.Ensure(t.Context(), client.Options{Start: client.Process("/nowhere/action", endpoint.Handover{}, nil)})
		if diag.CodeOf(err) != diag.BrowserUnavailable || !strings.Contains(err.Error(), "could not be started") {
			t.Errorf("Ensure = %v", err)
		}
	})
	t.Run("program that ends", func(t *testing.T) {
		environment(t)
		_, err := client.Ensure(t.Context(), client.Options{Start: process(t, "broken")})
		if diag.CodeOf(err) != diag.BrowserUnavailable || !strings.Contains(err.Error(), "ended before it listened") || !strings.Contains(err.Error(), "exit status 1") {
			t.Errorf("Ensure = %v", err)
		}
	})
	t.Run("daemon that says why not", func(t *testing.T) {
		path := environment(t)
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := client.Ensure(t.Context(), client.Options{Start: process(t, "1")})
		if diag.CodeOf(err) != diag.SecurityError || !strings.Contains(err.Error(), "found a file at the path") {
			t.Errorf("Ensure = %v", err)
		}
	})
	t.Run("daemon that does not answer", func(t *testing.T) {
		path := environment(t)
		done := make(chan struct{})
		listen(t, path, func(nc net.Conn) {
			<-done
			nc.Close()
		})
		defer close(done)
		_, err := client.Ensure(t.Context(), client.Options{Start: process(t, "1"), Timeout: 50 * time.Millisecond})
		if diag.CodeOf(err) != diag.BrowserUnavailable || !strings.Contains(diag.As(err).Hint, "kill -9 "+strconv.Itoa(os.Getpid())) {
			t.Errorf("Ensure = %v, want the process to end", err)
		}
	})
	t.Run("newer protocol", func(t *testing.T) {
		path := environment(t)
		listen(t, path, func(nc net.Conn) {
			_, _ = nc.Read(make([]byte, 1000))
			_, _ = nc.Write([]byte(`{"id":1,"success":true,"data":{"protocol":99,"executable":"/x/action"}}` + "\n"))
			_, _ = nc.Read(make([]byte, 1000))
			_ = nc.Close()
		})
		_, err := client.Ensure(t.Context(), client.Options{Start: process(t, "1")})
		if diag.CodeOf(err) != diag.InvalidRequest || !strings.Contains(err.Error(), "found a daemon with protocol 99") {
			t.Errorf("Ensure = %v", err)
		}
	})
}
