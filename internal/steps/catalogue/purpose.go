package catalogue

// What other packages need to know about single steps, from the structs of their arguments: what a
// step runs, what it loops over, what it sets. The callers name neither the step nor its arguments.

import (
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// Called returns the nodes with the name and the params of the action that a step runs. A node is
// nil if it is not written. ok is false for steps that run no action.
func Called(s *spec.Step) (action, params *spec.Node, ok bool) {
	w, ok := steps.WrittenIn[runArgs](Lookup(s.Action.Value))
	if !ok {
		return nil, nil, false
	}
	return w.Node(s, &w.Args.Action), w.Node(s, &w.Args.Params), true
}

// Call returns the name and the params of the action that an op runs; nil if they are absent. ok is
// false for ops that run no action.
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

// Keeps reports whether the value that a step reads must still hold at the end of the run.
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

// CheckStep returns the entry of the step `wait`, which evaluates the entries of an action's
// `verify`.
func CheckStep() *steps.Entry { return Lookup("wait") }

// Granted returns the names of steps that packages may use only when granted.
func Granted() []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Granted...)
	}
	return names
}
