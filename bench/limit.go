package main

// The limit of a command line: a Go program that only sends a request, answered by Chromium alone.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

const limitName = "Go and Chromium alone"

// A limitCLI is a lane that starts the program limit for each operation, and answers it with the
// browser's result. It is not a competing tool, but the lower bound for any command line written in
// Go.
type limitCLI struct {
	*chromium
	name   string
	one    func(Args) (string, error) // executes one operation
	binary string
	socket string
	ln     net.Listener
	served sync.WaitGroup

	mu  sync.Mutex // guards err
	err error      // error of the last operation
}

// buildLimit builds the program limit with the product's build flags.
func buildLimit(ctx context.Context, root, dir string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, "limit"))
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./limit")
	cmd.Dir = filepath.Join(root, "bench")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return path, nil
}

// newLimit starts a limitCLI with the given name. one executes an operation in c.
func newLimit(c *chromium, name string, one func(Args) (string, error), binary, dir string) (*limitCLI, error) {
	dir, err := os.MkdirTemp(dir, "limit-")
	if err != nil {
		return nil, err
	}
	l := &limitCLI{chromium: c, name: name, one: one, binary: binary, socket: filepath.Join(dir, "sock")}
	if l.ln, err = net.Listen("unix", l.socket); err != nil {
		return nil, err
	}
	l.served.Go(l.serve)
	return l, nil
}

func (l *limitCLI) stop() {
	l.ln.Close()
	l.served.Wait()
}

// serve answers the connections of the program limit, one after another.
func (l *limitCLI) serve() {
	for {
		conn, err := l.ln.Accept()
		if err != nil {
			return // the listener is closed
		}
		text, why := l.answer(conn)
		_, err = io.WriteString(conn, text)
		l.mu.Lock()
		l.err = errors.Join(why, err)
		l.mu.Unlock()
		conn.Close() // the program ends when its connection is closed
	}
}

func (l *limitCLI) answer(conn net.Conn) (string, error) {
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil {
		return "", err
	}
	var ops []Args
	if err := json.Unmarshal(line, &ops); err != nil {
		return "", err
	}
	var text string
	for _, op := range ops {
		if text, err = l.one(op); err != nil {
			return "", err
		}
	}
	return text, nil
}

func (l *limitCLI) Name() string { return l.name }

func (l *limitCLI) Do(ctx context.Context, op Args) (Reply, error) { return l.Flow(ctx, []Args{op}) }

func (l *limitCLI) Flow(ctx context.Context, ops []Args) (Reply, error) {
	request, err := json.Marshal(ops)
	if err != nil {
		return Reply{}, err
	}
	r, err := runCommand(ctx, environ(), l.binary, l.socket, string(request))
	l.mu.Lock()
	defer l.mu.Unlock()
	return r, errors.Join(err, l.err)
}
