// Package endpoint says where the daemon of this user listens, who may be trusted
// there, and which program is asking.
//
// It opens no connection and knows no messages. It imports little, for package
// forward is to be initialised early: neither net nor path/filepath.
package endpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"actionregistry/diag"
)

// A Peer is the process on the other side of a connection.
type Peer struct {
	UID int
	PID int // 0: not known
}

// FreshSuffix is added to the name of a socket while it is made.
const FreshSuffix = ".new"

// maxSocketPath is the room for a path, with FreshSuffix, in the address of a unix
// socket on macOS, which has the least.
const maxSocketPath = 103 - len(FreshSuffix)

// Path is where the daemon of this user listens:
// $XDG_RUNTIME_DIR/action/daemon.sock, or where there is no such folder of ours,
// in a folder of this user under the temporary one. getenv reads the
// environment; nil is that of the process.
func Path(getenv func(string) string) string {
	if getenv == nil {
		getenv = os.Getenv
	}
	const name = "daemon.sock"
	// Under sudo and su the variable may still be that of another user.
	if dir := getenv("XDG_RUNTIME_DIR"); strings.HasPrefix(dir, "/") {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && ownedByUs(info) {
			return strings.TrimRight(dir, "/") + "/action/" + name
		}
	}
	temp := getenv("TMPDIR")
	if !strings.HasPrefix(temp, "/") {
		temp = "/tmp"
	}
	return strings.TrimRight(temp, "/") + "/action-" + strconv.Itoa(os.Geteuid()) + "/" + name
}

// CheckFolder refuses, with SECURITY_ERROR, the folder of a socket that another
// user could reach or has made. A folder that is not there is fs.ErrNotExist.
func CheckFolder(socket string) error {
	if len(socket) > maxSocketPath {
		return diag.New(diag.InvalidRequest, "the socket's path has %d bytes, expected at most %d: %s", len(socket), maxSocketPath, socket).
			WithHint("set XDG_RUNTIME_DIR to a folder of yours with a shorter path")
	}
	dir := parent(socket)
	info, err := os.Lstat(dir)
	refuse := func(format string, args ...any) error {
		return diag.New(diag.SecurityError, "the folder of the daemon's socket "+format, args...).
			WithHint("look at %s, and remove it if it is not yours", dir)
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
		return diag.New(diag.SecurityError, "the folder of the daemon's socket has mode %04o, expected 0700: %s", info.Mode().Perm(), dir).
			WithHint("run: chmod 700 %s", dir)
	}
	return checkParent(parent(dir))
}

// parent is the folder of a file whose path is absolute.
func parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 1)] }

// checkParent refuses a folder in which anybody could put another in place of
// ours.
func checkParent(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return diag.New(diag.SecurityError, "%v", err).WithHint("set XDG_RUNTIME_DIR to a folder of yours")
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return diag.New(diag.SecurityError, "anybody may write to %s, expected the sticky bit there", dir).
			WithHint("set XDG_RUNTIME_DIR to a folder of yours")
	}
	return nil
}

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// Program tells this executable from others, and from what stands in its place
// when it is replaced; "" when that is not known. A daemon asks when it starts.
func Program() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(exe)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", exe, info.Size(), info.ModTime().UnixNano())
}
