package client

import (
	"context"
	"errors"
	"time"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// A silence measures how long the daemon has sent nothing while a call waits for it.
type silence struct {
	c       *Client
	timer   *time.Timer
	greeted time.Time // when the daemon was last greeted; zero means never
	until   time.Time // when we give up, unless the daemon sends something first
}

func (c *Client) watch() *silence {
	return &silence{c: c, timer: time.NewTimer(c.greet(time.Now()))}
}

// check greets the daemon if it has been silent too long, and resets the timer. It returns an error
// if the daemon has not answered the greeting in time. It must be called when the timer fires.
func (s *silence) check(ctx context.Context) error {
	now, heard := time.Now(), time.Unix(0, s.c.heard.Load())
	quiet, greet := now.Sub(heard), s.c.greet(now)
	switch {
	case heard.After(s.greeted) && quiet < greet:
		s.timer.Reset(greet - quiet)
		return nil
	case heard.After(s.greeted):
		answer := s.c.answer(now)
		s.greeted, s.until = now, now.Add(answer)
		id, call, err := s.c.send(ctx, &wire.HelloRequest{})
		if err != nil {
			return err
		}
		s.c.forget(id, call) // any later reply shows that the daemon works; this one is not needed
		s.timer.Reset(min(greet, answer))
		return nil
	case now.Before(s.until):
		s.timer.Reset(min(greet, s.until.Sub(now)))
		return nil
	}
	return s.c.silent()
}

// isSilent reports whether ctx ended because of its deadline.
func isSilent(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }
