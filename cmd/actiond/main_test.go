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

// TestMain makes the test binary also the engine: a copy named actiond is first in PATH. It builds
// the client into the folder that is next in PATH. So tests run the real programs, with the race
// detector if the tests use it.
func TestMain(m *testing.M) {
	// The daemon has another name in process lists.
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
	// Some tests run without PATH, so put a link to the engine beside the client.
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

// buildClient builds cmd/action into a new folder, with the version of the tests.
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

// raceDetector reports whether the tests were built with the race detector.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// noExitSleep is the value of GORACE for the program. With the race detector, the program would
// otherwise sleep for a second before it exits.
const noExitSleep = "atexit_sleep_ms=0"

// command returns a command that runs the program in a new folder, which is also the user's home.
// It removes variables that begin with ACTION_ and disables colours, so that the configuration of
// this machine does not matter. The caller may change Dir and Env before starting the command.
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

// runtimeFolder returns a folder for the socket of a daemon, and stops the daemon after the test.
// The folder's name is short, because the system limits the length of a socket's path.
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

// endDaemon stops the daemon whose socket is in a runtime folder, if one is running, and removes
// the folder.
func endDaemon(program, dir string) error {
	stop := exec.Command(program, "daemon", "stop")
	stop.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "GORACE="+noExitSleep)
	if out, err := stop.CombinedOutput(); err != nil {
		return fmt.Errorf("ending the daemon: %w\n%s", err, out)
	}
	// A stopped daemon leaves no file.
	if left, _ := filepath.Glob(filepath.Join(dir, "action", "*")); len(left) > 0 {
		return fmt.Errorf("the daemon left %v", left)
	}
	return os.RemoveAll(dir)
}
