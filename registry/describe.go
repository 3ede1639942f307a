package registry

import (
	"cmp"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A Description is the description of an action, as plain data. Secret defaults are masked.
type Description struct {
	Name              string     `json:"name"`
	Namespace         string     `json:"namespace"`
	Version           string     `json:"version"` // version of the definitions
	Description       string     `json:"description,omitempty"`
	Since             string     `json:"since,omitempty"`
	Deprecated        bool       `json:"deprecated,omitempty"`
	DeprecatedMessage string     `json:"deprecated_message,omitempty"`
	AliasOf           string     `json:"alias_of,omitempty"`
	Params            []Param    `json:"params,omitempty"`   // params of the action, or of its target if it is an alias
	Settle            string     `json:"settle,omitempty"`   // the longest wait of its input steps for their effects
	Calm              bool       `json:"calm,omitempty"`     // whether its steps stop waiting once the page is calm
	Approval          string     `json:"approval,omitempty"` // "required" if a person must approve it
	Steps             []Step     `json:"steps,omitempty"`
	Verify            []string   `json:"verify,omitempty"`
	Returns           any        `json:"returns,omitempty"`
	Selectors         []Selector `json:"selectors,omitempty"`    // aliases that it uses, directly or through others
	Env               []string   `json:"env,omitempty"`          // variables that it reads
	EnvDeclared       []string   `json:"env_declared,omitempty"` // variables that it and the actions that it runs may read; filled in by definitions.Set.Describe
	MinVersion        string     `json:"min_version,omitempty"`
	MaxVersion        string     `json:"max_version,omitempty"`
	VersionOverrides  []Override `json:"version_overrides,omitempty"` // overrides that change the action or its aliases
	Source            string     `json:"source"`
	Parts             []Part     `json:"parts"`             // position of each part
	Shadows           []diag.Pos `json:"shadows,omitempty"` // definitions that this one replaces
	NamespaceAbout    string     `json:"namespace_description,omitempty"`
}

// A Step is a summary of one step.
type Step struct {
	Action      string `json:"action"`
	Description string `json:"description,omitempty"`
	Args        any    `json:"args,omitempty"`
	When        string `json:"when,omitempty"`
	Scope       string `json:"scope,omitempty"`
	Output      string `json:"output,omitempty"`
	Busy        string `json:"busy,omitempty"`   // "ignore" if the step sets it
	Settle      string `json:"settle,omitempty"` // the longest wait; 0s for false
	Calm        *bool  `json:"calm,omitempty"`
	Expect      string `json:"expect,omitempty"`
	Approval    string `json:"approval,omitempty"` // "required" if a person must approve it
	Fallback    []Step `json:"fallback,omitempty"`
	Steps       []Step `json:"steps,omitempty"`
	Cases       []Case `json:"cases,omitempty"`
}

// A Case is one case of a `choose` step. If When is empty, the case runs if no other case does.
// Only the last case may have an empty When.
type Case struct {
	When        string `json:"when,omitempty"`
	Description string `json:"description,omitempty"`
	Steps       []Step `json:"steps"`
}

// A Selector is an alias with its candidates.
type Selector struct {
	Name     string   `json:"name"`
	Primary  string   `json:"primary"`
	Fallback []string `json:"fallback,omitempty"`
	Position diag.Pos `json:"position"`
}

// An Override describes what changes for some versions of the page's library.
type Override struct {
	Pattern   string   `json:"pattern"`
	Selectors []string `json:"selectors,omitempty"`
	Replaces  []string `json:"replaces,omitempty"` // the parts of the action that it replaces: steps, verify, returns
	Position  diag.Pos `json:"position"`
}

// A Part is the position of one part of an action.
type Part struct {
	Name     string   `json:"name"`
	Position diag.Pos `json:"position"`
}

// mask is shown instead of a secret value.
const mask = "***"

// Describe describes the action with that full name. An alias has the params of its target.
func (r *Registry) Describe(name string) (*Description, error) {
	ns, a, err := r.Lookup(name)
	if err != nil {
		return nil, err
	}
	d := &Description{
		Name: a.FullName(), Namespace: ns.Name, NamespaceAbout: ns.Description, Version: ns.Version,
		Description: a.Description, Since: a.Since, Deprecated: a.Deprecated, DeprecatedMessage: a.DeprecatedMessage,
		Params: describeParams(a.Params), Settle: settle(cmp.Or(a.Settle, ns.Settle)), Calm: a.Calm, Approval: approval(a.Approval), Steps: describeSteps(a.Steps), Returns: a.Returns.Value(),
		MinVersion: value(ns.Compat.Min), MaxVersion: value(ns.Compat.Max),
		Source: a.Source.String(), Shadows: a.Shadows,
	}
	if a.AliasOf != nil {
		d.AliasOf = aliasTarget(ns, a)
		if target, err := r.Resolve(name); err == nil && len(a.Params) == 0 {
			d.Params = describeParams(target.Action.Params)
		}
	}
	for _, c := range a.Verify {
		d.Verify = append(d.Verify, describeCheck(c))
	}
	for part, pos := range a.Parts {
		d.Parts = append(d.Parts, Part{part, pos})
	}
	sort.Slice(d.Parts, func(i, j int) bool { return d.Parts[i].Name < d.Parts[j].Name })
	d.uses(ns, a)
	return d, nil
}

func value(t *spec.Text) string {
	if t == nil {
		return ""
	}
	return t.Value
}

func describeSteps(steps []*spec.Step) []Step {
	var out []Step
	for _, s := range steps {
		out = append(out, Step{
			Action: s.Action.Value, Description: s.Description, Args: s.Args.Value(), When: value(s.When), Scope: value(s.Scope),
			Busy: busy(s), Settle: settle(s.Settle), Calm: s.Calm, Expect: value(s.Expect), Approval: approval(s.Approval),
			Output: value(s.Output), Fallback: describeSteps(s.Fallback), Steps: describeSteps(s.Steps), Cases: describeCases(s),
		})
	}
	return out
}

func busy(s *spec.Step) string {
	if s.IgnoresBusy {
		return "ignore"
	}
	return ""
}

func approval(required bool) string {
	if required {
		return spec.ApprovalRequired
	}
	return ""
}

func settle(s *spec.Settle) string {
	if s == nil {
		return ""
	}
	return s.Time().String()
}

func describeCases(s *spec.Step) []Case {
	var out []Case
	for _, c := range s.Cases {
		out = append(out, Case{When: value(c.When), Description: c.Description, Steps: describeSteps(c.Steps)})
	}
	if s.Else != nil {
		out = append(out, Case{Steps: describeSteps(s.Else)})
	}
	return out
}

func describeCheck(c *spec.Check) string {
	if c.Condition != nil {
		return c.Condition.Value
	}
	var parts []string
	if c.Wait != nil {
		for _, k := range c.Wait.Keys {
			parts = append(parts, k.Name+" "+k.Value.Str)
		}
	}
	return strings.Join(parts, ", ")
}

// reference matches references to aliases and environment variables in a text. It need not be
// exact.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(selectors|env)\s*(?:\.\s*([A-Za-z_][A-Za-z0-9_-]*)|\[\s*["']([^"']+)["']\s*\])`)
})

// uses adds to d the aliases and environment variables that an action uses, and the version
// overrides that change it.
func (d *Description) uses(ns *spec.Namespace, a *spec.Action) {
	aliases, env := make(map[string]bool), make(map[string]bool)
	view := ns.At(nil).Aliases
	var look func(text string)
	look = func(text string) {
		for _, m := range reference().FindAllStringSubmatch(text, -1) {
			name := m[2] + m[3]
			if m[1] == "env" {
				env[name] = true
				continue
			}
			if aliases[name] {
				continue
			}
			aliases[name] = true
			if alias := view[name]; alias != nil {
				for _, c := range alias.Candidates() {
					look(c.Value)
				}
			}
		}
	}
	eachText(a, look)
	for _, name := range sortedKeys(aliases) {
		alias := view[name]
		if alias == nil {
			continue
		}
		s := Selector{Name: name, Primary: alias.Primary.Value, Position: alias.Pos}
		for _, f := range alias.Fallback {
			s.Fallback = append(s.Fallback, f.Value)
		}
		d.Selectors = append(d.Selectors, s)
	}
	d.Env = sortedKeys(env)
	d.overrides(ns, a, aliases)
}

func (d *Description) overrides(ns *spec.Namespace, a *spec.Action, aliases map[string]bool) {
	for _, layer := range ns.Layers {
		for _, o := range layer.Overrides {
			out := Override{Pattern: o.Pattern.Value, Position: o.Pattern.Pos()}
			for name := range o.Selectors {
				if aliases[name] {
					out.Selectors = append(out.Selectors, name)
				}
			}
			sort.Strings(out.Selectors)
			if v := o.Actions[a.Name]; v != nil {
				out.Replaces = v.Written()
				sort.Strings(out.Replaces)
			}
			if len(out.Selectors) > 0 || len(out.Replaces) > 0 {
				d.VersionOverrides = append(d.VersionOverrides, out)
			}
		}
	}
}

// eachText calls f for every text of an action that may contain references.
func eachText(a *spec.Action, f func(string)) {
	var node func(n *spec.Node)
	node = func(n *spec.Node) {
		if n == nil {
			return
		}
		f(n.Str)
		for _, item := range n.Items {
			node(item)
		}
		for _, k := range n.Keys {
			node(k.Value)
		}
	}
	var steps func(list []*spec.Step)
	steps = func(list []*spec.Step) {
		for _, s := range list {
			f(value(s.When))
			f(value(s.Scope))
			node(s.Args)
			for _, c := range s.Cases {
				f(value(c.When))
			}
			s.Nested(steps)
		}
	}
	f(value(a.Scope))
	steps(a.Steps)
	for _, c := range a.Verify {
		f(value(c.Condition))
		f(value(c.Message))
		node(c.Wait)
	}
	node(a.Returns)
}

func sortedKeys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
