package executor

// What a run holds: the keys that it has left down, and the controls that it has set.
//
// What is held down ends with a run. From one step by hand to the next it stays.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"actionregistry/diag"
	"actionregistry/steps"
)

// begin notes that the run acts on page. What a step by hand has left down there is
// let go first: the run is not written for it.
func (r *run) begin(ctx context.Context, page steps.Page) {
	if page == nil || slices.Contains(r.acted, page) {
		return
	}
	r.acted = append(r.acted, page)
	page.Keep()
	r.release(ctx, page, "when the run began")
}

// releaseAll lets go what the run has left down, also when its time is up.
func (r *run) releaseAll(ctx context.Context) {
	ctx, cancel := r.opts.Clock.WithTimeout(context.WithoutCancel(ctx), guard, nil)
	defer cancel()
	for _, page := range r.acted {
		r.release(ctx, page, "when the run ended")
	}
}

func (r *run) release(ctx context.Context, page steps.Page, when string) {
	names, err := page.LetGo(ctx)
	switch {
	case len(names) == 0:
	case err != nil:
		r.warn(WarnReleased, "%s was down %s, and the page could not be told that it is up: %s", strings.Join(names, ", "), when, asError(err).Msg)
	default:
		r.warn(WarnReleased, "%s was down %s and was let go", strings.Join(names, ", "), when)
	}
}

// reverted looks once more at the controls that the run has set: one that the page has
// changed since by itself does not hold what the run reports.
func (f *frame) reverted(ctx context.Context) error {
	for _, page := range f.acted {
		list, err := page.Reverted(ctx)
		if err != nil || len(list) == 0 {
			continue // a page that cannot be asked has gone, which the checks notice
		}
		c := list[0]
		e := diag.New(diag.VerifyFailed, "%s does not hold any more what the run has set: the page changed it afterwards, by itself", c.Desc).
			WithHint("look at the page: it may refuse the value, or set the control when it has loaded; wait for that first").
			WithDetail("reason", "reverted").WithDetail("control", c.Desc)
		if !c.Secret && f.masker.String(c.Set) == c.Set {
			e.Msg = fmt.Sprintf("%s holds %q and not %q any more, which the run has set: the page changed it afterwards, by itself", c.Desc, c.Holds, c.Set)
			e.WithDetail("set", c.Set).WithDetail("holds", c.Holds)
		}
		return located(e, f.name)
	}
	return nil
}
