package executor

// The change to another variant between two steps, when a document requires it.

import (
	"context"
	"slices"

	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
)

// choose switches to another variant of the action if the current document requires it. The steps
// before step i must be the same in both variants. choose is called before each step and after the
// last one.
func (f *frame) choose(ctx context.Context, i int) error {
	f.begun = i
	switch {
	case !f.varies, i == 0:
		return nil
	case i < len(f.prog.Steps) && !looksAtPage(f.prog.Steps[i]):
		return nil
	case i == len(f.prog.Steps) && f.settled && len(f.prog.Verify) == 0 && f.prog.Returns == nil: // nothing follows
		return nil
	}
	doc, err := f.page().Shown(ctx)
	if err != nil {
		return nil // the step or check that needs the page reports the error
	}
	d, err := f.detect(ctx, f.ns, doc)
	if err != nil {
		return err
	}
	other, err := f.other(d)
	if err != nil || other == nil {
		return err
	}
	return f.change(ctx, d, other)
}

// change continues the action with another program. Both programs have the same steps so far.
func (f *frame) change(ctx context.Context, d *document, to *annotated) error {
	from := f.prog
	f.prog, f.chosenBy = to, d.id
	warnOverridden(f.action, d.view.Written(f.action.Name), f.warn)
	env, err := f.readEnv(f)
	if err != nil {
		return err
	}
	f.scope.Env = env
	before := f.earlier
	if f.settled || f.begun == len(to.Steps) {
		f.earlier = make([]*bool, len(to.Verify)) // the state before the steps is gone
	} else {
		f.earlier = f.evaluateBefore(ctx)
	}
	for i, c := range to.Verify {
		if j := slices.IndexFunc(from.Verify, func(old *program.Check) bool { return old.Spec == c.Spec }); j >= 0 {
			f.earlier[i] = before[j]
		}
	}
	return nil
}

// looksAtPage reports whether a step reads the page or acts on it.
func looksAtPage(op *steps.Op) bool {
	looks := op.LooksAtPage()
	op.Nested(func(list []*steps.Op) { looks = looks || slices.ContainsFunc(list, looksAtPage) })
	return looks
}
