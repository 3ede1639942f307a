package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// The grammar is as small as the command allows, and whole where any command may
// be meant.
func TestGrammarFor(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		commands   []string // of the grammar itself; nil: all of them
		steps      int      // 0: none; -1: all
	}{
		{"own command", "list web", []string{"list"}, 0},
		{"own command with a name of its own", "dry-run a:b", []string{"dry-run"}, 0},
		{"command behind a flag with a value", "--session list version", []string{"version"}, 0},
		{"step", "get url", []string{}, 1},
		{"alias of a step", "wait-text done", []string{}, 1},
		{"nothing", "", nil, -1},
		{"help", "--help", nil, -1},
		{"unknown", "lst", nil, -1},
		{"behind the end of flags", "-- list", nil, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want, steps := tt.commands, tt.steps
			if want == nil {
				want = ownCommands()
			}
			if steps < 0 {
				steps = len(handSteps())
			}
			target, flags, entries := grammarFor(strings.Fields(tt.args))
			if got := commandsIn(reflect.TypeOf(target).Elem()); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("commands of %q: got %q, want %q", tt.args, got, want)
			}
			if len(entries) != steps {
				t.Errorf("steps of %q: got %d, want %d", tt.args, len(entries), steps)
			}
			if flags == nil {
				t.Errorf("flags of %q: got nil, want those of the grammar", tt.args)
			}
		})
	}
}

// The client asks the daemon for exactly the commands that it can run, and for steps.
func TestRouteOf(t *testing.T) {
	for _, name := range ownCommands() {
		field, _ := ownCommand(name)
		_, inside := field.Tag.Lookup("inside")
		for _, line := range [][]string{{name}, {"--json", name}, {"--session", "x", name}} {
			if got := wire.RouteOf(line) != wire.OwnProcess; got != inside {
				t.Errorf("RouteOf(%q) is the daemon: %t, want %t", line, got, inside)
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
	if got, want := wire.ValuedFlags, globalsWithValue(); !reflect.DeepEqual(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("wire.ValuedFlags are %v, want %v", got, want)
	}
}
