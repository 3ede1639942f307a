package executor_test

// Definitions for tests, written as JSON: package loader is in the same row, so it must not be
// imported.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/version"
)

// A catalog finds actions of namespaces.
type catalog map[string]*spec.Namespace

func (c catalog) Lookup(name string) (*spec.Namespace, *spec.Action, error) {
	first, rest, _ := strings.Cut(name, ":")
	if ns := c[first]; ns != nil && ns.Actions[rest] != nil {
		return ns, ns.Actions[rest], nil
	}
	return nil, nil, diag.New(diag.ActionNotFound, "no action is named %q", name).WithHint("see action list")
}

// define makes a catalog of namespaces from JSON texts in the form of definition
// files.
func define(t testing.TB, texts ...string) catalog {
	t.Helper()
	c := catalog{}
	for _, text := range texts {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		n, err := readNode(d)
		if err != nil {
			t.Fatalf("definition: %v", err)
		}
		ns := namespace(n)
		c[ns.Name] = ns
	}
	return c
}

func readNode(d *json.Decoder) (*spec.Node, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &spec.Node{Pos: diag.Pos{File: "test.yaml", Line: 1, Column: int(d.InputOffset())}}
	switch v := tok.(type) {
	case json.Delim:
		n.Kind = spec.Map
		if v == '[' {
			n.Kind = spec.List
		}
		for d.More() {
			var key spec.Key
			if v == '{' {
				name, err := d.Token()
				if err != nil {
					return nil, err
				}
				key = spec.Key{Name: name.(string), Pos: n.Pos}
			}
			item, err := readNode(d)
			if err != nil {
				return nil, err
			}
			key.Value = item
			if v == '{' {
				n.Keys = append(n.Keys, key)
			} else {
				n.Items = append(n.Items, item)
			}
		}
		_, err = d.Token()
		return n, err
	case string:
		n.Kind, n.Str, n.Raw = spec.String, v, v
	case bool:
		n.Kind, n.Bool, n.Raw = spec.Bool, v, fmt.Sprint(v)
	case json.Number:
		n.Kind, n.Raw = spec.Int, v.String()
		if n.Int, err = v.Int64(); err != nil {
			n.Kind = spec.Float
			n.Float, err = v.Float64()
		}
	}
	return n, err
}

func str(n *spec.Node) string {
	if n == nil {
		return ""
	}
	return n.Str
}

func text(n *spec.Node) *spec.Text {
	if n == nil {
		return nil
	}
	return &spec.Text{Value: n.Str, Node: n}
}

func each(n *spec.Node, f func(name string, v *spec.Node)) {
	if n == nil {
		return
	}
	for _, k := range n.Keys {
		f(k.Name, k.Value)
	}
}

func namespace(n *spec.Node) *spec.Namespace {
	ns := &spec.Namespace{Name: str(n.Get("namespace")), Actions: map[string]*spec.Action{}}
	if env := n.Get("env"); env != nil {
		for _, v := range env.Items {
			if v.Kind == spec.String {
				ns.Env = append(ns.Env, spec.EnvVar{Name: v.Str, Secret: true})
			} else {
				ns.Env = append(ns.Env, spec.EnvVar{Name: str(v.Get("name"))})
			}
		}
	}
	layer := spec.Layer{Selectors: aliases(n.Get("selectors"))}
	if c := n.Get("compatibility"); c != nil {
		ns.Compat = spec.Compat{
			Script: text(c.Get("version_script")), Meta: text(c.Get("version_meta")), Selector: text(c.Get("version_selector")),
			Min: text(c.Get("min_version")), Max: text(c.Get("max_version")),
		}
		each(c.Get("version_markup"), func(name string, v *spec.Node) {
			ns.Compat.Markup = append(ns.Compat.Markup, spec.Markup{Version: spec.Text{Value: name, Node: v}, Selector: *text(v)})
		})
		each(c.Get("version_overrides"), func(pattern string, v *spec.Node) {
			match, err := version.ParsePattern(pattern, nil)
			if err != nil {
				panic(err)
			}
			o := spec.Override{Match: match, Selectors: aliases(v.Get("selectors")), Actions: map[string]*spec.Variant{}}
			each(v.Get("actions"), func(name string, v *spec.Node) {
				o.Actions[name] = &spec.Variant{Steps: stepList(v.Get("steps"), "steps"), Verify: checks(v.Get("verify")), Returns: v.Get("returns")}
			})
			layer.Overrides = append(layer.Overrides, o)
		})
	}
	ns.Layers = []spec.Layer{layer}
	each(n.Get("actions"), func(name string, v *spec.Node) { ns.Actions[name] = action(ns, name, v) })
	return ns
}

func aliases(n *spec.Node) map[string]*spec.Alias {
	out := map[string]*spec.Alias{}
	each(n, func(name string, v *spec.Node) {
		a := &spec.Alias{Name: name, Pos: v.Pos}
		if v.Kind == spec.String {
			a.Primary = *text(v)
		} else {
			a.Primary = *text(v.Get("primary"))
			for _, f := range v.Get("fallback").Items {
				a.Fallback = append(a.Fallback, *text(f))
			}
		}
		out[name] = a
	})
	return out
}

func action(ns *spec.Namespace, name string, n *spec.Node) *spec.Action {
	a := &spec.Action{
		Namespace: ns.Name, Name: name, Pos: n.Pos, AliasOf: text(n.Get("alias_of")), Scope: text(n.Get("scope")),
		DeprecatedMessage: str(n.Get("deprecated_message")), Deprecated: n.Get("deprecated") != nil,
		Params: params(n.Get("params")), Steps: stepList(n.Get("steps"), "steps"),
		Verify: checks(n.Get("verify")), Returns: n.Get("returns"),
		Approval: str(n.Get("approval")) == spec.ApprovalRequired,
	}
	return a
}

func params(n *spec.Node) []*spec.Param {
	var out []*spec.Param
	each(n, func(name string, v *spec.Node) { out = append(out, param(name, v)) })
	return out
}

func param(name string, v *spec.Node) *spec.Param {
	p := &spec.Param{Name: name, Pos: v.Pos, Type: spec.ParamType(str(v.Get("type"))), Default: v.Get("default"), Properties: params(v.Get("properties"))}
	if p.Type == "" {
		p.Type = spec.TypeString
	}
	if r := v.Get("required"); r != nil {
		p.Required = r.Bool
	}
	if s := v.Get("secret"); s != nil {
		p.Secret = s.Bool
	}
	if items := v.Get("items"); items != nil {
		p.Items = param("", items)
	}
	return p
}

func stepList(n *spec.Node, path string) []*spec.Step {
	if n == nil {
		return nil
	}
	out := []*spec.Step{}
	for i, v := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		s := &spec.Step{
			Pos: v.Pos, Path: at, Action: *text(v.Get("action")), Args: v.Get("args"), When: text(v.Get("when")),
			Output: text(v.Get("output")), OnError: spec.OnError(str(v.Get("on_error"))),
			Fallback: stepList(v.Get("fallback"), at+".fallback"), Steps: stepList(v.Get("steps"), at+".steps"), Else: stepList(v.Get("else"), at+".else"), Scope: text(v.Get("scope")),
			Expect: text(v.Get("expect")), IgnoresBusy: str(v.Get("busy")) == "ignore",
			Approval: str(v.Get("approval")) == spec.ApprovalRequired,
			Retry:    spec.Retry{Delay: spec.DefaultRetryDelay},
		}
		if cases := v.Get("cases"); cases != nil {
			for j, one := range cases.Items {
				s.Cases = append(s.Cases, &spec.Case{Pos: one.Pos, When: text(one.Get("when")), Steps: stepList(one.Get("steps"), fmt.Sprintf("%s.cases[%d].steps", at, j))})
			}
		}
		if d := v.Get("timeout"); d != nil {
			s.Timeout = duration(d)
		}
		if d := v.Get("settle"); d != nil {
			s.Settle = &spec.Settle{On: true, Most: *duration(d), Pos: v.Pos}
		}
		if d := v.Get("retry_delay"); d != nil {
			s.Retry.Delay = *duration(d)
		}
		switch r := v.Get("retry"); {
		case r == nil:
		case r.Kind == spec.Int:
			s.Retry.Times = int(r.Int)
		default:
			s.Retry.Times = int(r.Get("times").Int)
			for _, code := range r.Get("on").Items {
				s.Retry.On = append(s.Retry.On, diag.Code(code.Str))
			}
		}
		out = append(out, s)
	}
	return out
}

func duration(n *spec.Node) *time.Duration {
	d := time.Duration(n.Int) * time.Millisecond
	if n.Kind == spec.String {
		var err error
		if d, err = time.ParseDuration(n.Str); err != nil {
			panic(err)
		}
	}
	return &d
}

func checks(n *spec.Node) []*spec.Check {
	if n == nil {
		return nil
	}
	out := []*spec.Check{}
	for _, v := range n.Items {
		c := &spec.Check{Pos: v.Pos, Condition: text(v.Get("condition")), Message: text(v.Get("message"))}
		if r := v.Get("require_change"); r != nil {
			c.RequireChange, c.OnlyAfter = r.Bool, !r.Bool
		}
		if c.Condition == nil {
			wait := &spec.Node{Kind: spec.Map, Pos: v.Pos}
			for _, k := range v.Keys {
				if k.Name != "message" && k.Name != "require_change" {
					wait.Keys = append(wait.Keys, k)
				}
			}
			c.Wait = wait
		}
		out = append(out, c)
	}
	return out
}
