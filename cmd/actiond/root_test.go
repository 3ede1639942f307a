package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps"
)

// TestReadmeNamesEveryCommand checks that the table of the README contains every command.
func TestReadmeNamesEveryCommand(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Commands\n")
	table, _, _ = strings.Cut(table, "\n[All commands")
	for _, c := range ownCommands() {
		if !regexp.MustCompile("[`|, ](action )?" + c.name + "\\b").MatchString(table) {
			t.Errorf("the table of README.md lacks %s", c.name)
		}
	}
}

// TestEveryCommandHasAScript checks that the scripts run each command at least once with success
// and once with a failure.
func TestEveryCommandHasAScript(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, c := range ownCommands() {
		for _, form := range []string{`exec action`, `(exits \d+|! exec) action`} {
			if !regexp.MustCompile(`(?m)^` + form + `(?: --?\S+(?: \S+)?)*? ` + c.name + `\b`).MatchString(all.String()) {
				t.Errorf("no script has a line %q with %s; write testdata/script/%s.txtar", form, c.name, c.name)
			}
		}
	}
}

func TestRouteOf(t *testing.T) {
	for _, c := range ownCommands() {
		for _, line := range [][]string{{c.name}, {"--json", c.name}, {"--session", "x", c.name}} {
			if got := wire.RouteOf(line); got != c.route {
				t.Errorf("RouteOf(%q) = %v, want %v: see OwnCommands and quietCommands in internal/daemon/wire/words.go", line, got, c.route)
			}
		}
	}
	for line, want := range map[string]wire.Route{
		"":                           wire.OwnProcess,
		"--help":                     wire.OwnProcess,
		"--json":                     wire.OwnProcess,
		"get url":                    wire.DaemonAlways,
		"get url --no-daemon":        wire.OwnProcess,
		"get url --no-daemon=true":   wire.OwnProcess,
		"get url --no-daemon=false":  wire.DaemonAlways,
		"get url --help":             wire.DaemonIfRunning,
		"fill css:#a -- --no-daemon": wire.DaemonAlways,
		"fill css:#a -- --help":      wire.DaemonAlways,
		"list":                       wire.DaemonIfRunning,
		"run a:b:c --timeout 5s":     wire.DaemonAlways,
		"--timeout 5s daemon stop":   wire.OwnProcess,
	} {
		if got := wire.RouteOf(strings.Fields(line)); got != want {
			t.Errorf("RouteOf(%q) = %v, want %v", line, got, want)
		}
	}
	var valued []string
	globalSet().VisitAll(func(flag *pflag.Flag) {
		if !isSwitch(flag) {
			valued = append(valued, flag.Name)
		}
	})
	if got, want := slices.Sorted(slices.Values(wire.ValuedFlags)), slices.Sorted(slices.Values(valued)); !slices.Equal(got, want) {
		t.Errorf("wire.ValuedFlags are %v, want %v", got, want)
	}
}

// TestCommandWord checks that the command is found among flags, their values, true and false.
func TestCommandWord(t *testing.T) {
	for line, want := range map[string]int{
		"list web": 0, "--session list version": 2, "--session=list version": 1, "--json list": 1, "--json true list": 2,
		"--headed false get": 2, "--no-daemon true --timeout 5s get": 4, "--bogus list": 1, "-i get": 1, "- get": 0,
		"": -1, "--json": -1, "-- list": -1, "--session list": -1, "--json true": -1,
	} {
		if got := commandWord(numbered(strings.Fields(line))); got != want {
			t.Errorf("%q: got %d, want %d", line, got, want)
		}
	}
}

// TestCommandsAreNamed checks that each command has the name of its row, and a description.
func TestCommandsAreNamed(t *testing.T) {
	for _, c := range ownCommands() {
		cmd := c.new(new(factory))
		if cmd.Name() != c.name || cmd.Short == "" {
			t.Errorf("the command %s is named %q, with the line %q", c.name, cmd.Name(), cmd.Short)
		}
	}
}

// TestCommandsAreDistinct checks that no step has the name of another command, and no argument the
// name of a global flag.
func TestCommandsAreDistinct(t *testing.T) {
	names := commandNames()
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			t.Errorf("there are two commands %s: give the step a Command", name)
		}
	}
	for _, c := range stepCommands() {
		for i := range c.entry.Args {
			name := c.entry.Args[i].Name
			if !slices.Contains(c.entry.Hand, name) && slices.Contains(reservedFlags(), flagOf(name)) {
				t.Errorf("the argument %s of %s would be a global flag: put it into Hand, or name it otherwise", name, c.name)
			}
			if strings.HasPrefix(name, "no_") {
				t.Errorf("the argument %s of %s would be the negation of another flag", name, c.name)
			}
		}
	}
}

// TestEveryStepParses checks that each step parses with each of its flags, and that its help is
// complete and fits the line length.
func TestEveryStepParses(t *testing.T) {
	for _, c := range stepCommands() {
		full := []string{c.name}
		for range c.inPlace() {
			full = append(full, "1")
		}
		for i := range c.entry.Args {
			a := &c.entry.Args[i]
			if slices.Contains(c.inPlace(), a.Name) {
				continue
			}
			flag, want := "--"+flagOf(a.Name), any("a value")
			line := append(slices.Clone(full), flag, "a value")
			switch a.Type {
			case steps.ArgBoolean:
				line, want = append(slices.Clone(full), flag+"=true"), true
			case steps.ArgTextList:
				want = nil
			}
			got, err := parseStep(line...)
			if err != nil || want != nil && got.args[a.Name] != want {
				t.Errorf("%q: got %v, %v; want %s %v", line, got, err, a.Name, want)
			}
		}
		var out strings.Builder
		f := &factory{stdout: &out, stderr: io.Discard}
		f.setUp([]string{c.name, "--help"})
		if err := f.dispatch(context.Background(), []string{c.name, "--help"}); err != nil || !strings.HasPrefix(out.String(), "Usage: action "+c.name) {
			t.Errorf("help of %s: %v\n%s", c.name, err, &out)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			example := strings.Contains(c.entry.Example, strings.TrimPrefix(strings.TrimSpace(line), "- "))
			if len([]rune(line)) > helpWidth && !example && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("help of %s: a line is longer than %d: %s", c.name, helpWidth, line)
			}
		}
	}
}

// TestWordsInPlace checks the positional arguments of steps. If the first of two is optional, a
// single word is the second. A time is not a selector. An alias has its own positional arguments.
func TestWordsInPlace(t *testing.T) {
	for _, tt := range []struct {
		line []string
		want map[string]any
	}{
		{[]string{"type", "css:#a", "hello"}, map[string]any{"selector": "css:#a", "text": "hello"}},
		{[]string{"type", "hello"}, map[string]any{"text": "hello"}},
		{[]string{"wait", "css:#a"}, map[string]any{"selector": "css:#a"}},
		{[]string{"wait", "500"}, map[string]any{"time": "500"}},
		{[]string{"wait", "5s"}, map[string]any{"time": "5s"}},
		{[]string{"wait-text", "Saved"}, map[string]any{"text": "Saved"}},
		{[]string{"wait-text", "5s"}, map[string]any{"text": "5s"}},
		{[]string{"wait-text", "Saved", "--selector", "css:#a"}, map[string]any{"text": "Saved", "selector": "css:#a"}},
		{[]string{"wait-text", "--text", "Saved"}, map[string]any{"text": "Saved"}},
		{[]string{"wait-load-state", "networkidle"}, map[string]any{"load_state": "networkidle"}},
		{[]string{"wait-function", "window.ready"}, map[string]any{"function": "window.ready"}},
	} {
		if got, err := parseStep(tt.line...); err != nil || !sameArgs(got.args, tt.want) {
			t.Errorf("%q: got %v, %v; want %v", tt.line, got, err, tt.want)
		}
	}
	_, err := parseStep("wait-text")
	wantUsage(t, "wait-text", err, `found too few arguments, expected "<text>"`, "see: action wait-text --help")
}

// TestRunOptions checks that run parses its words into its options.
func TestRunOptions(t *testing.T) {
	f := &factory{stdout: io.Discard, stderr: io.Discard}
	var got *runOptions
	cmd := newRunCmd(f, func(_ context.Context, o *runOptions) error { got = o; return nil })
	root := newRootCmd(f)
	root.AddCommand(cmd)
	words := []string{"--headed", "--timeout", "5s", "a:b:c", "--n", "-5", "--json", "--", "-x"}
	if err := f.execute(context.Background(), root, cmd, numbered(words)); err != nil {
		t.Fatal(err)
	}
	if got.Action != "a:b:c" || !slices.Equal(texts(got.Words), words[4:]) || !f.globals.Headed || f.globals.Timeout.Seconds() != 5 {
		t.Errorf("got %q, %v and %+v", got.Action, texts(got.Words), f.globals)
	}
}
