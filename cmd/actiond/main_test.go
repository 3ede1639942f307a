package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

// TestMain lets the test binary be the engine too: a copy of it named actiond stands
// first in PATH, and the client is built into a folder that follows, so that tests run
// the real programs, with the race detector when the tests have it.
func TestMain(m *testing.M) {
	// The daemon has a name of its own in lists of processes.
	programs := map[string]func(){endpoint.EngineName: main, endpoint.EngineName + " daemon": main, "peer": peerMain}
	var tests testscript.TestingM = m
	if programs[filepath.Base(os.Args[0])] == nil {
		dir, err := buildClient()
		if err == nil {
			err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		tests = withFolder{m, dir}
	}
	testscript.Main(tests, programs)
}

// withFolder removes a folder after the tests.
type withFolder struct {
	m   *testing.M
	dir string
}

func (w withFolder) Run() int {
	// The engine stands beside the client too, by a link: some tests have no PATH.
	engine, err := exec.LookPath(endpoint.EngineName)
	if err == nil {
		err = os.Symlink(engine, filepath.Join(w.dir, endpoint.EngineName))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := w.m.Run()
	if err := os.RemoveAll(w.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// buildClient builds cmd/action into a folder of its own. Its version is that of a test.
func buildClient() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "ac-"); err != nil {
		return "", err
	}
	args := []string{"build", "-buildvcs=false", "-o", filepath.Join(dir, "action")}
	if raceDetector() {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "../action")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the client: %w\n%s", err, out)
	}
	return dir, nil
}

// raceDetector reports whether the tests have it.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
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
		return fmt.Errorf("ending the daemon: %w\n%s", err, out)
	}
	// Nothing but what the daemon has made may be left, and it is gone.
	if left, _ := filepath.Glob(filepath.Join(dir, "action", "*")); len(left) > 0 {
		return fmt.Errorf("the daemon left %v", left)
	}
	return os.RemoveAll(dir)
}
