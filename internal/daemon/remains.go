package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"syscall"

	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/session"
)

// An Heir is a [Backend] that reports the sessions that were lost with an earlier daemon. Inherit
// is called once, before any other method. list holds those sessions. The backend calls record with
// its own sessions whenever they change.
type Heir interface {
	Inherit(list []session.Remainder, record func([]session.Remainder) error)
}

// remains is the file beside the socket with the names of this daemon's sessions. If this daemon is
// killed, the next daemon reads in the file which sessions were lost. The file contains no
// addresses, which may contain secrets. Only the daemon that holds the lock uses the file.
type remains struct {
	path    string
	inPlace func() bool // whether the socket beside the file is ours
	log     *slog.Logger

	mu     sync.Mutex // guards the fields below, and the file
	list   []session.Remainder
	closed bool
}

const (
	remainsSuffix   = ".sessions"
	maxRemainsBytes = 64 << 10
)

// read returns the sessions of an earlier daemon. It ignores a file that cannot be read.
func (r *remains) read() []session.Remainder {
	list, err := readRemains(r.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log.Warn("the sessions of the last daemon are unknown", "error", err)
	}
	return list
}

func readRemains(path string) ([]session.Remainder, error) {
	// A link must not lead elsewhere, and a named pipe must not block.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxRemainsBytes:
		return nil, fmt.Errorf("%s has %d bytes, expected at most %d", path, info.Size(), maxRemainsBytes)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRemainsBytes))
	if err != nil {
		return nil, err
	}
	var list []session.Remainder
	return list, json.Unmarshal(data, &list)
}

// record writes the list for the next daemon.
func (r *remains) record(list []session.Remainder) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.list = slices.Clone(list) // close changes it, and the manager keeps reading its own
	return r.writeLocked()
}

// close writes the file for the last time. It records the open sessions as lost for this cause. If
// cause is "", there is nothing to report, and close removes the file. It must be called before the
// socket is removed.
func (r *remains) close(cause session.Cause) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if cause == "" {
		r.list = nil
	}
	for i := range r.list {
		if r.list[i].Lost == "" {
			r.list[i].Lost = cause
		}
	}
	_ = r.writeLocked() // the error has been logged
}

func (r *remains) writeLocked() error {
	if !r.inPlace() {
		return nil // our socket has been replaced or removed, so the file is no longer ours
	}
	err := r.replaceLocked()
	if err != nil {
		r.log.Warn("the names of the sessions could not be written", "error", err)
	}
	return err
}

// replaceLocked replaces the file atomically.
func (r *remains) replaceLocked() error {
	if len(r.list) == 0 {
		if err := os.Remove(r.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(r.list)
	if err != nil {
		return err
	}
	fresh := r.path + endpoint.FreshSuffix
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(fresh, r.path)
	}
	if err != nil {
		_ = os.Remove(fresh) // report the first error
	}
	return err
}
