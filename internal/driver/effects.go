package driver

import (
	"context"
	"time"
)

// Effects reports the effects of input. The number of an input is the result of Watch.
type Effects interface {
	// Watch begins to record the effects of the next input, and returns the number of the input. It
	// ends the recording for the previous input. Watch costs no round trip.
	Watch(o Watching) int
	// Caused returns the effects of the input n so far. If deep is set, it also queries the
	// documents that received the input, which costs a round trip for each.
	Caused(ctx context.Context, n int, deep bool) (Caused, error)
	// Expect waits until the input n has an effect of a kind, which is one of [spec.Effects] except
	// "none". If ctx ends first, the error is TIMEOUT.
	Expect(ctx context.Context, n int, kind string) error
	// Settle waits until the effects of the input n are over. It waits for requests, timers that
	// are due within half a second, frames, animations and loading content. It does not wait for
	// anything that began before the input. The argument "most" is the time limit. At the limit,
	// Settle returns a description of each effect that is still in progress.
	Settle(ctx context.Context, n int, o Watching, most time.Duration) (open []string, err error)
	// Await waits until the effects of the last input are over: its requests, and its timers that
	// are due within half a second. The argument "most" is the time limit. If the argument "after"
	// is not 0, it is the number of a request. Await then waits for the effects of all inputs after
	// this request. If nothing is pending, Await costs one round trip.
	Await(ctx context.Context, after int, most time.Duration) error
	// Unwatch ends all recording.
	Unwatch()
}

// Watching says which effects of an input to record.
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
