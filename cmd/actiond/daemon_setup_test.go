//go:build linux

package main

// Helpers of the tests in daemon_*_test.go. They run commands of one user, and find the processes
// of the user's daemon.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

// A user has its own folders, settings and daemon, which its commands share.
type user struct {
	program string
	home    string
	temp    string // folder of the temporary files of all its processes
	runtime string // the daemon's socket is below it
	environ []string
}

// newUser returns a user. After the test, it stops the user's daemon and fails the test if
// temporary files remain.
func newUser(t *testing.T, environ ...string) *user {
	t.Helper()
	u := &user{temp: tempDir(t)}
	t.Cleanup(func() { wantClean(t, u.temp) })
	c := command(t) // its cleanup, which stops the daemon, runs before that
	u.program, u.home = c.Path, c.Dir
	u.environ = append(append(c.Env, "TMPDIR="+u.temp), environ...)
	for _, kv := range c.Env {
		if dir, ok := strings.CutPrefix(kv, "XDG_RUNTIME_DIR="); ok {
			u.runtime = dir
		}
	}
	return u
}

func (u *user) socket() string { return filepath.Join(u.runtime, "action", "daemon.sock") }

func (u *user) command(args ...string) *exec.Cmd {
	cmd := exec.Command(u.program, args...)
	cmd.Dir, cmd.Env = u.home, u.environ
	return cmd
}

// start starts a command in its own process group, like a terminal.
func (u *user) start(t *testing.T, args ...string) *job {
	t.Helper()
	j := &job{Cmd: u.command(args...)}
	j.Stdout, j.Stderr = &j.stdout, &j.stderr
	j.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	j.WaitDelay = patience
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if j.ProcessState == nil { // the test has failed before it waited
			_ = j.Process.Kill()
			_ = j.Wait()
		}
	})
	return j
}

// done runs a command with --json, which must succeed, and returns its output.
func (u *user) done(t *testing.T, args ...string) map[string]any {
	t.Helper()
	j := u.start(t, append(args, "--json")...)
	if got := j.end(); got != exitDone {
		t.Fatalf("%v: exit code %d, want 0\nstdout: %s\nstderr: %s", args, got, &j.stdout, &j.stderr)
	}
	return j.result(t)
}

// refused runs a command with --json, which must fail, and returns its output.
func (u *user) refused(t *testing.T, exit int, code string, args ...string) map[string]any {
	t.Helper()
	j := u.start(t, append(args, "--json")...)
	return j.wantError(t, exit, code)
}

// wantError waits for the end of a command with --json, which must fail, and returns its output.
func (j *job) wantError(t *testing.T, exit int, code string) map[string]any {
	t.Helper()
	j.wantCode(t, exit)
	r := j.result(t)
	if got := text(r, ".error.code"); got != code {
		t.Errorf("%v: error %q, want %s\nstdout: %s", j.Args[1:], got, code, &j.stdout)
	}
	return r
}

// text returns the text at a path like .error.code, or "" if there is none.
func text(v any, path string) string {
	found, _ := lookIn(v, path)
	s, _ := found.(string)
	return s
}

// wantText fails the test unless the text at a path contains all parts.
func wantText(t *testing.T, v any, path string, parts ...string) {
	t.Helper()
	got := text(v, path)
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%s is %q, want %q in it; there is: %v", path, got, part, v)
		}
	}
}

// daemon returns the process of the user's daemon, which must answer.
func (u *user) daemon(t *testing.T) process {
	t.Helper()
	status := u.done(t, "daemon", "status")
	pid, _ := status["pid"].(float64)
	_, _, p, ok := stat(int(pid))
	if !ok {
		t.Fatalf("the daemon tells the process %v, which is not there", status["pid"])
	}
	return p
}

// session returns the entry of a session in session list, or nil if there is none.
func (u *user) session(t *testing.T, name string) map[string]any {
	t.Helper()
	list, _ := u.done(t, "session", "list")["sessions"].([]any)
	for _, s := range list {
		if s, ok := s.(map[string]any); ok && s["name"] == name {
			return s
		}
	}
	return nil
}

// wantState waits until session list shows a session in this state.
func (u *user) wantState(t *testing.T, name, state string) {
	t.Helper()
	eventually(t, fmt.Sprintf("the session %s is %s", name, state), func() bool {
		return text(u.session(t, name), ".state") == state
	})
}

// arguments returns the command line of a process, or "" if the process has ended.
func arguments(pid int) string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(strings.Trim(string(data), "\x00"), "\x00", " ")
}

// sessionOf returns the id of a process's session. A process inherits it, and keeps it when its
// parents have ended.
func sessionOf(pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	id, _ := strconv.Atoi(fields[3])
	return id
}

// tree lists the daemon, its descendants, the processes in its session, and those that use the
// user's temporary folder.
func (u *user) tree(t *testing.T, daemon process) []process {
	t.Helper()
	list := append([]process{daemon}, descendants(t, daemon.pid)...)
	for _, name := range files(t, "/proc") {
		pid, err := strconv.Atoi(name)
		if err != nil || sessionOf(pid) != daemon.pid && !strings.Contains(arguments(pid), u.temp+"/") {
			continue
		}
		if _, _, p, ok := stat(pid); ok && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// daemons lists the processes that are daemons of this user.
func (u *user) daemons(t *testing.T) []process {
	t.Helper()
	var list []process
	for _, name := range files(t, "/proc") {
		pid, err := strconv.Atoi(name)
		if err != nil || arguments(pid) != endpoint.EngineName+" daemon" {
			continue
		}
		environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // the process may have ended
		if _, _, p, ok := stat(pid); ok && strings.Contains(string(environ), "XDG_RUNTIME_DIR="+u.runtime+"\x00") {
			list = append(list, p)
		}
	}
	return list
}

// kill sends SIGKILL to a process.
func (p process) kill(t *testing.T) {
	t.Helper()
	if !p.alive() {
		t.Fatalf("the process %d has ended already", p.pid)
	}
	if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// browserRoot returns the main process of the only browser of a daemon.
func browserRoot(t *testing.T, daemon process) process {
	t.Helper()
	var roots []process
	for _, p := range descendants(t, daemon.pid) {
		helper := func(c process) bool { return strings.Contains(arguments(c.pid), "--type=") }
		if !helper(p) && slices.ContainsFunc(childrenOf(t, p), helper) {
			roots = append(roots, p)
		}
	}
	if len(roots) != 1 {
		t.Fatalf("found %d browsers below the daemon, want one", len(roots))
	}
	return roots[0]
}

func childrenOf(t *testing.T, of process) []process {
	t.Helper()
	return slices.DeleteFunc(descendants(t, of.pid), func(p process) bool {
		_, parent, _, ok := stat(p.pid)
		return !ok || parent != of.pid
	})
}

// killBrowser kills the main process of the only browser.
func killBrowser(t *testing.T, daemon process) {
	t.Helper()
	browserRoot(t, daemon).kill(t)
}

// killTab kills the renderer processes.
func killTab(t *testing.T, daemon process) {
	t.Helper()
	found := false
	for _, p := range descendants(t, daemon.pid) {
		if strings.Contains(arguments(p.pid), "--type=renderer") && p.alive() {
			p.kill(t)
			found = true
		}
	}
	if !found {
		t.Fatal("there is no process of a page")
	}
}

// wantNoFolder waits until no temporary folder is left.
func (u *user) wantNoFolder(t *testing.T) {
	t.Helper()
	eventually(t, "the temporary folders go", func() bool { return len(files(t, u.temp)) == 0 })
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
