package loader

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/hosts"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// A Policy determines what definitions may do. It implements executor.Policy. The zero value allows
// everything that needs no grant. A Policy does not change once the configuration is read.
type Policy struct {
	// Allow holds lists of step names. A step is allowed only if each list contains it.
	Allow [][]string
	// Deny lists the steps that no one may use.
	Deny []string
	// Approve lists the risks and the names of steps that a person must approve.
	Approve []string
	// ApproveTimeout is the time for which a run waits for an approval. 0 means the default.
	// ApproveBy lists the channels over which approvals may be answered. Nil means the default.
	ApproveTimeout time.Duration
	ApproveBy      []string
	// PackageSteps maps the name of a package to the steps that are granted to it. Only some steps
	// need a grant.
	PackageSteps map[string][]string
	// PackageEnv maps the name of a package to the environment variables that it may read.
	PackageEnv map[string][]string
	// HostsAllow holds lists of hosts. An address is allowed only if its host matches each list.
	HostsAllow [][]hosts.Pattern
	HostsDeny  []hosts.Pattern
	// Network says which IP addresses the browser may connect to.
	Network hosts.Network
	// Files lists absolute folders that steps may read and write in addition to the caller's own.
	Files    []string
	FileURLs bool // definitions may open file: addresses
	// Dialogs maps kinds of dialogs to their answers: accept, dismiss or leave. Kinds that are not
	// in the map have the defaults of package dialogs.
	Dialogs map[string]string

	// unreadable is set when part of the policy could not be read.
	unreadable *diag.Error
}

func (p *Policy) deny(cause *diag.Error) {
	if p.unreadable == nil {
		p.unreadable = cause
	}
}

// Step returns an error if the policy denies a step of the action a. For a manual step, a is nil.
// step is the name in the definition, which may be an alias.
func (p *Policy) Step(a *spec.Action, step string) error {
	if p.unreadable != nil {
		return diag.New(diag.PolicyDenied, "every step is denied, because the policy cannot be read: %s", p.unreadable.Error()).
			WithHint("correct the configuration").Because(p.unreadable)
	}
	for _, list := range p.Allow {
		if !contains(list, step) {
			return p.refuse(step, "policy.allow does not list it")
		}
	}
	if contains(p.Deny, step) {
		return p.refuse(step, "policy.deny lists it")
	}
	if a == nil || !contains(catalogue.Granted(), step) {
		return nil
	}
	for _, source := range a.StepSources {
		if source.Kind == spec.Package && !contains(p.PackageSteps[source.Name], step) {
			return diag.New(diag.PolicyDenied, "the package %s may not use the step %s", source.Name, step).
				WithHint("if you trust the package, grant the step in your own config: policy: {package_steps: {%q: [%s]}}", source.Name, step)
		}
	}
	return nil
}

func (p *Policy) refuse(step, why string) error {
	return diag.New(diag.PolicyDenied, "the step %s is denied: %s", step, why).
		WithHint("change the policy in the configuration, or avoid the step")
}

// Env returns an error if the policy denies an environment variable. A package may read only the
// variables that PackageEnv grants it.
func (p *Policy) Env(_ *spec.Namespace, v spec.EnvVar) error {
	if p.unreadable != nil {
		return p.Step(nil, "")
	}
	if v.Source.Kind == spec.Package && !contains(p.PackageEnv[v.Source.Name], v.Name) {
		return diag.New(diag.PolicyDenied, "the package %s may not read the environment variable %s", v.Source.Name, v.Name).
			WithHint("if you trust the package, grant the variable in your own config: policy: {env: {%q: [%s]}}", v.Source.Name, v.Name)
	}
	return nil
}

// URL returns an error if the policy denies an address. manual is set for a manual step. URL does
// not resolve the names of hosts: the proxy of the browser checks their IP addresses.
func (p *Policy) URL(address string, manual bool) error {
	if p.unreadable != nil {
		return p.Step(nil, "")
	}
	u, err := url.Parse(address)
	if err != nil {
		return catalogue.CheckWebURL(address)
	}
	switch strings.ToLower(u.Scheme) {
	case "file":
		if !manual && !p.FileURLs {
			return diag.New(diag.PolicyDenied, "file: addresses may be opened only by a person, with a manual step").
				WithHint("set `policy: {file_urls: true}` in ~/.agent-browser/config.yaml, or serve the folder over http: python3 -m http.server")
		}
		return nil
	case "http", "https":
	default:
		return catalogue.CheckWebURL(address)
	}
	if len(p.HostsAllow) == 0 && len(p.HostsDeny) == 0 && !p.Network.Restricts() {
		return nil
	}
	host, ok := hosts.OfURL(u)
	if !ok {
		return diag.New(diag.PolicyDenied, "found the address %s without a host to compare with policy.hosts and policy.network", clip(address)).
			WithHint("write a whole address such as https://example.test/")
	}
	for _, pattern := range p.HostsDeny {
		if pattern.Denies(host) {
			return p.refuseHost(host, fmt.Sprintf("policy.hosts.deny lists %s", naming(pattern, host)))
		}
	}
	for _, list := range p.HostsAllow {
		if !slices.ContainsFunc(list, func(pattern hosts.Pattern) bool { return pattern.Allows(host) }) {
			return p.refuseHost(host, "policy.hosts.allow does not list it")
		}
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)])
	if refused := p.Network.JudgeName(host, port); refused != nil {
		return refused.Coded()
	}
	return nil
}

// naming returns the end of a message that begins with "policy.hosts.deny lists": "it", or the
// pattern if it differs from the host.
func naming(pattern hosts.Pattern, host string) string {
	if pattern.Allows(host) {
		return "it"
	}
	return pattern.String() + ", which is the same machine"
}

func (p *Policy) refuseHost(host, why string) error {
	return diag.New(diag.PolicyDenied, "the host %s is denied: %s", clip(host), why).
		WithHint("change policy.hosts in the configuration, or open another address")
}

// AllowsFile reports whether an absolute path is in a folder that the policy allows. The path must
// not contain links.
func (p *Policy) AllowsFile(path string) bool {
	for _, dir := range p.Files {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// stepNames reads a list of names of steps. It reports unknown names.
func (r *configReader) stepNames(n *spec.Node) []string {
	var names []string
	if r.list(n, &names); r.failed {
		return nil
	}
	known := stepNames()
	for i, name := range names {
		if !contains(known, name) {
			e := r.errorf(n.Items[i], "there is no step %s", clip(name))
			if e.Hint = diag.DidYouMean(name, known); e.Hint == "" {
				e.WithHint("docs/steps.md lists the names of all steps")
			}
		}
	}
	return names
}

func stepNames() []string {
	var out []string
	for _, e := range catalogue.Entries() {
		out = append(append(out, e.Name), e.Aliases...)
	}
	sort.Strings(out)
	return out
}

// allowSteps adds a list of allowed steps. A step is allowed if all lists allow it.
func (r *configReader) allowSteps(n *spec.Node) {
	if names := r.stepNames(n); !r.failed {
		r.config.Policy.Allow = append(r.config.Policy.Allow, names)
	}
}

// denySteps adds denied steps. A step is denied if any list denies it.
func (r *configReader) denySteps(n *spec.Node, out *[]string) {
	if names := r.stepNames(n); !r.failed {
		*out = append(*out, names...)
	}
}

// hostPatterns reads a list of patterns of hosts. It reports invalid patterns.
func (r *configReader) hostPatterns(n *spec.Node) []hosts.Pattern {
	var texts []string
	r.list(n, &texts)
	patterns := make([]hosts.Pattern, len(texts))
	for i, text := range texts {
		var err error
		if patterns[i], err = hosts.Parse(text); err != nil {
			r.errorf(n.Items[i], "found %s, expected a host", clip(text)).WithHint("%v", err)
		}
	}
	return patterns
}

func (r *configReader) allowHosts(n *spec.Node) {
	if patterns := r.hostPatterns(n); !r.failed {
		r.config.Policy.HostsAllow = append(r.config.Policy.HostsAllow, patterns)
	}
}

func (r *configReader) denyHosts(n *spec.Node) {
	if patterns := r.hostPatterns(n); !r.failed {
		r.config.Policy.HostsDeny = append(r.config.Policy.HostsDeny, patterns...)
	}
}

func (r *configReader) packageSteps(n *spec.Node) {
	known := stepNames()
	r.grants(n, &r.config.Policy.PackageSteps, func(name string) *diag.Error {
		if contains(known, name) {
			return nil
		}
		e := diag.New(diag.DefinitionInvalid, "there is no step %s", clip(name)).WithHint("docs/steps.md lists the names of all steps")
		if hint := diag.DidYouMean(name, known); hint != "" {
			e.Hint = hint
		}
		return e
	})
}

// grants reads a map from npm packages to lists of names, and stores it in out. The function check
// returns an error for an invalid name.
func (r *configReader) grants(n *spec.Node, out *map[string][]string, check func(string) *diag.Error) {
	if n.Kind != spec.Map {
		r.kind(n, "a map of packages to lists")
		return
	}
	grants := make(map[string][]string, len(n.Keys))
	for _, k := range n.Keys {
		if !isPackageName(k.Name) {
			r.errorf(&spec.Node{Pos: k.Pos}, "found %s, expected the name of an npm package", clip(k.Name)).WithHint("write name or @scope/name")
		}
		var names []string
		if r.list(k.Value, &names); r.failed {
			continue
		}
		for i, name := range names {
			if e := check(name); e != nil {
				r.errorf(k.Value.Items[i], "%s", e.Msg).Hint = e.Hint
			}
		}
		grants[k.Name] = names
	}
	if !r.failed {
		*out = grants
	}
}
