package wire

import (
	"net"

	"golang.org/x/sys/unix"
)

// A Peer is the process on the other side of a connection.
type Peer struct {
	UID int
	PID int // 0: not known
}

// PeerOf asks the kernel who is on the other side.
func PeerOf(c *net.UnixConn) (Peer, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return Peer{}, err
	}
	var cred *unix.Xucred
	var pid int
	var inner error
	err = raw.Control(func(fd uintptr) {
		if cred, inner = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); inner == nil {
			pid, _ = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID) // only for messages
		}
	})
	if err == nil {
		err = inner
	}
	if err != nil {
		return Peer{}, err
	}
	return Peer{UID: int(cred.Uid), PID: pid}, nil
}
