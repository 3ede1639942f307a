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
