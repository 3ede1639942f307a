package spec

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

var actionKeys = []string{
	"description", "since", "deprecated", "deprecated_message", "internal", "alias_of", "params", "scope", "settle", "calm", "steps", "verify", "returns",
}

func (d *decoder) actions(n *Node) (map[string]*Action, []string) {
	if !d.isMap(n, "actions", "write for example: actions: {dialog:open: {steps: […]}}") {
		return nil, nil
	}
	out := make(map[string]*Action, len(n.Keys))
	order := make([]string, 0, len(n.Keys))
	for _, k := range n.Keys {
		out[k.Name] = d.action(k)
		order = append(order, k.Name)
	}
	return out, order
}

func (d *decoder) actionName(k Key) {
	if IsAction(k.Name) {
		return
	}
	e := d.errorf(k.Pos, "%s cannot name an action, expected component:verb", clip(k.Name))
	switch short := strings.TrimPrefix(k.Name, d.namespace+":"); {
	case short != k.Name && IsAction(short):
		e.WithHint("leave out the namespace: %s", short)
	case IsAction(strings.ToLower(strings.ReplaceAll(k.Name, "_", "-"))):
		e.WithHint("write %s", strings.ToLower(strings.ReplaceAll(k.Name, "_", "-")))
	default:
		e.WithHint("write for example dialog:open; each part is %s", namespaceForm)
	}
}

func (d *decoder) action(key Key) *Action {
	d.actionName(key)
	a := &Action{Namespace: d.namespace, Name: key.Name, Pos: key.Pos, Source: d.source}
	if !d.isMap(key.Value, "the action "+key.Name, "write its steps: {steps: […]}") {
		return a
	}
	for _, k := range key.Value.Keys {
		switch k.Name {
		case "description":
			a.Description = d.text(k.Value, k.Name).value()
		case "since":
			a.Since = d.version(k.Value, k.Name).value()
		case "deprecated":
			a.Deprecated = d.boolean(k.Value, k.Name)
		case "deprecated_message":
			a.DeprecatedMessage = d.text(k.Value, k.Name).value()
		case "internal":
			a.Internal = d.boolean(k.Value, k.Name)
		case "alias_of":
			a.AliasOf = d.text(k.Value, k.Name)
		case "params":
			a.Params = d.params(k.Value)
		case "scope":
			a.Scope = d.text(k.Value, k.Name)
		case "settle":
			a.Settle = d.settle(k.Value)
		case "calm":
			a.Calm = d.boolean(k.Value, k.Name)
		case "steps":
			a.Steps = d.steps(k.Value, "steps")
		case "verify":
			a.Verify = d.verify(k.Value)
		case "returns":
			a.Returns = d.returns(k.Value)
		default:
			d.unknown(k, "the action "+key.Name, actionKeys)
		}
	}
	a.Parts = parts(key.Value)
	return a
}

// parts records the position of each key of an action. Params are recorded one by one,
// because layers merge them so.
func parts(n *Node) map[string]diag.Pos {
	out := make(map[string]diag.Pos, len(n.Keys))
	for _, k := range n.Keys {
		out[k.Name] = k.Pos
		if k.Name == "params" && k.Value.Kind == Map {
			delete(out, "params")
			for _, p := range k.Value.Keys {
				if !IsUse(p) {
					out["params."+p.Name] = p.Pos
				}
			}
		}
	}
	return out
}

func (d *decoder) returns(n *Node) *Node {
	if !d.isMap(n, "returns", `write for example: returns: {text: "${steps.modal.text}"}`) {
		return nil
	}
	return n
}

func (d *decoder) verify(n *Node) []*Check {
	if !d.isList(n, "verify", "write a list: - {condition: …, message: …}") {
		return nil
	}
	out := make([]*Check, 0, len(n.Items))
	for _, item := range n.Items {
		if c := d.check(item); c != nil {
			out = append(out, c)
		}
	}
	return out
}

var checkKeys = slices.Concat([]string{"condition"}, checkArgs, []string{"message", "require_change"})

var checkArgs = []string{"selector", "state", "text", "url"}

// CheckArgs are the keys of an entry of verify that are arguments of the step that it waits
// with.
func CheckArgs() []string { return slices.Clone(checkArgs) }

func (d *decoder) check(n *Node) *Check {
	if !d.isMap(n, "an entry of verify", "write {condition: …, message: …} or {selector: …, state: visible, message: …}") {
		return nil
	}
	c := &Check{Pos: n.Pos}
	var wait []Key
	var change *Key
	for i, k := range n.Keys {
		switch k.Name {
		case "condition":
			c.Condition = d.condition(k.Value, k.Name)
		case "message":
			c.Message = d.text(k.Value, k.Name)
		case "require_change":
			c.RequireChange, change = d.boolean(k.Value, k.Name), &n.Keys[i]
			c.OnlyAfter = !c.RequireChange
		default:
			if slices.Contains(checkArgs, k.Name) {
				wait = append(wait, k)
			} else {
				d.unknown(k, "an entry of verify", checkKeys)
			}
		}
	}
	if len(wait) > 0 {
		c.Wait = &Node{Kind: Map, Pos: n.Pos, Keys: wait}
	}
	switch condition := n.Get("condition"); {
	case condition == nil && len(wait) == 0:
		d.errorf(n.Pos, "an entry of verify says nothing to check").
			WithHint("add condition, or selector with state, or text, or url")
	case condition != nil && len(wait) > 0:
		d.errorf(wait[0].Pos, "an entry of verify has condition and %s, expected one of them", wait[0].Name).
			WithHint("write two entries")
	case condition != nil && c.RequireChange:
		d.errorf(change.Pos, "require_change needs selector, text or url: a condition is not looked at before the run").
			WithHint("write selector, text or url instead of condition, or drop require_change")
	}
	return c
}

// stepKeys are in the order of the canonical form. The first two are the long form of a step.
var stepKeys = []string{
	"action", "args", "description", "when", "scope", "output", "timeout", "busy", "settle", "calm", "expect", "retry", "retry_delay", "on_error", "steps", "cases", "else", "fallback",
}

// StepKeys returns the keys of a step in the order of the canonical form: action and args,
// which the step's own name stands for in the short form, then those beside the step.
func StepKeys() []string { return slices.Clone(stepKeys) }

// BesideStep returns the keys that stand beside a step, not among its arguments.
func BesideStep() []string { return slices.Clone(stepKeys[2:]) }

func (d *decoder) steps(n *Node, path string) []*Step {
	if !d.isList(n, path, "write a list of steps: - action: click") {
		return nil
	}
	out := make([]*Step, 0, len(n.Items))
	for i, item := range n.Items {
		out = append(out, d.step(item, fmt.Sprintf("%s[%d]", path, i)))
	}
	return out
}

func (d *decoder) step(n *Node, path string) *Step {
	s := &Step{Pos: n.Pos, Path: path}
	if !d.isMap(n, path, "write for example: - click: \"text:Save\"") {
		return s
	}
	short := ShortForm(n, d.main)
	for i, k := range n.Keys {
		if i == short {
			d.short(s, k)
			continue
		}
		switch k.Name {
		case "action":
			if t := d.text(k.Value, k.Name); t != nil {
				s.Action = *t
			}
		case "args":
			if d.isMap(k.Value, k.Name, "write for example: args: {selector: \"text:Save\"}") {
				s.Args = k.Value
			}
		case "when":
			s.When = d.condition(k.Value, k.Name)
		case "scope":
			s.Scope = d.text(k.Value, k.Name)
		case "output":
			s.Output = d.output(k.Value)
		case "timeout":
			if t := d.duration(k.Value, k.Name); t != nil && *t == 0 {
				d.errorf(k.Value.Pos, "timeout is 0, expected more").WithHint("leave it out for the default")
			} else {
				s.Timeout = t
			}
		case "busy":
			s.IgnoresBusy = d.oneOf(k.Value, k.Name, []string{"ignore"}) != ""
		case "settle":
			s.Settle = d.settle(k.Value)
		case "calm":
			calm := d.boolean(k.Value, k.Name)
			s.Calm = &calm
		case "expect":
			if d.oneOf(k.Value, k.Name, Effects()) != "" {
				s.Expect = &Text{Value: k.Value.Str, Node: k.Value}
			}
		case "retry", "retry_delay":
		case "on_error":
			s.OnError = OnError(d.oneOf(k.Value, k.Name, []string{string(Abort), string(Continue)}))
			if s.OnError == "" && k.Value.Str == "fallback" {
				d.problems[len(d.problems)-1].WithHint("write the steps themselves: fallback: […]; on_error says what follows if they fail too")
			}
		case "fallback":
			s.Fallback = d.steps(k.Value, path+".fallback")
		case "steps":
			s.Steps = d.steps(k.Value, path+".steps")
		case "cases":
			s.Cases = d.cases(k.Value, path+".cases")
		case "else":
			s.Else = d.steps(k.Value, path+".else")
		case "description":
			s.Description = d.text(k.Value, k.Name).value()
		default:
			switch e := d.unknown(k, "a step", stepKeys); {
			case keyInstead[k.Name] != "":
				e.WithHint("write %s", keyInstead[k.Name])
			case diag.Nearest(k.Name, stepKeys) != "":
			case short >= 0:
				e.WithHint("the step is %s already: its own values stand under it, another step is another entry of the list; beside it: %s", exampleOf(n.Keys[short].Name), strings.Join(stepKeys[2:], ", "))
			default:
				e.WithHint("a step's own values stand under args; beside it: %s", strings.Join(stepKeys, ", "))
			}
		}
	}
	if n.Get("action") == nil && short < 0 {
		d.errorf(n.Pos, "%s has no action", path).WithHint("write for example: - click: \"text:Save\"")
	}
	s.Retry = d.retry(n)
	return s
}

// keyInstead are keys of other tools, with ours.
var keyInstead = map[string]string{
	"if": "when: a condition", "unless": "when: with ! before the condition", "with": "args, or the short form: the step's name and its arguments",
	"params": "args; for an action that is run: {run: {action: …, params: {…}}}", "name": "description", "id": "output", "register": "output", "loop": "a step foreach",
	"continue_on_error": "on_error: continue", "ignore_errors": "on_error: continue", "retries": "retry", "then": "a step choose with cases",
}

// ShortForm returns the index of the key that is the step itself, as in `- click: text:Save`,
// or -1 for the long form and where there is none. It is the first key that names a step,
// otherwise the first that is none of [StepKeys].
func ShortForm(n *Node, main MainArg) int {
	if n.Get("action") != nil {
		return -1
	}
	other := func(k Key) bool { return !slices.Contains(stepKeys, k.Name) }
	i := slices.IndexFunc(n.Keys, func(k Key) bool {
		_, known := main(k.Name)
		return known && other(k)
	})
	if i < 0 {
		i = slices.IndexFunc(n.Keys, other)
	}
	return i
}

// short reads the step from the key of its short form.
func (d *decoder) short(s *Step, k Key) {
	s.Action = Text{Value: k.Name, Node: &Node{Kind: String, Pos: k.Pos, Str: k.Name, Raw: k.Name}}
	switch k.Value.Kind {
	case Map:
		s.Args = k.Value
	case Null: // without arguments, such as `- reload:`
	default:
		main, known := d.main(k.Name)
		if !known {
			return // the compiler says so
		}
		if main == "" {
			e := d.errorf(k.Value.Pos, "%s is given as %s, expected a map of its arguments", clip(k.Name), k.Value.Kind).
				WithHint("write the arguments by name: {%s: {…: …}}; docs/steps.md lists them", exampleOf(k.Name))
			if k.Name == "choose" {
				e.WithHint("write the cases beside it: {choose: , cases: [{when: …, steps: […]}]}")
			}
			return
		}
		s.Args = &Node{Kind: Map, Pos: k.Value.Pos, Keys: []Key{{Name: main, Pos: k.Value.Pos, Value: k.Value}}}
	}
}

var caseKeys = []string{"when", "steps", "description"}

func (d *decoder) cases(n *Node, path string) []*Case {
	if !d.isList(n, path, "write a list of cases: - {when: …, steps: […]}") {
		return nil
	}
	out := make([]*Case, 0, len(n.Items))
	for i, item := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		c := &Case{Pos: item.Pos}
		if !d.isMap(item, at, "write {when: …, steps: […]}") {
			continue
		}
		for _, k := range item.Keys {
			switch k.Name {
			case "when":
				c.When = d.condition(k.Value, k.Name)
			case "steps":
				c.Steps = d.steps(k.Value, at+".steps")
			case "description":
				c.Description = d.text(k.Value, k.Name).value()
			default:
				d.unknown(k, "a case", caseKeys)
			}
		}
		if item.Get("when") == nil {
			d.errorf(item.Pos, "%s has no when", at).WithHint("add when: a condition; what is done if no case holds stands in else, beside cases")
		}
		if item.Get("steps") == nil {
			d.errorf(item.Pos, "%s has no steps", at).WithHint("add steps: the list to run, [] to do nothing")
		}
		out = append(out, c)
	}
	return out
}

// exampleOf returns name if it can be an action's: a key in the place of a step's action
// probably is one.
func exampleOf(name string) string {
	if len(name) > 60 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-:") != "" {
		return "click"
	}
	return name
}

func (d *decoder) output(n *Node) *Text {
	t := d.text(n, "output")
	if t != nil && !IsName(t.Value) {
		d.badName(n.Pos, "an output", t.Value, nameForm)
	}
	return t
}

func (d *decoder) duration(n *Node, what string) *time.Duration {
	t, err := DurationOf(n)
	if err != nil {
		err.Msg = what + ": " + err.Msg
		d.problems.Add(err)
		return nil
	}
	return &t
}

// maxRetry bounds the extra attempts of a step: more of them probably mean a wait.
const maxRetry = 100

// retry reads `retry` in both forms, and `retry_delay`.
func (d *decoder) retry(step *Node) Retry {
	r := Retry{Delay: DefaultRetryDelay}
	n, delay := step.Get("retry"), step.Get("retry_delay")
	switch {
	case n == nil:
	case n.Kind == Map:
		d.retryMap(n, &r, &delay)
	default:
		r.Times, _ = d.integer(n, "retry", 0, maxRetry)
	}
	if delay == nil {
		return r
	}
	if n == nil {
		d.errorf(delay.Pos, "retry_delay has no effect without retry").WithHint("add retry: 1")
	}
	if t := d.duration(delay, "retry_delay"); t != nil {
		r.Delay = *t
	}
	return r
}

func (d *decoder) retryMap(n *Node, r *Retry, delay **Node) {
	if n.Get("times") == nil {
		d.errorf(n.Pos, "retry has no times").WithHint("write for example: {times: 2, delay: 500ms, on: [TIMEOUT]}")
	}
	for _, k := range n.Keys {
		switch k.Name {
		case "times":
			r.Times, _ = d.integer(k.Value, "times", 0, maxRetry)
		case "delay":
			if *delay != nil {
				d.errorf((*delay).Pos, "the delay is written twice").WithNote(k.Pos, "first here").WithHint("keep delay")
			}
			*delay = k.Value
		case "on":
			r.On = d.codes(k.Value)
		default:
			d.unknown(k, "retry", []string{"times", "delay", "on"})
		}
	}
}

func (d *decoder) codes(n *Node) []diag.Code {
	var known []string
	for _, c := range diag.Codes() {
		known = append(known, string(c))
	}
	out := []diag.Code{} // an empty list retries on nothing; nil would mean any code
	for _, t := range d.texts(n, "on") {
		if !diag.Code(t.Value).Known() {
			e := d.errorf(t.Pos(), "%s is no error code", clip(t.Value))
			if e.Hint = diag.DidYouMean(t.Value, known); e.Hint == "" {
				e.WithHint("write for example ELEMENT_NOT_FOUND or TIMEOUT")
			}
			continue
		}
		out = append(out, diag.Code(t.Value))
	}
	return out
}

// value returns the string, or "" for a text that could not be read.
func (t *Text) value() string {
	if t == nil {
		return ""
	}
	return t.Value
}
