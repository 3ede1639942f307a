package spec

import (
	"fmt"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

var actionKeys = []string{
	"description", "since", "deprecated", "deprecated_message", "internal", "alias_of", "params", "steps", "verify", "returns",
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
				out["params."+p.Name] = p.Pos
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

var checkKeys = []string{"condition", "selector", "state", "text", "url", "message", "require_change"}

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
		case "selector", "state", "text", "url":
			wait = append(wait, k)
		case "message":
			c.Message = d.text(k.Value, k.Name)
		case "require_change":
			c.RequireChange, change = d.boolean(k.Value, k.Name), &n.Keys[i]
			c.OnlyAfter = !c.RequireChange
		default:
			d.unknown(k, "an entry of verify", checkKeys)
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

var stepKeys = []string{
	"action", "args", "when", "output", "timeout", "retry", "retry_delay", "on_error", "fallback", "steps", "description",
}

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
	if !d.isMap(n, path, "write for example: - action: click") {
		return s
	}
	for _, k := range n.Keys {
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
		case "output":
			s.Output = d.output(k.Value)
		case "timeout":
			if t := d.duration(k.Value, k.Name); t != nil && *t == 0 {
				d.errorf(k.Value.Pos, "timeout is 0, expected more").WithHint("leave it out for the default")
			} else {
				s.Timeout = t
			}
		case "retry", "retry_delay":
		case "on_error":
			s.OnError = OnError(d.oneOf(k.Value, k.Name, []string{string(Abort), string(Continue)}))
		case "fallback":
			s.Fallback = d.steps(k.Value, path+".fallback")
		case "steps":
			s.Steps = d.steps(k.Value, path+".steps")
		case "description":
			s.Description = d.text(k.Value, k.Name).value()
		default:
			switch e := d.unknown(k, "a step", stepKeys); {
			case diag.Nearest(k.Name, stepKeys) != "":
			case n.Get("action") == nil:
				e.WithHint("a step names its action: {action: %s, args: {…}}", exampleOf(k.Name))
			default:
				e.WithHint("a step's own values stand under args; beside it: %s", strings.Join(stepKeys, ", "))
			}
		}
	}
	if n.Get("action") == nil {
		d.errorf(n.Pos, "%s has no action", path).WithHint("write for example: - action: click")
	}
	s.Retry = d.retry(n)
	return s
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
