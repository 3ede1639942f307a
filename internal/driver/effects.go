package driver

import (
	"context"
	"time"
)

// Effects reports the effects of input. Inputs are identified by the numbers that Watch returns.
type Effects interface {
	// Watch begins to record the effects of the input that follows: all effects until the next call
	// belong to that input. It returns the number of the input. It costs no round trip.
	Watch(o Watching) int
	// Caused returns the effects of an input so far. With deep, it includes what only the page
	// knows, for one round trip to each document that the input went to.
	Caused(ctx context.Context, n int, deep bool) (Caused, error)
	// Expect waits until the input has an effect of this kind, one of [spec.Effects] besides none.
	// Otherwise it is TIMEOUT.
	Expect(ctx context.Context, n int, kind string) error
	// Settle waits until what the input has caused is over: requests, and those that they began;
	// timers that the page has set since, for half a second; frames; animations that have an end;
	// and what is loading. What was going on before does not count. It waits at most most, and
	// returns what was still open then.
	Settle(ctx context.Context, n int, o Watching, most time.Duration) (open []string, err error)
	// Await waits, at most most, until what the last input has begun is over: requests, and timers
	// that are due within half a second. After a request with a number, that is what the inputs
	// since then have begun; 0: only the last one. If nothing of it is left, that costs one round trip.
	Await(ctx context.Context, after int, most time.Duration) error
	// Unwatch ends all recording.
	Unwatch()
}

// Watching says what to record of the page before an input.
type Watching struct {
	Settles bool // Settle will be called
	Deep    bool // Caused with deep, or Expect with dom, will be called; also for keys that press no button
	Busy    *Busy
}

// Caused holds the effects of an input.
type Caused struct {
	URL      string // of the page, if it changed or was loaded again
	Dialog   string // message of a browser dialog that opened
	Download string // name of the file
	Popup    string // address of a new tab
	Requests int    // requests begun, without those that go on all the time
	// The rest is known if Deep is set.
	Deep    bool
	DOM     int    // changes of the page, counted up to 100, without those that only mark what was pressed
	Values  int    // fields whose value a person would have changed
	Focus   string // the element that got the focus, unless it was pressed
	Pending bool   // the page has set a timer since, or requests are open, so more may follow
}

// Any reports whether the input has had any effect.
func (c Caused) Any() bool {
	return c.URL != "" || c.Dialog != "" || c.Download != "" || c.Popup != "" || c.Requests > 0 || c.DOM > 0 || c.Values > 0 || c.Focus != ""
}
