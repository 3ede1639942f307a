package steps

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// hidden stands for the value of a password field in results.
const hidden = "***"

var formSteps = []*Entry{
	define(Entry{
		Name: "fill", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "replace the value of a control",
		Doc: "Waits until the control is visible, enabled and editable. Reads back after the page's handlers, and after one frame if they have requested a frame or a timer. " +
			"The text of an input or textarea arrives at once, between a keydown and a keyup of a key without a name (`Unidentified`, 229), as from a software keyboard; use type where the page wants each key. " +
			"Succeeds if the control holds the value, normalised for its type, or as an input mask has regrouped it or changed its case, its white space, the width of its characters or the script of its digits (a warning says so); " +
			"otherwise it is STEP_FAILED with what the control holds. Groups of digits must stay as they were, and 10² is not 102: " +
			"a mask may split digits only if the value has no separators, and may remove only white space between digits, except in a phone number with a plus sign. White space between two words must stay. " +
			"A number may be shown with grouping, trailing zeros, a currency, a unit or a percent sign, and must stay the same number (the language of the page decides whether 1,500 or 1.500 is one and a half; where it gives none, 1.500 is, and the sign must stay); " +
			"an address (e-mail, URL, host, path) may only change in case; a password is compared exactly and never shown. A field that takes the value and is then marked as invalid (aria-invalid, or by the browser's own check) is the warning invalid, with what is said against it. Works with controlled inputs, contenteditable, date, time, color, range and number; a slider or spin button that is not an input is moved with its arrow keys.",
		Example: "fill: {selector: \"label:Customer\", value: \"${params.customer}\"}",
	}, func(ctx context.Context, env *Env, a *fillArgs) (fillResult, error) {
		value, err := fillWith(ctx, env, a.Selector, a.Value)
		return fillResult{value}, err
	}),
	define(Entry{
		Name: "clear", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "empty a control", Doc: "Like fill with an empty value. A mask that shows its blanks, such as __/__/____, counts as empty.",
		Example: "clear: \"placeholder:Search\"",
	}, func(ctx context.Context, env *Env, a *control) (clearResult, error) {
		value, err := fillWith(ctx, env, a.Selector, "")
		return clearResult{value}, err
	}),
	define(Entry{
		Name: "type", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "type text key by key",
		Doc:     "Adds to the existing text. Without a selector the text goes to the focused element, in whatever frame. Verifies that every character arrived, and that the field then holds its old text with the new text at the caret, compared as for fill, with the same warning: a field that is full, refuses characters, or adds its own (closing brackets excepted) is STEP_FAILED with what it holds. So is a page that moves the focus before the text is complete; the error says where the rest went. Boxes that each take a part (one character, or their maxlength) and together hold the text, and a field that replaces the first with the whole text, are not a failure: text is then what they hold. If the text contains Enter or Tab, the field must hold what comes before the first of them when that key is pressed; after that the page may change it. So may a page that turns the text into a tag beside the field. The parts of a date or a time take the keys in the order in which the field shows them; a field that then holds another date, or none, is STEP_FAILED: fill sets it as a whole. Use fill if the page does not require single keys: it is faster.",
		Example: "type: {selector: \"role:combobox[name='City']\", text: Ber, delay: 50ms}",
	}, typeText),
	define(Entry{
		Name: "press", Group: GroupForms, Limit: InputTime,
		Summary: "press a key or a chord",
		Doc: "Keys have the names of the DOM's KeyboardEvent.key: Enter, Escape, ArrowDown, a, Control+a. An Enter that submits a form, or presses a button, is checked like a click, also in type and key_down; so is a form that the page sends on a command such as Control+s. " +
			"Enter in a field whose form has a disabled default button, or one that the key disables, is STEP_FAILED, unless the page does something else with it. So is Enter or the space bar on a button that the page renders again as it was when the key goes down, so that no click follows, unless the page shows that it has taken the key (by another text, state, request, tab or focus), and on a button that was disabled or busy before. " +
			"commit: true is for a field that takes over what was typed at Enter: the page gets the key, and the browser does not send the form of the field by it.",
		Example: "press: \"${modifier}+a\"",
	}, press),
	define(Entry{
		Name: "focus", Group: GroupForms, Focuses: true,
		Summary: "give an element the focus", Doc: "Waits until it is attached; verifies that it has the focus. What another field starts when it loses the focus, such as sending its form, is reported as for click.",
		Example: "focus: \"label:Notes\"",
	}, func(ctx context.Context, env *Env, a *focusArgs) (elementResult, error) {
		return element(env.Page.Focus(ctx, a.Selector))
	}),
	checkStep("check", "set a checkbox, radio or switch", true),
	checkStep("uncheck", "unset a checkbox or switch", false),
	define(Entry{
		Name: "select", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "choose options of a select element",
		Doc: "Options are named by value, label or text. Reads back. If nothing matches, the error lists the options; " +
			"a value that matches several, by their labels or as the value of one and the label of another, is ELEMENT_AMBIGUOUS, which lists them with their values. " +
			"by: value or by: label says which one you mean.",
		Example: "select: {selector: \"label:Country\", values: [Norway]}",
	}, func(ctx context.Context, env *Env, a *selectArgs) (selectResult, error) {
		values, err := env.Page.Select(ctx, a.Selector, a.Values, a.By)
		return selectResult{values}, err
	}),
}

type control struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the control"`
}

type fillArgs struct {
	control
	Value string `arg:"value,required" pos:"2" doc:"the new value"`
}

type fillResult struct {
	Value any `json:"value" doc:"value of the control; *** for a password"`
}

type clearResult struct {
	Value any `json:"value" doc:"value of the control: the empty text, or the blanks of a mask"`
}

type typeArgs struct {
	Selector *driver.Target `arg:"selector" pos:"1" doc:"the control; absent: the focused element"`
	Text     string         `arg:"text,required" pos:"2" doc:"what to type"`
	Delay    time.Duration  `arg:"delay" default:"0" doc:"pause between keys"`
}

type typeResult struct {
	Role string `json:"role" doc:"ARIA role of the element"`
	Name string `json:"name" doc:"its accessible name"`
	Text string `json:"text" doc:"its new value; empty for a password"`
}

type pressArgs struct {
	Key      string         `arg:"key,required" pos:"1" doc:"key, with modifiers before a +"`
	Selector *driver.Target `arg:"selector" doc:"element to focus first; absent: the focused element"`
	Count    int            `arg:"count" default:"1" min:"1" max:"1000" doc:"how many times"`
	Commit   bool           `arg:"commit" default:"false" doc:"keep the browser from sending the form of the field by it"`
}

type focusArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the element"`
}

type selectArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the select element"`
	Values   []string      `arg:"values,required" pos:"2" doc:"one option, or a list for a multiple select"`
	By       string        `arg:"by" enum:"value label" doc:"what values are; absent: either"`
}

type selectResult struct {
	Values []string `json:"values" doc:"values of the selected options"`
}

func typeText(ctx context.Context, env *Env, a *typeArgs) (typeResult, error) {
	el, err := env.Page.Type(ctx, a.Selector, a.Text, a.Delay)
	holds := el.Text
	if err != nil {
		holds, _ = diag.As(err).Details["value"].(string)
	} else if regrouped(holds, a.Text) {
		env.Warn("reformatted", "%s holds %q, the page reformatted %q", el.Desc, holds, a.Text)
	}
	r, err := element(el, hideSecret(env, a.Selector, a.Text, holds, err))
	return typeResult(r), err
}

func press(ctx context.Context, env *Env, a *pressArgs) (pressResult, error) {
	send := env.Page.Key
	if a.Commit {
		send = env.Page.Commit
	}
	p, err := send(ctx, a.Selector, a.Key, a.Count)
	return pressed(env, p, err)
}

// fillWith fills a control and returns its value, as a result may show it.
func fillWith(ctx context.Context, env *Env, t driver.Target, value string) (any, error) {
	f, err := env.Page.Fill(ctx, t, value)
	if err := hideSecret(env, &t, value, f.Value, err); err != nil {
		return nil, err
	}
	warnInvalid(env, &f)
	if f.Secret {
		return hidden, nil
	}
	if f.Reformatted {
		env.Warn("reformatted", "%s holds %q, the page reformatted %q", f.Desc, f.Value, value)
	}
	return f.Value, nil
}

// warnInvalid warns of a field that has taken a value and is marked as invalid with it. That is
// no failure: what a form says against a value may be what the run wants to see.
func warnInvalid(env *Env, f *driver.Filled) {
	switch {
	case f.Invalid == nil:
	case f.Secret || *f.Invalid == "": // what is said may show a password
		env.Warn("invalid", "%s has taken the value and is marked as invalid", f.Desc)
	default:
		env.Warn("invalid", "%s has taken the value and is marked as invalid: %s", f.Desc, *f.Invalid)
	}
}

// regrouped reports whether a field shows a text that was typed into it in other groups or in
// another case. A text that the page has made something else of, such as a tag or a date, is
// not compared, nor is one with Enter or Tab: they do whatever the page makes of them.
func regrouped(holds, text string) bool {
	if strings.ContainsAny(text, "\r\n\t") {
		return false
	}
	holds = strings.ReplaceAll(holds, "\u00a0", " ") // as editable content writes it
	bare := func(s string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s))
	}
	return !strings.Contains(holds, text) && bare(text) != "" && strings.Contains(bare(holds), bare(text))
}

// hideSecret registers the control's value as a secret if value is one or contains one: the
// page derived it from that. It also removes it from err.
func hideSecret(env *Env, t *driver.Target, value, holds string, err error) error {
	if env.Secret == nil || !env.Secret(value, holds) || err == nil || diag.CodeOf(err) != diag.StepFailed {
		return err
	}
	name := "what has the focus"
	if t != nil {
		name = t.Source
	}
	return diag.New(diag.StepFailed, "%s did not take the value, which is secret", name).
		WithHint("check the value against what the field takes: its type, its length, its pattern")
}

type checkResult struct {
	Checked bool `json:"checked" doc:"its state"`
}

func checkStep(name, summary string, on bool) *Entry {
	return define(Entry{
		Name: name, Group: GroupForms, Limit: InputTime, Sets: true, Summary: summary,
		Doc:     "If the state differs, presses the control, or its label if it is visually hidden, and reads the state back. While the page is working (it has begun a timer or a request, or the control is disabled or busy), the step waits for the new state until half a second after the last sign of work: the control is pressed only once.",
		Example: name + ": \"label:Express\"",
	}, func(ctx context.Context, env *Env, a *control) (checkResult, error) {
		_, err := env.Page.Check(ctx, a.Selector, on)
		return checkResult{on}, err
	})
}

var keySteps = []*Entry{
	keyStep("key_down", "press a key and hold it down", "It is part of every key and mouse event until key_up, across steps: key_down Shift, click, key_up Shift. A key that is still down at the end of an action is released, with the warning released.", true),
	keyStep("key_up", "release a key", "A key that is not down is STEP_FAILED.", false),
}

type keyArgs struct {
	Key string `arg:"key,required" pos:"1" doc:"one key, named as for press"`
}

type keyResult struct {
	Held []string `json:"held" doc:"keys that are down"`
}

func keyStep(name, summary, doc string, down bool) *Entry {
	return define(Entry{
		Name: name, Group: GroupForms, Part: true, Limit: InputTime, Summary: summary, Doc: doc,
		Example: name + ": Shift",
	}, func(ctx context.Context, env *Env, a *keyArgs) (keyResult, error) {
		held, err := env.Page.HoldKey(ctx, a.Key, down)
		return keyResult{held}, err
	})
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}
