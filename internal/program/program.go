// Package program compiles the steps of an action to a [Program], so that expressions and selectors
// are parsed once, before any value is inserted. It makes the op of a manual step in the same way,
// and checks the params with which an action is run. It runs nothing: package executor does.
//
// Files, bottom to top: params, program, compiler, outputs, refs, scope, values, fields, args,
// compile, hand.
package program

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A Program is an action whose expressions and selectors are parsed. It is immutable and
// safe for concurrent use.
type Program struct {
	Namespace *spec.Namespace
	Action    *spec.Action
	Steps     []*steps.Op
	Verify    []*Check
	Returns   *steps.Expr // nil: the action returns nothing

	// Env lists the environment variables that the action reads, without duplicates.
	Env []string
	// UsesPage is set if an expression reads page.url or page.title.
	UsesPage bool
	// Warnings report parts of the action that are valid, but probably wrong.
	Warnings diag.List

	// Busy selects the loading indicators of the page. Nil means that only ARIA attributes indicate
	// loading.
	Busy *selectors.Selector

	aliases map[*spec.Alias][]*selectors.Selector
}

// A Check is one compiled entry of verify.
type Check struct {
	Spec      *spec.Check
	Condition *expr.Condition // nil: Wait is set
	Wait      *steps.Op       // an op of the wait step
	Message   *expr.Template
	UsesSteps bool // it depends on outputs, so it cannot be evaluated before the first step
	// Outputs lists the outputs to which the check refers. ReadsPage is set if the check refers to
	// the page.
	Outputs   []string
	ReadsPage bool
}

// Alias returns the parsed selectors of an alias: the primary selector, then the fallbacks.
func (p *Program) Alias(a *spec.Alias) []*selectors.Selector { return p.aliases[a] }
