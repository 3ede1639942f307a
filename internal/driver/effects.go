package driver

import (
	"context"
	"time"
)

// Effects says what comes of input. The numbers are those that Watch has given.
type Effects interface {
	// Watch begins to note what comes of the input that follows: until the next call, all
	// that comes is its. It costs no round trip.
	Watch(o Watching) int
	// Caused says what has come of an input so far. deep: also what only the page knows, for
	// one round trip to each document that it went to.
	Caused(ctx context.Context, n int, deep bool) (Caused, error)
	// Expect waits until an effect of this kind, one of [spec.Effects] besides none, has come
	// of the input. It is TIMEOUT otherwise.
	Expect(ctx context.Context, n int, kind string) error
	// Settle waits until what the input has caused is over: requests, and those that they
	// began; timers that the page has set since, for half a second; frames; animations that
	// have an end; and what is loading. What was going on before does not count. It waits for
	// most at most, and says what was still open then.
	Settle(ctx context.Context, n int, o Watching, most time.Duration) (open []string, err error)
	// Await waits until what the last input has begun is over, for most at most: requests, and
	// timers that are due within half a second. Where nothing is left of it, that costs one round trip.
	Await(ctx context.Context, most time.Duration) error
	// Unwatch ends all notes.
	Unwatch()
}

// Watching says what is to be noted of the page before an input.
type Watching struct {
	Settles bool // Settle will be called
	Deep    bool // so will Caused with deep, or Expect with dom: also for keys that press no button
	Busy    *Busy
}

// Caused is what has come of an input.
type Caused struct {
	URL      string // of the page, if it is another one or was loaded again
	Dialog   string // message of a dialog of the browser that came up
	Download string // name of the file
	Popup    string // address of a new tab
	Requests int    // begun, without those that go on all the time
	// The rest is known if Deep is set.
	Deep    bool
	DOM     int    // changes of the page, without those that only mark what was pressed; counted up to 100
	Values  int    // fields whose value a person would have changed
	Focus   string // the element that has got it, unless that was pressed
	Pending bool   // the page has set a timer since, or requests are open: more may come
}

// Any reports whether anything has come of the input.
func (c Caused) Any() bool {
	return c.URL != "" || c.Dialog != "" || c.Download != "" || c.Popup != "" || c.Requests > 0 || c.DOM > 0 || c.Values > 0 || c.Focus != ""
}
