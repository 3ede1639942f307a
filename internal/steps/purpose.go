package steps

// Queries about steps whose arguments have a meaning for other packages: what a step runs, what it
// loops over, what it keeps and what it requires. The callers name neither the step nor its
// arguments.

import "github.com/actionregistry/action/spec"

// Runs reports whether the step runs another action.
func (e *Entry) Runs() bool {
	return e.argWith(func(a *Arg) bool { return a.Type == ArgAction }) != nil
}

// Called returns the nodes of the action that a step runs and of its params. A node is nil if it is
// not written. ok is false for other steps.
func Called(s *spec.Step) (action, params *spec.Node, ok bool) {
	w, ok := writtenIn[runArgs](Lookup(s.Action.Value))
	if !ok {
		return nil, nil, false
	}
	return w.node(s, &w.Args.Action), w.node(s, &w.Args.Params), true
}

// Call returns the name of the action that the op runs and its params, or nil if there are none. ok
// is false for other ops.
func (o *Op) Call() (action string, params *Expr, ok bool) {
	w, ok := writtenBy[runArgs](o)
	if !ok {
		return "", nil, false
	}
	return w.text(&w.Args.Action), w.at(&w.Args.Params), true
}

// A Loop holds the arguments of a foreach. An absent argument is nil.
type Loop struct{ Items, By, Max *Expr }

// Loop returns the arguments of a foreach. ok is false for other ops.
func (o *Op) Loop() (l Loop, ok bool) {
	w, ok := writtenBy[foreachArgs](o)
	if !ok {
		return l, false
	}
	return Loop{w.at(&w.Args.Items), w.at(&w.Args.By), w.at(&w.Args.Max)}, true
}

// itemOf returns the node of the item name of a foreach, or nil if it is not written.
func itemOf(s *spec.Step) *spec.Node {
	w, ok := writtenIn[foreachArgs](Lookup(s.Action.Value))
	if !ok {
		return nil
	}
	return w.node(s, &w.Args.As)
}

// valuesOf returns the node of the values of a set, or nil for other steps.
func valuesOf(s *spec.Step) *spec.Node {
	w, ok := writtenIn[setArgs](Lookup(s.Action.Value))
	if !ok {
		return nil
	}
	return w.node(s, &w.Args.Values)
}

// Keeps reports whether the value that a step reads must still hold at the end of the run.
func Keeps(s *spec.Step) bool {
	e := Lookup(s.Action.Value)
	if e == nil {
		return false
	}
	keep := e.kept()
	if keep == nil {
		return false
	}
	n := s.Args.Get(keep.Name)
	return n != nil && n.Kind == spec.Bool && n.Bool
}

// Keeps reports whether the value that the op reads must still hold at the end of the run.
func (o *Op) Keeps() bool {
	keep := o.Entry.kept()
	if keep == nil {
		return false
	}
	x := o.Args[keep.Name]
	return x != nil && x.literal == true
}

func (e *Entry) kept() *Arg { return e.argWith(func(a *Arg) bool { return a.keeps }) }

// PolicyName returns the name under which a policy allows or denies the op. It is the name that
// users write. If the step has several, the arguments decide.
func (o *Op) PolicyName() string {
	if named := o.Entry.hooks.policy; named != nil {
		return named(o)
	}
	return o.Entry.Name
}

// Granted returns the names of steps that packages may use only when granted.
func Granted() []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Granted...)
	}
	return names
}

// NeedsPage reports whether the op requires a page.
func (o *Op) NeedsPage() bool {
	if pageless := o.Entry.hooks.pageless; pageless != nil {
		return !pageless(o)
	}
	return o.Entry.Group != GroupFlow
}

// LooksAtPage reports whether the op reads the page or acts on it, with or without a selector.
func (o *Op) LooksAtPage() bool { return o.NeedsElement || o.LooksWithoutElement() }

// LooksWithoutElement is LooksAtPage for an op without a selector.
func (o *Op) LooksWithoutElement() bool {
	switch o.Entry.Group {
	case GroupPointer, GroupForms, GroupRead, GroupLists, GroupScript:
		return true
	}
	reads := o.Entry.hooks.reads
	return reads != nil && reads(o)
}

// CheckStep returns the entry of the step with which entries of verify wait.
func CheckStep() *Entry { return Lookup("wait") }

// isNarrow reports whether a step makes an element the scope of its foreach.
func isNarrow(s *spec.Step) bool {
	_, ok := writtenIn[narrowArgs](Lookup(s.Action.Value))
	return ok
}
