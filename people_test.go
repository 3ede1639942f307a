package action_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action"
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/spec"
)

const ordersYAML = `namespace: orders
version: 1.0.0
actions:
  one:send:
    description: Send an order.
    params: {url: {type: string, required: true}}
    steps:
      - {action: open, args: {url: "${params.url}"}}
      - {action: click, args: {selector: "css:button"}, approval: required}
  one:check:
    description: Let a person check the order.
    params: {url: {type: string, required: true}}
    steps:
      - {action: open, args: {url: "${params.url}"}}
      - {action: handoff, args: {message: Check the order.}}
`

// TestEmbeddedPeople runs what needs a person in a program that embeds the registry.
func TestEmbeddedPeople(t *testing.T) {
	var orders atomic.Int32
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			orders.Add(1)
		}
		fmt.Fprint(w, `<title>Shop</title><form method=post><button>Send</button></form>`)
	}))
	defer shop.Close()
	home := t.TempDir()
	r, err := action.New(action.Options{
		Dir: home, Environ: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")},
		Sources: []loader.Source{source("orders", spec.Project, ordersYAML)},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	params := map[string]any{"url": shop.URL}

	ended := make(chan error, 1)
	stopping, stop := context.WithCancel(t.Context())
	defer stop()
	approvals := []struct {
		name   string
		ctx    context.Context
		answer func(context.Context, *executor.ApprovalRequest) (bool, string)
		code   diag.Code
		reason any
		orders int32
	}{
		{"yes", t.Context(), func(_ context.Context, r *executor.ApprovalRequest) (bool, string) {
			if r.Action != "orders:one:send" || r.Step != "click" || r.Target == nil || r.Target.Name != "Send" || r.Page.Title != "Shop" {
				t.Errorf("asked about %+v of %+v", r, r.Target)
			}
			return true, ""
		}, "", nil, 1},
		{"no", t.Context(), func(context.Context, *executor.ApprovalRequest) (bool, string) { return false, "too expensive" }, diag.PolicyDenied, "denied", 1},
		{"nobody", t.Context(), nil, diag.PolicyDenied, "no_approver", 1},
		{"a late yes", stopping, func(ctx context.Context, _ *executor.ApprovalRequest) (bool, string) {
			stop()
			<-ctx.Done()
			ended <- ctx.Err()
			return true, ""
		}, diag.Cancelled, nil, 1},
	}
	for _, tt := range approvals {
		t.Run(tt.name, func(t *testing.T) {
			res := r.Run(tt.ctx, "orders:one:send", params, action.RunOptions{Approve: tt.answer})
			if failed := res.Error != nil; failed != (tt.code != "") || failed && res.Error.Code != tt.code {
				t.Fatalf("error %v, want %q", res.Error, tt.code)
			}
			if tt.reason != nil && res.Error.Details["reason"] != tt.reason {
				t.Errorf("reason %v, want %v", res.Error.Details["reason"], tt.reason)
			}
			if n := orders.Load(); n != tt.orders {
				t.Errorf("%d orders, want %d", n, tt.orders)
			}
		})
	}
	select {
	case <-ended:
	default:
		t.Error("the function that answers still runs after its run has ended")
	}

	if err := r.Resume(""); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("Resume of a session that nobody uses: %v", err)
	}
	var statuses []executor.Status
	res := r.Run(t.Context(), "orders:one:check", params, action.RunOptions{OnStep: func(e executor.StepEvent) {
		statuses = append(statuses, e.Status)
		if e.Status != executor.Waiting {
			return
		}
		if e.Message != "Check the order." {
			t.Errorf("message %q", e.Message)
		}
		if err := r.Resume(""); err != nil {
			t.Error(err)
		}
	}})
	if res.Error != nil || !slices.Contains(statuses, executor.Waiting) {
		t.Errorf("handoff: %v, statuses %v", res.Error, statuses)
	}
}
