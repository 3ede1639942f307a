package diag

// Exit codes of the command line. Scripts may rely on them.
const (
	ExitFailed      = 1
	ExitUsage       = 2   // the command line, params, requests
	ExitDefinition  = 3   // DEFINITION_INVALID
	ExitNotFound    = 4   // ACTION_NOT_FOUND
	ExitBrowser     = 5   // BROWSER_UNAVAILABLE
	ExitInterrupted = 130 // SIGINT, SIGTERM
)

// Exit returns the exit code of a command that fails with code c.
func (c Code) Exit() int {
	switch c {
	case ParamRequired, ParamInvalid, InvalidRequest:
		return ExitUsage
	case DefinitionInvalid:
		return ExitDefinition
	case ActionNotFound:
		return ExitNotFound
	case BrowserUnavailable:
		return ExitBrowser
	case Cancelled:
		return ExitInterrupted
	}
	return ExitFailed
}
