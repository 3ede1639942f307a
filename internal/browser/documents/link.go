package documents

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// A Link is the connection to one tab. It sends commands, and waits for events.
type Link struct {
	tabID    string // such as t1
	Conn     *cdp.Conn
	Session  string
	Frame    proto.PageFrameID // the main one; also the target's id
	Left     chan struct{}     // closed when the tab is closed
	over     func(error) *diag.Error
	hindered func() *diag.Error
	signal   signal

	mu    sync.Mutex
	lost  *diag.Error // why the page no longer answers
	stuck bool        // the last call was not answered in time
	setup []*cdp.Call // the calls sent before the first document
}

// Finish waits for the replies to input events. It ignores errors that say that the document was
// replaced.
func (l *Link) Finish(ctx context.Context, calls []*cdp.Call) error {
	for _, k := range calls {
		if err := l.Explain(ctx, k.Wait(nil)); err != nil && !errors.Is(err, cdp.ErrGone) {
			return err
		}
	}
	return nil
}

// SetupCalls returns the calls that set up the page before its first document.
func (l *Link) SetupCalls() []*cdp.Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.setup
}

// SetUp records the calls that set up the page before its first document.
func (l *Link) SetUp(calls []*cdp.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setup = calls
	l.Notify()
}

// AwaitSetUp waits until SetUp was called and its calls have been answered.
func (l *Link) AwaitSetUp(ctx context.Context) error {
	var setup []*cdp.Call
	if err := l.Until(ctx, unready, func() bool { setup = l.SetupCalls(); return setup != nil }); err != nil {
		return err
	}
	for _, k := range setup {
		select {
		case <-k.Done():
		case <-ctx.Done():
			return l.Explain(ctx, ctx.Err())
		}
		if err := k.Wait(nil); err != nil && !cdp.HasLocale(err) {
			return l.Explain(ctx, err)
		}
	}
	return nil
}

// unready is the message of the error for a tab that does not become usable in time.
const unready = "the new tab is not ready"

// Lost returns why the page no longer answers, or nil if it still answers.
func (l *Link) Lost() error {
	if lost := l.cause(); lost != nil {
		return lost.Clone()
	}
	return nil
}

// Lose makes all pending and later calls to the page fail. If it is called again, the first cause
// is kept.
func (l *Link) Lose(cause *diag.Error) {
	l.mu.Lock()
	first := l.lost == nil
	if first {
		l.lost = cause
	}
	l.Notify()
	l.mu.Unlock()
	switch {
	case !first:
	case l.IsGone(): // for pending calls this is like the end of a document
		l.Conn.Lose(l.Session, cdp.ErrGone)
	default:
		l.Conn.Lose(l.Session, cause)
	}
}

// why returns the error for a call to a page that no longer answers. It is a copy of the given
// error, unless the connection to the browser has ended.
func (l *Link) why(lost *diag.Error) error {
	select {
	case <-l.Conn.Ended():
		return l.over(cdp.ErrClosed)
	default:
		return lost.Clone()
	}
}

// StartIn is like [Frames.Start], but it sends the command to the given session. That is the
// session of the page or of a frame.
func (l *Link) StartIn(ctx context.Context, session string, req proto.Request) *cdp.Call {
	if lost := l.cause(); lost != nil {
		return cdp.Failed(l.why(lost))
	}
	if blocked := l.hindered(); blocked != nil {
		return cdp.Failed(blocked)
	}
	return l.Conn.Start(ctx, session, req)
}

// Do sends a command and waits for its reply. It sends the command again if the page has refused it
// because its document was being replaced.
func (l *Link) Do(ctx context.Context, req proto.Request, out any) error {
	err := l.StartIn(ctx, l.Session, req).Wait(out)
	for n := 0; n < swapTries && cdp.IsSwapping(err); n++ {
		if err := pause(ctx, nil, l.Conn.Ended(), swapPause); err != nil {
			return l.Explain(ctx, err)
		}
		err = l.StartIn(ctx, l.Session, req).Wait(out)
	}
	return cdp.Explain(ctx, err, l.over)
}

// Do sends a refused command again at most swapTries times. Before each attempt it waits for
// swapPause.
const (
	swapTries = 100
	swapPause = 10 * time.Millisecond
)

// Notify wakes the goroutines that wait in Until. It may be called with any lock held.
func (l *Link) Notify() { l.signal.notify() }

// Until waits until cond returns true. It calls cond after each change, without holding a lock. At
// the deadline of ctx, it returns TIMEOUT with the given message.
func (l *Link) Until(ctx context.Context, late string, cond func() bool) error {
	return l.UntilQuiet(ctx, late, func() (bool, time.Duration) { return cond(), 0 })
}

// UntilQuiet is like Until, for conditions that may become true as time passes. cond also returns
// the time after which it is called again even without a change. A time of 0 means that only a
// change counts.
func (l *Link) UntilQuiet(ctx context.Context, late string, cond func() (bool, time.Duration)) error {
	for {
		seen := l.signal.now()
		if lost := l.cause(); lost != nil {
			return l.why(lost)
		}
		ok, again := cond()
		if ok {
			return nil
		}
		if blocked := l.hindered(); blocked != nil {
			return blocked
		}
		if err := pause(ctx, l.signal.after(seen), l.Conn.Ended(), again); err != nil {
			if errors.Is(err, cdp.ErrClosed) {
				return l.over(err)
			}
			return cdp.Overdue(err, late)
		}
	}
}

// cause returns why the page no longer answers, or nil if it still answers.
func (l *Link) cause() *diag.Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// pause waits until the first channel is closed, but at most for d. If d is 0, there is no time
// limit. It returns an error if ctx or the connection ends first.
func pause(ctx context.Context, changed, ended <-chan struct{}, d time.Duration) error {
	var tick <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		tick = timer.C
	}
	select {
	case <-changed:
	case <-tick:
	case <-ended:
		return cdp.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Explain is [cdp.Explain] for this connection.
func (l *Link) Explain(ctx context.Context, err error) error { return cdp.Explain(ctx, err, l.over) }

// Pause waits for d. It fails if ctx or the connection ends first.
func (l *Link) Pause(ctx context.Context, d time.Duration) error {
	return pause(ctx, nil, l.Conn.Ended(), d)
}

// SessionsWith returns the tab's own session and the given one, if that differs.
func (l *Link) SessionsWith(session string) []string {
	if session == l.Session {
		return []string{session}
	}
	return []string{l.Session, session}
}

// IsGone reports whether the tab is closed.
func (l *Link) IsGone() bool {
	select {
	case <-l.Left:
		return true
	default:
		return false
	}
}

// closeTime is how long a page may take to close its tab.
const closeTime = 2 * time.Second

// AwaitClose waits for the end of a tab that its page is closing. It waits at most for closeTime.
func (l *Link) AwaitClose(ctx context.Context) {
	late := time.NewTimer(closeTime)
	defer late.Stop()
	select {
	case <-l.Left:
	case <-l.Conn.Ended():
	case <-ctx.Done():
	case <-late.C: // the browser has not let the page close its tab
	}
}

// hear waits for the reply to an engine call and decodes it into r.
func (l *Link) hear(ctx context.Context, k *cdp.Call, r any) error {
	if err := k.Wait(r); err != nil {
		err = l.Explain(ctx, err)
		if !errors.Is(context.Cause(ctx), ErrSettled) {
			l.Suspect(err)
		}
		return err
	}
	l.setStuck(false)
	return nil
}

// Suspect marks the page as stuck if err means that a call timed out or was cancelled.
func (l *Link) Suspect(err error) {
	if code := diag.CodeOf(err); code == diag.Timeout || code == diag.Cancelled {
		l.setStuck(true)
	}
}

// setStuck records whether the page has failed to answer in time.
func (l *Link) setStuck(stuck bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stuck = stuck
}

// IsStuck reports whether the page has failed to answer the last call in time.
func (l *Link) IsStuck() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stuck
}
