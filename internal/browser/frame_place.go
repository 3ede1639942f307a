package browser

// Positions in frames. An element of a frame is found, and a press of it armed, in the
// frame's own world, which only knows its own viewport; input is sent in the page's
// viewport. Each world on the way out computes the position in its own viewport, checks
// that nothing covers the frame there, and guards the press as well.

import (
	"context"
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/startup"
)

// A passage is a request to the engine to map and check a position in a frame.
type passage struct {
	lookup
	Frame  int      `json:"frame"`
	X      float64  `json:"x"`
	Y      float64  `json:"y"`
	View   point    `json:"view"` // size of the frame's viewport
	Need   []string `json:"need"`
	Scroll bool     `json:"scroll"`
	Shield int      `json:"shield"` // presses to guard
}

// outward maps the position in r from the viewport of its frame to that of the page.
// errAgain means that a frame had to be waited for, or scrolled: its content may have moved
// as well. A refusal is stored in r.
func (s *seeker) outward(ctx context.Context, r *acted, a act) error {
	if r.w.Outer == nil || r.View == nil {
		return nil
	}
	switch a.Op.Name {
	case "read":
		return s.outwardBox(ctx, r)
	case "scroll":
		_, _, err := s.passOut(ctx, r, r.Point, passage{Scroll: true})
		return err
	}
	pass := passage{Need: []string{"visible", "stable", "hit"}}
	switch a.Op.Name {
	case "press", "check", "grab":
		pass.Shield = max(a.Op.Count, 1)
	}
	if r.Moved {
		s.p.drawn(ctx, &r.w)
	}
	at, moved, err := s.passOut(ctx, r, r.Point, pass)
	if err == nil && r.OK && moved {
		err = documents.ErrAgain
	}
	if err != nil || !r.OK {
		s.p.disarm(context.WithoutCancel(ctx), &r.w)
		s.p.Call(context.WithoutCancel(ctx), r.w, "letGo", nil)
		return err
	}
	r.Point = at
	return nil
}

// drawn waits until what has scrolled in w, and in the documents around it along with w,
// has been drawn. The browser takes the position of a frame of another process from the
// frames drawn last, and a frame that gets input before it has noticed its new position may
// never notice it.
func (p *finder) drawn(ctx context.Context, w *documents.World) {
	ctx, cancel := context.WithTimeout(ctx, pressWait) // a document may stand still
	defer cancel()
	for range 2 { // a pending frame may have begun before
		var frames []*cdp.Call
		for at := w; at != nil; at = at.Outer {
			frames = append(frames, p.Call(ctx, *at, "nextFrame", nil))
		}
		for _, c := range frames {
			c.Wait(nil)
		}
	}
}

// placeAgain is for input that went to a document around the frame of w, after as many
// tries. The first may have come before the frame's position was drawn. Then Chromium 156
// may keep the position that the frame had before it scrolled into view, until something in
// the page's own document moves. We cause that, by a thousandth, in a way that no document
// can see; it requires a viewport of ours.
func (p *finder) placeAgain(ctx context.Context, w *documents.World, tries int) {
	if w.Outer == nil {
		return
	}
	p.drawn(ctx, w)
	v := p.Options().EffectiveViewport()
	if tries == 1 || v == (startup.Viewport{}) {
		return
	}
	smaller := 0.999
	same := proto.EmulationSetDeviceMetricsOverride{Width: v.Width, Height: v.Height}
	moved := same
	moved.Scale = &smaller
	for _, m := range []proto.EmulationSetDeviceMetricsOverride{moved, same} {
		// It is undone even if ctx ends, without waiting: the page may hang.
		p.Frames.Start(context.WithoutCancel(ctx), m)
		p.drawn(ctx, w)
	}
}

// outwardBox maps the box that r has read, by its corners.
func (s *seeker) outwardBox(ctx context.Context, r *acted) error {
	var box struct {
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
	if err := eval.Decode(r.Value, &box); err != nil {
		return err
	}
	from, _, err := s.passOut(ctx, r, point{box.X, box.Y}, passage{})
	if err != nil || !r.OK {
		return err
	}
	to, _, err := s.passOut(ctx, r, point{box.X + box.Width, box.Y + box.Height}, passage{})
	if err != nil || !r.OK {
		return err
	}
	box.X, box.Y, box.Width, box.Height = from.X, from.Y, to.X-from.X, to.Y-from.Y
	r.Value, err = json.Marshal(box)
	return err
}

// passOut maps a position in r's viewport outwards, world by world.
func (s *seeker) passOut(ctx context.Context, r *acted, at point, pass passage) (point, bool, error) {
	view, moved := *r.View, false
	for w := &r.w; w.Outer != nil; w = w.Outer {
		pass.Frame, pass.X, pass.Y, pass.View = w.Key, at.X, at.Y, view
		pass.ID, pass.Timeout = s.p.NextAct(), s.left().Milliseconds()
		if len(pass.Need) == 0 {
			pass.Timeout = 0
		}
		var out acted
		err := s.call(ctx, *w.Outer, "through", pass.ID, pass, &out)
		switch {
		case cdp.IsGone(err):
			return at, false, s.p.Gone(ctx, *w.Outer)
		case err != nil:
			return at, false, err
		case out.Reason == "gone":
			return at, false, s.p.AfterFrame(ctx)
		case !out.OK:
			r.OK, r.Reason, r.Missing, r.Detail = false, out.Reason, out.Missing, out.Detail
			return at, false, nil
		}
		at, view, moved = out.Point, *out.View, moved || out.Moved
	}
	return at, moved, nil
}

// disarm ends the guard of a press, in the world of the element and in those around it.
// Nobody waits for it.
func (p *finder) disarm(ctx context.Context, w *documents.World) {
	for ; w != nil; w = w.Outer {
		p.Call(ctx, *w, "pressed", map[string]int64{"wait": 0})
	}
}

// missedAround reports whether an event of a press went to a document around w, the world
// of its element.
func (p *finder) missedAround(ctx context.Context, w documents.World) bool {
	var asked []*cdp.Call
	for at := w.Outer; at != nil; at = at.Outer {
		asked = append(asked, p.Call(ctx, *at, "missed", nil))
	}
	missed := false
	for _, c := range asked {
		var one bool
		missed = p.Answer(ctx, c, &one) == nil && one || missed
	}
	return missed
}

// pressedAround ends the guard of a press in the worlds around w, the world of its element,
// and adds what lay over the frame if the element saw nothing of the press. err is that of
// reading back in w: a frame that went away before the press reached it is not a
// navigation. When it returns, a navigation of the page that the press has started has been
// reported.
func (p *finder) pressedAround(ctx context.Context, w documents.World, back *pressed, err error) error {
	for w := w.Outer; w != nil; w = w.Outer {
		var around pressed
		failed := p.Answer(ctx, p.Call(ctx, *w, "pressed", map[string]int64{"wait": 0}), &around)
		switch {
		case cdp.IsGone(failed):
		case failed != nil:
			return failed
		case around.Missed != nil && !back.Down:
			back.Missed = around.Missed
		}
	}
	if cdp.IsGone(err) && back.Missed != nil {
		return nil
	}
	return err
}
