//go:build linux

package main

// Tests of a daemon that does not answer or cannot accept a connection. Every command ends by
// itself, with a hint.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/testdata/pages"
)

func TestStoppedDaemon(t *testing.T) {
	t.Parallel()
	s, u := newStage(t), newUser(t, longWait)
	quiet := serve(t.Cleanup, pages.Handler()) + "/echo"
	u.done(t, "open", quiet)
	running := hangs[1].start(t, u, s, "busy")
	daemon := u.daemon(t)
	daemon.stop(t)
	var patient, limited []*job
	patient = append(patient, running)
	for _, args := range [][]string{
		{"get", "url"},
		{"run", "web:page:read", "--trace", "trace.jsonl"},
		{"open", quiet, "--session", "other"},
		{"session", "list"},
		{"daemon", "start"},
	} {
		patient = append(patient, u.start(t, append(args, "--json")...))
	}
	for _, args := range [][]string{
		{"get", "url"},
		{"run", "web:page:read"},
		{"run", "web:page:read", "--trace", "trace.jsonl"},
		{"fill", "css:#a", "--headed"},
		{"list"},
		{"dry-run", "web:page:read"},
		{"session", "list"},
		{"session", "open"},
		{"session", "close"},
		{"session", "resume"},
		{"approvals"},
		{"approve", "1"},
		{"reload"},
		{"daemon", "status"},
		{"daemon", "start"},
		{"daemon", "stop"},
	} {
		limited = append(limited, u.start(t, append(args, "--json", "--timeout", "1s")...))
	}
	wantSilent := func(j *job) {
		r := j.wantError(t, exitBrowser, "BROWSER_UNAVAILABLE")
		wantText(t, r, ".error.message", "the daemon is running but has not answered for ")
		wantText(t, r, ".error.suggestion", "action daemon stop --force", fmt.Sprintf("kill -9 %d", daemon.pid))
	}
	for _, j := range limited {
		wantSilent(j)
	}
	for _, j := range patient {
		if _, _, p, ok := stat(j.Process.Pid); !ok || !p.alive() {
			t.Errorf("%v has ended already, without a limit", j.Args[1:])
		}
	}
	// Commands that do not need the daemon work without it.
	for _, args := range [][]string{{"version"}, {"--help"}, {"schema"}, {"expr", "1 == 1"}, {"__complete", "li"}, {"dry-run", "web:page:read", "--no-daemon"}} {
		if j := u.start(t, args...); j.end() != exitDone {
			t.Errorf("%v: %s", args, &j.stderr)
		}
	}
	for _, j := range patient {
		wantSilent(j)
	}
	if !daemon.alive() {
		t.Fatal("a command has ended the daemon unasked")
	}
	r := u.done(t, "daemon", "stop", "--force")
	if r["killed"] != true || r["pid"] != float64(daemon.pid) {
		t.Errorf("stop --force: %v", r)
	}
	eventually(t, "the daemon ends", func() bool { return !daemon.alive() })
	u.wantNoFolder(t)
	r = u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
	wantText(t, r, ".error.message", killedDaemon+"default)")
}

// TestFullQueueOfADaemon checks the error of a daemon that does not accept connections, and for which
// as many already wait as the system allows.
func TestFullQueueOfADaemon(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	if err := os.Mkdir(filepath.Dir(u.socket()), 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(u.socket() + endpoint.LockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(lock.Name())
	defer lock.Close()
	fmt.Fprintln(lock, os.Getpid())
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := errors.Join(syscall.Bind(fd, &syscall.SockaddrUnix{Name: u.socket()}), syscall.Listen(fd, 0), os.Chmod(u.socket(), 0o600)); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(u.socket())
	for {
		c, err := net.Dial("unix", u.socket())
		if errors.Is(err, syscall.EAGAIN) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	for _, args := range [][]string{{"get", "url"}, {"list"}, {"session", "list"}, {"daemon", "status"}, {"daemon", "start"}, {"daemon", "start", "--timeout", "1ms"}, {"daemon", "stop"}} {
		r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", args...)
		wantText(t, r, ".error.message", "does not accept connections")
		wantText(t, r, ".error.suggestion", "action daemon stop --force", fmt.Sprintf("kill -9 %d", os.Getpid()))
	}
}

// stop sends SIGSTOP to a process, and returns when all its threads have stopped. They run on until
// the thread that handles the signal is scheduled.
func (p process) stop(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(p.pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the threads of the daemon stop", func() bool {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.pid))
		return err == nil && len(threads) > 0 && !slices.ContainsFunc(threads, func(path string) bool {
			data, err := os.ReadFile(path)
			return err == nil && !bytes.HasPrefix(data[bytes.LastIndexByte(data, ')')+1:], []byte(" T "))
		})
	})
}

// peerMain is the main function of a program that listens on the socket of a daemon. Its first
// argument is its answer: garbage, silence, or the rest of an answer after the id.
func peerMain() {
	ln, err := net.Listen("unix", os.Args[2])
	if err != nil {
		panic(err)
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			panic(err)
		}
		go func() {
			for lines := bufio.NewScanner(c); lines.Scan(); {
				switch answer := os.Args[1]; answer {
				case "garbage":
					fmt.Fprintln(c, "HTTP/1.1 400 Bad Request")
				case "silence":
				default:
					var req struct{ ID json.RawMessage }
					if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
						panic(err)
					}
					fmt.Fprintf(c, "{\"id\":%s%s}\n", req.ID, answer)
				}
			}
		}()
	}
}

// TestPeerThatIsNoDaemon checks that only stop --force ends a program that listens on the daemon's
// socket but does not speak its protocol. The errors of the other commands say so.
func TestPeerThatIsNoDaemon(t *testing.T) {
	t.Parallel()
	peer, err := exec.LookPath("peer")
	if err != nil {
		t.Fatal(err)
	}
	commands := [][]string{{"daemon", "status"}, {"daemon", "stop"}, {"get", "url"}, {"open", "about:blank"}, {"run", "web:page:read", "--json"}}
	for _, tt := range []struct {
		answers, code string
		exit          int
		soft          [][]string // commands that do not end the peer
		more          []string   // more arguments of stop --force
	}{
		{"garbage", "INTERNAL", exitFailed, commands, nil},
		{"", "INTERNAL", exitFailed, commands, nil},
		{`,"success":false`, "INTERNAL", exitFailed, commands, nil},
		{`,"success":true`, "INTERNAL", exitFailed, commands, nil},
		{`,"success":true,"data":null`, "INTERNAL", exitFailed, commands, nil},
		{"silence", "BROWSER_UNAVAILABLE", exitBrowser, [][]string{{"daemon", "stop", "--timeout", "1ms"}}, nil},
		{`,"success":true,"data":{"version":"1"}`, "INTERNAL", exitFailed, [][]string{{"get", "url"}}, []string{"--timeout", "1ms"}}, // agrees to stop, but does not
	} {
		u := newUser(t)
		if err := os.Mkdir(filepath.Dir(u.socket()), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(peer, tt.answers, u.socket())
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		eventually(t, "the peer listens", func() bool { return exists(u.socket()) })
		for _, args := range tt.soft {
			r := u.refused(t, tt.exit, tt.code, args...)
			wantText(t, r, ".error.suggestion", "action daemon stop --force")
		}
		r := u.done(t, append([]string{"daemon", "stop", "--force"}, tt.more...)...)
		if r["killed"] != true || r["pid"] != float64(cmd.Process.Pid) {
			t.Errorf("%s: stop --force: %v", tt.answers, r)
		}
		<-ended
		if err := os.RemoveAll(filepath.Dir(u.socket())); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnswerThatIsCut checks that the outcome is unknown if the daemon ends while it sends the
// answer, and that none of its output is printed with --json.
func TestAnswerThatIsCut(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	if err := os.Mkdir(filepath.Dir(u.socket()), 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", u.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = bufio.NewReader(c).ReadSlice('\n')
		fmt.Fprintln(c, `{"id":1,"event":"output","data":{"stdout":"{\"a\":"}}`)
		fmt.Fprint(c, `{"id":1,"success":true,"data":{"exit":0,"stdout":"1}`)
	}()
	r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
	wantText(t, r, ".error.details.outcome", "unknown")
}

// TestTooManyOpenFiles checks the error of a daemon with too many open files, and that the daemon
// recovers.
func TestTooManyOpenFiles(t *testing.T) {
	u := newUser(t)
	limited := exec.Command("/bin/sh", "-c", `ulimit -n 30; exec "$0" daemon run`, u.program)
	limited.Dir, limited.Env = u.home, u.environ
	if err := limited.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = limited.Process.Signal(syscall.SIGTERM)
		_ = limited.Wait()
	})
	eventually(t, "the daemon listens", func() bool { return exists(u.socket()) })
	var conns []net.Conn
	for range 40 {
		c, err := net.Dial("unix", u.socket())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
	}
	r := u.refused(t, exitFailed, "LIMIT_EXCEEDED", "daemon", "status")
	wantText(t, r, ".error.message", "too many open files")
	wantText(t, r, ".error.suggestion", "the limit of 30", "ulimit -n")
	for _, c := range conns {
		c.Close()
	}
	eventually(t, "the daemon answers again", func() bool { return u.start(t, "daemon", "status").end() == exitDone })
}

// TestTooFewFilesForAProcess checks the error of a process that may open only a few files. The client
// needs three open files to be loaded at all.
func TestTooFewFilesForAProcess(t *testing.T) {
	u := newUser(t)
	for files := 4; files <= 16; files++ {
		for _, args := range []string{"get url --no-daemon", "get url", "list --no-daemon", "daemon start"} {
			cmd := exec.Command("/bin/sh", "-c", fmt.Sprintf(`ulimit -n %d; exec 3>&- 4>&-; exec "$0" %s --json`, files, args), u.program)
			cmd.Dir, cmd.Env = u.home, u.environ
			j := &job{Cmd: cmd}
			cmd.Stdout, cmd.Stderr = &j.stdout, &j.stderr
			if err := cmd.Run(); err == nil {
				continue // list, or a daemon without a browser
			}
			if strings.Contains(j.stderr.String(), "goroutine") {
				t.Fatalf("%s with %d files: the Go runtime has aborted it:\n%.600s", args, files, &j.stderr)
			}
			r := j.result(t)
			wantText(t, r, ".error.code", "LIMIT_EXCEEDED")
			wantText(t, r, ".error.suggestion", fmt.Sprintf("the limit of %d open files with", files), "ulimit -n")
		}
	}
	engine, err := exec.LookPath("actiond")
	if err != nil {
		t.Fatal(err)
	}
	for files := 4; files <= 16; files++ {
		said, err := exec.Command("/bin/sh", "-c", fmt.Sprintf(`ulimit -n %d; exec 3>&- 4>&-; exec "$0"`, files), engine).CombinedOutput()
		if err == nil || strings.Contains(string(said), "goroutine") ||
			!strings.Contains(string(said), "LIMIT_EXCEEDED") && !strings.Contains(string(said), "cannot be started directly") {
			t.Errorf("the engine with %d files (%v): %.600s", files, err, said)
		}
	}
}
