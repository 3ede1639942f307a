package browser

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/steps"
)

// keyDown and keyUp build the two events of a key.
func keyDown(k key, bits int) proto.InputDispatchKeyEvent {
	e := proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeRawKeyDown, Modifiers: bits,
		Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.KeyCode, NativeVirtualKeyCode: k.KeyCode,
	}
	if k.Shift {
		e.Modifiers |= modifierBits([]string{"Shift"})
	}
	// A key held with Control or Meta is a command and types nothing.
	if k.Text != "" && bits&modifierBits([]string{"Control", "Meta", "Alt"}) == 0 {
		e.Type, e.Text, e.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyDown, k.Text, k.Text
	}
	return e
}

func keyUp(k key, bits int) proto.InputDispatchKeyEvent {
	e := keyDown(k, bits)
	e.Type, e.Text, e.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyUp, "", ""
	return e
}

// tap starts the events of pressing and releasing a chord.
func (p *Page) tap(ctx context.Context, c chord) []*call {
	var calls []*call
	for i, m := range c.modifiers {
		calls = append(calls, p.start(ctx, keyDown(m, chord{modifiers: c.modifiers[:i+1]}.bits())))
	}
	bits := c.bits()
	down := keyDown(c.key, bits)
	down.Commands = editCommands(c, runtime.GOOS)
	calls = append(calls, p.start(ctx, down), p.start(ctx, keyUp(c.key, bits)))
	for i := len(c.modifiers) - 1; i >= 0; i-- {
		calls = append(calls, p.start(ctx, keyUp(c.modifiers[i], chord{modifiers: c.modifiers[:i]}.bits())))
	}
	return calls
}

// editCommands are those that macOS, not Chromium, makes of a chord.
func editCommands(c chord, system string) []string {
	if system != "darwin" || len(c.modifiers) != 1 || c.modifiers[0].Key != "Meta" {
		return nil
	}
	if name, ok := map[string]string{"a": "selectAll", "c": "copy", "v": "paste", "x": "cut", "z": "undo"}[c.key.Key]; ok {
		return []string{name}
	}
	return nil
}

func controlOrMeta() string {
	if runtime.GOOS == "darwin" {
		return "Meta"
	}
	return "Control"
}

// finish waits for input events. Those of a document that went away meanwhile
// were seen by it.
func (p *Page) finish(ctx context.Context, calls []*call) error {
	for _, k := range calls {
		if err := p.b.explain(ctx, k.wait(nil)); err != nil && !errors.Is(err, errWorldGone) {
			return err
		}
	}
	return nil
}

// Type implements [steps.Keyboard].
func (p *Page) Type(ctx context.Context, t *steps.Target, text string, delay time.Duration) (steps.Element, error) {
	s, need := p.seekFocused(ctx), []string(nil)
	if t != nil {
		s, need = p.seek(ctx, *t), forFill
	}
	r, err := s.act(ctx, act{Need: need, Strict: true, Op: op{Name: "type"}})
	if err != nil {
		return steps.Element{}, err
	}
	var calls []*call
	for i, c := range text {
		if delay > 0 && i > 0 {
			if err := p.finish(ctx, calls); err != nil {
				return steps.Element{}, err
			}
			calls = nil
			if err := pause(ctx, nil, p.b.conn.ended, delay); err != nil {
				return steps.Element{}, p.b.explain(ctx, err)
			}
		}
		calls = append(calls, p.typeRune(ctx, c)...)
	}
	if err := p.finish(ctx, calls); err != nil {
		return steps.Element{}, err
	}
	return r.El.plain(), nil
}

// typeRune presses the key of r, or inserts it as an input method does.
func (p *Page) typeRune(ctx context.Context, r rune) []*call {
	k, ok := typed(r)
	if !ok {
		return []*call{p.start(ctx, proto.InputInsertText{Text: string(r)})}
	}
	return []*call{p.start(ctx, keyDown(k, 0)), p.start(ctx, keyUp(k, 0))}
}

// Key implements [steps.Keyboard].
func (p *Page) Key(ctx context.Context, t *steps.Target, name string, count int) (steps.Press, error) {
	c, err := parseChord(name, controlOrMeta())
	if err != nil {
		return steps.Press{}, err
	}
	var el element
	if t != nil {
		r, err := p.find(ctx, *t, act{Need: attached, Strict: true, Op: op{Name: "focus"}})
		if err != nil {
			return steps.Press{}, err
		}
		el = r.El
	}
	from := p.mark()
	for range max(count, 1) {
		w, err := p.currentWorld(ctx)
		if err != nil {
			return steps.Press{}, err
		}
		if err := p.finish(ctx, p.tap(ctx, c)); err != nil {
			return steps.Press{}, err
		}
		if err := p.afterInput(ctx, w); err != nil {
			return steps.Press{}, err
		}
	}
	nav, err := p.consequence(ctx, from)
	return steps.Press{Element: el.plain(), Navigated: nav}, err
}

// nextTask resolves in a task of its own: what the input before it has started,
// such as the navigation of a form, has then been told.
const nextTask = "()=>new Promise(r=>setTimeout(r))"

// afterInput waits until the page has handled input that was sent before.
func (p *Page) afterInput(ctx context.Context, w world) error {
	k := p.start(ctx, callFunction{FunctionDeclaration: nextTask, UniqueContextID: w.id, AwaitPromise: true})
	if err := p.answer(ctx, k, nil); err != nil && !errors.Is(err, errWorldGone) {
		return err
	}
	return nil
}

// Focus implements [steps.Keyboard].
func (p *Page) Focus(ctx context.Context, t steps.Target) (steps.Element, error) {
	r, err := p.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "focus"}})
	if err != nil {
		return steps.Element{}, err
	}
	return r.El.plain(), nil
}
