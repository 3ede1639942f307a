package daemon_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

func TestModes(t *testing.T) {
	s := serve(t, daemon.Options{})
	for path, want := range map[string]fs.FileMode{
		filepath.Dir(s.path): fs.ModeDir | 0o700, s.path: fs.ModeSocket | 0o600, s.path + ".lock": 0o600,
	} {
		info, err := os.Lstat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

// TestSweep checks that only folders of servers that have ended are removed.
func TestSweep(t *testing.T) {
	dir := folder(t)
	for name, lock := range map[string]string{"own-dead": "123\n", "own-starting": "", "own-locked": "123\n", "other": "123\n"} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, name), 0o700), os.WriteFile(filepath.Join(dir, name, "socket.lock"), []byte(lock), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := os.Open(filepath.Join(dir, "own-locked", "socket.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "own-empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	daemon.Sweep(filepath.Join(dir, "own-*"))
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if want := "other own-empty own-locked own-starting"; err != nil || strings.ReplaceAll(strings.Join(left, " "), dir+"/", "") != want {
		t.Errorf("left %v, %v, want %s", left, err, want)
	}
}

func TestFolderIsRefused(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, dir string) error
		msg  string
	}{
		{"others may look", func(_ *testing.T, dir string) error { return os.Mkdir(dir, 0o755) }, "has mode 0755, expected 0700"},
		{"group may write", func(_ *testing.T, dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o720))
		}, "has mode 0720"},
		{"file", func(_ *testing.T, dir string) error { return os.WriteFile(dir, nil, 0o700) }, "is a file, expected a folder"},
		{"link to a good folder", func(t *testing.T, dir string) error { return os.Symlink(folder(t), dir) }, "is a symbolic link"},
		{"open parent", func(_ *testing.T, dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(filepath.Dir(dir), 0o777))
		}, "writable for everybody"},
		{"socket is a file", func(_ *testing.T, dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "daemon.sock"), nil, 0o600))
		}, "found a file at the path"},
		{"socket is a link", func(t *testing.T, dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Symlink(serve(t, daemon.Options{}).path, filepath.Join(dir, "daemon.sock")))
		}, "found a symbolic link at the path"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := socketIn(t)
			if err := test.make(t, filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
			_, err := daemon.Listen(daemon.Options{Socket: path, Backend: newFake()})
			if diag.CodeOf(err) != diag.SecurityError || !strings.Contains(err.Error(), test.msg) || diag.As(err).Hint == "" {
				t.Errorf("Listen = %v, want SECURITY_ERROR with %q", err, test.msg)
			}
		})
	}
	t.Run("of another user", func(t *testing.T) {
		if os.Geteuid() != 0 {
			return // only root can change the owner of a folder
		}
		path := socketIn(t)
		dir := filepath.Dir(path)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, -1)); err != nil {
			t.Fatal(err)
		}
		_, err := daemon.Listen(daemon.Options{Socket: path, Backend: newFake()})
		if diag.CodeOf(err) != diag.SecurityError || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("Listen = %v, want SECURITY_ERROR", err)
		}
	})
	t.Run("long path", func(t *testing.T) {
		_, err := daemon.Listen(daemon.Options{Socket: "/" + strings.Repeat("x", 110) + "/daemon.sock", Backend: newFake()})
		if diag.CodeOf(err) != diag.InvalidRequest || !strings.Contains(err.Error(), "expected at most 99") {
			t.Errorf("Listen = %v, want INVALID_REQUEST", err)
		}
	})
}

func TestSocketPath(t *testing.T) {
	mine, temp := folder(t), folder(t)
	user := "action-" + uid()
	file, link := filepath.Join(temp, "file"), filepath.Join(temp, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(mine, link)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, runtime, temp, want string
	}{
		{"runtime folder", mine, temp, filepath.Join(mine, "action", "daemon.sock")},
		{"none", "", temp, filepath.Join(temp, user, "daemon.sock")},
		{"relative", "here", temp, filepath.Join(temp, user, "daemon.sock")},
		{"link to a folder", link, temp, filepath.Join(link, "action", "daemon.sock")},
		{"file", file, temp, filepath.Join(temp, user, "daemon.sock")},
		{"not there", filepath.Join(mine, "none"), temp, filepath.Join(temp, user, "daemon.sock")},
		{"no temporary folder either", "", "", "/tmp/" + user + "/daemon.sock"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := map[string]string{"XDG_RUNTIME_DIR": test.runtime, "TMPDIR": test.temp}
			if got := endpoint.Path(func(name string) string { return env[name] }); got != test.want {
				t.Errorf("SocketPath = %s, want %s", got, test.want)
			}
		})
	}
}

func TestStaleSocketIsReplaced(t *testing.T) {
	path := socketIn(t)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + ".new"} { // as after SIGKILL
		ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		ln.SetUnlinkOnClose(false)
		if err := ln.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	serve(t, daemon.Options{Socket: path}).dial(t).mustAnswer()
}

func TestLiveSocketIsKept(t *testing.T) {
	s := serve(t, daemon.Options{})
	for _, name := range []string{"with its lock", "with its lock removed"} {
		if name != "with its lock" {
			if err := os.Remove(s.path + ".lock"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := daemon.Listen(daemon.Options{Socket: s.path, Backend: newFake()}); !wire.IsAlreadyRunning(err) {
			t.Errorf("%s: Listen = %v, want already running", name, err)
		}
		s.dial(t).mustAnswer()
	}
}

func TestTwentyListenAtOnce(t *testing.T) {
	path := socketIn(t)
	for range 10 {
		var mu sync.Mutex
		var winners []*daemon.Server
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				s, err := daemon.Listen(daemon.Options{Socket: path, Backend: newFake()})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					winners = append(winners, s)
				} else if !wire.IsAlreadyRunning(err) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(winners) != 1 {
			t.Fatalf("%d listen, want 1", len(winners))
		}
		ctx, cancel := contextEnded()
		if err := winners[0].Serve(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	}
}

func TestNothingIsLeft(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	s.dial(t).mustAnswer()
	s.cancel()
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(filepath.Dir(s.path))
	if err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	if !closedAlready(backend.closed) {
		t.Error("the backend was not closed")
	}
}

func TestShutdownAnswersWhatRuns(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p, other := s.dial(t), s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	if m := other.ask(`{"id":1,"type":"shutdown"}`); !strings.Contains(text(m), `"data":{"stopping":true,"running":1}`) {
		t.Errorf("shutdown = %s", text(m))
	}
	if _, err := os.Lstat(s.path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket after the answer: %v, want none", err)
	}
	if m := p.receive(); m.code() != "CANCELLED" || string(m.ID) != "1" {
		t.Errorf("the run = %s, want CANCELLED", text(m))
	}
	if _, err := other.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("then %v, want the end", err)
	}
	if !closedAlready(backend.closed) {
		t.Error("a connection ended before the backend was closed")
	}
	if err := s.wait(); err != nil {
		t.Error(err)
	}
}

func TestDrain(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p, other := s.dial(t), s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	if m := other.ask(`{"id":1,"type":"shutdown","drain":true}`); !m.Success {
		t.Fatal(text(m))
	}
	if m := other.ask(`{"id":2,"type":"action.run","action":"test:echo"}`); m.code() != "CANCELLED" || !strings.Contains(m.Error.Msg, "accepts no new requests") {
		t.Errorf("a new run = %s, want CANCELLED", text(m))
	}
	if m := other.ask(`{"id":3,"type":"status"}`); !strings.Contains(text(m), `"stopping":true`) || !strings.Contains(text(m), `"requests":1`) {
		t.Errorf("status = %s, want the run to go on", text(m))
	}
	next := serve(t, daemon.Options{Socket: s.path}) // the path of the socket is free
	next.dial(t).mustAnswer()
	if m := other.ask(`{"id":4,"type":"session.close"}`); !m.Success {
		t.Errorf("session.close = %s", text(m))
	}
	if m := p.receive(); m.code() != "CANCELLED" {
		t.Errorf("the run = %s", text(m))
	}
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	next.dial(t).mustAnswer() // the old daemon has not removed the new one's socket
}

func TestShutdownEndsADrain(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p, other := s.dial(t), s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	other.ask(`{"id":1,"type":"shutdown","drain":true}`)
	other.ask(`{"id":2,"type":"shutdown"}`)
	if m := p.receive(); m.code() != "CANCELLED" {
		t.Errorf("the run = %s, want CANCELLED", text(m))
	}
	if err := s.wait(); err != nil {
		t.Error(err)
	}
}

func TestIdleEnd(t *testing.T) {
	t.Run("unused", func(t *testing.T) {
		s := serve(t, daemon.Options{Idle: 20 * time.Millisecond})
		if err := s.wait(); err != nil {
			t.Error(err)
		}
	})
	t.Run("after use", func(t *testing.T) {
		s := serve(t, daemon.Options{Idle: 50 * time.Millisecond})
		p := s.dial(t)
		p.mustAnswer()
		if m := p.ask(`{"id":1,"type":"action.run","action":"test:echo","session":"x"}`); !m.Success {
			t.Fatal(text(m)) // a connection keeps the daemon alive, and now a session
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		q := s.dial(t)
		if m := q.ask(`{"id":1,"type":"session.close","session":"x"}`); !m.Success {
			t.Fatal(text(m))
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.wait(); err != nil {
			t.Error(err)
		}
	})
}

// TestSocketIsRemoved checks that the daemon stops when its socket is removed: no client can find
// it any more, and no other daemon could start while it holds the lock.
func TestSocketIsRemoved(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend, Idle: time.Second}) // the socket is checked every 50ms
	p := s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	if err := os.Remove(s.path); err != nil {
		t.Fatal(err)
	}
	p.eventually(`{"id":"s","type":"status"}`, `"stopping":true`)
	serve(t, daemon.Options{Socket: s.path}).dial(t).mustAnswer()
	p.send(`{"id":"c","type":"cancel","target":1}` + "\n")
	p.mustReceive(map[string]string{`"c"`: `"cancelled":true`, `1`: `"code":"CANCELLED"`}) // the run has continued
	if err := s.wait(); err != nil {
		t.Error(err)
	}
}

// TestTooManyFiles uses up the file descriptors, so that the daemon cannot accept connections until
// some are closed.
func TestTooManyFiles(t *testing.T) {
	var limit, low syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	s := serve(t, daemon.Options{})
	s.dial(t).mustAnswer()
	low = limit
	low.Cur = 100
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Error(err)
		}
	}()
	var conns []net.Conn
	for {
		c, err := net.Dial("unix", s.path)
		if err != nil {
			break // EMFILE
		}
		conns = append(conns, c)
	}
	for _, c := range conns {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(conns) < 10 {
		t.Errorf("%d connections before the limit, want more", len(conns))
	}
	s.dial(t).mustAnswer()
}

func TestReady(t *testing.T) {
	var ready, late closeBuffer
	s := serve(t, daemon.Options{Ready: &ready})
	if got := ready.String(); got != `{"id":null,"success":true}`+"\n" || !ready.closed {
		t.Errorf("ready = %q, closed %v", got, ready.closed)
	}
	if _, err := daemon.Listen(daemon.Options{Socket: s.path, Backend: newFake(), Ready: &late}); err == nil {
		t.Fatal("two listen")
	}
	if got := late.String(); !strings.Contains(got, `"success":false,"error":{"code":"INVALID_REQUEST"`) || !late.closed {
		t.Errorf("late = %q, closed %v", got, late.closed)
	}
}

type closeBuffer struct {
	bytes.Buffer
	closed bool
}

func (b *closeBuffer) Close() error {
	b.closed = true
	return nil
}
