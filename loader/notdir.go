package loader

import "syscall"

// errNotDir is what looking below a file gives: a node_modules that is a file.
var errNotDir error = syscall.ENOTDIR
