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

// A hand is the position of the mouse in the viewport, and the buttons and keys that are held down.
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

// button returns the button to name in the event of a mouse move. Chromium starts a drag only on
// moves that name a button.
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

// spotOf returns the state of the mouse over the element that desc describes. If err is not nil, it
// returns only err.
func (p *finder) spotOf(desc string, err error) (driver.Spot, error) {
	if err != nil {
		return driver.Spot{}, err
	}
	return driver.Spot{Point: driver.Point(p.hand.at), Desc: desc, Held: slices.Clone(p.hand.buttons)}, nil
}

// whatIsAt returns the world and the description of the element at a point of the viewport. If the
// point is outside the viewport, it returns STEP_FAILED.
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
			WithHint("scroll the target into view, and measure the point from the top left corner of the viewport")
	}
	return w, there.Desc, err
}
