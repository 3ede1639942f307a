package steps

import (
	"context"

	"github.com/actionregistry/action/diag"
)

// hidden stands for the value of a password field in results.
const hidden = "***"

var formSteps = []*Entry{
	{
		Name: "fill", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "replace what a control holds",
		Doc: "Waits until the control is visible, enabled and editable. Reads back after the page's handlers, and after one frame where they have asked for a frame or a timer: done when the control holds the value after its type's own normalising, " +
			"or one that an input mask has made of it by grouping, case or white space (a warning says so); else STEP_FAILED with what it holds. Groups of digits must stay what they were: a mask may split digits only where the value has no separators, and only white space between digits may go, except in a phone number with a plus sign. " +
			"A number may be shown with grouping, zeros at its end, a sign of currency or percent, and must stay the same number (whether 1,500 is one and a half the language of the page says); an address (e-mail, URL, host, path) may change in case alone; a password is compared exactly and never shown. Works with controlled inputs, contenteditable, date, time, color, range and number; a slider or spin button that is no input is moved by its arrow keys.",
		Example: "{action: fill, args: {selector: \"label:Customer\", value: \"${params.customer}\"}}",
		Args:    []Arg{selectorArg("the control", true), {Name: "value", Type: ArgText, Required: true, Doc: "what it shall hold"}},
		Hand:    []string{"selector", "value"}, Result: []Field{{"value", "what it holds; *** for a password"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return filled(fillWith(ctx, env, *a.Target("selector"), a.Text("value")))
		},
	},
	{
		Name: "clear", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "empty a control", Doc: "As fill with an empty value. A mask that shows its blanks, such as __/__/____, is empty.",
		Example: "{action: clear, args: {selector: \"placeholder:Search\"}}",
		Args:    []Arg{selectorArg("the control", true)},
		Hand:    []string{"selector"}, Result: []Field{{"value", "what it holds: the empty text, or the blanks of a mask"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return filled(fillWith(ctx, env, *a.Target("selector"), ""))
		},
	},
	{
		Name: "type", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "type text key by key",
		Doc:     "Adds to what is there. Without a selector the text goes to what has the focus, in whatever frame. Verifies that every character arrived, and that the field then holds what it held before with the text at the caret, compared as for fill: a field that is full, refuses some, or adds some of its own, is STEP_FAILED with what it holds; so is a page that moves the focus before the text is over, with what the rest went to. Boxes that take a part each (one character, or their maxlength) and together hold the text, and a field that comes in the place of the first with the whole text, are no failure: text is then what they hold. Of a text with Enter or Tab in it, the field must hold what stands before the first of them when that key comes, and is the page's from then on; so is one of which the page makes a tag beside the field. The parts of a date or a time take the keys in the order in which the field shows them; one that then holds another date, or none, is STEP_FAILED: fill sets it whole. Use fill where the page does not need single keys: it is quicker.",
		Example: "{action: type, args: {selector: \"role:combobox[name='City']\", text: Ber, delay: 50ms}}",
		Args: []Arg{selectorArg("the control; absent: what has the focus", false),
			{Name: "text", Type: ArgText, Required: true, Doc: "what to type"},
			{Name: "delay", Type: ArgDuration, Default: 0, Doc: "pause between keys"}},
		Hand: []string{"selector", "text"}, Result: typedFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			target := a.Target("selector")
			el, err := env.Page.Type(ctx, target, a.Text("text"), a.Duration("delay", 0))
			holds := el.Text
			if err != nil {
				holds, _ = diag.As(err).Details["value"].(string)
			}
			return element(el, hideSecret(env, target, a.Text("text"), holds, err))
		},
	},
	{
		Name: "press", Group: GroupForms, Limit: InputTime,
		Summary: "press a key or a chord",
		Doc: "Keys have the names of the DOM's KeyboardEvent.key: Enter, Escape, ArrowDown, a, Control+a. An Enter that submits a form, or presses a button, is checked as a click is. " +
			"One in a field whose form has a disabled default button is STEP_FAILED where the page does nothing else with it.",
		Example: "{action: press, args: {key: \"${modifier}+a\"}}",
		Args: []Arg{{Name: "key", Type: ArgText, Required: true, Doc: "key, with modifiers before a +"},
			selectorArg("element to focus before; absent: what has the focus", false),
			{Name: "count", Type: ArgInteger, Min: num(1), Max: num(1000), Default: 1, Doc: "how many times"}},
		Hand: []string{"key"}, Result: pressFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return pressed(env.Page.Key(ctx, a.Target("selector"), a.Text("key"), a.Int("count", 1)))
		},
	},
	{
		Name: "focus", Group: GroupForms,
		Summary: "give an element the focus", Doc: "Waits until it is attached; verifies that it has the focus.",
		Example: "{action: focus, args: {selector: \"label:Notes\"}}",
		Args:    []Arg{selectorArg("the element", true)}, Hand: []string{"selector"}, Result: elementFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return element(env.Page.Focus(ctx, *a.Target("selector")))
		},
	},
	checkStep("check", "set a checkbox, radio or switch", true),
	checkStep("uncheck", "unset a checkbox or switch", false),
	{
		Name: "select", Group: GroupForms, Limit: InputTime, Sets: true,
		Summary: "choose options of a select element",
		Doc: "Options are named by value, label or text. Reads back. What is no match lists the options there are; what matches several, by their labels or as the value of one and the label of another, is ELEMENT_AMBIGUOUS and lists them with their values. " +
			"by: value, or by: label, says which is meant.",
		Example: "{action: select, args: {selector: \"label:Country\", values: [Norway]}}",
		Args: []Arg{selectorArg("the select element", true),
			{Name: "values", Type: ArgTextList, Required: true, Doc: "one option, or a list for a multiple select"},
			{Name: "by", Type: ArgEnum, Values: []string{"value", "label"}, Doc: "what values are; absent: either"}},
		Hand: []string{"selector", "values"}, Result: []Field{{"values", "values of the options that are selected"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			values, err := env.Page.Select(ctx, *a.Target("selector"), a.Texts("values"), a.Text("by"))
			if err != nil {
				return nil, err
			}
			return Result{"values": anys(values)}, nil
		},
	},
}

var typedFields = []Field{elementFields[0], elementFields[1], {"text", "what it holds then; of a password nothing"}}

// fillWith fills a control and returns what it holds, as a result may show it.
func fillWith(ctx context.Context, env *Env, t Target, value string) (any, error) {
	f, err := env.Page.Fill(ctx, t, value)
	if err := hideSecret(env, &t, value, f.Value, err); err != nil {
		return nil, err
	}
	if f.Secret {
		return hidden, nil
	}
	if f.Reformatted {
		env.Warn("reformatted", "%s holds %q, the page reformatted %q", f.Desc, f.Value, value)
	}
	return f.Value, nil
}

// hideSecret makes a secret of what the control holds, where value is one or has one in it:
// the page made it of that. An err that shows it is one without it then.
func hideSecret(env *Env, t *Target, value, holds string, err error) error {
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

func filled(value any, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return Result{"value": value}, nil
}

func checkStep(name, summary string, on bool) *Entry {
	return &Entry{
		Name: name, Group: GroupForms, Limit: InputTime, Sets: true, Summary: summary,
		Doc:     "Presses the control, or its label where it is visually hidden, when its state differs, and reads the state back. Where the page works on it (it has begun a timer or a request, or the control is disabled or busy), the new state is waited for until half a second after the last sign of that: the control is pressed once.",
		Example: "{action: " + name + ", args: {selector: \"label:Express\"}}",
		Args:    []Arg{selectorArg("the control", true)},
		Hand:    []string{"selector"}, Result: []Field{{"checked", "its state"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			if _, err := env.Page.Check(ctx, *a.Target("selector"), on); err != nil {
				return nil, err
			}
			return Result{"checked": on}, nil
		},
	}
}

var keySteps = []*Entry{
	keyStep("key_down", "press a key and leave it down", "It counts in every key and mouse event until key_up, from step to step: key_down Shift, click, key_up Shift. What an action leaves down is let go at its end, with the warning released.", true),
	keyStep("key_up", "let a key go", "One that is not down is STEP_FAILED.", false),
}

func keyStep(name, summary, doc string, down bool) *Entry {
	return &Entry{
		Name: name, Group: GroupForms, Limit: InputTime, Summary: summary, Doc: doc,
		Example: "{action: " + name + ", args: {key: Shift}}",
		Args:    []Arg{{Name: "key", Type: ArgText, Required: true, Doc: "one key, named as for press"}},
		Hand:    []string{"key"}, Result: []Field{{"held", "keys that are down"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			held, err := env.Page.HoldKey(ctx, a.Text("key"), down)
			if err != nil {
				return nil, err
			}
			return Result{"held": anys(held)}, nil
		},
	}
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}
