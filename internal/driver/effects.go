package driver

import (
	"context"
	"time"
)

// Effects reports the effects of input. Inputs are identified by the numbers that Watch returns.
type Effects interface {
	// Watch begins to record the effects of the next input, and returns the number of that input. All
	// effects until the next call of Watch belong to the input. Watch costs no round trip.
	Watch(o Watching) int
	// Caused returns the effects that the input n has had so far. If deep is set, it also returns
	// effects that only the page knows. This costs one round trip to each document that received the
	// input.
	Caused(ctx context.Context, n int, deep bool) (Caused, error)
	// Expect waits until the input n has an effect of a kind. The kind is one of [spec.Effects], but
	// not "none". If ctx ends before there is such an effect, the error is TIMEOUT.
	Expect(ctx context.Context, n int, kind string) error
	// Settle waits until the effects of the input n are over: requests and the requests that they
	// cause, timers that are due within half a second, frames, animations that end, and loading
	// content. It ignores whatever was in progress before the input. The argument "most" is the time
	// limit. At the limit, Settle returns a description of each effect that is still in progress.
	Settle(ctx context.Context, n int, o Watching, most time.Duration) (open []string, err error)
	// Await waits until the effects of the last input are over: requests, and timers that are due
	// within half a second. The argument "most" is the time limit. The argument "after" is 0 or the
	// number of a request; with a number, Await waits for the effects of all inputs since that
	// request. If no effect is pending, Await costs one round trip.
	Await(ctx context.Context, after int, most time.Duration) error
	// Unwatch ends all recording.
	Unwatch()
}

// Watching determines which effects of an input the page records.
type Watching struct {
	Settles bool // Settle will be called
	Deep    bool // Caused with deep, or Expect with dom, will be called; the page then also records the effects of keys that press no button
	Busy    *Busy
}

// Caused holds the effects of an input.
type Caused struct {
	URL      string // new address of the page, or its address if it was loaded again
	Dialog   string // message of a browser dialog that opened
	Download string // name of the downloaded file
	Popup    string // address of a new tab
	Requests int    // requests begun, without recurring ones
	// Deep is set if the fields after it are valid.
	Deep    bool
	DOM     int    // changes of the page, counted up to 100, without those that only mark the pressed element
	Values  int    // fields whose value has changed as if by a person
	Focus   string // the element that got the focus, unless it was pressed
	Pending bool   // the page has set a timer since, or requests are open, so more effects may follow
}

// Any reports whether the input has had any effect.
func (c Caused) Any() bool {
	return c.URL != "" || c.Dialog != "" || c.Download != "" || c.Popup != "" || c.Requests > 0 || c.DOM > 0 || c.Values > 0 || c.Focus != ""
}
