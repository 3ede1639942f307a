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

// pressWait is how long the page may take to receive the last event of a press.
const pressWait = 2 * time.Second

// pressed is the engine's report after the events of a press.
type pressed struct {
	Reached bool `json:"reached"` // the element received the press
	// Down is set if the page saw the button go down. Such a press is never repeated.
	Down bool `json:"down"`
	// Missed is the element that an event of the press would have hit instead.
	Missed *struct {
		Desc string `json:"desc"`
	} `json:"missed"`
	// Other is set if the page has changed the element into one that the selector does not mean. It
	// describes that element. The rest of the press was stopped.
	Other string `json:"other"`
	// Afresh means that the press may be repeated although Other is set. It is set if the page saw
	// nothing of the press, or changed the element because another field lost the focus.
	Afresh bool `json:"afresh"`
	// Acted means that the press has taken effect although Other is set. The text of the element's
	// row or item changed when the button went down, before another field lost the focus.
	Acted bool `json:"acted"`
	// Pinned is set if the selector is a ref that the run itself has read.
	Pinned  bool     `json:"pinned"`
	Invalid *invalid `json:"invalid"`
	// Lost says why no click followed. It is "" if the element acted when the button went down.
	Lost string `json:"lost"`
	// Ignored says why the page may have ignored the click. If it sends something, it has acted when
	// the button went down.
	Ignored string `json:"ignored"`
	// Clicks is how many clicks followed on the element.
	Clicks int `json:"clicks"`
	Ups    int `json:"ups"` // number of releases that the page saw
	// Gone is set when the page took the element away.
	Gone bool `json:"gone"`
	// Covered is what the page put over the element during the press, such as a list. The release
	// went there, so no click followed.
	Covered string `json:"covered"`
	// Submitted is set if the press submitted a form.
	Submitted bool `json:"submitted"`
	// NotSent is set if the browser has not sent the form of the button.
	NotSent *documents.NotSent `json:"notSent"`
	// Saves is set for a link whose target is saved as a file.
	Saves bool `json:"saves"`
	// Reverted lists the controls that the page has changed since the run set them. It is nil
	// unless the press took the focus from a number field.
	Reverted []revert `json:"reverted"`
	// Closing is set when the page is closing its tab.
	Closing bool `json:"closing"`
	Checked any  `json:"checked"` // true, false, "mixed", or nil if there is no such state
	// Works is set when the page may still change Checked.
	Works bool `json:"works"`
	// Undrawn is set when the page still draws the previous state of the control.
	Undrawn bool `json:"undrawn"`
}

// invalid describes a field whose validation has stopped a submit. Reason says why.
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

// withDefaults returns o with the left button and one click where nothing is set.
func withDefaults(o driver.PressOptions) driver.PressOptions {
	if o.Button == "" {
		o.Button = "left"
	}
	if o.Count == 0 {
		o.Count = 1
	}
	return o
}

// position returns the point "at" in the form that the engine receives.
func position(at *driver.Point) *point {
	if at == nil {
		return nil
	}
	return &point{at.X, at.Y}
}

// An outcome is the result of a press.
type outcome struct {
	*acted
	back *pressed           // nil if the document went away, or nothing had to be pressed
	nav  *driver.Navigation // navigation that the press led to; nil if none
	// notSent says why the browser has not sent the form. That is no error, because the page may
	// have intended it.
	notSent string
}

// press finds the element and presses it. The press is stopped if it would hit another element, or
// if the page has changed the element in the meantime. press then tries again within the time of s,
// unless the page may have acted on the stopped press.
func (p *pointer) press(ctx context.Context, s *seeker, a act, o driver.PressOptions) (outcome, error) {
	var changed *diag.Error
	for tries := 1; ; tries++ {
		r, err := s.act(ctx, a)
		if err != nil && changed != nil && diag.CodeOf(err) == diag.ElementNotFound {
			err = changed // the more precise error
		}
		if err != nil || r.Already {
			return outcome{acted: r}, err
		}
		asked, from, writes, sent := p.DialogsSoFar(), p.hand.at, p.Net.Writes(), p.Net.Sent()
		p.NotePress()
		back, err := p.sendPress(ctx, r, o, s.answerTime())
		opened := p.DialogsSoFar() > asked // the browser drops input while a dialog is open
		switch {
		case errors.Is(err, cdp.ErrGone): // only a navigation replaces the document
			back = nil
		case errors.Is(err, dialogs.ErrOpened): // the press opened a dialog: the page is blocked until the dialog is answered
			return outcome{acted: r}, nil
		case err != nil:
			return outcome{}, err
		case !back.Down && (back.Missed != nil || opened && !back.Reached) && time.Since(s.start) < s.limit:
			p.moveBack(ctx, from, tries)
			p.finder.placeAgain(ctx, &r.w, tries)
			continue
		case back.Other != "" && back.Acted: // the element has acted when the button went down
		case back.Other != "" && back.Afresh && back.Down && p.Net.Writes() > writes:
			return outcome{}, s.became(r, back.Other, back.Pinned).
				WithHint("the page sent a request during the press: check with `requests` and `snapshot` whether the press took effect, before you run the step again")
		case back.Other != "" && back.Afresh && time.Since(s.start) < s.limit:
			changed = s.became(r, back.Other, back.Pinned)
			continue
		case back.Down && back.Clicks == 0 && back.Ups == 0 && opened:
			return outcome{}, diag.New(diag.StepFailed, "%s: a dialog opened when the mouse button went down: the release was lost, and no click followed", r.El.label(s.t.Source)).
				WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).WithHint("check `snapshot` and `dialog history` before you press again")
		default:
			if err := s.pressFailure(r, back, a.Op.Count); err != nil {
				return outcome{}, err
			}
		}
		nav, err := p.controls.consequence(ctx, r.w)
		if err != nil || back == nil {
			return outcome{acted: r, back: back, nav: nav}, err
		}
		if back.Ignored != "" && nav == nil && !opened && p.Net.Sent() == sent {
			return outcome{}, lostClick(r.El.label(s.t.Source), back.Ignored).WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL)
		}
		left, err := p.Step.FormUnsent(back.NotSent, nav, r.El.label(s.t.Source))
		return outcome{r, back, nav, left}, err
	}
}

// moveBack moves the mouse back to its position before the first attempt, which missed. The element
// may be in a menu that is open only while the mouse is over it. After later attempts, moveBack
// does nothing, because the move itself may take the element away.
func (p *pointer) moveBack(ctx context.Context, from point, tries int) {
	if tries == 1 && from != (point{}) { // from is 0, 0 if the mouse has not been in the page
		p.moveTo(ctx, from)
	}
}

// answerTime returns how long the page may be busy with a press. It is the time limit of s, but at
// least pressWait and a grace time.
func (s *seeker) answerTime() time.Duration { return max(pressWait+documents.AnswerGrace, s.limit) }

// sendPress sends the events of a press and reads back their effect. It waits for at most limit.
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
	p.controls.noteReverts(r.w, back.Reverted)
	err = p.finder.pressedAround(ctx, r.w, &back, err)
	switch {
	case err != nil:
	case back.Closing:
		p.Link.AwaitClose(ctx)
	case back.Submitted || back.NotSent != nil:
		err = p.AfterInput(ctx, r.w)
	}
	if back.Saves {
		p.NoteDownload("a file") // the browser reports its name later
		p.ExpectDownload()
	}
	return &back, err
}

// mouse sends the events of o at a point of the viewport, a move and then the clicks. It does not
// wait for the replies.
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

// pressFailure returns the error for a press of count clicks, or nil if the press had its effect.
func (s *seeker) pressFailure(r *acted, back *pressed, count int) error {
	label := r.El.label(s.t.Source)
	switch {
	case back.Other != "":
		return s.became(r, back.Other, back.Pinned)
	case back.Missed != nil && back.Down:
		return diag.New(diag.StepFailed, "%s: the press began on this element and would have ended on %s", label, back.Missed.Desc).
			WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
			WithHint("the page moved the element during the press: before you press again, check with `snapshot` what the press did")
	case back.Missed != nil:
		e := diag.New(diag.ElementNotInteractable, "%s: the press would have hit %s instead", label, back.Missed.Desc).
			WithDetail("missing", "hit").WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
			WithHint("close what covers the element, or wait until the element is uncovered")
		if s.cut {
			e.Code = diag.Timeout
		}
		return e
	case back.Invalid != nil:
		return invalidField(label, back.Invalid)
	case back.Lost != "":
		return lostClick(label, back.Lost).WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL)
	case back.Gone && back.Clicks > 0 && back.Clicks < count:
		return diag.New(diag.StepFailed, "%s: the page replaced the element after %d of %d clicks; the other clicks were stopped", label, back.Clicks, count).
			WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
			WithHint("check what the first click did; a page that handles double clicks does not replace the element after the first")
	case !back.Reached:
		return diag.New(diag.StepFailed, "%s: the page did not receive the press", label).
			WithDetail("selector", s.t.Source).WithHint("check the page with `snapshot`: something else may have handled the press, such as an open list or a drag")
	}
	return nil
}

// became returns the error for input that was stopped because the page has changed the element. The
// argument other describes the element as it is now. If pinned is set, a retry would press that
// element, so the code is STALE_REF. If a person has approved a different element, the code is
// POLICY_DENIED.
func (s *seeker) became(r *acted, other string, pinned bool) *diag.Error {
	code := diag.StepFailed
	if pinned {
		code = diag.StaleRef
	}
	if s.t.Expect != "" { // a person has approved another one
		code = diag.PolicyDenied
	}
	return diag.New(code, "%s: the input was stopped, because the page has changed the element: it is now %s", r.El.label(s.t.Source), other).
		WithDetail("reason", "changed").WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL).
		WithHint("check what the page shows now, then run the step again")
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
		case errors.Is(err, cdp.ErrGone): // the element saw the mouse, and led to another document
			_, err := p.controls.consequence(ctx, r.w)
			return r.El.plain(), err
		case err != nil:
			return driver.Element{}, err
		case back.Reached:
			return r.El.plain(), nil
		case s.left() == 0:
			return driver.Element{}, diag.New(diag.StepFailed, "%s: the mouse did not reach the element", r.El.label(t.Source)).
				WithDetail("selector", t.Source).WithHint("wait until nothing covers or moves the element any more")
		}
		p.moveBack(ctx, from, tries)
		p.finder.placeAgain(ctx, &r.w, tries)
	}
}
