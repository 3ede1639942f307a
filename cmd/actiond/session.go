package main

import (
	"github.com/spf13/cobra"
)

// newSessionCmd returns the command for the daemon's sessions. Each session is a separate browser
// with its own cookies and page.
func newSessionCmd(f *factory) *cobra.Command {
	return f.parent(&cobra.Command{Use: "session", Short: "Open, list and close sessions"},
		newSessionOpenCmd(f, nil), newSessionListCmd(f, nil), newSessionCloseCmd(f, nil), newSessionTargetsCmd(f, nil),
		newSessionHandoffCmd(f, nil), newSessionResumeCmd(f, nil))
}

// sessionName is the name of a session as an argument.
var sessionName = positional{name: "name", doc: "Name of the session; default: --session, or the session named default.", optional: true}
