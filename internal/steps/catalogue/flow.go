package catalogue

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
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// DefaultItem is the name of the items of a foreach without `as`.
const DefaultItem = "item"

// inFile is the hint for steps that cannot be run alone from the command line.
const inFile = "write the step in an action, and run it with: action run <action>"

type failCode string

func (failCode) Values() []string { return failCodes }

// failCodes lists the codes that a definition may use in a `fail` step.
var failCodes = []string{string(diag.StepFailed), string(diag.ElementNotFound), string(diag.ElementAmbiguous), string(diag.ElementNotInteractable), string(diag.ParamInvalid)}

// Limits of a list in a message.
const (
	listedAtMost = 50  // items
	listedChars  = 200 // characters of an item
)

// listed formats the items of a list for a message. Each item is in quotes. A row is shown as the
// values of its fields, sorted by name.
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
		texts = append(texts, strconv.Quote(steps.Clipped(listedItem(item), listedChars)))
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

var flowSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "run", Group: steps.GroupFlow, Limit: steps.NoTime, Instead: "use: action run <action>",
		Summary: "run another action",
		Doc:     "The action runs on the same page and within the same time limit. The name is literal: a full name, or component:verb of this namespace. It has access only to its own params and steps; its returns are the result.",
		Example: "run: {action: \"dialog:open\", params: {trigger: \"${params.trigger}\"}}",
		Result:  []steps.Field{{Name: "…", Doc: "the returns of the action"}},
	}, func(ctx context.Context, env *steps.Env, a *runArgs) (steps.Result, error) {
		return env.Flow.Call(ctx, string(a.Action), a.Params)
	}),
	steps.Define(steps.Entry{
		Name: "fail", Group: steps.GroupFlow, Limit: steps.NoTime, Instead: inFile,
		Summary: "end the action with an error", Doc: "Mostly used with when. The code is STEP_FAILED unless code says otherwise.",
		Example: "{fail: \"no order ${params.id}\", when: \"${steps.found.count} == 0\"}",
	}, func(_ context.Context, _ *steps.Env, a *failArgs) (struct{}, error) {
		return struct{}{}, failed(a)
	}, steps.Sure(func(_ *expr.Scope, a *failArgs) error { return failed(a) })),
	steps.Define(steps.Entry{
		Name: "set", Group: steps.GroupFlow, Limit: steps.NoTime, Instead: inFile,
		Summary: "keep values for later steps",
		Doc:     "With output, the values are its fields. Without it, each value is available as steps.NAME.",
		Example: "set: {values: {first: \"${steps.orders.rows[0].id}\"}}",
		Result:  []steps.Field{{Name: "…", Doc: "the values under their names"}},
	}, func(_ context.Context, env *steps.Env, a *setArgs) (steps.Result, error) {
		env.Flow.Set(a.Values)
		return a.Values, nil
	}),
	steps.Define(steps.Entry{
		Name: "assert", Group: steps.GroupFlow, Limit: steps.NoTime, Instead: "use is, get or wait, which query the page",
		Summary: "fail unless a condition holds", Doc: "Checks once. For what the page shows only after a while, use wait or verify.",
		Example: "assert: {condition: \"${steps.total.text} != ''\", message: the total is empty}",
	}, func(ctx context.Context, env *steps.Env, a *assertArgs) (struct{}, error) {
		ok, err := env.Flow.Holds(ctx, a.Condition)
		return struct{}{}, asserted(a, ok, err)
	}, steps.Sure(func(s *expr.Scope, a *assertArgs) error {
		ok, err := a.Condition.Eval(s)
		return asserted(a, ok, err)
	})),
	steps.Define(steps.Entry{
		Name: "choose", Group: steps.GroupFlow, Limit: steps.NoTime, Cases: true, Instead: inFile,
		Summary: "run the steps of the first case that holds",
		Doc: "The cases are evaluated in order until one holds. If none does, `else` runs; without else the step is STEP_FAILED, with the condition of every case and the values that it refers to. `else: []` does nothing. " +
			"Outputs of the case that ran remain visible after it.",
		Example: "choose:\ncases:\n  - {when: \"${steps.kind.switch} > 0\", steps: [{click: \"role:switch\"}]}\n  - {when: \"${steps.kind.box} > 0\", steps: [{check: \"role:checkbox\"}]}",
		Result:  []steps.Field{{Name: "case", Doc: "the number of the case that ran, from 1; 0 for else"}},
	}, func(ctx context.Context, env *steps.Env, _ *noArgs) (steps.Result, error) {
		return env.Flow.Choose(ctx)
	}),
	steps.Define(steps.Entry{
		Name: "foreach", Group: steps.GroupFlow, Limit: steps.NoTime, Block: true, Instead: inFile,
		Summary: "run steps for each item of a list",
		Doc:     "${item}, or the name given by `as`, is the item; ${index} counts from 0. Outputs inside last for one iteration. A failed item fails the block.",
		Example: "{foreach: {items: \"${params.labels}\", as: label}, steps: [{check: \"label:${label}\"}]}",
	}, foreach, steps.Sure(func(_ *expr.Scope, a *foreachArgs) error {
		_, err := itemsOf(a.Items)
		return err
	})),
	steps.Define(steps.Entry{
		Name: "repeat", Group: steps.GroupFlow, Limit: steps.NoTime, Block: true, Instead: inFile,
		Summary: "run steps until a condition holds",
		Doc:     "The condition is evaluated after each iteration, with its outputs; if it does not hold after the last, the step is STEP_FAILED. Without until the steps run max times.",
		Example: "{repeat: {until: \"${steps.more.count} == 0\", max: 20}, steps: [{click: text:More}, {find: {text: More}, output: more}]}",
	}, repeat),
}

type runArgs struct {
	Action steps.ActionName `arg:"action,required,main" doc:"the action's name"`
	Params steps.Params     `arg:"params" doc:"its params"`
}

type failArgs struct {
	Message string   `arg:"message,required,main" doc:"what is wrong"`
	Hint    string   `arg:"hint" doc:"what to do next"`
	Code    failCode `arg:"code" default:"STEP_FAILED" doc:"code of the error"`
	List    *any     `arg:"list" doc:"texts, or rows of extract, to append to the message: each in quotes, or the word none"`
}

type setArgs struct {
	Values map[string]any `arg:"values,required" doc:"names and values"`
}

type assertArgs struct {
	Condition *expr.Condition `arg:"condition,required,main" doc:"what must hold"`
	Message   string          `arg:"message" doc:"what is wrong otherwise"`
}

type foreachArgs struct {
	Items any        `arg:"items,required,main" doc:"a list, or a map: its items are {key, value}, by key"`
	As    steps.Name `arg:"as" default:"item" doc:"name of the item"`
	By    []string   `arg:"by" doc:"sort them first by these fields, as numbers; an item without such a field comes last, equal items keep their order"`
	Max   *int       `arg:"max" doc:"use only this many items at the start; negative: omit this many at the end"`
	Keep  bool       `arg:"keep" doc:"what the iterations have set must still hold at the end: an iteration whose controls have changed runs once more, then the block fails"`
}

type repeatArgs struct {
	Until *expr.Condition `arg:"until" doc:"when to stop"`
	Max   int             `arg:"max" min:"1" default:"100" doc:"maximum number of iterations"`
	Delay time.Duration   `arg:"delay" default:"200ms" doc:"pause between iterations"`
}

type blockResult struct {
	Count int   `json:"count" doc:"number of iterations"`
	Items []any `json:"items" doc:"the outputs of each iteration"`
}

// failed returns the error of a `fail` step.
func failed(a *failArgs) error {
	msg := a.Message
	if a.List != nil {
		msg += " " + listed(*a.List)
	}
	hint := cmp.Or(a.Hint, "change the param, or the state of the page; `action describe` shows the steps of the action")
	return diag.New(diag.Code(a.Code), "%s", msg).WithHint("%s", hint)
}

// asserted returns the error of an `assert` step. ok and err are the result of its condition. If
// the condition holds, asserted returns nil.
func asserted(a *assertArgs, ok bool, err error) error {
	if err != nil || ok {
		return err
	}
	c, msg := a.Condition, a.Message
	if msg == "" {
		msg = "the condition does not hold: " + c.String()
	}
	return diag.New(diag.StepFailed, "%s", msg).
		WithDetail("condition", c.String()).
		WithHint("run the action with `action debug` to see the values that the condition uses")
}

func foreach(ctx context.Context, env *steps.Env, a *foreachArgs) (r blockResult, err error) {
	items, err := itemsOf(a.Items)
	if err != nil {
		return r, err
	}
	items = InOrder(items, a.By)
	if a.Max != nil {
		items = Front(items, *a.Max)
	}
	outputs := make([]any, len(items))
	body := func(i int) (err error) {
		outputs[i], err = env.Flow.Body(ctx, []expr.Local{{Name: string(a.As), Value: items[i]}, {Name: "index", Value: i}})
		return err
	}
	r = blockResult{len(outputs), outputs}
	if a.Keep && len(items) > 0 {
		return r, together(ctx, env, items, body)
	}
	for i := range items {
		if err := body(i); err != nil {
			return r, err
		}
	}
	return r, nil
}

// together runs body for each item. If the page then changes a control that an item has set, body
// runs once more for this item.
func together(ctx context.Context, env *steps.Env, items []any, body func(int) error) error {
	parts := make([][2]int, len(items)) // first and last part of the run, for each item
	set := func(i int) error {
		parts[i][0] = env.Page.Part()
		err := body(i)
		parts[i][1] = env.Page.Part() // nothing is set in this part
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
		if slices.ContainsFunc(lost, func(c driver.Reverted) bool { return isPart(parts[i], c.Part) }) {
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

// notKept returns the error for a control that has not kept its value. If the item has a key, the
// message contains the key.
func notKept(env *steps.Env, item any, c driver.Reverted) error {
	name := c.Desc
	if key, ok := field(item, "key").(string); ok {
		name = key + " (" + c.Desc + ")"
	}
	e := diag.New(diag.VerifyFailed, "%s did not keep its value: the page changed the value while other controls were set, or later", name).
		WithHint("set this control in a later step, when the other controls are set and the page has loaded").
		WithDetail("reason", "reverted").WithDetail("control", c.Desc)
	if !c.Secret && (env.Secret == nil || !env.Secret(c.Set, c.Holds)) {
		e.Msg = fmt.Sprintf("%s did not keep %q, but contains %q: the page changed the value while other controls were set, or later", name, c.Set, c.Holds)
		e.WithDetail("set", c.Set).WithDetail("holds", c.Holds)
	}
	return e
}

// itemsOf returns the items of a foreach in their original order.
func itemsOf(v any) ([]any, error) {
	items, ok := Items(v)
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "items is %s, expected a list or a map", steps.KindOf(v)).
			WithHint("pass a list, such as the rows of extract; or pass a map, whose items have the form {key, value}")
	}
	return items, nil
}

// InOrder returns a copy of items, sorted by the fields that the argument "by" lists. Items that
// are equal in the first field are sorted by the second field, and so on. An item without a field
// comes after the others. If no field is listed, InOrder returns items itself.
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

// compareField compares two items by one field. An item without the field comes last. Values that
// cannot be compared count as equal.
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

// Front returns the first n items. If n is negative, it returns all items but the last -n.
func Front(items []any, n int) []any {
	if n < 0 {
		n = max(len(items)+n, 0)
	}
	return items[:min(n, len(items))]
}

// Items returns the items of a list. For a map, it returns one item {key, value} for each entry,
// sorted by key. It returns false if v is neither a list nor a map.
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

func repeat(ctx context.Context, env *steps.Env, a *repeatArgs) (r blockResult, err error) {
	var outputs []any
	for i := range a.Max {
		if i > 0 {
			if err := env.Flow.Pause(ctx, a.Delay); err != nil {
				return r, err
			}
		}
		out, err := env.Flow.Body(ctx, []expr.Local{{Name: "index", Value: i}})
		if err != nil {
			return r, err
		}
		outputs = append(outputs, out)
		if a.Until == nil {
			continue
		}
		if ok, err := env.Flow.Holds(ctx, a.Until); err != nil {
			return r, err
		} else if ok {
			return blockResult{len(outputs), outputs}, nil
		}
	}
	if a.Until != nil {
		return r, diag.New(diag.StepFailed, "the condition %s was still false after %d iterations", a.Until, a.Max).
			WithHint("raise `max`, or use `action debug` to see what each iteration did")
	}
	return blockResult{len(outputs), outputs}, nil
}
