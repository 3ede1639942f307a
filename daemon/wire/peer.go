package wire

import (
	"errors"
	"net"

	"actionregistry/daemon/endpoint"
	"actionregistry/diag"
)

// CheckFolder is endpoint.CheckFolder with the errors of the protocol: INVALID_REQUEST
// for a path that no socket can have, SECURITY_ERROR for a folder that is not safe. A
// folder that is not there is fs.ErrNotExist.
func CheckFolder(socket string) error {
	return coded(endpoint.CheckFolder(socket))
}

// CheckSocket is endpoint.CheckSocket with the errors of the protocol.
func CheckSocket(socket string) error { return coded(endpoint.CheckSocket(socket)) }

func coded(err error) error {
	var no *endpoint.Refusal
	if !errors.As(err, &no) {
		return err
	}
	code := diag.SecurityError
	if no.Invalid {
		code = diag.InvalidRequest
	}
	return diag.New(code, "%s", no.Message).WithHint("%s", no.Hint).Because(no.Cause)
}

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
