package wire

import (
	"slices"
	"strings"
)

// What a client must know of the command line to see where it runs. Tests hold it against
// the grammar of the engine.

// OwnCommands run in a process of their own, not in the daemon.
var OwnCommands = []string{"__complete", "completion", "daemon", "dry-run", "expr", "reload", "schema", "session", "validate", "version"}

// quietCommands are those for which no daemon is started.
var quietCommands = []string{"describe", "list", "search"}

// ValuedFlags are the global flags that take the word behind them.
var ValuedFlags = []string{"timeout", "trace", "session", "cdp"}

// A Route says which process runs a command line.
type Route int

// The processes that run a command line.
const (
	OwnProcess      Route = iota // one of its own
	DaemonIfRunning              // the daemon if one is running; else one of its own
	DaemonAlways                 // the daemon, which is started if necessary
)

// RouteOf returns the route of a command line.
func RouteOf(words []string) Route {
	flags := words
	if end := slices.Index(words, "--"); end >= 0 {
		flags = words[:end]
	}
	command := FirstWord(words)
	switch {
	case command == "", slices.Contains(OwnCommands, command), slices.Contains(flags, "--no-daemon"), slices.Contains(flags, "--no-daemon=true"):
		return OwnProcess
	case slices.Contains(quietCommands, command), slices.Contains(flags, "--help"), slices.Contains(flags, "-h"):
		return DaemonIfRunning
	}
	return DaemonAlways
}

// FirstWord is the first word of a command line that is no flag and no flag's value, or
// "".
func FirstWord(words []string) string {
	for i := 0; i < len(words); i++ {
		switch {
		case !strings.HasPrefix(words[i], "-") || words[i] == "-":
			return words[i]
		case words[i] == "--":
			return ""
		case slices.Contains(ValuedFlags, strings.TrimPrefix(words[i], "--")):
			i++
		}
	}
	return ""
}
