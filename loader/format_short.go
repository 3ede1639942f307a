package loader

// The short form of steps, which `action fmt` writes, and the long form, in which a file is
// compared before and after formatting.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// longForm returns a copy of a file's tree with every step in the long form.
func longForm(root *spec.Node) *spec.Node {
	var walk func(n *spec.Node, isSteps bool) *spec.Node
	walk = func(n *spec.Node, isSteps bool) *spec.Node {
		if n == nil {
			return nil
		}
		out := *n
		out.Items, out.Keys = nil, nil
		for _, item := range n.Items {
			if isSteps && item.Kind == spec.Map {
				item = longStep(item)
			}
			out.Items = append(out.Items, walk(item, false))
		}
		for _, k := range n.Keys {
			k.Value = walk(k.Value, isStepList(k.Name, k.Value))
			out.Keys = append(out.Keys, k)
		}
		return &out
	}
	return walk(root, false)
}

func isStepList(key string, n *spec.Node) bool {
	return n != nil && n.Kind == spec.List && (key == "steps" || key == "fallback" || key == "else")
}

// longStep returns a step in the long form, with its keys in the canonical order.
func longStep(n *spec.Node) *spec.Node {
	out := &spec.Node{Kind: spec.Map, Pos: n.Pos}
	short := spec.ShortForm(n, catalogue.MainArg)
	for i, k := range n.Keys {
		switch {
		case i != short:
			if k.Name != "args" || k.Value.Kind != spec.Map || len(k.Value.Keys) > 0 {
				out.Keys = append(out.Keys, k)
			}
			continue
		case k.Value.Kind == spec.Map && len(k.Value.Keys) > 0:
			out.Keys = append(out.Keys, spec.Key{Name: "args", Value: k.Value})
		case k.Value.Kind != spec.Null && k.Value.Kind != spec.Map:
			main, _ := catalogue.MainArg(k.Name)
			out.Keys = append(out.Keys, spec.Key{Name: "args", Value: &spec.Node{Kind: spec.Map, Keys: []spec.Key{{Name: main, Value: k.Value}}}})
		}
		out.Keys = append(out.Keys, spec.Key{Name: "action", Value: &spec.Node{Kind: spec.String, Str: k.Name, Raw: k.Name}})
	}
	slices.SortStableFunc(out.Keys, func(a, b spec.Key) int { return stepOrder(a.Name) - stepOrder(b.Name) })
	return out
}

func stepOrder(key string) int {
	// The step itself, in the short form, is none of these keys: it comes first.
	return max(slices.Index(spec.StepKeys(), key), 0)
}

func (p *piece) get(key string) *piece {
	for _, e := range p.entries {
		if e.key != nil && e.key.name == key {
			return e.value
		}
	}
	return nil
}

// shortenFile writes the steps of a file in their short form.
func shortenFile(root *piece) {
	shortenActions(root.get("actions"))
	if c := root.get("compatibility"); c != nil {
		if overrides := c.get("version_overrides"); overrides != nil {
			for _, e := range overrides.entries {
				shortenActions(e.value.get("actions"))
			}
		}
	}
}

func shortenActions(actions *piece) {
	if actions == nil {
		return
	}
	for _, e := range actions.entries {
		shortenSteps(e.value.get("steps"))
	}
}

func shortenSteps(list *piece) {
	if list == nil || list.kind != spec.List {
		return
	}
	for i := range list.entries {
		step := list.entries[i].value
		if step.kind != spec.Map {
			continue
		}
		shortenStep(step)
		for _, key := range []string{"steps", "fallback", "else"} {
			shortenSteps(step.get(key))
		}
		if cases := step.get("cases"); cases != nil {
			for _, one := range cases.entries {
				shortenSteps(one.value.get("steps"))
			}
		}
		step.alone = len(step.entries) == 1
	}
}

// shortenStep writes a step in its short form. The name of the step and its arguments come first,
// followed by the other keys in order.
func shortenStep(step *piece) {
	action, args := -1, -1
	for i, e := range step.entries {
		switch e.key.name {
		case "action":
			if _, known := catalogue.MainArg(e.value.name); known {
				action = i
			}
		case "args":
			args = i
		}
	}
	if action >= 0 {
		e := step.entries[action]
		short := formEntry{head: e.head, tail: e.tail, key: &piece{kind: spec.String, name: e.value.name, text: []string{e.value.name}}, value: &piece{kind: spec.Null}}
		if args >= 0 {
			a := step.entries[args]
			short.head = append(short.head, withoutGaps(a.head)...)
			if short.tail == "" {
				short.tail = a.tail
			} else if a.tail != "" {
				short.head = append(short.head, a.tail)
			}
			short.value = mainOf(e.value.name, a.value, &short)
		}
		step.entries[action] = short
		if args >= 0 {
			step.entries = slices.Delete(step.entries, args, args+1)
		}
	}
	var gap []string
	if len(step.entries) > 0 {
		gap = step.entries[0].head
		step.entries[0].head = nil
	}
	slices.SortStableFunc(step.entries, func(a, b formEntry) int { return stepOrder(a.key.name) - stepOrder(b.key.name) })
	for i := range step.entries {
		step.entries[i].head = withoutGaps(step.entries[i].head)
	}
	if len(step.entries) > 0 {
		step.entries[0].head = append(gap, step.entries[0].head...)
	}
}

func withoutGaps(head []string) []string {
	return slices.DeleteFunc(slices.Clone(head), func(s string) bool { return s == "" })
}

// mainOf returns the arguments of a step in its short form. If the step has only its main argument,
// mainOf returns the value of this argument.
func mainOf(step string, args *piece, short *formEntry) *piece {
	if len(args.entries) == 0 {
		return &piece{kind: spec.Null}
	}
	main, _ := catalogue.MainArg(step)
	e := args.entries[0]
	if len(args.entries) > 1 || e.key.name != main || e.value.kind == spec.Map || e.value.kind == spec.Null || len(args.foot) > 0 {
		return args
	}
	short.head = append(short.head, withoutGaps(e.head)...)
	if e.tail != "" && short.tail != "" {
		short.head = append(short.head, e.tail)
	} else if e.tail != "" {
		short.tail = e.tail
	}
	return e.value.inBlock()
}

// inBlock returns a scalar in a form that is valid outside of braces. It quotes a plain text that
// ends with a colon, because YAML would read the text as a key.
func (p *piece) inBlock() *piece {
	if p.kind != spec.String || len(p.text) != 1 || !strings.HasSuffix(p.text[0], ":") {
		return p
	}
	quoted := *p
	quoted.text = []string{diag.JSONText(p.name)}
	return &quoted
}
