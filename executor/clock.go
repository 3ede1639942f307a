package executor

import (
	"context"
	"time"
)

// A Clock provides the time for the waits, deadlines and durations of a run. Tests use clocks that
// they advance themselves.
type Clock interface {
	Now() time.Time
	// Sleep waits for d. If ctx ends first, it returns ctx.Err().
	Sleep(ctx context.Context, d time.Duration) error
	// AfterFunc calls f once d has passed, unless stop is called first. It must return before it calls
	// f, even if d is 0, because its caller holds a lock that f takes. f may still be running when
	// stop returns.
	AfterFunc(d time.Duration, f func()) (stop func())
}

// wallClock is the clock of the machine.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (wallClock) AfterFunc(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
