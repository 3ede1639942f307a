package executor

// The lookup of an action: short names, aliases, deprecation.

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// maxAliases bounds a chain of alias_of. The loader already rejects cycles.
const maxAliases = 20

// resolve finds the action with the given name and follows alias_of. For an action of ns, the name
// may be the short form component:verb. requested is the full name before aliases are followed.
func (x *Executor) resolve(ns *spec.Namespace, name string, warn warner) (_ *spec.Namespace, _ *spec.Action, requested string, err error) {
	if x.Catalog == nil {
		return nil, nil, name, diag.New(diag.ActionNotFound, "no action is named %q: there are no definitions", name).
			WithHint("add a definition file, for example under .agent-browser/actions")
	}
	full := fullName(ns, name)
	requested = full
	for range maxAliases {
		ns, a, err := x.Catalog.Lookup(full)
		if err != nil {
			return nil, nil, requested, err
		}
		if full == requested {
			requested = a.FullName()
		}
		warnDeprecated(a, warn)
		warnShadowed(a, warn)
		if a.AliasOf == nil {
			return ns, a, requested, nil
		}
		full = fullName(ns, a.AliasOf.Value)
	}
	return nil, nil, requested, diag.New(diag.DefinitionInvalid, "found %s in a chain of too many aliases, expected at most %d", requested, maxAliases).
		WithHint("write the name of the action itself in `alias_of`")
}

func fullName(ns *spec.Namespace, name string) string {
	if ns != nil && strings.Count(name, ":") == 1 {
		return ns.Name + ":" + name
	}
	return name
}

func warnDeprecated(a *spec.Action, warn warner) {
	switch {
	case a.DeprecatedMessage != "":
		warn(WarnDeprecated, "%s is deprecated: %s", a.FullName(), a.DeprecatedMessage)
	case a.AliasOf != nil:
		warn(WarnDeprecated, "%s is a deprecated name: use %s", a.FullName(), a.AliasOf.Value)
	case a.Deprecated:
		warn(WarnDeprecated, "%s is deprecated", a.FullName())
	}
}

func warnShadowed(a *spec.Action, warn warner) {
	for _, r := range a.Replaced {
		switch {
		case r.Added:
			warn(WarnShadowed, "%s has the %s from %s, which adds to %s", a.FullName(), r.What, r.By, r.At)
		case r.What == "":
			warn(WarnShadowed, "%s comes from %s, which replaces %s", a.FullName(), r.By, r.At)
		default:
			warn(WarnShadowed, "%s has the %s from %s, which replaces %s", a.FullName(), r.What, r.By, r.At)
		}
	}
}

// warnOverridden warns about each variant in written that replaces steps of a lower source.
func warnOverridden(a *spec.Action, written []*spec.Variant, warn warner) {
	for _, v := range written {
		if r, ok := a.Overridden[v]; ok {
			warn(WarnShadowed, "%s for version %s comes from %s, which replaces %s", a.FullName(), r.What, r.By, r.At)
		}
	}
}
