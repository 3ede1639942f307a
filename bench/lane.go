package main

// Lanes: ways to make a tool execute an operation.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"time"
)

// Args is an operation in the form that both command lines accept: {"fill", "#name", "Ann"}. A flow
// is a list of them.
type Args []string

// A Reply is the result of an operation.
type Reply struct {
	Elapsed time.Duration
	Text    string
}

// A Lane executes operations and measures their time. Only one goroutine may use it at a time.
type Lane interface {
	Name() string
	// Do executes one operation.
	Do(ctx context.Context, op Args) (Reply, error)
	// Flow executes a list of operations in the fastest way that the tool offers, and returns the
	// text of the last operation.
	Flow(ctx context.Context, ops []Args) (Reply, error)
}

// runCommand runs a program until it ends and returns its output.
func runCommand(ctx context.Context, environ []string, path string, args ...string) (Reply, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = environ
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// A daemon that the program starts may keep stderr open.
	cmd.WaitDelay = time.Second
	began := time.Now()
	err := cmd.Run()
	elapsed := time.Since(began)
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return Reply{}, fmt.Errorf("%s: %w: %s%s", strings.Join(args, " "), err, stderr.Bytes(), stdout.Bytes())
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return Reply{}, fmt.Errorf("%s: the time cannot be measured, because a process that it has started keeps its output open", strings.Join(args, " "))
	}
	return Reply{elapsed, strings.TrimSpace(stdout.String())}, nil
}

// A jsonLines is a connection on which each request and each reply is a line of JSON.
type jsonLines struct {
	conn net.Conn
	in   *bufio.Reader
}

func dialLines(ctx context.Context, socket string) (*jsonLines, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	return &jsonLines{conn, bufio.NewReaderSize(conn, 1<<16)}, nil
}

// ask sends request and decodes the reply into into. The measured time excludes encoding and
// decoding.
func (l *jsonLines) ask(ctx context.Context, request, into any) (time.Duration, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return 0, err
	}
	stop := context.AfterFunc(ctx, func() { l.conn.Close() })
	defer stop()
	began := time.Now()
	if _, err := l.conn.Write(append(line, '\n')); err != nil {
		return 0, errors.Join(ctx.Err(), err)
	}
	answer, err := l.in.ReadBytes('\n')
	elapsed := time.Since(began)
	if err != nil {
		return 0, errors.Join(ctx.Err(), err)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return 0, fmt.Errorf("%w in %.200s", err, answer)
	}
	return elapsed, nil
}

func (l *jsonLines) close() { l.conn.Close() }

// oneByOne executes a flow as single operations.
func oneByOne(ctx context.Context, lane Lane, ops []Args) (Reply, error) {
	var sum Reply
	for _, op := range ops {
		r, err := lane.Do(ctx, op)
		if err != nil {
			return Reply{}, err
		}
		sum.Elapsed += r.Elapsed
		sum.Text = r.Text
	}
	return sum, nil
}

// text returns the text of a JSON value; a string is its own text.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}
