package executor

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var errUp, errOuter = errors.New("time is up"), errors.New("the outer time is up")

// state returns the error and the cause of ctx, once every other goroutine of the test is blocked.
func state(ctx context.Context) (error, error) {
	synctest.Wait()
	select {
	case <-ctx.Done():
	default:
		return nil, nil
	}
	return ctx.Err(), context.Cause(ctx)
}

func TestDeadlineEnds(t *testing.T) {
	type ctxCancel struct {
		context.Context
		cancel context.CancelFunc
	}
	tests := []struct {
		name       string
		do         func(user, outer, inner ctxCancel)
		err, cause error
	}{
		{"nothing", func(_, _, _ ctxCancel) {}, nil, nil},
		{"its own time", func(_, _, _ ctxCancel) { time.Sleep(time.Minute) }, context.DeadlineExceeded, errUp},
		{"cancelled by the caller", func(user, _, _ ctxCancel) { user.cancel() }, context.Canceled, context.Canceled},
		{"cancelled while paused", func(user, _, inner ctxCancel) { deadlineOf(inner).Pause(); user.cancel() }, context.Canceled, context.Canceled},
		{"cancelled around it", func(_, outer, _ ctxCancel) { outer.cancel() }, context.Canceled, context.Canceled},
		{"cancelled itself", func(_, _, inner ctxCancel) { inner.cancel() }, context.Canceled, context.Canceled},
		{"paused", func(_, _, inner ctxCancel) { deadlineOf(inner).Pause(); time.Sleep(24 * time.Hour) }, nil, nil},
		{"paused, and time is left", func(_, _, inner ctxCancel) {
			time.Sleep(50 * time.Second)
			p := deadlineOf(inner).Pause()
			time.Sleep(time.Hour)
			p.Resume()
			p.Resume()
			time.Sleep(9 * time.Second)
		}, nil, nil},
		{"paused, and none is left", func(_, _, inner ctxCancel) {
			time.Sleep(50 * time.Second)
			p := deadlineOf(inner).Pause()
			time.Sleep(time.Hour)
			p.Resume()
			time.Sleep(10 * time.Second)
		}, context.DeadlineExceeded, errUp},
		{"two pauses", func(_, _, inner ctxCancel) {
			p, q := deadlineOf(inner).Pause(), deadlineOf(inner).Pause()
			p.Resume()
			time.Sleep(time.Hour)
			q.Resume()
		}, nil, nil},
		{"a pause around it does not stop it", func(_, outer, _ ctxCancel) { deadlineOf(outer).Pause(); time.Sleep(time.Minute) },
			context.DeadlineExceeded, errUp},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var user, outer, inner ctxCancel
				user.Context, user.cancel = context.WithCancel(t.Context())
				outer.Context, outer.cancel = withDeadline(user, wallClock{}, 2*time.Minute, errOuter)
				between, stop := context.WithCancel(outer)
				inner.Context, inner.cancel = withDeadline(between, wallClock{}, time.Minute, errUp)
				child, stopChild := context.WithTimeout(inner, 48*time.Hour)
				for _, f := range []func(){stopChild, stop, outer.cancel, inner.cancel, user.cancel} {
					defer f()
				}
				tt.do(user, outer, inner)
				for name, ctx := range map[string]context.Context{"inner": inner.Context, "a context made of it": child} {
					if err, cause := state(ctx); err != tt.err || cause != tt.cause {
						t.Errorf("%s: error %v, cause %v; want %v, %v", name, err, cause, tt.err, tt.cause)
					}
				}
			})
		})
	}
}

func TestDeadlinePausesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, stopOuter := withDeadline(t.Context(), wallClock{}, time.Minute, errOuter)
		defer stopOuter()
		inner, stopInner := withDeadline(outer, wallClock{}, time.Hour, errUp)
		defer stopInner()
		if at, ok := inner.Deadline(); !ok || time.Until(at) != time.Minute {
			t.Errorf("deadline in %s, %t; want 1m", time.Until(at), ok)
		}
		p := deadlineOf(inner).Pause()
		if at, ok := inner.Deadline(); ok {
			t.Errorf("deadline in %s while paused, want none", time.Until(at))
		}
		// A limit that is made during the pause counts.
		wait, stopWait := withDeadline(inner, wallClock{}, 10*time.Minute, nil)
		defer stopWait()
		time.Sleep(10 * time.Minute)
		if err, cause := state(wait); err != context.DeadlineExceeded || cause != context.DeadlineExceeded {
			t.Errorf("wait: error %v, cause %v", err, cause)
		}
		p.Resume()
		time.Sleep(59 * time.Second)
		if err, _ := state(inner); err != nil {
			t.Errorf("inner ended early: %v", err)
		}
		time.Sleep(time.Second)
		if err, cause := state(inner); err != context.DeadlineExceeded || cause != errOuter {
			t.Errorf("inner: error %v, cause %v; want those of the outer limit", err, cause)
		}
		late, stopLate := withDeadline(inner, wallClock{}, time.Hour, errUp)
		defer stopLate()
		if late.Err() != context.DeadlineExceeded || context.Cause(late) != errOuter {
			t.Errorf("begun after the end: error %v, cause %v", late.Err(), context.Cause(late))
		}
		zero, stopZero := withDeadline(t.Context(), wallClock{}, 0, errUp)
		defer stopZero()
		if zero.Err() != context.DeadlineExceeded || context.Cause(zero) != errUp {
			t.Errorf("no time: error %v, cause %v", zero.Err(), context.Cause(zero))
		}
		new(pause).Resume()
		deadlineOf(t.Context()).Pause().Resume()
	})
}

// TestDeadlineAfterFunc registers a function under a lock that the function takes, as package context
// does, before and after the end.
func TestDeadlineAfterFunc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := withDeadline(t.Context(), wallClock{}, time.Hour, errUp)
		var mu sync.Mutex
		calls := 0
		register := func() func() bool {
			mu.Lock()
			defer mu.Unlock()
			return deadlineOf(ctx).AfterFunc(func() {
				mu.Lock()
				defer mu.Unlock()
				calls++
			})
		}
		register()
		if !register()() {
			t.Error("a function that was stopped before the end counts as called")
		}
		stop()
		if register()() {
			t.Error("a function registered after the end could be stopped")
		}
		synctest.Wait()
		if calls != 2 {
			t.Errorf("%d calls, want 2", calls)
		}
	})
}

// TestDeadlineRaces calls the methods concurrently, for the race detector.
func TestDeadlineRaces(t *testing.T) {
	for range 200 {
		user, cancel := context.WithCancel(context.Background())
		outer, stopOuter := withDeadline(user, wallClock{}, time.Millisecond, errOuter)
		inner, stopInner := withDeadline(outer, wallClock{}, 900*time.Microsecond, errUp)
		var all sync.WaitGroup
		for _, f := range []func(){
			func() { p := deadlineOf(inner).Pause(); time.Sleep(200 * time.Microsecond); p.Resume() },
			func() { deadlineOf(outer).Pause().Resume() },
			func() { <-inner.Done(); _ = context.Cause(inner) },
			func() { ctx, stop := context.WithTimeout(inner, time.Hour); defer stop(); <-ctx.Done() },
			func() { _, _ = inner.Deadline(); _ = inner.Err() },
			func() { time.Sleep(950 * time.Microsecond); cancel() },
			func() { context.AfterFunc(inner, func() {})() },
		} {
			all.Go(f)
		}
		all.Wait()
		stopInner()
		stopOuter()
		cancel()
	}
}
