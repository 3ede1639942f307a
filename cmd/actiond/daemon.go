package main

import "github.com/spf13/cobra"

// newDaemonCmd makes the command for the process that keeps sessions. Commands that need
// the daemon start it.
func newDaemonCmd(f *factory) *cobra.Command {
	return f.parent(&cobra.Command{Use: "daemon", Short: "Start, stop and inspect the daemon"},
		newDaemonStartCmd(f, nil), newDaemonStopCmd(f, nil), newDaemonStatusCmd(f, nil), newDaemonRunCmd(f, nil))
}
