package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// ReadyFD is the file descriptor on which a process started by [Process] reports that it is
// listening: pass it as daemon.Options.Ready.
const ReadyFD = 3

// Options are the options of [Ensure]. The zero value connects to a daemon, starts none and
// replaces none.
type Options struct {
	// Socket is the daemon's; "": that of endpoint.Path.
	Socket string
	// Start starts a daemon and returns when it is listening, like Process. An error of
	// wire.IsAlreadyRunning means that another one was faster. nil: none is started.
	Start func(ctx context.Context) error
	// Build is that of the caller: an older daemon ends when its runs have, and another is
	// started. Its zero value: none is replaced.
	Build wire.Build
	// Timeout bounds everything together; 0: 15s.
	Timeout time.Duration
	// Patience is that of the command. It bounds the wait for a running daemon, but not the
	// starting of one, and also applies to the returned client.
	Patience endpoint.Patience
}

// Ensure connects to a daemon that answers, and starts one if necessary. However many
// callers do so together, one daemon is started.
func Ensure(ctx context.Context, o Options) (*Client, error) {
	if o.Socket == "" {
		o.Socket = endpoint.Path(nil)
	}
	if o.Timeout == 0 {
		o.Timeout = 15 * time.Second
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errLate(o.Timeout))
	defer cancel()
	if o.Patience.Began.IsZero() {
		o.Patience.Began = time.Now()
	}
	for wait := time.Duration(0); ; wait = min(2*wait+time.Millisecond, 100*time.Millisecond) {
		c, err := greet(ctx, o)
		if err == nil {
			return c, nil
		}
		if o.Start == nil || diag.CodeOf(err) != diag.BrowserUnavailable || errors.Is(err, wire.ErrSilent) || ctx.Err() != nil {
			return nil, err
		}
		// If another one is already running, it is about to listen or about to end: try
		// again.
		last := err
		switch err := o.Start(ctx); {
		case err == nil:
			o.Patience.Began = time.Now() // the time of the start does not count
		case !wire.IsAlreadyRunning(err):
			return nil, err
		}
		if err := pause(ctx, wait, o, last); err != nil {
			return nil, err
		}
	}
}

// greet connects and shakes hands. BROWSER_UNAVAILABLE means that there is no daemon any
// more, or not yet.
func greet(ctx context.Context, o Options) (*Client, error) {
	c, err := Dial(ctx, o.Socket)
	if err != nil {
		return nil, err
	}
	c.Bound(o.Patience)
	hello, err := c.Hello(ctx)
	switch {
	case diag.CodeOf(err) == diag.Cancelled && ctx.Err() == nil:
		err = noDaemon(o.Socket, err) // it is ending
	case err != nil && ctx.Err() != nil:
		err = hangs(ctx, c, o)
	case err == nil && hello.Stopping:
		err = noDaemon(o.Socket, nil)
	case err == nil && hello.Protocol > wire.Protocol:
		err = diag.New(diag.InvalidRequest, "the daemon speaks protocol %d, this program %d", hello.Protocol, wire.Protocol).
			WithHint("update this program, or end the daemon with its own: %s daemon stop", hello.Executable)
	case err == nil && (hello.Protocol < wire.Protocol || olderThan(hello.Build, o.Build)) && o.Start != nil:
		// It gives up its socket at once and ends when its runs have.
		if err = c.replace(ctx); err == nil {
			err = noDaemon(o.Socket, nil)
		}
	}
	if err != nil {
		_ = c.Close() // the first error is the one to report
		return nil, err
	}
	return c, nil
}

func hangs(ctx context.Context, c *Client, o Options) error {
	if !isSilent(ctx) {
		return interrupted(ctx)
	}
	return wire.Silent(c.PID(), o.Timeout)
}

func errLate(after time.Duration) error {
	return errors.New("the daemon did not answer within " + after.String())
}

// pause waits before the next attempt. The error of the last attempt says more than that
// the time is up.
func pause(ctx context.Context, d time.Duration, o Options, last error) error {
	if o.Patience.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.Patience.Left(time.Now()), errLate(o.Patience.Limit+endpoint.Grace))
		defer cancel()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if !isSilent(ctx) {
			return interrupted(ctx)
		}
		if !wire.IsNoDaemon(last) {
			return last
		}
		e := diag.New(diag.BrowserUnavailable, "%v", context.Cause(ctx)).Because(ctx.Err())
		if pid := endpoint.Holder(o.Socket); pid != 0 {
			return e.WithHint("a daemon has the place and does not listen; end it with: kill -9 %d", pid).WithDetail("pid", pid)
		}
		return e.WithHint("see why with: action daemon run")
	}
}

// Process returns a Start that runs the engine in the background, as a session leader in
// the root folder, with the command line of given. The engine inherits none of the caller's
// open files; descriptors that this process has itself inherited are therefore marked
// close-on-exec. A nil environ is the caller's. The program reports on [ReadyFD] how
// starting went.
func Process(program string, given endpoint.Handover, environ []string) func(context.Context) error {
	return func(ctx context.Context) error {
		ready, tell, err := os.Pipe()
		if err != nil {
			return cannotStart(err)
		}
		defer ready.Close()
		words, err := given.Open()
		if err != nil {
			_ = tell.Close()
			return cannotStart(err)
		}
		defer words.Close()
		keepInherited()
		cmd := exec.Command(program)                         // not CommandContext: it outlives the caller
		cmd.Args = []string{endpoint.EngineName + " daemon"} // shown in process lists
		cmd.Dir = "/"
		if environ == nil {
			environ = os.Environ()
		}
		cmd.Env = append(slices.Clip(environ), endpoint.Handed(ReadyFD+1))
		cmd.ExtraFiles = []*os.File{tell, words}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		err = cmd.Start()
		_ = tell.Close() // it belongs to the child now
		if err != nil {
			return cannotStart(err)
		}
		line, err := readReady(ctx, ready)
		if err != nil {
			return err
		}
		if len(line) == 0 {
			return cannotStart(errors.Join(errors.New("it ended before it listened"), cmd.Wait()))
		}
		var reply wire.Reply
		if err := json.Unmarshal(line, &reply); err != nil {
			return unreadable(0, err)
		}
		if reply.Error != nil {
			_ = cmd.Wait() // it ends by itself, and has reported its error
			return reply.Error
		}
		return cmd.Process.Release()
	}
}

// readReady reads the report of the process until it closes its end.
func readReady(ctx context.Context, ready *os.File) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { _ = ready.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := io.ReadAll(io.LimitReader(ready, wire.MaxLineBytes))
	if err == nil {
		return line, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return nil, cannotStart(err)
}

func cannotStart(err error) error {
	if limit := diag.FileLimit(err); limit != nil {
		return limit
	}
	return diag.New(diag.BrowserUnavailable, "the daemon could not be started: %v", err).
		WithHint("see why with: action daemon run").Because(err)
}

// keepInherited keeps descriptors that a shell or test has left open in this process from
// the daemon, which would hold them for hours. Go's own are marked already.
func keepInherited() {
	names, err := filepath.Glob("/dev/fd/*")
	if err != nil {
		return
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(filepath.Base(name)); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
