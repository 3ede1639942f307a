package egress

import (
	"encoding/binary"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ofOurUser reports whether the other end of a loopback connection belongs to our user. It asks the
// kernel (sock_diag). If the kernel does not answer, as in some sandboxes, the result is true.
func ofOurUser(c net.Conn) bool {
	theirs, ok := c.RemoteAddr().(*net.TCPAddr)
	ours, ok2 := c.LocalAddr().(*net.TCPAddr)
	if !ok || !ok2 {
		return false
	}
	uid, err := owner(theirs, ours)
	return err != nil || uid == uint32(os.Geteuid())
}

// owner returns the user who owns an IPv4 socket. The argument "from" is the address of the socket.
// The argument "to" is the address to which it is connected.
func owner(from, to *net.TCPAddr) (uint32, error) {
	const headSize, requestSize, messageUID, states = unix.NLMSG_HDRLEN, 56, 64, 0xffffffff
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_INET_DIAG)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	// struct nlmsghdr, struct inet_diag_req_v2 (linux/inet_diag.h)
	req := make([]byte, headSize+requestSize)
	native, big := binary.NativeEndian, binary.BigEndian
	native.PutUint32(req, uint32(len(req)))
	native.PutUint16(req[4:], unix.SOCK_DIAG_BY_FAMILY)
	native.PutUint16(req[6:], unix.NLM_F_REQUEST)
	body := req[headSize:]
	body[0], body[1] = unix.AF_INET, unix.IPPROTO_TCP
	native.PutUint32(body[4:], states)
	big.PutUint16(body[8:], uint16(from.Port))
	big.PutUint16(body[10:], uint16(to.Port))
	copy(body[12:], from.IP.To4())
	copy(body[28:], to.IP.To4())
	for i := 48; i < 56; i++ { // no cookie: match any socket
		body[i] = 0xff
	}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1}); err != nil {
		return 0, err
	}
	if err := unix.Sendto(fd, req, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return 0, err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return 0, err
	}
	if n < headSize+messageUID+4 || native.Uint16(answer[4:]) != unix.SOCK_DIAG_BY_FAMILY {
		return 0, syscall.ENOENT
	}
	return native.Uint32(answer[headSize+messageUID:]), nil
}
