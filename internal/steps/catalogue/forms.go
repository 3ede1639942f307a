package catalogue

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// hidden is shown in results instead of the value of a password field.
const hidden = "***"

var formSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "fill", Group: steps.GroupForms, Limit: steps.InputTime, Sets: true,
		Summary: "replace the value of a control",
		Doc: "Waits until the control is visible, enabled and editable. Reads the value back after the page's handlers, and after one frame if they have requested a frame or a timer. " +
			"The text of an input or textarea arrives at once, between a keydown and a keyup of a key without a name (`Unidentified`, 229), as from a software keyboard. Use type if the page requires each key.\n\n" +
			"The control gets the focus first. A page may update the rows of a list in place when a field loses the focus: if it then gives the element to another record, the step finds the control again.\n\n" +
			"Succeeds if the control then contains the value, normalised for its type. An input mask may also have regrouped it, or changed its case, its white space, the width of its characters or the script of its digits (a warning says so). " +
			"Anything else is STEP_FAILED, and the error says what the control contains. Groups of digits must stay unchanged, and 10² is not 102: " +
			"a mask may split digits only if the value has no separators, and may remove only white space between digits, except in a phone number with a plus sign. Before all digits of a phone number it may add a plus sign and the code of a country. White space between two words must stay. " +
			"A number may be shown with grouping, trailing zeros, a currency, a unit or a percent sign, but must stay the same number. The language of the page decides whether 1,500 or 1.500 means one and a half. In a page without a language, 1.500 does, and the separator must stay. " +
			"An address (e-mail, URL, host, path) may only change in case. A password is compared exactly and never shown.\n\nIf a field takes the value and is then marked as invalid (by aria-invalid or by the browser's own check), the warning invalid reports it with the reason.\n\nWorks with controlled inputs, contenteditable, date, time, color, range and number; a slider or spin button that is not an input is moved with its arrow keys.",
		Example: "fill: {selector: \"label:Customer\", value: \"${params.customer}\"}",
	}, func(ctx context.Context, env *steps.Env, a *fillArgs) (fillResult, error) {
		value, err := fillWith(ctx, env, a.Selector, a.Value)
		return fillResult{value}, err
	}),
	steps.Define(steps.Entry{
		Name: "clear", Group: steps.GroupForms, Limit: steps.InputTime, Sets: true,
		Summary: "empty a control", Doc: "Like fill with an empty value. A mask that shows its blanks, such as __/__/____, counts as empty.",
		Example: "clear: \"placeholder:Search\"",
	}, func(ctx context.Context, env *steps.Env, a *control) (clearResult, error) {
		value, err := fillWith(ctx, env, a.Selector, "")
		return clearResult{value}, err
	}),
	steps.Define(steps.Entry{
		Name: "type", Group: steps.GroupForms, Limit: steps.InputTime, Sets: true,
		Summary: "type text key by key",
		Doc:     "Adds to the existing text. Without a selector, the text goes to the focused element, in any frame. Verifies that every character arrived, and that the field then contains its old text with the new text at the caret. The comparison and its warning are those of fill.\n\nA field that is full, rejects characters, or adds its own (other than closing brackets) is STEP_FAILED, and the error says what it contains. A page that moves the focus before the text is complete is STEP_FAILED too; the error says where the rest went. It is not a failure if boxes that each take a part (one character, or their maxlength) together contain the text, or if another field replaces the first and contains the whole text: text is then what they contain.\n\nIf the text contains Enter or Tab, the field must contain what precedes the first of them when that key is pressed; after that, the page may change it. A page may also turn the text into a tag beside the field.\n\nThe parts of a date or a time take the keys in the order in which the field shows them. A field that then contains another date, or none, is STEP_FAILED: fill sets it as a whole.\n\nUse fill if the page does not require single keys: it is faster.",
		Example: "type: {selector: \"role:combobox[name='City']\", text: Ber, delay: 50ms}",
	}, typeText),
	steps.Define(steps.Entry{
		Name: "press", Group: steps.GroupForms, Limit: steps.InputTime,
		Summary: "press a key or a chord",
		Doc: "Keys have the names of the DOM's KeyboardEvent.key: Enter, Escape, ArrowDown, a, Control+a.\n\nAn Enter that submits a form or presses a button is checked like a click, also in type and key_down. So is a form that the page sends on a command such as Control+s. " +
			"Enter in a field whose form has a disabled default button, or one that the key disables, is STEP_FAILED, unless the page does something else with the key. Enter or the space bar on a button is STEP_FAILED if the page renders the button again unchanged when the key goes down, so that no click follows, unless the page shows that it has handled the key (by another text, state, request, tab or focus). It is also STEP_FAILED on a button that was disabled or busy before.\n\n" +
			"commit: true is for a field that accepts what was typed on Enter: the page gets the key, but the browser does not send the form of the field.",
		Example: "press: \"${modifier}+a\"",
	}, press),
	steps.Define(steps.Entry{
		Name: "focus", Group: steps.GroupForms, Focuses: true,
		Summary: "give an element the focus", Doc: "Waits until the element is attached, and verifies that it has the focus. What another field starts when it loses the focus, such as sending its form, is reported as for click.",
		Example: "focus: \"label:Notes\"",
	}, func(ctx context.Context, env *steps.Env, a *focusArgs) (elementResult, error) {
		return element(env.Page.Focus(ctx, a.Selector))
	}),
	checkStep("check", "set a checkbox, radio or switch", true),
	checkStep("uncheck", "unset a checkbox or switch", false),
	steps.Define(steps.Entry{
		Name: "select", Group: steps.GroupForms, Limit: steps.InputTime, Sets: true,
		Summary: "choose options of a select element",
		Doc: "Names options by value, label or text, and reads the selection back. If nothing matches, the error lists the options. " +
			"A value that matches several, by their labels or as the value of one and the label of another, is ELEMENT_AMBIGUOUS; the error lists them with their values. " +
			"by: value or by: label says which one you mean.",
		Example: "select: {selector: \"label:Country\", values: [Norway]}",
	}, func(ctx context.Context, env *steps.Env, a *selectArgs) (selectResult, error) {
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
	Commit   bool           `arg:"commit" default:"false" doc:"keep the browser from sending the form of the field"`
}

type focusArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the element"`
}

type selectArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the select element"`
	Values   []string      `arg:"values,required" pos:"2" doc:"one option, or a list for a multiple select"`
	By       string        `arg:"by" enum:"value label" doc:"what the values are; absent: either"`
}

type selectResult struct {
	Values []string `json:"values" doc:"values of the selected options"`
}

func typeText(ctx context.Context, env *steps.Env, a *typeArgs) (typeResult, error) {
	el, err := env.Page.Type(ctx, a.Selector, a.Text, a.Delay)
	holds := el.Text
	if err != nil {
		holds, _ = diag.As(err).Details["value"].(string)
	} else if regrouped(holds, a.Text) {
		env.Warn("reformatted", "%s contains %q: the page has reformatted %q", el.Desc, holds, a.Text)
	}
	r, err := element(el, hideSecret(env, a.Selector, a.Text, holds, err))
	return typeResult(r), err
}

func press(ctx context.Context, env *steps.Env, a *pressArgs) (pressResult, error) {
	send := env.Page.Key
	if a.Commit {
		send = env.Page.Commit
	}
	p, err := send(ctx, a.Selector, a.Key, a.Count)
	return pressed(env, p, err)
}

// fillWith fills a control and returns its new value. For a password field, it returns [hidden]
// instead.
func fillWith(ctx context.Context, env *steps.Env, t driver.Target, value string) (any, error) {
	f, err := env.Page.Fill(ctx, t, value)
	if err := hideSecret(env, &t, value, f.Value, err); err != nil {
		return nil, err
	}
	warnInvalid(env, &f)
	if f.Secret {
		return hidden, nil
	}
	if f.Reformatted {
		env.Warn("reformatted", "%s contains %q: the page has reformatted %q", f.Desc, f.Value, value)
	}
	return f.Value, nil
}

// warnInvalid adds a warning to the result if the page has marked a filled field as invalid.
func warnInvalid(env *steps.Env, f *driver.Filled) {
	switch {
	case f.Invalid == nil:
	case f.Secret || *f.Invalid == "": // the message may show a password
		env.Warn("invalid", "%s has taken the value, but is marked as invalid", f.Desc)
	default:
		env.Warn("invalid", "%s has taken the value, but is marked as invalid: %s", f.Desc, *f.Invalid)
	}
}

// regrouped reports whether a field shows the typed text with other spaces, punctuation or case. It
// returns false if the field shows the text unchanged, or something else, such as a date. It
// returns false for a text with Enter or Tab.
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

// hideSecret removes a secret from err, the error of filling a control with value. The control now
// contains the text holds. If value contains no secret, hideSecret returns err unchanged.
// Otherwise, it registers holds as a secret too, and replaces an error that may quote holds.
func hideSecret(env *steps.Env, t *driver.Target, value, holds string, err error) error {
	if env.Secret == nil || !env.Secret(value, holds) || err == nil || diag.CodeOf(err) != diag.StepFailed {
		return err
	}
	name := "the focused element"
	if t != nil {
		name = t.Source
	}
	return diag.New(diag.StepFailed, "%s did not take the value, which is secret", name).
		WithHint("check the value against the type, length and pattern of the field")
}

type checkResult struct {
	Checked bool `json:"checked" doc:"its state"`
}

func checkStep(name, summary string, on bool) *steps.Entry {
	return steps.Define(steps.Entry{
		Name: name, Group: steps.GroupForms, Limit: steps.InputTime, Sets: true, Summary: summary,
		Doc:     "If the state differs, presses the control, or its label if it is visually hidden, and reads the state back. While the page is working (it has begun a timer or a request, or the control is disabled or busy), the step waits for the new state until half a second after the last sign of work. It presses the control only once.",
		Example: name + ": \"label:Express\"",
	}, func(ctx context.Context, env *steps.Env, a *control) (checkResult, error) {
		_, err := env.Page.Check(ctx, a.Selector, on)
		return checkResult{on}, err
	})
}

var keySteps = []*steps.Entry{
	keyStep("key_down", "press a key and hold it down", "The key is part of every key and mouse event until key_up, also in later steps: key_down Shift, click, key_up Shift. A key that is still down at the end of an action is released, with the warning released.", true),
	keyStep("key_up", "release a key", "A key that is not down is STEP_FAILED.", false),
}

type keyArgs struct {
	Key string `arg:"key,required" pos:"1" doc:"one key, named as for press"`
}

type keyResult struct {
	Held []string `json:"held" doc:"keys that are down"`
}

func keyStep(name, summary, doc string, down bool) *steps.Entry {
	return steps.Define(steps.Entry{
		Name: name, Group: steps.GroupForms, Part: true, Limit: steps.InputTime, Summary: summary, Doc: doc,
		Example: name + ": Shift",
	}, func(ctx context.Context, env *steps.Env, a *keyArgs) (keyResult, error) {
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
