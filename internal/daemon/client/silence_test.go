package client_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// TestSilentDaemons checks that calls to daemons that never answer fail, with the process id of the
// daemon in the hint.
func TestSilentDaemons(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, test := range []struct {
		name string
		say  func(nc net.Conn, done <-chan struct{})
		req  wire.Message
	}{
		{"says nothing", func(net.Conn, <-chan struct{}) {}, &wire.RunRequest{ActionCall: wire.ActionCall{Action: "a:b:c"}}},
		{"says nothing of its state", func(net.Conn, <-chan struct{}) {}, &wire.StatusRequest{}},
		{"half a line", func(nc net.Conn, _ <-chan struct{}) { fmt.Fprint(nc, `{"id":1,`) }, &wire.RunRequest{ActionCall: wire.ActionCall{Action: "a:b:c"}}},
		{"an endless line", func(nc net.Conn, _ <-chan struct{}) {
			for {
				if _, err := nc.Write([]byte(long)); err != nil {
					return
				}
			}
		}, &wire.RunRequest{ActionCall: wire.ActionCall{Action: "a:b:c"}}},
		{"one event", func(nc net.Conn, _ <-chan struct{}) { fmt.Fprintln(nc, `{"id":1,"event":"step","data":{}}`) }, &wire.RunRequest{ActionCall: wire.ActionCall{Action: "a:b:c"}, RunOptions: wire.RunOptions{Stream: true}}},
		{"events without end", func(nc net.Conn, _ <-chan struct{}) {
			for {
				if _, err := fmt.Fprintln(nc, `{"id":1,"event":"step","data":{}}`); err != nil {
					return
				}
			}
		}, &wire.StatusRequest{}},
		{"reads nothing", func(net.Conn, <-chan struct{}) {}, &wire.RunRequest{ActionCall: wire.ActionCall{Action: strings.Repeat("x", 4<<20)}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := environment(t)
			done := make(chan struct{})
			listen(t, path, func(nc net.Conn) {
				test.say(nc, done)
				<-done
				_ = nc.Close()
			})
			defer close(done)
			c := dial(t, path)
			c.SetPatience(10*time.Millisecond, 50*time.Millisecond)
			_, err := c.Call(t.Context(), test.req)
			if diag.CodeOf(err) != diag.BrowserUnavailable || !strings.Contains(err.Error(), "has not answered for ") {
				t.Fatalf("Call = %v, want that the daemon does not answer", err)
			}
			if hint := diag.As(err).Hint; !strings.Contains(hint, fmt.Sprintf("kill -9 %d", os.Getpid())) {
				t.Errorf("hint %q, want the process to end", hint)
			}
			_ = c.Close()
		})
	}
}

// TestLimitedPatience checks that a command gives up on a silent daemon soon after its time limit,
// and does not start another daemon. Without the limit, the calls would outlast the timeout of the
// test.
func TestLimitedPatience(t *testing.T) {
	path := environment(t)
	done := make(chan struct{})
	defer close(done)
	listen(t, path, func(nc net.Conn) { <-done; _ = nc.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	o := client.Options{
		Patience: endpoint.Patience{Limit: time.Millisecond},
		Start:    func(context.Context) error { t.Error("another daemon was started"); return nil },
	}
	if _, err := client.Ensure(ctx, o); diag.CodeOf(err) != diag.BrowserUnavailable || !strings.Contains(diag.As(err).Hint, "daemon stop --force") {
		t.Errorf("Ensure = %v, want that the daemon does not answer", err)
	}
	c := dial(t, path)
	c.Bound(endpoint.Patience{Began: time.Now(), Limit: time.Millisecond})
	if _, err := c.Call(ctx, &wire.RunRequest{ActionCall: wire.ActionCall{Action: "a:b:c"}}); diag.CodeOf(err) != diag.BrowserUnavailable {
		t.Errorf("Call = %v, want that the daemon does not answer", err)
	}
	if err := c.Wait(ctx); diag.CodeOf(err) != diag.BrowserUnavailable {
		t.Errorf("Wait = %v, want that the daemon does not answer", err)
	}
	_ = c.Close()
}

// TestLongRunIsNotCut checks that a call waits for a daemon that sends nothing for a long time but
// answers greetings.
func TestLongRunIsNotCut(t *testing.T) {
	const greetings = 20
	path := environment(t)
	listen(t, path, func(nc net.Conn) {
		defer nc.Close()
		lines := bufio.NewScanner(nc)
		for greeted := 0; greeted < greetings && lines.Scan(); {
			req, err := ops.Parse(lines.Bytes())
			if err != nil {
				t.Error(err)
			}
			if _, ok := req.Body.(*wire.HelloRequest); ok {
				greeted++
				fmt.Fprintf(nc, `{"id":%s,"success":true,"data":{}}`+"\n", req.ID)
			}
		}
		fmt.Fprintln(nc, `{"id":1,"success":true,"data":{}}`)
	})
	c := dial(t, path)
	c.SetPatience(time.Millisecond, patience)
	if _, err := c.Call(t.Context(), &wire.RunRequest{ActionCall: wire.ActionCall{Action: "a:b:c"}}); err != nil {
		t.Errorf("Call = %v", err)
	}
}

// TestNoSocket checks that a path with something other than a socket is an error that names the
// path, and that it is not touched.
func TestNoSocket(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(path string) error
	}{
		{"a file", func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) }},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"a symbolic link", func(path string) error { return os.Symlink("/nowhere", path) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := environment(t)
			if err := os.Mkdir(path[:strings.LastIndexByte(path, '/')], 0o700); err != nil {
				t.Fatal(err)
			}
			if err := test.make(path); err != nil {
				t.Fatal(err)
			}
			for name, err := range map[string]error{
				"Dial": func() error { _, err := client.Dial(t.Context(), path); return err }(),
				"Ensure": func() error {
					_, err := client.Ensure(t.Context(), client.Options{Start: process(t, "1"), Timeout: patience})
					return err
				}(),
			} {
				if diag.CodeOf(err) != diag.SecurityError || !strings.Contains(err.Error(), "found "+test.name+" at the path") || !strings.Contains(err.Error(), path) || !strings.Contains(diag.As(err).Hint, "mv "+path) {
					t.Errorf("%s = %v", name, err)
				}
			}
			if _, err := os.Lstat(path); err != nil {
				t.Error(err)
			}
		})
	}
}
