package program

// The state of one compilation, and how it reports what is wrong.

import (
	"sort"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A compiler compiles one action. It compiles the steps in the order in which they run, and reports
// references to outputs that do not exist yet.
type compiler struct {
	ns      *spec.Namespace
	action  *spec.Action
	params  map[string]bool
	env     map[string]bool
	aliases map[string][]*spec.Alias       // by name, of every layer and override
	outputs map[string]bool                // names under steps. that exist so far
	stale   map[string]staleOutput         // outputs hidden here by those of a block with the same names
	results map[string]map[string][]string // fields of each output, by the step that returns them
	later   map[string]bool                // names of all outputs of the action
	locals  []string
	items   []string            // the names of the items of all blocks, and index
	scope   *selectors.Selector // scope of the selectors of a step; nil: none
	inRow   bool                // compiling a field of a row
	narrow  bool                // compiling the steps of a foreach
	settle  *spec.Settle        // settle of steps that do not set it
	ignores bool                // the steps also read busy content
	calm    bool                // the steps stop waiting once the page is calm
	program *Program
	errs    diag.List

	// hand is set for a manual step. ${…} is then plain text, not a reference.
	hand bool
	// fromText means that numbers and booleans may be given as text.
	fromText bool
}

func (c *compiler) bad(pos diag.Pos, format string, args ...any) *diag.Error {
	e := diag.At(pos, diag.DefinitionInvalid, format, args...)
	c.errs.Add(e)
	return e
}

// missing reports a missing argument. The code is PARAM_REQUIRED for a manual step, and
// DEFINITION_INVALID for a step in a file.
func (c *compiler) missing(pos diag.Pos, format string, args ...any) *diag.Error {
	e := c.bad(pos, format, args...)
	if c.hand {
		e.Code = diag.ParamRequired
	}
	return e
}

// A staleOutput is an output of a step before a block, if a step in the block has an output with
// the same name. References after the block read this earlier output. So do references in the block
// that come before the step with the inner output.
type staleOutput struct {
	pos   diag.Pos // of the output in the block
	below bool     // the reference is after the block
}

func keys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func first(s []string) string {
	if len(s) == 0 {
		return "name"
	}
	return s[0]
}
