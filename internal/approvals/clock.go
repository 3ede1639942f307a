package approvals

import "time"

// A Clock gives a table the time. Tests use one that they advance themselves.
type Clock interface {
	Now() time.Time
	// After calls f in its own goroutine when the time d has passed, unless stop is called first.
	After(d time.Duration, f func()) (stop func())
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) After(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
