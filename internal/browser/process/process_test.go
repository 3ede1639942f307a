package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
)

// The hint for a browser that has ended comes from the last lines of its output, if these help.
func TestEndedSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ stderr, hint string }{
		{"", ""},
		{"[1:1] Trace/breakpoint trap", ""},
		{"[7:7:ERROR:shared_memory.cc(12)] failed: Too many open files (24)", "ulimit -n 4096"},
	} {
		p := &Process{stderr: &tail{}}
		_, _ = p.stderr.Write([]byte(tt.stderr))
		e := p.Failure()
		if e.Code != diag.BrowserUnavailable || !strings.Contains(e.Hint, tt.hint) || tt.hint == "" && e.Hint != "" {
			t.Errorf("%q: %s: %s, hint %q, want %q", tt.stderr, e.Code, e.Msg, e.Hint, tt.hint)
		}
	}
}

// The hint for a full disk differs from the hint for a folder without permission.
func TestUnusableFolderOfAFullDisk(t *testing.T) {
	for err, hint := range map[error]string{syscall.ENOSPC: "free some space", syscall.EDQUOT: "free some space", syscall.EACCES: "can write to"} {
		e := Unusable("/tmp/p", &fs.PathError{Op: "write", Path: "/tmp/p/x", Err: err})
		if !strings.Contains(e.Hint, hint) {
			t.Errorf("%v: hint %q, want %q", err, e.Hint, hint)
		}
	}
}

// A folder to which something still writes cannot be removed at first. The rm of the test fails
// twice, as it would then.
func TestFolderGoesThatIsStillWrittenTo(t *testing.T) {
	bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "profile")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const rm = "#!/bin/sh\necho x >>\"$0.tries\"\n[ $(wc -l <\"$0.tries\") -ge 3 ] || exit 1\nPATH=${PATH#*:} exec rm \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "rm"), []byte(rm), 0o700); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("/bin/sh", "-c", guard, "action-browser", dir, "sh", "-c", "exit 7")
	run.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	if out, err := run.CombinedOutput(); run.ProcessState.ExitCode() != 7 || len(out) > 0 {
		t.Errorf("the guard ended with %v (%s), want the browser's exit code 7 and no output", err, out)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	dead := deadPID(t)
	mine, err := NewProfile(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Remove()
	if info, err := os.Stat(mine.Folder()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the profile folder has mode %v, %v, want 0700", info.Mode(), err)
	}
	keep := []string{filepath.Base(mine.Folder()), "action-notours", "other", fmt.Sprintf("action-%d-live", os.Getpid())}
	gone := []string{fmt.Sprintf("action-%d-a", dead), fmt.Sprintf("action-%d-b", dead)}
	for _, name := range append(keep[1:], gone...) {
		if err := os.MkdirAll(filepath.Join(dir, name, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// A browser that outlives its owner still holds the lock.
	held := fmt.Sprintf("action-%d-held", dead)
	if err := os.Rename(mine.Folder(), filepath.Join(dir, held)); err != nil {
		t.Fatal(err)
	}
	keep[0] = held
	if err := os.WriteFile(filepath.Join(dir, gone[0], lockName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	Sweep(dir)
	for _, name := range keep {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s was removed: %v", name, err)
		}
	}
	for _, name := range gone {
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s was not removed", name)
		}
	}
}

// deadPID returns the id of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", "exit 0")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}
