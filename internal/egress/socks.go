package egress

// The server's side of SOCKS5 (RFC 1928).

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Replies of SOCKS5.
const (
	replyOK         = 0
	replyFailed     = 1
	replyNotAllowed = 2
	replyUnknown    = 7 // unknown command
)

// errProtocol is the error for a client that does not speak SOCKS5.
var errProtocol = errors.New("found another protocol, expected SOCKS5")

// greet performs the SOCKS5 handshake and returns the target of the client. host is written as in a
// URL.
func greet(c net.Conn) (host, port string, err error) {
	var buf [256]byte
	read := func(n int) []byte {
		if err == nil {
			_, err = io.ReadFull(c, buf[:n])
		}
		return buf[:n]
	}
	head := read(2)
	if err != nil || head[0] != 5 {
		return "", "", errors.Join(errProtocol, err)
	}
	methods := read(int(head[1]))
	if err != nil || !strings.Contains(string(methods), "\x00") {
		return "", "", errors.Join(errProtocol, err)
	}
	if _, err := c.Write([]byte{5, 0}); err != nil {
		return "", "", err
	}
	head = read(4)
	if err != nil || head[0] != 5 {
		return "", "", errors.Join(errProtocol, err)
	}
	if head[1] != 1 { // listening and datagrams are not supported
		_, _ = c.Write([]byte{5, replyUnknown, 0, 1, 0, 0, 0, 0, 0, 0})
		return "", "", errProtocol
	}
	switch head[3] {
	case 1:
		host = netip.AddrFrom4([4]byte(read(4))).String()
	case 3:
		host = string(read(int(read(1)[0])))
	case 4:
		host = netip.AddrFrom16([16]byte(read(16))).String()
	default:
		return "", "", errProtocol
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return host, strconv.Itoa(int(binary.BigEndian.Uint16(read(2)))), err
}
