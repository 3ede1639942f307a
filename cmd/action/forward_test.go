//go:build linux

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"actionregistry/testdata/pages"
)

// What Go tells with GODEBUG=inittrace=1, and what it tells of the first package
// that must not have been initialised.
var (
	inits = regexp.MustCompile(`(?m)^init \S+ @.*\n`)
	late  = regexp.MustCompile(`(?m)^init unicode @`)
)

// TestForwarded wants commands to be done by the daemon before the program is
// initialised, those that need a process of their own to be done there, and both to
// do the same.
func TestForwarded(t *testing.T) {
	page := serve(t.Cleanup, pages.Handler()) + "/echo?a"
	u := newOwner(t, page, "GODEBUG=inittrace=1")
	u.done(t, "open", page) // has the daemon started
	tests := []struct {
		name string
		args string
		own  bool // it has a process of its own
		exit int
		out  string // in what it prints
		said string // in what it says about the run
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
		{"an action that reads the environment", "run vault:word:count", true, exitDone, "right: true", ""},
		{"a trace", "run own:page:open --url " + page + " --trace t.jsonl", true, exitDone, "", ""},
		{"a browser of its own", "get url --no-daemon", true, exitDone, "about:blank", ""},
		{"one behind the name", "run own:page:open --url " + page + " --no-daemon", true, exitDone, "", ""},
		{"params of a device", "run own:page:open --params @/dev/null", true, exitUsage, "", "/dev/null is no JSON object"},
		{"params of standard input", "run own:page:open --params -", true, exitUsage, "", "standard input is no JSON object"},
		{"the daemon itself", "daemon status", true, exitDone, "socket", ""},
		{"the version", "version", true, exitDone, "action", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := u.start(t, strings.Fields(test.args)...)
			exit := j.end()
			said := j.stderr.String()
			if own := late.MatchString(said); own != test.own {
				t.Errorf("it was run by main: %t, want %t", own, test.own)
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

// Params of a pipe are read by the process that was started, which can be interrupted,
// and nothing of them holds up the daemon.
func TestParamsOfAPipe(t *testing.T) {
	page := serve(t.Cleanup, pages.Handler()) + "/echo?a"
	u := newOwner(t, page)
	u.done(t, "open", page)
	pipe := filepath.Join(u.home, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	j := u.start(t, "run", "own:page:open", "--params", "@pipe", "--json")
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns when it is being read
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
}

// newOwner returns a user with two actions: own:page:open, whose params stand in
// params.json too, and vault:word:count, which reads the environment.
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

// TestHandedOver wants a run that finds no daemon to give what it gives with one, and a
// daemon only where it can be a run.
func TestHandedOver(t *testing.T) {
	page := serve(t.Cleanup, pages.Handler()) + "/echo?a"
	for _, test := range []struct {
		name   string
		args   string
		exit   int
		out    string // in what it prints
		said   string // in what it says about the run
		daemon bool
	}{
		{"a run", "run own:page:open --url " + page, exitDone, "", "done: own:page:open", true},
		{"as JSON", "run own:page:open --json --url " + page, exitDone, `"success":true`, "", true},
		{"debugging", "debug own:page:open --url " + page, exitDone, "", "0 open ok", true},
		{"in another session", "run own:page:open --session b --url " + page, exitDone, "", "done: own:page:open", true},
		{"params of a file, relative to the folder", "run own:page:open --params @params.json", exitDone, "", "done: own:page:open", true},
		{"params of standard input", "run own:page:open --params -", exitUsage, "", "standard input is no JSON object", true},
		{"an action that reads the environment", "run vault:word:count", exitDone, "right: true", "", true},
		{"a run that fails", "run own:page:open --url nowhere:", exitFailed, "", "nowhere", true},
		{"an action that there is not", "run own:page:opne", exitNotFound, "", "own:page:open", true},
		{"a flag that there is not", "run own:page:open --colour", exitUsage, "", "unknown flag --colour", true},
		{"a trace", "run own:page:open --trace t.jsonl --url " + page, exitDone, "", "done: own:page:open", true},
		{"help", "run own:page:open --help", exitDone, "--url=STRING", "", false},
		{"a browser of its own", "run own:page:open --no-daemon --url " + page, exitDone, "", "done: own:page:open", false},
	} {
		t.Run(test.name, func(t *testing.T) {
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

// Of a file that is broken now the daemon has the last good version: what is listed is
// in use, and what is wrong is shown as it stands.
func TestForwardedListOfABrokenFile(t *testing.T) {
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

// What a command prints can be longer than a line of the protocol, where it stands as
// a text in JSON.
func TestForwardedLongOutput(t *testing.T) {
	u := newUser(t)
	u.done(t, "open", "about:blank")
	j := u.start(t, "eval", "'\\\\é'.repeat(2_500_000)")
	j.wantCode(t, exitDone)
	if got, want := j.stdout.String(), strings.Repeat(`\é`, 2_500_000)+"\n"; got != want {
		t.Errorf("it printed %d bytes, want %d", len(got), len(want))
	}
}

// The daemon of another build runs no command lines: its flags may be others.
func TestForwardedToAnotherBuild(t *testing.T) {
	u := newUser(t, "GODEBUG=inittrace=1")
	old := *u
	old.program = olderCopy(t, u.program)
	u.done(t, "get", "url")
	j := old.start(t, "get", "url")
	j.wantCode(t, exitDone)
	if !late.MatchString(j.stderr.String()) {
		t.Error("the daemon of a newer program has run the command")
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
