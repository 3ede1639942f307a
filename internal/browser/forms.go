package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/keys"
	"github.com/actionregistry/action/internal/driver"
)

// held is the content of a control, read back after the page's handlers have run and one frame has
// passed. Same reports whether the content is the requested value.
type held struct {
	Value     string   `json:"value"`
	Secret    bool     `json:"secret"`
	Same      bool     `json:"same"`
	Alike     bool     `json:"alike"` // the requested value, except for what an input mask changes: grouping, case, white space
	Connected bool     `json:"connected"`
	Values    []string `json:"values"`
	Other     string   `json:"other"`   // the control, if the page changed it before the text arrived; it did not get the text
	Invalid   *string  `json:"invalid"` // message about an invalid value; nil: the value is not marked as invalid
}

// Control implements [driver.Forms].
func (p *filler) Control(ctx context.Context, t driver.Target) (driver.ControlKind, error) {
	r, err := p.finder.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "kind"}})
	if err != nil {
		return "", err
	}
	return driver.ControlKind(r.Mode), nil
}

// Fill implements [driver.Forms].
func (p *filler) Fill(ctx context.Context, t driver.Target, value string) (driver.Filled, error) {
	s := &filling{p.finder.seek(ctx, t), p}
	r, h, err := s.fill(ctx, value)
	if err != nil {
		return driver.Filled{}, err
	}
	if !h.Connected {
		h = s.readReplacement(ctx, h, value)
	}
	if !h.Same && !h.Alike {
		return driver.Filled{}, s.notHeld(r, h, value)
	}
	c := p.controls.keepSet(r, s.seeker, op{What: "fill", Value: value})
	nav, err := p.controls.consequence(ctx, r.w)
	if err == nil {
		err = p.controls.checkNewDocument(ctx, r.w, nav, c, r.El.label(s.t.Source))
	}
	if err != nil {
		return driver.Filled{}, err
	}
	return driver.Filled{Element: r.El.plain(), Value: h.Value, Secret: h.Secret, Reformatted: !h.Same, Invalid: h.Invalid}, nil
}

// fill finds the field and fills it with value. If the page has replaced the field before the text
// arrived, fill tries again until the time is up.
func (s *filling) fill(ctx context.Context, value string) (*acted, *held, error) {
	for {
		r, err := s.act(ctx, act{Need: forFill, Strict: true, Op: op{Name: "fill", Value: value}})
		if err != nil {
			return nil, nil, err
		}
		h, err := s.put(ctx, r, value)
		if err != nil || h.Other == "" {
			return r, h, err
		}
		if s.left() == 0 {
			return nil, nil, s.became(r, h.Other, false)
		}
	}
}

// put sets the element of r to value, in the way that the engine has chosen (r.Mode), and reads it
// back.
func (s *filling) put(ctx context.Context, r *acted, value string) (*held, error) {
	arg := map[string]any{"value": value}
	var err error
	switch {
	case r.Mode == "slide":
		err = s.slide(ctx, r, value)
	case r.Mode == "insert" && !r.Settle && value != "" && !strings.ContainsAny(value, "\r\n"):
		arg["coming"] = true
		return s.putAndRead(ctx, r, value, arg)
	default:
		err = s.by.putValue(ctx, r, value)
	}
	if err != nil {
		return nil, err
	}
	return s.readBack(ctx, s.p.Call(ctx, r.w, "held", arg), r)
}

// consumedAfter is how long inserted text may take to reach its field. After that, a handler of the
// page counts as having consumed the rest.
const consumedAfter = 5 * time.Millisecond

// putAndRead inserts value and reads the field back, in one round trip.
func (s *seeker) putAndRead(ctx context.Context, r *acted, value string, arg map[string]any) (*held, error) {
	p := s.p
	sent := p.Frames.Start(ctx, proto.InputInsertText{Text: value})
	read := p.Call(ctx, r.w, "held", arg)
	if err := p.Link.Finish(ctx, []*cdp.Call{sent}); err != nil {
		return nil, err
	}
	if stillOpenAfter(ctx, read, consumedAfter) {
		p.Call(ctx, r.w, "dropped", nil)
	}
	return s.readBack(ctx, read, r)
}

// putValue inserts value into the field of r, in the way that the engine has chosen. It does not
// read the value back.
func (p *filler) putValue(ctx context.Context, r *acted, value string) error {
	switch {
	case r.Mode == "done":
		return nil
	case r.Mode == "editor": // only the editor's script knows the text to replace: select it by the keyboard
		all, err := keys.Parse(controlOrMeta()+"+a", controlOrMeta())
		if err != nil {
			return err
		}
		if err := p.Link.Finish(ctx, p.typist.tap(ctx, all)); err != nil {
			return err
		}
	case r.Settle: // the page's script keeps a selection of its own: let it notice the new one
		err := p.Answer(ctx, p.Call(ctx, r.w, "nextFrame", nil), nil)
		if err != nil && !errors.Is(err, cdp.ErrGone) {
			return err
		}
	}
	return p.insert(ctx, value)
}

// insert replaces the selected text with value, as if a person had entered it. An empty value
// deletes the selected text.
func (p *filler) insert(ctx context.Context, value string) error {
	if value == "" {
		return p.Link.Finish(ctx, p.typist.tap(ctx, keys.Chord{Key: keys.Named("Delete")}))
	}
	return p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, proto.InputInsertText{Text: value})})
}

// readReplacement reads the element with which the page has replaced the control of h. If there is
// no such element, it returns h.
func (s *filling) readReplacement(ctx context.Context, h *held, value string) *held {
	t := s.t
	t.Timeout, t.Decided = 0, nil
	r, err := s.p.find(ctx, t, act{Need: attached, Op: op{Name: "holds", Value: value}})
	if err != nil || r.Held == nil {
		return h
	}
	r.Held.Secret = r.Held.Secret || h.Secret
	return r.Held
}

// readAgain finds the element of the target once more and returns its value. The result "there" is
// false if nothing matches.
func (s *filling) readAgain(ctx context.Context) (value any, there bool) {
	t := s.t
	t.Timeout, t.Decided = 0, nil
	r, err := s.by.reader.Read(ctx, t, driver.ReadOptions{What: "value"})
	return r.Value, err == nil
}

// notHeld returns the error for a control that does not hold value after it was filled. The message
// does not contain secrets.
func (s *seeker) notHeld(r *acted, h *held, value string) error {
	label := r.El.label(s.t.Source)
	e := diag.New(diag.StepFailed, "%s holds %q instead of %q", label, h.Value, value)
	switch {
	case h.Secret:
		e.Msg = label + " does not hold the value that was filled"
	default:
		e.WithDetail("value", h.Value)
	}
	e.WithDetail("selector", s.t.Source)
	if !h.Connected {
		return e.WithHint("the page replaced the element during the step: wait until the page is ready, then fill the element again")
	}
	return e.WithHint("the page changed or refused the value: give a value that the page accepts, or type the value key by key")
}

// Check implements [driver.Forms].
func (p *filler) Check(ctx context.Context, t driver.Target, on bool) (driver.Element, error) {
	o := withDefaults(driver.PressOptions{})
	s := p.finder.seek(ctx, t)
	r, err := p.pointer.press(ctx, s, act{Need: forPress, Strict: true, Op: op{Name: "check", On: on, Button: o.Button, Count: o.Count}}, o)
	if err != nil {
		return driver.Element{}, err
	}
	if r.back != nil && r.back.Checked == nil && !r.Already { // the page has replaced the control
		again := t
		again.Timeout, again.Decided = 0, nil
		if is, err := p.reader.Is(ctx, again, "checked"); err == nil {
			r.back.Checked = is
		}
	}
	if r.back != nil && r.back.Checked != nil && r.back.Checked != on && !s.becomes(ctx, on, r.back.Works) {
		return driver.Element{}, diag.New(diag.StepFailed, "%s is %s after the press, expected %s",
			r.El.label(s.t.Source), checkedWord(r.back.Checked), checkedWord(on)).
			WithDetail("checked", r.back.Checked).WithDetail("selector", s.t.Source).
			WithHint("the page undid the change: check with `snapshot` what the page requires first")
	}
	if (r.Undrawn || r.back != nil && r.back.Undrawn) && r.nav == nil && s.staysUndrawn(ctx, r.w) {
		return driver.Element{}, diag.New(diag.StepFailed, "%s is %s after the press, but the page still draws its previous state: the page has not accepted the change",
			r.El.label(s.t.Source), checkedWord(on)).
			WithDetail("checked", on).WithDetail("drawn", !on).WithDetail("selector", s.t.Source).
			WithHint("check with `snapshot` what the page says")
	}
	c := p.controls.keepSet(r.acted, s, op{What: "check", On: on})
	return r.El.plain(), p.controls.checkNewDocument(ctx, r.w, r.nav, c, r.El.label(s.t.Source))
}

// staysUndrawn waits while the page is working but still draws the previous state of a control. It
// reports whether the page draws that state at the end of the wait.
func (s *seeker) staysUndrawn(ctx context.Context, w documents.World) bool {
	for {
		var late struct {
			Undrawn bool `json:"undrawn"`
		}
		err := s.p.Answer(ctx, s.p.Call(ctx, w, "drawnLate", map[string]int64{"wait": lateState.Milliseconds()}), &late)
		if err != nil || !late.Undrawn || s.p.Frames.IsIdle() || s.left() == 0 {
			return err == nil && late.Undrawn // a document that is gone draws nothing
		}
	}
}

// lateState is how long to wait for the result of a press after the page's last sign of activity. A
// sign is a request, a timer, or a control that is disabled or busy.
const lateState = 500 * time.Millisecond

// becomes waits until a control that was pressed is checked, or unchecked if the argument "on" is
// false. It reports whether the control has that state. It does not press again, because a second
// press would undo the first. The argument "works" says whether the page has started something
// since the press.
func (s *seeker) becomes(ctx context.Context, on, works bool) bool {
	t := s.t
	t.Decided = nil
	want := state{State: "unchecked"}
	if on {
		want.State = "checked"
	}
	for (works || !s.p.Frames.IsIdle()) && s.left() > 0 {
		t.Timeout = min(lateState, s.left())
		// Ignore the answer: the next query shows whether the control has the state.
		_, _ = s.p.find(ctx, t, act{Op: op{Name: "none"}, State: &want})
		t.Timeout = 0
		r, err := s.p.find(ctx, t, act{Need: attached, Op: op{Name: "checked", On: on}})
		if err != nil || r.Already {
			return err == nil
		}
		works = r.Works
	}
	return false
}

// Select implements [driver.Forms].
func (p *filler) Select(ctx context.Context, t driver.Target, values []string, by string) ([]string, error) {
	s := p.finder.seek(ctx, t)
	r, err := s.act(ctx, act{Need: forSelect, Strict: true, Op: op{Name: "select", Values: append([]string{}, values...), By: by}})
	if err != nil {
		return nil, err
	}
	var h held
	err = p.Answer(ctx, r.read, &h)
	switch {
	case errors.Is(err, cdp.ErrGone): // the choice led to another document
		h.Values = r.Values
	case err != nil:
		return nil, err
	}
	c := p.controls.keepSet(r, s, op{What: "select", Values: r.Values, Names: values})
	nav, err := p.controls.consequence(ctx, r.w)
	if err == nil {
		err = p.controls.checkNewDocument(ctx, r.w, nav, c, r.El.label(s.t.Source))
	}
	if err != nil {
		return nil, err
	}
	if nav != nil && p.controls.keeper.run != 0 {
		return r.Values, nil // checkNewDocument has compared what the page shows
	}
	if !h.Connected {
		switch now, _ := (&filling{s, p}).readAgain(ctx); now := now.(type) {
		case string:
			h.Values = []string{now}
		case []any:
			h.Values = nil
			for _, v := range now {
				h.Values = append(h.Values, fmt.Sprint(v))
			}
		}
	}
	if !slices.Equal(h.Values, r.Values) {
		return nil, diag.New(diag.StepFailed, "%s has %q selected instead of %q", r.El.label(s.t.Source), h.Values, r.Values).
			WithDetail("values", h.Values).WithDetail("selector", s.t.Source).
			WithHint("the page changed the selection: check which selections the page allows")
	}
	return h.Values, nil
}
