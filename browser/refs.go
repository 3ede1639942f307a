package browser

// Refs: what a snapshot or a find has shown is found again, or the step is told
// that it is not there any more.

import (
	"context"
	"fmt"
	"slices"

	"actionregistry/diag"
	"actionregistry/selectors"
	"actionregistry/snapshot"
)

// book is where the refs of the page are written down.
func (p *Page) book() *snapshot.Book { return p.refs }

// documentOf tells package snapshot of the main-frame document that w belongs to.
func (p *Page) documentOf(w world) snapshot.Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	return snapshot.Document{ID: w.doc.ID, URL: w.doc.URL, PageRev: p.rev}
}

// bindRefs puts what refs stand for into q, for the document of main, and tells in
// which world q begins: that of the frame of its first ref.
func (p *Page) bindRefs(q *selectors.Query, main world) (*selectors.Query, world, error) {
	if q == nil || !partsHaveRef(q.Parts) {
		return q, main, nil
	}
	b := &refBinder{p: p, main: main, now: p.documentOf(main), from: main}
	parts, err := b.parts(q.Parts, true)
	if err != nil {
		return nil, world{}, err
	}
	return &selectors.Query{Parts: parts}, b.from, nil
}

func partsHaveRef(parts []selectors.QueryPart) bool {
	return slices.ContainsFunc(parts, func(part selectors.QueryPart) bool {
		return part.Kind == selectors.RefKind || part.Has != nil && partsHaveRef(part.Has.Parts) || part.Frame != nil && partsHaveRef(part.Frame.Parts) ||
			slices.ContainsFunc(part.Alts, func(a selectors.QueryAlt) bool { return partsHaveRef(a.Parts) })
	})
}

// A refBinder binds the refs of one query.
type refBinder struct {
	p    *Page
	main world
	now  snapshot.Document
	from world // where the query begins
}

// parts binds a copy of parts; leading: they begin the query.
func (b *refBinder) parts(parts []selectors.QueryPart, leading bool) ([]selectors.QueryPart, error) {
	parts = slices.Clone(parts)
	for i := range parts {
		if err := b.part(&parts[i], leading && i == 0); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func (b *refBinder) part(part *selectors.QueryPart, leading bool) error {
	if part.Kind == selectors.RefKind {
		return b.ref(part, leading)
	}
	for _, q := range []**selectors.Query{&part.Has, &part.Frame} {
		if *q == nil {
			continue
		}
		inner, err := b.parts((*q).Parts, false)
		if err != nil {
			return err
		}
		*q = &selectors.Query{Parts: inner}
	}
	part.Alts = slices.Clone(part.Alts)
	for i := range part.Alts {
		inner, err := b.parts(part.Alts[i].Parts, false)
		if err != nil {
			return err
		}
		part.Alts[i].Parts = inner
	}
	return nil
}

// ref fills in what package engine wants to know of a ref.
func (b *refBinder) ref(part *selectors.QueryPart, leading bool) error {
	e, err := b.p.book().Resolve(part.Value, part.Snapshot, b.now)
	if err != nil {
		return err
	}
	w, ok := b.p.worldByID(e.Key.Document, b.main)
	switch {
	case !ok:
		return e.Stale(b.now, "", "its frame shows another document")
	case leading:
		b.from = w
	case w.id != b.from.id:
		return diag.New(diag.ElementNotFound, "@%s is in another frame than the selector around it", e.Ref).
			WithDetail("ref", e.Ref).WithHint("begin the selector with the ref")
	}
	part.Index, part.Role = e.Key.Local, e.Role
	part.Attrs = []selectors.QueryAttr{{Name: "name", Value: e.Name}}
	return nil
}

// worldByID returns the world with that id, of the document of main or of a frame
// in it.
func (p *Page) worldByID(id string, main world) (world, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.worldByIDLocked(id, main, deepestFrame+1)
}

func (p *Page) worldByIDLocked(id string, main world, depth int) (world, bool) {
	if id == main.id {
		return main, true
	}
	if id == "" || depth == 0 {
		return world{}, false
	}
	for frame, f := range p.frames {
		if f.world != id {
			continue
		}
		outer, ok := p.worldByIDLocked(f.shownBy.world, main, depth-1)
		return world{id: id, doc: main.doc, frame: frame, outer: &outer, key: f.shownBy.key}, ok
	}
	return world{}, false
}

// stale is the error for a ref whose element the engine has refused.
func (s *seeker) stale(ctx context.Context, r *acted) error {
	main, err := s.p.currentWorld(ctx)
	if err != nil {
		return err
	}
	now := s.p.documentOf(main)
	e, err := s.p.book().Resolve(r.Message, snapshotOf(s.query, r.Message), now)
	if err != nil {
		return err
	}
	if r.Detail == "gone" {
		return e.Stale(now, "", fmt.Sprintf("%s is not on the page any more", e.Label()))
	}
	is := snapshot.Label(r.El.Role, r.El.Name)
	return e.Stale(now, is, fmt.Sprintf("it was %s and is now %s", e.Label(), is))
}

// snapshotOf is the snapshot that q names for a ref.
func snapshotOf(q *selectors.Query, ref string) string {
	if q == nil {
		return ""
	}
	for i := range q.Parts {
		if part := &q.Parts[i]; part.Kind == selectors.RefKind && part.Value == ref {
			return part.Snapshot
		}
	}
	return ""
}

// A shown is what the engine tells of an element that gets a ref.
type shown struct {
	Number int    `json:"number"`
	Role   string `json:"role"`
	Name   string `json:"name"`
}

// give gives a ref to the element of a find, "" where there is none.
func (p *Page) give(r *acted) string {
	if r.Ref.Number == 0 {
		return ""
	}
	key := snapshot.Key{Document: r.w.id, Local: r.Ref.Number}
	return p.book().Give(p.documentOf(r.w), key, r.Ref.Role, r.Ref.Name).Ref
}
