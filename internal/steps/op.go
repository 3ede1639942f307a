package steps

import (
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

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
	// Else runs if no case holds. HasElse is set if the file contains `else`, even an empty one.
	Else    []*Op
	HasElse bool
	As      string
	// Narrows is set for a foreach that contains a narrow step. After the narrow step, selectors in
	// the block search only the element that it has found.
	Narrows bool
	// IgnoresBusy is set if the step also reads content that is still loading.
	IgnoresBusy bool
	// Settle is the maximum time that the step waits for the effects of its input to end. 0 means
	// that it does not wait.
	Settle time.Duration
	// Calm is set if the step stops waiting for its element once the page is calm.
	Calm bool
	// NeedsElement is set if an argument contains a selector.
	NeedsElement bool
}

// An Arm is one compiled case of a choose.
type Arm struct {
	When  *expr.Condition
	Steps []*Op
}

// Nested calls f for each list of ops that the op contains.
func (o *Op) Nested(f func([]*Op)) {
	f(o.Body)
	for _, c := range o.Cases {
		f(c.Steps)
	}
	f(o.Else)
	f(o.Fallback)
}

// Effect says how the step may change controls that earlier steps have set. It is [driver.NoEffect]
// for steps that only set controls, move the focus, read, wait or control the flow.
func (o *Op) Effect() driver.Effect {
	e := o.Entry
	switch e.Group {
	case GroupRead, GroupWait, GroupFlow:
		return driver.NoEffect
	}
	if e.Sets || e.Focuses {
		return driver.NoEffect
	}
	if do, ok := o.Args[VerbArg].LiteralText(); ok {
		if v := e.Verb(do); v != nil && v.Looks {
			return driver.NoEffect
		}
	}
	return e.Effect
}

// IsInput reports whether the step is mouse or keyboard input, or has a verb that counts as input.
func (o *Op) IsInput() bool { return o.Entry.IsInput() || o.Entry.inputVerb(o.Spec) }

// Presses reports whether the step is input whose effect depends on the page, so that the step
// cannot check it.
func (o *Op) Presses() bool { return o.Entry.Presses(o.Spec) }

// Expect returns the effect that the step must have, one of [spec.Effects], or "".
func (o *Op) Expect() string {
	if o.Spec.Expect == nil {
		return ""
	}
	return o.Spec.Expect.Value
}

// Output returns the name of the step's result, for ${steps.NAME}. It returns "" if the result is
// not kept.
func (o *Op) Output() string {
	if o.Spec.Output == nil {
		return ""
	}
	return o.Spec.Output.Value
}

// CheckArgs checks the arguments as a whole. Each argument must already be valid by itself.
func (o *Op) CheckArgs() diag.List {
	check := o.Entry.hooks.check
	if v := o.verb(); v != nil {
		check = v.hooks.check
	}
	if check == nil {
		return nil
	}
	return check(o)
}

// Limit returns the default time limit of one attempt.
func (o *Op) Limit() Limit {
	if limit := o.Entry.hooks.limit; limit != nil {
		return limit(o)
	}
	return o.Entry.Limit
}

// verb returns the verb that the op selects, or nil.
func (o *Op) verb() *Verb {
	do, _ := o.Args[VerbArg].LiteralText()
	return o.Entry.Verb(do)
}

// plan returns the plan for the arguments of the op. For a step with verbs, it returns the plan of
// the op's verb, and the verb.
func (o *Op) plan() (*plan, *Verb) {
	if len(o.Entry.Verbs) == 0 {
		return o.Entry.plan, nil
	}
	v := o.verb()
	return v.plan, v
}
