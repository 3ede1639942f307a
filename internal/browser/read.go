package browser

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Read implements [driver.Reader].
func (p *reader) Read(ctx context.Context, t driver.Target, o driver.ReadOptions) (driver.Reading, error) {
	need := attached
	if o.What == "ref" {
		need = []string{"visible"}
	}
	r, err := p.finder.find(ctx, t, act{Need: need, Strict: true, Op: op{Name: "read", What: o.What, Attr: o.Name, Limit: o.Limit, But: o.But}})
	if err != nil {
		return driver.Reading{}, err
	}
	if o.What == "ref" {
		return driver.Reading{Value: p.binder.give(r)}, nil
	}
	if o.What == "table" {
		p.Net.MarkHere()
	}
	value, err := eval.Plain(r.Value)
	if parts, ok := value.(map[string]any); ok && o.What == "calendar" {
		for name, ref := range r.Refs {
			parts[name] = p.binder.giveOf(r, ref)
		}
	}
	return driver.Reading{Value: value, Cut: r.Cut}, err
}

const (
	rowsLook   = 250 * time.Millisecond  // interval of the checks of the requests
	rowsDrawn  = 2 * time.Second         // time in which a page draws an answer
	rowsSilent = 1500 * time.Millisecond // time in which a page draws other rows without a request
	rowsBehind = 3 * time.Second         // time for requests that are open when other rows are shown
)

// ReadRenewed implements [driver.Reader]. It queries the table repeatedly. A query ends when the
// engine sees rows that differ from the ones before. Once all requests are answered, it ends after
// a few frames in any case.
func (p *reader) ReadRenewed(ctx context.Context, t driver.Target, before []any) (driver.Reading, bool, error) {
	start, whole := time.Now(), t.Timeout
	left := func() time.Duration { return min(whole-time.Since(start), documents.Patience(ctx)) }
	read := func(o op, d time.Duration) (any, error) {
		t.Timeout, o.Name, o.What = d, "read", "table"
		r, err := p.finder.find(ctx, t, act{Need: attached, Strict: true, Op: o})
		if err != nil {
			return nil, err
		}
		return eval.Plain(r.Value)
	}
	var changed time.Time
	for {
		look := time.Now()
		asked, open := p.Net.Marked()
		o, d := op{Before: &before}, rowsLook
		if asked > 0 && open == 0 {
			o.Drawn, d = true, rowsDrawn
		}
		value, err := read(o, min(d, left()))
		began, still := p.Net.Marked()
		table, _ := value.(map[string]any)
		same := err != nil && diag.As(err) != nil && diag.As(err).Details["reason"] == "same_rows"
		switch {
		case err == nil && table["same"] == true:
			if began == asked && still == 0 || left() <= 0 {
				failed, why := p.Net.Failures()
				if failed > 0 && failed == began {
					return driver.Reading{}, false, diag.New(diag.StepFailed, "the table still shows its previous rows, and all requests of the page since then have failed: %s", why).
						WithHint("check with `requests` which request failed; the table shows the old rows")
				}
				return driver.Reading{Value: value}, began == asked && still == 0 && failed == 0, nil
			}
		case err == nil:
			if changed.IsZero() {
				changed = time.Now()
			}
			if still == 0 && (o.Drawn || began == 0) || time.Since(changed) >= rowsBehind || left() <= 0 {
				return driver.Reading{Value: value}, true, nil
			}
			// Pending requests may bring other rows.
			if err := p.answeredWithin(ctx, min(rowsLook, left())); err != nil {
				return driver.Reading{}, false, err
			}
		case same && (began == 0 && time.Since(start) >= rowsSilent || left() <= rowsLook):
			value, err := read(op{}, left())
			return driver.Reading{Value: value}, false, err
		case left() <= 0 || ctx.Err() != nil || !same && time.Since(look) < rowsLook/2: // an error that waiting does not change
			return driver.Reading{}, false, err
		}
	}
}

// answeredWithin waits until all requests since MarkHere are answered, for at most d. If requests
// are still open then, the error is nil.
func (p *reader) answeredWithin(ctx context.Context, d time.Duration) error {
	short, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := p.Link.Until(short, "", func() bool {
		_, open := p.Net.Marked()
		return open == 0
	})
	if short.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// queryNow calls a function of the engine without waiting for a match.
func (s *seeker) queryNow(ctx context.Context, method string, with func(lookup) any) (*acted, error) {
	s.limit = 0
	return s.search(ctx, question{method: method, with: with, once: true, match: state{State: "visible"}, none: &acted{Reason: "none"}})
}

// Find implements [driver.Reader].
func (p *reader) Find(ctx context.Context, t driver.Target) (driver.Found, error) {
	r, err := p.queryOnce(ctx, t, "find")
	if err != nil {
		return driver.Found{}, err
	}
	return driver.Found{Element: r.El.plain(), Count: r.Count, Visible: r.Visible && !r.unseen, Ref: p.binder.give(r)}, nil
}

// Count implements [driver.Reader].
func (p *reader) Count(ctx context.Context, t driver.Target) (int, error) {
	r, err := p.queryOnce(ctx, t, "count")
	if err != nil {
		return 0, err
	}
	return r.Count, nil
}

// queryOnce is like queryNow for the target t, but accepts any number of matches, including none.
func (p *reader) queryOnce(ctx context.Context, t driver.Target, method string) (*acted, error) {
	s := p.finder.seek(ctx, t)
	r, err := s.queryNow(ctx, method, func(l lookup) any { return l })
	if err != nil {
		return nil, err
	}
	if r.Reason != "" && r.Reason != "none" {
		return nil, s.failure(ctx, r)
	}
	s.decided(r.doc, r)
	if t.Keep {
		p.controls.keepIn(r.w)
	}
	return r, nil
}

// Look implements [driver.Reader]. It searches separately for each question that leads into a frame
// of another process.
func (p *reader) Look(ctx context.Context, questions []driver.Question) ([]any, error) {
	type one struct {
		Query *selectors.Query `json:"query"`
		What  string           `json:"what"`
		Attr  string           `json:"attr,omitempty"`
		rowsAsked
	}
	type request struct {
		lookup
		Questions []one `json:"questions"`
	}
	queries := make([]*selectors.Query, len(questions)) // those of the questions, then those of their fields
	for _, q := range questions {
		queries = append(queries, fieldQueries(q.Fields)...)
	}
	s := p.finder.seek(ctx, driver.Target{Source: "the page", Busy: questions[0].Target.Busy, Bind: func(ctx context.Context, doc driver.Document) (*selectors.Query, error) {
		for i, q := range questions {
			var err error
			if queries[i], err = q.Target.Bind(ctx, doc); err != nil {
				return nil, err
			}
		}
		return &selectors.Query{}, nil
	}})
	s.limit = 0
	r, err := s.search(ctx, question{method: "looks", more: queries, once: true, match: state{State: "visible"}, with: func(l lookup) any {
		asked, at := make([]one, len(questions)), len(questions)
		for i, q := range questions {
			asked[i] = one{l.more[i], q.What, q.Attr, askRows(q.Fields, q.Only, l.more[at:])}
			at += len(q.Fields)
		}
		return request{l, asked}
	}})
	if err != nil {
		return nil, err
	}
	if !r.OK {
		return nil, s.failure(ctx, r)
	}
	out := make([]any, len(questions))
	for i, answer := range r.Answers {
		switch q := questions[i]; {
		case answer.OK:
			p.finder.seek(ctx, q.Target).decided(r.doc, answer)
			out[i], err = eval.Plain(answer.Value)
		case answer.Reason == "enter":
			out[i], err = p.lookInFrame(ctx, q)
		default:
			err = p.finder.seek(ctx, q.Target).failure(ctx, answer)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lookInFrame answers a question whose selector leads into a frame, with a separate search.
func (p *reader) lookInFrame(ctx context.Context, q driver.Question) (any, error) {
	type request struct {
		lookup
		What string `json:"what"`
		Attr string `json:"attr,omitempty"`
		rowsAsked
	}
	s := p.finder.seek(ctx, q.Target)
	s.limit = 0
	r, err := s.search(ctx, question{
		method: "looksInFrame", more: fieldQueries(q.Fields), once: true, match: state{State: "visible"}, none: &acted{Reason: "none"},
		with: func(l lookup) any { return request{l, q.What, q.Attr, askRows(q.Fields, q.Only, l.more)} },
	})
	switch {
	case err != nil:
		return nil, err
	case !r.OK || len(r.Answers) != 1:
		return nil, s.failure(ctx, r)
	}
	s.decided(r.doc, r)
	if q.What == "visible" && r.unseen {
		return 0.0, nil // the frame itself is hidden
	}
	return eval.Plain(r.Answers[0].Value)
}

// Is implements [driver.Reader].
func (p *reader) Is(ctx context.Context, t driver.Target, state string) (bool, error) {
	type request struct {
		lookup
		State string `json:"state"`
	}
	s := p.finder.seek(ctx, t)
	r, err := s.queryNow(ctx, "is", func(l lookup) any { return request{l, state} })
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
	return is, eval.Decode(r.Value, &is)
}

// rowsAsked says which rows to read, and which fields of each.
type rowsAsked struct {
	Fields []fieldAsked `json:"fields,omitempty"`
	Shown  bool         `json:"shown,omitempty"`
	Hue    string       `json:"hue,omitempty"`
	Over   bool         `json:"over,omitempty"`
}

// fieldAsked is a [driver.ExtractField] in the form that the engine receives.
type fieldAsked struct {
	Name  string           `json:"name"`
	Query *selectors.Query `json:"query"`
	What  string           `json:"what"`
	Attr  string           `json:"attr,omitempty"`
	All   bool             `json:"all,omitempty"`
}

// fieldQueries returns the query of each field. A nil query means the row itself.
func fieldQueries(fields []driver.ExtractField) []*selectors.Query {
	queries := make([]*selectors.Query, len(fields))
	for i, f := range fields {
		queries[i] = f.Query
	}
	return queries
}

// askRows returns the request for fields of rows. queries are the bound queries of the fields.
func askRows(fields []driver.ExtractField, only driver.RowFilter, queries []*selectors.Query) rowsAsked {
	asked := rowsAsked{Shown: only.Shown, Hue: only.Hue, Over: only.Over}
	for i, f := range fields {
		asked.Fields = append(asked.Fields, fieldAsked{f.Name, queries[i], f.Read.What, f.Read.Name, f.All})
	}
	return asked
}

// Extract implements [driver.Reader].
func (p *reader) Extract(ctx context.Context, rows driver.Target, fields []driver.ExtractField, only driver.RowFilter) ([]map[string]any, error) {
	type request struct {
		lookup
		rowsAsked
	}
	s := p.finder.seek(ctx, rows)
	r, err := s.search(ctx, question{
		method: "extract", match: state{State: "attached"}, more: fieldQueries(fields), none: &acted{OK: true},
		with: func(l lookup) any { return request{l, askRows(fields, only, l.more)} },
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

// WaitElement implements [driver.Waiter].
func (p *reader) WaitElement(ctx context.Context, t driver.Target, want driver.ElementState) (driver.Element, error) {
	if want.State == "" {
		want.State = "visible"
	}
	r, err := p.finder.find(ctx, t, act{Op: op{Name: "none"}, State: &state{want.State, want.Text}})
	if (want.State == "hidden" || want.State == "detached") && goneWithDocument(err) {
		return driver.Element{}, nil
	}
	if err != nil {
		return driver.Element{}, err
	}
	return r.El.plain(), nil
}

// goneWithDocument reports whether err says that the element of a ref is gone because its document
// was replaced.
func goneWithDocument(err error) bool {
	e := diag.As(err)
	return e != nil && e.Code == diag.StaleRef && e.Details["snapshot_page_rev"] != nil && e.Details["tab"] == nil && e.Details["snapshot_page_rev"] != e.Details["current_page_rev"]
}
