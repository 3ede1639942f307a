package steps

// Binding evaluates the arguments of an attempt and stores them in the step's struct, by the field
// indices of its plan.

import (
	"reflect"
	"slices"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Bind evaluates the arguments in s. It calls target to make the target of each selector. A value
// that does not fit its argument is PARAM_INVALID.
func (o *Op) Bind(s *expr.Scope, target func(*selectors.Selector) driver.Target) (*Args, error) {
	a, _, err := o.bind(s, target, nil)
	return a, err
}

// bind is like Bind, but omits arguments for which known returns false. whole reports whether it
// omitted none.
func (o *Op) bind(s *expr.Scope, target func(*selectors.Selector) driver.Target, known func(*Expr) (bool, error)) (a *Args, whole bool, err error) {
	p, verb := o.plan()
	into := p.make(func(sel *selectors.Selector) driver.Target { return target(sel.In(o.Scope)) })
	a, whole = &Args{bound: into.Interface(), verb: verb}, true
	into = into.Elem()
	for _, f := range p.args {
		x := o.Args[f.Name]
		if x == nil {
			continue
		}
		if known != nil {
			if ok, err := known(x); err != nil {
				return nil, false, err
			} else if !ok {
				whole = false
				continue
			}
		}
		v, err := bindArg(&f.Arg, x, s, target)
		if err != nil {
			return nil, false, err
		}
		f.put(into.FieldByIndex(f.index), v)
		if f.subject && a.subject == nil {
			a.subject, _ = v.(*driver.Target)
		}
	}
	return a, whole, nil
}

// plan returns the plan of the step, or the plan of its verb and the verb.
func (o *Op) plan() (*plan, *Verb) {
	if len(o.Entry.Verbs) == 0 {
		return o.Entry.plan, nil
	}
	v := o.verb()
	return v.plan, v
}

// verb returns the verb that the op names, or nil.
func (o *Op) verb() *Verb {
	do, _ := o.Args[VerbArg].LiteralText()
	return o.Entry.Verb(do)
}

// Refused returns the error with which the step is certain to end, whatever the page shows, or nil
// if none is known: an argument that does not fit, a fail, an assert that does not hold, or a
// foreach over a value that is neither a list nor a map. decided reports whether the value of a
// reference is known. Arguments with other references are not checked.
func (o *Op) Refused(s *expr.Scope, decided func(*expr.Ref) bool) error {
	known := func(x *Expr) (bool, error) {
		refs := x.Refs()
		if slices.ContainsFunc(refs, func(r expr.Ref) bool { return !decided(&r) }) {
			return false, nil
		}
		if x.Selector == nil || len(refs) == 0 {
			return true, nil
		}
		_, err := x.Selector.Bind(selectors.Binding{Scope: s})
		return true, err
	}
	a, whole, err := o.bind(s, func(*selectors.Selector) driver.Target { return driver.Target{} }, known)
	if err != nil || !whole {
		return err
	}
	if sure := o.Entry.hooks.sure; sure != nil {
		return sure(s, a)
	}
	return nil
}

// finish fills the blank struct with the defaults. All arguments must have a doc by then.
func (p *plan) finish() {
	p.blank = reflect.New(p.of).Elem()
	for _, f := range p.args {
		if f.Doc == "" {
			p.fail(f.field, "it has no doc")
		}
		if f.Default == nil {
			continue
		}
		v, _ := f.Convert(f.Default, false)
		f.put(p.blank.FieldByIndex(f.index), v)
	}
}

// make returns a pointer to a new struct that contains the defaults.
func (p *plan) make(m TargetMaker) reflect.Value {
	v := reflect.New(p.of)
	v.Elem().Set(p.blank)
	if p.maker != nil {
		v.Elem().FieldByIndex(p.maker).Set(reflect.ValueOf(m))
	}
	return v
}

// putter returns the function that sets a field to a bound value; see bindArg.
func putter(a *argField) func(into reflect.Value, v any) {
	set := setter(a)
	if !a.pointer || a.Type == ArgCondition {
		return set
	}
	t := a.typ
	if t == reflect.TypeFor[driver.Target]() {
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v)) }
	}
	return func(into reflect.Value, v any) {
		p := reflect.New(t)
		set(p.Elem(), v)
		into.Set(p)
	}
}

func setter(a *argField) func(into reflect.Value, v any) {
	switch a.Type {
	case ArgInteger:
		return func(into reflect.Value, v any) { into.SetInt(int64(v.(float64))) }
	case ArgText, ArgEnum, ArgScript, ArgAction, ArgName:
		return func(into reflect.Value, v any) { into.SetString(v.(string)) }
	case ArgBoolean:
		return func(into reflect.Value, v any) { into.SetBool(v.(bool)) }
	case ArgValue:
		return func(into reflect.Value, v any) {
			if v != nil {
				into.Set(reflect.ValueOf(v))
			}
		}
	case ArgSelector:
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v).Elem()) }
	case ArgCSS, ArgXPath:
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v).Elem().Convert(a.typ)) }
	case ArgTextMap:
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(texts(v.(map[string]any)))) }
	case ArgPlace:
		return func(into reflect.Value, v any) {
			if at, ok := v.(driver.Point); ok {
				into.Set(reflect.ValueOf(driver.Place{Point: at}))
			} else {
				into.Set(reflect.ValueOf(driver.Place{Target: v.(*driver.Target)}))
			}
		}
	}
	if t := a.typ; t.Name() != "" && (t.Kind() == reflect.Map || t.Kind() == reflect.Slice) {
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v).Convert(t)) }
	}
	return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v)) }
}

func texts(m map[string]any) map[string]string {
	out := make(map[string]string, len(m))
	for name, v := range m {
		out[name] = expr.Text(v)
	}
	return out
}
