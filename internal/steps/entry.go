// Package steps says what a step is. [Define] makes its entry from the function that runs it, the
// struct of its arguments and the struct of its result. The package binds arguments to that struct,
// converts results to plain data and writes the reference page from the entries.
//
// The steps themselves are in package catalogue. This package names none of them. It does not
// compile actions (package program does), does not order, retry or time steps (package executor
// does) and does not depend on the browser.
//
// Files, bottom to top: arg, plan, result, env, entry, reference, expr, op, risk, purpose, url, bind,
// define.
package steps

import (
	"context"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/spec"
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

// A Limit is the default time limit of one attempt of a step.
type Limit uint8

const (
	ElementTime Limit = iota // actions.default_timeout, 5s
	InputTime                // ElementTime, then PageTime for the document that the input opens
	PageTime                 // 30s
	NoTime                   // only the limit of the action
)

// An Entry describes one step. [Define] and [DefineVerbs] set the fields Args, OneOf, With, Hand,
// AliasHand, Main, Verbs, Result and Run.
type Entry struct {
	Name    string
	Aliases []string // other names with the same meaning
	Group   Group
	Summary string // one line: what it does
	Doc     string // more paragraphs: what it waits for, what it verifies
	Example string // the YAML of one step, in the form that action fmt writes
	Args    []Arg
	// OneOf names alternative arguments. Exactly one of them must be given.
	OneOf []string
	// With maps an argument to the argument that it requires. If both are in OneOf, they count as
	// one alternative.
	With map[string]string
	// Verbs are the variants of the step. The argument [VerbArg] selects one of them.
	Verbs []Verb
	// Hand names the positional arguments on the command line, in order. If the last one is an
	// ArgTextList, it may be repeated.
	Hand []string
	// AliasHand maps an alias to its positional arguments, if they differ from Hand.
	AliasHand map[string][]string
	// Hints maps the name of an argument that the step does not have to a hint. The hint says what
	// to write instead.
	Hints map[string]string
	// Main names the argument that may be written alone in a file, as in "- open: URL". If Main is
	// empty, that is the verb or the first argument in Hand.
	Main string
	// Command is the step's name on the command line, if another command already has the name Name.
	Command string
	// Instead is set for steps that can only be used in a file. It says what to do on the command
	// line instead.
	Instead string
	Result  []Field
	// Sets is set for steps that set controls and do nothing else.
	Sets bool
	// Focuses is set for steps that move the focus and do nothing else.
	Focuses bool
	// Part is set for steps that perform only a part of an input, such as pressing a key without
	// releasing it. That part may have no effect.
	Part bool
	// Effect is the effect of the step on the page. It is not used for steps that read, wait or
	// control the flow, or for verbs with Looks.
	Effect driver.Effect
	// Shown names the field of the result that is printed for a manual step. If it is empty, all
	// fields are printed.
	Shown string
	// Limit is the default time limit of one attempt; see also [Op.Limit].
	Limit Limit
	// Opens is set for a step that opens an address and does not depend on the current page.
	Opens bool
	// Granted lists the names of the step that packages may use only if the configuration grants
	// them.
	Granted []string
	// Reads is set for steps that read what the page shows. Such a step waits for content that is
	// still loading.
	Reads bool
	// Once is set for steps that query the page once and do not wait for their element.
	Once bool
	// Block is set for steps with nested steps. Cases is set for choose, which has cases instead of
	// nested steps.
	Block, Cases bool
	// Run performs one attempt. Only the executor calls it.
	Run func(ctx context.Context, env *Env, a *Args) (Result, error)

	plan  *plan // nil for a step with verbs
	hooks hooks
}

// SelectorArg names the argument that selects the step's element, in steps with only one selector.
const SelectorArg = "selector"

// IsInput reports whether the step is mouse or keyboard input.
func (e *Entry) IsInput() bool { return e.Group == GroupPointer || e.Group == GroupForms }

// Presses reports whether s is input whose effect depends on the page, so that the step cannot
// check it. s must be a step of this entry.
func (e *Entry) Presses(s *spec.Step) bool {
	return e.IsInput() && !e.Sets && !e.Focuses && e.Effect == driver.AnyEffect || e.inputVerb(s)
}

// inputVerb reports whether the verb of s counts as input. s must be a step of this entry.
func (e *Entry) inputVerb(s *spec.Step) bool {
	do := s.Args.Get(VerbArg)
	if do == nil || do.Kind != spec.String {
		return false
	}
	v := e.Verb(do.Str)
	return v != nil && v.Input
}

// WaitsForElement reports whether the step waits for the element of a selector.
func (e *Entry) WaitsForElement() bool {
	return !e.Once && slices.ContainsFunc(e.Args, func(a Arg) bool {
		return a.Type == ArgSelector || a.Type == ArgPlace || a.Type == ArgPairs
	})
}

// Arg returns the description of an argument, or nil.
func (e *Entry) Arg(name string) *Arg { return e.argWith(func(a *Arg) bool { return a.Name == name }) }

// ArgOf returns the first argument of a type, or nil.
func (e *Entry) ArgOf(t ArgType) *Arg { return e.argWith(func(a *Arg) bool { return a.Type == t }) }

// argWith returns the first argument for which the function "is" returns true, or nil.
func (e *Entry) argWith(is func(*Arg) bool) *Arg {
	for i := range e.Args {
		if is(&e.Args[i]) {
			return &e.Args[i]
		}
	}
	return nil
}

// Commands returns the names of the step on the command line: its own name, then its aliases. A
// name has hyphens between its words. For a step that can only be used in a file, Commands returns
// nil.
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

// InPlace returns the names of the positional arguments on the command line. alias is the name by
// which the step is called; "" means its own name.
func (e *Entry) InPlace(alias string) []string {
	if hand, ok := e.AliasHand[alias]; ok {
		return hand
	}
	return e.Hand
}

// ArgNames returns the names of the arguments, in order.
func (e *Entry) ArgNames() []string {
	names := make([]string, len(e.Args))
	for i := range e.Args {
		names[i] = e.Args[i].Name
	}
	return names
}

// Args holds the argument values of one attempt. Only the step can read them.
type Args struct {
	bound   any            // a pointer to the struct of the step or the verb
	verb    *Verb          // nil for a step without verbs
	subject *driver.Target // see Subject
}

// Subject returns the main element of the step: the target of its first selector, or of an
// alternative to that selector. It returns nil if the step has no such argument.
func (a *Args) Subject() *driver.Target { return a.subject }

// A runner performs one attempt with the bound arguments.
type runner func(ctx context.Context, env *Env, a *Args) (Result, error)

// hooks holds the optional functions of a step or a verb, besides the runner.
type hooks struct {
	check    func(op *Op) diag.List
	sure     func(s *expr.Scope, a *Args) error
	limit    func(op *Op) Limit
	policy   func(op *Op) string
	pageless func(op *Op) bool
	reads    func(op *Op) bool
	now      func(ctx context.Context, env *Env, a *Args) (holds, known bool, err error)
}

// VerbArg names the argument that selects a step's verb. Its value must be literal.
const VerbArg = "do"

// A Verb is one variant of a step.
type Verb struct {
	Name  string
	Doc   string   // a phrase: what it does
	Args  []string // the arguments that it accepts
	Needs []string // those that it requires
	// Hand names the positional arguments after the verb on the command line. If the last one is an
	// ArgTextList, it may be repeated.
	Hand []string
	// Shown names the field of the result that is printed, as Entry.Shown does.
	Shown string
	Looks bool // the effect is NoEffect
	// Input is set if the verb counts as input, although it uses neither the mouse nor the
	// keyboard. Its effect depends on the page.
	Input bool

	plan   *plan
	run    runner
	result []Field
	hooks  hooks
}

// Verb returns the verb of that name, or nil.
func (e *Entry) Verb(name string) *Verb {
	for i := range e.Verbs {
		if e.Verbs[i].Name == name {
			return &e.Verbs[i]
		}
	}
	return nil
}

// VerbNames returns the names of the verbs in order.
func (e *Entry) VerbNames() []string {
	names := make([]string, len(e.Verbs))
	for i := range e.Verbs {
		names[i] = e.Verbs[i].Name
	}
	return names
}

// ShownFor returns the field of the result that is printed for a manual step with these arguments.
// If it returns "", all fields are printed.
func (e *Entry) ShownFor(args map[string]any) string {
	if name, ok := args[VerbArg].(string); ok {
		if v := e.Verb(name); v != nil {
			return v.Shown
		}
	}
	return e.Shown
}
