// Package early ends the engine, with one error, if it may open too few files to start. Otherwise
// the Go runtime would abort with a trace of all goroutines.
//
// It must import only packages that open no files. Go initializes packages by their dependencies
// and then by their paths, so this one comes before package os, and before all packages that read
// files or start timers when they are initialized. It does not check what a command needs beyond
// that: too few files for a daemon or a browser are errors of their own.
package early

import "syscall"

// least is the number of files that a program needs before main begins: two of the Go runtime's
// poller, and one that a library reads.
const least = 3

func init() {
	if err := free(least); err != nil {
		const hint = "\n  hint: raise the limit of open files with `ulimit -n 4096`, or close other programs, then run the command again\n"
		_, _ = syscall.Write(2, []byte("LIMIT_EXCEEDED: the engine cannot open the files that it needs to start: "+err.Error()+hint))
		syscall.Exit(1)
	}
}

// free returns an error if n files more cannot be open at the same time.
func free(n int) error {
	var fds []int
	defer func() {
		for _, fd := range fds {
			_ = syscall.Close(fd)
		}
	}()
	for range n {
		fd, err := syscall.Open("/", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err == syscall.EMFILE || err == syscall.ENFILE {
			return err
		}
		if err == nil {
			fds = append(fds, fd)
		}
	}
	return nil
}
