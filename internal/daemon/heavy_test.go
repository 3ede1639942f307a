package daemon_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
)

// TestHeavyRequestsAreBounded sends many lines of almost maximum length at once, each with too many
// values. The daemon's memory must stay below the limit for pending requests, plus the memory for
// the few lines that are decoded at a time.
func TestHeavyRequestsAreBounded(t *testing.T) {
	var names strings.Builder
	for i := range 600_000 {
		fmt.Fprintf(&names, `,"%x":1`, i)
	}
	line := []byte(`{"id":1,"type":"status"` + names.String() + "}\n")
	const clients, most = 24, 700 << 20
	s := serve(t, daemon.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for range clients {
		p := s.dial(t)
		all.Go(func() {
			if _, err := io.Copy(p, bytes.NewReader(line)); err != nil {
				t.Error(err)
			}
			if m, err := p.in.ReadBytes('\n'); err != nil || !bytes.Contains(m, []byte(`"INVALID_REQUEST"`)) {
				t.Errorf("%.200s, %v", m, err)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	if grown := after.HeapSys - before.HeapSys; grown > most {
		t.Errorf("%d lines of %d bytes took %d bytes, expected at most %d", clients, len(line), grown, most)
	}
	s.dial(t).eventually(`{"id":1,"type":"status"}`, `"held_bytes":0`)
}

// TestPlaceOfLongRequests checks that the memory of a long pending request is counted once, and
// that of a rejected request not at all.
func TestPlaceOfLongRequests(t *testing.T) {
	backend := newFake()
	s := serve(t, daemon.Options{Backend: backend, MaxHeldBytes: 600_000})
	p := s.dial(t)
	p.send(`{"id":1,"type":"action.run","action":"test:hang","params":{"x":"` + strings.Repeat("x", 400_000) + `"}}` + "\n")
	backend.began(t)
	other := s.dial(t)
	if m := other.ask(`{"id":2,"type":"action.run","action":"test:echo","params":{"x":"` + strings.Repeat("x", 190_000) + `"},"session":"b"}`); !m.Success {
		t.Errorf("a request that fits: %.200s", m.Line)
	}
	if m := other.ask(`{"id":2,"type":"action.run","action":"test:echo","params":{"x":"` + strings.Repeat("x", 300_000) + `"},"session":"b"}`); m.code() != "LIMIT_EXCEEDED" {
		t.Errorf("a request that does not fit: %.200s", m.Line)
	}
	p.send(`{"id":3,"type":"cancel","target":1}` + "\n")
	p.mustReceive(map[string]string{`3`: `"cancelled":true`, `1`: `"code":"CANCELLED"`}) // in either order
	other.eventually(`{"id":1,"type":"status"}`, `"held_bytes":0`)
}
