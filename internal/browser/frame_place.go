package browser

// Positions in frames. An element in a frame is found, and a press of it prepared, in the frame's
// own world, which knows only its own viewport. Input is sent in the coordinates of the page's
// viewport. So each surrounding world, from the inside out, maps the position to its own viewport,
// checks that nothing covers the frame there, and guards the press too.

import (
	"context"
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/startup"
)

// A passage asks a surrounding world about the frame with the key Frame. The answer maps the
// position X, Y in the frame's viewport to the viewport of that world. The frame must be actionable
// at that position. Positions and sizes are in CSS pixels.
type passage struct {
	lookup
	Frame  int      `json:"frame"`
	X      float64  `json:"x"`
	Y      float64  `json:"y"`
	View   point    `json:"view"` // size of the frame's viewport
	Need   []string `json:"need"`
	Scroll bool     `json:"scroll"`
	Shield int      `json:"shield"` // number of presses to guard; 0: none
}

// outward maps the position or the box in r from the viewport of its frame to that of the page. It
// returns documents.ErrAgain if it had to wait for a frame or scroll it, because the position may
// have changed. If a surrounding document refuses, r becomes that refusal.
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

// drawn waits until w and the documents around it have been drawn after scrolling. It waits for at
// most pressWait. Without it, the browser may send input for a frame in another process to the
// previous position of the frame.
func (p *finder) drawn(ctx context.Context, w *documents.World) {
	ctx, cancel := context.WithTimeout(ctx, pressWait) // a document may draw nothing
	defer cancel()
	for range 2 { // the first frame may have begun before the scrolling
		var frames []*cdp.Call
		for at := w; at != nil; at = at.Outer {
			frames = append(frames, p.Call(ctx, *at, "nextFrame", nil))
		}
		for _, c := range frames {
			c.Wait(nil)
		}
	}
}

// placeAgain makes the browser update the position of the frame of w. It is called after input for
// the frame went to a surrounding document. tries is the number of attempts so far. After the first
// attempt, placeAgain only waits until the frame is drawn. After later attempts, it also scales the
// page by a thousandth and back, if we have set the viewport. Chromium 156 needs that: it may keep
// the old position of a frame until something moves in the page's own document.
func (p *finder) placeAgain(ctx context.Context, w *documents.World, tries int) {
	if w.Outer == nil {
		return
	}
	p.drawn(ctx, w)
	v := p.Viewport()
	if tries == 1 || v == (startup.Viewport{}) {
		return
	}
	smaller := 0.999
	same := proto.EmulationSetDeviceMetricsOverride{Width: v.Width, Height: v.Height}
	moved := same
	moved.Scale = &smaller
	for _, m := range []proto.EmulationSetDeviceMetricsOverride{moved, same} {
		// The scale is restored even if ctx ends. Nothing waits for it, because the page may hang.
		p.Frames.Start(context.WithoutCancel(ctx), m)
		p.drawn(ctx, w)
	}
}

// outwardBox maps the box that r has read to the viewport of the page. It maps the top left and the
// bottom right corner.
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

// passOut maps a position in the world of r to the viewport of the page. It also reports whether it
// had to wait for a frame or scroll it. If a surrounding document refuses, r becomes that refusal.
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

// disarm ends the guard of a press in w and in the worlds around it. It does not wait for replies.
func (p *finder) disarm(ctx context.Context, w *documents.World) {
	for ; w != nil; w = w.Outer {
		p.Call(ctx, *w, "pressed", map[string]int64{"wait": 0})
	}
}

// missedAround reports whether a document around w has received an event of a press. w is the world
// of the pressed element.
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

// pressedAround ends the guard of a press in the worlds around w, the world of the pressed element.
// If the element received nothing of the press, pressedAround records in the argument "back" which
// element covered the frame. It returns err, the error of the read-back in w. If w is gone and the
// press did not reach it, pressedAround returns nil instead. When it returns, the browser has
// reported any navigation that the press started.
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
