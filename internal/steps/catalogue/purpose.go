package catalogue

// What other packages need to know about single steps, from the structs of their arguments: what a
// step runs, what it loops over, what it sets. The callers name neither the step nor its arguments.

import (
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// Called returns the action that a `run` step calls, as written in the definition. action is the
// node of its name, and params the node of its params. A missing node is nil. ok is false for other
// steps.
func Called(s *spec.Step) (action, params *spec.Node, ok bool) {
	w, ok := steps.WrittenIn[runArgs](Lookup(s.Action.Value))
	if !ok {
		return nil, nil, false
	}
	return w.Node(s, &w.Args.Action), w.Node(s, &w.Args.Params), true
}

// Call returns the name of the action that a `run` op calls, and its params. Absent params are nil.
// ok is false for other ops.
func Call(o *steps.Op) (action string, params *steps.Expr, ok bool) {
	w, ok := steps.WrittenBy[runArgs](o)
	if !ok {
		return "", nil, false
	}
	return w.Text(&w.Args.Action), w.At(&w.Args.Params), true
}

// A Loop holds the arguments of a foreach. An absent argument is nil.
type Loop struct{ Items, By, Max *steps.Expr }

// LoopOf returns the arguments of a foreach. ok is false for other ops.
func LoopOf(o *steps.Op) (l Loop, ok bool) {
	w, ok := steps.WrittenBy[foreachArgs](o)
	if !ok {
		return l, false
	}
	return Loop{w.At(&w.Args.Items), w.At(&w.Args.By), w.At(&w.Args.Max)}, true
}

// ItemOf returns the node of the item name of a foreach, or nil if it is not written.
func ItemOf(s *spec.Step) *spec.Node {
	w, ok := steps.WrittenIn[foreachArgs](Lookup(s.Action.Value))
	if !ok {
		return nil
	}
	return w.Node(s, &w.Args.As)
}

// ValuesOf returns the node of the values of a `set` step, or nil for other steps.
func ValuesOf(s *spec.Step) *spec.Node {
	w, ok := steps.WrittenIn[setArgs](Lookup(s.Action.Value))
	if !ok {
		return nil
	}
	return w.Node(s, &w.Args.Values)
}

// Narrows reports whether a step makes an element the scope of its foreach.
func Narrows(s *spec.Step) bool {
	_, ok := steps.WrittenIn[narrowArgs](Lookup(s.Action.Value))
	return ok
}

// Keeps reports whether a step has `keep: true`. A run then fails if the value that the step has
// read has changed by the end of the run.
func Keeps(s *spec.Step) bool {
	e := Lookup(s.Action.Value)
	if e == nil {
		return false
	}
	keep := e.Kept()
	if keep == nil {
		return false
	}
	n := s.Args.Get(keep.Name)
	return n != nil && n.Kind == spec.Bool && n.Bool
}

// CheckStep returns the entry of the step that checks the `verify` of an action: `wait`.
func CheckStep() *steps.Entry { return Lookup("wait") }

// Granted returns the names of the steps that a package may use only if the configuration grants
// them to it.
func Granted() []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Granted...)
	}
	return names
}
