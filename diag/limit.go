package diag

import (
	"errors"
	"syscall"
)

// IsFullDisk reports whether err says that a disk, or its user's quota, is full.
func IsFullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// FileLimit returns the error of a process, or a machine, that cannot open more files; nil
// if err is not one of these.
func FileLimit(err error) *Error {
	switch {
	case errors.Is(err, syscall.EMFILE):
		e := New(LimitExceeded, "the limit of files is reached: %v", err).Because(err)
		var limit syscall.Rlimit
		if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
			e.WithDetail("limit", uint64(limit.Cur))
			return e.WithHint("this process may have %d: allow more with: ulimit -n 4096 (then restart the daemon: action daemon stop)", limit.Cur)
		}
		return e.WithHint("allow more with: ulimit -n 4096")
	case errors.Is(err, syscall.ENFILE):
		return New(LimitExceeded, "the limit of files of the whole machine is reached: %v", err).
			WithHint("end other programs, or raise the limit of the system (on Linux: sysctl fs.file-max)").Because(err)
	}
	return nil
}
