package client

import (
	"context"
	"errors"
	"time"

	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A silence measures how long the daemon has sent nothing. It belongs to one waiting call.
// See endpoint.Patience.
type silence struct {
	c     *Client
	timer *time.Timer
	asked time.Time // when the daemon was last greeted; zero: never
	until time.Time // when we give up, unless it sends something first
}

// Bound sets when the command began and which time limit its user has given; 0: none. A
// silent daemon is given up shortly after that. It must be called before any other method.
func (c *Client) Bound(p endpoint.Patience) { c.greet, c.answer = p.Greet, p.Answer }

func (c *Client) watch() *silence {
	return &silence{c: c, timer: time.NewTimer(c.greet(time.Now()))}
}

// look must be called when the timer has fired. The error says that the daemon does not
// answer.
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
		id, call, err := s.c.send(ctx, &wire.HelloRequest{})
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
	return wire.Silent(c.peer.PID, time.Since(time.Unix(0, c.heard.Load())))
}

// isSilent reports whether waiting for ctx to end has been in vain, as opposed to being
// interrupted.
func isSilent(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }
