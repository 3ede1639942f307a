package browser

// The steps that move the mouse and press its buttons without an element, and the release of what
// is held down.

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
)

// Button implements [driver.Mouse].
func (p *pointer) Button(ctx context.Context, button string, down bool) (driver.Spot, error) {
	if slices.Contains(p.hand.buttons, button) == down {
		if down {
			return driver.Spot{}, diag.New(diag.StepFailed, "the %s mouse button is already down", button).
				WithHint("release the button first, with the step `mouse_up`")
		}
		return driver.Spot{}, diag.New(diag.StepFailed, "the %s mouse button is not down", button).
			WithHint("press the button first, with the step `mouse_down`")
	}
	w, desc, err := p.finder.whatIsAt(ctx, p.hand.at)
	if err != nil {
		return driver.Spot{}, err
	}
	if err := p.NoteHere(ctx, w); err != nil {
		return driver.Spot{}, err
	}
	p.BeginInput()
	if button == "left" {
		if down {
			return p.finder.spotOf(desc, p.beginDrag(ctx, w, desc))
		}
		if d := p.hand.drag; d != nil {
			p.hand.drag = nil
			defer p.endIntercept(ctx)
			d.toAt, d.toEl.Desc = p.hand.at, desc
			_, err := d.drop(ctx)
			return p.finder.spotOf(desc, err)
		}
	}
	if err := p.Link.Finish(ctx, []*cdp.Call{p.setButton(ctx, button, down)}); err != nil {
		return driver.Spot{}, err
	}
	if err := p.AfterInput(ctx, w); err != nil {
		return driver.Spot{}, err
	}
	_, err = p.controls.consequence(ctx, w)
	return p.finder.spotOf(desc, err)
}

// MoveTo implements [driver.Mouse].
func (p *pointer) MoveTo(ctx context.Context, at driver.Point) (driver.Spot, error) {
	w, desc, err := p.finder.whatIsAt(ctx, point(at))
	if err != nil {
		return driver.Spot{}, err
	}
	if d := p.hand.drag; d != nil && d.worlds[0].ID == w.ID {
		return p.finder.spotOf(desc, d.move(ctx, point(at)))
	}
	if err := p.Link.Finish(ctx, []*cdp.Call{p.moveTo(ctx, point(at))}); err != nil {
		return driver.Spot{}, err
	}
	return p.finder.spotOf(desc, p.AfterInput(ctx, w))
}

// LetGo implements [driver.Mouse].
func (p *pointer) LetGo(ctx context.Context) ([]string, error) {
	var names []string
	var first error
	release := func(name string, err error) {
		names = append(names, name)
		if first == nil {
			first = err
		}
	}
	for _, button := range slices.Clone(p.hand.buttons) {
		_, err := p.Button(ctx, button, false)
		release("the "+button+" mouse button", err)
	}
	keys := slices.Clone(p.hand.keys)
	for i := len(keys) - 1; i >= 0; i-- {
		_, err := p.typist.HoldKey(ctx, keys[i].Key, false)
		release(keys[i].Key, err)
	}
	p.hand.buttons, p.hand.keys, p.hand.drag = nil, nil, nil
	return names, first
}

// beginDrag presses the left button over the element that desc describes. The browser may drag that
// element.
func (p *pointer) beginDrag(ctx context.Context, w documents.World, desc string) error {
	d := &drag{p: p, fromAt: p.hand.at, el: element{Desc: desc}, worlds: []documents.World{w}}
	if err := p.Answer(ctx, p.Call(ctx, w, "grabPoint", nil), nil); err != nil {
		return d.lost(err)
	}
	p.hand.drag = d
	return p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, proto.InputSetInterceptDrags{Enabled: true}), p.setButton(ctx, "left", true)})
}
