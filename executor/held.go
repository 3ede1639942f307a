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

// begin records that the run acts on page. On the first call for a page, it releases the keys and
// buttons that manual steps have left down.
func (r *run) begin(ctx context.Context, page driver.Page) {
	if page == nil || slices.Contains(r.acted, page) {
		return
	}
	r.acted = append(r.acted, page)
	page.Keep(true)
	r.release(ctx, page, "when the run began")
}

// releaseAll releases the keys and buttons that the run has left down, even if its time is up.
func (r *run) releaseAll(ctx context.Context) {
	ctx, cancel := withDeadline(context.WithoutCancel(ctx), r.opts.Clock, guard, nil)
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
		r.warn(WarnReleased, "%s was down %s and could not be released: %s", strings.Join(names, ", "), when, asError(err).Msg)
	default:
		r.warn(WarnReleased, "%s was down %s and was released", strings.Join(names, ", "), when)
	}
}

// lookBack records which controls the page has reverted. It is called before a step whose input
// goes to no particular element. Before input to an element, the page does this itself.
func (e *execution) lookBack(ctx context.Context) {
	if e.op.Effect() == driver.NoEffect || e.waitsForElement() {
		return
	}
	for _, page := range e.acted {
		page.LookBack(ctx)
	}
}

// after is called when a step has finished; err is the step's error, or nil. It records which
// controls may still change because of the step. Their changes do not count as reverted by the
// page.
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

// reverted checks at the end of a run whether the controls still have the values that the run has
// set. The error is VERIFY_FAILED if the page has changed one by itself.
func (f *frame) reverted(ctx context.Context) error {
	for _, page := range f.acted {
		list, err := page.Reverted(ctx)
		if ctx.Err() != nil && err != nil {
			return located(ended(ctx, nil), f.name)
		}
		if err != nil {
			f.unsure = append(f.unsure, Unverified{Action: f.name, Why: "the final values of its controls could not be read"})
			f.warn(WarnNotLooked, "the controls that the run has set could not be checked at the end: %s", asError(err).Msg)
		}
		if len(list) == 0 {
			continue
		}
		c := list[0]
		e := diag.New(diag.VerifyFailed, "%s no longer holds what the run set: the page changed the value afterwards, by itself", c.Desc).
			WithHint("check whether the page rejects the value; if the page sets the control while loading, first wait until the page has loaded").
			WithDetail("reason", "reverted").WithDetail("control", c.Desc)
		if !c.Secret && f.masker.String(c.Set) == c.Set {
			e.Msg = fmt.Sprintf("%s no longer holds %q, which the run set; it holds %q: the page changed the value afterwards, by itself", c.Desc, c.Set, c.Holds)
			e.WithDetail("set", c.Set).WithDetail("holds", c.Holds)
		}
		if c.Led != "" {
			e.Msg = strings.TrimSuffix(e.Msg, ": the page changed the value afterwards, by itself") + ": the page has opened another document since then: " + c.Led
			e.Hint = "check the new document with snapshot; if the last control has sent the form, set it first, or in a run of its own"
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
