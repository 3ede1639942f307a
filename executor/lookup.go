package executor

// Finding an action: short names, aliases, deprecation.

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// maxAliases bounds a chain of alias_of; the loader refuses cycles already.
const maxAliases = 20

// resolve finds name, which may be component:verb inside ns, and follows alias_of. asked is
// the full name that was looked up first.
func (x *Executor) resolve(ns *spec.Namespace, name string, warn warner) (_ *spec.Namespace, _ *spec.Action, asked string, err error) {
	if x.Catalog == nil {
		return nil, nil, name, diag.New(diag.ActionNotFound, "no action is named %q: there are no definitions", name).
			WithHint("add a definition file, for example under .agent-browser/actions")
	}
	full := fullName(ns, name)
	asked = full
	for range maxAliases {
		ns, a, err := x.Catalog.Lookup(full)
		if err != nil {
			return nil, nil, asked, err
		}
		if full == asked {
			asked = a.FullName()
		}
		tellDeprecated(a, warn)
		tellShadowed(a, warn)
		if a.AliasOf == nil {
			return ns, a, asked, nil
		}
		full = fullName(ns, a.AliasOf.Value)
	}
	return nil, nil, asked, diag.New(diag.DefinitionInvalid, "%s is an alias of more than %d others", asked, maxAliases).
		WithHint("let alias_of name the action itself")
}

func fullName(ns *spec.Namespace, name string) string {
	if ns != nil && strings.Count(name, ":") == 1 {
		return ns.Name + ":" + name
	}
	return name
}

func tellDeprecated(a *spec.Action, warn warner) {
	switch {
	case a.DeprecatedMessage != "":
		warn(WarnDeprecated, "%s is deprecated: %s", a.FullName(), a.DeprecatedMessage)
	case a.AliasOf != nil:
		warn(WarnDeprecated, "%s is another name of %s: use that", a.FullName(), a.AliasOf.Value)
	case a.Deprecated:
		warn(WarnDeprecated, "%s is deprecated", a.FullName())
	}
}

func tellShadowed(a *spec.Action, warn warner) {
	for _, r := range a.Replaced {
		switch {
		case r.Added:
			warn(WarnShadowed, "%s has the %s of %s: it adds to %s", a.FullName(), r.What, r.By, r.At)
		case r.What == "":
			warn(WarnShadowed, "%s is that of %s: it replaces %s", a.FullName(), r.By, r.At)
		default:
			warn(WarnShadowed, "%s has the %s of %s: it replaces %s", a.FullName(), r.What, r.By, r.At)
		}
	}
}

// tellOverridden warns about variants for the detected version that a higher source has
// written.
func tellOverridden(a *spec.Action, written []*spec.Variant, warn warner) {
	for _, v := range written {
		if r, ok := a.Overridden[v]; ok {
			warn(WarnShadowed, "%s is, for version %s, that of %s: it replaces %s", a.FullName(), r.What, r.By, r.At)
		}
	}
}
