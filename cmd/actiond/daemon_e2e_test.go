//go:build linux

package main

// Tests of the daemon as a process: how commands start, find, replace and stop it, and what other
// processes and users can see of it.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
	"github.com/actionregistry/action/testdata/shop"
)

// TestCommandsStartOneDaemon checks that many commands at once start only one daemon.
func TestCommandsStartOneDaemon(t *testing.T) {
	u := newUser(t)
	var starts, gets []*job
	for range 10 {
		gets = append(gets, u.start(t, "get", "url", "--json"))
		starts = append(starts, u.start(t, "daemon", "start", "--json"))
	}
	for _, j := range gets {
		j.wantCode(t, exitDone)
		wantText(t, j.result(t), ".data.url", "about:blank")
	}
	daemon := u.daemon(t)
	started := 0
	for _, j := range starts {
		j.wantCode(t, exitDone)
		r := j.result(t)
		if r["pid"] != float64(daemon.pid) {
			t.Errorf("a command has seen the daemon %v, another %d", r["pid"], daemon.pid)
		}
		if r["started"] == true {
			started++
		}
	}
	if started > 1 {
		t.Errorf("%d commands say that they started the daemon, want at most one", started)
	}
	if got := u.daemons(t); !slices.Equal(got, []process{daemon}) {
		t.Errorf("the daemons %v run, want %v", got, daemon)
	}
	if got := files(t, u.temp); len(got) != 1 {
		t.Errorf("the temporary folder has %v, want the profile of one browser", got)
	}
}

// TestDrain checks that stop --drain lets running calls finish, and that a new daemon can start
// before they have.
func TestDrain(t *testing.T) {
	s, u := newStage(t), newUser(t)
	running := u.start(t, "run", "--json", "web:page:read", "--url", s.url+"/hold?who=me")
	s.wait(t)
	old := u.daemon(t)
	stop := u.start(t, "daemon", "stop", "--drain", "--json")
	eventually(t, "the daemon gives up its socket", func() bool { return !exists(u.socket()) })
	wantText(t, u.done(t, "get", "url"), ".data.url", "about:blank")
	next := u.daemon(t)
	if next == old {
		t.Error("the daemon that drains takes new calls")
	}
	if !old.alive() {
		t.Error("the daemon has ended before its run")
	}
	close(s.open)
	running.wantCode(t, exitDone)
	wantText(t, running.result(t), ".data.text", "answer to me")
	stop.wantCode(t, exitDone)
	eventually(t, "the old daemon ends", func() bool { return !old.alive() })
	if now := u.daemon(t); now != next {
		t.Errorf("the next daemon is %v now, before %v", now, next)
	}
}

// TestOlderDaemonIsReplaced checks that a command of a newer build replaces the daemon of an older
// build, which ends after its runs, and that a command of an older build uses the daemon of a newer
// one.
func TestOlderDaemonIsReplaced(t *testing.T) {
	s, u := newStage(t), newUser(t)
	old := *u
	old.program = olderCopy(t)
	running := old.start(t, "run", "--json", "web:page:read", "--url", s.url+"/hold?who=old")
	s.wait(t)
	first := old.daemon(t)
	tree := u.tree(t, first)

	// The session of the old daemon is lost, although it was never closed.
	r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
	wantText(t, r, ".error.message", "the daemon was replaced by another build (session default)", "lost")
	wantText(t, u.done(t, "get", "url"), ".data.url", "about:blank")
	second := u.daemon(t)
	if second == first {
		t.Fatal("the older daemon was not replaced")
	}
	if !first.alive() {
		t.Error("the older daemon has ended before its run")
	}
	close(s.open)
	running.wantCode(t, exitDone)
	wantText(t, running.result(t), ".data.text", "answer to old")
	allGone(t, tree)

	old.done(t, "get", "url")
	if now := u.daemon(t); now != second {
		t.Errorf("the older command has replaced the daemon %v by %v", second, now)
	}
}

// olderCopy returns a copy of the client, beside a copy of the engine. Both copies seem to have
// been built an hour earlier.
func olderCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"action", endpoint.EngineName} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		older := filepath.Join(dir, name)
		if err := os.WriteFile(older, data, 0o700); err != nil {
			t.Fatal(err)
		}
		built := info.ModTime().Add(-time.Hour)
		if err := os.Chtimes(older, built, built); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "action")
}

func TestIdleSessionEnds(t *testing.T) {
	testkit.Long(t)
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	u := newUser(t, "ACTION_LIMITS_SESSION_IDLE=300ms")
	u.done(t, "daemon", "start")
	daemon := u.daemon(t)
	u.done(t, "open", quiet+"?secret=1")
	eventually(t, "the session expires", func() bool { return u.session(t, "default") == nil })
	eventually(t, "its browser ends", func() bool { return len(descendants(t, daemon.pid)) == 0 })
	u.wantNoFolder(t)

	// The first step fails, the next one does not. The steps are sent together, because the session
	// might expire again between two commands.
	step := `{"id":%d,"type":"step","step":"get","args":{"what":"url"}}` + "\n"
	replies := u.ask(t, fmt.Sprintf(step, 1)+fmt.Sprintf(step, 2), 2)
	slices.SortFunc(replies, func(a, b map[string]any) int { return strings.Compare(text(a, ".data.url"), text(b, ".data.url")) })
	if got := text(replies[0], ".error.code"); got != "BROWSER_UNAVAILABLE" {
		t.Errorf("the first step is answered with %v, want BROWSER_UNAVAILABLE", replies[0])
	}
	wantText(t, replies[0], ".error.message", "the session default expired after 300ms", quiet, "lost")
	wantText(t, replies[1], ".data.url", "about:blank")

	eventually(t, "the session expires again", func() bool { return u.session(t, "default") == nil })
	if now := u.daemon(t); now != daemon {
		t.Errorf("the daemon is another one: %v, before %v", now, daemon)
	}
}

// ask sends lines to the daemon and reads n answers.
func (u *user) ask(t *testing.T, lines string, n int) []map[string]any {
	t.Helper()
	c, err := net.Dial("unix", u.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, lines); err != nil {
		t.Fatal(err)
	}
	var replies []map[string]any
	for dec := json.NewDecoder(c); len(replies) < n; {
		var r map[string]any
		if err := dec.Decode(&r); err != nil {
			t.Fatalf("after %v: %v", replies, err)
		}
		replies = append(replies, r)
	}
	return replies
}

func TestIdleDaemonEnds(t *testing.T) {
	testkit.Long(t)
	for _, tt := range []struct {
		name string
		args []string
		left []string
	}{
		{"that was never used", []string{"daemon", "start"}, nil},
		{"whose session has expired", []string{"get", "url"}, []string{"daemon.sock.sessions"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := newUser(t, "ACTION_LIMITS_SESSION_IDLE=300ms", "ACTION_LIMITS_DAEMON_IDLE=300ms")
			u.done(t, tt.args...)
			eventually(t, "the daemon ends", func() bool {
				return !slices.ContainsFunc(u.daemons(t), process.alive)
			})
			if left := files(t, filepath.Dir(u.socket())); !slices.Equal(left, tt.left) {
				t.Errorf("the daemon has left %v, want %v", left, tt.left)
			}
			if tt.left != nil {
				r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
				wantText(t, r, ".error.message", "the session default expired", "lost")
			}
			wantClean(t, u.temp)
		})
	}
}

func TestNoPortIsOpen(t *testing.T) {
	testkit.Long(t)
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	u := newUser(t)
	u.done(t, "open", quiet)
	u.done(t, "open", quiet, "--session", "other")
	for _, p := range u.tree(t, u.daemon(t)) {
		if ports := listening(t, p.pid); len(ports) > 0 {
			t.Errorf("%s listens on %v", arguments(p.pid), ports)
		}
	}
	// The server of this test listens, so the check must find its port.
	if ports := listening(t, os.Getpid()); len(ports) == 0 {
		t.Error("no port of this process was found, so that nothing is proved")
	}
}

// listening returns the addresses of the TCP sockets on which a process listens, in the kernel's
// format.
func listening(t *testing.T, pid int) []string {
	t.Helper()
	const listens = "0A"
	var ports []string
	for _, table := range []string{"tcp", "tcp6"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); len(f) > 9 && f[3] == listens && holds(t, pid, "socket:["+f[9]+"]") {
				ports = append(ports, f[1])
			}
		}
	}
	return ports
}

// holds reports whether a process has a file open. file is the target of its link in /proc.
func holds(t *testing.T, pid int, file string) bool {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	return slices.ContainsFunc(files(t, dir), func(fd string) bool {
		to, _ := os.Readlink(filepath.Join(dir, fd)) // the file may have been closed
		return to == file
	})
}

// TestSocketIsPrivateFromTheFirstMoment checks that other users can never reach the socket, not
// even during its creation, whatever the umask.
func TestSocketIsPrivateFromTheFirstMoment(t *testing.T) {
	u := newUser(t)
	wanted := map[string]fs.FileMode{
		u.socket():               fs.ModeSocket | 0o600,
		filepath.Dir(u.socket()): fs.ModeDir | 0o700,
	}
	seen := make(map[string]int)
	var watching sync.WaitGroup
	end := make(chan struct{})
	watching.Go(func() {
		for last := false; ; {
			for path, want := range wanted {
				info, err := os.Lstat(path)
				if err != nil {
					continue
				}
				seen[path]++
				if info.Mode() != want {
					t.Errorf("%s has mode %v, want %v", filepath.Base(path), info.Mode(), want)
					return
				}
			}
			if last {
				return
			}
			select {
			case <-end:
				last = true // the socket and its folder exist now
			default:
			}
		}
	})
	c := u.command()
	c.Path, c.Args = "/bin/sh", []string{"sh", "-c", `umask 0; exec "$0" daemon start`, u.program}
	out, err := c.CombinedOutput()
	close(end)
	watching.Wait()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(seen) != len(wanted) {
		t.Errorf("seen was %v, so that little is proved", seen)
	}
}

// TestDaemonHoldsNoStreams checks that the daemon outlives the command that has started it, but
// does not keep the command's streams open: a reader of the command's output reaches its end.
func TestDaemonHoldsNoStreams(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"daemon start", []string{"daemon", "start"}},
		{"step", []string{"get", "url"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := newUser(t)
			c := u.command(tt.args...)
			names := []string{"standard output", "standard error", "an inherited file", "another one"}
			var read, write []*os.File
			for range names {
				r, w := pipe(t)
				read, write = append(read, r), append(write, w)
			}
			in, fill := pipe(t)
			c.Stdin, c.Stdout, c.Stderr = in, write[0], write[1]
			c.ExtraFiles = write[2:]
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			for _, f := range append(write, in) {
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.Wait(); err != nil {
				t.Fatal(err)
			}
			for i, r := range read {
				if _, err := io.ReadAll(r); err != nil {
					t.Errorf("%s does not end with the command: %v", names[i], err)
				}
			}
			if _, err := fill.WriteString("x"); !errors.Is(err, syscall.EPIPE) {
				t.Errorf("writing to standard input after the command has ended: %v, want EPIPE", err)
			}
			u.daemon(t) // fails the test if the daemon is not running
		})
	}
}

// pipe returns a pipe whose reads and writes fail after the test's patience.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.Close() // it may have been closed already
		_ = w.Close()
	})
	if err := r.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return r, w
}

// TestDaemonLogsNoSecrets checks that the daemon's log and status contain no secret, and no text
// that was typed into a page or passed in an address.
func TestDaemonLogsNoSecrets(t *testing.T) {
	testkit.Long(t)
	const password, wrong = "lovelace", "p@ss wörd/&%+1"
	defs, err := filepath.Abs("../../testdata/shop/actions")
	if err != nil {
		t.Fatal(err)
	}
	site := serve(t.Cleanup, shop.Handler(shop.Options{Delay: -1}))
	u := newUser(t, "ACTION_PATH="+defs, "BASE_URL="+site, "SHOP_PASSWORD="+password)
	log := u.start(t, "daemon", "run", "--verbose")
	eventually(t, "the daemon listens", func() bool { return exists(u.socket()) })

	var told strings.Builder // the output of the commands in look
	look := func() {
		for _, args := range [][]string{{"daemon", "status"}, {"daemon", "status", "--json"}, {"session", "list"}, {"session", "list", "--json"}} {
			j := u.start(t, args...)
			j.wantCode(t, exitDone)
			fmt.Fprintln(&told, &j.stdout, &j.stderr)
		}
	}
	u.done(t, "run", "shop:order:create", "--customer", "Ada", "--quantity", "2")
	look()
	u.done(t, "debug", "shop:order:search", "--words", "Ada", "--trace", "trace.jsonl")
	u.done(t, "session", "close")
	u.refused(t, exitFailed, "STEP_FAILED", "run", "shop:session:login", "--password", wrong)
	look()
	u.done(t, "open", site+"/login?token="+url.QueryEscape(wrong))
	u.done(t, "fill", "label:Password", password)
	look()
	u.refused(t, exitFailed, "ELEMENT_NOT_FOUND", "click", "text:"+password, "--timeout", "100ms")
	killBrowser(t, u.daemon(t))
	u.wantState(t, "default", "lost")
	look()
	u.done(t, "daemon", "stop")
	log.wantCode(t, exitDone)

	if got := log.stderr.String(); !strings.Contains(got, "type=command") || !strings.Contains(got, "level=DEBUG") {
		t.Errorf("the log does not tell of requests, so that nothing is proved:\n%s", got)
	}
	if !strings.Contains(told.String(), site+"/login") {
		t.Errorf("session list does not tell the page:\n%s", &told)
	}
	for name, printed := range map[string]string{"log": log.stderr.String() + log.stdout.String(), "status": told.String()} {
		for _, secret := range []string{password, wrong, "wörd", "w%C3%B6rd", `w\u00f6rd`} {
			if strings.Contains(strings.ToLower(printed), strings.ToLower(secret)) {
				t.Errorf("the %s has the secret %q:\n%s", name, secret, printed)
			}
		}
	}
}
