package executor

// The detection of the version of the page's library. A version belongs to a document.

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/version"
)

const blank = "about:blank"

// A document is what a namespace knows about one document of the page.
type document struct {
	id    string
	url   string
	raw   string           // text that the page reported
	found *version.Version // nil until it is detected
	marks bool             // the version was detected by the page's markup
	view  *spec.View
}

// A probe describes how to detect a namespace's version, and which versions the namespace
// supports.
type probe struct {
	driver.VersionProbe
	none  bool // the definition declares no way to detect the version
	marks []mark
	rng   version.Range
}

// A mark is a version and the markup that shows it.
type mark struct {
	version *version.Version
	driver.Question
}

// supported detects the version of a document and records it for the result. The error is
// VERSION_INCOMPATIBLE if the namespace does not support the version.
func (r *run) supported(ctx context.Context, ns *spec.Namespace, doc driver.Document) (*document, error) {
	d, err := r.detect(ctx, ns, doc)
	if err != nil || d.found == nil {
		return d, err
	}
	if r.main.ns == ns {
		r.version, r.detected = d.found.String(), ""
		if d.marks {
			r.detected = DetectedByMarkup
		}
	}
	p, err := r.x.probe(ns)
	if err != nil {
		return nil, err
	}
	if p.rng.Contains(d.found) {
		return d, nil
	}
	return nil, diag.New(diag.VersionIncompatible, "found version %s of the library of %s, expected %s", d.found, ns.Name, p.rng).
		WithHint("use a definition that supports this version, or extend `compatibility` and add an override").
		WithDetail("found", d.found.String()).WithDetail("reported", d.raw).WithDetail("supported", p.rng.String())
}

// detect returns what ns knows about doc. If no version has been found, detect queries the page
// again, because libraries may load late.
func (r *run) detect(ctx context.Context, ns *spec.Namespace, doc driver.Document) (*document, error) {
	d := r.docs[ns]
	if d == nil || d.id != doc.ID {
		d = &document{id: doc.ID, url: doc.URL, view: r.x.view(ns, nil)}
		r.docs[ns] = d
	}
	if d.found != nil || r.opts.NoVersions || doc.URL == blank {
		return d, nil
	}
	p, err := r.x.probe(ns)
	if err != nil {
		return d, err
	}
	if !p.none {
		raw, err := r.page().Version(ctx, p.VersionProbe)
		if err != nil {
			return nil, err
		}
		if v, ok := version.Coerce(raw); ok {
			d.raw, d.found, d.view = raw, v, r.x.view(ns, v)
		}
	}
	if d.found == nil && len(p.marks) > 0 {
		err = r.detectByMarkup(ctx, ns, p.marks, d)
	}
	return d, err
}

// detectByMarkup sets the version of d to that of the first mark whose markup the page shows.
func (r *run) detectByMarkup(ctx context.Context, ns *spec.Namespace, marks []mark, d *document) error {
	questions := make([]driver.Question, len(marks))
	for i := range marks {
		questions[i] = marks[i].Question
	}
	shown, err := r.page().Look(ctx, questions)
	if err != nil {
		return err
	}
	for i, n := range shown {
		if n != 0.0 {
			d.raw, d.found, d.marks = marks[i].Target.Source, marks[i].version, true
			d.view = r.x.view(ns, d.found)
			return nil
		}
	}
	return nil
}

// viewKey identifies a view by the overrides that apply to it.
type viewKey struct {
	ns      *spec.Namespace
	matched string
}

func (x *Executor) view(ns *spec.Namespace, v *version.Version) *spec.View {
	key := viewKey{ns: ns}
	if v != nil {
		var matched []byte
		for i := range ns.Layers {
			for j := range ns.Layers[i].Overrides {
				bit := byte('0')
				if m := ns.Layers[i].Overrides[j].Match; m != nil && m.Match(v) {
					bit = '1'
				}
				matched = append(matched, bit)
			}
		}
		key.matched = string(matched)
	}
	if view, ok := x.views.Load(key); ok {
		return view.(*spec.View)
	}
	view, _ := x.views.LoadOrStore(key, ns.At(v))
	return view.(*spec.View)
}

// probe returns the probe of a namespace, and compiles it on the first call.
func (x *Executor) probe(ns *spec.Namespace) (*probe, error) {
	if p, ok := x.probes.Load(ns); ok {
		return p.(*probe), nil
	}
	p, err := newProbe(&ns.Compat)
	if err != nil {
		return nil, err
	}
	kept, _ := x.probes.LoadOrStore(ns, p)
	return kept.(*probe), nil
}

func newProbe(c *spec.Compat) (*probe, error) {
	p := new(probe)
	var err error
	if p.rng.Min, err = bound(c.Min); err != nil {
		return nil, err
	}
	if p.rng.Max, err = bound(c.Max); err != nil {
		return nil, err
	}
	switch {
	case c.Script != nil:
		p.Script, err = version.ParseScript(c.Script.Value, c.Script.Node.At)
	case c.Selector != nil:
		p.Selector, err = versionQuery(c.Selector)
	case c.Meta != nil:
		p.Meta = c.Meta.Value
	default:
		p.none = true
	}
	for _, m := range c.Markup {
		if err != nil {
			break
		}
		err = p.addMark(m)
	}
	return p, err
}

func (p *probe) addMark(m spec.Markup) error {
	b, err := version.ParseBound(m.Version.Value, m.Version.Node.At)
	if err != nil {
		return err
	}
	q, err := versionQuery(&m.Selector)
	if err != nil {
		return err
	}
	p.marks = append(p.marks, mark{version.Open(b), driver.Question{What: "count", Target: driver.Target{
		Source: m.Selector.Value,
		Bind:   func(context.Context, driver.Document) (*selectors.Query, error) { return q, nil },
	}}})
	return nil
}

func bound(t *spec.Text) (*version.Bound, error) {
	if t == nil {
		return nil, nil
	}
	return version.ParseBound(t.Value, t.Node.At)
}

// versionQuery parses a selector for the version. The selector must not contain ${…}.
func versionQuery(t *spec.Text) (*selectors.Query, error) {
	sel, err := selectors.Parse(t.Value, selectors.Options{Literal: true, Expr: expr.Options{Pos: t.Node.At}})
	if err != nil {
		return nil, err
	}
	return sel.Bind(selectors.Binding{Scope: new(expr.Scope)})
}
