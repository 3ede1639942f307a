package wire

import (
	"slices"
	"strings"
)

// The part of the command line's grammar that a client needs to choose a process. Tests compare
// it with the engine's grammar.

// OwnCommands are the commands that run in a process of their own, not in the daemon.
var OwnCommands = []string{"__complete", "approvals", "approve", "completion", "daemon", "deny", "expr", "fmt", "mcp", "reload", "schema", "serve", "session", "skill", "validate", "version"}

// quietCommands are the commands that do not start a daemon.
var quietCommands = []string{"describe", "dry-run", "list", "search"}

// ValuedFlags are the global flags that take the next word as their value.
var ValuedFlags = []string{"timeout", "trace", "session", "cdp"}

// A Route determines the process that runs a command line.
type Route int

// The processes that run a command line.
const (
	OwnProcess      Route = iota // a separate process
	DaemonIfRunning              // the daemon if one is running; otherwise a separate process
	DaemonAlways                 // the daemon, which is started if necessary
)

func (r Route) String() string {
	return [...]string{"OwnProcess", "DaemonIfRunning", "DaemonAlways"}[r]
}

// RouteOf returns the route of a command line.
func RouteOf(words []string) Route {
	command := firstWord(joined(words))
	switch {
	case command == "", slices.Contains(OwnCommands, command), HasSwitch(words, "no-daemon"):
		return OwnProcess
	case slices.Contains(quietCommands, command), HasSwitch(words, "help"), slices.Contains(beforeEnd(words), "-h"):
		return DaemonIfRunning
	}
	return DaemonAlways
}

// HasSwitch reports whether a command line sets the switch --NAME.
func HasSwitch(words []string, name string) bool {
	flags := beforeEnd(joined(words))
	return slices.Contains(flags, "--"+name) || slices.Contains(flags, "--"+name+"=true")
}

// beforeEnd returns the words before "--".
func beforeEnd(words []string) []string {
	if end := slices.Index(words, "--"); end >= 0 {
		return words[:end]
	}
	return words
}

// joined returns words, with the words "true" and "false" joined to the flag before them, as in
// --flag=true. The engine decides whether such a word is really the value of the flag.
func joined(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			return append(out, words[i:]...)
		}
		name, isFlag := strings.CutPrefix(word, "--")
		if isFlag && !slices.Contains(ValuedFlags, name) && i+1 < len(words) && (words[i+1] == "true" || words[i+1] == "false") {
			i++
			word += "=" + words[i]
		}
		out = append(out, word)
	}
	return out
}

// firstWord returns the first word that is neither a flag nor the value of a flag, or "". The
// argument must be a result of joined.
func firstWord(words []string) string {
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
