package browser

// The state of the mouse and the keyboard between steps: the position of the mouse, and the buttons
// and keys that are held down.

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/keys"
	"github.com/actionregistry/action/internal/driver"
)

// A hand is the position of the mouse in the viewport, and what is held down.
type hand struct {
	at      point
	buttons []string   // in the order in which they went down
	keys    []keys.Key // likewise
	drag    *drag      // in progress while Button holds the left button down; otherwise nil
}

// bits returns the modifiers that are held, for input events.
func (h *hand) bits() int {
	names := make([]string, len(h.keys))
	for i, k := range h.keys {
		names[i] = k.Key
	}
	return keys.Bits(names)
}

// mask returns the buttons that are held, for mouse events.
func (h *hand) mask() *int {
	mask := 0
	for _, b := range h.buttons {
		mask |= map[string]int{"left": 1, "right": 2, "middle": 4}[b]
	}
	return &mask
}

// button returns the button for the event of a move. Without it Chromium starts no drag.
func (h *hand) button() proto.InputMouseButton {
	if len(h.buttons) == 0 {
		return proto.InputMouseButtonNone
	}
	return proto.InputMouseButton(h.buttons[0])
}

// moveTo sends a move of the mouse, without waiting for the reply.
func (p *pointer) moveTo(ctx context.Context, at point) *cdp.Call {
	p.hand.at = at
	return p.Frames.Start(ctx, proto.InputDispatchMouseEvent{
		Type: proto.InputDispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y,
		Button: p.hand.button(), Buttons: p.hand.mask(), Modifiers: p.hand.bits(),
	})
}

// setButton presses or releases a button at the position of the mouse, without waiting for the
// reply.
func (p *pointer) setButton(ctx context.Context, button string, down bool) *cdp.Call {
	e := proto.InputDispatchMouseEvent{
		Type: proto.InputDispatchMouseEventTypeMouseReleased, X: p.hand.at.X, Y: p.hand.at.Y,
		Button: proto.InputMouseButton(button), ClickCount: 1, Modifiers: p.hand.bits(),
	}
	if down {
		e.Type = proto.InputDispatchMouseEventTypeMousePressed
		p.hand.buttons = append(p.hand.buttons, button)
	} else {
		p.hand.buttons = slices.DeleteFunc(p.hand.buttons, func(b string) bool { return b == button })
	}
	e.Buttons = p.hand.mask()
	return p.Frames.Start(ctx, e)
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

// Button implements [driver.Mouse].
func (p *pointer) Button(ctx context.Context, button string, down bool) (driver.Spot, error) {
	if slices.Contains(p.hand.buttons, button) == down {
		if down {
			return driver.Spot{}, diag.New(diag.StepFailed, "the %s mouse button is down already", button).
				WithHint("release it with mouse_up first")
		}
		return driver.Spot{}, diag.New(diag.StepFailed, "the %s mouse button is not down", button).
			WithHint("press it with mouse_down first")
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

// beginDrag presses the left button over the element that desc describes, which may be one that the
// browser drags.
func (p *pointer) beginDrag(ctx context.Context, w documents.World, desc string) error {
	d := &drag{p: p, fromAt: p.hand.at, el: element{Desc: desc}, worlds: []documents.World{w}}
	if err := p.Answer(ctx, p.Call(ctx, w, "grabPoint", nil), nil); err != nil {
		return d.lost(err)
	}
	p.hand.drag = d
	return p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, proto.InputSetInterceptDrags{Enabled: true}), p.setButton(ctx, "left", true)})
}

// spotOf returns the state of the mouse over the element that desc describes, or err.
func (p *finder) spotOf(desc string, err error) (driver.Spot, error) {
	if err != nil {
		return driver.Spot{}, err
	}
	return driver.Spot{Point: driver.Point(p.hand.at), Desc: desc, Held: slices.Clone(p.hand.buttons)}, nil
}

// whatIsAt returns the world and the description of the element at a point of the viewport. A point
// outside is STEP_FAILED.
func (p *finder) whatIsAt(ctx context.Context, at point) (documents.World, string, error) {
	var there struct {
		Inside bool    `json:"inside"`
		Desc   string  `json:"desc"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
	w, err := p.Ask(ctx, "at", at, &there)
	if err == nil && !there.Inside {
		err = diag.New(diag.StepFailed, "the point %g, %g is outside the viewport, which is %g by %g", at.X, at.Y, there.Width, there.Height).
			WithDetail("width", there.Width).WithDetail("height", there.Height).
			WithHint("scroll it into view, and count from the viewport's top left corner")
	}
	return w, there.Desc, err
}
