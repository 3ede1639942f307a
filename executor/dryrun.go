package executor

// The plan of a run, made without a page. Params are inserted, conditions are decided where
// possible, and the actions of `run` are expanded. Values that only a page has are shown as
// ‹steps.x›.

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/spec"
)

// A Plan describes what a run would do. Secrets in it are masked.
type Plan struct {
	Success  bool           `json:"success"`
	Error    *diag.Error    `json:"error,omitempty"`
	Action   string         `json:"action"` // full name, as requested
	Params   map[string]any `json:"params,omitempty"`
	Approval string         `json:"approval,omitempty"` // "required" if the whole action has to be approved
	Env      []string       `json:"env,omitempty"`      // names of the variables that would be read
	Steps    []*PlanStep    `json:"steps"`
	Verify   []PlanCheck    `json:"verify,omitempty"`
	Returns  any            `json:"returns,omitempty"`
	Warnings []Warning      `json:"warnings,omitempty"`
}

// Decisions of a [PlanStep].
const (
	WillRun  = "run"
	WillSkip = "skip"
	Unknown  = "unknown" // depends on values that only the page has
)

// A PlanStep is one step of a [Plan].
type PlanStep struct {
	Index       int            `json:"index"`
	Action      string         `json:"action"`
	Path        string         `json:"path,omitempty"`
	Decision    string         `json:"decision"` // run, skip or unknown
	When        string         `json:"when,omitempty"`
	Input       map[string]any `json:"input,omitempty"`
	Output      string         `json:"output,omitempty"`
	Description string         `json:"description,omitempty"`
	Timeout     string         `json:"timeout,omitempty"`
	Busy        string         `json:"busy,omitempty"`   // "ignore", or "" to wait for loading content
	Settle      string         `json:"settle,omitempty"` // the longest wait for the effects of the step
	Calm        bool           `json:"calm,omitempty"`   // a wait for an element ends early once the page is calm
	Expect      string         `json:"expect,omitempty"`
	Approval    string         `json:"approval,omitempty"` // "required: …" or "possible: …", with the reasons
	Retry       int            `json:"retry,omitempty"`
	OnError     string         `json:"on_error,omitempty"`
	Iteration   *int           `json:"iteration,omitempty"` // iteration of the block, from 0, if its items are known
	Run         string         `json:"run,omitempty"`       // full name of the action that Steps expands
	Steps       []*PlanStep    `json:"steps,omitempty"`
	Cases       []*PlanCase    `json:"cases,omitempty"` // cases of choose; else is the last and has no When
	Fallback    []*PlanStep    `json:"fallback,omitempty"`
}

// A PlanCase is one case of a choose in a [Plan]. A case that will be skipped has no steps.
type PlanCase struct {
	When     string      `json:"when,omitempty"`
	Decision string      `json:"decision"` // as for a step
	Steps    []*PlanStep `json:"steps,omitempty"`
}

// A PlanCheck is one check of a [Plan].
type PlanCheck struct {
	Condition     string         `json:"condition,omitempty"`
	Wait          map[string]any `json:"wait,omitempty"`
	Message       string         `json:"message,omitempty"`
	RequireChange bool           `json:"require_change,omitempty"`
}

// maxUnfolded bounds the items of a block that a plan shows one by one.
const maxUnfolded = 100

// DryRun returns the plan of a run. The plan is never nil. DryRun needs no page and changes
// nothing. It plans for a page whose version is unknown. It uses only the fields FromText and
// Environ of o.
func (x *Executor) DryRun(ctx context.Context, name string, params map[string]any, o RunOptions) *Plan {
	r := newRun(x, nil, RunOptions{FromText: o.FromText, Environ: o.Environ})
	r.done = ctx.Done()
	plan := &Plan{Action: name, Steps: []*PlanStep{}}
	err := r.plan(ctx, plan, name, params)
	plan.Success = err == nil
	if err != nil {
		plan.Error = asError(err)
	}
	plan.Warnings = r.warnings
	plan.mask(r)
	return plan
}

func (r *run) plan(ctx context.Context, plan *Plan, name string, params map[string]any) error {
	ns, a, asked, err := r.x.resolve(nil, name, r.warn)
	plan.Action = asked
	if err != nil {
		return err
	}
	f, err := r.enter(ctx, entry{ns: ns, action: a, given: params, fromText: r.o.FromText})
	if err != nil {
		return located(err, a.FullName())
	}
	plan.Params, plan.Env = f.scope.Params, f.env
	if a.Approval {
		plan.Approval = spec.ApprovalRequired
	}
	p := &planner{frame: f, scope: f.scope, sure: !hasVariants(ns, a.Name)}
	if plan.Steps, err = p.list(ctx, f.prog.Steps); err != nil {
		return located(err, f.name)
	}
	for _, c := range f.prog.Verify {
		plan.Verify = append(plan.Verify, p.check(c))
	}
	if f.prog.Returns != nil {
		plan.Returns = f.prog.Returns.Show(&p.scope.Scope, p.known)
	}
	return nil
}

// A planner makes the plan of one action, or of one iteration of a block in it.
type planner struct {
	*frame
	scope   *scope
	guessed map[string]bool // params whose value is a placeholder such as ‹steps.x›
	locals  map[string]bool // locals with an unknown value
	// sure means that the steps will run on every page. If one of them fails, the run ends.
	sure bool
	// inherits means that the steps are the fallback of a step that requires an approval.
	inherits bool
}

// known reports whether a plan knows the value of a reference. It knows environment variables that
// are set. Secret values are masked later.
func (p *planner) known(r *expr.Ref) bool {
	switch r.Root {
	case expr.RootParams:
		// A filter would alter a placeholder such as ‹steps.x›.
		return !p.guessed[r.Name] || len(r.Path) == 0 && len(r.Filters()) == 0
	case expr.RootEnv:
		_, set := p.scope.Env[r.Name]
		return set
	case expr.RootModifier:
		return true
	case expr.RootLocal:
		return !p.locals[r.Name]
	}
	return false
}

// decided reports whether a plan knows the value of a reference, and the value is not a placeholder
// such as ‹steps.x›. The plan can then evaluate conditions that contain the reference.
func (p *planner) decided(r *expr.Ref) bool {
	return p.known(r) && !(r.Root == expr.RootParams && p.guessed[r.Name])
}

func (p *planner) list(ctx context.Context, ops []*steps.Op) ([]*PlanStep, error) {
	out := make([]*PlanStep, 0, len(ops))
	for i, op := range ops {
		if err := p.count(ctx); err != nil {
			return out, asEnded(ctx, err)
		}
		s, err := p.step(ctx, op)
		s.Index = i
		out = append(out, s)
		if err != nil {
			e := execution{frame: p.frame, op: op, scope: p.scope, res: &StepResult{Index: i, Action: s.Action}}
			return out, e.fault(ctx, err)
		}
	}
	return out, nil
}

func asEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ended(ctx, nil)
	}
	return err
}

func (p *planner) step(ctx context.Context, op *steps.Op) (*PlanStep, error) {
	s := &PlanStep{
		Action: op.Spec.Action.Value, Path: op.Spec.Path, Decision: WillRun, Output: op.Output(),
		Description: op.Spec.Description, Expect: op.Expect(), Retry: op.Spec.Retry.Times, OnError: string(op.Spec.OnError),
	}
	if t := op.Spec.Timeout; t != nil {
		s.Timeout = t.String()
	}
	if op.Settle > 0 {
		s.Settle = op.Settle.String()
	}
	s.Calm = op.Calm && op.NeedsElement
	if op.IgnoresBusy && op.Entry.Reads {
		s.Busy = "ignore"
	}
	if op.When != nil {
		s.When = op.When.String()
		ok, decided, err := op.When.Decide(&p.scope.Scope, func(r *expr.Ref) bool { return !p.decided(r) })
		switch {
		case err != nil:
			return s, err
		case !decided:
			s.Decision = Unknown
		case !ok:
			s.Decision = WillSkip
			return s, nil
		}
	}
	s.Approval = p.planned(op)
	s.Input = p.input(op)
	err := p.charge(p.sizes.Size(s.Input))
	inner := *p
	inner.sure = p.sure && s.Decision == WillRun && len(op.Fallback) == 0 && op.Spec.OnError != spec.Continue
	if err == nil && inner.sure {
		err = p.refused(op)
	}
	switch {
	case err != nil:
	case op.Entry.Block:
		err = inner.block(ctx, op, s)
	case op.Entry.Cases:
		err = inner.cases(ctx, op, s)
	case op.Entry.Runs():
		err = inner.call(ctx, op, s)
	}
	if err == nil && len(op.Fallback) > 0 {
		inner.inherits = p.inherits || op.Spec.Approval
		s.Fallback, err = inner.list(ctx, op.Fallback)
	}
	return s, err
}

// refused returns the error of a step that is certain to fail. It returns nil for other steps.
func (p *planner) refused(op *steps.Op) error {
	e := execution{frame: p.frame, op: op}
	if err := e.permitted(); err != nil {
		return err
	}
	return op.Refused(&p.scope.Scope, p.decided)
}

func (p *planner) input(op *steps.Op) map[string]any {
	return showArgs(op, &p.scope.Scope, p.known)
}

// block plans the steps of a block: once for each item if the items are known, otherwise once.
func (p *planner) block(ctx context.Context, op *steps.Op, s *PlanStep) error {
	items, ok := p.items(op)
	if !ok {
		body := p.round([]expr.Local{{Name: "index"}, {Name: op.As}})
		body.locals["index"], body.locals[op.As] = true, true
		_, loops := catalogue.LoopOf(op)
		body.sure = p.sure && !loops // a repeat runs at least once, a foreach may have no items
		var err error
		s.Steps, err = body.list(ctx, op.Body)
		return err
	}
	for i, item := range items {
		round, err := p.round([]expr.Local{{Name: op.As, Value: item}, {Name: "index", Value: i}}).list(ctx, op.Body)
		for _, inner := range round {
			inner.Iteration = &i
		}
		s.Steps = append(s.Steps, round...)
		if err != nil {
			return err
		}
	}
	return nil
}

// cases adds the cases of a choose step to s. Only cases that may run have steps.
func (p *planner) cases(ctx context.Context, op *steps.Op, s *PlanStep) error {
	next := WillRun // decision for a case whose condition holds
	arm := func(when, decision string, list []*steps.Op) error {
		c := &PlanCase{When: when, Decision: decision}
		s.Cases = append(s.Cases, c)
		if decision == WillSkip {
			return nil
		}
		in := *p
		in.sure = p.sure && decision == WillRun
		var err error
		c.Steps, err = in.list(ctx, list)
		return err
	}
	for _, a := range op.Cases {
		ok, decided, err := a.When.Decide(&p.scope.Scope, func(r *expr.Ref) bool { return !p.decided(r) })
		if err != nil {
			return err
		}
		decision := next
		switch {
		case decided && !ok:
			decision = WillSkip
		case decided && ok:
			next = WillSkip
		case next == WillRun:
			decision, next = Unknown, Unknown
		}
		if err := arm(a.When.String(), decision, a.Steps); err != nil {
			return err
		}
	}
	switch {
	case op.HasElse:
		return arm("", next, op.Else)
	case next == WillRun && p.sure:
		e := execution{frame: p.frame, op: op, scope: p.scope}
		return e.noCase()
	}
	return nil
}

func (p *planner) round(locals []expr.Local) *planner {
	in := *p
	in.scope = p.scope.iteration(locals)
	in.locals = make(map[string]bool, len(p.locals)+len(locals))
	for name := range p.locals {
		in.locals[name] = true
	}
	for _, l := range locals {
		delete(in.locals, l.Name)
	}
	return &in
}

// items returns the items of a foreach, if all of them are known and there are at most maxUnfolded.
func (p *planner) items(op *steps.Op) ([]any, bool) {
	l, _ := catalogue.LoopOf(op)
	x := l.Items
	if x == nil || !p.all(x.Refs()) {
		return nil, false
	}
	v, err := x.Eval(&p.scope.Scope)
	items, ok := catalogue.Items(v)
	if err != nil || !ok || len(items) > maxUnfolded {
		return nil, false
	}
	if by := l.By; by != nil {
		v, err := by.Eval(&p.scope.Scope)
		names, ok := steps.Texts(v)
		if err != nil || !ok || !p.all(by.Refs()) {
			return nil, false
		}
		items = catalogue.InOrder(items, names)
	}
	if most := l.Max; most != nil && p.all(most.Refs()) {
		v, err := most.Eval(&p.scope.Scope)
		if err == nil {
			items = catalogue.Front(items, asInt(v))
		}
	}
	return items, true
}

func asInt(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case int64:
		return int(n)
	case float64:
		return int(n)
	}
	return 0
}

func (p *planner) all(refs []expr.Ref) bool {
	for i := range refs {
		if !p.decided(&refs[i]) {
			return false
		}
	}
	return true
}

// call expands the action that a `run` step calls.
func (p *planner) call(ctx context.Context, op *steps.Op, s *PlanStep) error {
	target, params, _ := catalogue.Call(op)
	ns, a, _, err := p.x.resolve(p.ns, target, p.warn)
	if err != nil {
		return err
	}
	s.Run = a.FullName()
	in := entry{caller: p.frame, ns: ns, action: a}
	in.given, in.guessed = p.params(params, a)
	f, err := p.enter(ctx, in)
	if err != nil {
		return err
	}
	inner := &planner{frame: f, scope: f.scope, guessed: in.guessed, sure: p.sure && !hasVariants(ns, a.Name)}
	s.Steps, err = inner.list(ctx, f.prog.Steps)
	return err
}

// params returns the params of a `run` step. If only a run can determine the value of a param, the
// value is a placeholder, and guessed contains the name of the param.
func (p *planner) params(x *steps.Expr, a *spec.Action) (given map[string]any, guessed map[string]bool) {
	guessed = make(map[string]bool)
	if x == nil {
		return nil, guessed
	}
	shown, isMap := x.Show(&p.scope.Scope, p.decided).(map[string]any)
	if !isMap { // one reference for all params
		given = make(map[string]any)
		for _, d := range a.Params {
			given[d.Name], guessed[d.Name] = x.Show(&p.scope.Scope, p.known), true
		}
		return given, guessed
	}
	given, _ = x.Show(&p.scope.Scope, p.known).(map[string]any)
	held, _ := x.Show(&p.scope.Scope, func(*expr.Ref) bool { return true }).(map[string]any)
	for name := range shown {
		if a.Param(name) != nil && !expr.Equal(shown[name], held[name]) {
			guessed[name] = true
		}
	}
	return given, guessed
}

func (p *planner) check(c *program.Check) PlanCheck {
	out := PlanCheck{RequireChange: c.Spec.RequireChange}
	if c.Condition != nil {
		out.Condition = c.Condition.String()
	} else {
		out.Wait = p.input(c.Wait)
	}
	if c.Message != nil {
		out.Message = steps.ShowText(c.Message, &p.scope.Scope, p.known)
	}
	return out
}

func (p *Plan) mask(r *run) {
	m := r.pass()
	p.Error = m.Error(p.Error)
	p.Params = m.Map(p.Params)
	p.Returns = m.Value(p.Returns)
	for i := range p.Verify {
		p.Verify[i].Wait = m.Map(p.Verify[i].Wait)
		p.Verify[i].Message = m.String(p.Verify[i].Message)
	}
	for i := range p.Warnings {
		p.Warnings[i].Message = m.String(p.Warnings[i].Message)
	}
	maskPlan(m, p.Steps)
}

func maskPlan(p *trace.Pass, list []*PlanStep) {
	for _, s := range list {
		s.Input = p.Map(s.Input)
		maskPlan(p, s.Steps)
		maskPlan(p, s.Fallback)
		for _, c := range s.Cases {
			maskPlan(p, c.Steps)
		}
	}
}
