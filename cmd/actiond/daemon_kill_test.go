//go:build linux

package main

// Tests that kill the daemon, its browser, a page or a client, and of pages that never answer. No
// process and no file remains, and the caller gets an error.

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// wedge is a script that requests /hold of the stage and then blocks its page forever.
const wedge = `fetch("/hold?loop"); while (true) {}`

// A hang is a command that does not end by itself.
type hang struct {
	name string
	what string // name of the running action or step in the daemon's status
	args []string
}

var hangs = []hang{
	{"while a page loads", "web:page:open", []string{"run", "web:page:open", "--url", "$URL/hold"}},
	{"while an element is waited for", "web:page:read", []string{"run", "web:page:read", "--url", "$URL/page", "--within", "text:absent"}},
	{"in an endless loop of a page", "eval", []string{"eval", wedge}},
}

// longWait makes steps wait for elements longer than any test takes.
const longWait = "ACTION_ACTIONS_DEFAULT_TIMEOUT=10m"

// start starts the command in a session, and returns when the command hangs.
func (h hang) start(t *testing.T, u *user, s *stage, session string) *job {
	t.Helper()
	args := []string{"--json", "--timeout", "10m", "--session", session}
	for _, arg := range h.args {
		args = append(args, strings.ReplaceAll(arg, "$URL", s.url))
	}
	if h.what == "eval" { // on a page of the stage
		u.done(t, "open", s.url+"/page", "--session", session)
		s.wait(t)
	}
	j := u.start(t, args...)
	s.wait(t)
	return j
}

func TestKilledDaemon(t *testing.T) {
	for _, tt := range testkit.One(t, "hangs", hangs) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, u := newStage(t), newUser(t, longWait)
			quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
			u.done(t, "open", quiet, "--session", "idle")
			running := tt.start(t, u, s, "busy")
			daemon := u.daemon(t)
			tree := u.tree(t, daemon)
			if got := files(t, u.temp); len(got) != 2 {
				t.Errorf("the temporary folder has %v, want two profiles", got)
			}
			daemon.kill(t)
			r := running.wantError(t, exitBrowser, "BROWSER_UNAVAILABLE")
			wantText(t, r, ".error.message", "daemon")
			wantText(t, r, ".error.suggestion", "again")
			allGone(t, tree)
			u.wantNoFolder(t)
			if !exists(u.socket()) {
				t.Error("the killed daemon left no socket, so that nothing is proved")
			}
			// The next command starts another daemon.
			if r := u.done(t, "open", quiet); text(r, ".data.url") != quiet {
				t.Errorf("data %v, want the url %s", r["data"], quiet)
			}
			if next := u.daemon(t); next == daemon {
				t.Errorf("the daemon is the killed process %v", next)
			}
			if got := u.daemons(t); len(got) != 1 {
				t.Errorf("%d daemons run, want one", len(got))
			}
		})
	}
}

// TestKilledDaemonIsSwept kills the guards of the browsers together with the daemon, as when a
// container ends. The start of the next browser removes the remaining folder.
func TestKilledDaemonIsSwept(t *testing.T) {
	testkit.Long(t)
	u, quiet := newUser(t), serve(t.Cleanup, pages.Handler())+"/echo"
	u.done(t, "open", quiet)
	daemon := u.daemon(t)
	tree := u.tree(t, daemon)
	// All processes are stopped before the first is killed, and parents come first: a guard cleans
	// up as soon as it notices that the daemon has ended.
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		for _, p := range tree {
			if p.alive() {
				_ = syscall.Kill(p.pid, signal)
			}
		}
	}
	allGone(t, tree)
	left := files(t, u.temp)
	if len(left) != 1 {
		t.Fatalf("the killed processes left %v, want one profile folder", left)
	}
	u.done(t, "open", quiet)
	if now := files(t, u.temp); len(now) != 1 || now[0] == left[0] {
		t.Errorf("the temporary folder has %v, want only that of the new browser: %v was to be swept", now, left)
	}
}

var killings = []struct {
	name string
	told string
	kill func(*testing.T, process)
}{
	{"browser", "the browser ended (session default)", killBrowser},
	{"tab", "the page crashed (session default)", killTab},
}

// TestKilledBetweenCalls checks that the next call reports the lost state of its session, once.
func TestKilledBetweenCalls(t *testing.T) {
	testkit.Long(t)
	quiet := serve(t.Cleanup, pages.Handler())
	for _, tt := range killings {
		for _, next := range []struct {
			name string
			call func(*testing.T, *user)
		}{
			{"a step by hand", func(t *testing.T, u *user) {
				r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
				wantText(t, r, ".error.message", tt.told, quiet+"/echo", "lost")
				wantText(t, r, ".error.suggestion", "open")
				wantText(t, u.done(t, "get", "url"), ".data.url", "about:blank")
			}},
			{"open", func(t *testing.T, u *user) {
				r := u.done(t, "open", quiet+"/echo?after")
				wantText(t, r, ".warnings.0.code", "session_lost")
				wantText(t, r, ".warnings.0.message", tt.told, quiet+"/echo")
				wantText(t, u.done(t, "get", "url"), ".data.url", quiet+"/echo?after")
			}},
			{"run", func(t *testing.T, u *user) {
				r := u.done(t, "run", "web:page:open", "--url", quiet+"/echo?after")
				wantText(t, r, ".warnings.0.code", "session_lost")
				wantText(t, r, ".warnings.0.message", tt.told, quiet+"/echo")
				wantText(t, u.done(t, "get", "url"), ".data.url", quiet+"/echo?after")
			}},
		} {
			t.Run(tt.name+"/"+next.name, func(t *testing.T) {
				t.Parallel()
				u := newUser(t)
				u.done(t, "open", quiet+"/echo?before")
				u.done(t, "eval", `document.cookie = "who=ada"`)
				daemon := u.daemon(t)
				below := descendants(t, daemon.pid)
				tt.kill(t, daemon)
				u.wantState(t, "default", "lost")
				next.call(t, u)
				if tt.name == "browser" {
					allGone(t, below)
				}
				wantOneBrowser(t, u, daemon)
				r := u.done(t, "open", quiet+"/echo?clean")
				if r["warnings"] != nil {
					t.Errorf("the loss is told again: %v", r["warnings"])
				}
				wantCookies(t, u, map[string]string{"browser": "", "tab": "who=ada"}[tt.name])
			})
		}
	}
}

func TestKilledDuringARun(t *testing.T) {
	testkit.Long(t)
	for n, tt := range killings {
		i := n
		for _, h := range testkit.Rows(t, "hangs", hangs, func(hang) bool { i++; return i%2 == 0 }) {
			t.Run(tt.name+"/"+h.name, func(t *testing.T) {
				s, u := newStage(t), newUser(t, longWait)
				running := h.start(t, u, s, "default")
				daemon := u.daemon(t)
				below := descendants(t, daemon.pid)
				tt.kill(t, daemon)
				r := running.wantError(t, exitBrowser, "BROWSER_UNAVAILABLE")
				wantText(t, r, ".error.message", tt.told, h.what)
				if tt.name == "browser" {
					allGone(t, below)
				}
				r = u.done(t, "open", s.url+"/page")
				wantText(t, r, ".warnings.0.message", tt.told, h.what)
				wantOneBrowser(t, u, daemon)
			})
		}
	}
}

// wantOneBrowser fails the test unless the same daemon is running, with one browser and one
// profile.
func wantOneBrowser(t *testing.T, u *user, daemon process) {
	t.Helper()
	if now := u.daemon(t); now != daemon {
		t.Errorf("the daemon is another one: %v, before %v", now, daemon)
	}
	browserRoot(t, daemon)
	eventually(t, "one profile folder is left", func() bool { return len(files(t, u.temp)) == 1 })
}

func wantCookies(t *testing.T, u *user, want string) {
	t.Helper()
	if got := text(u.done(t, "eval", "document.cookie"), ".data.value"); got != want {
		t.Errorf("the page has the cookies %q, want %q", got, want)
	}
}

// TestEndlessLoop checks that a step on a page that never answers ends with its timeout, and that
// the next open can use the session.
func TestEndlessLoop(t *testing.T) {
	testkit.Long(t)
	const loops = `<!DOCTYPE html><title>Loop</title><script>while (true) {}</script>`
	site := serve(t.Cleanup, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, loops)
	}))
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	timesOut := func(args ...string) func(*testing.T, *user) {
		return func(t *testing.T, u *user) { u.refused(t, exitFailed, "TIMEOUT", append(args, "--timeout", "1s")...) }
	}
	begins := func(t *testing.T, u *user) { u.done(t, "eval", "setTimeout(() => { while (true) {} }), 1") }
	nexts := [][]string{{"open", quiet}, {"run", "web:page:open", "--url", quiet}, {"session", "close"}}
	for n, tt := range []struct {
		name  string
		calls []func(*testing.T, *user)
	}{
		{"in a step", []func(*testing.T, *user){timesOut("eval", "while (true) {}")}},
		{"behind a step", []func(*testing.T, *user){begins}},
		{"behind a step, seen by the next", []func(*testing.T, *user){begins, timesOut("get", "text", "css:body")}},
		{"behind a step, seen by the next script", []func(*testing.T, *user){begins, timesOut("eval", "1")}},
		{"while the page loads", []func(*testing.T, *user){timesOut("open", site)}},
	} {
		i := n // with -short each loop is followed by one of them
		for _, next := range testkit.Rows(t, "next calls", nexts, func([]string) bool { i++; return i%3 == 0 }) {
			t.Run(tt.name+"/"+next[0], func(t *testing.T) {
				t.Parallel()
				u := newUser(t)
				u.done(t, "open", quiet+"?before")
				for _, call := range tt.calls {
					call(t, u)
				}
				if got := u.session(t, "default"); got["state"] != "idle" {
					t.Errorf("session list tells %v, want idle", got)
				}
				below := descendants(t, u.daemon(t).pid)
				u.done(t, next...)
				if next[0] == "session" {
					wantAllGone(t, below)
					return
				}
				wantText(t, u.done(t, "get", "url"), ".data.url", quiet)
			})
		}
	}
}

// wantAllGone fails the test if a process is still running.
func wantAllGone(t *testing.T, list []process) {
	t.Helper()
	if len(list) < 2 {
		t.Errorf("there were %d processes, so that nothing is proved", len(list))
	}
	for _, p := range list {
		if p.alive() {
			t.Errorf("a process is left: %s", arguments(p.pid))
		}
	}
}

// TestControlWhileAPageHangs checks that the daemon answers and other sessions run while a page
// hangs.
func TestControlWhileAPageHangs(t *testing.T) {
	testkit.Long(t)
	for _, h := range hangs {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			s, u := newStage(t), newUser(t, longWait)
			quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
			running := h.start(t, u, s, "stuck")
			waiting := u.start(t, "get", "url", "--session", "stuck", "--json")
			eventually(t, "the second call waits", func() bool { return u.session(t, "stuck")["queued"] == 1.0 })
			status := u.done(t, "daemon", "status")
			wantText(t, status, ".sessions.0.state", "running")
			if got := text(status, ".sessions.0.running.action") + text(status, ".sessions.0.running.step"); got != h.what {
				t.Errorf("status tells that %q runs, want %s", got, h.what)
			}
			stuck := descendants(t, u.daemon(t).pid)
			wantText(t, u.done(t, "open", quiet, "--session", "other"), ".data.url", quiet)
			u.done(t, "session", "close", "stuck")
			wantAllGone(t, stuck)
			for _, j := range []*job{running, waiting} {
				r := j.wantError(t, exitFailed, "CANCELLED")
				wantText(t, r, ".error.message", "the session stuck was closed")
			}
			if got := files(t, u.temp); len(got) != 1 {
				t.Errorf("the temporary folder has %v, want the profile of the other session", got)
			}
			wantText(t, u.done(t, "get", "url", "--session", "other"), ".data.url", quiet)
		})
	}
}

// TestEndOfTheClient checks that the end of a client cancels its call, and nothing else.
func TestEndOfTheClient(t *testing.T) {
	testkit.Long(t)
	for i, how := range []struct {
		name   string
		signal syscall.Signal
		exit   int
	}{
		{"Ctrl-C", syscall.SIGINT, exitInterrupted},
		{"terminated", syscall.SIGTERM, exitInterrupted},
		{"killed", syscall.SIGKILL, -1},
	} {
		for _, h := range testkit.Share(t, "hangs", hangs, i, 3) {
			t.Run(how.name+"/"+h.name, func(t *testing.T) {
				t.Parallel()
				s, u := newStage(t), newUser(t, longWait)
				running := h.start(t, u, s, "default")
				daemon := u.daemon(t)
				// Signal the whole process group, as a terminal does.
				if err := syscall.Kill(-running.Process.Pid, how.signal); err != nil {
					t.Fatal(err)
				}
				if how.exit == exitInterrupted {
					running.wantError(t, how.exit, "CANCELLED")
				} else {
					running.wantCode(t, how.exit)
				}
				u.wantState(t, "default", "idle")
				r := u.done(t, "open", s.url+"/page")
				if warnings := r["warnings"]; warnings != nil {
					t.Errorf("the session has lost something: %v", warnings)
				}
				if now := u.daemon(t); now != daemon {
					t.Errorf("the daemon is another one: %v, before %v", now, daemon)
				}
			})
		}
	}
}

func TestStopWhileRunsHang(t *testing.T) {
	testkit.Long(t)
	testkit.Long(t)
	s, u := newStage(t), newUser(t, longWait)
	var jobs []*job
	for _, h := range hangs {
		jobs = append(jobs, h.start(t, u, s, strings.Fields(h.name)[1]+h.what))
	}
	u.done(t, "get", "url", "--session", "idle")
	daemon := u.daemon(t)
	tree := u.tree(t, daemon)
	u.done(t, "daemon", "stop")
	// When stop returns, only the daemon itself may still be exiting.
	wantAllGone(t, slices.DeleteFunc(slices.Clone(tree), func(p process) bool { return p == daemon }))
	wantClean(t, u.temp)
	if exists(u.socket()) {
		t.Error("the socket is left")
	}
	for _, j := range jobs {
		j.wantError(t, exitFailed, "CANCELLED")
	}
	allGone(t, tree)
}
