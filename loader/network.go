package loader

// Reading policy.network.

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/hosts"
	"github.com/actionregistry/action/spec"
)

// privateNetwork reads policy.network.private. If any source denies private networks, they are
// denied.
func (r *configReader) privateNetwork(n *spec.Node) {
	switch {
	case n.Kind == spec.String && n.Str == "deny":
		if !r.config.Policy.Network.DenyPrivate {
			r.config.Policy.Network.DenyPrivate, r.config.Policy.Network.PrivatePos = true, r.position(n)
		}
	case n.Kind == spec.String && n.Str == "allow":
	default:
		r.kind(n, "allow or deny")
	}
}

// position returns the position of a value in its file. For a variable or a flag, it returns the
// zero value.
func (r *configReader) position(n *spec.Node) diag.Pos {
	if r.where != "" {
		return diag.Pos{}
	}
	return n.Pos
}

// destinations reads a list of policy.network. It reports invalid entries.
func (r *configReader) destinations(n *spec.Node) []hosts.Destination {
	var texts []string
	r.list(n, &texts)
	out := make([]hosts.Destination, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = hosts.ParseDestination(text); err != nil {
			r.errorf(n.Items[i], "found %s, expected a host, an address or a network", clip(text)).WithHint("%v", err)
		}
		out[i].Pos = r.position(n.Items[i])
	}
	return out
}

func (r *configReader) allowNetwork(n *spec.Node) {
	if list := r.destinations(n); !r.failed {
		r.config.Policy.Network.Allow = list
	}
}

func (r *configReader) denyNetwork(n *spec.Node) {
	if list := r.destinations(n); !r.failed {
		r.config.Policy.Network.Deny = append(r.config.Policy.Network.Deny, list...)
	}
}
