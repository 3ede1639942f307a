package diag

import (
	"errors"
	"syscall"
)

// IsFullDisk reports whether err means that the disk is full or the user's quota is used up.
func IsFullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// CheckFiles returns the error of [FileLimit] if this process cannot have n more files open at the
// same time. A process should check that before the Go runtime opens its first files, because that
// aborts the process if it fails.
func CheckFiles(n int) *Error {
	var fds []int
	defer func() {
		for _, fd := range fds {
			_ = syscall.Close(fd)
		}
	}()
	for range n {
		fd, err := syscall.Open("/", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if limit := FileLimit(err); limit != nil {
			return limit
		}
		if err == nil {
			fds = append(fds, fd)
		}
	}
	return nil
}

// FileLimit returns a coded error if err means that the process or the machine has too many open
// files. Otherwise it returns nil.
func FileLimit(err error) *Error {
	switch {
	case errors.Is(err, syscall.EMFILE):
		e := New(LimitExceeded, "this process cannot open more files: %v", err).Because(err)
		var limit syscall.Rlimit
		if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
			e.WithDetail("limit", uint64(limit.Cur))
			return e.WithHint("raise the limit of %d open files with `ulimit -n 4096`, then run `action daemon stop`: the next command starts a daemon with the new limit", limit.Cur)
		}
		return e.WithHint("raise the limit of open files with: ulimit -n 4096")
	case errors.Is(err, syscall.ENFILE):
		return New(LimitExceeded, "this machine cannot open more files: %v", err).
			WithHint("close other programs, or raise the system's limit of open files (on Linux: sysctl fs.file-max)").Because(err)
	}
	return nil
}
