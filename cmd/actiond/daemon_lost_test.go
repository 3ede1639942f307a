//go:build linux

package main

// The state of sessions is lost when their daemon is killed. The next daemon reports the loss, once
// for each session.

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

const killedDaemon = "the daemon was killed or crashed (session "

// end sends a signal to a daemon and waits until the daemon has ended.
func (p process) end(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(p.pid, signal); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the daemon ends", func() bool { return !p.alive() })
}

func TestSessionsOfAKilledDaemon(t *testing.T) {
	testkit.Long(t)
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	for _, end := range testkit.One(t, "ends", []struct {
		name   string
		signal syscall.Signal
		want   string
	}{
		{"killed", syscall.SIGKILL, killedDaemon},
		{"terminated", syscall.SIGTERM, "the daemon was ended by a signal (session "},
	}) {
		t.Run(end.name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			for _, name := range []string{"default", "run", "open", "close", "closed"} {
				u.done(t, "open", quiet+"?secret=1", "--session", name)
			}
			u.done(t, "session", "close", "closed")
			u.daemon(t).end(t, end.signal)

			for _, name := range []string{"default", "run", "open", "close"} {
				if name == "default" { // session list does not start a daemon
					u.done(t, "daemon", "start")
				}
				if got := u.session(t, name); text(got, ".state") != "lost" || !strings.Contains(text(got, ".lost"), end.want+name) {
					t.Errorf("session list tells %v of %s", got, name)
				}
			}
			if got := u.session(t, "closed"); got != nil {
				t.Errorf("session list tells %v of a session that was closed", got)
			}
			lost := end.want + "default): its page, cookies and storage are lost"
			for _, step := range [][]string{{"get", "url"}, {"fill", "css:input", "x"}} {
				if step[0] == "fill" { // the daemon is killed again before the loss is forgotten
					u.done(t, "open", quiet)
					u.daemon(t).end(t, end.signal)
				}
				r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", step...)
				wantText(t, r, ".error.message", lost)
				wantText(t, r, ".error.suggestion", "open a page again")
			}
			wantText(t, u.done(t, "get", "url"), ".data.url", "about:blank")

			r := u.done(t, "run", "web:page:open", "--url", quiet, "--session", "run")
			wantText(t, r, ".warnings.0.code", "session_lost")
			r = u.done(t, "open", quiet, "--session", "open")
			wantText(t, r, ".warnings.0.code", "session_lost")
			u.done(t, "session", "close", "close")
			for _, name := range []string{"close", "closed", "never"} {
				wantText(t, u.done(t, "get", "url", "--session", name), ".data.url", "about:blank")
			}
			for _, name := range []string{"default", "run", "open"} {
				if r := u.done(t, "open", quiet, "--session", name); r["warnings"] != nil {
					t.Errorf("the loss of %s is reported again: %v", name, r["warnings"])
				}
			}
		})
	}
}

// TestLossOutlivesDaemons checks that a loss is still reported after several more daemons.
func TestLossOutlivesDaemons(t *testing.T) {
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	u := newUser(t)
	u.done(t, "open", quiet)
	for range 2 {
		u.daemon(t).end(t, syscall.SIGKILL)
		u.done(t, "open", quiet, "--session", "other")
	}
	r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
	wantText(t, r, ".error.message", killedDaemon+"default)")
	u.daemon(t).end(t, syscall.SIGKILL)
	// The loss was reported before the kill, so it is not reported again.
	wantText(t, u.done(t, "get", "url"), ".data.url", "about:blank")
}

// TestNothingIsLostWithAStop checks that no loss is reported after daemon stop, because its caller
// knows that the sessions have ended.
func TestNothingIsLostWithAStop(t *testing.T) {
	testkit.Long(t)
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	u := newUser(t)
	u.done(t, "open", quiet)
	u.daemon(t).end(t, syscall.SIGKILL)
	u.done(t, "open", quiet, "--session", "other")
	u.done(t, "daemon", "stop")
	if left := files(t, filepath.Dir(u.socket())); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	for _, name := range []string{"default", "other"} {
		wantText(t, u.done(t, "get", "url", "--session", name), ".data.url", "about:blank")
	}
}

// TestHostileRemains checks that a daemon starts whatever the file with the names of sessions
// contains, and touches no other file.
func TestHostileRemains(t *testing.T) {
	testkit.Long(t)
	const kept = "a file of the user\n"
	for _, tt := range []struct {
		name string
		make func(t *testing.T, path, other string) error
	}{
		{"no JSON", func(_ *testing.T, path, _ string) error { return os.WriteFile(path, []byte("\x00{["), 0o600) }},
		{"other JSON", func(_ *testing.T, path, _ string) error {
			return os.WriteFile(path, []byte(`{"name":"default"}`), 0o600)
		}},
		{"names that are none", func(_ *testing.T, path, _ string) error {
			return os.WriteFile(path, []byte(`[{"name":"a\u001b[2J"},{"name":""},{"name":"../x"},{"lost":"y"}]`), 0o600)
		}},
		{"a huge file", func(_ *testing.T, path, _ string) error {
			return os.WriteFile(path, []byte(`[{"name":"default"}`+strings.Repeat(" ", 1<<20)+"]"), 0o600)
		}},
		{"a link", func(_ *testing.T, path, other string) error { return os.Symlink(other, path) }},
		{"a folder", func(_ *testing.T, path, _ string) error { return os.Mkdir(path, 0o700) }},
		{"a named pipe", func(_ *testing.T, path, _ string) error { return syscall.Mkfifo(path, 0o600) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := newUser(t)
			other := filepath.Join(u.home, "other")
			writeFile(t, other, kept)
			if err := os.Mkdir(filepath.Dir(u.socket()), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := tt.make(t, u.socket()+".sessions", other); err != nil {
				t.Fatal(err)
			}
			wantText(t, u.done(t, "get", "url"), ".data.url", "about:blank")
			if data, err := os.ReadFile(other); err != nil || string(data) != kept {
				t.Errorf("the other file is %q, %v", data, err)
			}
		})
	}
	t.Run("an unknown cause", func(t *testing.T) {
		u := newUser(t)
		writeFile(t, u.socket()+".sessions", `[{"name":"default","lost":"\u001b[2Jx"}]`)
		r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
		wantText(t, r, ".error.message", killedDaemon+"default)")
	})
}

// TestOutcomeOfAKilledDaemon checks that a command whose daemon is killed reports an unknown
// outcome, and is not sent again.
func TestOutcomeOfAKilledDaemon(t *testing.T) {
	s, u := newStage(t), newUser(t, longWait)
	running := hangs[2].start(t, u, s, "default")
	u.daemon(t).end(t, syscall.SIGKILL)
	r := running.wantError(t, exitBrowser, "BROWSER_UNAVAILABLE")
	wantText(t, r, ".error.message", "the command may or may not have been carried out")
	wantText(t, r, ".error.details.outcome", "unknown")
	wantText(t, r, ".error.suggestion", "check what happened before you send the command again")
	if got := u.daemons(t); len(got) != 0 {
		t.Errorf("the command has started another daemon: %v", got)
	}
	u.wantNoFolder(t)
	r = u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "click", "text:Send")
	wantText(t, r, ".error.message", killedDaemon+"default)")
}

// TestSessionsThatCannotBeListed checks the warning if the names of sessions cannot be written: a
// loss would not be reported later.
func TestSessionsThatCannotBeListed(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.done(t, "daemon", "start")
	blocked := u.socket() + ".sessions.new"
	if err := os.MkdirAll(filepath.Join(blocked, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := u.done(t, "open", "about:blank")
	wantText(t, r, ".warnings.0.code", "session_not_recorded")
	if err := os.RemoveAll(blocked); err != nil {
		t.Fatal(err)
	}
	if r := u.done(t, "get", "url"); r["warnings"] != nil {
		t.Errorf("warnings %v of a list that can be written again", r["warnings"])
	}
	u.daemon(t).end(t, syscall.SIGKILL)
	r = u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
	wantText(t, r, ".error.message", killedDaemon)
	eventually(t, "the browser of the killed daemon, and its folder, are gone", func() bool { return len(files(t, u.temp)) == 0 })
}
