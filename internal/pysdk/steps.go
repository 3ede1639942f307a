package pysdk

// The methods of sessions: one for each step, and one for each alias.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// UnprintedSteps holds the steps for which the SDK has no method, each with the reason why. Steps
// that can only be used in a file are not listed.
var UnprintedSteps = map[string]string{"handoff": "handoff and handoff_and_wait of a session do the same"}

// argTypes holds the Python types of arguments. The Python type of all other arguments is str.
var argTypes = map[steps.ArgType]string{
	steps.ArgInteger:   "int",
	steps.ArgNumber:    "float",
	steps.ArgBoolean:   "bool",
	steps.ArgDuration:  "Duration",
	steps.ArgTextList:  "Texts",
	steps.ArgTextMap:   "Mapping[str, str]",
	steps.ArgValue:     "Any",
	steps.ArgValueMap:  "Mapping[str, Any]",
	steps.ArgPairs:     "Pairs",
	steps.ArgPoint:     "Point",
	steps.ArgPlace:     "Place",
	steps.ArgFields:    "Mapping[str, Any]",
	steps.ArgSelectors: "Mapping[str, Any]",
	steps.ArgAttrs:     "Mapping[str, Any]",
	steps.ArgRows:      "Mapping[str, Any]",
}

// stepClasses prints the methods of all steps.
func stepClasses(m *models, s style) string {
	var body strings.Builder
	var used []string
	for _, e := range catalogue.Entries() {
		if e.Instead != "" || UnprintedSteps[e.Name] != "" {
			continue
		}
		result := stepResult(m, e)
		used = append(used, result)
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			text, values := stepMethod(m, s, e, name, result)
			body.WriteString("\n" + text)
			used = append(used, values...)
		}
	}
	slices.Sort(used)
	var b strings.Builder
	fmt.Fprintf(&b, head, "The steps as methods of "+s.module+" sessions.")
	b.WriteString("from typing import Any, Mapping, Optional, overload\n\nfrom ._base import Duration, Pairs, Place, Point, Texts, pairs\n")
	fmt.Fprintf(&b, "from ._calls import %sSteps\nfrom .models import (\n", s.prefix)
	for _, name := range slices.Compact(used) {
		fmt.Fprintf(&b, "    %s,\n", name)
	}
	fmt.Fprintf(&b, ")\n\n\nclass %sStepMethods(%[1]sSteps):\n    \"\"\"The steps of the catalogue.\"\"\"\n", s.prefix)
	b.WriteString(body.String())
	return b.String()
}

// stepResult returns the class of a step's result.
func stepResult(m *models, e *steps.Entry) string {
	name := className(e.Name) + "Result"
	if m.done[name] != nil {
		return name
	}
	c := &model{name: name, base: "StepData", doc: "The result of the step " + e.Name + "."}
	for _, f := range e.Result {
		if strings.ContainsAny(f.Name, " …") {
			c.doc = "The result of the step " + e.Name + ": its values are in `raw`, or `result[\"name\"]`."
			c.fields = nil
			break
		}
		c.fields = append(c.fields, m.field(f.Name, f.Type, f.Doc, len(e.Verbs) > 0))
	}
	m.done[name] = c
	m.list = append(m.list, c)
	return name
}

// stepMethod prints the method for one of a step's names: its own name or an alias. The result
// "used" lists the Literal types in the method.
func stepMethod(m *models, s style, e *steps.Entry, name, result string) (text string, used []string) {
	alias := ""
	if name != e.Name {
		alias = name
	}
	hand := e.InPlace(alias)
	if len(hand) == 0 { // what is required needs no name
		for i := range e.Args {
			if e.Args[i].Required {
				hand = append(hand, e.Args[i].Name)
			}
		}
	}
	docs := section{title: "Args"}
	var params, byRef []parameter
	var sent []string
	for _, arg := range ordered(e, hand, alias) {
		p := parameter{name: pythonName(arg.Name), typ: argType(m, e, arg)}
		if arg.Type == steps.ArgEnum {
			used = append(used, p.typ)
		}
		position := slices.Index(hand, arg.Name)
		required := arg.Required || alias != "" && position == 0
		p.keyword = position < 0
		ref := p
		if arg.Name == steps.SelectorArg && required {
			required = false
		} else {
			byRef = append(byRef, ref)
		}
		if !required {
			p.typ, p.def = optional(p.typ), "None"
			if arg.Name != steps.SelectorArg || !arg.Required {
				byRef = setLast(byRef, p)
			}
		}
		params = append(params, p)
		docs.add(p.name, argDoc(e, arg))
		value := p.name
		if arg.Type == steps.ArgPairs {
			value = "pairs(" + value + ")" // an object would lose its order
		}
		sent = append(sent, fmt.Sprintf("%s: %s", quoted(arg.Name), value))
	}
	return stepText(s, e, name, result, params, byRef, sent, docs), used
}

// stepText prints the method of a step. Its parameters are params, or byRef if a call has a ref
// instead of a selector. The argument "sent" lists the fields of the request, as Python source.
func stepText(s style, e *steps.Entry, name, result string, params, byRef []parameter, sent []string, docs section) string {
	alias := ""
	if name != e.Name {
		alias = name
	}
	refs := slices.ContainsFunc(params, func(p parameter) bool { return p.name == steps.SelectorArg })
	tail := parameter{name: "timeout", typ: "Optional[float]", def: "None", keyword: true}
	refID := parameter{name: "ref_id", typ: "Optional[str]", def: "None", keyword: true}
	if refs {
		docs.add("ref_id", "instead of a selector: a ref of a snapshot, such as `snap_ab12cd:e5` or `e5`")
	}
	docs.add("timeout", "seconds that the server gives the step, without the time that people take; default: the configured limit")
	var b strings.Builder
	method := pythonName(name)
	first := firstDefault(params)
	late := first >= 0 && slices.ContainsFunc(params[first:], func(p parameter) bool { return p.def == "" && !p.keyword })
	switch {
	case late && params[first].name != steps.SelectorArg: // Python has no positional parameter without a default after one with it
		for i := first; i < len(params); i++ {
			params[i].keyword = true
		}
	case late:
		b.WriteString(overloads(s, method, params, byRef, tail, result, e.Arg(steps.SelectorArg).Required))
		for i := first; i < len(params); i++ {
			if params[i].def == "" && !params[i].keyword {
				params[i].typ, params[i].def = optional(params[i].typ), "None"
			}
		}
	}
	if refs {
		params = append(params, refID)
	}
	params = append(params, tail)
	b.WriteString(signature(s, "    ", method, params, result))
	b.WriteString(stepDoc(e, alias, docs).print("        "))
	ref := "None"
	if refs {
		ref = "ref_id"
	}
	if len(sent) == 0 {
		fmt.Fprintf(&b, "        return %sself._step(%s, {}, %s, %s, timeout)\n", s.await, quoted(name), result, ref)
	} else {
		fmt.Fprintf(&b, "        given: Mapping[str, Any] = {\n            %s,\n        }\n", strings.Join(sent, ",\n            "))
		fmt.Fprintf(&b, "        return %sself._step(%s, given, %s, %s, timeout)\n", s.await, quoted(name), result, ref)
	}
	return b.String()
}

func setLast(list []parameter, p parameter) []parameter {
	list[len(list)-1] = p
	return list
}

// firstDefault returns the index of the first positional parameter with a default, or -1.
func firstDefault(params []parameter) int {
	return slices.IndexFunc(params, func(p parameter) bool { return p.def != "" && !p.keyword })
}

// overloads prints two signatures for a step with a selector and other required parameters. The
// first has the selector, and the second has a ref instead.
func overloads(s style, method string, params, byRef []parameter, tail parameter, result string, required bool) string {
	selector := slices.Clone(params)
	for i := range selector {
		if selector[i].name == steps.SelectorArg {
			selector[i].typ, selector[i].def = "str", ""
		}
	}
	ref := []parameter{{name: "ref_id", typ: "str", keyword: true}}
	if !required {
		ref[0].typ, ref[0].def = "Optional[str]", "None"
	}
	for _, p := range byRef {
		if p.name == steps.SelectorArg {
			continue
		}
		p.keyword = true
		ref = append(ref, p)
	}
	var b strings.Builder
	for _, list := range [][]parameter{append(selector, tail), append(ref, tail)} {
		text := signature(s, "    ", method, list, result)
		b.WriteString("    @overload\n" + strings.TrimSuffix(text, "\n") + " ...\n\n")
	}
	return b.String()
}

// ordered returns the arguments of a step. The positional arguments, which the argument "hand"
// names, come first. For an alias, ordered omits the arguments that exclude the first positional
// one.
func ordered(e *steps.Entry, hand []string, alias string) []*steps.Arg {
	var out []*steps.Arg
	for _, name := range hand {
		out = append(out, e.Arg(name))
	}
	for i := range e.Args {
		if a := &e.Args[i]; !slices.Contains(hand, a.Name) && (alias == "" || goesWith(e, a.Name, hand[0])) {
			out = append(out, a)
		}
	}
	return out
}

// goesWith reports whether two arguments of a step can be used together.
func goesWith(e *steps.Entry, name, beside string) bool {
	partner := e.With[name]
	return e.With[beside] == name || !slices.Contains(e.OneOf, name) && (partner == "" || partner == beside || partner == e.With[beside])
}

func argType(m *models, e *steps.Entry, a *steps.Arg) string {
	if a.Type == steps.ArgEnum {
		return m.values(className(e.Name, a.Name), a.Values)
	}
	if typ := argTypes[a.Type]; typ != "" {
		return typ
	}
	return "str"
}

func argDoc(e *steps.Entry, a *steps.Arg) string {
	text := a.Doc
	if a.Default != nil && a.Default != "" {
		text += fmt.Sprintf("; default: `%v`", a.Default)
	}
	if partner := e.With[a.Name]; partner != "" && !slices.Contains(e.OneOf, a.Name) {
		text += fmt.Sprintf("; only with `%s`", pythonName(partner))
	}
	switch {
	case a.Min != nil && a.Max != nil:
		text += fmt.Sprintf("; %g to %g", *a.Min, *a.Max)
	case a.Min != nil:
		text += fmt.Sprintf("; at least %g", *a.Min)
	}
	return text
}

func stepDoc(e *steps.Entry, alias string, args section) doc {
	d := doc{paragraphs: []string{sentence(e.Summary)}}
	if alias != "" {
		d.paragraphs[0] = sentence(e.Summary) + " The same as `" + e.Name + "` with `" + e.InPlace(alias)[0] + "`."
	}
	if text, _, _ := strings.Cut(e.Doc, "\n\n"); text != "" && alias == "" {
		d.paragraphs = append(d.paragraphs, text)
	}
	if len(e.OneOf) > 0 && alias == "" {
		names := make([]string, len(e.OneOf))
		for i, name := range e.OneOf {
			names[i] = pythonName(name)
		}
		d.paragraphs = append(d.paragraphs, "One of `"+strings.Join(names, "`, `")+"` is required.")
	}
	d.sections = []section{args}
	if len(e.Verbs) > 0 {
		verbs := section{title: "Values of do"}
		for i := range e.Verbs {
			v := &e.Verbs[i]
			text := v.Doc
			if len(v.Args) > 0 {
				text += "; takes `" + strings.Join(v.Args, "`, `") + "`"
			}
			verbs.add(v.Name, text)
		}
		d.sections = append(d.sections, verbs)
	}
	return d
}
