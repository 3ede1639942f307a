package browser

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
)

// A browser that ends says by what it wrote last what to do; where it wrote nothing of use, a
// new one is all that there is.
func TestEndedSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ stderr, hint string }{
		{"", "a new browser is started"},
		{"[1:1] Trace/breakpoint trap", "a new browser is started"},
		{"[7:7:ERROR:shared_memory.cc(12)] failed: Too many open files (24)", "ulimit -n 4096"},
	} {
		p := &process{stderr: &tail{}}
		_, _ = p.stderr.Write([]byte(tt.stderr))
		e := (&Browser{process: p}).ended(io.EOF)
		if e.Code != diag.BrowserUnavailable || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%q: %s: %s, hint %q, want %q", tt.stderr, e.Code, e.Msg, e.Hint, tt.hint)
		}
	}
}

// A full disk is no folder without rights.
func TestUnusableFolderOfAFullDisk(t *testing.T) {
	for err, hint := range map[error]string{syscall.ENOSPC: "make room", syscall.EDQUOT: "make room", syscall.EACCES: "may write to"} {
		e := unusable("/tmp/p", &fs.PathError{Op: "write", Path: "/tmp/p/x", Err: err})
		if !strings.Contains(e.Hint, hint) {
			t.Errorf("%v: hint %q, want %q", err, e.Hint, hint)
		}
	}
}

// A folder that something still writes to cannot be removed at first: rm is one that fails
// twice, as it does then.
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
