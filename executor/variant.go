package executor

// The selection of an action's variant. The document on which the action acts decides, but the
// action's own first steps may open that document. So the action begins with the variant of the
// current document. It can change to another variant when a document requires it (change.go), as
// long as all steps so far are the same in both.

import (
	"context"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// A choice is the state of a frame's variant selection.
type choice struct {
	action   *spec.Action
	varies   bool    // there is more than one variant
	begun    int     // number of steps that have begun
	settled  bool    // a step has acted on a document
	chosenBy string  // id of the document that last selected the variant
	earlier  []*bool // results of the checks before the steps
}

// beginVariant selects the variant of the current document.
func (f *frame) beginVariant(ctx context.Context, a *spec.Action) (*spec.Variant, error) {
	f.choice = choice{action: a, varies: hasVariants(f.ns, a.Name)}
	if !f.varies {
		return nil, nil
	}
	if f.browser == nil {
		f.varies = false
		f.warn(WarnVersionNotDetected, "the steps of %s depend on the page's version: the plan shows the plain steps", f.name)
		return nil, nil
	}
	doc, err := f.page().Shown(ctx)
	if err != nil {
		return nil, err
	}
	d, err := f.detect(ctx, f.ns, doc)
	if err != nil {
		return nil, err
	}
	f.chosenBy = d.id
	warnOverridden(a, d.view.Written(a.Name), f.warn)
	return d.view.Variant(a.Name), nil
}

func hasVariants(ns *spec.Namespace, action string) bool {
	for i := range ns.Layers {
		for j := range ns.Layers[i].Overrides {
			if ns.Layers[i].Overrides[j].Actions[action] != nil {
				return true
			}
		}
	}
	return false
}

// acts records that a step or a check is about to act on document d. Its error is that of
// [frame.other].
func (f *frame) acts(d *document) error {
	if !f.varies || d.url == blank {
		return nil
	}
	if _, err := f.other(d); err != nil {
		return err
	}
	f.settled, f.chosenBy = true, d.id
	return nil
}

// other returns the program that document d requires, or nil to keep the current one. A document
// without a version requires the plain steps.
//
// If the two programs differ in the steps so far, the error is VERSION_INCOMPATIBLE. After a step
// has acted on a document, this is only a warning.
func (f *frame) other(d *document) (*annotated, error) {
	if d.url == blank || (d.found == nil && f.settled) {
		return nil, nil
	}
	if d.found == nil {
		f.warn(WarnVersionNotDetected, "the page's version of %s was not detected, and the steps of %s depend on it: the plain steps were used", f.ns.Name, f.name)
	}
	want, err := f.x.program(f.ns, f.action, d.view.Variant(f.action.Name))
	switch {
	case err != nil:
		return nil, err
	case want == f.prog:
		return nil, nil
	case f.begun <= len(want.Steps) && slices.EqualFunc(f.prog.Steps[:f.begun], want.Steps[:f.begun], sameOp):
		return want, nil
	}
	version := "no known version"
	if d.found != nil {
		version = "version " + d.found.String()
	}
	if f.settled || f.chosenBy == d.id { // the library loaded late
		f.warn(WarnVersionChanged, "%s continued with its first variant on a page with %s, for which it has other steps", f.name, version)
		return nil, nil
	}
	e := diag.New(diag.VersionIncompatible, "%s began with its steps for another version, and then opened a page with %s", f.name, version).
		WithHint("use the same steps for all versions until the page is open, or open the page before the run")
	if d.found != nil {
		e.WithDetail("found", d.found.String())
	}
	return nil, e
}

func sameOp(a, b *steps.Op) bool { return sameStep(a.Spec, b.Spec) }

// sameStep reports whether two steps do the same, regardless of their positions in files.
func sameStep(a, b *spec.Step) bool {
	return a == b || a.Action.Value == b.Action.Value && a.Args.Equal(b.Args) && sameText(a.When, b.When) && sameText(a.Scope, b.Scope) && sameText(a.Output, b.Output) &&
		sameTime(a.Timeout, b.Timeout) && a.IgnoresBusy == b.IgnoresBusy && sameSettle(a.Settle, b.Settle) && sameFlag(a.Calm, b.Calm) && sameText(a.Expect, b.Expect) && a.Approval == b.Approval && a.Retry.Times == b.Retry.Times && a.Retry.Delay == b.Retry.Delay && slices.Equal(a.Retry.On, b.Retry.On) &&
		(a.OnError == spec.Continue) == (b.OnError == spec.Continue) &&
		slices.EqualFunc(a.Fallback, b.Fallback, sameStep) && slices.EqualFunc(a.Steps, b.Steps, sameStep) &&
		slices.EqualFunc(a.Cases, b.Cases, sameCase) && (a.Else == nil) == (b.Else == nil) && slices.EqualFunc(a.Else, b.Else, sameStep)
}

func sameCase(a, b *spec.Case) bool {
	return sameText(a.When, b.When) && slices.EqualFunc(a.Steps, b.Steps, sameStep)
}

func sameText(a, b *spec.Text) bool { return a == b || a != nil && b != nil && a.Value == b.Value }

func sameSettle(a, b *spec.Settle) bool { return (a == nil) == (b == nil) && a.Time() == b.Time() }

func sameFlag(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }

func sameTime(a, b *time.Duration) bool { return a == b || a != nil && b != nil && *a == *b }
