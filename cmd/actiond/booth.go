package main

// Serves the approvals of a command that runs in this process on a socket of its own, so that other
// commands can answer them.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/session"
)

// approvalSockets matches the sockets of commands that wait for an approval.
const approvalSockets = "approvals-*.sock"

// A booth is a socket through which other commands can answer the approvals of a manager. It is
// open only while approvals are pending.
type booth struct {
	manager *session.Manager
	warn    func(string)
	stop    context.CancelFunc // nil while it is closed
	serving sync.WaitGroup
}

// changed opens the socket if approvals are pending, and closes it if none are. Calls must not
// overlap.
func (b *booth) changed(pending int) {
	switch {
	case pending == 0 && b.stop != nil:
		b.stop()
		b.stop = nil
	case pending > 0 && b.stop == nil:
		if err := b.open(); err != nil {
			b.warn(fmt.Sprintf("other commands cannot answer the approval: %v", err))
		}
	}
}

func (b *booth) open() error {
	shared := filepath.Dir(endpoint.Path(nil))
	if err := os.MkdirAll(shared, 0o700); err != nil {
		return err
	}
	b.serving.Wait() // until the previous server has ended, whose socket has the same path
	server, err := daemon.Listen(daemon.Options{
		Socket:  filepath.Join(shared, strings.Replace(approvalSockets, "*", strconv.Itoa(os.Getpid()), 1)),
		Backend: daemon.OnlyApprovals(b.manager.Approvals()), Idle: -1,
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.serving.Go(func() {
		if err := server.Serve(ctx); err != nil {
			b.warn(fmt.Sprintf("the socket for approvals did not close: %v", err))
		}
	})
	return nil
}
