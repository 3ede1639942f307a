package approvals

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fakeClock advances only when advance is called.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	timers map[*func()]time.Time
}

func newClock() *fakeClock {
	return &fakeClock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), timers: make(map[*func()]time.Time)}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) After(d time.Duration, f func()) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := &f
	c.timers[key] = c.now.Add(d)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.timers, key)
	}
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	for f, at := range c.timers {
		if !at.After(c.now) {
			due = append(due, *f)
			delete(c.timers, f)
		}
	}
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

// asked is a question that a goroutine has asked.
type asked struct {
	id  string
	err chan error
}

// ask asks in a goroutine and waits until the question is pending.
func ask(ctx context.Context, t *Table, q Question) asked {
	a := asked{err: make(chan error, 1)}
	id := make(chan string, 1)
	q.Caller.Asked = func(a Approval) { id <- a.ID }
	if q.Timeout == 0 {
		q.Timeout = time.Minute
	}
	if q.Channels == nil {
		q.Channels = []string{"command", "terminal", "socket"}
	}
	go func() { a.err <- t.Ask(ctx, q) }()
	a.id = <-id
	return a
}

func reasonOf(err error) any {
	if e := diag.As(err); e != nil {
		return e.Details["reason"]
	}
	return nil
}

func question() Question {
	q := Question{Run: "r1", Session: "s"}
	q.Action, q.Step, q.Why = "shop:order:send", "click", []string{"submit"}
	return q
}

func TestAnswers(t *testing.T) {
	owner := new(int)
	tests := []struct {
		name   string
		reply  Reply
		failed any // reason of the error of Answer
		state  string
		reason any // reason of the error of Ask
	}{
		{"yes", Reply{Yes: true, Channel: "command"}, nil, Approved, nil},
		{"no", Reply{Channel: "command", Reason: "wrong customer"}, nil, Denied, "denied"},
		{"a channel that may not answer", Reply{Yes: true, Channel: "mcp", From: owner}, "channel", Pending, nil},
		{"the connection of the run", Reply{Yes: true, Channel: "socket", From: owner}, "own", Pending, nil},
		{"the connection of the run as command", Reply{Yes: true, Channel: "command", From: owner}, "own", Pending, nil},
		{"the terminal of the run", Reply{Yes: true, Channel: "terminal", From: owner}, nil, Approved, nil},
		{"a terminal of another connection", Reply{Yes: true, Channel: "terminal", From: new(int)}, "own", Pending, nil},
		{"no channel", Reply{Yes: true}, "channel", Pending, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := New(newClock(), nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			q := question()
			q.Caller.Owner = owner
			a := ask(ctx, table, q)
			_, err := table.Answer(a.id, tt.reply)
			if got := reasonOf(err); got != tt.failed {
				t.Errorf("Answer fails with %v (%v), want %v", got, err, tt.failed)
			}
			got, err := table.Get(a.id)
			if err != nil || got.State != tt.state {
				t.Fatalf("the approval is %s (%v), want %s", got.State, err, tt.state)
			}
			if tt.state == Pending {
				cancel()
				if err := <-a.err; err != context.Canceled {
					t.Errorf("Ask fails with %v, want it cancelled", err)
				}
				return
			}
			err = <-a.err
			if got := reasonOf(err); got != tt.reason || (err == nil) != (tt.state == Approved) {
				t.Errorf("Ask fails with %v, want reason %v", err, tt.reason)
			}
			if tt.reply.Reason != "" && !strings.Contains(err.Error(), tt.reply.Reason) {
				t.Errorf("%v does not say %q", err, tt.reply.Reason)
			}
		})
	}
}

func TestAnsweredOnce(t *testing.T) {
	table := New(newClock(), nil)
	a := ask(t.Context(), table, question())
	if _, err := table.Answer(a.id, Reply{Channel: "command"}); err != nil {
		t.Fatal(err)
	}
	for _, yes := range []bool{true, false} {
		_, err := table.Answer(a.id, Reply{Yes: yes, Channel: "command"})
		if diag.CodeOf(err) != diag.InvalidRequest || diag.As(err).Details["state"] != Denied {
			t.Errorf("a second answer: %v", err)
		}
	}
	if err := <-a.err; reasonOf(err) != "denied" {
		t.Error(err)
	}
	// The answer to a question does not count for the next question, even if that one is the same.
	b := ask(t.Context(), table, question())
	if got, _ := table.Get(b.id); got.State != Pending || b.id == a.id {
		t.Errorf("the next question is %s with the id %s", got.State, b.id)
	}
	table.Finish("r1", nil)
	if err := <-b.err; err != context.Canceled {
		t.Error(err)
	}
	if _, err := table.Answer("nonsense", Reply{Yes: true, Channel: "command"}); diag.As(err).Details["state"] != "unknown" {
		t.Errorf("an unknown id: %v", err)
	}
}

func TestExpires(t *testing.T) {
	clock := newClock()
	table := New(clock, nil)
	a := ask(t.Context(), table, question())
	clock.advance(59 * time.Second)
	if got, _ := table.Get(a.id); got.State != Pending {
		t.Fatalf("it is %s before its time", got.State)
	}
	clock.advance(time.Second)
	if err := <-a.err; reasonOf(err) != "expired" {
		t.Error(err)
	}
	if _, err := table.Answer(a.id, Reply{Yes: true, Channel: "command"}); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("a late answer: %v", err)
	}
	// An approval ends at its time, even if its timer fires later.
	b := ask(t.Context(), table, question())
	clock.mu.Lock()
	clock.now = clock.now.Add(time.Hour)
	clock.mu.Unlock()
	if _, err := table.Answer(b.id, Reply{Yes: true, Channel: "command"}); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("an answer after the time: %v", err)
	}
	if err := <-b.err; reasonOf(err) != "expired" {
		t.Error(err)
	}
}

func TestEndsWithRun(t *testing.T) {
	clock := newClock()
	counts := []int{}
	table := New(clock, func(n int) { counts = append(counts, n) })
	a := ask(t.Context(), table, question())
	if _, err := table.Answer(a.id, Reply{Yes: true, Channel: "command"}); err != nil {
		t.Fatal(err)
	}
	if err := <-a.err; err != nil {
		t.Fatal(err)
	}
	table.Finish("r1", &executor.Result{Success: true, Action: "shop:order:send", Data: map[string]any{"n": 1}})
	got, err := table.Get(a.id)
	if err != nil || got.Outcome == nil || !got.Outcome.Success {
		t.Errorf("the outcome is %v, %v", got.Outcome, err)
	}
	if len(table.List(false)) != 0 || len(table.List(true)) != 1 {
		t.Errorf("lists %d pending, %d in all", len(table.List(false)), len(table.List(true)))
	}
	clock.advance(keepTime)
	if _, err := table.Get(a.id); err == nil {
		t.Error("it is kept too long")
	}
	if fmt.Sprint(counts) != "[1 0]" {
		t.Errorf("the changes are %v", counts)
	}
}

func TestOutcomeIsBounded(t *testing.T) {
	big := &executor.Result{Success: true, Data: map[string]any{"text": strings.Repeat("x", maxResultSize)}}
	if got := bounded(big); got.Data != nil || len(got.Warnings) != 1 {
		t.Errorf("keeps data %v with %d warnings", got.Data != nil, len(got.Warnings))
	}
	table := New(newClock(), nil)
	for i := range 3 * maxEnded {
		a := ask(t.Context(), table, question())
		table.Answer(a.id, Reply{Channel: "command"})
		<-a.err
		if n := len(table.List(true)); n > maxEnded {
			t.Fatalf("keeps %d after %d", n, i)
		}
	}
}

// TestConcurrentAnswers answers each of 200 questions several times concurrently. Only one answer
// counts, and the run gets that one.
func TestConcurrentAnswers(t *testing.T) {
	table := New(nil, func(int) {})
	const n = 200
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			q := question()
			q.Run = fmt.Sprint("run ", i)
			a := ask(t.Context(), table, q)
			var done sync.WaitGroup
			var mu sync.Mutex
			var won []bool
			for j := range 4 {
				done.Go(func() {
					yes := (i+j)%2 == 0
					table.List(true)
					if _, err := table.Answer(a.id, Reply{Yes: yes, Channel: "command"}); err == nil {
						mu.Lock()
						won = append(won, yes)
						mu.Unlock()
					}
				})
			}
			done.Wait()
			err := <-a.err
			if len(won) != 1 || won[0] != (err == nil) {
				t.Errorf("question %d: answers %v, and the run learns %v", i, won, err)
			}
			table.Finish(q.Run, &executor.Result{Success: err == nil})
		})
	}
	all.Wait()
	if len(table.List(false)) != 0 {
		t.Error("some are still pending")
	}
}

func TestTooMany(t *testing.T) {
	table := New(newClock(), nil)
	ctx, cancel := context.WithCancel(t.Context())
	var all []asked
	for range maxPending {
		all = append(all, ask(ctx, table, question()))
	}
	q := question()
	q.Timeout = time.Minute
	if err := table.Ask(ctx, q); diag.CodeOf(err) != diag.LimitExceeded {
		t.Errorf("one too many: %v", err)
	}
	cancel()
	for _, a := range all {
		<-a.err
	}
	if len(table.List(false)) != 0 {
		t.Error("some are still pending")
	}
}

func TestText(t *testing.T) {
	q := question()
	q.Target = &executor.ApprovalTarget{Desc: `<button "Send">`, Leads: "https://shop.test/order"}
	q.Page = executor.ApprovalPage{URL: "https://shop.test/", Title: "Approved\x1b[2J"}
	a := Approval{ID: "abc", State: Pending, ApprovalRequest: q.ApprovalRequest}
	for _, want := range []string{"abc  pending  click", "why       submit", `<button "Send">`, "https://shop.test/order"} {
		if !strings.Contains(a.Text(), want) {
			t.Errorf("the text lacks %q:\n%s", want, a.Text())
		}
	}
	if strings.Contains(a.Text(), "\x1b") {
		t.Error("a title can control the terminal")
	}
}
