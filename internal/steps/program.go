package steps

import (
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A Program is an action whose expressions and selectors are parsed. It is immutable and
// safe for concurrent use.
type Program struct {
	Namespace *spec.Namespace
	Action    *spec.Action
	Steps     []*Op
	Verify    []*Check
	Returns   *Expr // nil: the action returns nothing

	// Env lists the names of the environment variables that the action reads, each once.
	Env []string
	// UsesPage is set if an expression reads page.url or page.title.
	UsesPage bool
	// Warnings report what works, but probably not as the author intended.
	Warnings diag.List

	// Busy matches what shows that a part of the page is loading. Nil means that only ARIA
	// attributes do.
	Busy *selectors.Selector

	aliases map[*spec.Alias][]*selectors.Selector
}

// An Op is one compiled step.
type Op struct {
	Spec     *spec.Step
	Entry    *Entry
	Args     map[string]*Expr    // compiled arguments by name, without absent ones
	When     *expr.Condition     // nil: always
	Scope    *selectors.Selector // scope of its selectors; nil: none
	Fallback []*Op
	Body     []*Op // of a block
	Cases    []*Arm
	// Else runs if none of Cases holds. HasElse is set if else is written, even if it is empty.
	Else    []*Op
	HasElse bool
	As      string
	// Narrows is set for a foreach with a narrow step. The element that this finds is the scope of
	// the block from then on.
	Narrows bool
	// IgnoresBusy is set if the step also reads what is loading.
	IgnoresBusy bool
	// Settle is how long the step waits at most until the effects of its input are over. 0 means
	// that it does not wait.
	Settle time.Duration
	// Calm is set if the step waits for its element no longer than until the page is calm.
	Calm bool
	// NeedsElement is set if an argument contains a selector, which depends on the version of the
	// document.
	NeedsElement bool
}

// An Arm is one compiled case of a choose.
type Arm struct {
	When  *expr.Condition
	Steps []*Op
}

// Nested calls f for each list of ops inside the op.
func (o *Op) Nested(f func([]*Op)) {
	f(o.Body)
	for _, c := range o.Cases {
		f(c.Steps)
	}
	f(o.Else)
	f(o.Fallback)
}

// Effect returns which later changes of the page the step may cause. For a step that sets controls
// it is none, because their read-back reports what has changed along with them. The loss of the
// focus does not count either, because that is when a page rejects a field.
func (o *Op) Effect() driver.Effect {
	e := o.Entry
	switch e.Group {
	case GroupRead, GroupWait, GroupFlow:
		return driver.NoEffect
	}
	if e.Sets || e.Focuses {
		return driver.NoEffect
	}
	if do, ok := o.Args[VerbArg].literalText(); ok {
		if v := e.Verb(do); v != nil && v.Looks {
			return driver.NoEffect
		}
	}
	return e.Effect
}

// IsInput reports whether the step is input of the mouse or the keyboard, which may have effects.
func (o *Op) IsInput() bool { return o.Entry.IsInput() }

// Expect returns the effect that the step must have, one of [spec.Effects], or "".
func (o *Op) Expect() string {
	if o.Spec.Expect == nil {
		return ""
	}
	return o.Spec.Expect.Value
}

// Output returns the name under steps. that keeps the result, or "".
func (o *Op) Output() string {
	if o.Spec.Output == nil {
		return ""
	}
	return o.Spec.Output.Value
}

// hooks returns the hooks of the verb, or of the step if it has no verb.
func (o *Op) hooks() *hooks {
	if v := o.verb(); v != nil {
		return &v.hooks
	}
	return &o.Entry.hooks
}

// Limit returns the default time limit of one attempt.
func (o *Op) Limit() Limit {
	if limit := o.Entry.hooks.limit; limit != nil {
		return limit(o)
	}
	return o.Entry.Limit
}

// A Check is one compiled entry of verify.
type Check struct {
	Spec      *spec.Check
	Condition *expr.Condition // nil: Wait is set
	Wait      *Op             // an op of the wait step
	Message   *expr.Template
	UsesSteps bool // it cannot be evaluated before the first step
	// Outputs lists the outputs that Condition or Wait mentions. ReadsPage is set if it mentions
	// the page.
	Outputs   []string
	ReadsPage bool
}

// Compile compiles an action, or its variant for a version of the page's library (nil: the plain
// action), against the merged namespace. The program is nil if the list contains an error.
func Compile(ns *spec.Namespace, a *spec.Action, variant *spec.Variant) (*Program, diag.List) {
	return compile(ns, a, variant)
}

// Alias returns the parsed candidates of an alias of the program's namespace, in
// order: the primary, then the fallbacks.
func (p *Program) Alias(a *spec.Alias) []*selectors.Selector { return p.aliases[a] }

// An Expr is a compiled value of a definition: an argument, a param of `run`, an
// entry of `returns`. It is immutable and safe for concurrent use.
type Expr struct {
	Pos  diag.Pos
	Type ArgType

	literal   any // if nothing below is set
	template  *expr.Template
	condition *expr.Condition
	selector  *selectors.Selector
	items     []*Expr
	keys      []string // of fields, in file order
	fields    map[string]*Expr
}

// Selector returns the parsed selector, or nil.
func (x *Expr) Selector() *selectors.Selector { return x.selector }

// Condition returns the parsed condition, or nil.
func (x *Expr) Condition() *expr.Condition { return x.condition }

// Keys returns the keys of a map in file order, nil for any other value.
func (x *Expr) Keys() []string { return append([]string(nil), x.keys...) }

// Field returns the value of a key of a map, or nil.
func (x *Expr) Field(key string) *Expr { return x.fields[key] }
