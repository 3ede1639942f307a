package wire_test

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// TestRoutes checks that the spelling of switches does not affect the route of a command line.
func TestRoutes(t *testing.T) {
	for line, want := range map[string]wire.Route{
		"--json true list":                   wire.DaemonIfRunning,
		"--json true version":                wire.OwnProcess,
		"--no-daemon true get url":           wire.OwnProcess,
		"get url --no-daemon true":           wire.OwnProcess,
		"get url --no-daemon false":          wire.DaemonAlways,
		"get url --no-daemon --json false":   wire.OwnProcess,
		"fill label:A -- --no-daemon true":   wire.DaemonAlways,
		"--headed false --strict true list":  wire.DaemonIfRunning,
		"--session true --json run a:b:c":    wire.DaemonAlways,
		"run a:b:c --steps true --flag true": wire.DaemonAlways,
	} {
		if got := wire.RouteOf(strings.Fields(line)); got != want {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
}
