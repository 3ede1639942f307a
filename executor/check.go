package executor

import "context"

// Check returns an error if a call is certain to fail before its first step: because of an unknown
// action, invalid params, a definition that does not compile, or a variable that the policy denies.
// Run would report the same error. Check needs no page. It uses only the fields FromText and
// Environ of o.
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
