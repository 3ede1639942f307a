package steps

// What the rest of the program asks about a step whose arguments mean something to it: what it
// runs, over what it loops, what it keeps, what it needs. Who asks names neither the step nor
// its arguments.

import "github.com/actionregistry/action/spec"

// Runs reports whether the step runs another action.
func (e *Entry) Runs() bool {
	return e.argWith(func(a *Arg) bool { return a.Type == ArgAction }) != nil
}

// Called returns the nodes of the action that a step runs, and of its params; each is nil where
// it is not written. ok is false for any other step.
func Called(s *spec.Step) (action, params *spec.Node, ok bool) {
	w, ok := writtenIn[runArgs](Lookup(s.Action.Value))
	if !ok {
		return nil, nil, false
	}
	return w.node(s, &w.Args.Action), w.node(s, &w.Args.Params), true
}

// Call returns the name of the action that the op runs, and its params, nil if there are none.
// ok is false for any other op.
func (o *Op) Call() (action string, params *Expr, ok bool) {
	w, ok := writtenBy[runArgs](o)
	if !ok {
		return "", nil, false
	}
	return w.text(&w.Args.Action), w.at(&w.Args.Params), true
}

// A Loop is what a foreach goes over. An argument that is absent is nil.
type Loop struct{ Items, By, Max *Expr }

// Loop returns what the op goes over; ok is false if it is no foreach.
func (o *Op) Loop() (l Loop, ok bool) {
	w, ok := writtenBy[foreachArgs](o)
	if !ok {
		return l, false
	}
	return Loop{w.at(&w.Args.Items), w.at(&w.Args.By), w.at(&w.Args.Max)}, true
}

// itemOf returns the name that a foreach gives its items, nil if it is not written.
func itemOf(s *spec.Step) *spec.Node {
	w, ok := writtenIn[foreachArgs](Lookup(s.Action.Value))
	if !ok {
		return nil
	}
	return w.node(s, &w.Args.As)
}

// valuesOf returns the values that a set keeps, nil for any other step.
func valuesOf(s *spec.Step) *spec.Node {
	w, ok := writtenIn[setArgs](Lookup(s.Action.Value))
	if !ok {
		return nil
	}
	return w.node(s, &w.Args.Values)
}

// Keeps reports whether what a step reads has to hold until the end of the run.
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

// Keeps reports whether what the op reads has to hold until the end of the run.
func (o *Op) Keeps() bool {
	keep := o.Entry.kept()
	if keep == nil {
		return false
	}
	x := o.Args[keep.Name]
	return x != nil && x.literal == true
}

func (e *Entry) kept() *Arg { return e.argWith(func(a *Arg) bool { return a.keeps }) }

// PolicyName is the name under which a policy allows or denies the op: the one that users
// type, where the arguments decide which of its names applies.
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

// NeedsPage reports whether the op needs a page to act on.
func (o *Op) NeedsPage() bool {
	if pageless := o.Entry.hooks.pageless; pageless != nil {
		return !pageless(o)
	}
	return o.Entry.Group != GroupFlow
}

// LooksAtPage reports whether the op reads the page or acts on it, with a selector or without.
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

// CheckStep is the step that an entry of verify waits with.
func CheckStep() *Entry { return Lookup("wait") }

// isNarrow reports whether a step makes an element the scope of its foreach.
func isNarrow(s *spec.Step) bool {
	_, ok := writtenIn[narrowArgs](Lookup(s.Action.Value))
	return ok
}
