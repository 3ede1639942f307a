package executor

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"runtime"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// A scope holds the values that the expressions of an action, or of one iteration of a block, can
// read.
type scope struct {
	expr.Scope
	outputs    map[string]any // outputs of this scope only
	inputs     map[string]int // number of inputs of the run before each output was set
	narrowings []*narrowing   // of the enclosing blocks, innermost last
}

// A narrowing limits selectors in a foreach to one element.
type narrowing struct {
	block *steps.Op
	ref   string // "" until it is set
}

// narrowed implements [selectors.Binding.Narrowed].
func (s *scope) narrowed(key any) string {
	for _, n := range s.narrowings {
		if n.block == key {
			return n.ref
		}
	}
	return ""
}

func newScope(params, env map[string]any) *scope {
	s := &scope{outputs: make(map[string]any), inputs: make(map[string]int)}
	s.Params, s.Env, s.Modifier = params, env, modifier()
	s.Steps = s.outputs
	return s
}

// iteration returns the scope of one iteration of a block inside s.
func (s *scope) iteration(locals []expr.Local) *scope {
	in := &scope{Scope: s.Scope, outputs: make(map[string]any), inputs: make(map[string]int), narrowings: s.narrowings}
	in.Steps = maps.Clone(s.Steps)
	in.Locals = append(s.Locals[:len(s.Locals):len(s.Locals)], locals...)
	return in
}

// set sets an output. The argument "inputs" is the number of inputs that the run has sent so far.
func (s *scope) set(name string, v any, inputs int) {
	s.outputs[name] = v
	s.Steps[name] = v
	s.inputs[name] = inputs
}

func modifier() string {
	if runtime.GOOS == "darwin" {
		return "Meta"
	}
	return "Control"
}

// readPage reads page.url and page.title again.
func (f *frame) readPage(ctx context.Context, s *scope) error {
	if f.browser == nil {
		return noPage("page.url and page.title")
	}
	doc, err := f.page().Document(ctx)
	if err != nil {
		return err
	}
	s.Page = map[string]any{"url": doc.URL, "title": doc.Title}
	return nil
}

func noPage(what string) *diag.Error {
	return diag.New(diag.BrowserUnavailable, "found a run without a page, expected a page for %s", what).
		WithHint("start a browser for the run, or make a dry run")
}

// readEnv reads the variables that the program uses, and registers the secret ones.
func (r *run) readEnv(f *frame) (map[string]any, error) {
	if len(f.prog.Env) == 0 {
		return nil, nil
	}
	f.env = f.prog.Env
	env := make(map[string]any, len(f.prog.Env))
	for _, name := range f.prog.Env {
		v, ok := declaredEnv(f.ns, name)
		if !ok {
			return nil, diag.New(diag.DefinitionInvalid, "found the environment variable %q, which %s does not declare", name, f.ns.Name).
				WithHint("add the variable to `env` at the top of the file")
		}
		if r.opts.Policy != nil {
			if err := r.opts.Policy.Env(f.ns, v); err != nil {
				return nil, err
			}
		}
		value, set := "", false
		if r.o.Environ != nil {
			value, set = r.o.Environ(name)
		}
		if !set {
			r.warn(WarnEnvNotSet, "the environment variable %s is not set", name)
			continue
		}
		if v.Secret {
			r.masker.Add(value)
		}
		env[name] = value
	}
	return env, nil
}

func declaredEnv(ns *spec.Namespace, name string) (spec.EnvVar, bool) {
	for _, v := range ns.Env {
		if v.Name == name {
			return v, true
		}
	}
	return spec.EnvVar{}, false
}

// hideParams registers the values of secret params as secrets, including nested ones. It is also
// called before the params are checked, so that no message shows them.
func (r *run) hideParams(params []*spec.Param, values map[string]any) {
	for _, p := range params {
		if v, ok := values[p.Name]; ok && !r.tooManySecrets() {
			r.hideParam(p, v)
		}
	}
}

func (r *run) hideParam(p *spec.Param, v any) {
	if p.Secret {
		r.masker.Add(v)
		return
	}
	if text, ok := v.(string); ok && hasSecret(p) {
		// Lists and objects from the command line are JSON text.
		var plain any
		if json.Unmarshal([]byte(text), &plain) == nil {
			v = plain
		}
	}
	switch v := v.(type) {
	case []any:
		if p.Items == nil {
			return
		}
		for _, item := range v {
			if r.tooManySecrets() {
				return // checkSecrets rejects the call
			}
			r.hideParam(p.Items, item)
		}
	case map[string]any:
		r.hideParams(p.Properties, v)
	case string:
		if p.Items != nil {
			r.hideParam(p.Items, v) // a list param accepts a single item without a list
		}
	}
}

// hideDerived registers the result of a filter as a secret if the filter's input contains one. The
// masker may not recognize a secret that a filter has changed.
func (r *run) hideDerived(from, to any) error {
	if r.masker.Len() == 0 {
		return nil
	}
	if text := expr.Text(from); r.pass().String(text) == text {
		return nil
	}
	r.masker.Add(to)
	return r.checkSecrets()
}

// masks reports whether v contains a secret.
func (r *run) masks(v any) bool {
	return r.masker.Len() > 0 && !reflect.DeepEqual(r.pass().Value(v), v)
}

// hideAddress registers as secrets the parts into which an address divides secrets. A later output
// may show only one of them.
func (r *run) hideAddress(address string) {
	if !r.tooManySecrets() {
		r.masker.AddAddress(address, r.done)
	}
}

func hasSecret(p *spec.Param) bool {
	if p == nil {
		return false
	}
	for _, sub := range p.Properties {
		if hasSecret(sub) {
			return true
		}
	}
	return p.Secret || hasSecret(p.Items)
}
