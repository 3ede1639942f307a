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

// ReadyFD is the file descriptor to which a daemon started by [Process] reports whether it is
// listening. The program of the daemon passes it as daemon.Options.Ready.
const ReadyFD = 3

// Options configures [Ensure]. With the zero value, Ensure only connects to a running daemon.
type Options struct {
	// Socket is the path of the daemon's socket. "" means endpoint.Path.
	Socket string
	// Start starts a daemon and returns when it is listening; see [Process]. If another daemon was
	// faster, the error is [wire.AlreadyRunning]. If Start is nil, no daemon is started.
	Start func(ctx context.Context) error
	// Build is the build of the caller. If the running daemon is older, Ensure starts a new one,
	// and the old one ends after its runs. With the zero value, no daemon is replaced.
	Build wire.Build
	// Timeout bounds the whole call. 0 means 15s.
	Timeout time.Duration
	// Patience says how long to wait for a running daemon, here and in the calls of the returned
	// client. It does not limit the start of a daemon.
	Patience endpoint.Patience
}

// Ensure connects to the daemon, and starts one if none is running. If several callers call Ensure
// at once, only one daemon is started.
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
	var busy error // of the previous attempt
	for wait := time.Duration(0); ; wait = min(2*wait+time.Millisecond, 100*time.Millisecond) {
		c, err := greet(ctx, o)
		if err == nil {
			return c, nil
		}
		if busy != nil && isSilent(ctx) {
			return nil, busy
		}
		if o.Start == nil || diag.CodeOf(err) != diag.BrowserUnavailable || errors.Is(err, wire.ErrSilent) || ctx.Err() != nil {
			return nil, err
		}
		// If another daemon is already running, it is about to listen or about to end. Try again.
		last := err
		if busy = nil; errors.Is(err, wire.ErrBusy) {
			busy = err // it may take the connections that wait
		} else if err := o.Start(ctx); err == nil {
			o.Patience.Began = time.Now() // the start does not count towards the limit
		} else if !wire.IsAlreadyRunning(err) {
			return nil, err
		}
		if err := pause(ctx, wait, o, last); err != nil {
			return nil, err
		}
	}
}

// greet connects to the daemon and requests hello. If no daemon is running, the error is
// BROWSER_UNAVAILABLE.
func greet(ctx context.Context, o Options) (*Client, error) {
	c, err := Dial(ctx, o.Socket)
	if err != nil {
		return nil, err
	}
	c.Bound(o.Patience)
	hello, err := c.Hello(ctx)
	switch {
	case diag.CodeOf(err) == diag.Cancelled && ctx.Err() == nil:
		err = noDaemon(o.Socket, err) // the daemon is stopping
	case err != nil && ctx.Err() != nil:
		err = hangs(ctx, c, o)
	case err == nil && hello.Stopping:
		err = noDaemon(o.Socket, nil)
	case err == nil && hello.Protocol > wire.Protocol:
		err = diag.New(diag.InvalidRequest, "found a daemon with protocol %d, expected protocol %d", hello.Protocol, wire.Protocol).
			WithHint("update this program, or stop the daemon with: %s daemon stop", hello.Executable)
	case err == nil && (hello.Protocol < wire.Protocol || olderThan(hello.Build, o.Build)) && o.Start != nil:
		// The daemon removes its socket immediately and ends when its runs have ended.
		if err = c.replace(ctx); err == nil {
			err = noDaemon(o.Socket, nil)
		}
	}
	if err != nil {
		_ = c.Close() // report the first error
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

// pause waits for d before the next attempt to connect. The argument "last" is the error of the
// previous attempt. If a time limit ends first, pause returns this error. But if the error only
// says that there is no daemon, pause returns an error about the time limit.
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
			return e.WithHint("another daemon holds the lock but does not listen; kill it with: kill -9 %d", pid).WithDetail("pid", pid)
		}
		return e.WithHint("find the reason with: action daemon run")
	}
}

// Process returns a function for Options.Start that starts a daemon. The argument "program" is the
// path of the engine, and "given" is its command line. environ is its environment; nil means the
// environment of this process. The daemon is a session leader, and runs in the root folder. It
// inherits no open files: Process marks all other descriptors of this process as close-on-exec.
func Process(program string, given endpoint.Handover, environ []string) func(context.Context) error {
	return func(ctx context.Context) error {
		ready, report, err := os.Pipe()
		if err != nil {
			return cannotStart(err)
		}
		defer ready.Close()
		words, err := given.Open()
		if err != nil {
			_ = report.Close()
			return cannotStart(err)
		}
		defer words.Close()
		keepInherited()
		cmd := exec.Command(program)                         // not CommandContext, because the daemon outlives the caller
		cmd.Args = []string{endpoint.EngineName + " daemon"} // shown in process lists
		cmd.Dir = "/"
		if environ == nil {
			environ = os.Environ()
		}
		cmd.Env = append(slices.Clip(environ), endpoint.Handed(ReadyFD+1))
		cmd.ExtraFiles = []*os.File{report, words}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		err = cmd.Start()
		_ = report.Close() // the child owns it now
		if err != nil {
			return cannotStart(err)
		}
		line, err := readReady(ctx, ready)
		if err != nil {
			return err
		}
		if len(line) == 0 {
			return cannotStart(errors.Join(errors.New("the process ended before it listened"), cmd.Wait()))
		}
		var reply wire.Reply
		if err := json.Unmarshal(line, &reply); err != nil {
			return unreadable(0, err)
		}
		if reply.Error != nil {
			_ = cmd.Wait() // the process has reported its error and ends by itself
			return reply.Error
		}
		return cmd.Process.Release()
	}
}

// readReady reads the report that a starting daemon writes to a pipe. It reads until the daemon
// closes the pipe.
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
		WithHint("find the reason with: action daemon run").Because(err)
}

// keepInherited marks all open descriptors above 2 as close-on-exec. Otherwise the daemon would
// keep files open that a shell or a test has opened.
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
