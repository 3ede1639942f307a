package main

import "github.com/spf13/cobra"

// newDaemonCmd returns the command that manages the daemon. Other commands start the daemon when
// they need it.
func newDaemonCmd(f *factory) *cobra.Command {
	return f.parent(&cobra.Command{Use: "daemon", Short: "Start, stop and inspect the daemon"},
		newDaemonStartCmd(f, nil), newDaemonStopCmd(f, nil), newDaemonStatusCmd(f, nil), newDaemonRunCmd(f, nil))
}
