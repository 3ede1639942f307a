package steps

// Binding evaluates the arguments of an attempt and stores them in the step's struct, by the field
// indices of its plan.

import (
	"reflect"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Bind evaluates the arguments of the op in the scope s. It calls target for each selector. If a
// value does not fit its argument, the error is PARAM_INVALID.
func (o *Op) Bind(s *expr.Scope, target func(*selectors.Selector) driver.Target) (*Args, error) {
	a, _, err := o.bind(s, target, nil)
	return a, err
}

// bind is like Bind, but omits the arguments for which known returns false. whole reports whether
// it has omitted none.
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

// Refused returns the error of a step that must fail, whatever the page shows. Examples are an
// argument that does not fit, a `fail` step, and an `assert` whose condition does not hold. For
// other steps, Refused returns nil. decided reports whether the value of a reference is known.
// Arguments with unknown references are not checked.
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

// finish sets p.blank, a struct with the default values. It panics if an argument has no doc.
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

// make returns a pointer to a new struct of arguments, with the default values.
func (p *plan) make(m TargetMaker) reflect.Value {
	v := reflect.New(p.of)
	v.Elem().Set(p.blank)
	if p.maker != nil {
		v.Elem().FieldByIndex(p.maker).Set(reflect.ValueOf(m))
	}
	return v
}

func bindArg(arg *Arg, x *Expr, s *expr.Scope, target func(*selectors.Selector) driver.Target) (any, error) {
	switch arg.Type {
	case ArgSelector, ArgCSS, ArgXPath:
		t := target(x.Selector)
		return &t, nil
	case ArgPlace:
		if x.Selector != nil {
			t := target(x.Selector)
			return &t, nil
		}
	case ArgCondition:
		return x.Condition, nil
	case ArgFields:
		return bindFields(x, s, target)
	case ArgSelectors:
		return bindSelectors(x, target), nil
	case ArgAttrs:
		return bindAttrs(x, s, target)
	case ArgRows:
		return bindLists(x, s, target)
	case ArgURL:
		if x.Template == nil {
			return driver.ParseURLPattern(expr.Text(x.Literal))
		}
		return bindURL(x.Template, s)
	}
	v, err := x.Eval(s)
	if err != nil {
		return nil, err
	}
	var msg string
	if arg.Type == ArgPairs {
		v, msg = toPairs(v, x.Keys)
	} else {
		v, msg = arg.Convert(v, true)
	}
	if msg != "" {
		return nil, diag.At(x.Pos, diag.ParamInvalid, "%s is %s", arg.Name, msg).
			WithHint("check the value that the argument refers to")
	}
	return v, nil
}

func bindSelectors(x *Expr, target func(*selectors.Selector) driver.Target) []BoundField {
	out := make([]BoundField, 0, len(x.Keys))
	for _, name := range x.Keys {
		t := target(x.Fields[name].Selector)
		out = append(out, BoundField{Name: name, Target: &t})
	}
	return out
}

func bindAttrs(x *Expr, s *expr.Scope, target func(*selectors.Selector) driver.Target) (any, error) {
	out := make([]BoundField, 0, len(x.Keys))
	for _, name := range x.Keys {
		sub := x.Fields[name].Fields
		attr, err := sub["name"].Eval(s)
		if err != nil {
			return nil, err
		}
		t := target(sub["selector"].Selector)
		out = append(out, BoundField{Name: name, Target: &t, Attr: expr.Text(attr)})
	}
	return out, nil
}

func bindLists(x *Expr, s *expr.Scope, target func(*selectors.Selector) driver.Target) (any, error) {
	out := make([]BoundField, 0, len(x.Keys))
	for _, name := range x.Keys {
		sub := x.Fields[name].Fields
		fields, err := bindFields(sub["fields"], s, target)
		if err != nil {
			return nil, err
		}
		t := target(sub["rows"].Selector)
		f := BoundField{Name: name, Target: &t, Fields: fields}
		if e := sub["hue"]; e != nil {
			hue, err := e.Eval(s)
			if err != nil {
				return nil, err
			}
			f.Only.Hue = expr.Text(hue)
		}
		is := func(key string) bool { return sub[key] != nil && sub[key].Literal == true }
		f.Only.Shown, f.Only.Over = is("shown"), is("over")
		out = append(out, f)
	}
	return out, nil
}

func bindFields(x *Expr, s *expr.Scope, target func(*selectors.Selector) driver.Target) ([]BoundField, error) {
	out := make([]BoundField, 0, len(x.Keys))
	for _, name := range x.Keys {
		f := BoundField{Name: name, What: "text"}
		sub := x.Fields[name].Fields
		if sel := sub["selector"]; sel != nil {
			t := target(sel.Selector)
			f.Target = &t
		}
		if all := sub["all"]; all != nil {
			f.All = all.Literal == true
		}
		for key, into := range map[string]*string{"what": &f.What, "attr": &f.Attr} {
			if e := sub[key]; e != nil {
				v, err := e.Eval(s)
				if err != nil {
					return nil, err
				}
				*into = expr.Text(v)
			}
		}
		out = append(out, f)
	}
	return out, nil
}
