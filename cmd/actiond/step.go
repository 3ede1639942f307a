package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
)

// The commands of steps are derived from the catalogue: the arguments in Entry.Hand are
// positional, the others are flags.

// stepOptions are the options of one step.
type stepOptions struct {
	*factory
	entry *steps.Entry
	args  map[string]any // text from the command line by argument name
}

// newStepCmd makes the command of a step.
func newStepCmd(f *factory, c stepCommand, runF func(context.Context, *stepOptions) error) *cobra.Command {
	cmd := &cobra.Command{Use: c.name, Short: c.summary()}
	cmd.Flags().SortFlags = false
	values, inPlace := make([]argValue, len(c.entry.Args)), c.inPlace()
	for i := range c.entry.Args {
		values[i].arg = &c.entry.Args[i]
		// An alias may take an argument by position that is a flag without the alias.
		if !slices.Contains(inPlace, values[i].arg.Name) || !slices.Contains(c.entry.Hand, values[i].arg.Name) {
			values[i].addTo(cmd)
		}
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		o := &stepOptions{factory: f, entry: c.entry, args: make(map[string]any)}
		for i := range values {
			if values[i].set {
				o.args[values[i].arg.Name] = values[i].data()
			}
		}
		if err := c.assign(o.args, words); err != nil {
			return err
		}
		return call(cmd, o, runF, runStep)
	}
	if f.completing {
		completeStep(f, cmd, c, inPlace)
	}
	return f.takesPositionals(cmd, c.positionals(inPlace))
}

// inPlace returns the names of the step's positional arguments.
func (c stepCommand) inPlace() []string { return c.entry.InPlace(c.alias) }

// positionals declares the positional arguments of a step. A required argument after an optional
// one is declared as optional. If it is missing, the step itself reports that.
func (c stepCommand) positionals(names []string) *positionals {
	p := new(positionals)
	required := true
	for _, name := range names {
		arg := c.entry.Arg(name)
		required = required && (arg.Required || c.alias != "" && c.entry.AliasHand[c.alias] != nil)
		p.list = append(p.list, positionalOf(arg, !required))
	}
	if len(c.entry.Verbs) > 0 {
		p.after = c.afterVerb
	}
	return p
}

func positionalOf(arg *steps.Arg, optional bool) positional {
	p := positional{name: flagOf(arg.Name), doc: arg.Doc + argNote(arg), optional: optional, many: arg.Type == steps.ArgTextList}
	switch arg.Type {
	case steps.ArgEnum:
		p.never = !slices.ContainsFunc(arg.Values, isTruth)
	case steps.ArgInteger, steps.ArgNumber, steps.ArgDuration, steps.ArgSelector, steps.ArgCSS, steps.ArgXPath, steps.ArgPoint, steps.ArgPlace:
		p.never = true // no page has an element <true>
	}
	return p
}

// afterVerb returns the positional arguments after the verb of a step. It accepts surplus words,
// which assignAfterVerb reports.
func (c stepCommand) afterVerb(args []string) []positional {
	if len(args) == 0 {
		return nil
	}
	v := c.entry.Verb(args[0])
	if v == nil {
		return []positional{{name: "arg", optional: true, many: true, never: true}}
	}
	var list []positional
	for _, name := range v.Hand {
		list = append(list, positionalOf(c.entry.Arg(name), true))
	}
	if n := len(list); n == 0 || !list[n-1].many {
		list = append(list, positional{name: "arg", optional: true, many: true, never: true})
	}
	return list
}

// assign assigns positional words to their arguments.
func (c stepCommand) assign(args map[string]any, words []string) error {
	hand := c.inPlace()
	for i, name := range hand {
		if i >= len(words) {
			break
		}
		if _, twice := args[name]; twice {
			return givenTwice(name)
		}
		if len(c.entry.Verbs) == 0 && c.entry.Arg(name).Type == steps.ArgTextList {
			args[name] = anyTexts(words[i:])
			break
		}
		args[name] = words[i]
	}
	if len(c.entry.Verbs) > 0 && len(words) > 1 {
		if err := c.assignAfterVerb(args, words[1:]); err != nil {
			return err
		}
	}
	// In `type [SELECTOR] TEXT`, a single word is the required argument.
	if len(hand) == 2 && !c.entry.Arg(hand[0]).Required && c.entry.Arg(hand[1]).Required && args[hand[1]] == nil {
		if word, ok := args[hand[0]]; ok {
			delete(args, hand[0])
			args[hand[1]] = word
		}
	}
	// In `wait SELECTOR|MS`, a word that is a time is not a selector.
	for i := range c.entry.Args {
		a := &c.entry.Args[i]
		if text, ok := args[a.InPlaceOf].(string); ok && args[a.Name] == nil && isTime(text) {
			delete(args, a.InPlaceOf)
			args[a.Name] = text
		}
	}
	return nil
}

// assignAfterVerb assigns the words after a verb to its arguments. An unknown verb is reported
// later, with the other arguments.
func (c stepCommand) assignAfterVerb(args map[string]any, words []string) error {
	name, _ := args[steps.VerbArg].(string)
	v := c.entry.Verb(name)
	if v == nil {
		return nil
	}
	for i, arg := range v.Hand {
		if i >= len(words) {
			return nil
		}
		if _, twice := args[arg]; twice {
			return givenTwice(arg)
		}
		if c.entry.Arg(arg).Type == steps.ArgTextList {
			args[arg] = words[i:]
			return nil
		}
		args[arg] = words[i]
	}
	if len(words) > len(v.Hand) {
		return diag.New(diag.InvalidRequest, "found %d positional arguments, expected at most %d", len(words), len(v.Hand)).
			WithHint("use: %s", strings.Join(c.entry.Synopsis(v), " "))
	}
	return nil
}

func givenTwice(arg string) error {
	return diag.New(diag.InvalidRequest, "found the argument %q as a positional argument and as a flag, expected it once", arg).
		WithHint("remove the flag or the positional argument")
}

func isTime(text string) bool {
	if _, err := strconv.ParseUint(text, 10, 31); err == nil {
		return true
	}
	_, err := time.ParseDuration(text)
	return err == nil
}

func anyTexts(words []string) []any {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}

// argNote describes the values that an argument accepts.
func argNote(arg *steps.Arg) (note string) {
	if len(arg.Values) > 0 {
		note = " (" + strings.Join(arg.Values, ", ") + ")"
	}
	if arg.Default != nil && arg.Default != false {
		note += fmt.Sprintf("; default %v", arg.Default)
	}
	return note
}

// An argValue is the flag of an argument. It holds text, which the step converts.
type argValue struct {
	arg  *steps.Arg
	set  bool
	on   bool   // value of a boolean
	text string // value of other types
	list []any  // values of a list of texts
}

func (v *argValue) addTo(cmd *cobra.Command) {
	flag := cmd.Flags().VarPF(v, flagOf(v.arg.Name), v.arg.Short, v.arg.Doc)
	if v.negatable() {
		flag.NoOptDefVal = "true"
	}
}

func (v *argValue) negatable() bool { return v.arg.Type == steps.ArgBoolean }
func (v *argValue) note() string    { return argNote(v.arg) }
func (v *argValue) Type() string    { return strings.ToUpper(flagOf(v.arg.Name)) }
func (v *argValue) String() string  { return v.text }
func (v *argValue) Set(text string) (err error) {
	v.set = true
	switch v.arg.Type {
	case steps.ArgBoolean:
		v.on, err = parseBool(text)
	case steps.ArgTextList:
		v.list = append(v.list, text)
	default:
		v.text = text
	}
	return err
}

func (v *argValue) data() any {
	switch v.arg.Type {
	case steps.ArgBoolean:
		return v.on
	case steps.ArgTextList:
		return v.list
	}
	return v.text
}

// runStep runs one step. If the result is a single value, it prints the value without the name of
// the field.
func runStep(ctx context.Context, o *stepOptions) error {
	backend, err := o.runner()
	if err != nil {
		return err
	}
	trace := new(traceFile)
	defer trace.close(nil)
	if err := trace.make(ctx, o.factory); err != nil {
		return err
	}
	bar := o.startProgress(o.entry.Name)
	result := backend.Step(o.asking(ctx), o.callFor(bar, false, trace), o.entry.Name, o.args)
	bar.end()
	trace.close(result)
	if result.Action == "" && result.Error != nil {
		return result.Error
	}
	if o.json {
		return o.showResult(result)
	}
	shown := *result
	if m, ok := result.Data.(map[string]any); ok {
		if v, ok := m[o.entry.ShownFor(o.args)]; ok {
			shown.Data = bare{v}
		} else if len(m) == 1 {
			for _, v := range m {
				shown.Data = bare{v}
			}
		}
	}
	if !o.globals.Steps {
		shown.Steps = nil // the result of the only step is already the result
	}
	return o.showResult(&shown)
}
