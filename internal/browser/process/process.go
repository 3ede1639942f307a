// Package process runs the browser's process. It starts the browser with two pipes, in a process
// group of its own and in a private profile folder. It ends the browser together with all processes
// that the browser has started. A process locks the folders that it uses. So the folder of a
// process that was killed can be recognised.
package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/actionregistry/action/diag"
)

// guard is a shell script that runs the browser and then removes its profile folder, even if our
// process is killed. Before that, it closes its copies of the browser's pipes, so that their other
// ends see that the browser has ended. It repeats rm for some seconds, because a helper process of
// the browser may still write to the folder.
const guard = `p=$1; shift; "$@"; s=$?; exec 3<&- 4>&- 5<&- 6<&-
n=0; until rm -rf -- "$p" 2>/dev/null || [ $n -ge 100 ]; do n=$((n+1)); sleep 0.05; done; exit $s`

// A Process is a running browser.
type Process struct {
	cmd     *exec.Cmd
	profile *Profile
	stderr  *tail
	In      *os.File // the browser writes to it
	Out     *os.File // the browser reads from it
}

// Start starts the browser at path with args. The browser reads commands from fd 3 and writes
// answers to fd 4. It inherits the lock of the private folder as fd 5, and the lock of a persistent
// profile, if any, as fd 6.
func Start(path string, args []string, p *Profile) (_ *Process, err error) {
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	in, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	defer theirOut.Close()

	pr := &Process{profile: p, stderr: &tail{}, In: in, Out: out}
	pr.cmd = exec.Command("/bin/sh", append([]string{"-c", guard, "action-browser", p.dir, path}, args...)...)
	pr.cmd.Env = p.environ()
	pr.cmd.ExtraFiles = []*os.File{theirIn, theirOut, p.lock}
	if p.kept != nil {
		pr.cmd.ExtraFiles = append(pr.cmd.ExtraFiles, p.kept)
	}
	pr.cmd.Stderr = pr.stderr
	pr.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pr.cmd.WaitDelay = time.Second // a helper that left the group may keep stderr open
	if err := pr.cmd.Start(); err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	return pr, nil
}

// PID returns the id of the process, which is also the id of its process group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Folder returns the private folder. It is removed when the browser has ended.
func (p *Process) Folder() string { return p.profile.dir }

// Kill kills the process group. It must not be called after End, because the id of the group may
// then be in use again.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // fails if the group has ended
}

// End reaps a process that was killed and removes the profile.
func (p *Process) End() error {
	_ = p.cmd.Wait() // "killed" is the expected error
	return errors.Join(p.In.Close(), p.profile.Remove())
}

// leastFiles is the number of files that a browser must be able to open. With fewer, it aborts
// every navigation.
const leastFiles = 104

// CheckFileLimit returns the error of [diag.FileLimit] if this process may open too few files for a
// browser. Otherwise it returns nil.
func CheckFileLimit() error {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) >= leastFiles {
		return nil
	}
	return diag.FileLimit(fmt.Errorf("a browser needs %d open files: %w", leastFiles, syscall.EMFILE))
}

// Failure returns the error for a browser that has ended. It contains the end of the browser's
// output, and a hint if the cause is known.
func (p *Process) Failure() *diag.Error {
	text := p.stderr.String()
	e := diag.New(diag.BrowserUnavailable, "the browser ended")
	switch {
	case strings.Contains(text, "--no-sandbox"), strings.Contains(text, "No usable sandbox"):
		e.Msg = "the browser cannot start in its sandbox here"
		e.Hint = "set browser.sandbox: false, or allow unprivileged user namespaces"
	case strings.Contains(text, "SingletonLock"), strings.Contains(text, "profile appears to be in use"):
		e.Msg = "the browser's profile folder is in use by another browser"
		e.Hint = "close the other browser or use another folder"
	case strings.Contains(text, "error while loading shared libraries"):
		e.Msg = "the browser cannot start: a system library is missing"
		e.Hint = "install the browser with the system's package manager, which installs its libraries"
	case strings.Contains(text, "Too many open files"):
		e.Msg = "the browser ended: too many open files"
		e.Hint = "raise the limit with `ulimit -n 4096`, then run `action daemon stop`: the next command starts a daemon with the new limit"
	case strings.Contains(text, "Missing X server"), strings.Contains(text, "cannot open display"):
		e.Msg = "the browser cannot show a window: there is no display"
		e.Hint = "run without --headed, or set DISPLAY"
	}
	if text != "" {
		e.WithDetail("stderr", text)
		if e.Msg == "the browser ended" {
			e.Msg += ": " + lastLine(text)
		}
	}
	return e
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return fmt.Sprintf("%.200s", lines[len(lines)-1])
}

// A tail keeps the last tailBytes bytes written to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailBytes = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf) - tailBytes; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(bytes.TrimSpace(t.buf)), "")
}
