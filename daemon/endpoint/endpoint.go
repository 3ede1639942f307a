// Package endpoint says where the daemon of this user listens, who may be trusted
// there, and which program is asking.
//
// It opens no connection and knows no messages. It imports only what Go initialises
// early, as package forward does: not fmt, and not strings, which has the tables of
// package unicode made.
package endpoint

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
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
	if dir := getenv("XDG_RUNTIME_DIR"); isAbsolute(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && ownedByUs(info) {
			return bare(dir) + "/action/" + name
		}
	}
	temp := getenv("TMPDIR")
	if !isAbsolute(temp) {
		temp = "/tmp"
	}
	return bare(temp) + "/action-" + strconv.Itoa(os.Geteuid()) + "/" + name
}

func isAbsolute(path string) bool { return path != "" && path[0] == '/' }

// bare is a folder's path without slashes at its end.
func bare(path string) string {
	for path != "" && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	return path
}

// A Refusal says why a socket must not be used where it is. Package wire makes it
// an error with a code.
type Refusal struct {
	Invalid bool   // the path cannot be one of a socket; otherwise somebody else may get at it
	Message string // what was found
	Hint    string // what to do
	Cause   error  // nil, or what the system said
}

func (r *Refusal) Error() string { return r.Message }
func (r *Refusal) Unwrap() error { return r.Cause }

// CheckFolder refuses, with a *Refusal, the folder of a socket that another user
// could reach or has made. A folder that is not there is fs.ErrNotExist.
func CheckFolder(socket string) error {
	if len(socket) > maxSocketPath {
		return &Refusal{Invalid: true, Hint: "set XDG_RUNTIME_DIR to a folder of yours with a shorter path",
			Message: "the socket's path has " + strconv.Itoa(len(socket)) + " bytes, expected at most " + strconv.Itoa(maxSocketPath) + ": " + socket}
	}
	dir := parent(socket)
	info, err := os.Lstat(dir)
	refuse := func(why string) error {
		return &Refusal{Message: "the folder of the daemon's socket " + why, Cause: err,
			Hint: "look at " + dir + ", and remove it if it is not yours"}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return refuse("cannot be looked at: " + err.Error())
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("is a symbolic link, expected a folder: " + dir)
	case !info.IsDir():
		return refuse("is no folder: " + dir)
	case !ownedByUs(info):
		return refuse("belongs to another user: " + dir)
	case info.Mode().Perm()&0o077 != 0:
		return &Refusal{Hint: "run: chmod 700 " + dir,
			Message: "the folder of the daemon's socket has mode 0" + strconv.FormatUint(uint64(info.Mode().Perm()), 8) + ", expected 0700: " + dir}
	}
	return checkParent(parent(dir))
}

// CheckSocket refuses, with a *Refusal, a path where something other than a socket
// is. Nothing is fine.
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
	return &Refusal{Message: "the daemon's socket cannot be where " + what + " is: " + path,
		Hint: "move it away: mv " + path + " " + path + ".old"}
}

// LockSuffix is added to the name of a socket for the file that its daemon has
// locked. The file holds the number of the daemon's process.
const LockSuffix = ".lock"

// Holder returns the process that has the lock beside a socket; 0 when there is
// none, or it is not known.
func Holder(socket string) int {
	f, err := os.OpenFile(socket+LockSuffix, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return 0 // nobody has it
	}
	var digits [20]byte
	n, _ := f.Read(digits[:])
	for n > 0 && digits[n-1] == '\n' {
		n--
	}
	pid, err := strconv.Atoi(string(digits[:n]))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// parent is the folder of a file whose path is absolute.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' {
			return path[:i]
		}
	}
	return path[:1]
}

// checkParent refuses a folder in which anybody could put another in place of
// ours.
func checkParent(dir string) error {
	const hint = "set XDG_RUNTIME_DIR to a folder of yours"
	info, err := os.Stat(dir)
	if err != nil {
		return &Refusal{Message: err.Error(), Hint: hint, Cause: err}
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return &Refusal{Message: "anybody may write to " + dir + ", expected the sticky bit there", Hint: hint}
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
	return exe + " " + strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
}
