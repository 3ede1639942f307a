package session_test

// Tests of the first call in a session: the browser that it prelaunches, and the work that it
// avoids.

import (
	"os"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/registry"
)

// TestStepsReadNoDefinitions checks that a manual step reads the configuration, but not the
// definitions.
func TestStepsReadNoDefinitions(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	testkit.Write(t, actions(m.home, "bad.yaml"), "namespace: [")
	testkit.Age(t, m.home, m.cwd)
	m.open(t, "a", s.url+"/one")
	if got := m.Problems(); len(got) != 0 {
		t.Errorf("after a step the files of definitions are known: %v", got)
	}
	// A change of the configuration applies to the next step.
	testkit.Write(t, config(m.home), "policy: {deny: [eval]}\n")
	wantError(t, m.step(t, "a", "eval", map[string]any{"script": "1"}), diag.PolicyDenied, "eval")
	testkit.Write(t, config(m.home), "policy: {allow: [eval]}\n")
	if got := m.eval(t, "a", "1 + 1"); got != 2.0 {
		t.Errorf("the script gives %v, want 2", got)
	}
	if err := os.Remove(config(m.home)); err != nil {
		t.Fatal(err)
	}
	if r := m.run(t, "a", "web:page:read", nil); r.Error != nil {
		t.Error("a run after steps:", r.Error)
	}
	if got := m.Problems(); len(got) != 1 {
		t.Errorf("after a run there are the problems %v, want that of bad.yaml", got)
	}
	if got := m.url(t, "a"); got != s.url+"/one" {
		t.Errorf("a step after a run finds %s", got)
	}
}

// describing runs an action in a session, with the params that complete returns. Nil params
// postpone the run.
func (m *managed) describing(t *testing.T, name, action string, complete func(*registry.Description) (map[string]any, error)) *executor.Result {
	t.Helper()
	return m.RunDescribed(t.Context(), in(name), action, func(d *registry.Description) (session.Completion, error) {
		params, err := complete(d)
		c := in(name)
		c.Steps = true
		return session.Completion{Call: c, Params: params, Later: params == nil}, err
	})
}

func TestRunDescribed(t *testing.T) {
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	for _, first := range []bool{true, false} {
		r := m.describing(t, "a", "web:page:open", func(d *registry.Description) (map[string]any, error) {
			if d.Name != "web:page:open" || len(d.Params) == 0 {
				t.Errorf("the description is %+v", d)
			}
			if first {
				eventually(t, "the start of the browser", func() bool { return len(browserProcesses(t)) > 0 })
			}
			return map[string]any{"url": s.url + "/one"}, nil
		})
		if r.Error != nil || r.Action != "web:page:open" || len(r.Steps) == 0 {
			t.Fatalf("first %t: the result is %+v, want one with its steps", first, r)
		}
		if got := m.url(t, "a"); got != s.url+"/one" {
			t.Errorf("first %t: the page is %s", first, got)
		}
	}
	r := m.describing(t, "a", "web:page:opne", nil)
	if r.Action != "" {
		t.Errorf("an action that does not exist has the result %+v", r)
	}
	wantError(t, r, diag.ActionNotFound, "opne")
}

// TestRunDescribedThatIsRefused checks that a run with invalid params leaves no session and no
// browser, and that a postponed run keeps its browser.
func TestRunDescribedThatIsRefused(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	refuse := func(m *managed, err error) *executor.Result {
		t.Helper()
		return m.describing(t, "a", "web:page:open", func(*registry.Description) (map[string]any, error) { return nil, err })
	}
	r := refuse(m, diag.New(diag.InvalidRequest, "no such flag").WithHint("leave it out"))
	wantError(t, r, diag.InvalidRequest, "no such flag")
	if r.Action != "" {
		t.Errorf("it is the result of %q", r.Action)
	}
	if list := m.List(); len(list) != 0 {
		t.Errorf("there are the sessions %v", list)
	}
	eventually(t, "the end of the browser", func() bool { return len(browserProcesses(t)) == 0 })
	m, s := newManager(t, session.ManagerOptions{}), newSite(t) // has not read any definitions yet
	if r = refuse(m, nil); r.Error != nil || r.Action != "" {
		t.Errorf("the result is %+v, want none", r)
	}
	if got := m.info("a").State; got != session.StateIdle {
		t.Errorf("the session is %q, want it idle", got)
	}
	before := browserProcesses(t)
	m.run(t, "a", "web:page:open", map[string]any{"url": s.url + "/one"})
	if after := browserProcesses(t); len(before) == 0 || before[0] != after[0] {
		t.Errorf("the run has another browser: before %v, after %v", before, after)
	}
	wantClosed(t, m, "a")
}
