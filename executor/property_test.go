package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A node is a generated step: a key press that fails some times before it
// succeeds, or a block or a run of further steps.
type node struct {
	kind     string // press, foreach, run
	key      string
	fails    int
	skip     bool
	retry    int
	carry    bool // on_error: continue
	fallback []*node
	body     []*node
	action   string
}

// A tree generates nodes and keeps the actions that its run steps call.
type tree struct {
	t       *rapid.T
	n       int
	actions map[string][]*node
}

func (g *tree) list(depth int) []*node {
	var out []*node
	for range rapid.IntRange(1, 3).Draw(g.t, "steps") {
		out = append(out, g.node(depth))
	}
	return out
}

func (g *tree) node(depth int) *node {
	g.n++
	n := &node{
		kind: "press", key: fmt.Sprintf("K%d", g.n),
		fails: rapid.IntRange(0, 3).Draw(g.t, "fails"), retry: rapid.IntRange(0, 2).Draw(g.t, "retry"),
		skip: rapid.IntRange(0, 5).Draw(g.t, "skip") == 0, carry: rapid.Bool().Draw(g.t, "continue"),
	}
	if depth == 0 {
		return n
	}
	if rapid.Bool().Draw(g.t, "fallback") {
		n.fallback = g.list(depth - 1)
	}
	switch n.kind = rapid.SampledFrom([]string{"press", "press", "foreach", "run"}).Draw(g.t, "kind"); n.kind {
	case "foreach":
		n.body = g.list(depth - 1)
	case "run":
		n.action, n.body = fmt.Sprintf("n:a%d", g.n), g.list(depth-1)
		g.actions[n.action] = n.body
	}
	return n
}

func (n *node) json() map[string]any {
	out := map[string]any{"action": n.kind, "retry": n.retry, "retry_delay": "10ms"}
	switch n.kind {
	case "press":
		out["args"] = map[string]any{"key": n.key}
	case "foreach":
		out["args"], out["steps"] = map[string]any{"items": []int{1, 2}}, asJSON(n.body)
	case "run":
		out["args"] = map[string]any{"action": n.action}
	}
	if n.skip {
		out["when"] = "1 == 2"
	}
	if n.carry {
		out["on_error"] = "continue"
	}
	if n.fallback != nil {
		out["fallback"] = asJSON(n.fallback)
	}
	return out
}

func asJSON(list []*node) []any {
	var out []any
	for _, n := range list {
		out = append(out, n.json())
	}
	return out
}

// A model says what a run must do: the presses, and whether it succeeds.
type model struct {
	left  map[string]int // failures still to come, by key
	calls []string
}

func (m *model) list(list []*node) (ran, ok bool) {
	for _, n := range list {
		if n.skip {
			continue
		}
		if !m.step(n) {
			return true, false
		}
		ran = true
	}
	return ran, true
}

// step reports whether the list continues.
func (m *model) step(n *node) bool {
	for range n.retry + 1 {
		if m.attempt(n) {
			return true
		}
	}
	if n.fallback != nil {
		if ran, ok := m.list(n.fallback); ran && ok {
			return true
		}
	}
	return n.carry
}

func (m *model) attempt(n *node) bool {
	switch n.kind {
	case "press":
		m.calls = append(m.calls, "key "+n.key)
		if m.left[n.key] > 0 {
			m.left[n.key]--
			return false
		}
		return true
	case "foreach":
		for range 2 {
			if _, ok := m.list(n.body); !ok {
				return false
			}
		}
		return true
	}
	_, ok := m.list(n.body)
	return ok
}

func visit(list []*node, f func(*node)) {
	for _, n := range list {
		f(n)
		visit(n.body, f)
		visit(n.fallback, f)
	}
}

// However steps are nested, the presses happen in the order that retry, fallback and on_error
// prescribe.
func TestFlowFollowsTheRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := &tree{t: rt, actions: map[string][]*node{}}
		root := g.list(3)
		actions := map[string]any{"a:b": map[string]any{"steps": asJSON(root)}}
		for name, list := range g.actions {
			actions[name] = map[string]any{"steps": asJSON(list)}
		}
		def, err := json.Marshal(map[string]any{"namespace": "t", "actions": actions})
		if err != nil {
			rt.Fatal(err)
		}
		b := newBench(t, string(def))
		b.o.Steps = true
		m := &model{left: map[string]int{}}
		visit(root, func(n *node) {
			m.left[n.key] = n.fails
			for range n.fails {
				b.page.fail["key "+n.key] = append(b.page.fail["key "+n.key], covered())
			}
		})
		_, ok := m.list(root)
		res := b.run("t:a:b", nil)
		if diff := cmp.Diff(m.calls, b.page.calls); diff != "" {
			rt.Fatalf("calls (-want +got):\n%s\n%s", diff, def)
		}
		if res.Success != ok {
			rt.Fatalf("success = %t, want %t: %v\n%s", res.Success, ok, res.Error, def)
		}
		if !ok && (res.Error.Code != diag.ElementNotInteractable || res.Error.Path == "") {
			rt.Fatalf("error = %+v, want that of the step that failed last", res.Error)
		}
	})
}

func TestConcurrentRuns(t *testing.T) {
	def := define(t, one(click+`}`, `"params": {"x": {}}`, `"returns": {"x": "${x}"}`))
	x := executor.New(executor.Options{Catalog: def})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			page := newPage(newClock())
			page.present["css:#a"] = ""
			value := fmt.Sprint("v", i)
			res := x.Run(context.Background(), page, "t:a:b", map[string]any{"x": value}, executor.RunOptions{})
			if diff := cmp.Diff(any(map[string]any{"x": value}), res.Data); diff != "" {
				t.Errorf("data (-want +got):\n%s\n%v", diff, res.Error)
			}
		}()
	}
	wg.Wait()
}

func TestZeroExecutor(t *testing.T) {
	var x executor.Executor
	res := x.Run(context.Background(), nil, "a:b:c", nil, executor.RunOptions{})
	if diag.CodeOf(errOf(res)) != diag.ActionNotFound || res.Error.Hint == "" {
		t.Errorf("error = %+v, want ACTION_NOT_FOUND with a hint", res.Error)
	}
	if plan := x.DryRun(context.Background(), "a:b:c", nil, executor.RunOptions{}); plan.Success || plan.Error.Code != diag.ActionNotFound {
		t.Errorf("plan = %+v, want ACTION_NOT_FOUND", plan)
	}
}

// On the clock of the machine, a cancellation ends a long pause immediately.
func TestCancelOnTheRealClock(t *testing.T) {
	x := executor.New(executor.Options{Catalog: define(t, one(`{"action": "set", "args": {"values": {"d": 86400000}}}, {"action": "wait", "args": {"time": "${steps.d}"}}`))})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	res := x.Run(ctx, nil, "t:a:b", nil, executor.RunOptions{
		Timeout: time.Hour,
		OnStep: func(e executor.StepEvent) {
			if e.Action == "set" {
				go cancel()
			}
		},
	})
	if diag.CodeOf(errOf(res)) != diag.Cancelled || !strings.Contains(res.Error.Hint, "page") {
		t.Errorf("error = %+v, want CANCELLED", res.Error)
	}
}
