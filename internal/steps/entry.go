// Package steps says what a step is. [Define] makes its entry from the function that runs it, the
// struct of its arguments and the struct of its result. The package binds arguments to that struct,
// converts results to plain data and writes the reference page from the entries.
//
// The steps themselves are in package catalogue. This package names none of them. It does not
// compile actions (package program does), does not order, retry or time steps (package executor
// does) and does not depend on the browser.
package steps

import (
	"context"
	"slices"
	"strings"

	"github.com/actionregistry/action/internal/driver"
)

// A Group is a section of the reference page.
type Group string

const (
	GroupNavigate Group = "navigate"
	GroupPointer  Group = "pointer"
	GroupForms    Group = "keyboard, forms"
	GroupWait     Group = "wait"
	GroupRead     Group = "read"
	GroupLists    Group = "long lists"
	GroupScript   Group = "script"
	GroupBrowser  Group = "browser"
	GroupNetwork  Group = "network"
	GroupFlow     Group = "flow"
)

// An ArgType says which values an argument accepts and how it is compiled.
type ArgType uint8

const (
	ArgText      ArgType = iota // text with ${…}; numbers and booleans become text
	ArgInteger                  // an integer, or a reference to one
	ArgNumber                   // any number, or a reference to one
	ArgBoolean                  // true or false, or a reference to one
	ArgEnum                     // one of Arg.Values
	ArgDuration                 // milliseconds as an integer, or a text such as 500ms or 5s
	ArgSelector                 // a selector; values in it are data
	ArgCSS                      // the body of a css: selector
	ArgXPath                    // the body of an xpath: selector
	ArgURL                      // a URL pattern; see [driver.URLPattern]
	ArgTextList                 // a text, or a list of texts
	ArgTextMap                  // a map of names to texts
	ArgValue                    // any value; texts inside may contain ${…}
	ArgValueMap                 // a map of names to any values
	ArgPairs                    // a map of labels to any values, or a list of {label, value}, in the order written
	ArgScript                   // a script without ${…}: its values are passed in args
	ArgCondition                // an expression, evaluated when the step runs
	ArgAction                   // the literal name of an action
	ArgName                     // a literal name
	ArgPoint                    // {x, y} in CSS pixels
	ArgPlace                    // a selector, or {x, y} in CSS pixels
	ArgFields                   // a map of names to selectors or {selector, what, attr}
	ArgSelectors                // a map of names to selectors
	ArgAttrs                    // a map of names to {selector, name}
	ArgRows                     // a map of names to {rows, fields, shown, hue, over}
)

func (t ArgType) String() string {
	return [...]string{
		"text", "integer", "number", "boolean", "enum", "duration", "selector",
		"css selector", "xpath", "url pattern", "text or list of texts",
		"map of texts", "any value", "map of values", "map of values or list of {label, value}", "script", "condition", "action name", "name",
		"map of x and y", "selector or map of x and y", "map of selectors",
		"map of names to selectors", "map of names to {selector, name}", "map of names to {rows, fields}",
	}[t]
}

// An Arg describes one argument of a step.
type Arg struct {
	Name     string
	Short    string // one-letter flag on the command line; "": none
	Type     ArgType
	Required bool
	Values   []string // values of an ArgEnum
	Default  any      // value of an absent argument; nil: none
	Min, Max *float64 // bounds of ArgInteger and ArgNumber
	Doc      string   // a phrase, without a full stop
	// InPlaceOf names a positional argument. On the command line, a value of this argument may take
	// its position if it does not fit that argument.
	InPlaceOf string

	TakesParams bool // the values are params of another action; see [Params]
	Identifiers bool // the names must be identifiers; see [ScriptArgs]
	keeps       bool // see Kept
}

// A Field is one field of a step's result: ${steps.output.NAME}.
type Field struct {
	Name string
	Doc  string
}

// Limit says which default time limit one attempt of a step has.
type Limit uint8

const (
	ElementTime Limit = iota // actions.default_timeout, 5s
	InputTime                // ElementTime, then PageTime for a document that the input leads to
	PageTime                 // 30s
	NoTime                   // only the limit of the action
)

// A Result is what a step returns: its fields, as JSON data.
type Result = map[string]any

// An Entry describes one step. Its declaration omits the fields that derive from structs and verbs:
// Args, OneOf, With, Hand, AliasHand, Main, Verbs, Result and Run. See [Define] and [DefineVerbs].
type Entry struct {
	Name    string
	Aliases []string // other names with the same meaning
	Group   Group
	Summary string // one line: what it does
	Doc     string // more paragraphs: what it waits for, what it verifies
	Example string // the YAML of one step, in the form that action fmt writes
	Args    []Arg
	// OneOf names the arguments of which exactly one must be given.
	OneOf []string
	// With maps an argument to the one that it requires. If both are in OneOf, they count as one.
	With map[string]string
	// Verbs are the alternatives of the step, selected by the argument [VerbArg], which
	// need not be in Args.
	Verbs []Verb
	// Hand names the positional arguments of a manual step, in order. The last may repeat if it is
	// an ArgTextList.
	Hand []string
	// AliasHand maps an alias to its positional arguments, if they differ from Hand.
	AliasHand map[string][]string
	// Hints maps names of arguments that the step does not have to hints about what to write
	// instead.
	Hints map[string]string
	// Main names the argument whose value may be written alone in the short form of a file. It is
	// set only if that is neither the verb nor the first of Hand.
	Main string
	// Command is the step's name on the command line, if its own name belongs to another command.
	Command string
	// Instead is set for steps that only make sense in a file and cannot run manually. It says what
	// to do instead.
	Instead string
	Result  []Field
	// Sets is set for steps that set controls and do nothing else.
	Sets bool
	// Focuses is set for a step that moves the focus and does nothing else.
	Focuses bool
	// Part is set for a part of an input, such as a key that goes down, which need not have an
	// effect by itself.
	Part bool
	// Effect is the effect of the step, except for its read-only verbs. Steps that read,
	// wait or control the flow need not set it.
	Effect driver.Effect
	// Shown names the field of the result to print for a manual step; "": all of them.
	Shown string
	// Limit is the default time limit of one attempt; see also [Op.Limit].
	Limit Limit
	// Opens is set for a step that opens an address, whatever the page shows before.
	Opens bool
	// Granted lists the names of the step that packages may use only when granted.
	Granted []string
	// Reads is set for steps that read what the page shows. They wait until it is no longer busy.
	Reads bool
	// Once is set for steps that query once and never wait for their element.
	Once bool
	// Block is set for steps with nested steps. Cases is set for choose, which has cases instead.
	Block, Cases bool
	// Run performs one attempt. Only the executor calls it.
	Run func(ctx context.Context, env *Env, a *Args) (Result, error)

	plan  *plan // nil for a step with verbs
	hooks hooks
}

// SelectorArg is the name that steps give to the selector of their element, if they have only one.
const SelectorArg = "selector"

// IsInput reports whether the step is input of the mouse or the keyboard.
func (e *Entry) IsInput() bool { return e.Group == GroupPointer || e.Group == GroupForms }

// Presses reports whether the step is input whose effect the step itself cannot check, because the
// effect depends on the page.
func (e *Entry) Presses() bool {
	return e.IsInput() && !e.Sets && !e.Focuses && e.Effect == driver.AnyEffect
}

// WaitsForElement reports whether a step waits for an element that a selector names.
func (e *Entry) WaitsForElement() bool {
	return !e.Once && slices.ContainsFunc(e.Args, func(a Arg) bool {
		return a.Type == ArgSelector || a.Type == ArgPlace || a.Type == ArgPairs
	})
}

// Arg returns the description of an argument, or nil.
func (e *Entry) Arg(name string) *Arg { return e.argWith(func(a *Arg) bool { return a.Name == name }) }

// ArgOf returns the first argument of a type, or nil.
func (e *Entry) ArgOf(t ArgType) *Arg { return e.argWith(func(a *Arg) bool { return a.Type == t }) }

// argWith returns the first argument for which is returns true, or nil.
func (e *Entry) argWith(is func(*Arg) bool) *Arg {
	for i := range e.Args {
		if is(&e.Args[i]) {
			return &e.Args[i]
		}
	}
	return nil
}

// Commands returns the names of the step on the command line, with words joined by hyphens: its own
// name, then its aliases. It returns nil for steps that only make sense in a file.
func (e *Entry) Commands() []string {
	if e.Instead != "" {
		return nil
	}
	name := e.Name
	if e.Command != "" {
		name = e.Command
	}
	names := append([]string{name}, e.Aliases...)
	for i := range names {
		names[i] = strings.ReplaceAll(names[i], "_", "-")
	}
	return names
}

// InPlace returns the positional arguments after an alias on the command line, or after the step's
// own name if alias is empty.
func (e *Entry) InPlace(alias string) []string {
	if hand, ok := e.AliasHand[alias]; ok {
		return hand
	}
	return e.Hand
}

// ArgNames returns the names of the arguments in order.
func (e *Entry) ArgNames() []string {
	names := make([]string, len(e.Args))
	for i := range e.Args {
		names[i] = e.Args[i].Name
	}
	return names
}
