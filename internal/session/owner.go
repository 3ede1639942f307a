//go:build unix

package session

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether the file belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

// identity distinguishes a file from another that has taken its name.
func identity(info fs.FileInfo) (device, ino uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), st.Ino
	}
	return 0, 0
}
