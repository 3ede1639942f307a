package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/keys"
	"github.com/actionregistry/action/internal/driver"
)

// keyDown returns the event that presses k. bits are the modifiers that are held, as returned by
// [keys.Bits].
func keyDown(k keys.Key, bits int) proto.InputDispatchKeyEvent {
	e := proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeRawKeyDown, Modifiers: bits,
		Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.KeyCode, NativeVirtualKeyCode: k.KeyCode,
	}
	if k.Shift {
		e.Modifiers |= keys.Bits([]string{"Shift"})
	}
	// A key held with Control or Meta is a command and types nothing.
	if k.Text != "" && bits&keys.Bits([]string{"Control", "Meta", "Alt"}) == 0 {
		e.Type, e.Text, e.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyDown, k.Text, k.Text
	}
	return e
}

// keyUp returns the event that releases k.
func keyUp(k keys.Key, bits int) proto.InputDispatchKeyEvent {
	e := keyDown(k, bits)
	e.Type, e.Text, e.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyUp, "", ""
	return e
}

// tap sends the events that press and release a chord, without waiting for the replies.
func (p *typist) tap(ctx context.Context, c keys.Chord) []*cdp.Call {
	var calls []*cdp.Call
	held := p.hand.bits()
	for i, m := range c.Modifiers {
		calls = append(calls, p.Frames.Start(ctx, keyDown(m, held|keys.Chord{Modifiers: c.Modifiers[:i+1]}.Bits())))
	}
	bits := held | c.Bits()
	down := keyDown(c.Key, bits)
	down.Commands = editCommands(c, runtime.GOOS)
	calls = append(calls, p.Frames.Start(ctx, down), p.Frames.Start(ctx, keyUp(c.Key, bits)))
	for i := len(c.Modifiers) - 1; i >= 0; i-- {
		calls = append(calls, p.Frames.Start(ctx, keyUp(c.Modifiers[i], held|keys.Chord{Modifiers: c.Modifiers[:i]}.Bits())))
	}
	return calls
}

// editCommands returns the editing command of a chord on macOS, where the system maps chords to
// commands. On other systems it returns nil, because Chromium maps them itself.
func editCommands(c keys.Chord, system string) []string {
	if system != "darwin" || len(c.Modifiers) != 1 || c.Modifiers[0].Key != "Meta" {
		return nil
	}
	if name, ok := map[string]string{"a": "selectAll", "c": "copy", "v": "paste", "x": "cut", "z": "undo"}[c.Key.Key]; ok {
		return []string{name}
	}
	return nil
}

// controlOrMeta returns the modifier of editing commands on this system.
func controlOrMeta() string {
	if runtime.GOOS == "darwin" {
		return "Meta"
	}
	return "Control"
}

// Type implements [driver.Keyboard].
func (p *typist) Type(ctx context.Context, t *driver.Target, text string, delay time.Duration) (driver.Element, error) {
	s, need := p.finder.seekFocused(ctx), []string(nil)
	if t != nil {
		s, need = p.finder.seek(ctx, *t), forFill
	}
	r, err := s.act(ctx, act{Need: need, Strict: true, Op: op{Name: "type"}})
	if err != nil {
		return driver.Element{}, err
	}
	p.BeginInput()
	var seen inputSeen
	send := func() error { return p.sendText(ctx, text, delay) }
	if strings.ContainsAny(text, "\r\n") { // the key Enter may submit a form
		if seen, err = p.watched(ctx, r.w, watch{Enter: true}, send); err == nil {
			err = seen.failure(r.El.label(s.t.Source))
		}
	} else {
		err = send()
	}
	if err != nil {
		return driver.Element{}, err
	}
	if err := p.allTyped(ctx, s, r, text); err != nil {
		return driver.Element{}, err
	}
	p.controls.keepIn(r.w)
	nav, err := p.controls.consequence(ctx, r.w)
	if err == nil {
		_, err = p.Step.FormUnsent(seen.NotSent, nav, r.El.label(s.t.Source))
	}
	return r.El.plain(), err
}

// sendText presses the keys of text, with a pause of delay between them.
func (p *typist) sendText(ctx context.Context, text string, delay time.Duration) error {
	var calls []*cdp.Call
	for i, c := range text {
		if delay > 0 && i > 0 {
			if err := p.Link.Finish(ctx, calls); err != nil {
				return err
			}
			calls = nil
			if err := p.Link.Pause(ctx, delay); err != nil {
				return p.Link.Explain(ctx, err)
			}
		}
		calls = append(calls, p.typeRune(ctx, c)...)
	}
	return p.Link.Finish(ctx, calls)
}

// allTyped returns STEP_FAILED unless the element of r has received all characters of text and
// still holds them. It stores the element's text in r. If the document was replaced, it returns
// nil.
func (p *typist) allTyped(ctx context.Context, s *seeker, r *acted, text string) error {
	var back struct {
		Taken  int    `json:"taken"`
		Wanted int    `json:"wanted"`
		Text   string `json:"text"`
		Secret bool   `json:"secret"`
		Kept   bool   `json:"kept"`
		Away   string `json:"away"`   // the element that received the rest
		Format string `json:"format"` // the format of fill, for a field that consists of parts, such as a date
	}
	// Held modifiers turn keys into commands.
	arg := map[string]any{"text": text, "commands": p.hand.bits() != 0}
	err := p.Answer(ctx, p.Call(ctx, r.w, "typed", arg), &back)
	if errors.Is(err, cdp.ErrGone) {
		return nil
	}
	if err != nil {
		return err
	}
	r.El.Text = back.Text
	label := r.El.label(s.t.Source)
	var e *diag.Error
	switch {
	case p.hand.bits() != 0 || back.Taken >= back.Wanted && back.Kept:
		return nil
	case back.Away != "":
		e = diag.New(diag.StepFailed, "%s took %d of the %d characters; the rest went to %s, because the page moved the focus there", label, back.Taken, back.Wanted, back.Away).
			WithDetail("taken", back.Taken).WithDetail("went_to", back.Away).WithHint("check what the page does when a key is typed, or use the step `fill` for the whole value")
	case back.Taken < back.Wanted:
		e = diag.New(diag.StepFailed, "%s took %d of the %d characters", label, back.Taken, back.Wanted).
			WithDetail("taken", back.Taken).WithHint("check what limits the field: its type, its maxlength, or a script that rejects keys")
	default:
		e = diag.New(diag.StepFailed, "%s does not hold what was typed", label).
			WithHint("the page changed the typed text: check which texts the page accepts, or use the step `fill` for the whole value")
	}
	if back.Format != "" && back.Away == "" {
		e.WithHint("use the step `fill` to set the whole value in the format %s; typed keys go to the parts of the field, in the order in which the field shows them",
			back.Format)
	}
	if !back.Secret {
		e.Msg += fmt.Sprintf("%s holds %q", map[bool]string{true: "; it", false: " and"}[back.Away != ""], back.Text)
		e.WithDetail("value", back.Text)
	}
	return e.WithDetail("selector", s.t.Source)
}

// HoldKey implements [driver.Keyboard].
func (p *typist) HoldKey(ctx context.Context, name string, down bool) ([]string, error) {
	c, err := keys.Parse(name, controlOrMeta())
	if err != nil {
		return nil, err
	}
	if len(c.Modifiers) > 0 {
		return nil, diag.New(diag.ParamInvalid, "%q is a chord, expected one key", name).
			WithHint("hold the keys of the chord one by one, or use the step `press`")
	}
	at := slices.IndexFunc(p.hand.keys, func(k keys.Key) bool { return k.Code == c.Key.Code && k.Key == c.Key.Key })
	if !down && at < 0 {
		return nil, diag.New(diag.StepFailed, "the key %s is not down", c.Key.Key).WithHint("press the key first, with the step `key_down`")
	}
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		return nil, err
	}
	p.BeginInput()
	var event proto.InputDispatchKeyEvent
	switch {
	case !down:
		p.hand.keys = slices.Delete(p.hand.keys, at, at+1)
		event = keyUp(c.Key, p.hand.bits())
	case at >= 0: // the key is already down, so this is a repetition
		event = keyDown(c.Key, p.hand.bits())
		event.AutoRepeat = true
	default:
		p.hand.keys = append(p.hand.keys, c.Key)
		event = keyDown(c.Key, p.hand.bits())
	}
	send := func() error { return p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, event)}) }
	not, err := p.sendKey(ctx, w, c.Key, 0, c.Key.Key, watch{}, send)
	if err != nil {
		return nil, err
	}
	nav, err := p.controls.consequence(ctx, w)
	if err != nil {
		return nil, err
	}
	if _, err := p.Step.FormUnsent(not, nav, c.Key.Key); err != nil {
		return nil, err
	}
	names := make([]string, len(p.hand.keys))
	for i, k := range p.hand.keys {
		names[i] = k.Key
	}
	return names, nil
}

// typeRune sends the key that types r. If no key does, it inserts r like an input method. It does
// not wait for replies.
func (p *typist) typeRune(ctx context.Context, r rune) []*cdp.Call {
	k, ok := keys.Typed(r)
	if !ok {
		return []*cdp.Call{p.Frames.Start(ctx, proto.InputInsertText{Text: string(r)})}
	}
	return []*cdp.Call{p.Frames.Start(ctx, keyDown(k, p.hand.bits())), p.Frames.Start(ctx, keyUp(k, p.hand.bits()))}
}

// Key implements [driver.Keyboard].
func (p *typist) Key(ctx context.Context, t *driver.Target, name string, count int) (driver.Press, error) {
	return p.keys(ctx, t, name, count, watch{})
}

// Commit implements [driver.Keyboard].
func (p *typist) Commit(ctx context.Context, t *driver.Target, name string, count int) (driver.Press, error) {
	return p.keys(ctx, t, name, count, watch{Unsent: true})
}

// keys implements Key and Commit.
func (p *typist) keys(ctx context.Context, t *driver.Target, name string, count int, how watch) (driver.Press, error) {
	c, err := keys.Parse(name, controlOrMeta())
	if err != nil {
		return driver.Press{}, err
	}
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		return driver.Press{}, err
	}
	tabs := p.Popups.SoFar()
	var el element
	if t != nil {
		r, err := p.finder.find(ctx, *t, act{Need: attached, Strict: true, Op: op{Name: "focus"}})
		if err != nil {
			return driver.Press{}, err
		}
		el, w = r.El, r.w // the element may be in a frame
	}
	p.BeginInput()
	var not *documents.NotSent
	for range max(count, 1) {
		at := w
		if !p.Frames.IsCurrent(at) { // an earlier key has led to another document
			if at, err = p.CurrentWorld(ctx); err != nil {
				return driver.Press{}, err
			}
		}
		send := func() error { return p.Link.Finish(ctx, p.tap(ctx, c)) }
		left, err := p.sendKey(ctx, at, c.Key, c.Bits(), name, how, send)
		not = cmp.Or(not, left)
		if err != nil && (errors.Is(err, dialogs.ErrOpened) || p.ClosedItself(ctx)) { // the key opened a dialog or closed the tab
			break
		}
		if err != nil {
			return driver.Press{}, err
		}
	}
	nav, err := p.controls.consequence(ctx, w)
	if err != nil {
		return driver.Press{}, err
	}
	left, err := p.Step.FormUnsent(not, nav, name)
	if err != nil {
		return driver.Press{}, err
	}
	tab, err := p.Popups.Opened(ctx, tabs)
	return driver.Press{Element: el.plain(), Navigated: nav, Frame: p.Moves.LedFrame(nav), Tab: tab, TabStatus: p.StatusOf(tab), NotSent: left}, err
}

// maySend reports whether a key may submit a form or press a button. Such keys are Enter, the space
// bar, function keys, and chords that a page may handle as commands.
func (p *typist) maySend(k keys.Key, bits int) bool {
	command := keys.Bits([]string{"Control", "Meta", "Alt"})
	return k.Key == "Enter" || k.Key == " " || (bits|p.hand.bits())&command != 0 || len(k.Key) > 1 && k.Key[0] == 'F' && k.Key[1] <= '9'
}

// sendKey sends the events of a key by calling send. It waits until the document of w has handled
// them. If the key had no effect, the error says why. The argument "what" names the key in
// messages. If the browser has not sent a form, sendKey returns that form.
func (p *typist) sendKey(ctx context.Context, w documents.World, k keys.Key, bits int, what string, how watch, send func() error) (*documents.NotSent, error) {
	if p.maySend(k, bits) {
		seen, err := p.watched(ctx, w, how, send)
		if err != nil {
			return nil, err
		}
		return seen.NotSent, seen.failure(what)
	}
	if err := p.NoteHere(ctx, w); err != nil {
		return nil, err
	}
	if err := send(); err != nil {
		return nil, err
	}
	return nil, p.AfterInput(ctx, w)
}

// An inputSeen is the engine's report on input at the focused element or at the mouse. If the input
// had no effect, the report says why.
type inputSeen struct {
	Invalid *invalid `json:"invalid"`
	Lost    string   `json:"lost"` // why no click followed
	// Anew says why no click followed. It is set only if the page has redrawn the control and sent
	// nothing since.
	Anew string `json:"anew"`
	// Unsent says why Enter in a field has not submitted the form. It is set only if the page shows
	// no change.
	Unsent string `json:"unsent"`
	Desc   string `json:"desc"` // the control that received the input
	// NotSent is the form of a clicked button that the browser has not sent, or nil.
	NotSent *documents.NotSent `json:"notSent"`
	// Sent means that a script has submitted the form although [watch].Unsent was set.
	Sent bool `json:"sent"`
}

// failure returns the error for input that had no effect, or nil if it had one. The argument "what"
// names the input in messages.
func (s inputSeen) failure(what string) error {
	switch {
	case s.Invalid != nil:
		return invalidField(what, s.Invalid)
	case s.Lost != "" && what == s.Desc:
		return lostClick(what, s.Lost)
	case s.Lost != "":
		return lostClick(what+" on "+s.Desc, s.Lost)
	case s.Anew != "":
		return lostClick(what+" on "+s.Desc, s.Anew)
	case s.Sent:
		return diag.New(diag.StepFailed, "%s on %s caused a script of the page to send the form", what, s.Desc).
			WithHint("do not press this key: to commit the value, leave the field")
	case s.Unsent != "":
		return diag.New(diag.StepFailed, "%s on %s did nothing: %s", what, s.Desc, s.Unsent).WithDetail("reason", s.Unsent).
			WithHint("check what the form requires before its button can be pressed")
	}
	return nil
}

// A watch announces input to the engine. It says which kind of input follows.
type watch struct {
	Held  bool `json:"held"`  // the input is the release of a dragged or held element
	Enter bool `json:"enter"` // the input is text, in which only the key Enter may submit a form
	// Unsent keeps the browser from submitting a form when Enter is pressed in one of its fields.
	Unsent bool `json:"unsent"`

	Watch *documents.Noting `json:"watch,omitempty"`
}

// watched sends input that may submit a form or press a button, by calling send. It waits until the
// document of w has handled the input. If the input had no effect, seen says why.
func (p *typist) watched(ctx context.Context, w documents.World, what watch, send func() error) (seen inputSeen, err error) {
	sent, tabs := p.Net.Sent(), p.Popups.SoFar()
	what.Watch = p.Noting(ctx)
	p.NoteWorld(w)
	// Input may overtake an evaluation, so this one is awaited.
	if err := p.Answer(ctx, p.Call(ctx, w, "watchInput", what), nil); err != nil && !cdp.IsGone(err) {
		return seen, err
	}
	if err := send(); err != nil {
		return seen, err
	}
	if err := p.Answer(ctx, p.Call(ctx, w, "inputSeen", nil), &seen); err != nil && !cdp.IsGone(err) {
		return inputSeen{}, err
	}
	if p.Net.Sent() > sent || p.Popups.SoFar() > tabs { // the page has handled the key
		seen.Unsent, seen.Anew = "", ""
	}
	return seen, nil
}

// Focus implements [driver.Keyboard].
func (p *typist) Focus(ctx context.Context, t driver.Target) (driver.Element, error) {
	r, err := p.finder.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "focus"}})
	if err != nil {
		return driver.Element{}, err
	}
	if err := p.AfterInput(ctx, r.w); err != nil {
		return driver.Element{}, err
	}
	_, err = p.controls.consequence(ctx, r.w) // the field that lost the focus may navigate
	return r.El.plain(), err
}
