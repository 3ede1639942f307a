package steps

// Declaration of steps. [Define] makes the entry of a step from the function that runs it. The
// struct of its arguments says what the entry accepts (see plan.go), and that of its result what it
// returns (see result.go).

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/spec"
)

// Define returns the complete entry of a step without verbs. The function run performs the step.
// The fields of A are the arguments, and the fields of R are those of the result. If R is [Result],
// e.Result lists the fields. Define panics if a struct is invalid.
func Define[A, R any](e Entry, run func(context.Context, *Env, *A) (R, error), more ...Option[A]) *Entry {
	p := planOf(reflect.TypeFor[A]())
	p.finish()
	if e.Args != nil || e.Hand != nil || e.OneOf != nil || e.With != nil {
		p.fail("", "the entry %s sets what only the struct may set", e.Name)
	}
	for _, f := range p.args {
		e.Args = append(e.Args, f.Arg)
	}
	e.OneOf, e.With, e.Hand, e.AliasHand, e.Main = p.oneOf, p.with, p.hand, p.alias, p.main
	for alias := range p.alias {
		if !slices.Contains(e.Aliases, alias) {
			p.fail("", "%s has no alias %s", e.Name, alias)
		}
	}
	e.plan = p
	e.Run, e.Result = running(e.Name, run, e.Result)
	for _, o := range more {
		o(&e.hooks, p)
	}
	return &e
}

// running returns a runner that calls the function run. It also returns the fields of the result.
func running[A, R any](name string, run func(context.Context, *Env, *A) (R, error), said []Field) (runner, []Field) {
	r := resultOf(reflect.TypeFor[R]())
	if r != nil {
		if said != nil {
			panic("steps: the entry " + name + " lists the fields of " + r.of.String())
		}
		said = r.fields
	}
	return func(ctx context.Context, env *Env, a *Args) (Result, error) {
		out, err := run(ctx, env, a.bound.(*A))
		if err != nil {
			return nil, err
		}
		if r == nil {
			return any(out).(Result), nil
		}
		return r.plain(reflect.ValueOf(out)), nil
	}, said
}

// DefineVerbs returns the complete entry of a step with verbs. An argument or a field of the result
// may belong to several verbs. It is enough if one of them documents it. Arguments and fields are
// listed in the order of their docs.
func DefineVerbs(e Entry, verbs ...Verb) *Entry {
	for i := range verbs {
		v := &verbs[i]
		for _, f := range v.plan.args {
			if f.Doc != "" {
				e.describe(v, f)
			}
		}
		for _, f := range v.result {
			same := func(r Field) bool { return r.Name == f.Name && r.Doc == f.Doc }
			if f.Doc != "" && !slices.ContainsFunc(e.Result, same) {
				e.Result = append(e.Result, f)
			}
		}
		v.Hand = v.plan.hand
	}
	for i := range verbs {
		verbs[i].complete(&e)
	}
	e.Verbs = verbs
	what := Arg{Name: VerbArg, Type: ArgEnum, Values: e.VerbNames(), Required: true, Doc: "what to do; literal"}
	e.Args, e.Hand = append([]Arg{what}, e.Args...), []string{VerbArg}
	e.Run = func(ctx context.Context, env *Env, a *Args) (Result, error) { return a.verb.run(ctx, env, a) }
	return &e
}

func (e *Entry) describe(v *Verb, f *argField) {
	if said := e.Arg(f.Name); said != nil {
		if said.Doc != f.Doc {
			v.plan.fail(f.field, "two verbs of %s describe it differently", e.Name)
		}
		return
	}
	a := f.Arg
	a.Required = false // the verb decides whether the argument is required
	e.Args = append(e.Args, a)
}

// complete copies what the arguments of v lack, such as docs, from the other verbs of e.
func (v *Verb) complete(e *Entry) {
	for _, f := range v.plan.args {
		v.Args = append(v.Args, f.Name)
		if f.Required {
			v.Needs = append(v.Needs, f.Name)
		}
		said := e.Arg(f.Name)
		if said == nil || said.Type != f.Type {
			v.plan.fail(f.field, "no verb of %s describes it with this type", e.Name)
		}
		f.Doc, f.Min, f.Max = said.Doc, said.Min, said.Max
		if !f.Required && !f.pointer {
			f.Default = said.Default
		}
	}
	v.plan.finish()
	// Arguments are bound in the order of the step, so that of two errors the same one always comes
	// first.
	names := e.ArgNames()
	slices.SortStableFunc(v.plan.args, func(a, b *argField) int { return slices.Index(names, a.Name) - slices.Index(names, b.Name) })
	for _, f := range v.result {
		if !slices.ContainsFunc(e.Result, func(r Field) bool { return r.Name == f.Name }) {
			v.plan.fail("", "no verb of %s describes the field %s of the result", e.Name, f.Name)
		}
	}
}

// NewVerb returns the complete declaration of a verb. The function run performs the verb. The
// fields of A are the arguments, and the fields of R are those of the result.
func NewVerb[A, R any](v Verb, run func(context.Context, *Env, *A) (R, error), more ...Option[A]) Verb {
	v.plan = planOf(reflect.TypeFor[A]())
	v.run, v.result = running(v.Name, run, nil)
	for _, o := range more {
		o(&v.hooks, v.plan)
	}
	return v
}

// An Option adds a hook to a step whose arguments are A.
type Option[A any] func(h *hooks, p *plan)

// Checks adds a check of the arguments as a whole. f is called only if each argument is valid by
// itself.
func Checks[A any](f func(w *Written[A]) diag.List) Option[A] {
	return func(h *hooks, p *plan) { h.check = func(op *Op) diag.List { return f(&Written[A]{plan: p, Op: op}) } }
}

// Sure adds a function that returns an error if the step must fail, whatever the page shows. f is
// called only if the values of all arguments are known.
func Sure[A any](f func(s *expr.Scope, a *A) error) Option[A] {
	return func(h *hooks, _ *plan) {
		h.sure = func(s *expr.Scope, a *Args) error { return f(s, a.bound.(*A)) }
	}
}

// Limited adds a function that returns the default time limit of the step. It is for steps whose
// limit depends on the arguments.
func Limited[A any](f func(w *Written[A]) Limit) Option[A] {
	return func(h *hooks, p *plan) { h.limit = func(op *Op) Limit { return f(&Written[A]{plan: p, Op: op}) } }
}

// Permitted adds a function that returns the name of the step in policies; see [Op.PolicyName].
func Permitted[A any](f func(w *Written[A]) string) Option[A] {
	return func(h *hooks, p *plan) { h.policy = func(op *Op) string { return f(&Written[A]{plan: p, Op: op}) } }
}

// Pageless adds a function that reports whether the step works without a page.
func Pageless[A any](f func(w *Written[A]) bool) Option[A] {
	return func(h *hooks, p *plan) { h.pageless = func(op *Op) bool { return f(&Written[A]{plan: p, Op: op}) } }
}

// Reading adds a function that reports whether the step reads or changes the page without a
// selector; see [Op.LooksWithoutElement].
func Reading[A any](f func(w *Written[A]) bool) Option[A] {
	return func(h *hooks, p *plan) { h.reads = func(op *Op) bool { return f(&Written[A]{plan: p, Op: op}) } }
}

// Looks adds a function that reports whether the condition of a waiting step holds now. known is
// false if that cannot be decided without waiting.
func Looks[A any](f func(ctx context.Context, env *Env, a *A) (holds, known bool, err error)) Option[A] {
	return func(h *hooks, _ *plan) {
		h.now = func(ctx context.Context, env *Env, a *Args) (bool, bool, error) { return f(ctx, env, a.bound.(*A)) }
	}
}

// HoldsNow reports whether the condition of a waiting step holds now. known is false if that cannot
// be decided without waiting, or if the step does not wait.
func (o *Op) HoldsNow(ctx context.Context, env *Env, a *Args) (holds, known bool, err error) {
	if now := o.Entry.hooks.now; now != nil {
		return now(ctx, env, a)
	}
	return false, false, nil
}

// Written reads the arguments of a step as they stand in the file, before ${…} is filled in. An
// argument is named by the address of its field, as in w.At(&w.Args.Selector).
type Written[A any] struct {
	Args A
	plan *plan
	Op   *Op
}

// WrittenIn returns a Written for a step in a file. e is the entry of the step. Only the method
// Node may be called. ok is false if e is nil, or if the step has other arguments than A.
func WrittenIn[A any](e *Entry) (w *Written[A], ok bool) {
	if e == nil || e.plan == nil || e.plan.of != reflect.TypeFor[A]() {
		return nil, false
	}
	return &Written[A]{plan: e.plan}, true
}

// WrittenBy returns a Written for a compiled step. ok is false if the step has other arguments than
// A.
func WrittenBy[A any](op *Op) (w *Written[A], ok bool) {
	if w, ok = WrittenIn[A](op.Entry); ok {
		w.Op = op
	}
	return w, ok
}

// name returns the name of an argument. field is the address of its field in w.Args.
func (w *Written[A]) name(field any) string {
	offset := reflect.ValueOf(field).Pointer() - reflect.ValueOf(&w.Args).Pointer()
	for _, f := range w.plan.args {
		if f.offset == offset {
			return f.Name
		}
	}
	panic(fmt.Sprintf("steps: %T is not a field of %s", field, w.plan.of))
}

// At returns an argument, or nil if the argument is absent. field is the address of its field in
// w.Args.
func (w *Written[A]) At(field any) *Expr { return w.Op.Args[w.name(field)] }

// Has reports whether an argument is present.
func (w *Written[A]) Has(field any) bool { return w.At(field) != nil }

// Text returns the text of an argument, or "" if the argument is absent or contains a reference.
func (w *Written[A]) Text(field any) string {
	text, _ := w.At(field).LiteralText()
	return text
}

// Node returns the YAML node of an argument of s, or nil if the argument is absent.
func (w *Written[A]) Node(s *spec.Step, field any) *spec.Node { return s.Args.Get(w.name(field)) }
