package executor

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/spec"
)

// Run runs the action with the given name in the browser b. The result is never nil. It also
// reports failures. b may be nil for actions that have only flow steps. Only one run at a time may
// use a browser.
func (x *Executor) Run(ctx context.Context, b driver.Browser, name string, params map[string]any, o RunOptions) *Result {
	r := newRun(x, b, o)
	limit := o.Timeout
	if limit <= 0 {
		limit = r.opts.ActionTimeout
	}
	ctx, cancel := withDeadline(ctx, r.opts.Clock, limit, timeUp(name, limit))
	defer cancel()
	r.limit, r.done = limit, ctx.Done()
	res := &Result{Action: name}
	data, err := r.top(ctx, name, params, res)
	r.revoke(ctx)
	r.releaseAll(ctx)
	r.finish(ctx, res, data, err)
	return res
}

func (r *run) top(ctx context.Context, name string, params map[string]any, res *Result) (steps.Result, error) {
	ns, a, asked, err := r.x.resolve(nil, name, r.warn)
	res.Action = asked
	if err != nil {
		return nil, err
	}
	f, err := r.enter(ctx, entry{ns: ns, action: a, given: params, fromText: r.o.FromText})
	if err != nil {
		return nil, located(err, a.FullName())
	}
	r.main = f
	r.record(trace.Entry{Event: "run", Action: f.name, Input: f.scope.Params})
	if err := r.o.Recorder.Err(); err != nil {
		return nil, located(noTrace(err, "nothing was done, because the trace cannot be written"), f.name)
	}
	data, err := f.perform(ctx, &r.steps, func(v Verified) { res.Verify = append(res.Verify, v) })
	if err == nil {
		r.judge(ctx, res)
	}
	return data, err
}

// enter makes the frame of an action: it checks the params, selects the first variant, compiles
// it and reads the environment.
func (r *run) enter(ctx context.Context, in entry) (*frame, error) {
	a := in.action
	f := &frame{run: r, ns: in.ns, name: a.FullName(), packaged: a.FromPackage(), begins: len(r.inputs)}
	if in.caller != nil {
		if a.Internal {
			f.begins = in.caller.begins
		}
		f.packaged = f.packaged || in.caller.packaged
		f.depth, f.chain = in.caller.depth+1, in.caller.chain
	}
	f.chain = append(f.chain[:len(f.chain):len(f.chain)], f.name)
	if len(f.chain) > r.opts.MaxDepth {
		return nil, diag.New(diag.MaxDepthExceeded, "found actions nested too deeply, expected at most %d levels: %s", r.opts.MaxDepth, strings.Join(f.chain, " → ")).
			WithHint("shorten the chain of actions that call each other").WithDetail("chain", append([]string(nil), f.chain...))
	}
	params, err := r.checkParams(ctx, in)
	if err != nil {
		return nil, err
	}
	variant, err := f.beginVariant(ctx, a)
	if err != nil {
		return nil, err
	}
	if f.prog, err = r.x.program(in.ns, a, variant); err != nil {
		return nil, err
	}
	env, err := r.readEnv(f)
	if err != nil {
		return nil, err
	}
	f.scope = newScope(params, env)
	f.scope.Sizes, f.scope.Done, f.scope.Derived = r.sizes, ctx.Done(), r.hideDerived
	return f, nil
}

// checkParams checks the params of an action. It registers their secrets both before and after the
// check, so that no message shows them.
func (r *run) checkParams(ctx context.Context, in entry) (map[string]any, error) {
	a, given := in.action, in.given
	if len(in.guessed) > 0 {
		a, given = withoutGuessed(in)
	}
	r.hideParams(a.Params, given)
	if err := r.checkSecrets(); err != nil {
		return nil, err
	}
	params, errs := program.CheckParams(a, given, in.fromText, ctx.Done())
	if ctx.Err() != nil {
		return nil, ended(ctx, nil)
	}
	if len(errs) > 0 {
		return nil, firstOf(errs)
	}
	r.hideParams(a.Params, params)
	if err := r.checkSecrets(); err != nil {
		return nil, err
	}
	for name := range in.guessed {
		params[name] = in.given[name]
	}
	return params, nil
}

func withoutGuessed(in entry) (*spec.Action, map[string]any) {
	a := *in.action
	a.Params = nil
	for _, d := range in.action.Params {
		if !in.guessed[d.Name] {
			a.Params = append(a.Params, d)
		}
	}
	given := make(map[string]any, len(in.given))
	for name, v := range in.given {
		if !in.guessed[name] {
			given[name] = v
		}
	}
	return &a, given
}

// firstOf returns the first of several problems with params. Its message contains the messages of
// all.
func firstOf(errs diag.List) *diag.Error {
	const most = 10
	sorted := errs.Sorted()
	e := sorted[0].Clone()
	for _, other := range sorted[1:min(len(sorted), most)] {
		e.Msg += "; " + cut(other.Msg)
	}
	if more := len(sorted) - most; more > 0 {
		e.Msg += fmt.Sprintf("; and %d more", more)
	}
	return cutError(e)
}

// perform runs the steps, and then evaluates the checks and the returns.
func (f *frame) perform(ctx context.Context, sink *[]*StepResult, verified func(Verified)) (steps.Result, error) {
	if err := f.approveAction(ctx); err != nil {
		return nil, located(err, f.name)
	}
	if f.earlier = make([]*bool, len(f.prog.Verify)); opening(f.prog.Steps) == 0 {
		f.earlier = f.evaluateBefore(ctx)
	}
	before := len(f.inputs)
	if _, err := f.list(ctx, f.prog.Steps, f.scope, list{sink: sink, own: true}); err != nil {
		return nil, err
	}
	if f.depth == 0 {
		if err := f.reverted(ctx); err != nil {
			return nil, err
		}
	}
	changed := false
	err := f.verify(ctx, f.earlier, func(v Verified) {
		changed = changed || v.Changed != nil && *v.Changed
		verified(v)
	})
	if err != nil {
		return nil, err
	}
	if changed {
		f.confirm(before, len(f.inputs))
	}
	for _, c := range f.prog.Verify {
		f.confirm(f.compared(c))
	}
	return f.returns(ctx)
}

func (f *frame) returns(ctx context.Context) (steps.Result, error) {
	if f.prog.Returns == nil {
		return steps.Result{}, nil
	}
	if readsPage(f.prog.Returns.Refs()) {
		if err := f.readPage(ctx, f.scope); err != nil {
			return nil, located(err, f.name)
		}
	}
	v, err := f.prog.Returns.Eval(&f.scope.Scope)
	if err != nil {
		return nil, located(err, f.name)
	}
	data, _ := v.(map[string]any)
	if data == nil {
		data = steps.Result{}
	}
	return data, nil
}

// finish completes the result and masks it.
func (r *run) finish(ctx context.Context, res *Result, data steps.Result, err error) {
	res.Success = err == nil
	if err == nil {
		res.Data = map[string]any(data)
	} else {
		res.Error = asError(err).Clone()
		if r.o.Debug {
			r.dump(ctx, res.Error)
		}
	}
	if err != nil || r.o.Debug || r.o.Steps {
		left := maxReportBytes
		r.fit(r.steps, &left)
		res.Steps = r.steps
	}
	if r.o.After != nil {
		for _, w := range r.o.After() {
			r.addWarning(w)
		}
	}
	if r.unsaid > 0 {
		r.warnings = append(r.warnings, Warning{Code: WarnMore, Message: fmt.Sprintf("%d more warnings are not shown", r.unsaid)})
	}
	res.Warnings, res.Degraded, res.Version, res.Detected = r.warnings, r.degraded, r.version, r.detected
	res.DurationMS = r.since(r.began)
	p := r.pass()
	if res.mask(p); p.Stopped() {
		res.Data = nil
		if res.Success {
			res.Success, res.Error = false, ended(ctx, nil)
			res.Error.Action = res.Action
		}
	}
	if r.o.Recorder != nil {
		r.o.Recorder.Record(new(trace.Pass), trace.Entry{ // the entry is already masked
			Time: r.opts.Clock.Now(), Event: "end", Action: res.Action, Status: endStatus(res),
			Output: res.Data, Error: res.Error, DurationMS: res.DurationMS,
		})
	}
}

func endStatus(res *Result) string {
	if res.Success {
		return string(OK)
	}
	return string(Failed)
}

// dump adds the context of the failed step to the error. If no step has failed, it adds the context
// of the requested action. The context contains no values of environment variables.
func (r *run) dump(ctx context.Context, e *diag.Error) {
	from := r.failed
	if from.frame == nil || e.StepAction == "" || from.path != e.Path || from.name != e.Action {
		if r.main == nil {
			return
		}
		from = origin{frame: r.main, scope: r.main.scope}
	}
	left := maxReportBytes
	known := map[string]any{"action": from.name}
	locals := make(map[string]any, len(from.scope.Locals))
	for _, l := range from.scope.Locals {
		locals[l.Name] = l.Value
	}
	maps.Copy(known, r.fitMap(locals, &left))
	known["params"], known["steps"] = r.fitMap(from.scope.Params, &left), r.fitMap(from.scope.Steps, &left)
	if len(from.env) > 0 {
		known["env"] = from.env
	}
	if page := r.page(); page != nil && e.Code != diag.Cancelled { // a cancelled run ends immediately
		// The run's own context may have expired.
		ctx, cancel := withDeadline(context.WithoutCancel(ctx), r.opts.Clock, guard, nil)
		defer cancel()
		if doc, err := page.Document(ctx); err == nil {
			known["page"] = map[string]any{"url": doc.URL, "title": doc.Title}
		}
	}
	e.WithDetail("context", known)
}
