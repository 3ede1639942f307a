package executor

// Compiled programs, and the facts about them that do not depend on values.

import (
	"fmt"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// annotated is a compiled action. It records which steps and conditions read the page's address or
// title.
type annotated struct {
	*program.Program
	opsReadPage   map[*steps.Op]bool
	condsReadPage map[*expr.Condition]bool
}

type programKey struct {
	action  *spec.Action
	variant *spec.Variant
}

// program compiles an action once. If two runs compile it at the same time, one result is kept.
func (x *Executor) program(ns *spec.Namespace, a *spec.Action, variant *spec.Variant) (*annotated, error) {
	key := programKey{a, variant}
	if p, ok := x.programs.Load(key); ok {
		return p.(*annotated), nil
	}
	compiled, errs := program.Compile(ns, a, variant)
	if compiled == nil {
		return nil, invalid(a, errs)
	}
	p := &annotated{
		Program:       compiled,
		opsReadPage:   make(map[*steps.Op]bool),
		condsReadPage: make(map[*expr.Condition]bool),
	}
	if compiled.UsesPage {
		p.note(compiled.Steps)
		for _, c := range compiled.Verify {
			p.noteCondition(c.Condition)
			if c.Wait != nil {
				p.note([]*steps.Op{c.Wait})
			}
		}
	}
	kept, _ := x.programs.LoadOrStore(key, p)
	return kept.(*annotated), nil
}

func (p *annotated) note(list []*steps.Op) {
	for _, op := range list {
		p.noteCondition(op.When)
		for _, arg := range op.Args {
			if readsPage(arg.Refs()) {
				p.opsReadPage[op] = true
			}
			p.noteCondition(arg.Condition)
		}
		for _, arm := range op.Cases {
			p.noteCondition(arm.When)
		}
		op.Nested(p.note)
	}
}

func (p *annotated) noteCondition(c *expr.Condition) {
	if c != nil && readsPage(c.Refs()) {
		p.condsReadPage[c] = true
	}
}

func readsPage(refs []expr.Ref) bool {
	for i := range refs {
		if refs[i].Root == expr.RootPage {
			return true
		}
	}
	return false
}

// invalid returns the error of an action that does not compile: the first problem, and the number
// of all problems.
func invalid(a *spec.Action, errs diag.List) error {
	if len(errs) == 0 {
		return diag.At(a.Pos, diag.Internal, "%s did not compile, and the compiler gave no reason", a.FullName()).
			WithHint("report this as a bug, with the definition")
	}
	e := errs.Sorted()[0].Clone()
	if len(errs) > 1 {
		e.WithDetail("problems", len(errs))
		e.WithHint("%s", joinHints(e.Hint, fmt.Sprintf("to see all %d problems, run: action validate", len(errs))))
	}
	return e
}

func joinHints(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}
