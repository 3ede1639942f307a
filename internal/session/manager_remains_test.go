package session_test

// Tests of the list of sessions that a manager inherits from an earlier process.

import (
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// A left is the list that a process leaves for the next one.
type left struct {
	mu   sync.Mutex
	list []session.Remainder
}

func (l *left) write(list []session.Remainder) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = list
	return nil
}

func (l *left) read() []session.Remainder {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list
}

var numberOfRef = regexp.MustCompile(`ref=e(\d+)`)

// refs returns the numbers of the refs in a snapshot of a session's page.
func refs(t *testing.T, m *managed, name string) []int {
	t.Helper()
	text, _ := data(t, m.step(t, name, "snapshot", nil))["text"].(string)
	var list []int
	for _, found := range numberOfRef.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(found[1])
		list = append(list, n)
	}
	if len(list) == 0 {
		t.Fatalf("no refs in %q", text)
	}
	return list
}

// TestInheritedSessions checks that a session lost with its process is listed until the loss is
// reported, and that its refs never name another element, even after several processes.
func TestInheritedSessions(t *testing.T) {
	testkit.Long(t)
	s := newSite(t)
	file, highest := &left{}, 0
	for generation := range 3 {
		m := newManager(t, session.ManagerOptions{})
		m.Inherit(file.read(), file.write)
		if generation == 1 {
			if got := m.info("a"); got.State != session.StateLost || got.Lost == "" || !got.Gone {
				t.Errorf("the lost session is listed as %+v", got)
			}
			r := m.step(t, "a", "click", map[string]any{"selector": "@e1"})
			wantError(t, r, diag.BrowserUnavailable, "the daemon was killed or crashed (session a)")
			if got := m.info("a"); got.Gone {
				t.Errorf("the session is listed as lost after that was reported: %+v", got)
			}
		}
		if generation == 2 && len(m.List()) > 0 {
			t.Errorf("listed again: %+v", m.List())
		}
		if r := m.open(t, "a", s.url+"/next"); len(r.Warnings) > 0 {
			t.Errorf("generation %d: %v", generation, r.Warnings)
		}
		if generation > 0 {
			wantError(t, m.step(t, "a", "click", map[string]any{"selector": "@e1"}), diag.StaleRef, "")
		}
		numbers := refs(t, m, "a")
		for _, n := range numbers {
			if n <= highest {
				t.Errorf("generation %d: the number %d is given again, the last one was %d", generation, n, highest)
			}
		}
		if generation > 0 {
			wantError(t, m.step(t, "a", "click", map[string]any{"selector": "@e1"}), diag.StaleRef, "")
		}
		highest = max(highest, numbers[len(numbers)-1])
		if generation == 1 {
			// The loss is reported before this process ends. Then only the refs still have to be
			// recorded.
			killBrowser(t)
			wantError(t, m.step(t, "a", "get", map[string]any{"what": "url"}), diag.BrowserUnavailable, "the browser ended")
			if list := file.read(); len(list) != 1 || list[0].Lost != session.LostReported || list[0].Refs < highest {
				t.Errorf("left is %+v, want the refs alone", list)
			}
		}
		file = &left{list: file.read()} // later writes of this manager have no effect
	}
}

// TestListThatCannotBeWritten checks that results have a warning while the list cannot be written.
func TestListThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	m := newManager(t, session.ManagerOptions{})
	var full atomic.Bool
	full.Store(true)
	m.Inherit(nil, func([]session.Remainder) error {
		if full.Load() {
			return syscall.ENOSPC
		}
		return nil
	})
	warned := func(r *executor.Result) bool {
		return slices.ContainsFunc(r.Warnings, func(w executor.Warning) bool { return w.Code == session.WarnNotRecorded })
	}
	for range 2 {
		if r := m.step(t, "a", "open", map[string]any{"url": s.url + "/next"}); !r.Success || !warned(r) {
			t.Errorf("%+v, want success and a warning", r)
		}
	}
	full.Store(false)
	if r := m.step(t, "a", "get", map[string]any{"what": "url"}); !r.Success || warned(r) {
		t.Errorf("warnings %v of a list that can be written again", r.Warnings)
	}
}

// TestHostileNumbers checks that invalid numbers in the list do no harm.
func TestHostileNumbers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	s := newSite(t)
	m := newManager(t, session.ManagerOptions{})
	m.Inherit([]session.Remainder{{Name: "a", Refs: -5, Lost: session.LostReported}, {Name: "b", Refs: 1<<63 - 1}}, func([]session.Remainder) error { return nil })
	for _, name := range []string{"a", "b"} {
		m.open(t, name, s.url+"/next")
		if got := refs(t, m, name)[0]; got < 1 || got > 1<<40 {
			t.Errorf("%s: the first ref is %d", name, got)
		}
	}
}

// TestAnswerAfterAKill checks that a step fails after the browser was killed, even if it does not
// use the browser.
func TestAnswerAfterAKill(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	for _, args := range []map[string]any{{"what": "url"}, {"what": "status"}, {"what": "requests"}} {
		m.open(t, "a", s.url+"/next")
		killBrowser(t)
		wantError(t, m.step(t, "a", "get", args), diag.BrowserUnavailable, "the browser ended")
	}
}
