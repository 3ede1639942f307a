package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program too: a copy of it named action
// stands first in PATH, so that tests run the real command in a process of its
// own, with the race detector when the tests have it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"action": main})
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
	cmd.Env = append(cmd.Env, "HOME="+cmd.Dir, "NO_COLOR=1", "GORACE="+noExitSleep)
	return cmd
}
