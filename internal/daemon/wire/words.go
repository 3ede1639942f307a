package wire

import (
	"slices"
	"strings"
)

// The part of the command line's grammar that a client needs to choose a process. Tests compare
// it with the engine's grammar.

// OwnCommands are the commands that always run in a separate process, not in the daemon.
var OwnCommands = []string{"__complete", "approvals", "approve", "completion", "daemon", "deny", "expr", "fmt", "mcp", "reload", "schema", "serve", "session", "skill", "validate", "version"}

// quietCommands are the commands that do not start a daemon, but use a running one.
var quietCommands = []string{"describe", "dry-run", "list", "search"}

// ValuedFlags are the global flags that take the next word as their value.
var ValuedFlags = []string{"timeout", "trace", "session", "cdp"}

// A Route says in which process a command runs.
type Route int

// The processes in which a command may run.
const (
	OwnProcess      Route = iota // a separate process
	DaemonIfRunning              // the daemon if one is running; otherwise a separate process
	DaemonAlways                 // the daemon, which is started if necessary
)

func (r Route) String() string {
	return [...]string{"OwnProcess", "DaemonIfRunning", "DaemonAlways"}[r]
}

// RouteOf returns the process in which a command runs. words is its command line.
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

// joined writes switches with a value as one word: "--flag", "true" becomes "--flag=true".
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

// firstWord returns the first word that is not part of a flag, or "". The function joined must
// have returned words.
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
