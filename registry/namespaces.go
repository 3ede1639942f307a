package registry

// A Summary is one entry of a list of namespaces.
type Summary struct {
	Name        string `json:"name"`
	Version     string `json:"version,omitempty"` // SemVer of the definitions
	Description string `json:"description,omitempty"`
	Source      string `json:"source"` // source of the highest layer
	Count       int    `json:"count"`  // number of its actions, including aliases but not internal ones
}

// A NamespaceDescription is the description of a namespace.
type NamespaceDescription struct {
	Summary
	Sources []string `json:"sources"` // sources of all layers, lowest first
	Files   []string `json:"files"`   // in the same order
	Env     []string `json:"env"`     // variables that the namespace declares
	Actions []Item   `json:"actions"`
}

// Summaries returns every namespace, by name.
func (r *Registry) Summaries() []Summary {
	count := make(map[string]int)
	for _, e := range r.entries {
		if !e.action.Internal {
			count[e.ns.Name]++
		}
	}
	namespaces := r.Namespaces()
	out := make([]Summary, len(namespaces))
	for i, ns := range namespaces {
		out[i] = Summary{Name: ns.Name, Version: ns.Version, Description: ns.Description, Count: count[ns.Name]}
		if n := len(ns.Layers); n > 0 {
			out[i].Source = ns.Layers[n-1].Source.String()
		}
	}
	return out
}

// DescribeNamespace returns the description of a namespace. For an unknown name, the error is an
// ACTION_NOT_FOUND.
func (r *Registry) DescribeNamespace(name string) (*NamespaceDescription, error) {
	if r.namespaces[name] == nil {
		return nil, r.noNamespace(name)
	}
	items, err := r.List(name)
	if err != nil {
		return nil, err
	}
	d := &NamespaceDescription{Sources: []string{}, Files: []string{}, Env: []string{}, Actions: items}
	for _, s := range r.Summaries() {
		if s.Name == name {
			d.Summary = s
		}
	}
	ns := r.namespaces[name]
	for _, layer := range ns.Layers {
		d.Sources = append(d.Sources, layer.Source.String())
		d.Files = append(d.Files, layer.Files...)
	}
	for _, v := range ns.Env {
		d.Env = append(d.Env, v.Name)
	}
	return d, nil
}
