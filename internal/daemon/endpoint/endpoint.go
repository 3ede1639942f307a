// Package endpoint says where this user's daemon listens, who may be trusted there, and
// which program is the engine.
//
// It dials, but knows no messages. Both the client and the engine import it. The client
// starts with every command, so this package imports nothing large.
package endpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/actionregistry/action/diag"
)

// A Peer is the process on the other side of a connection.
type Peer struct {
	UID int
	PID int // 0: unknown
}

// FreshSuffix is added to the name of a socket while it is being created.
const FreshSuffix = ".new"

// maxSocketPath is the longest path, with FreshSuffix, that fits into the address of a unix
// socket on macOS, which has the least room.
const maxSocketPath = 103 - len(FreshSuffix)

// Path returns the socket of this user's daemon: $XDG_RUNTIME_DIR/action/daemon.sock, or,
// without such a folder of ours, a socket in a folder of this user under the temporary one.
// getenv reads the environment; nil is that of the process.
func Path(getenv func(string) string) string {
	if getenv == nil {
		getenv = os.Getenv
	}
	const name = "daemon.sock"
	// Under sudo and su the variable may still be that of another user.
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && ownedByUs(info) {
			return strings.TrimRight(dir, "/") + "/action/" + name
		}
	}
	temp := getenv("TMPDIR")
	if !filepath.IsAbs(temp) {
		temp = "/tmp"
	}
	return strings.TrimRight(temp, "/") + "/action-" + strconv.Itoa(os.Geteuid()) + "/" + name
}

// CheckFolder refuses the folder of a socket that another user could reach or has created
// (SECURITY_ERROR), and an invalid socket path (INVALID_REQUEST). A missing folder is
// fs.ErrNotExist.
func CheckFolder(socket string) error {
	if len(socket) > maxSocketPath {
		return diag.New(diag.InvalidRequest, "the socket's path has %d bytes, expected at most %d: %s", len(socket), maxSocketPath, socket).
			WithHint("set XDG_RUNTIME_DIR to a folder of yours with a shorter path")
	}
	dir := filepath.Dir(socket)
	info, err := os.Lstat(dir)
	refuse := func(format string, args ...any) error {
		return diag.New(diag.SecurityError, "the folder of the daemon's socket %s", fmt.Sprintf(format, args...)).
			WithHint("look at %s, and remove it if it is not yours", dir).Because(err)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return refuse("cannot be looked at: %v", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("is a symbolic link, expected a folder: %s", dir)
	case !info.IsDir():
		return refuse("is no folder: %s", dir)
	case !ownedByUs(info):
		return refuse("belongs to another user: %s", dir)
	case info.Mode().Perm()&0o077 != 0:
		return diag.New(diag.SecurityError, "the folder of the daemon's socket has mode 0%o, expected 0700: %s", info.Mode().Perm(), dir).
			WithHint("run: chmod 700 %s", dir)
	}
	return checkParent(filepath.Dir(dir))
}

// CheckSocket refuses a path with something other than a socket (SECURITY_ERROR). A missing
// file is fine.
func CheckSocket(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() == fs.ModeSocket {
		return nil
	}
	what := "a file"
	switch {
	case info.IsDir():
		what = "a folder"
	case info.Mode()&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	return diag.New(diag.SecurityError, "the daemon's socket cannot be where %s is: %s", what, path).
		WithHint("move it away: mv %s %s.old", path, path)
}

// LockSuffix is added to the name of a socket for the file that its daemon has locked. The
// file contains the daemon's process id.
const LockSuffix = ".lock"

// Holder returns the process that holds the lock beside a socket; 0 if there is none, or it
// is unknown.
func Holder(socket string) int {
	f, err := os.OpenFile(socket+LockSuffix, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return 0 // nobody holds it
	}
	digits := make([]byte, 20)
	n, _ := f.Read(digits) // an unreadable file gives no number
	pid, err := strconv.Atoi(strings.TrimSpace(string(digits[:n])))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// checkParent refuses a folder in which anybody could replace ours.
func checkParent(dir string) error {
	refuse := func(format string, args ...any) *diag.Error {
		return diag.New(diag.SecurityError, format, args...).WithHint("set XDG_RUNTIME_DIR to a folder of yours")
	}
	info, err := os.Stat(dir)
	if err != nil {
		return refuse("%v", err).Because(err)
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return refuse("anybody may write to %s, expected the sticky bit there", dir)
	}
	return nil
}

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// PeerOf returns the kernel's information about the other side of a unix socket.
func PeerOf(c syscall.Conn) (peer Peer, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return peer, err
	}
	var inner error
	if err = raw.Control(func(fd uintptr) { peer, inner = peerOf(int(fd)) }); err == nil {
		err = inner
	}
	return peer, err
}
