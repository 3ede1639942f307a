package executor

// The part of the executor that flow steps use: blocks, `run` and pauses. An execution implements
// [steps.Flow] for its own step.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
)

var _ steps.Flow = (*execution)(nil)

// Call runs another action in the same run.
func (e *execution) Call(ctx context.Context, action string, params map[string]any) (steps.Result, error) {
	ns, a, _, err := e.x.resolve(e.ns, action, e.warn)
	if err != nil {
		return nil, err
	}
	f, err := e.enter(ctx, entry{caller: e.frame, ns: ns, action: a, given: params})
	if err != nil {
		return nil, err
	}
	return f.perform(ctx, &e.res.Steps, func(Verified) {})
}

// Body runs the steps of a block once, in a new scope.
func (e *execution) Body(ctx context.Context, locals []expr.Local) (map[string]any, error) {
	e.inner = e.scope.iteration(locals)
	if e.op.Narrows {
		if e.narrowing == nil {
			e.narrowing = &narrowing{block: e.op}
		}
		e.inner.narrowings = append(slices.Clip(e.scope.narrowings), e.narrowing)
	}
	if len(e.sureWhy()) > 0 {
		outer := e.scope
		e.scope = e.inner
		_, err := e.approve(ctx, nil)
		if e.scope = outer; err != nil {
			return nil, err
		}
	}
	in := list{sink: &e.res.Steps, inherits: e.inherits}
	for _, l := range locals {
		if n, ok := l.Value.(int); ok && l.Name == "index" {
			in.iteration = &n
		}
	}
	if _, err := e.list(ctx, e.op.Body, e.inner, in); err != nil {
		return nil, err
	}
	return e.inner.outputs, nil
}

// Narrow limits selectors in the enclosing foreach to one element.
func (e *execution) Narrow(ref string) {
	if n := len(e.scope.narrowings); n > 0 { // always: the compiler rejects narrow outside foreach
		e.scope.narrowings[n-1].ref = ref
	}
}

// Choose runs the first case whose condition holds. The case uses the scope of the step.
func (e *execution) Choose(ctx context.Context) (steps.Result, error) {
	for i, arm := range e.op.Cases {
		ok, err := e.holds(ctx, e.scope, arm.When)
		if err != nil {
			return nil, err
		}
		if ok {
			return e.arm(ctx, i+1, arm.Steps)
		}
	}
	if !e.op.HasElse {
		return nil, e.noCase()
	}
	return e.arm(ctx, 0, e.op.Else)
}

func (e *execution) arm(ctx context.Context, number int, ops []*steps.Op) (steps.Result, error) {
	_, err := e.list(ctx, ops, e.scope, list{sink: &e.res.Steps, inherits: e.inherits})
	if err != nil {
		return nil, err
	}
	return steps.Result{"case": number}, nil
}

// noCase returns the error of a choose step in which no condition holds. It contains the conditions
// and their values.
func (e *execution) noCase() error {
	asked := make([]string, len(e.op.Cases))
	for i, arm := range e.op.Cases {
		asked[i] = fmt.Sprintf("%d: %s", i+1, arm.When)
		if found := e.valuesOf(arm.When); found != "" {
			asked[i] += " (" + found + ")"
		}
	}
	return diag.New(diag.StepFailed, "no case of the step choose holds: %s", strings.Join(asked, "; ")).
		WithDetail("reason", "no_case").
		WithHint("change the page so that a case holds, or add a case; to do nothing if no case holds, add `else: []`")
}

// valuesOf lists the values of the references of a condition, each once.
func (e *execution) valuesOf(c *expr.Condition) string {
	var found []string
	for _, r := range c.Refs() {
		v, err := r.Value(&e.scope.Scope)
		if err != nil {
			continue
		}
		text := "missing"
		if v != nil {
			text = cutAt(diag.JSONText(v), maxNamedBytes)
		}
		if text = r.String() + " is " + text; !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return strings.Join(found, ", ")
}

// maxNamedBytes bounds one value in the message about a choose.
const maxNamedBytes = 100

// Holds evaluates a condition. The condition of a block can use the outputs of the last iteration.
func (e *execution) Holds(ctx context.Context, c *expr.Condition) (bool, error) {
	s := e.scope
	if e.inner != nil {
		s = e.inner
	}
	return e.holds(ctx, s, c)
}

// Pause waits on the clock of the run.
func (e *execution) Pause(ctx context.Context, d time.Duration) error {
	if err := e.opts.Clock.Sleep(ctx, d); err != nil {
		return ended(ctx, nil)
	}
	return nil
}

// Set stores values as outputs. If the step has an output of its own, Set does nothing, because
// that output contains the values.
func (e *execution) Set(values map[string]any) {
	if e.op.Output() != "" {
		return
	}
	for name, v := range values {
		e.scope.set(name, v, len(e.inputs))
	}
}
