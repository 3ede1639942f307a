package browser

import (
	"context"
	"encoding/json"
	"slices"

	"actionregistry/diag"
	"actionregistry/selectors"
	"actionregistry/steps"
)

// Read implements [steps.Reader].
func (p *Page) Read(ctx context.Context, t steps.Target, o steps.ReadOptions) (steps.Reading, error) {
	need := attached
	if o.What == "ref" {
		need = []string{"visible"}
	}
	r, err := p.find(ctx, t, act{Need: need, Strict: true, Op: op{Name: "read", What: o.What, Attr: o.Name, Limit: o.Limit}})
	if err != nil {
		return steps.Reading{}, err
	}
	if o.What == "ref" {
		return steps.Reading{Value: p.give(r)}, nil
	}
	value, err := plain(r.Value)
	return steps.Reading{Value: value, Cut: r.Cut}, err
}

// plain decodes JSON of the page; an absent value is nil.
func plain(data json.RawMessage) (any, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var v any
	err := decodeValue(data, &v)
	return v, err
}

func decodeValue(data json.RawMessage, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return diag.New(diag.Internal, "reading the page failed: %v", err).
			WithHint("this is a fault of ours: please report it with the page")
	}
	return nil
}

// look asks x once, in every document that it takes.
func (s *seeker) look(ctx context.Context, method string, with func(lookup) any) (*acted, error) {
	s.limit = 0
	return s.search(ctx, question{method: method, with: with, once: true, match: state{State: "visible"}})
}

// Find implements [steps.Reader].
func (p *Page) Find(ctx context.Context, t steps.Target) (steps.Found, error) {
	r, err := p.lookOnce(ctx, t, "find")
	if err != nil {
		return steps.Found{}, err
	}
	return steps.Found{Element: r.El.plain(), Count: r.Count, Visible: r.Visible && !r.unseen, Ref: p.give(r)}, nil
}

// Count implements [steps.Reader].
func (p *Page) Count(ctx context.Context, t steps.Target) (int, error) {
	r, err := p.lookOnce(ctx, t, "count")
	if err != nil {
		return 0, err
	}
	return r.Count, nil
}

// lookOnce is a look that is not strict; that nothing matches is no failure of it.
func (p *Page) lookOnce(ctx context.Context, t steps.Target, method string) (*acted, error) {
	s := p.seek(ctx, t)
	r, err := s.look(ctx, method, func(l lookup) any { return l })
	if err != nil {
		return nil, err
	}
	if r.Reason != "" && r.Reason != "none" {
		return nil, s.failure(ctx, r)
	}
	s.decided(r.doc, r)
	if t.Keep {
		p.keepIn(r.w)
	}
	return r, nil
}

// Is implements [steps.Reader].
func (p *Page) Is(ctx context.Context, t steps.Target, state string) (bool, error) {
	type request struct {
		lookup
		State string `json:"state"`
	}
	s := p.seek(ctx, t)
	r, err := s.look(ctx, "is", func(l lookup) any { return request{l, state} })
	switch {
	case err != nil:
		return false, err
	case r.Reason == "none" && state == "visible":
		return false, nil
	case !r.OK:
		return false, s.failure(ctx, r)
	case state == "visible" && r.unseen:
		return false, nil
	}
	var is bool
	return is, decodeValue(r.Value, &is)
}

// Extract implements [steps.Reader].
func (p *Page) Extract(ctx context.Context, rows steps.Target, fields []steps.ExtractField, only steps.RowFilter) ([]map[string]any, error) {
	type field struct {
		Name  string           `json:"name"`
		Query *selectors.Query `json:"query"`
		What  string           `json:"what"`
		Attr  string           `json:"attr,omitempty"`
		All   bool             `json:"all,omitempty"`
	}
	wanted, queries := make([]field, len(fields)), make([]*selectors.Query, len(fields))
	for i, f := range fields {
		queries[i] = f.Query
		wanted[i] = field{f.Name, f.Query, f.Read.What, f.Read.Name, f.All}
	}
	type request struct {
		lookup
		Fields []field `json:"fields"`
		Shown  bool    `json:"shown,omitempty"`
		Hue    string  `json:"hue,omitempty"`
	}
	s := p.seek(ctx, rows)
	r, err := s.search(ctx, question{
		method: "extract", match: state{State: "attached"}, more: queries,
		with: func(l lookup) any {
			bound := slices.Clone(wanted)
			for i := range bound {
				bound[i].Query = l.more[i]
			}
			return request{l, bound, only.Shown, only.Hue}
		},
	})
	if err != nil {
		return nil, err
	}
	if r.Reason != "" && r.Reason != "none" {
		return nil, s.failure(ctx, r)
	}
	s.decided(r.doc, r)
	return r.Rows, nil
}
