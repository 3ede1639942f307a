package client

import (
	"context"
	"errors"
	"time"

	"actionregistry/daemon/endpoint"
	"actionregistry/daemon/wire"
	"actionregistry/diag"
)

// A silence watches for how long the daemon has sent nothing. It belongs to one
// waiting call. See endpoint.Patience.
type silence struct {
	c     *Client
	timer *time.Timer
	asked time.Time // when the daemon was last greeted; zero: never
	until time.Time // when it is given up, unless it has said something since
}

// Bound says from when on the command counts and which time its user has given it; 0:
// none. A daemon that says nothing is given up shortly after that. It must be called
// before any other method.
func (c *Client) Bound(p endpoint.Patience) { c.greet, c.answer = p.Greet, p.Answer }

func (c *Client) watch() *silence {
	return &silence{c: c, timer: time.NewTimer(c.greet(time.Now()))}
}

// look is to be called when the timer has fired. The error says that the daemon
// does not answer.
func (s *silence) look(ctx context.Context) error {
	now, heard := time.Now(), time.Unix(0, s.c.heard.Load())
	quiet, greet := now.Sub(heard), s.c.greet(now)
	switch {
	case heard.After(s.asked) && quiet < greet:
		s.timer.Reset(greet - quiet)
		return nil
	case heard.After(s.asked):
		answer := s.c.answer(now)
		s.asked, s.until = now, now.Add(answer)
		id, call, err := s.c.send(ctx, wire.Request{Type: wire.TypeHello})
		if err != nil {
			return err
		}
		s.c.forget(id, call) // its arrival is enough
		s.timer.Reset(min(greet, answer))
		return nil
	case now.Before(s.until):
		s.timer.Reset(min(greet, s.until.Sub(now)))
		return nil
	}
	return s.c.silent()
}

func (c *Client) silent() error {
	return Silent(c.peer.PID, time.Since(time.Unix(0, c.heard.Load())))
}

// errSilent is the cause of every error of Silent.
var errSilent = errors.New("the daemon does not answer")

// Silent is the error of a command to a daemon that is there and does not answer;
// pid is its process, 0 when that is not known. Whether the command is carried out
// is unknown.
func Silent(pid int, after time.Duration) error {
	unit := time.Second
	if after < unit {
		unit = time.Millisecond
	}
	e := diag.New(diag.BrowserUnavailable, "the daemon is there and has not answered for %s", after.Truncate(unit)).
		WithDetail("outcome", "unknown").Because(errSilent)
	if pid == 0 {
		return e.WithHint("end its process, and run: action daemon start")
	}
	// A process that was stopped (SIGSTOP) does not end by a milder signal.
	return e.WithHint("end it with: action daemon stop --force (or kill -9 %d)", pid).WithDetail("pid", pid)
}

// busy is the error of a daemon that does not take connections.
func busy(path string, err error) error {
	pid := endpoint.Holder(path)
	e := diag.New(diag.BrowserUnavailable, "a daemon is there and takes no connection at %s: %v", path, err).Because(err)
	if pid == 0 {
		return e.WithHint("try again; if that does not help, end its process")
	}
	return e.WithHint("try again; if that does not help, end it with: kill -9 %d", pid).WithDetail("pid", pid)
}

// isSilent reports whether waiting for ctx to end has been in vain, as opposed to
// being interrupted.
func isSilent(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }
