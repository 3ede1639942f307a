package endpoint

import "golang.org/x/sys/unix"

// PeerOf asks the kernel who is on the other side of a unix socket.
func PeerOf(fd int) (Peer, error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return Peer{}, err
	}
	pid, _ := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID) // only for messages
	return Peer{UID: int(cred.Uid), PID: pid}, nil
}
