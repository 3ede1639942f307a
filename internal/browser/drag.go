package browser

// Drags and holds. During a drag the browser hands its native drag and drop over to us
// (Input.setInterceptDrags). Otherwise the drag would depend on the window system, and the page
// would see no drop.

import (
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
)

// dragMoves is the number of mouse moves of a drag. The drag waits until the page has handled each
// move, because sortable lists decide by the positions on the way.
const dragMoves = 8

// A grip is the engine's report on the press of a button that begins a drag or a hold.
type grip struct {
	Down   bool `json:"down"`   // the page saw the press
	Native bool `json:"native"` // the browser has started a native drag
	// Drags says whether the browser will start a native drag: "sure" if the page has made the
	// element draggable, "maybe" for links and images, "" for other elements.
	Drags string `json:"drags"`
	// Lost says why the press does not hold the element, although it began on the element. It is ""
	// if the press holds the element.
	Lost string `json:"lost"`
	// Missed is the element that the press would have hit instead.
	Missed *struct {
		Desc string `json:"desc"`
	} `json:"missed"`
}

// letGo is the engine's report at the end of a drag: which events the page has received.
type letGo struct {
	Down     bool   `json:"down"`
	Up       bool   `json:"up"`
	Dropped  bool   `json:"dropped"`
	Accepted bool   `json:"accepted"` // the page accepted the last dragover event
	Over     string `json:"over"`     // the element of that event
	Changed  bool   `json:"changed"`
	Drags    string `json:"drags"` // as in grip
}

// A drag is the state of a call of Drag or Hold, or of a press of the left button by Button.
type drag struct {
	p        *pointer
	from, to *seeker // nil for points
	fromAt   point
	toAt     point
	worlds   []documents.World // that watch the drag: the world of from, then the world of to if that is another one
	el, toEl element
	native   bool   // the browser has started a native drag
	drags    string // as in grip
}

// Drag implements [driver.Pointer].
func (p *pointer) Drag(ctx context.Context, from, to driver.Place) (driver.Dragged, error) {
	if len(p.hand.buttons) > 0 {
		return driver.Dragged{}, diag.New(diag.StepFailed, "a mouse button is already down").WithHint("release the button first, with the step `mouse_up`")
	}
	d := &drag{p: p, fromAt: point(from.Point), toAt: point(to.Point)}
	if from.Target != nil {
		d.from = p.finder.seek(ctx, *from.Target)
	}
	if to.Target != nil {
		d.to = p.finder.seek(ctx, *to.Target)
	}
	// Find the target first, so that an impossible drop does not leave a drag half done.
	if err := d.findTo(ctx, forHover); err != nil {
		return driver.Dragged{}, err
	}
	if err := p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, proto.InputSetInterceptDrags{Enabled: true})}); err != nil {
		return driver.Dragged{}, err
	}
	defer p.endIntercept(ctx)
	if err := d.take(ctx, forHover); err != nil {
		return driver.Dragged{}, err
	}
	if err := d.begin(ctx); err != nil {
		return driver.Dragged{}, errors.Join(err, d.abandon(ctx))
	}
	if err := d.carry(ctx); err != nil {
		return driver.Dragged{}, errors.Join(err, d.abandon(ctx))
	}
	return d.drop(ctx)
}

// endIntercept lets the browser handle native drags again. It does not wait for a reply.
func (p *pointer) endIntercept(ctx context.Context) {
	p.Frames.Start(context.WithoutCancel(ctx), proto.InputSetInterceptDrags{})
	p.Handed.ForgetDrag()
}

// findTo finds the position at which to drop.
func (d *drag) findTo(ctx context.Context, need []string) error {
	if d.to == nil {
		w, desc, err := d.p.finder.whatIsAt(ctx, d.toAt)
		d.toEl.Desc = desc
		d.watchedBy(w)
		return err
	}
	r, err := d.to.act(ctx, act{Need: need, Strict: true, Op: op{Name: "dropzone"}})
	if err != nil {
		return err
	}
	d.toAt, d.toEl = r.Point, r.El
	d.watchedBy(r.w)
	return nil
}

// watchedBy adds w to the worlds that watch the drag.
func (d *drag) watchedBy(w documents.World) {
	for _, known := range d.worlds {
		if known.ID == w.ID {
			return
		}
	}
	d.worlds = append(d.worlds, w)
}

// take presses the button on d.from. If another element would have received the press, take tries
// again until the time is up.
func (d *drag) take(ctx context.Context, need []string) error {
	for {
		w, err := d.findFrom(ctx, need)
		if err != nil {
			return err
		}
		for _, other := range d.worlds {
			if other.ID != w.ID {
				d.p.Call(ctx, other, "grabPoint", nil)
			}
		}
		var g grip
		d.p.BeginInput()
		events := []*cdp.Call{d.p.moveTo(ctx, d.fromAt), d.p.setButton(ctx, "left", true)}
		if err := d.p.Link.Finish(ctx, events); err != nil { // an evaluation would overtake them
			return errors.Join(err, d.abandon(ctx), d.unguard(ctx, w, &g))
		}
		if err := d.p.Answer(ctx, d.p.Call(ctx, w, "grip", nil), &g); err != nil {
			return errors.Join(d.lost(err), d.abandon(ctx), d.unguard(ctx, w, &g))
		}
		if g.Lost != "" {
			return errors.Join(lostClick(d.label(), g.Lost), d.abandon(ctx), d.unguard(ctx, w, &g))
		}
		if g.Down { // the release may hit any element
			d.worlds, d.drags = append([]documents.World{w}, d.worlds...), g.Drags
			return d.unguard(ctx, w, &g)
		}
		if err := errors.Join(d.abandon(ctx), d.unguard(ctx, w, &g)); err != nil {
			return err
		}
		if d.from == nil || d.from.left() == 0 {
			return notTaken(d.label(), &g)
		}
	}
}

// unguard ends the guard of the press in the documents around w. The guard keeps the press from
// other elements than the intended one. If the press did not reach w, unguard records in g which
// element covered the frame. If the guard has stopped the press, the caller must release the button
// first.
func (d *drag) unguard(ctx context.Context, w documents.World, g *grip) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), documents.AnswerGrace)
	defer cancel()
	var back pressed
	if err := d.p.finder.pressedAround(ctx, w, &back, nil); err != nil {
		return err
	}
	if g.Missed == nil && !g.Down {
		g.Missed = back.Missed
	}
	return nil
}

// findFrom finds the position to press, prepares the press there, and returns its world.
func (d *drag) findFrom(ctx context.Context, need []string) (documents.World, error) {
	if d.from == nil {
		w, desc, err := d.p.finder.whatIsAt(ctx, d.fromAt)
		if err != nil {
			return w, err
		}
		d.el.Desc = desc
		return w, d.p.Answer(ctx, d.p.Call(ctx, w, "grabPoint", nil), nil)
	}
	r, err := d.from.act(ctx, act{Need: need, Strict: true, Op: op{Name: "grab"}})
	if err != nil {
		return documents.World{}, err
	}
	d.fromAt, d.el = r.Point, r.El
	return r.w, nil
}

// notTaken returns the error for a press that did not reach its element.
func notTaken(label string, g *grip) error {
	if g.Missed == nil {
		return diag.New(diag.StepFailed, "%s: the page did not receive the press", label).
			WithHint("check the page with `snapshot`: something else may have handled the press, such as an open list")
	}
	return diag.New(diag.ElementNotInteractable, "%s: the press would have hit %s instead", label, g.Missed.Desc).
		WithDetail("missing", "hit").WithHint("close what covers the element, or wait until the element is uncovered")
}

// label names the dragged element in messages.
func (d *drag) label() string {
	if d.from != nil {
		return d.el.label(d.from.t.Source)
	}
	return d.el.Desc
}

// lost returns STEP_FAILED if err says that the document was replaced during the drag, otherwise
// err.
func (d *drag) lost(err error) error {
	if !errors.Is(err, cdp.ErrGone) {
		return err
	}
	return diag.New(diag.StepFailed, "%s: the page went to another document during the drag", d.label()).
		WithHint("check the new page with `snapshot`")
}

// nudges are the distances, in CSS pixels, by which the mouse is moved one after another until the
// browser starts a native drag. Links need the largest.
var nudges = []float64{2, 6, 12, 50}

// begin makes the browser start its native drag near the position of the press. Later moves may be
// too late for that: the page may have scrolled the dragged element away.
func (d *drag) begin(ctx context.Context) error {
	way := -1.0
	if d.fromAt.X < nudges[len(nudges)-1] {
		way = 1
	}
	at := d.fromAt
	for _, by := range nudges {
		if d.native || d.drags == "" {
			break
		}
		at.X = d.fromAt.X + way*by
		if err := d.move(ctx, at); err != nil {
			return err
		}
	}
	d.fromAt = at
	return nil
}

// carry moves the mouse to the position at which to drop, in steps.
func (d *drag) carry(ctx context.Context) error {
	if d.to != nil { // finding the start may have scrolled the target away
		if err := d.findTo(ctx, []string{"visible"}); err != nil {
			return err
		}
	}
	for i := 1; i <= dragMoves; i++ {
		at := point{d.fromAt.X + (d.toAt.X-d.fromAt.X)*float64(i)/dragMoves, d.fromAt.Y + (d.toAt.Y-d.fromAt.Y)*float64(i)/dragMoves}
		if err := d.move(ctx, at); err != nil {
			return err
		}
	}
	return d.move(ctx, d.toAt) // an element that has just become a drop target reacts to this
}

// move makes one move of the mouse, or of the native drag.
func (d *drag) move(ctx context.Context, at point) error {
	if d.native {
		return d.send(ctx, proto.InputDispatchDragEventTypeDragOver, at)
	}
	if err := d.p.Link.Finish(ctx, []*cdp.Call{d.p.moveTo(ctx, at)}); err != nil {
		return err
	}
	started, err := d.started(ctx)
	if err != nil || !started {
		return err
	}
	d.native = true
	return d.send(ctx, proto.InputDispatchDragEventTypeDragEnter, at)
}

// started reports whether the browser has started a native drag, and waits for its data.
func (d *drag) started(ctx context.Context) (bool, error) {
	var g grip
	if err := d.p.Answer(ctx, d.p.Call(ctx, d.worlds[0], "grip", nil), &g); err != nil {
		return false, d.lost(err)
	}
	d.drags = g.Drags
	if !g.Native {
		return false, nil
	}
	return true, d.p.Handed.DragHandedOver(ctx)
}

// send sends one event of a native drag.
func (d *drag) send(ctx context.Context, kind proto.InputDispatchDragEventType, at point) error {
	d.p.hand.at = at
	return d.p.Link.Do(ctx, proto.InputDispatchDragEvent{Type: kind, X: at.X, Y: at.Y, Data: d.p.Handed.DragData(), Modifiers: d.p.hand.bits()}, nil)
}

// drop releases the button and reads back what the page saw.
func (d *drag) drop(ctx context.Context) (driver.Dragged, error) {
	p := d.p
	if d.native { // the release of a native drag causes no mouse event in the page
		if err := d.send(ctx, proto.InputDispatchDragEventTypeDrop, d.toAt); err != nil {
			return driver.Dragged{}, errors.Join(err, d.abandon(ctx))
		}
		p.hand.buttons = nil
	} else if err := p.Link.Finish(ctx, []*cdp.Call{p.setButton(ctx, "left", false)}); err != nil {
		return driver.Dragged{}, err
	}
	back, gone, err := d.readBack(ctx)
	if err != nil {
		return driver.Dragged{}, err
	}
	nav, err := p.controls.consequence(ctx, d.worlds[0])
	if err != nil {
		return driver.Dragged{}, err
	}
	if !gone {
		if err := d.failure(back); err != nil {
			return driver.Dragged{}, err
		}
	}
	return driver.Dragged{Element: d.el.plain(), To: d.toEl.plain(), Native: d.native, Changed: back.Changed, Navigated: nav}, nil
}

// readBack collects the reports of all worlds that watch the drag. gone is true if one of these
// worlds no longer exists, for example because the drop led to another page.
func (d *drag) readBack(ctx context.Context) (all letGo, gone bool, err error) {
	for _, w := range d.worlds {
		var b letGo
		err := d.p.Answer(ctx, d.p.Call(ctx, w, "letGo", nil), &b)
		if errors.Is(err, cdp.ErrGone) {
			gone = true
			continue
		}
		if err != nil {
			return all, gone, err
		}
		all.Down, all.Up = all.Down || b.Down, all.Up || b.Up
		all.Dropped, all.Accepted = all.Dropped || b.Dropped, all.Accepted || b.Accepted
		all.Changed = all.Changed || b.Changed
		if b.Drags != "" {
			all.Drags = b.Drags
		}
		if b.Over != "" {
			all.Over = b.Over
		}
	}
	return all, gone, nil
}

// failure returns an error if the page refused the drop, if it did not receive the release, or if
// the browser started no drag of a draggable element. Otherwise it returns nil.
func (d *drag) failure(back letGo) error {
	to := d.toEl.Desc
	if d.to != nil {
		to = d.toEl.label(d.to.t.Source)
	}
	switch {
	case d.native && !back.Dropped:
		over := back.Over
		if over == "" {
			over = "nothing that accepts drops"
		}
		return diag.New(diag.StepFailed, "%s was dragged to %s, which refused the drop", d.label(), to).
			WithDetail("over", over).
			WithHint("choose an element that accepts the drop: the drag was over %s", over)
	case !d.native && d.drags == "sure" && back.Drags == "sure":
		return diag.New(diag.StepFailed, "the mouse moved from %s to %s with its button down, but the browser started no drag", d.label(), to).
			WithHint("the element is draggable: check whether the page cancels the mousedown or dragstart event")
	case !d.native && !back.Up:
		return diag.New(diag.StepFailed, "%s was dragged to %s, and the page did not receive the release", d.label(), to).
			WithHint("check the page with `snapshot`: something else may have handled the release")
	}
	return nil
}

// abandon releases the button without a drop, even if ctx has ended.
func (d *drag) abandon(ctx context.Context) error {
	p := d.p
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), documents.AnswerGrace)
	defer cancel()
	var err error
	if d.native {
		err = d.send(ctx, proto.InputDispatchDragEventTypeDragCancel, p.hand.at)
		p.hand.buttons = nil
	} else {
		err = p.Link.Finish(ctx, []*cdp.Call{p.setButton(ctx, "left", false)})
	}
	for _, w := range d.worlds {
		p.Call(ctx, w, "letGo", nil)
	}
	return err
}

// Hold implements [driver.Pointer].
func (p *pointer) Hold(ctx context.Context, t driver.Target, length time.Duration) (driver.Press, error) {
	return p.hold(ctx, &drag{p: p, from: p.finder.seek(ctx, t)}, length)
}

// HoldAt implements [driver.Pointer].
func (p *pointer) HoldAt(ctx context.Context, at driver.Point, length time.Duration) (driver.Press, error) {
	return p.hold(ctx, &drag{p: p, fromAt: point(at)}, length)
}

// hold presses the button on d.from and releases it after length.
func (p *pointer) hold(ctx context.Context, d *drag, length time.Duration) (driver.Press, error) {
	tabs := p.Popups.SoFar()
	if err := d.take(ctx, forPress); err != nil {
		return driver.Press{}, err
	}
	if err := p.Link.Pause(ctx, max(length, time.Nanosecond)); err != nil { // a pause of 0 would wait for ever
		return driver.Press{}, errors.Join(p.Link.Explain(ctx, err), d.abandon(ctx))
	}
	seen, err := p.typist.watched(ctx, d.worlds[0], watch{Held: true}, func() error { return p.Link.Finish(ctx, []*cdp.Call{p.setButton(ctx, "left", false)}) })
	if err != nil && !errors.Is(err, dialogs.ErrOpened) {
		return driver.Press{}, err
	}
	back, gone, err := d.readBack(ctx)
	if err != nil {
		return driver.Press{}, err
	}
	if err := seen.failure(d.label()); err != nil {
		return driver.Press{}, err
	}
	if !gone && !back.Up {
		return driver.Press{}, diag.New(diag.StepFailed, "%s: the page did not receive the release", d.label()).
			WithHint("check the page with `snapshot`: something else may have handled the release")
	}
	nav, err := p.controls.consequence(ctx, d.worlds[0])
	if err != nil {
		return driver.Press{}, err
	}
	left, err := p.Step.FormUnsent(seen.NotSent, nav, d.label())
	if err != nil {
		return driver.Press{}, err
	}
	tab, err := p.Popups.Opened(ctx, tabs)
	return driver.Press{Element: d.el.plain(), Navigated: nav, Tab: tab, TabStatus: p.StatusOf(tab), NotSent: left}, err
}
