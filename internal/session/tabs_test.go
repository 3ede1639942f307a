package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
)

// opensTabs serves a page that opens tabs. One of them closes itself.
func opensTabs(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/second" {
			fmt.Fprint(w, `<!doctype html><title>second</title><h1>Second</h1><button onclick="window.close()">Close</button>`)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>first</title><a href=/second target=_blank rel=opener>Open</a><button>Stay</button>`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTabSteps(t *testing.T) {
	t.Parallel()
	m, base := newManager(t, session.ManagerOptions{}), opensTabs(t)
	step := func(name string, args map[string]any) map[string]any {
		t.Helper()
		return data(t, m.step(t, "a", name, args))
	}
	tab := func(do string, more ...string) map[string]any {
		t.Helper()
		args := map[string]any{"do": do}
		for i := 0; i < len(more); i += 2 {
			args[more[i]] = more[i+1]
		}
		return step("tab", args)
	}
	m.open(t, "a", base)
	r := m.step(t, "a", "click", map[string]any{"selector": "text:Open"})
	wantWarnings(t, r, session.WarnTabOpened)
	want(t, data(t, r), "tab", "t2")
	if w := r.Warnings[0].Message; !strings.Contains(w, base+"/second") || !strings.Contains(w, "action tab switch t2") {
		t.Errorf("warning %q, want the URL and how to switch", w)
	}
	want(t, step("get", map[string]any{"what": "title"}), "title", "first")
	want(t, tab("switch", "tab", "t2"), "title", "second")
	want(t, step("get", map[string]any{"what": "title"}), "title", "second")
	r = m.step(t, "a", "click", map[string]any{"selector": "text:Close"})
	wantWarnings(t, r, session.WarnTabClosed)
	if len(r.Warnings) > 0 && !strings.Contains(r.Warnings[0].Message, "active tab is t1") {
		t.Errorf("warning %q, want which tab is active", r.Warnings[0].Message)
	}
	want(t, step("get", map[string]any{"what": "title"}), "title", "first")
	got := tab("new", "url", base+"/second")
	want(t, got, "tab", "t3")
	want(t, got, "url", base+"/second")
	if list := tab("list")["tabs"].([]any); len(list) != 2 || fmt.Sprint(list[1].(map[string]any)["active"]) != "true" {
		t.Errorf("tabs = %v, want two, the second active", list)
	}
	if i := m.info("a"); i.Tabs != 2 || i.Windows != 1 || i.Tab != "t3" || i.Window != "w1" {
		t.Errorf("List reports the session as %+v", i)
	}
	want(t, tab("close"), "tab", "t1")
	wantError(t, m.step(t, "a", "tab", map[string]any{"do": "close"}), diag.InvalidRequest, "only tab of the session")
	wantError(t, m.step(t, "a", "tab", map[string]any{"do": "switch", "tab": "t2"}), diag.ParamInvalid, `no tab "t2"`)
	wantError(t, m.step(t, "a", "tab", map[string]any{"do": "new", "url": "chrome://version"}), diag.PolicyDenied, "")
	wantError(t, m.step(t, "a", "tab", map[string]any{"do": "new", "url": "http://127.0.0.1:1/"}), diag.NavigationFailed, "")
	if i := m.info("a"); i.Tabs != 1 || i.Tab != "t1" {
		t.Errorf("after a tab whose address cannot be opened: %+v", i)
	}
}

func TestWindowSteps(t *testing.T) {
	t.Parallel()
	m, base := newManager(t, session.ManagerOptions{}), opensTabs(t)
	m.open(t, "a", base)
	m.eval(t, "a", "document.cookie='who=ann'")
	r := m.step(t, "a", "window", map[string]any{"do": "new", "url": base})
	want(t, data(t, r), "window", "w2")
	if got := m.eval(t, "a", "document.cookie"); got != "" {
		t.Errorf("the new window has the cookie %v", got)
	}
	list := data(t, m.step(t, "a", "window", map[string]any{"do": "list"}))["windows"].([]any)
	if len(list) != 2 {
		t.Errorf("windows = %v, want two", list)
	}
	want(t, data(t, m.step(t, "a", "window", map[string]any{"do": "switch", "window": "w1"})), "tab", "t1")
	if got := m.eval(t, "a", "document.cookie"); got != "who=ann" {
		t.Errorf("w1 has the cookie %v", got)
	}
	want(t, data(t, m.step(t, "a", "window", map[string]any{"do": "close", "window": "w2"})), "window", "w1")
	wantError(t, m.step(t, "a", "window", map[string]any{"do": "close"}), diag.InvalidRequest, "only window")
}
