package approvals

import "time"

// A Clock gives a table the time. Tests use one that they advance themselves.
type Clock interface {
	Now() time.Time
	// After calls f in a goroutine of its own once the time d has passed. The function that After
	// returns prevents this call.
	After(d time.Duration, f func()) (stop func())
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) After(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
