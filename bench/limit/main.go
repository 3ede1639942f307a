// Command limit is a minimal command line in Go: it sends its arguments over a unix socket and
// prints the answer. Bench answers with the result of Chromium. The program contains no code of
// action, and avoids packages of the standard library that need initialisation.
package main

import (
	"os"
	"syscall"
)

func main() {
	if err := ask(os.Args[1], os.Args[2]); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func ask(socket, request string) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: socket}); err != nil {
		return err
	}
	if _, err := syscall.Write(fd, []byte(request+"\n")); err != nil {
		return err
	}
	for answer := make([]byte, 16<<10); ; {
		n, err := syscall.Read(fd, answer)
		if n <= 0 {
			return err
		}
		if _, err := os.Stdout.Write(answer[:n]); err != nil {
			return err
		}
	}
}
