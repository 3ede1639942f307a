package browser

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"actionregistry/diag"
	"actionregistry/selectors"
	"actionregistry/steps"
)

// Read implements [steps.Reader].
func (p *Page) Read(ctx context.Context, t steps.Target, o steps.ReadOptions) (any, error) {
	r, err := p.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "read", What: o.What, Attr: o.Name}})
	if err != nil {
		return nil, err
	}
	return plain(r.Value)
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

// glance calls a function of the engine other than act, with the selector bound
// for the document.
func (s *seeker) glance(ctx context.Context, method string, arg func(id int64) any, out any) (world, error) {
	for {
		w, err := s.p.currentWorld(ctx)
		if err != nil {
			return w, err
		}
		if err := s.bind(ctx, w.doc); err != nil {
			return w, err
		}
		id := s.p.acts.next()
		err = s.call(ctx, w, method, id, arg(id), out)
		if !errors.Is(err, errWorldGone) {
			return w, err
		}
		if err := s.p.afterWorld(ctx, w); err != nil {
			return w, err
		}
	}
}

// Find implements [steps.Reader].
func (p *Page) Find(ctx context.Context, t steps.Target) (steps.Found, error) {
	s := p.seek(ctx, t)
	s.limit = 0
	var r struct {
		acted
		Visible bool `json:"visible"`
	}
	w, err := s.glance(ctx, "find", func(int64) any { return map[string]any{"query": s.query} }, &r)
	if err != nil {
		return steps.Found{}, err
	}
	if r.Reason != "" && r.Reason != "none" {
		r.doc = w.doc
		return steps.Found{}, s.failure(ctx, &r.acted)
	}
	s.decided(w.doc, &r.acted)
	return steps.Found{Element: r.El.plain(), Count: r.Count, Visible: r.Visible}, nil
}

// Is implements [steps.Reader].
func (p *Page) Is(ctx context.Context, t steps.Target, state string) (bool, error) {
	s := p.seek(ctx, t)
	s.limit = 0
	var r struct {
		acted
		OK    *bool `json:"ok"`
		Value bool  `json:"value"`
	}
	w, err := s.glance(ctx, "is", func(int64) any { return map[string]any{"query": s.query, "state": state} }, &r)
	switch {
	case err != nil:
		return false, err
	case r.Reason == "" && (r.OK == nil || *r.OK):
		return r.Value, nil
	case r.Reason == "none" && state == "visible":
		return false, nil
	}
	r.doc = w.doc
	return false, s.failure(ctx, &r.acted)
}

// Extract implements [steps.Reader].
func (p *Page) Extract(ctx context.Context, rows steps.Target, fields []steps.ExtractField) ([]map[string]any, error) {
	type field struct {
		Name  string           `json:"name"`
		Query *selectors.Query `json:"query"`
		What  string           `json:"what"`
		Attr  string           `json:"attr,omitempty"`
		All   bool             `json:"all,omitempty"`
	}
	wanted := make([]field, len(fields))
	for i, f := range fields {
		wanted[i] = field{f.Name, f.Query, f.Read.What, f.Read.Name, f.All}
	}
	s := p.seek(ctx, rows)
	var r struct {
		acted
		Rows []map[string]any `json:"rows"`
	}
	w, err := s.glance(ctx, "extract", func(id int64) any {
		return map[string]any{"query": s.query, "fields": wanted, "id": id, "timeout": s.left().Milliseconds(),
			"grace": rows.Grace.Milliseconds(), "elapsed": time.Since(s.start).Milliseconds()}
	}, &r)
	if err != nil {
		return nil, err
	}
	if r.Reason != "" && r.Reason != "none" {
		r.doc = w.doc
		return nil, s.failure(ctx, &r.acted)
	}
	s.decided(w.doc, &r.acted)
	return r.Rows, nil
}
