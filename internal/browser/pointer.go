package browser

import (
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/keys"
	"github.com/actionregistry/action/internal/driver"
)

// pressWait is how long the page may take to see the last event of a press.
const pressWait = 2 * time.Second

// pressed is the engine's read-back after the events of a press.
type pressed struct {
	Reached bool `json:"reached"`
	// Down is set if the page saw the button go down. Such a press is never repeated,
	// whatever happened to its release.
	Down   bool `json:"down"`
	Missed *struct {
		Desc string `json:"desc"`
	} `json:"missed"`
	// Other describes what the page has made of the element, if that is not what the selector
	// meant: the rest of the press was stopped.
	Other string `json:"other"`
	// Afresh is set if the press may then be repeated: the page saw nothing of it, or changed
	// the element because another field lost the focus.
	Afresh bool `json:"afresh"`
	// Pinned is set for an element that is named by a ref of the run's own.
	Pinned  bool     `json:"pinned"`
	Invalid *invalid `json:"invalid"`
	// Lost says why no click followed, if the element did not act when the button went
	// down.
	Lost string `json:"lost"`
	// Clicks is how many clicks followed on the element.
	Clicks int `json:"clicks"`
	Ups    int `json:"ups"` // how many releases the page saw
	// Gone is set when the page took the element away.
	Gone bool `json:"gone"`
	// Covered is what the page put over the element during the press, such as a list that
	// it opens: the release went there, and no click followed.
	Covered string `json:"covered"`
	// Submitted is set if the press submitted a form. The resulting navigation starts in a
	// separate task.
	Submitted bool `json:"submitted"`
	// NotSent is set if the browser has not sent the form of the button.
	NotSent *documents.NotSent `json:"notSent"`
	// Saves is set for a link that saves what it leads to.
	Saves bool `json:"saves"`
	// Reverted lists what the run has lost when the press left a number; nil if it left none.
	Reverted []revert `json:"reverted"`
	// Closing is set when the page is closing its tab.
	Closing bool `json:"closing"`
	Checked any  `json:"checked"` // true, false, "mixed", or nil where there is no state
	// Works is set when the page may still change that state.
	Works bool `json:"works"`
	// Undrawn is set when the page draws the state from before, whatever the control holds.
	Undrawn bool `json:"undrawn"`
}

// invalid is the field whose validation stopped a submit.
type invalid struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

// Press implements [driver.Pointer].
func (p *pointer) Press(ctx context.Context, t driver.Target, o driver.PressOptions) (driver.Press, error) {
	o = withDefaults(o)
	a := act{Need: forPress, Strict: true, Op: op{Name: "press", Button: o.Button, Count: o.Count, Position: position(o.Position)}}
	tabs := p.Popups.SoFar()
	r, err := p.press(ctx, p.finder.seek(ctx, t), a, o)
	if err != nil {
		return driver.Press{}, err
	}
	tab, err := p.Popups.Opened(ctx, tabs)
	if err != nil {
		return driver.Press{}, err
	}
	press := driver.Press{Element: r.El.plain(), Navigated: r.nav, Frame: p.Moves.LedFrame(r.nav), Tab: tab, TabStatus: p.StatusOf(tab), NotSent: r.notSent}
	if r.back != nil {
		press.Covered, press.Removed = r.back.Covered, r.back.Gone && r.back.Clicks == 0
	}
	return press, nil
}

func withDefaults(o driver.PressOptions) driver.PressOptions {
	if o.Button == "" {
		o.Button = "left"
	}
	if o.Count == 0 {
		o.Count = 1
	}
	return o
}

func position(at *driver.Point) *point {
	if at == nil {
		return nil
	}
	return &point{at.X, at.Y}
}

// An outcome is what became of a press.
type outcome struct {
	*acted
	back *pressed           // nil if the document went away, or nothing had to be pressed
	nav  *driver.Navigation // that the press led to, if any
	// notSent says why the browser has not sent a form, where that may be meant so.
	notSent string
}

// press finds the element and presses it until a press is not stopped on its way, within
// the time of s: only a press that the guard stopped is repeated, if the page saw nothing of
// it, or gave the element to another record because a field lost the focus.
func (p *pointer) press(ctx context.Context, s *seeker, a act, o driver.PressOptions) (outcome, error) {
	var changed *diag.Error
	for tries := 1; ; tries++ {
		r, err := s.act(ctx, a)
		if err != nil && changed != nil && diag.CodeOf(err) == diag.ElementNotFound {
			err = changed // it says more
		}
		if err != nil || r.Already {
			return outcome{acted: r}, err
		}
		asked, from := p.DialogsSoFar(), p.hand.at
		p.NotePress()
		back, err := p.sendPress(ctx, r, o, s.answerTime())
		opened := p.DialogsSoFar() > asked // the browser drops input while a dialog is open
		switch {
		case errors.Is(err, cdp.ErrGone): // nothing but a navigation replaces it
			back = nil
		case errors.Is(err, dialogs.ErrOpened): // by the press; the page is blocked until it is answered
			return outcome{acted: r}, nil
		case err != nil:
			return outcome{}, err
		case !back.Down && (back.Missed != nil || opened && !back.Reached) && time.Since(s.start) < s.limit:
			p.moveBack(ctx, from, tries)
			p.finder.placeAgain(ctx, &r.w, tries)
			continue
		case back.Other != "" && back.Afresh && time.Since(s.start) < s.limit:
			changed = s.became(r, back.Other, back.Pinned)
			continue
		case back.Down && back.Clicks == 0 && back.Ups == 0 && opened:
			return outcome{}, diag.New(diag.StepFailed, "%s: a dialog came up when the button went down on it: the release was lost, and no click followed", r.El.label(s.t.Source)).
				WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).WithHint("look at the page and at dialog history before pressing again")
		default:
			if err := s.pressFailure(r, back, a.Op.Count); err != nil {
				return outcome{}, err
			}
		}
		nav, err := p.controls.consequence(ctx, r.w)
		if err != nil || back == nil {
			return outcome{acted: r, back: back, nav: nav}, err
		}
		left, err := p.Step.FormUnsent(back.NotSent, nav, r.El.label(s.t.Source))
		return outcome{r, back, nav, left}, err
	}
}

// moveBack moves the mouse back to where it was before a press, or a move, that missed: a
// menu that opened under the mouse and began to move while the events were on their way
// would close because the mouse has left. It does so once: if the move itself takes the
// target away, the next attempt should not repeat it.
func (p *pointer) moveBack(ctx context.Context, from point, tries int) {
	if tries == 1 && from != (point{}) { // else the mouse has not been in the page
		p.moveTo(ctx, from)
	}
}

// answerTime is how long the page may be busy with a press: as long as the wait for the
// element, if that is long. A handler that does not end is noticed before the time limit of
// a navigation.
func (s *seeker) answerTime() time.Duration { return max(pressWait+documents.AnswerGrace, s.limit) }

// sendPress sends the events of a press and the call that reads back their effect, one
// after another, and waits for all of them, for at most limit.
func (p *pointer) sendPress(ctx context.Context, r *acted, o driver.PressOptions, limit time.Duration) (*pressed, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, context.DeadlineExceeded)
	defer cancel()
	p.BeginInput()
	asked := p.DialogsSoFar()
	events := p.mouse(ctx, r.Point, o)
	wait := map[string]int64{"wait": pressWait.Milliseconds()}
	read := p.Call(ctx, r.w, "pressed", wait)
	failed := p.Link.Finish(ctx, events)
	// The browser drops input while a dialog is open.
	if failed == nil && (p.DialogsSoFar() > asked || p.finder.missedAround(ctx, r.w)) {
		p.Call(ctx, r.w, "dropped", nil)
	}
	var back pressed
	err := p.Answer(ctx, read, &back)
	if failed != nil {
		return nil, failed
	}
	p.controls.toldReverts(r.w, back.Reverted)
	err = p.finder.pressedAround(ctx, r.w, &back, err)
	switch {
	case err != nil:
	case back.Closing:
		p.Link.AwaitClose(ctx)
	case back.Submitted || back.NotSent != nil:
		err = p.AfterInput(ctx, r.w)
	}
	if back.Saves {
		p.NoteDownload("a file") // its name comes with it
		p.ExpectDownload()
	}
	return &back, err
}

// mouse starts the events of o at a point of the viewport.
func (p *pointer) mouse(ctx context.Context, at point, o driver.PressOptions) []*cdp.Call {
	e := proto.InputDispatchMouseEvent{
		Type: proto.InputDispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y, Modifiers: keys.Bits(o.Modifiers) | p.hand.bits(),
	}
	p.hand.at = at
	calls := []*cdp.Call{p.Frames.Start(ctx, e)}
	e.Button = proto.InputMouseButton(o.Button)
	for n := 1; n <= o.Count; n++ {
		e.ClickCount = n
		e.Type = proto.InputDispatchMouseEventTypeMousePressed
		calls = append(calls, p.Frames.Start(ctx, e))
		e.Type = proto.InputDispatchMouseEventTypeMouseReleased
		calls = append(calls, p.Frames.Start(ctx, e))
	}
	return calls
}

// pressFailure returns why a press did not have the expected effect.
func (s *seeker) pressFailure(r *acted, back *pressed, count int) error {
	label := r.El.label(s.t.Source)
	switch {
	case back.Other != "":
		return s.became(r, back.Other, back.Pinned)
	case back.Missed != nil && back.Down:
		return diag.New(diag.StepFailed, "%s: the press began on it and would have ended on %s", label, back.Missed.Desc).
			WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
			WithHint("the page moved it under the press: look at what that did before pressing again")
	case back.Missed != nil:
		e := diag.New(diag.ElementNotInteractable, "%s: the press would have hit %s", label, back.Missed.Desc).
			WithDetail("missing", "hit").WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
			WithHint("close or wait for what lies over it")
		if s.cut {
			e.Code = diag.Timeout
		}
		return e
	case back.Invalid != nil:
		return invalidField(label, back.Invalid)
	case back.Lost != "":
		return lostClick(label, back.Lost).WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL)
	case back.Gone && back.Clicks > 0 && back.Clicks < count:
		return diag.New(diag.StepFailed, "%s: the page replaced it after %d of %d clicks; the others were stopped", label, back.Clicks, count).
			WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
			WithHint("look at what the first click did; a page that takes double clicks keeps its element")
	case !back.Reached:
		return diag.New(diag.StepFailed, "%s: the page did not receive the press", label).
			WithDetail("selector", s.t.Source).WithHint("look at the page: something may have taken the press, such as an open list or a drag")
	}
	return nil
}

// became is the error of an element that the page has made another one of before the input
// reached it. A retry would press the same element of a run's own ref (pinned), so that its code
// is another.
func (s *seeker) became(r *acted, other string, pinned bool) *diag.Error {
	code := diag.StepFailed
	if pinned {
		code = diag.StaleRef
	}
	return diag.New(code, "%s: the page has changed it, it is now %s: the input was stopped", r.El.label(s.t.Source), other).
		WithDetail("reason", "changed").WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
		WithHint("see what the page shows now, then run the step again")
}

// lostClick is the error of a press that began without a click following.
func lostClick(what, why string) *diag.Error {
	return diag.New(diag.StepFailed, "%s: the press was lost, no click followed: %s", what, why).
		WithDetail("reason", why).
		WithHint("see what the page shows now; leave the field before (press Tab) where that changes the page, then press again")
}

// invalidField is the error of a press that made the browser or the page find a field
// invalid.
func invalidField(what string, i *invalid) *diag.Error {
	return diag.New(diag.StepFailed, "%s: the form was not sent: %s: %s", what, i.Field, i.Reason).
		WithDetail("field", i.Field).WithDetail("reason", i.Reason).
		WithHint("fill %s with what it asks for, then press again", i.Field)
}

// PressAt implements [driver.Pointer].
func (p *pointer) PressAt(ctx context.Context, at driver.Point, o driver.PressOptions) (driver.Press, error) {
	o = withDefaults(o)
	w, desc, err := p.finder.whatIsAt(ctx, point{at.X, at.Y})
	if err != nil {
		return driver.Press{}, err
	}
	tabs := p.Popups.SoFar()
	p.BeginInput()
	seen, err := p.typist.watched(ctx, w, watch{}, func() error { return p.Link.Finish(ctx, p.mouse(ctx, point{at.X, at.Y}, o)) })
	if err != nil && !errors.Is(err, dialogs.ErrOpened) {
		return driver.Press{}, err
	}
	if err := seen.failure(desc); err != nil && o.Button == "left" {
		return driver.Press{}, err
	}
	nav, err := p.controls.consequence(ctx, w)
	if err != nil {
		return driver.Press{}, err
	}
	left, err := p.Step.FormUnsent(seen.NotSent, nav, desc)
	if err != nil {
		return driver.Press{}, err
	}
	tab, err := p.Popups.Opened(ctx, tabs)
	return driver.Press{Element: driver.Element{Desc: desc}, Navigated: nav, Frame: p.Moves.LedFrame(nav), Tab: tab, TabStatus: p.StatusOf(tab), NotSent: left}, err
}

// Hover implements [driver.Pointer].
func (p *pointer) Hover(ctx context.Context, t driver.Target, o driver.PressOptions) (driver.Element, error) {
	o.Count = 0
	s := p.finder.seek(ctx, t)
	for tries := 1; ; tries++ {
		r, err := s.act(ctx, act{Need: forHover, Strict: true, Op: op{Name: "hover", Position: position(o.Position)}})
		if err != nil {
			return driver.Element{}, err
		}
		var back struct {
			Reached bool `json:"reached"`
		}
		from := p.hand.at
		if err := p.Link.Finish(ctx, p.mouse(ctx, r.Point, o)); err != nil { // an evaluation would overtake it
			return driver.Element{}, err
		}
		switch err := p.Answer(ctx, p.Call(ctx, r.w, "hovered", nil), &back); {
		case errors.Is(err, cdp.ErrGone): // it saw the mouse, and led elsewhere
			_, err := p.controls.consequence(ctx, r.w)
			return r.El.plain(), err
		case err != nil:
			return driver.Element{}, err
		case back.Reached:
			return r.El.plain(), nil
		case s.left() == 0:
			return driver.Element{}, diag.New(diag.StepFailed, "%s: the mouse did not reach it", r.El.label(t.Source)).
				WithDetail("selector", t.Source).WithHint("something covers it or moves it away: wait for that to end")
		}
		p.moveBack(ctx, from, tries)
		p.finder.placeAgain(ctx, &r.w, tries)
	}
}
