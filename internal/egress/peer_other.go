//go:build !linux

package egress

import "net"

func ofOurUser(net.Conn) bool { return true }
