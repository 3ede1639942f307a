package daemon_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

const hang = `{"id":1,"type":"action.run","action":"test:hang"}`

// began waits until a hang has begun.
func (f *fake) began(t *testing.T) {
	t.Helper()
	select {
	case <-f.started:
	case <-time.After(patience):
		t.Fatal("the run has not begun")
	}
}

func TestLinesInPieces(t *testing.T) {
	s := serve(t, daemon.Options{})
	p := s.dial(t)
	for _, b := range []byte(`{"id":1,"type":"hello"}` + "\n") {
		p.send(string(b))
	}
	if m := p.receive(); !m.Success {
		t.Errorf("one byte at a time: %s", text(m))
	}
	p.send(`{"id":2,"type":"hello"}` + "\n" + `{"id":3,"type":"hello"}` + "\n" + `{"id":4,`)
	if a, b := p.receive(), p.receive(); string(a.ID)+string(b.ID) != "23" {
		t.Errorf("two lines at once: %s, %s, want 2, 3", a.ID, b.ID)
	}
	p.send(`"type":"hello"}` + "\n")
	if m := p.receive(); string(m.ID) != "4" || !m.Success {
		t.Errorf("a line in two pieces: %s", text(m))
	}
}

func TestEndOfInput(t *testing.T) {
	tests := []struct{ name, send, want string }{
		{"no line break", `{"id":1,"type":"cancel","target":1}`, `{"id":1,"success":true`},
		{"half a line", `{"id":1,"type":"can`, `{"id":null,"success":false`},
		{"nothing", ``, ``},
		{"only space", " \n ", ``},
		{"a run", `{"id":1,"type":"action.run","action":"test:events","params":{"count":100},"stream":true}`, `{"id":1,"event":"step"`},
		{"endless line", strings.Repeat("x", 3000), `expected at most 2000`},
	}
	s := serve(t, daemon.Options{MaxLineBytes: 2000})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := s.dial(t)
			p.send(test.send)
			if err := p.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(p.in)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), test.want) || (test.want == "") != (len(got) == 0) {
				t.Errorf("got %.200s, want %q", got, test.want)
			}
			if test.name == "a run" && (strings.Count(string(got), `"event"`) != 100 || !strings.Contains(string(got), `"success":true`)) {
				t.Errorf("got %d events, want 100 and a reply", strings.Count(string(got), `"event"`))
			}
		})
	}
}

func TestEndOfInputLetsTheRunGoOn(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p := s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	if err := p.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	control := s.dial(t)
	if m := control.ask(`{"id":1,"type":"session.close"}`); !m.Success {
		t.Fatal(text(m))
	}
	if m := p.receive(); m.code() != "CANCELLED" {
		t.Errorf("got %s, want the run's answer", text(m))
	}
	if _, err := p.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("after the answer: %v, want the end", err)
	}
}

func TestCloseCancels(t *testing.T) {
	tests := []struct {
		name  string
		close func(*peer) error
	}{
		{"close", func(p *peer) error { return p.Close() }},
		{"end of input, then close", func(p *peer) error { return errors.Join(p.CloseWrite(), p.Close()) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			backend := newFake()
			s := serve(t, daemon.Options{Backend: backend})
			p := s.dial(t)
			p.send(hang + "\n")
			backend.began(t)
			if err := test.close(p); err != nil {
				t.Fatal(err)
			}
			// A session runs one call at a time, so the answer shows that the hang has ended.
			if m := s.dial(t).ask(`{"id":1,"type":"action.run","action":"test:echo"}`); !m.Success {
				t.Error(text(m))
			}
		})
	}
}

func TestCloseAfterEndOfInputIsNoticedLater(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p := s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	if err := p.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	control := s.dial(t)
	control.mustAnswer()
	if m := control.ask(`{"id":2,"type":"status"}`); !strings.Contains(text(m), `"requests":1`) {
		t.Fatalf("status = %s, want the run to go on", text(m))
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if m := control.ask(`{"id":3,"type":"action.run","action":"test:echo"}`); !m.Success {
		t.Error(text(m))
	}
}

func TestCancel(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p := s.dial(t)
	tests := []struct{ name, run, target string }{
		{"run", `{"id":7,"type":"action.run","action":"test:hang"}`, `7`},
		{"text id in another spelling", `{"id":"\u0061b","type":"action.run","action":"test:hang"}`, `"ab"`},
		{"no run", `{"id":8,"type":"action.list","cwd":"/hang"}`, `8`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p.send(test.run + "\n")
			backend.began(t)
			p.send(`{"id":"c","type":"cancel","target":` + test.target + `}` + "\n")
			got := map[string]*message{}
			for range 2 {
				m := p.receive()
				got[wire.Key(m.ID)] = m
			}
			if m := got[wire.Key(json.RawMessage(`"c"`))]; m == nil || !strings.Contains(text(m), `"cancelled":true`) {
				t.Errorf("cancel: %v, want cancelled", m)
			}
			if m := got[wire.Key(json.RawMessage(test.target))]; m == nil || m.code() != "CANCELLED" || m.Success {
				t.Errorf("target: %v, want CANCELLED", m)
			}
		})
	}
	t.Run("finished", func(t *testing.T) {
		if m := p.ask(`{"id":"c","type":"cancel","target":7}`); !strings.Contains(text(m), `"cancelled":false`) {
			t.Errorf("got %s, want nothing cancelled", text(m))
		}
	})
	t.Run("of another connection", func(t *testing.T) {
		p.send(`{"id":9,"type":"action.run","action":"test:hang"}` + "\n")
		backend.began(t)
		if m := s.dial(t).ask(`{"id":1,"type":"cancel","target":9}`); !strings.Contains(text(m), `"cancelled":false`) {
			t.Errorf("got %s, want nothing cancelled", text(m))
		}
		p.send(`{"id":10,"type":"cancel","target":9}` + "\n")
		p.receive()
		p.receive()
	})
	t.Run("queued", func(t *testing.T) {
		p.send(`{"id":1,"type":"action.run","action":"test:hang"}` + "\n")
		backend.began(t)
		p.send(`{"id":2,"type":"action.run","action":"test:echo"}` + "\n" + `{"id":3,"type":"cancel","target":2}` + "\n")
		for range 2 {
			if m := p.receive(); string(m.ID) == "2" && m.code() != "CANCELLED" {
				t.Errorf("the queued run: %s, want CANCELLED", text(m))
			}
		}
		p.send(`{"id":3,"type":"cancel","target":1}` + "\n")
		p.receive()
		p.receive()
	})
}

func TestIDInUse(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend})
	p := s.dial(t)
	p.send(hang + "\n")
	backend.began(t)
	for _, line := range []string{hang, `{"id":1,"type":"status"}`, `{"id":1,"type":"session.close"}`} {
		if m := p.ask(line); m.code() != "INVALID_REQUEST" || !strings.Contains(m.Error.Msg, "pending request") || string(m.ID) != "1" {
			t.Errorf("%s: got %s, want INVALID_REQUEST", line, text(m))
		}
	}
	if m := p.ask(`{"id":"1","type":"status"}`); !m.Success {
		t.Errorf("a text is another id: %s", text(m))
	}
	p.send(`{"id":"c","type":"cancel","target":1}` + "\n")
	p.mustReceive(map[string]string{`"c"`: `"cancelled":true`, `1`: `"code":"CANCELLED"`})
	if m := p.ask(`{"id":1,"type":"status"}`); !m.Success {
		t.Errorf("after its answer an id is free: %s", text(m))
	}
}

func TestControlAnswersWhileEverythingHangs(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend, MaxRequests: 3})
	p := s.dial(t)
	for i := range 3 {
		p.send(fmt.Sprintf(`{"id":%d,"type":"action.run","action":"test:hang","session":"s%d"}`+"\n", i, i))
		backend.began(t)
	}
	m := p.ask(`{"id":"one too many","type":"action.run","action":"test:echo"}`)
	if m.code() != "LIMIT_EXCEEDED" || !strings.Contains(m.Error.Msg, "on this connection, expected at most 3") {
		t.Errorf("got %s, want LIMIT_EXCEEDED", text(m))
	}
	for _, line := range []string{
		`{"id":"a","type":"status"}`, `{"id":"a","type":"hello"}`, `{"id":"a","type":"session.list"}`, `{"id":"a","type":"cancel","target":"x"}`,
	} {
		if m := p.ask(line); !m.Success {
			t.Errorf("%s: %s", line, text(m))
		}
	}
	p.send(`{"id":"close","type":"session.close","session":"s1"}` + "\n")
	ids := string(p.receive().ID) + string(p.receive().ID)
	if ids != `1"close"` && ids != `"close"1` {
		t.Errorf("answers of %s, want those of the run and of session.close", ids)
	}
	if m := p.ask(`{"id":"again","type":"action.run","action":"test:echo"}`); !m.Success {
		t.Errorf("with a place free: %s", text(m))
	}
}

func TestTooManyConnections(t *testing.T) {
	s := serve(t, daemon.Options{MaxConns: 2})
	a, b := s.dial(t), s.dial(t)
	a.mustAnswer()
	b.mustAnswer()
	c := s.dial(t)
	if m := c.receive(); m.code() != "LIMIT_EXCEEDED" || string(m.ID) != "null" {
		t.Errorf("got %s, want LIMIT_EXCEEDED", text(m))
	}
	if _, err := c.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("then %v, want the end", err)
	}
	a.mustAnswer()
}

func TestEvents(t *testing.T) {
	s := serve(t, daemon.Options{MaxLineBytes: 4000})
	p := s.dial(t)
	p.send(`{"id":1,"type":"action.run","action":"test:events","params":{"count":3},"stream":true,"trace":true}` + "\n")
	for i := range 3 {
		if m, want := p.receive(), fmt.Sprintf(`{"id":1,"event":"step","data":{"in":"test:events","path":"","depth":0,"index":%d,`, i); !strings.HasPrefix(text(m), want) {
			t.Errorf("event %d = %s, want %s…", i, text(m), want)
		}
	}
	for i := range 2 {
		if m, want := p.receive(), fmt.Sprintf(`{"id":1,"event":"trace","data":{"line":%d}}`, i+1); text(m) != want {
			t.Errorf("trace = %s, want %s", text(m), want)
		}
	}
	if m := p.receive(); m.Event != "" || !m.Success || m.Action != "test:events" {
		t.Errorf("reply = %s", text(m))
	}
	if m := p.ask(`{"id":2,"type":"action.run","action":"test:events","params":{"count":3}}`); m.Event != "" {
		t.Errorf("without stream: %s, want no events", text(m))
	}
	p.send(`{"id":3,"type":"action.run","action":"test:events","params":{"count":1,"output":"` + strings.Repeat("x", 3900) + `"},"stream":true}` + "\n")
	if m := p.receive(); m.Event != "step" || m.code() != "LIMIT_EXCEEDED" {
		t.Errorf("a long event: %.200s, want LIMIT_EXCEEDED in its place", text(m))
	}
	p.receive()
	if m := p.ask(`{"id":4,"type":"action.run","action":"test:big","params":{"bytes":4001}}`); m.code() != "LIMIT_EXCEEDED" || string(m.ID) != "4" {
		t.Errorf("a long answer: %.200s, want LIMIT_EXCEEDED", text(m))
	}
	p.mustAnswer()
}

func TestFaultIsContained(t *testing.T) {
	var log testkit.Buffer
	s := serve(t, daemon.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	p := s.dial(t)
	m := p.ask(`{"id":1,"type":"action.run","action":"test:panic","params":{"secret":"hunter2"}}`)
	if m.code() != "INTERNAL" || strings.Contains(text(m), "hunter2") {
		t.Errorf("got %s, want INTERNAL without the value", text(m))
	}
	p.ask(`{"id":1,"type":"action.run","action":"test:echo","params":{"secret":"hunter2"},"env":{"A":"hunter2"}}`)
	p.ask(`{"id":1,"type":"step","step":"fill","args":{"value":"hunter2"}}`)
	p.ask(`{"id":1,"type":"action.run","action":"x","hunter2":"hunter2"}`)
	s.cancel()
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	if out := log.String(); strings.Contains(out, "hunter2") || !strings.Contains(out, "type=action.run") {
		t.Errorf("the log must tell of requests, without values:\n%s", out)
	}
}

// TestFaultInWhatIsAnsweredAtOnce checks that the daemon survives a panic of the backend in a
// request that the reading goroutine answers itself.
func TestFaultInWhatIsAnsweredAtOnce(t *testing.T) {
	s := serve(t, daemon.Options{Backend: faulty{newFake()}, Idle: -1})
	p := s.dial(t)
	if m := p.ask(`{"id":1,"type":"session.list"}`); m.code() != "INTERNAL" {
		t.Errorf("got %s, want INTERNAL", text(m))
	}
	if m := p.ask(`{"id":1,"type":"hello"}`); !m.Success {
		t.Errorf("then %s", text(m))
	}
}

type faulty struct{ *fake }

func (faulty) List() []session.Info { panic("a fault") }

func TestOtherUsersAreRefused(t *testing.T) {
	s := serve(t, daemon.Options{}, func(s *daemon.Server) { s.PretendPeer(os.Geteuid() + 1) })
	p := s.dial(t)
	if m := p.receive(); m.code() != "SECURITY_ERROR" {
		t.Errorf("got %s, want SECURITY_ERROR", text(m))
	}
	if _, err := p.in.ReadByte(); err == nil {
		t.Error("the connection was left open")
	}
}

func TestPeer(t *testing.T) {
	s := serve(t, daemon.Options{})
	p := s.dial(t)
	got, err := endpoint.PeerOf(p.UnixConn)
	if want := (endpoint.Peer{UID: os.Geteuid(), PID: os.Getpid()}); err != nil || got != want {
		t.Errorf("PeerOf = %v, %v, want %v", got, err, want)
	}
}

// TestResetWhileWriting checks that the daemon survives clients that disconnect before they have
// read their answers.
func TestResetWhileWriting(t *testing.T) {
	s := serve(t, daemon.Options{})
	for range 20 {
		p := s.dial(t)
		p.send(`{"id":1,"type":"action.run","action":"test:big","params":{"bytes":3000000}}` + "\n")
		if _, err := p.in.ReadByte(); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil && !errors.Is(err, net.ErrClosed) && !errors.Is(err, syscall.EPIPE) {
			t.Fatal(err)
		}
	}
	s.dial(t).mustAnswer()
}
