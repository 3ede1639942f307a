// Package endpoint locates this user's daemon and the engine, and checks who may be trusted at
// the socket.
//
// It dials, but knows no messages. Both the client and the engine import it. The client starts
// with every command, so this package imports nothing large.
//
// Files, bottom to top: patience, version, engine, handover, peer, endpoint, dial.
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
	PID int // 0 if unknown
}

// FreshSuffix is appended to the name of a socket until the socket is ready.
const FreshSuffix = ".new"

// maxSocketPath is the maximum length of a socket's path in bytes. It is the limit of macOS, less
// the length of FreshSuffix.
const maxSocketPath = 103 - len(FreshSuffix)

// Path returns the path of this user's socket. It is $XDG_RUNTIME_DIR/action/daemon.sock, if
// $XDG_RUNTIME_DIR is a folder that belongs to this user. Otherwise the socket is in the temporary
// folder, in a folder for this user. getenv reads the environment; nil means os.Getenv.
func Path(getenv func(string) string) string {
	if getenv == nil {
		getenv = os.Getenv
	}
	const name = "daemon.sock"
	// Under sudo and su the variable may still belong to another user.
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

// CheckFolder checks the folder of a socket. If another user owns the folder or has access to it,
// the error is SECURITY_ERROR. If the path of the socket is too long, the error is INVALID_REQUEST.
// If there is no folder, the error is fs.ErrNotExist.
func CheckFolder(socket string) error {
	if len(socket) > maxSocketPath {
		return diag.New(diag.InvalidRequest, "found a socket path of %d bytes, expected at most %d: %s", len(socket), maxSocketPath, socket).
			WithHint("set XDG_RUNTIME_DIR to a folder that you own, with a shorter path")
	}
	dir := filepath.Dir(socket)
	info, err := os.Lstat(dir)
	refuse := func(format string, args ...any) error {
		return diag.New(diag.SecurityError, "the folder of the daemon's socket %s", fmt.Sprintf(format, args...)).
			WithHint("check the folder %s, and remove it if it is not yours", dir).Because(err)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return refuse("cannot be checked: %v", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("is a symbolic link, expected a folder: %s", dir)
	case !info.IsDir():
		return refuse("is a file, expected a folder: %s", dir)
	case !ownedByUs(info):
		return refuse("belongs to another user, expected your own: %s", dir)
	case info.Mode().Perm()&0o077 != 0:
		return diag.New(diag.SecurityError, "the folder of the daemon's socket has mode 0%o, expected 0700: %s", info.Mode().Perm(), dir).
			WithHint("run: chmod 700 %s", dir)
	}
	return checkParent(filepath.Dir(dir))
}

// CheckSocket returns SECURITY_ERROR if there is a file at path that is not a socket.
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
	return diag.New(diag.SecurityError, "found %s at the path of the daemon's socket, expected a socket or nothing: %s", what, path).
		WithHint("move the file away with: mv %s %s.old", path, path)
}

// LockSuffix is appended to the path of a socket to get the path of its lock file. The daemon locks
// this file and writes its process id into it.
const LockSuffix = ".lock"

// Holder returns the id of the process that has locked the lock file of a socket. It returns 0 if
// the file is not locked, or if the process is unknown.
func Holder(socket string) int {
	f, err := os.OpenFile(socket+LockSuffix, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return 0 // nobody holds the lock
	}
	digits := make([]byte, 20)
	n, _ := f.Read(digits) // an unreadable file contains no number
	pid, err := strconv.Atoi(strings.TrimSpace(string(digits[:n])))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// checkParent returns an error if other users could replace our folder in dir.
func checkParent(dir string) error {
	refuse := func(format string, args ...any) *diag.Error {
		return diag.New(diag.SecurityError, format, args...).WithHint("set XDG_RUNTIME_DIR to a folder that you own")
	}
	info, err := os.Stat(dir)
	if err != nil {
		return refuse("%v", err).Because(err)
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return refuse("found the folder %s writable for everybody, expected its sticky bit to be set", dir)
	}
	return nil
}

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// PeerOf returns the process on the other side of a unix socket, as the kernel reports it.
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
