package session_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/session"
)

const orderDefinition = `namespace: t
version: 1.0.0
actions:
  order:send:
    params:
      url: {type: string, required: true}
      person: {type: boolean, default: false}
    steps:
      - {open: "${url}"}
      - {handoff: {message: "check it"}, when: "${person}", timeout: 2m}
      - {click: "css:#send"}
      - {wait: "text:Ordered"}
    returns: {url: "${page.url}"}
`

// A till counts the orders that it gets, by their number.
type till struct {
	mu     sync.Mutex
	orders map[int]int
}

func (o *till) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	k, err := strconv.Atoi(r.FormValue("k"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodPost {
		fmt.Fprintf(w, `<!doctype html><form method=post action=/order><input name=k value=%d><button id=send>Order %d</button></form>`, k, k)
		return
	}
	o.mu.Lock()
	o.orders[k]++
	o.mu.Unlock()
	fmt.Fprint(w, `<!doctype html><h1>Ordered</h1>`)
}

// TestApprovalsAndHandoffs runs many actions in few sessions at the same time. Each run has to be
// approved. People approve the runs with even numbers and deny the others, and take over browsers in
// between.
func TestApprovalsAndHandoffs(t *testing.T) {
	runs, handoffs := 100, 20
	if testing.Short() {
		runs, handoffs = 20, 6
	}
	const sessions = 5
	changed := make(chan struct{}, 1)
	m := newManager(t, session.ManagerOptions{QueueMax: runs, ApprovalsChanged: func(int) {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	if err := os.Mkdir(filepath.Join(m.home, ".agent-browser"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.home, ".agent-browser", "config.yaml"), []byte("policy: {approve: [submit]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := definitionFiles(t, map[string]string{"t.yaml": orderDefinition})
	orders := &till{orders: make(map[int]int)}
	base := serve(t, orders)

	ctx, stop := context.WithCancel(t.Context())
	var people sync.WaitGroup
	people.Go(func() { // answers
		for {
			for _, a := range m.Approvals().List(false) {
				var k int
				if _, err := fmt.Sscanf(a.Target.Name, "Order %d", &k); err != nil {
					t.Errorf("the target of an approval is %+v", a.Target)
				}
				if _, err := m.Approvals().Answer(a.ID, approvals.Reply{Yes: k%2 == 0, Channel: "command"}); err != nil {
					t.Error(err)
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	})
	people.Go(func() { // give the browsers back
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			for _, i := range m.List() {
				if i.State == session.StateHeld {
					_, _ = m.Resume(i.Name) // may have ended since
				}
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	})

	// until repeats f until no person uses the session.
	until := func(f func() error) {
		for diag.CodeOf(f()) == diag.SessionHeld && ctx.Err() == nil {
			select {
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
			}
		}
	}
	results := make([]*executor.Result, runs)
	var working sync.WaitGroup
	for k := range runs {
		working.Go(func() {
			call := session.Call{Session: "s" + strconv.Itoa(k%sessions), Path: &path}
			until(func() error {
				results[k] = m.Run(ctx, call, "t:order:send", map[string]any{"url": fmt.Sprintf("%s/?k=%d", base, k), "person": k%7 == 0})
				if results[k].Error != nil {
					return results[k].Error
				}
				return nil
			})
		})
	}
	for n := range handoffs {
		working.Go(func() {
			until(func() error {
				_, _, err := m.Handoff(ctx, session.Call{Session: "s" + strconv.Itoa(n%sessions)}, session.HandoffRequest{Message: "mine"})
				if err != nil && diag.CodeOf(err) != diag.SessionHeld {
					t.Error(err)
				}
				return err
			})
		})
	}
	ended := make(chan struct{})
	go func() {
		working.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(4 * time.Minute):
		t.Errorf("runs hang: %+v", m.List())
	}
	stop()
	people.Wait()
	<-ended

	for k, r := range results {
		sent := orders.orders[k]
		switch {
		case k%2 == 0 && (r.Error != nil || sent != 1):
			t.Errorf("the approved run %d ended with %v, and sent %d orders", k, r.Error, sent)
		case k%2 == 1 && (diag.CodeOf(r.Error) != diag.PolicyDenied || sent != 0):
			t.Errorf("the denied run %d ended with %v, and sent %d orders", k, r.Error, sent)
		}
	}
	if left := m.Approvals().List(false); len(left) > 0 {
		t.Errorf("%d approvals are left", len(left))
	}
}
