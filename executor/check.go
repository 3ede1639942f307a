package executor

import "context"

// Check tells what is wrong with a call before anything runs: an unknown action,
// params that do not fit, a definition that does not compile, a variable that
// the policy refuses. It needs no page; of o the fields FromText and Environ
// count. The error is what Run would have in its result.
func (x *Executor) Check(ctx context.Context, name string, params map[string]any, o RunOptions) error {
	r := newRun(x, nil, RunOptions{FromText: o.FromText, Environ: o.Environ})
	ns, a, asked, err := r.x.resolve(nil, name, r.warn)
	if err == nil {
		_, err = r.enter(ctx, entry{ns: ns, action: a, given: params, fromText: o.FromText})
	}
	if err == nil {
		return nil
	}
	return r.masker.Error(asError(located(err, asked)))
}
