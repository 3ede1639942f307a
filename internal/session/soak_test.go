package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// soakRounds is the default number of rounds. ACTION_SOAK overrides it.
const soakRounds = 2

// TestSoak opens, uses and closes sessions repeatedly. No round may leave a process, goroutine or
// folder, and the memory must not grow.
func TestSoak(t *testing.T) {
	testkit.Long(t)
	rounds, sessions := soakRounds, 24
	if text := os.Getenv("ACTION_SOAK"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 {
			t.Fatalf("ACTION_SOAK is %q, expected a number of rounds from 2", text)
		}
		rounds = n
	}
	m, base := newManager(t, session.ManagerOptions{}), opensTabs(t)
	var first footprint
	for n := range rounds {
		var wg sync.WaitGroup
		for i := range sessions {
			wg.Go(func() {
				if err := m.useUp(t, fmt.Sprint("s", i), base); err != nil {
					t.Errorf("round %d: %v", n, err)
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		var now footprint // connections of the test's server end a little later
		eventually(t, "the end of all processes and goroutines", func() bool {
			now = measure(t)
			return len(browserProcesses(t)) == 0 && (n == 0 || now.goroutines <= first.goroutines)
		})
		if n == 0 {
			first = now // caches are filled now
			continue
		}
		if n%20 == 0 || n == rounds-1 {
			t.Logf("after %d sessions: %+v", (n+1)*sessions, now)
		}
		if now.folders > 0 || now.heap > first.heap+(4<<20) {
			t.Fatalf("round %d leaves %+v, the first left %+v", n, now, first)
		}
	}
}

// useUp opens a session, uses it, and closes it.
func (m *managed) useUp(t *testing.T, name, base string) error {
	ctx := t.Context()
	if _, err := m.Open(ctx, in(name), session.SessionOptions{}); err != nil {
		return err
	}
	if r := m.Run(ctx, in(name), "web:page:open", map[string]any{"url": base}); !r.Success {
		return fmt.Errorf("run: %s", describe(r.Error))
	}
	for _, s := range []struct {
		step string
		args map[string]any
	}{
		{"click", map[string]any{"selector": "text:Open"}},
		{"window", map[string]any{"do": "new", "url": base}},
		{"snapshot", nil},
	} {
		if r := m.Step(ctx, in(name), s.step, s.args); !r.Success {
			return fmt.Errorf("%s: %s", s.step, describe(r.Error))
		}
	}
	return m.CloseSession(ctx, name)
}

// A footprint is the resource usage of this process.
type footprint struct {
	goroutines, folders int
	heap                uint64 // bytes of live objects
}

func measure(t *testing.T) footprint {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), "action-*"))
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.GC() // frees objects released by finalizers
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return footprint{runtime.NumGoroutine(), len(folders), s.HeapAlloc}
}
