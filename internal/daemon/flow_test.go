package daemon_test

// Tests of clients that send or receive slowly, and of clients that send faster than they read.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon"
)

// eventually sends line repeatedly until an answer contains want.
func (p *peer) eventually(line, want string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		m := p.ask(line)
		if strings.Contains(text(m), want) {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%.100s: still %s, want %s in it", line, text(m), want)
		}
	}
}

// bigEvents requests 5 MB of events: more than the buffer of a socket.
const bigEvents = `{"id":1,"type":"action.run","action":"test:events","params":{"count":50,"output":"` + "%s" + `"},"stream":true}` + "\n"

func TestSlowReaderIsDropped(t *testing.T) {
	tests := []struct {
		name    string
		options daemon.Options
	}{
		{"more than it may leave", daemon.Options{MaxUnsentBytes: 1_000_000, WriteTimeout: time.Second}},
		{"more than all may leave", daemon.Options{MaxAllUnsent: 1_000_000}},
		{"for too long", daemon.Options{WriteTimeout: time.Second}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.options)
			p := s.dial(t)
			p.send(fmt.Sprintf(bigEvents, strings.Repeat("x", 100_000))) // the answers are never read
			other := s.dial(t)
			other.eventually(`{"id":1,"type":"status"}`, `"connections":1,"requests":0`)
			if _, err := io.Copy(io.Discard, p); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the connection was left open")
			}
		})
	}
}

// TestEventsWaitForTheReader checks that a client that reads slowly receives all events, even if they
// are more than it may leave unread.
func TestEventsWaitForTheReader(t *testing.T) {
	s := serve(t, daemon.Options{MaxUnsentBytes: 1_000_000})
	p, other := s.dial(t), s.dial(t)
	p.send(fmt.Sprintf(bigEvents, strings.Repeat("x", 100_000)))
	for range 50 {
		other.mustAnswer()
	}
	for events := 0; ; events++ {
		m := p.receive()
		if m.Event != "" {
			continue
		}
		if !m.Success || events != 50 {
			t.Errorf("got %d events and %.200s, want 50 and success", events, m.Line)
		}
		return
	}
}

// TestOthersDoNotSufferFromSlowReaders checks that others get their answers while one client leaves
// as many bytes unread as all clients together may.
func TestOthersDoNotSufferFromSlowReaders(t *testing.T) {
	s := serve(t, daemon.Options{MaxAllUnsent: 1_000_000})
	slow, other := s.dial(t), s.dial(t)
	slow.send(`{"id":1,"type":"action.run","action":"test:big","params":{"bytes":3000000},"session":"a"}` + "\n")
	other.eventually(`{"id":1,"type":"status"}`, `"requests":0`)
	if m := other.ask(`{"id":2,"type":"action.run","action":"test:big","params":{"bytes":3000000},"session":"b"}`); !m.Success {
		t.Errorf("got %.200s", m.Line)
	}
	if m := slow.receive(); !m.Success {
		t.Errorf("the slow one got %.200s", m.Line)
	}
}

// TestAskingFasterThanReading checks that a client that sends requests faster than it reads answers
// is slowed down, not dropped.
func TestAskingFasterThanReading(t *testing.T) {
	s := serve(t, daemon.Options{MaxUnsentBytes: 10_000})
	p := s.dial(t)
	const n = 20_000
	sent := make(chan error, 1)
	go func() {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, `{"id":%d,"type":"cancel","target":"x"}`+"\n", i)
		}
		_, err := io.WriteString(p, all.String())
		sent <- err
	}()
	for i := range n {
		if m := p.receive(); string(m.ID) != fmt.Sprint(i) || !m.Success {
			t.Fatalf("answer %d = %s", i, text(m))
		}
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

func TestHeldBytes(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend, MaxHeldBytes: 1000})
	p := s.dial(t)
	p.send(`{"id":1,"type":"action.run","action":"test:hang","params":{"x":"` + strings.Repeat("x", 5000) + `"}}` + "\n")
	backend.began(t) // a single request is always accepted
	other := s.dial(t)
	if m := other.ask(`{"id":1,"type":"action.run","action":"test:echo","session":"b"}`); m.code() != "LIMIT_EXCEEDED" {
		t.Errorf("got %s, want LIMIT_EXCEEDED", text(m))
	}
	other.mustAnswer()
}

// TestHalfLinesAreBounded checks that lines that clients have begun but not ended count towards the
// limit.
func TestHalfLinesAreBounded(t *testing.T) {
	s := serve(t, daemon.Options{MaxHeldBytes: 300_000})
	half, other := s.dial(t), s.dial(t)
	half.send(`{"id":1,"type":"cancel","target":"` + strings.Repeat("x", 290_000))
	long := `{"id":1,"type":"action.run","action":"test:echo","params":{"x":"` + strings.Repeat("x", 100_000) + `"}}`
	other.eventually(`{"id":1,"type":"status"}`, `"held_bytes":278528`)
	if m := other.ask(long); m.code() != "LIMIT_EXCEEDED" || string(m.ID) != "null" {
		t.Errorf("got %.200s, want LIMIT_EXCEEDED", m.Line)
	}
	other.mustAnswer() // short lines do not count
	half.send("\"}\n")
	if m := half.receive(); m.code() != "INVALID_REQUEST" || !strings.Contains(m.Error.Msg, "290002 bytes long") {
		t.Errorf("the long line that was begun = %s", text(m))
	}
	if m := other.ask(long); !m.Success {
		t.Errorf("with room again: %.200s", m.Line)
	}
	half.send(`{"id":1,"x":"` + strings.Repeat("x", 290_000))
	other.eventually(`{"id":1,"type":"status"}`, `"held_bytes":278528`)
	if err := half.Close(); err != nil {
		t.Fatal(err)
	}
	other.eventually(`{"id":1,"type":"status"}`, `"held_bytes":0`)
}
