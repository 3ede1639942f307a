package browser

// Places in frames. An element of a frame is found, and a press of it armed, in the
// frame's own world, which knows its own viewport only; input is sent in that of the
// page. Each world on the way out tells where in its viewport the place is, that
// nothing lies over the frame there, and guards the press as well.

import (
	"context"
	"encoding/json"
)

// A passage is a request to the engine for a place in a frame: see through there.
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

// outward brings the place that r tells from the viewport of its frame to that of
// the page. errAgain means that a frame had to be waited for, or scrolled: what is
// in it may have moved as well. A refusal is put into r.
func (s *seeker) outward(ctx context.Context, r *acted, a act) error {
	if r.w.outer == nil || r.View == nil {
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
	at, moved, err := s.passOut(ctx, r, r.Point, pass)
	if err == nil && r.OK && moved {
		err = errAgain
	}
	if err != nil || !r.OK {
		s.p.disarm(context.WithoutCancel(ctx), &r.w)
		s.p.call(context.WithoutCancel(ctx), r.w, "letGo", nil)
		return err
	}
	r.Point = at
	return nil
}

// outwardBox brings the box that r has read out, by its corners.
func (s *seeker) outwardBox(ctx context.Context, r *acted) error {
	var box struct {
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
	if err := decodeValue(r.Value, &box); err != nil {
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

// passOut asks world by world, outwards, where a place of r's viewport is.
func (s *seeker) passOut(ctx context.Context, r *acted, at point, pass passage) (point, bool, error) {
	view, moved := *r.View, false
	for w := &r.w; w.outer != nil; w = w.outer {
		pass.Frame, pass.X, pass.Y, pass.View = w.key, at.X, at.Y, view
		pass.ID, pass.Timeout = s.p.acts.next(), s.left().Milliseconds()
		if len(pass.Need) == 0 {
			pass.Timeout = 0
		}
		var out acted
		err := s.call(ctx, *w.outer, nil, "through", pass.ID, pass, &out)
		switch {
		case isGone(err):
			return at, false, s.p.gone(ctx, *w.outer)
		case err != nil:
			return at, false, err
		case out.Reason == "gone":
			return at, false, s.p.afterFrame(ctx)
		case !out.OK:
			r.OK, r.Reason, r.Missing, r.Detail = false, out.Reason, out.Missing, out.Detail
			return at, false, nil
		}
		at, view, moved = out.Point, *out.View, moved || out.Moved
	}
	return at, moved, nil
}

// disarm ends the guard of a press, in the world of the element and in those around
// it. Nobody waits for it.
func (p *Page) disarm(ctx context.Context, w *world) {
	for ; w != nil; w = w.outer {
		p.call(ctx, *w, "pressed", map[string]int64{"wait": 0})
	}
}

// pressedAround ends the guard of a press in the worlds around w, that of its
// element, and adds what lay over the frame when the element saw nothing of the
// press. err is that of reading back in w: a frame that went away before the press
// reached it is no navigation. When it returns, the navigation of the page that the
// press has started has been told.
func (p *Page) pressedAround(ctx context.Context, w world, back *pressed, err error) error {
	for w := w.outer; w != nil; w = w.outer {
		var around pressed
		failed := p.answer(ctx, p.call(ctx, *w, "pressed", map[string]int64{"wait": 0}), &around)
		switch {
		case isGone(failed):
		case failed != nil:
			return failed
		case around.Missed != nil && !back.Down:
			back.Missed = around.Missed
		}
	}
	if isGone(err) && back.Missed != nil {
		return nil
	}
	return err
}

// underWayLocked reports whether the page, or the frame of w, is going to another
// document.
func (p *Page) underWayLocked(w world) bool {
	if p.nav.pending() {
		return true
	}
	f := p.frames[w.frame]
	return f != nil && f.nav.pending()
}
