package endpoint

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// Dial connects to the daemon whose socket is at path. It also returns the daemon's process. If no
// daemon is listening, the error is wire.NoDaemon. If the daemon belongs to another user, the error
// is SECURITY_ERROR.
func Dial(ctx context.Context, path string) (nc *net.UnixConn, peer Peer, err error) {
	if err := CheckFolder(path); errors.Is(err, fs.ErrNotExist) {
		return nil, peer, wire.NoDaemon(path, err)
	} else if err != nil {
		return nil, peer, err
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, peer, notConnected(path, err)
	}
	nc = c.(*net.UnixConn)
	peer, err = PeerOf(nc)
	if err == nil && peer.UID != os.Geteuid() {
		err = diag.New(diag.SecurityError, "found the daemon of another user (uid %[2]d) at %[1]s, expected your own", path, peer.UID).
			WithHint("set XDG_RUNTIME_DIR to a folder that you own")
	}
	if err != nil {
		return nil, peer, errors.Join(err, nc.Close())
	}
	return nc, peer, nil
}

// notConnected returns the error for a failed connection.
func notConnected(path string, err error) error {
	if limit := diag.FileLimit(err); limit != nil {
		return limit
	}
	if bad := CheckSocket(path); bad != nil {
		return bad
	}
	if errors.Is(err, syscall.EAGAIN) {
		return wire.Busy(path, Holder(path))
	}
	return wire.NoDaemon(path, err)
}
