package mcp

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ownDaemon returns a connection to a daemon of this process, which has the builtin definitions and
// those of the paths.
func ownDaemon(t *testing.T, paths ...string) *client.Client {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcp-") // short, as paths of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	environ := []string{"HOME=" + dir}
	if len(paths) > 0 {
		environ = append(environ, "ACTION_PATH="+filepath.Join(paths...))
	}
	d, err := daemon.Listen(daemon.Options{
		Socket: filepath.Join(dir, "socket"), Idle: -1, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Backend: session.NewManager(session.ManagerOptions{Cwd: dir, Environ: environ}),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	c, err := client.Dial(t.Context(), d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return c
}
