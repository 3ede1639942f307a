package wire

import (
	"net"

	"actionregistry/daemon/endpoint"
)

// PeerOf asks the kernel who is on the other side of a connection.
func PeerOf(c *net.UnixConn) (peer endpoint.Peer, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return peer, err
	}
	var inner error
	if err = raw.Control(func(fd uintptr) { peer, inner = endpoint.PeerOf(int(fd)) }); err == nil {
		err = inner
	}
	return peer, err
}
