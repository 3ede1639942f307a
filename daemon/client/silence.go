package client

import (
	"context"
	"errors"
	"time"

	"actionregistry/daemon/endpoint"
	"actionregistry/daemon/wire"
	"actionregistry/diag"
)

// A daemon that lives answers a greeting at once, whatever it runs. So a run may
// take as long as it takes, while a daemon that was stopped, or is none, is given
// up.
const (
	pingTime  = 5 * time.Second  // without a line of the daemon's, after which it is greeted
	aliveTime = 15 * time.Second // for it to answer then, or to take what it is sent
)

// A silence watches for how long the daemon has sent nothing. It belongs to one
// waiting call.
type silence struct {
	c     *Client
	timer *time.Timer
	asked time.Time // of the greeting that has not been answered; zero: none
}

func (c *Client) watch() *silence { return &silence{c: c, timer: time.NewTimer(c.ping)} }

// look is to be called when the timer has fired. The error says that the daemon
// does not answer.
func (s *silence) look(ctx context.Context) error {
	now, heard := time.Now(), time.Unix(0, s.c.heard.Load())
	switch {
	case heard.After(s.asked) && now.Sub(heard) < s.c.ping:
		s.asked = time.Time{}
		s.timer.Reset(s.c.ping - now.Sub(heard))
		return nil
	case heard.After(s.asked):
		s.asked = now
		id, call, err := s.c.send(ctx, wire.Request{Type: wire.TypeHello})
		if err != nil {
			return err
		}
		s.c.forget(id, call) // its arrival is enough
		s.timer.Reset(s.c.ping)
		return nil
	case now.Sub(s.asked) < s.c.alive:
		s.timer.Reset(min(s.c.ping, s.c.alive-now.Sub(s.asked)))
		return nil
	}
	return s.c.silent()
}

func (c *Client) silent() error { return Silent(c.peer.PID, c.alive) }

// Silent is the error of a command to a daemon that is there and does not answer;
// pid is its process, 0 when that is not known. Whether the command is carried out
// is unknown.
func Silent(pid int, after time.Duration) error {
	e := diag.New(diag.BrowserUnavailable, "the daemon is there and has not answered for %s", after).
		WithDetail("outcome", "unknown")
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
