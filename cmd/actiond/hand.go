package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps"
)

// Steps by hand are commands made from the catalogue: what stands in Entry.Hand
// are their arguments in place, the rest are flags.

// restField takes what stands in place behind a verb.
const restField = "Rest"

// A handCommand is the command of one step.
type handCommand struct {
	entry *steps.Entry
	value reflect.Value // pointer to a struct with one field for each argument
}

// handSteps are the steps that are commands, in the order of the catalogue.
func handSteps() []*steps.Entry {
	return slices.DeleteFunc(steps.Entries(), func(e *steps.Entry) bool { return e.Instead != "" })
}

// handCommands are the commands of steps as options of the parser.
func handCommands(entries []*steps.Entry) (options []kong.Option, commands map[string]*handCommand) {
	commands = make(map[string]*handCommand)
	for _, e := range entries {
		c := newHandCommand(e)
		names := e.Commands()
		commands[names[0]] = c
		tag := ""
		if len(names) > 1 {
			tag = fmt.Sprintf("aliases:%q", strings.Join(names[1:], ","))
		}
		options = append(options, kong.DynamicCommand(names[0], sentence(e.Summary)+".", "Steps by hand:", c.value.Interface(), tag))
	}
	return options, commands
}

// handStep returns the step that a command line calls by hand, or nil.
func handStep(args []string) *steps.Entry {
	word := wire.FirstWord(args)
	for _, e := range handSteps() {
		if word != "" && slices.Contains(e.Commands(), word) {
			return e
		}
	}
	return nil
}

func newHandCommand(e *steps.Entry) *handCommand {
	shape := make([]reflect.StructField, len(e.Args))
	for i := range e.Args {
		shape[i] = handField(e, &e.Args[i])
	}
	// Arguments in place come in the order of Hand, not in that of the catalogue.
	slices.SortStableFunc(shape, func(a, b reflect.StructField) int { return placeOf(e, a) - placeOf(e, b) })
	if len(e.Verbs) > 0 {
		shape = slices.Insert(shape, 1, reflect.StructField{
			Name: restField, Type: reflect.TypeFor[[]string](),
			Tag: reflect.StructTag(fmt.Sprintf(`arg:"" optional:"" name:"arg" help:%q sep:"none"`, verbHelp(e))),
		})
	}
	return &handCommand{e, reflect.New(reflect.StructOf(shape))}
}

// verbHelp lists how each verb of a step is called.
func verbHelp(e *steps.Entry) string {
	lines := make([]string, len(e.Verbs))
	for i := range e.Verbs {
		lines[i] = strings.Join(e.Synopsis(&e.Verbs[i])[2:], " ")
	}
	return "What the verb takes in place: " + strings.Join(lines, " | ") + "."
}

func placeOf(e *steps.Entry, f reflect.StructField) int {
	for i, name := range e.Hand {
		if f.Name == goName(name) {
			return i
		}
	}
	return len(e.Hand)
}

func goName(arg string) string { return "A_" + arg }

func flagOf(name string) string { return strings.ReplaceAll(name, "_", "-") }

func handField(e *steps.Entry, a *steps.Arg) reflect.StructField {
	help := plain(a.Doc)
	if len(a.Values) > 0 {
		help += " (" + strings.Join(a.Values, ", ") + ")"
	}
	if a.Default != nil && a.Default != false {
		help += fmt.Sprintf("; default %v", a.Default)
	}
	f := reflect.StructField{Name: goName(a.Name), Type: reflect.TypeFor[*string]()}
	if a.Type == steps.ArgTextList {
		f.Type = reflect.TypeFor[[]string]()
	}
	at := slices.Index(e.Hand, a.Name)
	if at < 0 {
		if a.Type == steps.ArgBoolean {
			f.Type = reflect.TypeFor[*bool]()
		}
		tag := fmt.Sprintf(`name:%q help:%q sep:"none"`, flagOf(a.Name), help)
		if a.Short != "" {
			tag += fmt.Sprintf(` short:%q`, a.Short)
		}
		if a.Type == steps.ArgBoolean {
			tag += ` negatable:""`
		} else {
			tag += fmt.Sprintf(` placeholder:%q`, strings.ToUpper(flagOf(a.Name)))
		}
		f.Tag = reflect.StructTag(tag)
		return f
	}
	tag := fmt.Sprintf(`arg:"" name:%q help:%q sep:"none"`, flagOf(a.Name), help)
	if !mustStand(e, at) {
		tag += ` optional:""`
	}
	f.Tag = reflect.StructTag(tag)
	return f
}

// mustStand reports whether the parser wants an argument in place: it and those
// before it are required. Others that are missing are told with the step's own.
func mustStand(e *steps.Entry, at int) bool {
	return !slices.ContainsFunc(e.Hand[:at+1], func(name string) bool { return !e.Arg(name).Required })
}

// args returns what was written, as text of the command line.
func (c *handCommand) args() (map[string]any, error) {
	out := make(map[string]any)
	v := c.value.Elem()
	for i := range c.entry.Args {
		name := c.entry.Args[i].Name
		if f := v.FieldByName(goName(name)); !f.IsZero() {
			out[name] = flagValue(f)
		}
	}
	if len(c.entry.Verbs) > 0 {
		words := slices.Clone(v.FieldByName(restField).Interface().([]string))
		for i := range words {
			words[i] = strings.TrimPrefix(words[i], valueMark)
		}
		if err := c.verbArgs(out, words); err != nil {
			return nil, err
		}
	}
	// type [SELECTOR] TEXT: one word alone is the one that must stand.
	if hand := c.entry.Hand; len(hand) == 2 && !c.entry.Arg(hand[0]).Required && c.entry.Arg(hand[1]).Required && out[hand[1]] == nil {
		if word, ok := out[hand[0]]; ok {
			delete(out, hand[0])
			out[hand[1]] = word
		}
	}
	// wait SELECTOR|MS: a time is no selector.
	if text, ok := out["selector"].(string); ok && c.entry.Arg("time") != nil && isTime(text) {
		delete(out, "selector")
		out["time"] = text
	}
	return out, nil
}

// verbArgs gives the words behind a verb to its arguments. A verb that there is
// not is told with the other arguments.
func (c *handCommand) verbArgs(out map[string]any, words []string) error {
	name, _ := out[steps.VerbArg].(string)
	v := c.entry.Verb(name)
	if v == nil {
		return nil
	}
	for i, arg := range v.Hand {
		if i >= len(words) {
			return nil
		}
		if _, twice := out[arg]; twice {
			return diag.New(diag.InvalidRequest, "%s was given in place and as a flag", arg).WithHint("give it once")
		}
		if c.entry.Arg(arg).Type == steps.ArgTextList {
			out[arg] = words[i:]
			return nil
		}
		out[arg] = words[i]
	}
	if len(words) > len(v.Hand) {
		return diag.New(diag.InvalidRequest, "unexpected argument: %d words stand in place, expected at most %d", len(words), len(v.Hand)).
			WithHint("use: %s", strings.Join(c.entry.Synopsis(v), " "))
	}
	return nil
}

func isTime(text string) bool {
	if _, err := strconv.ParseUint(text, 10, 31); err == nil {
		return true
	}
	_, err := time.ParseDuration(text)
	return err == nil
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
