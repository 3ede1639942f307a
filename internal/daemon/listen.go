package daemon

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A socket is the listener and the lock that protects its path in the file system.
//
// A daemon dials an old socket before it replaces it, to find out whether another daemon is
// listening. From then until its own socket is removed, the daemon holds the lock. So two daemons
// that start together cannot both replace the socket.
type socket struct {
	*net.UnixListener
	path string
	made os.FileInfo // identifies our socket, so that no other one is removed
	lock *os.File
}

// listen creates the socket. It fails while another daemon is running.
func listen(path string) (*socket, error) {
	if err := makeFolder(path); err != nil {
		return nil, err
	}
	lock, err := takeLock(path + endpoint.LockSuffix)
	if err != nil {
		return nil, err
	}
	s := &socket{path: path, lock: lock}
	if err := s.replace(); err != nil {
		s.unlock()
		return nil, err
	}
	return s, nil
}

func makeFolder(path string) error {
	err := endpoint.CheckFolder(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return cannotListen(err)
	}
	return endpoint.CheckFolder(path) // another process may have created it first
}

// replace puts our socket at the path, in place of a dead one. It creates the socket under another
// name, sets its mode and renames it. So the socket at the path never has a wider mode.
func (s *socket) replace() error {
	if err := s.clear(); err != nil {
		return err
	}
	fresh := s.path + endpoint.FreshSuffix
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotListen(err)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: fresh, Net: "unix"})
	if err != nil {
		return cannotListen(err)
	}
	ln.SetUnlinkOnClose(false)
	if err = os.Chmod(fresh, 0o600); err == nil {
		err = os.Rename(fresh, s.path)
	}
	if err == nil {
		s.made, err = os.Lstat(s.path)
	}
	if err != nil {
		return cannotListen(errors.Join(err, ln.Close()))
	}
	s.UnixListener = ln
	return nil
}

// clear checks that the path is free, or that it has a socket on which nobody is listening.
func (s *socket) clear() error {
	switch _, err := os.Lstat(s.path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cannotListen(err)
	}
	if err := endpoint.CheckSocket(s.path); err != nil {
		return err
	}
	// We hold the lock, so this only concerns daemons whose lock file was removed while they ran.
	if c, err := net.Dial("unix", s.path); err == nil {
		return errors.Join(wire.AlreadyRunning(s.path), c.Close())
	}
	return nil
}

// close removes the socket and then releases the lock. After the release, another daemon may put
// its socket at the path.
func (s *socket) close() error {
	err := s.Close()
	if s.inPlace() {
		err = errors.Join(err, os.Remove(s.path))
	}
	s.unlock()
	return err
}

// inPlace reports whether this socket is still at its path.
func (s *socket) inPlace() bool { return isAt(s.path, s.made) }

func isAt(path string, file os.FileInfo) bool {
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(now, file)
}

func (s *socket) unlock() {
	// Remove the file while the lock is held: a process that waits for its lock notices the removal
	// in takeLock. If the file at the path is another one, it belongs to somebody else.
	if locked, err := s.lock.Stat(); err == nil && isAt(s.lock.Name(), locked) {
		_ = os.Remove(s.lock.Name())
	}
	_ = s.lock.Close()
}

// takeLock locks the file at path, and creates it if necessary. If another process has locked it,
// wire.IsAlreadyRunning reports true for the error.
func takeLock(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, cannotListen(err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			_ = f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, wire.AlreadyRunning(strings.TrimSuffix(path, endpoint.LockSuffix))
			}
			return nil, cannotListen(err)
		}
		locked, err := f.Stat()
		if err != nil {
			_ = f.Close()
			return nil, cannotListen(err)
		}
		if isAt(path, locked) {
			return f, writePID(f)
		}
		_ = f.Close() // the last holder of the lock removed this file; there is a new one at the path, or none
	}
}

// writePID writes our process id to the lock file, for clients that get no answer.
func writePID(lock *os.File) error {
	err := lock.Truncate(0)
	if err == nil {
		_, err = lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		_ = lock.Close()
		return cannotListen(err)
	}
	return nil
}

// Sweep removes folders of servers that were killed: the folders that match the pattern, contain the
// lock file of a socket named "socket", and whose server has ended. It ignores errors.
func Sweep(pattern string) {
	dirs, _ := filepath.Glob(pattern) // fails only for a bad pattern
	for _, dir := range dirs {
		lock, err := os.OpenFile(filepath.Join(dir, "socket"+endpoint.LockSuffix), os.O_RDWR|syscall.O_NOFOLLOW, 0)
		if err != nil {
			continue
		}
		// A server writes to the file as soon as it has locked it, so an empty file may be that of
		// one that is starting.
		if info, err := lock.Stat(); err == nil && info.Size() > 0 && syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}

func cannotListen(err error) error {
	if limit := diag.FileLimit(err); limit != nil {
		return limit
	}
	e := diag.New(diag.BrowserUnavailable, "the daemon's socket cannot be created: %v", err).Because(err)
	if diag.IsFullDisk(err) {
		return e.WithHint("make room on the disk of the socket's folder, or set XDG_RUNTIME_DIR to a folder on another disk")
	}
	return e.WithHint("set XDG_RUNTIME_DIR to a folder that you own")
}
