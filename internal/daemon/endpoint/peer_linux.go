package endpoint

import "syscall"

func peerOf(fd int) (Peer, error) {
	cred, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return Peer{}, err
	}
	return Peer{UID: int(cred.Uid), PID: int(cred.Pid)}, nil
}
