package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program too: a copy of it named action
// stands first in PATH, so that tests run the real command in a process of its
// own, with the race detector when the tests have it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"action": main, "peer": peerMain})
}

// noExitSleep is the GORACE of the program: with the race detector it would
// sleep for a second at its end.
const noExitSleep = "atexit_sleep_ms=0"

// command returns the program, ready to run in a fresh folder that is the
// user's home too. Nothing of this machine's configuration counts: variables
// that begin with ACTION_ are removed, and there are no colours. The caller may
// change Dir and Env before it starts it.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("action")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "ACTION_") && name != "HOME" {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+cmd.Dir, "NO_COLOR=1", "GORACE="+noExitSleep, "XDG_RUNTIME_DIR="+runtimeFolder(t, path))
	return cmd
}

// runtimeFolder returns a folder for the socket of a daemon, which is ended after
// the test. Its name is short: paths of sockets are.
func runtimeFolder(t *testing.T, program string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ac-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := endDaemon(program, dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// endDaemon ends the daemon whose socket is in a runtime folder, if there is one,
// and removes the folder.
func endDaemon(program, dir string) error {
	stop := exec.Command(program, "daemon", "stop")
	stop.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "GORACE="+noExitSleep)
	if out, err := stop.CombinedOutput(); err != nil {
		return fmt.Errorf("ending the daemon: %v\n%s", err, out)
	}
	// Nothing but what the daemon has made may be left, and it is gone.
	if left, _ := filepath.Glob(filepath.Join(dir, "action", "*")); len(left) > 0 {
		return fmt.Errorf("the daemon left %v", left)
	}
	return os.RemoveAll(dir)
}
