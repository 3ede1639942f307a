package steps

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteReference writes the reference page of the steps, docs/steps.md, in the order of entries.
// The error comes from w.
func WriteReference(w io.Writer, entries []*Entry) error {
	var b strings.Builder
	b.WriteString(referenceHead)
	var group Group
	for _, e := range entries {
		if e.Group != group {
			group = e.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		e.reference(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const referenceHead = `# Steps

This page is generated from the catalogue (package ` + "`catalogue`" + `): do not edit it, run
` + "`make docs`" + `.

A step is one entry of an action's ` + "`steps`" + `. All of them also take ` + "`when`, `output`, `timeout`,\n`retry`, `retry_delay`, `on_error`, `fallback`" + ` and ` + "`description`" + `: see [definitions](definitions.md#steps).
An argument that is not text also accepts a ` + "`${reference}`" + ` to a value of its type, unless it says literal.

From the command line, the arguments shown after the name are positional and the others are flags
(` + "`load_state` is `--load-state`" + `): ` + "`action fill \"label:User\" ann --session second`" + `. Texts are then literal:
` + "`${…}`" + ` has no meaning in them. ` + "`action wait 500`" + ` waits for a time. Every step also takes the global
flags, and prints the same Result with ` + "`--json`" + `. [Command line](cli.md) explains flags and negative numbers.
`

func (e *Entry) reference(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n\n%s.", e.Name, sentence(e.Summary))
	if len(e.Aliases) > 0 {
		fmt.Fprintf(b, " Also written %s.", code(e.Aliases))
	}
	if e.Doc != "" {
		fmt.Fprintf(b, " %s", e.Doc)
	}
	fmt.Fprintf(b, "\n\n```yaml\n- %s\n```\n", strings.ReplaceAll(e.Example, "\n", "\n  "))
	if lines := e.synopses(); lines != nil && len(e.Verbs) == 0 {
		fmt.Fprintf(b, "\nFrom the command line: %s\n", code(lines))
	}
	e.verbTable(b)
	if len(e.Args) > 0 {
		b.WriteString("\n| argument | type | |\n| --- | --- | --- |\n")
		for i := range e.Args {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", e.Args[i].Name, e.Args[i].typeCell(), e.argNote(&e.Args[i]))
		}
	}
	if len(e.OneOf) > 0 {
		fmt.Fprintf(b, "\nOne of %s is required.\n", code(e.OneOf))
	}
	if len(e.Result) > 0 {
		b.WriteString("\nResult: ")
		for i, f := range e.Result {
			if i > 0 {
				b.WriteString("; ")
			}
			fmt.Fprintf(b, "`%s` %s", f.Name, f.Doc)
		}
		b.WriteString(".\n")
	}
	fmt.Fprintf(b, "\nTime of one attempt: %s.\n", e.timeNote())
}

// verbTable writes the table of a step's verbs.
func (e *Entry) verbTable(b *strings.Builder) {
	if len(e.Verbs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| `%s` | | takes | command line |\n| --- | --- | --- | --- |\n", VerbArg)
	for i := range e.Verbs {
		v := &e.Verbs[i]
		args := make([]string, len(v.Args))
		for k, name := range v.Args {
			args[k] = "`" + name + "`"
			if slices.Contains(v.Needs, name) {
				args[k] += " (required)"
			}
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | `%s` |\n", v.Name, v.Doc, strings.Join(args, ", "), strings.Join(e.Synopsis(v), " "))
	}
}

// Synopsis returns the words of the command line of a verb.
func (e *Entry) Synopsis(v *Verb) []string {
	words := []string{"action", e.Commands()[0], v.Name}
	for _, name := range v.Hand {
		word := e.placeholder(name, true)
		if !slices.Contains(v.Needs, name) {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	return words
}

// synopses returns the command lines of a step. An alias has its own line only if its positional
// arguments differ. For a step that can only be used in a file, synopses returns nil.
func (e *Entry) synopses() (lines []string) {
	for i, command := range e.Commands() {
		alias := ""
		if i > 0 {
			alias = e.Aliases[i-1]
			if e.AliasHand[alias] == nil {
				continue
			}
		}
		words := []string{"action", command}
		for _, name := range e.InPlace(alias) {
			words = append(words, e.placeholder(name, alias != ""))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

// placeholder returns the word for an argument in a synopsis, such as SELECTOR. An optional
// argument is in brackets, unless "must" is set.
func (e *Entry) placeholder(name string, must bool) string {
	word := strings.ToUpper(name)
	if e.Arg(name).Type == ArgTextList {
		word += "…"
	}
	if !must && !e.Arg(name).Required {
		word = "[" + word + "]"
	}
	return word
}

// Unaliased returns a command line that does the same as an alias. It begins with the step's own
// name, and has flags for the arguments that only the alias takes by position.
func (e *Entry) Unaliased(alias string) string {
	words := []string{e.Commands()[0]}
	for _, name := range e.InPlace(alias) {
		if !slices.Contains(e.Hand, name) {
			words = append(words, "--"+strings.ReplaceAll(name, "_", "-"))
		}
		words = append(words, strings.ToUpper(name))
	}
	return strings.Join(words, " ")
}

func (a *Arg) typeCell() string {
	if a.Type == ArgEnum {
		return strings.Join(a.Values, ", ")
	}
	return a.Type.String()
}

func (e *Entry) argNote(a *Arg) string {
	note := a.Doc
	if a.Required {
		note += "; required"
	}
	if a.Default != nil {
		note += fmt.Sprintf("; default `%v`", a.Default)
	}
	if partner := e.With[a.Name]; partner != "" && !slices.Contains(e.OneOf, a.Name) {
		note += fmt.Sprintf("; only with `%s`", partner)
	}
	switch {
	case a.Min != nil && a.Max != nil:
		note += fmt.Sprintf("; %g to %g", *a.Min, *a.Max)
	case a.Min != nil:
		note += fmt.Sprintf("; at least %g", *a.Min)
	}
	return strings.ReplaceAll(note, "|", `\|`)
}

func (e *Entry) timeNote() string {
	switch {
	case e.Once:
		return "one query, no wait"
	case e.hooks.limit != nil:
		return "5s (`actions.default_timeout`) for an element or text, 30s otherwise, none with `time`"
	case e.Limit == InputTime:
		return "5s (`actions.default_timeout`) for the element, then 30s for a document that the press leads to"
	case e.Limit == PageTime:
		return "30s"
	case e.Limit == NoTime:
		return "that of the action"
	}
	return "5s (`actions.default_timeout`)"
}

func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
