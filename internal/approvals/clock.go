package approvals

import "time"

// A Clock is the time of a table. Tests control one manually.
type Clock interface {
	Now() time.Time
	// After calls f after d, in a goroutine of its own, unless stop is called first.
	After(d time.Duration, f func()) (stop func())
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) After(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
