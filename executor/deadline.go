package executor

// Time limits that stand still while a run waits for a person.
//
// A deadline is the context of one limit: that of the run, of an attempt of a step, or of a check.
// The limits in force form a chain, from the innermost to that of the run. A pause stops all of
// them, so the wait for a person counts towards none of them. A limit that is made during a pause
// runs as usual, so it can bound the wait itself.
//
// A deadline is a type of its own because the contexts of package context cannot be extended: they
// report DeadlineExceeded only at the time with which they were made, and steps depend on that error.

import (
	"context"
	"sync"
	"time"
)

// A deadline is a context that ends after a time that can be paused. It is safe for concurrent use.
type deadline struct {
	clock Clock
	outer *deadline // the limit around this one; nil for the outermost
	above context.Context
	base  context.Context // keeps the values and the cause; it has no children
	end   context.CancelCauseFunc
	cause error
	done  chan struct{}

	// mu guards the fields below. A goroutine that holds it may also lock the mu of an outer
	// deadline.
	mu     sync.Mutex
	err    error
	paused int
	at     time.Time     // when the time is up; out of date during a pause
	left   time.Duration // the time that was left when the pause began
	timer  func()        // stops the timer

	unwatch func() bool // stops the call of passOn at the end of base
	after   map[*func()]struct{}
}

type deadlineKey struct{}

// withDeadline is like [context.WithTimeoutCause] with the clock c. [deadline.Pause] can stop the
// time. A nil cause means [context.DeadlineExceeded].
func withDeadline(ctx context.Context, c Clock, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	if cause == nil {
		cause = context.DeadlineExceeded
	}
	d := &deadline{clock: c, outer: deadlineOf(ctx), above: ctx, cause: cause, done: make(chan struct{}), left: limit}
	d.base, d.end = context.WithCancelCause(ctx)
	d.mu.Lock()
	d.unwatch = context.AfterFunc(d.base, d.passOn)
	d.start()
	d.mu.Unlock()
	if limit <= 0 {
		d.expire()
	}
	if ctx.Err() != nil {
		d.passOn()
	}
	return d, func() { d.finish(context.Canceled, context.Canceled) }
}

// deadlineOf returns the innermost limit in force in ctx, or nil if there is none.
func deadlineOf(ctx context.Context) *deadline {
	d, _ := ctx.Value(deadlineKey{}).(*deadline)
	return d
}

// start starts the timer. The caller holds mu.
func (d *deadline) start() {
	d.at = d.clock.Now().Add(d.left)
	d.timer = d.clock.AfterFunc(d.left, d.expire)
}

// expire ends the context if its time is up. It does nothing if a pause is in progress or has moved
// the end of the time.
func (d *deadline) expire() {
	d.mu.Lock()
	early := d.paused > 0 || d.clock.Now().Before(d.at)
	d.mu.Unlock()
	if !early {
		d.finish(context.DeadlineExceeded, d.cause)
	}
}

// passOn ends the context because the context above it has ended.
func (d *deadline) passOn() { d.finish(d.above.Err(), context.Cause(d.above)) }

// finish ends the context with err and cause, unless it has ended. If the context above ended
// first, finish uses the error and cause of that context. It calls the callbacks without holding
// mu, because they end other contexts.
func (d *deadline) finish(err, cause error) {
	d.mu.Lock()
	if d.err != nil {
		d.mu.Unlock()
		return
	}
	d.unwatch()
	d.end(cause)
	if above := d.above.Err(); above != nil && context.Cause(d.base) != cause {
		err = above
	}
	d.err = err
	d.timer()
	after := d.after
	d.after = nil
	close(d.done)
	d.mu.Unlock()
	for f := range after {
		(*f)()
	}
}

// Deadline returns the nearest end of the limits in force. It leaves out limits that are paused.
func (d *deadline) Deadline() (time.Time, bool) {
	outer, ok := d.above.Deadline()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paused > 0 || ok && outer.Before(d.at) {
		return outer, ok
	}
	return d.at, true
}

func (d *deadline) Done() <-chan struct{} { return d.done }

// Err implements [context.Context]. If the context above has ended, it ends this context too.
func (d *deadline) Err() error {
	if d.above.Err() != nil {
		d.passOn()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

func (d *deadline) Value(key any) any {
	if key == (deadlineKey{}) {
		return d
	}
	return d.base.Value(key)
}

// AfterFunc calls f when the context has ended. If the context has ended already, f is called in
// its own goroutine. Package context uses AfterFunc to watch this context without a goroutine.
func (d *deadline) AfterFunc(f func()) (stop func() bool) {
	d.mu.Lock()
	if d.err != nil {
		d.mu.Unlock()
		go f() // not here: package context holds a lock that f takes
		return func() bool { return false }
	}
	defer d.mu.Unlock()
	if d.after == nil {
		d.after = make(map[*func()]struct{})
	}
	d.after[&f] = struct{}{}
	return func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		_, ok := d.after[&f]
		delete(d.after, &f)
		return ok
	}
}

// A pause stops the time of a deadline and of the deadlines around it.
type pause struct {
	limits []*deadline
	once   sync.Once
}

// Pause stops the time of d and of the deadlines around it until [pause.Resume] is called. It does
// not stop a deadline that the caller of the executor has set. Cancelling the context still ends
// it. Pauses may overlap: time counts again when all have ended. If d is nil, Pause does nothing.
func (d *deadline) Pause() *pause {
	p := new(pause)
	for ; d != nil; d = d.outer {
		p.limits = append(p.limits, d)
		d.mu.Lock()
		if d.paused++; d.paused == 1 {
			d.timer()
			d.left = d.at.Sub(d.clock.Now())
		}
		d.mu.Unlock()
	}
	return p
}

// Resume ends the pause. Each deadline has as much time left as when the pause began. Only the
// first call has an effect.
func (p *pause) Resume() {
	p.once.Do(func() {
		for _, d := range p.limits {
			d.mu.Lock()
			if d.paused--; d.paused == 0 && d.err == nil {
				d.start()
			}
			d.mu.Unlock()
		}
	})
}
