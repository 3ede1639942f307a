package expr

// Scopes, and the values of references in them, before their filters.

// A Scope holds the values of references. It must not change during an evaluation. In the zero
// Scope, every reference is missing.
//
// Values have the types nil, bool, string, float64, int, int64, []any and map[string]any. Other
// number types count as numbers. A value of any other type is true, equals nothing and prints as
// null.
type Scope struct {
	Params, Env, Selectors, Steps, Page map[string]any
	// Modifier is "Meta" or "Control".
	Modifier string
	// Locals are the variables of the enclosing blocks, innermost last.
	Locals []Local
	// Sizes measures the values created in this scope. Nil measures without caching.
	Sizes *Sizer
	// Done stops filters, and the matching of a long text, when it is closed. Nil is never closed.
	Done <-chan struct{}
	// Derived is called if the result of a filter is another spelling of its input. If the input is
	// secret, the result is secret too. An error stops the evaluation. Derived may be nil.
	Derived func(from, to any) error
}

// lookup returns the value of r before filters. If the value is a member of a text about time, such
// as its year, whole is the text.
func (r *Ref) lookup(s *Scope) (v, whole any) {
	switch r.Root {
	case RootParams:
		v = s.Params[r.Name]
	case RootEnv:
		v = s.Env[r.Name]
	case RootSelectors:
		v = s.Selectors[r.Name]
	case RootSteps:
		v = s.Steps[r.Name]
	case RootPage:
		v = s.Page[r.Name]
	case RootModifier:
		return s.Modifier, nil
	case RootLocal:
		v = s.local(r.Name)
	}
	for i := range r.Path {
		if _, isText := v.(string); isText {
			whole = v
		}
		v = member(v, &r.Path[i])
	}
	return v, whole
}

func member(v any, k *Key) any {
	switch v := v.(type) {
	case map[string]any:
		if !k.IsIndex {
			return v[k.Name]
		}
	case string:
		if !k.IsIndex {
			return timeMember(v, k.Name)
		}
	case []any:
		at := k.Index
		if at < 0 {
			at += len(v)
		}
		if k.IsIndex && at >= 0 && at < len(v) {
			return v[at]
		}
	}
	return nil
}

func (s *Scope) local(name string) any {
	for i := len(s.Locals) - 1; i >= 0; i-- {
		if s.Locals[i].Name == name {
			return s.Locals[i].Value
		}
	}
	return nil
}

// A Local is a variable of a block: "index", "item", or the name given by foreach.
type Local struct {
	Name  string
	Value any
}
