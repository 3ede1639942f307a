package spec

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

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
	for i := range n.Keys {
		switch k := &n.Keys[i]; {
		case i == short:
			d.short(s, *k)
		case !stepTable.decodeKey(d, s, k):
			d.unknownInStep(n, k, short)
		}
	}
	if n.Get(KeyAction) == nil && short < 0 {
		d.errorf(n.Pos, "%s has no action", path).WithHint("write for example: - click: \"text:Save\"")
	}
	s.Retry = d.retry(n)
	return s
}

// unknownInStep reports an unknown key of a step. short is the result of [ShortForm].
func (d *decoder) unknownInStep(n *Node, k *Key, short int) {
	switch e := stepTable.unknown(d, k, ""); {
	case keyInstead[k.Name] != "":
		e.WithHint("write %s", keyInstead[k.Name])
	case diag.Nearest(k.Name, stepTable.names) != "":
	case short >= 0:
		e.WithHint("indent the arguments below %[1]s; write another step as its own entry of the list; only these keys may be beside %[1]s: %s",
			exampleOf(n.Keys[short].Name), strings.Join(besideStep(), ", "))
	default:
		e.WithHint("write the arguments of the step under `args`; a step may have these keys: %s", strings.Join(stepTable.names, ", "))
	}
}

// ShortForm returns the index of the key that is the name of the step, as in `- click: text:Save`.
// It returns the first key that main knows. If there is none, it returns the first key that is not
// in [StepKeys]. For a step in the long form, with the key `action`, it returns -1.
func ShortForm(n *Node, main MainArg) int {
	if n.Get(KeyAction) != nil {
		return -1
	}
	other := func(k Key) bool { return !slices.Contains(stepTable.names, k.Name) }
	i := slices.IndexFunc(n.Keys, func(k Key) bool {
		_, known := main(k.Name)
		return known && other(k)
	})
	if i < 0 {
		i = slices.IndexFunc(n.Keys, other)
	}
	return i
}

// short reads the name and the arguments of a step in the short form. k is the key with the name.
func (d *decoder) short(s *Step, k Key) {
	s.Action = Text{Value: k.Name, Node: &Node{Kind: String, Pos: k.Pos, Str: k.Name, Raw: k.Name}}
	switch k.Value.Kind {
	case Map:
		s.Args = k.Value
	case Null: // without arguments, such as `- reload:`
	default:
		main, known := d.main(k.Name)
		if !known {
			return // the compiler reports it
		}
		if main == "" {
			e := d.errorf(k.Value.Pos, "%s is %s, expected a map of its arguments", clip(k.Name), k.Value.Kind).
				WithHint("write the arguments by name: {%s: {…: …}}; docs/steps.md lists them", exampleOf(k.Name))
			if k.Name == "choose" {
				e.WithHint("write `cases` beside `choose`: {choose: , cases: [{when: …, steps: […]}]}")
			}
			return
		}
		s.Args = &Node{Kind: Map, Pos: k.Value.Pos, Keys: []Key{{Name: main, Pos: k.Value.Pos, Value: k.Value}}}
	}
}

func (d *decoder) cases(n *Node, path string) []*Case {
	if !d.isList(n, path, "write a list of cases: - {when: …, steps: […]}") {
		return nil
	}
	out := make([]*Case, 0, len(n.Items))
	for i, item := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if !d.isMap(item, at, "write {when: …, steps: […]}") {
			continue
		}
		c := &Case{Pos: item.Pos}
		caseTable.decode(d, item, &caseEntry{Case: c, path: at}, "")
		if item.Get(KeyWhen) == nil {
			d.errorf(item.Pos, "%s has no `when`", at).WithHint("add `when` with a condition; steps for all other cases belong in `else`, beside `cases`")
		}
		if item.Get(KeySteps) == nil {
			d.errorf(item.Pos, "%s has no steps", at).WithHint("add `steps` with the list to run, or with [] to do nothing")
		}
		out = append(out, c)
	}
	return out
}

// exampleOf returns name if it can be the name of a step, and otherwise "click".
func exampleOf(name string) string {
	if len(name) > 60 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-:") != "" {
		return "click"
	}
	return name
}

func (d *decoder) output(k *Key) *Text {
	t := d.text(k.Value, k.Name)
	if t != nil && !IsName(t.Value) {
		d.badName(k.Value.Pos, "an output", t.Value, nameForm)
	}
	return t
}

func (d *decoder) timeout(k *Key) *time.Duration {
	t := d.duration(k.Value, k.Name)
	if t != nil && *t == 0 {
		d.errorf(k.Value.Pos, "timeout is 0, expected more than 0").WithHint("write a longer timeout, or omit timeout for the default")
		return nil
	}
	return t
}

func (d *decoder) onError(k *Key) OnError {
	value := OnError(d.oneOf(k.Value, k.Name, onErrorValues))
	if value == "" && k.Value.Str == KeyFallback {
		d.problems[len(d.problems)-1].WithHint("write the steps under `fallback: […]`; `on_error` says what happens if those steps fail too")
	}
	return value
}

// retry reads `retry`, which is a number or a map, and `retry_delay`.
func (d *decoder) retry(step *Node) Retry {
	r := Retry{Delay: DefaultRetryDelay}
	n, delay := step.Get(KeyRetry), step.Get(KeyRetryDelay)
	switch {
	case n == nil:
	case n.Kind == Map:
		r, delay = d.retryMap(n, r, delay)
	default:
		r.Times, _ = d.integer(n, KeyRetry, 0, maxRetry)
	}
	if delay == nil {
		return r
	}
	if n == nil {
		d.errorf(delay.Pos, "retry_delay has no effect without retry").WithHint("add retry: 1, or remove retry_delay")
	}
	if t := d.duration(delay, KeyRetryDelay); t != nil {
		r.Delay = *t
	}
	return r
}

// retryMap reads a `retry` that is a map.
func (d *decoder) retryMap(n *Node, r Retry, delay *Node) (Retry, *Node) {
	if n.Get(KeyTimes) == nil {
		d.errorf(n.Pos, "retry has no `times`").WithHint("write for example: {times: 2, delay: 500ms, on: [TIMEOUT]}")
	}
	e := retryEntry{Retry: r, delay: delay}
	retryTable.decode(d, n, &e, "")
	return e.Retry, e.delay
}

func (d *decoder) codes(k *Key) []diag.Code {
	out := []diag.Code{} // an empty list retries on nothing; nil would mean any code
	for _, t := range d.texts(k.Value, k.Name) {
		if !diag.Code(t.Value).Known() {
			e := d.errorf(t.Pos(), "found %s, expected an error code", clip(t.Value))
			if e.Hint = diag.DidYouMean(t.Value, errorCodes()); e.Hint == "" {
				e.WithHint("write for example ELEMENT_NOT_FOUND or TIMEOUT")
			}
			continue
		}
		out = append(out, diag.Code(t.Value))
	}
	return out
}

func errorCodes() []string {
	var out []string
	for _, c := range diag.Codes() {
		out = append(out, string(c))
	}
	return out
}

func besideStep() []string { return stepTable.names[2:] }
