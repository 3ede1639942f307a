package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/registry"
)

// parsed is the result of parsing the command line of a step: its arguments, and the global flags.
type parsed struct {
	args    map[string]any
	globals globals
}

// parseStep parses the command line of a step without running it.
func parseStep(args ...string) (*parsed, error) {
	f := &factory{stdout: io.Discard, stderr: io.Discard}
	f.setUp(args)
	root := newRootCmd(f)
	var got *parsed
	err := f.dispatchTo(context.Background(), root, args, func(c stepCommand) *cobra.Command {
		return newStepCmd(f, c, func(_ context.Context, o *stepOptions) error {
			got = &parsed{o.args, f.globals}
			return nil
		})
	})
	return got, err
}

// wantUsage fails the test unless err is an INVALID_REQUEST with this message, and with hint in its
// hint.
func wantUsage(t *testing.T, name string, err error, msg, hint string) {
	t.Helper()
	e := diag.As(err)
	if e == nil || e.Code != diag.InvalidRequest || e.Msg != msg || !strings.Contains(e.Hint, hint) {
		t.Errorf("%s: got %v, want %q with the hint %q", name, err, msg, hint)
	}
}

func sameArgs(got, want map[string]any) bool {
	return maps.EqualFunc(got, want, func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
}

// TestValuesWithAHyphen checks that a negative number is a value in every position, and that --
// ends the flags.
func TestValuesWithAHyphen(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want map[string]any
	}{
		{[]string{"fill", "label:A", "-5"}, map[string]any{"selector": "label:A", "value": "-5"}},
		{[]string{"fill", "label:A", "-.5", "--session", "x"}, map[string]any{"selector": "label:A", "value": "-.5"}},
		{[]string{"type", "-1,5"}, map[string]any{"text": "-1,5"}},
		{[]string{"fill", "label:A", "--", "-x"}, map[string]any{"selector": "label:A", "value": "-x"}},
		{[]string{"fill", "label:A", "--", "-5"}, map[string]any{"selector": "label:A", "value": "-5"}},
		{[]string{"fill", "label:A", "--", "--"}, map[string]any{"selector": "label:A", "value": "--"}},
		{[]string{"fill", "label:A", "-"}, map[string]any{"selector": "label:A", "value": "-"}},
		{[]string{"fill", "label:A", ""}, map[string]any{"selector": "label:A", "value": ""}},
		{[]string{"scroll", "--y", "-100"}, map[string]any{"y": "-100"}},
		{[]string{"scroll", "--y=-100"}, map[string]any{"y": "-100"}},
		{[]string{"storage", "set", "key", "-7"}, map[string]any{"do": "set", "name": "key", "value": "-7"}},
		{[]string{"select", "label:A", "-1", "2"}, map[string]any{"selector": "label:A", "values": []any{"-1", "2"}}},
		{[]string{"--session", "x", "type", "-1"}, map[string]any{"text": "-1"}},
		{[]string{"snapshot", "-i"}, map[string]any{"interactive": true}},
		{[]string{"snapshot", "-i=false"}, map[string]any{"interactive": false}},
	} {
		if got, err := parseStep(tt.args...); err != nil || !sameArgs(got.args, tt.want) {
			t.Errorf("%q: got %v, %v; want %v", tt.args, got, err, tt.want)
		}
	}
	_, err := parseStep("fill", "label:A", "-x")
	wantUsage(t, "fill -x", err, "unknown flag -x", "to pass a value that begins with -, write -- before the value, as in: action fill … -- -x; see: action fill --help")
}

// TestFlagWithoutValue checks the errors for flags of each type whose value is missing or invalid.
func TestFlagWithoutValue(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"get", "url", "--timeout", "-1s"}, "found a word that begins with \"-\" after the flag --timeout, expected the value of the flag"},
		{[]string{"get", "url", "--timeout", "-5"}, "found a word that begins with \"-\" after the flag --timeout, expected the value of the flag"},
		{[]string{"get", "url", "--timeout"}, "found the flag --timeout without a value"},
		{[]string{"get", "url", "--session", "--json"}, "found a word that begins with \"-\" after the flag --session, expected the value of the flag"},
		{[]string{"get", "url", "--session"}, "found the flag --session without a value"},
		{[]string{"get", "url", "--timeout=-1s"}, `--timeout: found "-1s", expected a time such as 90s, or an integer of milliseconds`},
		{[]string{"get", "url", "--timeout=secret"}, "--timeout: expected a time such as 90s, or an integer of milliseconds"},
		{[]string{"scroll", "--y", "--x", "5"}, "found a word that begins with \"-\" after the flag --y, expected the value of the flag"},
	} {
		_, err := parseStep(tt.args...)
		wantUsage(t, strings.Join(tt.args, " "), err, tt.want, "")
	}
}

// TestSwitches checks every way to write a boolean flag, for steps and global flags.
func TestSwitches(t *testing.T) {
	for line, want := range map[string]struct {
		full   any // nil: not set
		headed bool
	}{
		"screenshot a.png --full-page":                     {true, false},
		"screenshot a.png --full-page true":                {true, false},
		"screenshot a.png --full-page false":               {false, false},
		"screenshot a.png --full-page=false":               {false, false},
		"screenshot a.png --full-page=no":                  {false, false},
		"screenshot a.png --no-full-page":                  {false, false},
		"screenshot --full-page true a.png":                {true, false},
		"screenshot --full-page true --headed false a.png": {true, false},
		"screenshot a.png --headed true":                   {nil, true},
		"screenshot a.png --headed false":                  {nil, false},
		"screenshot a.png --headed --no-headed":            {nil, false},
		"--headed true screenshot a.png":                   {nil, true},
		"--headed screenshot a.png":                        {nil, true},
		"--headed --json false screenshot a.png":           {nil, true},
	} {
		got, err := parseStep(strings.Fields(line)...)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got.args["full_page"] != want.full || got.globals.Headed != want.headed || got.args["path"] != "a.png" || got.globals.JSON {
			t.Errorf("%s: got %v, %+v; want full_page %v, headed %t", line, got.args, got.globals, want.full, want.headed)
		}
	}
	// After an argument, true is not the value of a flag.
	if got, err := parseStep("fill", "label:A", "true", "--headed"); err != nil || got.args["value"] != "true" || !got.globals.Headed {
		t.Errorf("a value true in front of a flag: %v, %v", got, err)
	}
	if got, err := parseStep("fill", "label:A", "--headed", "--", "true"); err != nil || got.args["value"] != "true" || !got.globals.Headed {
		t.Errorf("a value true behind --: %v, %v", got, err)
	}
	// true cannot be a selector, a verb, a number or a choice.
	for _, line := range []string{"get url --json true", "click --headed true", "tab --headed true list", "snapshot --interactive true"} {
		if got, err := parseStep(strings.Fields(line)...); err != nil && diag.CodeOf(err) == diag.InvalidRequest && strings.Contains(err.Error(), "ambiguous") {
			t.Errorf("%s: got %v, %v; want true as the value of the flag", line, got, err)
		}
	}
}

// TestAmbiguousTruth checks that true is rejected if it may be the value of a switch or a missing
// argument.
func TestAmbiguousTruth(t *testing.T) {
	for line, want := range map[string]string{
		"type --headed true":                 "--headed true is ambiguous: true may be the value of the flag, or <text>",
		"fill label:A --headed false":        "--headed false is ambiguous: false may be the value of the flag, or <value>",
		"fill --headed true label:A":         "--headed true is ambiguous: true may be the value of the flag, or <value>",
		"screenshot --full-page true":        "--full-page true is ambiguous: true may be the value of the flag, or <path>",
		"select label:A b --json true":       "--json true is ambiguous: true may be the value of the flag, or <values> ...",
		"storage set name --headed true":     "--headed true is ambiguous: true may be the value of the flag, or <value>",
		"wait-text --headed true":            "--headed true is ambiguous: true may be the value of the flag, or <text>",
		"fill label:A x --no-headed true":    "found a value for --no-headed, expected none",
		"fill label:A x --no-headed=true":    "found a value for --no-headed, expected none",
		"screenshot a --full-page=perhaps":   "--full-page: expected true, 1, yes, false, 0 or no",
		"fill label:A x true --headed false": "unexpected argument: word 4 of the command line",
	} {
		_, err := parseStep(strings.Fields(line)...)
		wantUsage(t, line, err, want, "")
	}
}

// TestUnknownFlags checks that the error shows an unknown flag and the nearest known one. A word
// that does not look like a flag may be a secret, so the error shows only its position.
func TestUnknownFlags(t *testing.T) {
	for _, tt := range []struct{ line, msg, hint string }{
		{"get url --bogus", "unknown flag --bogus", "see: action get --help"},
		{"get url --bogus=hunter2", "unknown flag --bogus", "see: action get --help"},
		{"get url --sesion x", "unknown flag --sesion", "did you mean --session?"},
		{"screenshot --ful-page", "unknown flag --ful-page", "did you mean --full-page?"},
		{"get url ---hunter2!", "unknown flag: word 3 of the command line", "see: action get --help"},
		{"get url -hunter2", "unknown flag -u", "--"},
		{"get url --sessionhunter2-and-more", "unknown flag --session…: word 3 of the command line", "write --session=… for a value"},
		{"get url --session-of-mine", "unknown flag --session-of-mine", ""},
		{"snapshot -c -d 3", "unknown flag -c", "--max-depth N"},
		{"snapshot -i -d 3", "unknown flag -d", "--max-depth N"},
		{"wait --load networkidle", "unknown flag --load", "--load-state"},
		{"wait --fn x", "unknown flag --fn", "--function"},
		{"screenshot a.png --full", "unknown flag --full", "--full-page"},
	} {
		_, err := parseStep(strings.Fields(tt.line)...)
		if tt.line == "get url -hunter2" { // -h asks for help
			continue
		}
		wantUsage(t, tt.line, err, tt.msg, tt.hint)
	}
}

// TestUnexpectedWords checks that the error for an unexpected word shows only its position.
func TestUnexpectedWords(t *testing.T) {
	for line, want := range map[string]string{
		"back hunter2":                       "unexpected argument: word 2 of the command line",
		"--session x back hunter2":           "unexpected argument: word 4 of the command line",
		"fill a b hunter2 --headed a":        "unexpected argument: word 4 of the command line",
		"fill a b --headed b":                "unexpected argument: word 5 of the command line",
		"back password=hunter2":              "unexpected argument password=…",
		"tab close 1 hunter2":                "found 2 positional arguments, expected at most 1",
		"storage set a b --name c":           "found the argument \"name\" as a positional argument and as a flag, expected it once",
		"wait-text a --text b":               "found the argument \"text\" as a positional argument and as a flag, expected it once",
		"hunter2":                            "unknown command: word 1 of the command line",
		"--json hunter2":                     "unknown command: word 2 of the command line",
		"clik text:A":                        "unknown command clik",
		"session strt":                       "unknown command: word 2 of the command line, expected one of close, handoff, list, open, resume, targets",
		"session opn":                        "unknown command session opn",
		"daemon":                             "found no subcommand, expected one of run, start, status, stop",
		"":                                   "found no command, expected one",
		"-- list":                            "found no command, expected one",
		"foreach":                            "unknown command foreach",
		"web:page:read --url http://a.test/": "unknown command web:page:read",
	} {
		_, err := parseStep(strings.Fields(line)...)
		wantUsage(t, line, err, want, "")
	}
}

// TestForeignWords checks that a command line that begins with the words of a row gets the hint of
// the row, and that each command in a hint exists.
func TestForeignWords(t *testing.T) {
	for _, row := range slices.Concat(foreignCommands, foreignArguments, foreignFlags) {
		line := slices.Clone(row.words)
		_, err := parseStep(line...)
		if e := diag.As(err); e == nil || e.Code != diag.InvalidRequest || e.Hint != row.hint {
			t.Errorf("%q: got %v, want the hint %q", line, err, row.hint)
		}
		for _, part := range strings.Split(row.hint, "action ")[1:] {
			name := strings.Trim(strings.Fields(part)[0], ":;,)")
			if name == "--help" || name == "COMMAND" {
				continue
			}
			if _, step := stepNamed(name); !step {
				if _, own := commandNamed(name); !own {
					t.Errorf("%q: the hint names %s, which is no command", line, name)
				}
			}
		}
	}
	for line, want := range map[string]string{
		"find role button click --name X": "action click \"role:ROLE[name='NAME']\"",
		"goto http://a.test":              "action open URL",
		"navigate http://a.test":          "action open URL",
		"close":                           "action session close",
		"snapshot -c -d 3":                "--max-depth N",
		"network requests --type xhr":     "action requests",
	} {
		_, err := parseStep(strings.Fields(line)...)
		if e := diag.As(err); e == nil || !strings.Contains(e.Hint, want) {
			t.Errorf("%s: got %v, want a hint with %q", line, err, want)
		}
	}
}

// TestForeignCommandsAreNotOurs checks that no command has the name of another tool's command,
// whose hint would never be shown.
func TestForeignCommandsAreNotOurs(t *testing.T) {
	for _, row := range foreignCommands {
		if slices.Contains(commandNames(), row.words[0]) {
			t.Errorf("%q is a command of ours: its row is never read", row.words[0])
		}
	}
}

// TestParamFlags checks that the params of an action are flags like the arguments of a step.
func TestParamFlags(t *testing.T) {
	d := &registry.Description{Params: []registry.Param{
		{Name: "on", Type: "boolean"}, {Name: "reply", Type: "boolean"}, {Name: "no_reply", Type: "string"},
		{Name: "n", Type: "integer"}, {Name: "list", Type: "array"}, {Name: "json", Type: "string"},
	}}
	d.Name = "a:b:c"
	parse := func(line string) (map[string]any, globals, error) {
		f := &factory{stdout: io.Discard, stderr: io.Discard}
		words := strings.Fields(line)
		f.setUp(words)
		f.readGlobals(numbered(words))
		params, _, err := newActionCmd(f, "run", d).parse(context.Background(), numbered(words))
		return params, f.globals, err
	}
	for line, want := range map[string]map[string]any{
		"--on":                                {"on": true},
		"--on true --n -5":                    {"on": true, "n": "-5"},
		"--on false":                          {"on": false},
		"--on=false":                          {"on": false},
		"--no-on":                             {"on": false},
		"--on --json false":                   {"on": true},
		"--no-reply x --reply=false":          {"no_reply": "x", "reply": false},
		"--list a --list -1":                  {"list": []any{"a", "-1"}},
		"--timeout 5s --no-steps --headed --": {},
	} {
		got, g, err := parse(line)
		if err != nil || !sameArgs(got, want) || g.JSON {
			t.Errorf("%s: got %v, %v; want %v", line, got, err, want)
		}
	}
	for line, want := range map[string]string{
		"true":            "unexpected argument: word 1 of the command line",
		"--on true false": "unexpected argument: word 3 of the command line",
		"--no-on true":    "found a value for --no-on, expected none",
		"--nn 5":          "unknown flag --nn",
		"--n":             "found the flag --n without a value",
		"--on=perhaps":    "--on: expected true, 1, yes, false, 0 or no",
	} {
		_, _, err := parse(line)
		wantUsage(t, line, err, want, "")
	}
	if _, g, err := parse("--headed true --steps --timeout 90s --session s --on"); err != nil || !g.Headed || !g.Steps || g.Session != "s" || g.Timeout.Seconds() != 90 {
		t.Errorf("global flags behind the name: got %+v, %v", g, err)
	}
}

func TestAsksForJSON(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "--json": true, "list --json": true, "list --json=1": true, "list --json=yes": true, "list --json=no": false,
		"list --json true": true, "list --json false": false, "list --no-json": false, "list -- --json": false,
		"list --json --json=false": false,
	} {
		if got := asksForJSON(strings.Fields(line)); got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}
