package browser

import (
	"io"
	"io/fs"
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
