package steps

// What other packages need to know about a step, from its entry: whether it runs another action,
// keeps what it reads, needs a page. The callers name neither the step nor its arguments.

// Runs reports whether the step runs another action.
func (e *Entry) Runs() bool {
	return e.ArgOf(ArgAction) != nil
}

// Keeps reports whether the value that the op reads must still hold at the end of the run.
func (o *Op) Keeps() bool {
	keep := o.Entry.Kept()
	if keep == nil {
		return false
	}
	x := o.Args[keep.Name]
	return x != nil && x.Literal == true
}

// Kept returns the argument that says whether the value that the step reads must still hold at the
// end of the run. It returns nil if there is no such argument.
func (e *Entry) Kept() *Arg { return e.argWith(func(a *Arg) bool { return a.keeps }) }

// PolicyName returns the name of the op in policies. If the step has several names, the name
// depends on the arguments.
func (o *Op) PolicyName() string {
	if named := o.Entry.hooks.policy; named != nil {
		return named(o)
	}
	return o.Entry.Name
}

// NeedsPage reports whether the op requires a page.
func (o *Op) NeedsPage() bool {
	if pageless := o.Entry.hooks.pageless; pageless != nil {
		return !pageless(o)
	}
	return o.Entry.Group != GroupFlow
}

// LooksAtPage reports whether the op reads or changes the page.
func (o *Op) LooksAtPage() bool { return o.NeedsElement || o.LooksWithoutElement() }

// LooksWithoutElement reports whether the op reads or changes the page without a selector.
func (o *Op) LooksWithoutElement() bool {
	switch o.Entry.Group {
	case GroupPointer, GroupForms, GroupRead, GroupLists, GroupScript:
		return true
	}
	reads := o.Entry.hooks.reads
	return reads != nil && reads(o)
}
