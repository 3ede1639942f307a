package daemon_test

import (
	"os"
	"testing"

	"actionregistry/daemon"
	"actionregistry/session"
)

// realBackend is the one of the program: real sessions with real browsers, and
// no definitions of this machine.
func realBackend(t *testing.T) daemon.Backend {
	t.Helper()
	home := t.TempDir()
	environ := append(os.Environ(), "HOME="+home, "ACTION_PATH=")
	return session.NewManager(session.ManagerOptions{Cwd: home, Environ: environ, Warn: func(message string) { t.Log(message) }})
}
