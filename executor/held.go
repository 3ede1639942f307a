package executor

// What is held down ends with a run. From one step by hand to the next it stays.

import (
	"context"
	"slices"
	"strings"

	"actionregistry/steps"
)

// begin notes that the run acts on page. What a step by hand has left down there is
// let go first: the run is not written for it.
func (r *run) begin(ctx context.Context, page steps.Page) {
	if page == nil || slices.Contains(r.acted, page) {
		return
	}
	r.acted = append(r.acted, page)
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
