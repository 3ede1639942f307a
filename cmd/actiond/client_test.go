//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// inits matches the lines that Go prints with GODEBUG=inittrace=1, and engineInit those for a
// package that only the engine imports.
var (
	inits      = regexp.MustCompile(`(?m)^init \S+ @.*\n`)
	engineInit = regexp.MustCompile(`(?m)^init github.com/go-rod/`)
)

// TestClient checks which commands run in the daemon and which in their own process, and that both
// print the same.
func TestClient(t *testing.T) {
	page := serve(t.Cleanup, pages.Handler()) + "/echo?a"
	u := newOwner(t, page)
	u.done(t, "open", page) // starts the daemon
	u.environ = append(u.environ, "GODEBUG=inittrace=1")
	for _, test := range []struct {
		name string
		args string
		own  bool // the command runs in its own process
		exit int
		out  string // part of the standard output
		said string // part of the standard error
	}{
		{"a step", "get url", false, exitDone, page, "done: get"},
		{"a step that fails", "click css:#absent --timeout 1", false, exitFailed, "", "ELEMENT_NOT_FOUND"},
		{"a flag that there is not", "click css:#a --colour", false, exitUsage, "", "unknown flag --colour"},
		{"no command", "clickk", false, exitUsage, "", "did you mean"},
		{"an action", "run own:page:open --url " + page, false, exitDone, "", "done: own:page:open"},
		{"params of a file, relative to the folder", "run own:page:open --params @params.json", false, exitDone, "", "done: own:page:open"},
		{"help", "run own:page:open --help", false, exitDone, "--url=STRING", ""},
		{"debugging", "debug own:page:open --url " + page, false, exitDone, "", "0 open ok"},
		{"a list", "list own", false, exitDone, "own:page:open", ""},
		{"a description", "describe vault:word:count", false, exitDone, "reads SECRET_OF_TEST", ""},
		{"a search", "search word count", false, exitDone, "vault:word:count", ""},
		{"an action that reads the environment", "run vault:word:count", false, exitDone, "right: true", ""},
		{"a trace", "run own:page:open --url " + page + " --trace t.jsonl", false, exitDone, "", ""},
		{"a trace of a step", "get url --trace t.jsonl", false, exitDone, page, ""},
		{"params of a device", "run own:page:open --params @/dev/null", false, exitUsage, "", "/dev/null is not a JSON object"},
		{"params of standard input", "run own:page:open --params -", false, exitUsage, "", "standard input is not a JSON object"},
		{"the version", "version", false, exitDone, "action", ""},
		{"a browser of its own", "get url --no-daemon", true, exitDone, "about:blank", ""},
		{"one behind the name", "run own:page:open --url " + page + " --no-daemon", true, exitDone, "", ""},
		{"the daemon itself", "daemon status", true, exitDone, "socket", ""},
		{"help about all", "--help", true, exitDone, "Usage: action", ""},
		{"a word for a library of the engine", "--rod=x daemon status", true, exitUsage, "", "unknown flag --rod"},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := u.start(t, strings.Fields(test.args)...)
			exit := j.end()
			said := j.stderr.String()
			if own := engineInit.MatchString(said); own != test.own {
				t.Errorf("it had a process of its own: %t, want %t", own, test.own)
			}
			said = inits.ReplaceAllString(said, "")
			if exit != test.exit {
				t.Errorf("exit code %d, want %d\n%s", exit, test.exit, said)
			}
			if !strings.Contains(j.stdout.String(), test.out) {
				t.Errorf("standard output is %q, want %q in it", &j.stdout, test.out)
			}
			if !strings.Contains(said, test.said) {
				t.Errorf("standard error is %q, want %q in it", said, test.said)
			}
		})
	}
}

// TestParamsOfAPipe checks that the client reads params from a pipe, that it can be interrupted
// while it reads, and that the daemon does not wait for it.
func TestParamsOfAPipe(t *testing.T) {
	page := serve(t.Cleanup, pages.Handler()) + "/echo?a"
	u := newOwner(t, page)
	u.done(t, "open", page)
	pipe := filepath.Join(u.home, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	j := u.start(t, "run", "own:page:open", "--params", "@pipe", "--json")
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once the client reads the pipe
	if err != nil {
		t.Fatal(err)
	}
	status := u.done(t, "daemon", "status")
	if got := status["requests"]; got != float64(0) {
		t.Errorf("%v requests are under way in the daemon, which would read the pipe", got)
	}
	if _, err := w.WriteString(`{"url": "` + page + `"}`); err != nil {
		t.Fatal(err)
	}
	w.Close()
	j.wantCode(t, exitDone)

	j = u.start(t, "run", "own:page:open", "--params", "@pipe", "--json")
	if w, err = os.OpenFile(pipe, os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	j.interrupt(t)
	j.wantError(t, exitInterrupted, "CANCELLED")
	u.refused(t, exitFailed, "TIMEOUT", "run", "own:page:open", "--params", "@pipe", "--timeout", "1ms")
}

// newOwner returns a user with two actions: own:page:open, whose params are also in params.json,
// and vault:word:count, which reads the environment.
func newOwner(t *testing.T, page string, environ ...string) *user {
	t.Helper()
	u := newUser(t, append(environ, "SECRET_OF_TEST=open sesame")...)
	writeFile(t, filepath.Join(u.home, ".agent-browser", "actions", "own.yaml"), `
namespace: own
version: 1.0.0
description: Actions of this test
actions:
  page:open:
    params: {url: {type: string, required: true}}
    steps: [{action: open, args: {url: "${url}"}}]
`)
	writeFile(t, filepath.Join(u.home, ".agent-browser", "actions", "vault.yaml"), `
namespace: vault
version: 1.0.0
description: Actions that read the environment
env: [SECRET_OF_TEST]
actions:
  word:count:
    steps: [{action: fail, args: {message: it is another}, when: "${env.SECRET_OF_TEST} != 'open sesame'"}]
    returns: {right: "true"}
`)
	writeFile(t, filepath.Join(u.home, "params.json"), `{"url": "`+page+`"}`)
	return u
}

// TestHandedOver checks that a run prints the same with and without a running daemon, and which
// command lines start a daemon.
func TestHandedOver(t *testing.T) {
	testkit.Long(t)
	page := serve(t.Cleanup, pages.Handler()) + "/echo?a"
	for _, test := range testkit.Some(t, "calls", 3, []struct {
		name   string
		args   string
		exit   int
		out    string // part of the standard output
		said   string // part of the standard error
		daemon bool
	}{
		{"a run", "run own:page:open --url " + page, exitDone, "", "done: own:page:open", true},
		{"as JSON", "run own:page:open --json --url " + page, exitDone, `"success":true`, "", true},
		{"debugging", "debug own:page:open --url " + page, exitDone, "", "0 open ok", true},
		{"in another session", "run own:page:open --session b --url " + page, exitDone, "", "done: own:page:open", true},
		{"params of a file, relative to the folder", "run own:page:open --params @params.json", exitDone, "", "done: own:page:open", true},
		{"params of standard input", "run own:page:open --params -", exitUsage, "", "standard input is not a JSON object", true},
		{"an action that reads the environment", "run vault:word:count", exitDone, "right: true", "", true},
		{"a run that fails", "run own:page:open --url nowhere:", exitFailed, "", "nowhere", true},
		{"an action that there is not", "run own:page:opne", exitNotFound, "", "own:page:open", true},
		{"a flag that there is not", "run own:page:open --colour", exitUsage, "", "unknown flag --colour", true},
		{"a trace", "run own:page:open --trace t.jsonl --url " + page, exitDone, "", "done: own:page:open", true},
		{"help", "run own:page:open --help", exitDone, "--url=STRING", "", false},
		{"a browser of its own", "run own:page:open --no-daemon --url " + page, exitDone, "", "done: own:page:open", false},
	}) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u := newOwner(t, page)
			for _, when := range []string{"without a daemon", "with one"} {
				j := u.start(t, strings.Fields(test.args)...)
				if exit := j.end(); exit != test.exit {
					t.Errorf("%s: exit code %d, want %d\n%s", when, exit, test.exit, &j.stderr)
				}
				if !strings.Contains(j.stdout.String(), test.out) {
					t.Errorf("%s: standard output is %q, want %q in it", when, &j.stdout, test.out)
				}
				if !strings.Contains(j.stderr.String(), test.said) {
					t.Errorf("%s: standard error is %q, want %q in it", when, &j.stderr, test.said)
				}
				if status := u.start(t, "daemon", "status"); (status.end() == exitDone) != test.daemon {
					t.Fatalf("%s: a daemon runs: %t, want %t", when, !test.daemon, test.daemon)
				}
			}
		})
	}
}

// TestListOfABrokenFile checks that the daemon keeps using the last good version of a file that has
// become invalid: list shows its actions, and the error of the current file.
func TestListOfABrokenFile(t *testing.T) {
	u := newUser(t)
	own := filepath.Join(u.home, ".agent-browser", "actions", "own.yaml")
	const good = "namespace: own\nversion: 1.0.0\nactions:\n  page:tell:\n    steps: [{action: get, args: {what: url}}]\n"
	writeFile(t, own, good)
	u.done(t, "list", "own")
	u.done(t, "run", "own:page:tell")
	writeFile(t, own, strings.Replace(good, "url}}]", "title: }}]", 1))
	j := u.start(t, "list", "own")
	j.wantCode(t, exitDone)
	for _, want := range []string{"DEFINITION_INVALID", "what: title: }", "last good version"} {
		if !strings.Contains(j.stderr.String(), want) {
			t.Errorf("standard error is %q, want %q in it", &j.stderr, want)
		}
	}
	if !strings.Contains(j.stdout.String(), "own:page:tell") {
		t.Errorf("the list is %q, want the action in it", &j.stdout)
	}
}

// TestLongOutput checks output that, as a JSON string, is longer than a line of the protocol may
// be.
func TestLongOutput(t *testing.T) {
	testkit.Long(t)
	u := newUser(t)
	u.done(t, "open", "about:blank")
	j := u.start(t, "eval", "'\\\\é'.repeat(2_500_000)")
	j.wantCode(t, exitDone)
	if got, want := j.stdout.String(), strings.Repeat(`\é`, 2_500_000)+"\n"; got != want {
		t.Errorf("it printed %d bytes, want %d", len(got), len(want))
	}
}

// TestEngineOfAnotherRelease checks the errors of a client whose engine is of another release or
// missing.
func TestEngineOfAnotherRelease(t *testing.T) {
	u := newUser(t)
	dir := t.TempDir()
	client := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-X github.com/actionregistry/action/internal/daemon/endpoint.version=v9.9.9", "-o", filepath.Join(dir, "action"), "../action")
	if out, err := client.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	other := *u
	other.program = filepath.Join(dir, "action")
	for _, args := range [][]string{{"get", "url"}, {"get", "url", "--no-daemon"}, {"list"}} {
		r := other.refused(t, exitUsage, "INVALID_REQUEST", args...)
		wantText(t, r, ".error.message", "found action v9.9.9 and actiond (devel), expected the same version of both")
	}
	other.environ = append(slices.Clone(u.environ), "PATH="+dir)
	for _, args := range [][]string{{"get", "url"}, {"get", "url", "--no-daemon"}, {"list"}} {
		r := other.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", args...)
		wantText(t, r, ".error.message", "the engine is missing", filepath.Join(dir, endpoint.EngineName))
	}
	if j := other.start(t, "version"); j.end() != exitDone || !strings.Contains(j.stdout.String(), "v9.9.9") {
		t.Errorf("version: %s%s", &j.stdout, &j.stderr)
	}
}

// TestEngineByHand checks that the engine refuses to run as a command.
func TestEngineByHand(t *testing.T) {
	u := newUser(t)
	cmd := exec.Command(endpoint.EngineName, "daemon", "status")
	cmd.Env = u.environ
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(string(out), "actiond is the engine of `action`") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestProgressOnATerminal checks that a terminal shows the progress of a long run, in colour, and
// that the progress line is removed at the end.
func TestProgressOnATerminal(t *testing.T) {
	s, u := newStage(t), newUser(t)
	u.done(t, "open", "about:blank")
	screen, tty := terminal(t)
	c := u.command("run", "web:page:read", "--url", s.url+"/hold?who=me")
	c.Env = append(slices.DeleteFunc(slices.Clone(c.Env), func(kv string) bool { return kv == "NO_COLOR=1" }), "TERM=xterm")
	c.Stderr = tty
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	shown := ""
	buf := make([]byte, 4096)
	for !strings.Contains(shown, " steps ") {
		n, err := screen.Read(buf)
		if shown += string(buf[:n]); err != nil {
			t.Fatalf("the screen has %q: %v", shown, err)
		}
	}
	close(s.open)
	for {
		n, err := screen.Read(buf)
		if shown += string(buf[:n]); err != nil {
			break // the program has closed its side of the terminal
		}
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if i := strings.LastIndex(shown, "\r\x1b[K"); i < 0 || !strings.Contains(shown[i:], "done: web:page:read") {
		t.Errorf("the screen has %q, want the line removed before the end", shown)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
