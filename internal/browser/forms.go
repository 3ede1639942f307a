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

// held is the engine's read-back of a control, after the page's handlers and one
// frame.
type held struct {
	Value     string   `json:"value"`
	Secret    bool     `json:"secret"`
	Same      bool     `json:"same"`
	Alike     bool     `json:"alike"` // except for what a mask changes: grouping, case, white space
	Connected bool     `json:"connected"`
	Values    []string `json:"values"`
	Other     string   `json:"other"`   // what the page made of the control before the text came, which it did not get
	Invalid   *string  `json:"invalid"` // what is said against the value; nil: it is not marked as invalid
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
		h = s.renewed(ctx, h, value)
	}
	if !h.Same && !h.Alike {
		return driver.Filled{}, s.notHeld(r, h, value)
	}
	c := p.controls.keepSet(r, s.seeker, op{What: "fill", Value: value})
	nav, err := p.controls.consequence(ctx, r.w)
	if err == nil {
		err = p.controls.ledAway(ctx, r.w, nav, c, r.El.label(s.t.Source))
	}
	if err != nil {
		return driver.Filled{}, err
	}
	return driver.Filled{Element: r.El.plain(), Value: h.Value, Secret: h.Secret, Reformatted: !h.Same, Invalid: h.Invalid}, nil
}

// fill finds the field and puts value into it, and begins again if the page has made another
// field of it before the text came.
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

// put puts value into the element of r, in the way that the engine chooses, and reads back
// its new value.
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

// takenAfter is how long a page that has received some of the input may be silent before it
// counts as complete: a handler of the page may have consumed the rest.
const takenAfter = 5 * time.Millisecond

// putAndRead sends the read-back together with the text, and waits for both.
func (s *seeker) putAndRead(ctx context.Context, r *acted, value string, arg map[string]any) (*held, error) {
	p := s.p
	sent := p.Frames.Start(ctx, proto.InputInsertText{Text: value})
	read := p.Call(ctx, r.w, "held", arg)
	if err := p.Link.Finish(ctx, []*cdp.Call{sent}); err != nil {
		return nil, err
	}
	if stillOpenAfter(ctx, read, takenAfter) {
		p.Call(ctx, r.w, "dropped", nil)
	}
	return s.readBack(ctx, read, r)
}

// putValue puts value into the field of r, in the way that the engine chooses.
func (p *filler) putValue(ctx context.Context, r *acted, value string) error {
	switch {
	case r.Mode == "done":
		return nil
	case r.Mode == "editor": // only its script knows the text to be replaced
		all, err := keys.Parse(controlOrMeta()+"+a", controlOrMeta())
		if err != nil {
			return err
		}
		if err := p.Link.Finish(ctx, p.typist.tap(ctx, all)); err != nil {
			return err
		}
	case r.Settle: // a script that keeps its own selection
		err := p.Answer(ctx, p.Call(ctx, r.w, "nextFrame", nil), nil)
		if err != nil && !errors.Is(err, cdp.ErrGone) {
			return err
		}
	}
	return p.insert(ctx, value)
}

// insert replaces the selection by value, like input of a person.
func (p *filler) insert(ctx context.Context, value string) error {
	if value == "" {
		return p.Link.Finish(ctx, p.typist.tap(ctx, keys.Chord{Key: keys.Named("Delete")}))
	}
	return p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, proto.InputInsertText{Text: value})})
}

// readBack waits for the value of the element of r. A document that went away cannot be
// queried: then the value is unknown.
func (s *seeker) readBack(ctx context.Context, read *cdp.Call, r *acted) (*held, error) {
	var h held
	err := s.p.Answer(ctx, read, &h)
	if errors.Is(err, cdp.ErrGone) {
		return nil, diag.New(diag.StepFailed, "%s: the page went to another document before the value could be read back", r.El.label(s.t.Source)).
			WithHint("look at the page: a handler of the control may have sent the form")
	}
	return &h, err
}

// renewed is the read-back of the element that the page has put in place of this one; h if
// there is none.
func (s *filling) renewed(ctx context.Context, h *held, value string) *held {
	t := s.t
	t.Timeout, t.Decided = 0, nil
	r, err := s.p.find(ctx, t, act{Need: attached, Op: op{Name: "holds", Value: value}})
	if err != nil || r.Held == nil {
		return h
	}
	r.Held.Secret = r.Held.Secret || h.Secret
	return r.Held
}

// again queries once for the replacement of a control and reads its value.
func (s *filling) again(ctx context.Context) (value any, there bool) {
	t := s.t
	t.Timeout, t.Decided = 0, nil
	r, err := s.by.reader.Read(ctx, t, driver.ReadOptions{What: "value"})
	return r.Value, err == nil
}

// notHeld is the error that says what the control holds instead. It does not show a secret.
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
		return e.WithHint("the page replaced the element meanwhile: wait for the page to be ready, then fill it again")
	}
	return e.WithHint("the page changed or refused the value: give one that it takes, or type it key by key")
}

// Check implements [driver.Forms].
func (p *filler) Check(ctx context.Context, t driver.Target, on bool) (driver.Element, error) {
	o := withDefaults(driver.PressOptions{})
	s := p.finder.seek(ctx, t)
	r, err := p.pointer.press(ctx, s, act{Need: forPress, Strict: true, Op: op{Name: "check", On: on, Button: o.Button, Count: o.Count}}, o)
	if err != nil {
		return driver.Element{}, err
	}
	if r.back != nil && r.back.Checked == nil && !r.Already { // the page has replaced it
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
			WithHint("the page undid the change: look at what it asks for")
	}
	if (r.Undrawn || r.back != nil && r.back.Undrawn) && r.nav == nil && s.staysUndrawn(ctx, r.w) {
		return driver.Element{}, diag.New(diag.StepFailed, "%s is %s after the press, and the page still draws it as it was: it has not taken the change",
			r.El.label(s.t.Source), checkedWord(on)).
			WithDetail("checked", on).WithDetail("drawn", !on).WithDetail("selector", s.t.Source).
			WithHint("see the page with snapshot for what it says")
	}
	c := p.controls.keepSet(r.acted, s, op{What: "check", On: on})
	return r.El.plain(), p.controls.ledAway(ctx, r.w, r.nav, c, r.El.label(s.t.Source))
}

// staysUndrawn waits until the page draws the state of a control that was set, while it works on that,
// and reports whether it does not.
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

// lateState is how long to wait for a page that is working on a press, after the last sign
// of that: a request, a timer, a control that is disabled or busy.
const lateState = 500 * time.Millisecond

// becomes waits for the state of a control that was pressed and does not show it yet: a
// page may query its server first. A second press would undo the first. works means that
// the page has begun something since the press.
func (s *seeker) becomes(ctx context.Context, on, works bool) bool {
	t := s.t
	t.Decided = nil
	want := state{State: "unchecked"}
	if on {
		want.State = "checked"
	}
	for (works || !s.p.Frames.IsIdle()) && s.left() > 0 {
		t.Timeout = min(lateState, s.left())
		// The query after it shows whether the state has come.
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

func checkedWord(v any) string {
	switch v {
	case true:
		return "checked"
	case false:
		return "unchecked"
	}
	return fmt.Sprint(v)
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
	case errors.Is(err, cdp.ErrGone): // the page went where the choice led
		h.Values = r.Values
	case err != nil:
		return nil, err
	}
	c := p.controls.keepSet(r, s, op{What: "select", Values: r.Values, Names: values})
	nav, err := p.controls.consequence(ctx, r.w)
	if err == nil {
		err = p.controls.ledAway(ctx, r.w, nav, c, r.El.label(s.t.Source))
	}
	if err != nil {
		return nil, err
	}
	if nav != nil && p.controls.kept.run != 0 {
		return r.Values, nil // what the page shows now was looked at
	}
	if !h.Connected {
		switch now, _ := (&filling{s, p}).again(ctx); now := now.(type) {
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
			WithHint("the page changed the selection: look at what it allows")
	}
	return h.Values, nil
}
