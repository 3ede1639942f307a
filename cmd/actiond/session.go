package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// newSessionCmd returns the command for the daemon's sessions. Each session is a separate browser
// with its own cookies and page.
func newSessionCmd(f *factory) *cobra.Command {
	return f.parent(&cobra.Command{Use: "session", Short: "Open, list and close sessions"},
		newSessionOpenCmd(f, nil), newSessionListCmd(f, nil), newSessionCloseCmd(f, nil))
}

// sessionName is the name of a session as an argument.
var sessionName = positional{name: "name", doc: "Name of the session; default: --session, or the session named default.", optional: true}

// showSessions prints one line per session.
func (f *factory) showSessions(list []wire.Session) {
	rows := make([][]string, len(list))
	for i, s := range list {
		what := ""
		if r := s.Running; r != nil && s.State == session.StateRunning {
			what = fmt.Sprintf("%s for %s", cmp.Or(r.Action, r.Step), f.now().Sub(r.Since).Round(100*time.Millisecond))
		}
		if s.Queued > 0 {
			what += fmt.Sprintf(", %d waiting", s.Queued)
		}
		where := cmp.Or(s.Tab, "-")
		if s.Tabs > 1 {
			where += fmt.Sprintf(" of %d", s.Tabs)
		}
		if s.Windows > 1 {
			where += fmt.Sprintf(" in %d windows", s.Windows)
		}
		rows[i] = []string{s.Name, s.State, cmp.Or(s.URL, "-"), where, what}
		if s.Lost != "" {
			rows[i][4] = strings.TrimSpace(what + " " + s.Lost)
		}
	}
	diag.Table(f.stdout, rows)
}
