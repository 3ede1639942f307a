package steps

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// Defaults of repeat.
const (
	DefaultRepeatMax   = 100
	DefaultRepeatDelay = 200 * time.Millisecond
	// DefaultItem is the root of foreach's items, unless `as` names it.
	DefaultItem = "item"
)

// inFile is the advice for steps that only serve other steps of the same action.
const inFile = "write an action with it and use: action run <action>"

// failCodes are the codes that a definition may end with: those of things that it can
// observe itself.
var failCodes = []string{string(diag.StepFailed), string(diag.ElementNotFound), string(diag.ElementAmbiguous), string(diag.ElementNotInteractable), string(diag.ParamInvalid)}

// A message lists at most so many items, with at most so many characters each.
const (
	listedAtMost = 50
	listedChars  = 200
)

// clippedAt returns at most the first characters of text.
func clippedAt(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if chars := []rune(text[:min(len(text), 4*most)]); len(chars) > most {
		return string(chars[:most]) + "…"
	}
	return text
}

// listed writes the items of a list for a message: each in quotes, a row as the values of
// its fields by name.
func listed(v any) string {
	items, ok := v.([]any)
	if !ok && v != nil {
		items = []any{v}
	}
	if len(items) == 0 {
		return "none"
	}
	texts := make([]string, 0, min(len(items), listedAtMost))
	for _, item := range items[:cap(texts)] {
		texts = append(texts, strconv.Quote(clippedAt(listedItem(item), listedChars)))
	}
	all := strings.Join(texts, ", ")
	if more := len(items) - len(texts); more > 0 {
		return fmt.Sprintf("%s and %d more", all, more)
	}
	return all
}

func listedItem(item any) string {
	row, ok := item.(map[string]any)
	if !ok {
		return expr.Text(item)
	}
	var values []string
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if text := expr.Text(row[name]); text != "" {
			values = append(values, text)
		}
	}
	return strings.Join(values, ": ")
}

var flowSteps = []*Entry{
	{
		Name: "run", Main: "action", Group: GroupFlow, Limit: NoTime, Instead: "use: action run <action>",
		Summary: "run another action",
		Doc:     "It runs on the same page and within the same time limit. The name is literal: a full name, or component:verb of this namespace. It has access only to its own params and steps; its returns are the result.",
		Example: "run: {action: \"dialog:open\", params: {trigger: \"${params.trigger}\"}}",
		Args: []Arg{{Name: "action", Type: ArgAction, Required: true, Doc: "the action's name"},
			{Name: "params", Type: ArgValueMap, Doc: "its params"}},
		Result: []Field{{"…", "the returns of the action"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return env.Flow.Call(ctx, a.Text("action"), a.Map("params"))
		},
	},
	{
		Name: "fail", Main: "message", Group: GroupFlow, Limit: NoTime, Instead: inFile,
		Summary: "end the action with an error", Doc: "Mostly used with when. The code is STEP_FAILED unless code says otherwise.",
		Example: "{fail: \"no order ${params.id}\", when: \"${steps.found.count} == 0\"}",
		Args: []Arg{
			{Name: "message", Type: ArgText, Required: true, Doc: "what is wrong"},
			{Name: "hint", Type: ArgText, Doc: "what to do next"},
			{Name: "code", Type: ArgEnum, Values: failCodes, Default: string(diag.StepFailed), Doc: "code of the error"},
			{Name: "list", Type: ArgValue, Doc: "texts, or rows of extract, to append to the message: each in quotes, or the word none"},
		},
		Run:  func(_ context.Context, _ *Env, a *Args) (Result, error) { return nil, failed(a) },
		Sure: func(_ *expr.Scope, a *Args) error { return failed(a) },
	},
	{
		Name: "set", Group: GroupFlow, Limit: NoTime, Instead: inFile,
		Summary: "keep values for later steps",
		Doc:     "With output the values are its fields; without, each value is available as steps.NAME.",
		Example: "set: {values: {first: \"${steps.orders.rows[0].id}\"}}",
		Args:    []Arg{{Name: "values", Type: ArgValueMap, Required: true, Doc: "names and values"}},
		Result:  []Field{{"…", "the values under their names"}},
		Run: func(_ context.Context, env *Env, a *Args) (Result, error) {
			values := a.Map("values")
			env.Flow.Set(values)
			return values, nil
		},
	},
	{
		Name: "assert", Main: "condition", Group: GroupFlow, Limit: NoTime, Instead: "use is, get or wait, which look at the page",
		Summary: "fail unless a condition holds", Doc: "Checks once. For what the page shows only after a while, use wait or verify.",
		Example: "assert: {condition: \"${steps.total.text} != ''\", message: the total is empty}",
		Args: []Arg{{Name: "condition", Type: ArgCondition, Required: true, Doc: "what must hold"},
			{Name: "message", Type: ArgText, Doc: "what is wrong otherwise"}},
		Run: runAssert,
		Sure: func(s *expr.Scope, a *Args) error {
			ok, err := a.Condition("condition").Eval(s)
			return asserted(a, ok, err)
		},
	},
	{
		Name: "choose", Group: GroupFlow, Limit: NoTime, Cases: true, Instead: inFile,
		Summary: "run the steps of the first case that holds",
		Doc: "The cases are evaluated in order until one holds. If none does, `else` runs; without else the step is STEP_FAILED, with the condition of every case and the values that it refers to. `else: []` says that nothing has to be done. " +
			"Outputs of the case that ran remain visible after it.",
		Example: "choose:\ncases:\n  - {when: \"${steps.kind.switch} > 0\", steps: [{click: \"role:switch\"}]}\n  - {when: \"${steps.kind.box} > 0\", steps: [{check: \"role:checkbox\"}]}",
		Result:  []Field{{"case", "the number of the case that ran, from 1; 0 for else"}},
		Run:     func(ctx context.Context, env *Env, _ *Args) (Result, error) { return env.Flow.Choose(ctx) },
	},
	{
		Name: "foreach", Main: "items", Group: GroupFlow, Limit: NoTime, Block: true, Instead: inFile,
		Summary: "run steps for each item of a list",
		Doc:     "${item}, or the name given by `as`, is the item; ${index} counts from 0. Outputs inside last for one iteration. A failed item fails the block.",
		Example: "{foreach: {items: \"${params.labels}\", as: label}, steps: [{check: \"label:${label}\"}]}",
		Args: []Arg{{Name: "items", Type: ArgValue, Required: true, Doc: "a list, or a map: its items are {key, value}, by key"},
			{Name: "as", Type: ArgName, Default: DefaultItem, Doc: "name of the item"},
			{Name: "by", Type: ArgTextList, Doc: "sort them first by these fields, as numbers; an item without such a field comes last, equal items keep their order"},
			{Name: "max", Type: ArgInteger, Doc: "use only the first so many items; negative: omit so many at the end"},
			{Name: "keep", Type: ArgBoolean, Doc: "what the iterations have set must still hold at the end: an iteration whose controls hold something else is run once more, then the block fails"}},
		Result: []Field{{"count", "how many iterations"}, {"items", "the outputs of each"}},
		Run:    foreach,
		Sure: func(_ *expr.Scope, a *Args) error {
			_, err := itemsOf(a)
			return err
		},
	},
	{
		Name: "repeat", Group: GroupFlow, Limit: NoTime, Block: true, Instead: inFile,
		Summary: "run steps until a condition holds",
		Doc:     "The condition is evaluated after each iteration, with its outputs; if it does not hold after the last, the step is STEP_FAILED. Without until the steps run max times.",
		Example: "{repeat: {until: \"${steps.more.count} == 0\", max: 20}, steps: [{click: text:More}, {find: {text: More}, output: more}]}",
		Args: []Arg{{Name: "until", Type: ArgCondition, Doc: "when to stop"},
			{Name: "max", Type: ArgInteger, Min: num(1), Default: DefaultRepeatMax, Doc: "maximum number of iterations"},
			{Name: "delay", Type: ArgDuration, Default: "200ms", Doc: "pause between iterations"}},
		Result: []Field{{"count", "how many iterations"}, {"items", "the outputs of each"}},
		Run:    repeat,
	},
}

// failed is the error of a fail.
func failed(a *Args) error {
	msg := a.Text("message")
	if a.Has("list") {
		msg += " " + listed(a.Any("list"))
	}
	hint := cmp.Or(a.Text("hint"), "change the param, or bring the page to where it fits; describe shows the steps of the action")
	code := diag.Code(cmp.Or(a.Text("code"), string(diag.StepFailed)))
	return diag.New(code, "%s", msg).WithHint("%s", hint)
}

func runAssert(ctx context.Context, env *Env, a *Args) (Result, error) {
	ok, err := env.Flow.Holds(ctx, a.Condition("condition"))
	return Result{}, asserted(a, ok, err)
}

// asserted is the error of an assert whose condition was evaluated.
func asserted(a *Args, ok bool, err error) error {
	if err != nil || ok {
		return err
	}
	c, msg := a.Condition("condition"), a.Text("message")
	if msg == "" {
		msg = "the condition does not hold: " + c.String()
	}
	return diag.New(diag.StepFailed, "%s", msg).
		WithDetail("condition", c.String()).
		WithHint("run the action with debug to see the values that the condition uses")
}

func foreach(ctx context.Context, env *Env, a *Args) (Result, error) {
	items, err := itemsOf(a)
	if err != nil {
		return nil, err
	}
	items = InOrder(items, a.Texts("by"))
	if a.Has("max") {
		items = Front(items, a.Int("max", 0))
	}
	as := a.Text("as")
	if as == "" {
		as = DefaultItem
	}
	outputs := make([]any, len(items))
	body := func(i int) (err error) {
		outputs[i], err = env.Flow.Body(ctx, []expr.Local{{Name: as, Value: items[i]}, {Name: "index", Value: i}})
		return err
	}
	if a.Bool("keep") && len(items) > 0 {
		return Result{"count": len(outputs), "items": outputs}, together(ctx, env, items, body)
	}
	for i := range items {
		if err := body(i); err != nil {
			return nil, err
		}
	}
	return Result{"count": len(outputs), "items": outputs}, nil
}

// together runs body for each item, and once more for those whose controls no longer hold
// at the end what was set.
func together(ctx context.Context, env *Env, items []any, body func(int) error) error {
	parts := make([][2]int, len(items)) // of the run, for each item
	set := func(i int) error {
		parts[i][0] = env.Page.Part()
		err := body(i)
		parts[i][1] = env.Page.Part() // nothing is set in this one
		return err
	}
	for i := range items {
		if err := set(i); err != nil {
			return err
		}
	}
	lost, err := env.Page.Lost(ctx, parts, false)
	if err != nil || len(lost) == 0 {
		return err
	}
	for i := range items {
		if slices.ContainsFunc(lost, func(c Reverted) bool { return isPart(parts[i], c.Part) }) {
			if err := set(i); err != nil {
				return err
			}
		}
	}
	if lost, err = env.Page.Lost(ctx, parts, true); err != nil || len(lost) == 0 {
		return err
	}
	i := slices.IndexFunc(parts, func(p [2]int) bool { return isPart(p, lost[0].Part) })
	return notKept(env, items[i], lost[0])
}

func isPart(p [2]int, n int) bool { return p[0] <= n && n <= p[1] }

// notKept says which control does not hold its value, with the key of its item if that has
// one.
func notKept(env *Env, item any, c Reverted) error {
	name := c.Desc
	if key, ok := field(item, "key").(string); ok {
		name = key + " (" + c.Desc + ")"
	}
	e := diag.New(diag.VerifyFailed, "%s does not keep what it was set to: the page changed it when the others were set, or later", name).
		WithHint("set it alone when the others are set and the page has loaded what depends on them").
		WithDetail("reason", "reverted").WithDetail("control", c.Desc)
	if !c.Secret && (env.Secret == nil || !env.Secret(c.Set, c.Holds)) {
		e.Msg = fmt.Sprintf("%s does not keep %q, but holds %q: the page changed it when the others were set, or later", name, c.Set, c.Holds)
		e.WithDetail("set", c.Set).WithDetail("holds", c.Holds)
	}
	return e
}

// itemsOf returns the items of a foreach, not in its order yet.
func itemsOf(a *Args) ([]any, error) {
	items, ok := Items(a.Any("items"))
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "items is %s, expected a list or a map", kindOf(a.Any("items"))).
			WithHint("pass a list: a param of type array, or rows of extract; a map gives items {key, value}")
	}
	return items, nil
}

// InOrder sorts the items of a foreach by these fields, the first one first. An item
// without such a field comes last.
func InOrder(items []any, by []string) []any {
	if len(by) == 0 {
		return items
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b any) int {
		for _, name := range by {
			if order := compareField(a, b, name); order != 0 {
				return order
			}
		}
		return 0
	})
	return items
}

// compareField orders two items by one field. Values without an order come last.
func compareField(a, b any, name string) int {
	first, second := field(a, name), field(b, name)
	order, ok := expr.Compare(first, second)
	switch {
	case first == nil && second == nil:
		return 0
	case first == nil:
		return 1
	case second == nil:
		return -1
	case !ok:
		return 0
	}
	return order
}

func field(item any, name string) any {
	m, _ := item.(map[string]any)
	return m[name]
}

// Front returns the items that foreach uses with max n: the first n, or all but the last
// -n.
func Front(items []any, n int) []any {
	if n < 0 {
		n = max(len(items)+n, 0)
	}
	return items[:min(n, len(items))]
}

// Items makes a list of the items of a foreach; the entries of a map sorted by key. It
// reports whether v is either.
func Items(v any) ([]any, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		list, ok := v.([]any)
		return list, ok
	}
	var list []any
	for _, key := range sortedKeys(m) {
		list = append(list, map[string]any{"key": key, "value": m[key]})
	}
	return list, true
}

func repeat(ctx context.Context, env *Env, a *Args) (Result, error) {
	most := a.Int("max", DefaultRepeatMax)
	until := a.Condition("until")
	var outputs []any
	for i := range most {
		if i > 0 {
			if err := env.Flow.Pause(ctx, a.Duration("delay", DefaultRepeatDelay)); err != nil {
				return nil, err
			}
		}
		out, err := env.Flow.Body(ctx, []expr.Local{{Name: "index", Value: i}})
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, out)
		if until == nil {
			continue
		}
		if ok, err := env.Flow.Holds(ctx, until); err != nil {
			return nil, err
		} else if ok {
			return Result{"count": len(outputs), "items": outputs}, nil
		}
	}
	if until != nil {
		return nil, diag.New(diag.StepFailed, "%s did not hold after %d iterations", until, most).
			WithHint("raise max, or see with debug what each iteration did")
	}
	return Result{"count": len(outputs), "items": outputs}, nil
}
