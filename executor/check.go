package executor

import "context"

// Check returns an error if a call is certain to fail: the action is unknown, a param is invalid, a
// definition does not compile, or the policy denies a variable. Run would report the same error.
// Check needs no page. It uses only the fields FromText and Environ of o.
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
