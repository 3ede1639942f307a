package executor

// What a run holds: the keys that it has left down, and the controls that it has set.
//
// Keys are released at the end of a run. Between manual steps they stay down.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/spec"
)

// begin records that the run acts on page. It first releases what a manual step has left
// down there: the run was not written for that.
func (r *run) begin(ctx context.Context, page driver.Page) {
	if page == nil || slices.Contains(r.acted, page) {
		return
	}
	r.acted = append(r.acted, page)
	page.Keep(true)
	r.release(ctx, page, "when the run began")
}

// releaseAll releases what the run has left down, even when its time is up.
func (r *run) releaseAll(ctx context.Context) {
	ctx, cancel := r.opts.Clock.WithTimeout(context.WithoutCancel(ctx), guard, nil)
	defer cancel()
	for _, page := range r.acted {
		r.release(ctx, page, "when the run ended")
		page.Keep(false)
		page.Unwatch()
	}
}

func (r *run) release(ctx context.Context, page driver.Page, when string) {
	names, err := page.LetGo(ctx)
	switch {
	case len(names) == 0:
	case err != nil:
		r.warn(WarnReleased, "%s was down %s, and the page could not be told that it is up: %s", strings.Join(names, ", "), when, asError(err).Msg)
	default:
		r.warn(WarnReleased, "%s was down %s and was let go", strings.Join(names, ", "), when)
	}
}

// lookBack records reverted controls before a step whose input goes to no element; other
// steps check by themselves.
func (e *execution) lookBack(ctx context.Context) {
	if e.op.Effect() == driver.NoEffect || e.waitsForElement() {
		return
	}
	for _, page := range e.acted {
		page.LookBack(ctx)
	}
}

// after records what a step means for the controls that were set before it: later changes
// may be its effect. If the failure of a step is tolerated, so is the revert of its
// control.
func (e *execution) after(ctx context.Context, err error) {
	tolerated := e.op.Spec.OnError == spec.Continue && (e.op.Entry.Sets || e.op.Entry.Runs())
	effect := e.op.Effect()
	if e.op.Entry.Sets && err != nil || tolerated {
		effect = driver.AnyEffect
	}
	if effect == driver.NoEffect {
		return
	}
	for _, page := range e.acted {
		page.Excuse(ctx, effect)
	}
}

// reverted checks once more the controls that the run has set: one that the page has
// changed by itself no longer holds what the run reports.
func (f *frame) reverted(ctx context.Context) error {
	for _, page := range f.acted {
		list, err := page.Reverted(ctx)
		if ctx.Err() != nil && err != nil {
			return located(ended(ctx, nil), f.name)
		}
		if err != nil {
			f.unsure = append(f.unsure, Unverified{Action: f.name, Why: "what its controls hold in the end could not be looked at"})
			f.warn(WarnNotLooked, "the controls that the run has set could not be looked at once more: %s", asError(err).Msg)
		}
		if len(list) == 0 {
			continue
		}
		c := list[0]
		e := diag.New(diag.VerifyFailed, "%s no longer holds what the run set: the page changed it afterwards, by itself", c.Desc).
			WithHint("look at the page: it may refuse the value, or set the control when it has loaded; wait for that first").
			WithDetail("reason", "reverted").WithDetail("control", c.Desc)
		if !c.Secret && f.masker.String(c.Set) == c.Set {
			e.Msg = fmt.Sprintf("%s no longer holds %q, which the run set, but %q: the page changed it afterwards, by itself", c.Desc, c.Set, c.Holds)
			e.WithDetail("set", c.Set).WithDetail("holds", c.Holds)
		}
		if c.Led != "" {
			e.Msg = strings.TrimSuffix(e.Msg, ": the page changed it afterwards, by itself") + ": the page went to another document meanwhile, " + c.Led
			e.Hint = "see that page with snapshot: what was set last may have sent the form; set that first, or alone"
		}
		if len(list) > 1 {
			var all []string
			for _, c := range list {
				all = append(all, c.Desc)
			}
			e.WithDetail("controls", all)
		}
		return located(e, f.name)
	}
	return nil
}
