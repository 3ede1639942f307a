package steps

// Steps with several verbs: `tab` opens, lists, switches and closes.

// VerbArg names the argument that selects a step's verb. It is literal, because the other arguments
// depend on it.
const VerbArg = "do"

// A Verb is one of the alternatives of a step.
type Verb struct {
	Name  string
	Doc   string   // a phrase: what it does
	Args  []string // the arguments that it accepts
	Needs []string // those that it requires
	// Hand names the positional arguments after the verb on the command line. The last may repeat
	// if it is an ArgTextList.
	Hand []string
	// Shown is like Entry.Shown, for this verb.
	Shown string
	Looks bool // the effect is NoEffect

	plan   *plan
	run    runner
	result []Field
	hooks  hooks
}

// Verb returns the verb of that name, or nil.
func (e *Entry) Verb(name string) *Verb {
	for i := range e.Verbs {
		if e.Verbs[i].Name == name {
			return &e.Verbs[i]
		}
	}
	return nil
}

// VerbNames returns the names of the verbs in order.
func (e *Entry) VerbNames() []string {
	names := make([]string, len(e.Verbs))
	for i := range e.Verbs {
		names[i] = e.Verbs[i].Name
	}
	return names
}

// ShownFor names the field of the result to print for a manual step with these arguments;
// "": all of them.
func (e *Entry) ShownFor(args map[string]any) string {
	if name, ok := args[VerbArg].(string); ok {
		if v := e.Verb(name); v != nil {
			return v.Shown
		}
	}
	return e.Shown
}
