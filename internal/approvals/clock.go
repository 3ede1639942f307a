package approvals

import "time"

// A Clock gives a table the time. Tests use one that they advance themselves.
type Clock interface {
	Now() time.Time
	// After waits for d, and then calls f in a goroutine of its own, unless stop is called first.
	After(d time.Duration, f func()) (stop func())
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) After(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
