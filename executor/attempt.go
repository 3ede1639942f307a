package executor

// One attempt of a step: whether the step is allowed, its arguments, and the call of its run
// function.

import (
	"cmp"
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// allowed returns an error if the policy denies the step, or if the step needs a page and there is
// none.
func (e *execution) allowed() error {
	if err := e.permitted(); err != nil {
		return err
	}
	if e.browser == nil && e.op.NeedsPage() {
		return noPage("the step " + e.op.PolicyName())
	}
	return nil
}

func (e *execution) permitted() error {
	if e.opts.Policy == nil {
		return nil
	}
	return e.opts.Policy.Step(e.prog.Action, e.op.PolicyName())
}

// attempt runs the step once, with its own time limit.
func (e *execution) attempt(ctx context.Context) (steps.Result, error) {
	t := e.times()
	if t.whole > 0 {
		var cancel context.CancelFunc
		ctx, cancel = withDeadline(ctx, e.opts.Clock, t.whole, stepTimeUp(e.res.Action, t.shown))
		defer cancel()
	}
	return e.once(ctx, t)
}

// once binds the arguments and calls the run function of the step's entry.
func (e *execution) once(ctx context.Context, t times) (steps.Result, error) {
	if e.prog.opsReadPage[e.op] {
		if err := e.readPage(ctx, e.scope); err != nil {
			return nil, err
		}
	}
	if e.telling() {
		e.res.Input = e.reported(e.input())
	}
	e.res.Selector, e.res.Steps, e.inner, e.narrowing, e.preferred, e.aliases = "", nil, nil, nil, nil, nil
	tg := &targets{execution: e, wait: t.element, busy: cmp.Or(t.shown, e.opts.DefaultTimeout)}
	args, err := e.op.Bind(&e.scope.Scope, tg.make)
	if err != nil {
		return nil, err
	}
	tg.choose(args)
	if subject := args.Subject(); subject != nil {
		subject.Expect = e.mark
	}
	page := e.page()
	if e.varies && !e.op.NeedsElement && e.op.LooksWithoutElement() {
		doc, err := page.Shown(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := e.document(ctx, doc); err != nil {
			return nil, err
		}
	}
	if !e.isByHand() {
		e.begin(ctx, page)
	}
	number := 0
	watches := page != nil && (e.op.IsInput() || e.op.Settle > 0)
	if watches && e.isByHand() {
		page.Unwatch() // Run does this at its end, Hand does not
	}
	if watches {
		number = page.Watch(e.watching(tg))
	}
	if e.op.Settle > 0 { // inputs of the actions that this step runs have to settle too
		e.settling++
		defer func() { e.settling-- }()
	}
	e.lookBack(ctx)
	result, err := e.op.Entry.Run(ctx, &steps.Env{
		Page: page, Browser: e.browser, Flow: e, Files: e.files(), CheckURL: e.checkURL(), Timeout: t.shown, Warn: e.warn, Visits: e.hideAddress, Masks: e.masks,
		Secret: func(text, form string) bool {
			if e.masker.String(text) == text {
				return false
			}
			e.masker.Add(form)
			return true
		},
	}, args)
	if err == nil && watches {
		err = e.came(ctx, page, number, tg)
	}
	e.after(ctx, err)
	e.forget(err)
	return result, e.refusedSelector(e.withAliases(err))
}

// refusedSelector changes the code of err to DEFINITION_INVALID if the browser has rejected a
// selector of the definition. A selector from params or from a manual step keeps the code
// PARAM_INVALID.
func (e *execution) refusedSelector(err error) error {
	refused := diag.As(err)
	if refused == nil || refused.Code != diag.ParamInvalid || refused.Details["reason"] != "selector" || e.isByHand() {
		return err
	}
	for _, x := range e.op.Args {
		for _, ref := range x.Refs() {
			if p := e.prog.Action.Param(ref.Name); ref.Root == expr.RootParams && p != nil && p.Type == spec.TypeSelector {
				return err
			}
		}
	}
	refused = refused.Clone()
	refused.Code = diag.DefinitionInvalid
	return refused
}

// holds evaluates a condition in s. If the condition uses the page's address or title, holds reads
// them again first.
func (f *frame) holds(ctx context.Context, s *scope, c *expr.Condition) (bool, error) {
	if f.prog.condsReadPage[c] {
		if err := f.readPage(ctx, s); err != nil {
			return false, err
		}
	}
	return c.Eval(&s.Scope)
}
