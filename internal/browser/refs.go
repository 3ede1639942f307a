package browser

// Refs: an element that a snapshot or a find has shown is found again, or the step reports that it
// no longer exists.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/selectors"
)

// bindRefs returns q with its refs bound to elements, for a search in w.
func (p *binder) bindRefs(q *selectors.Query, w documents.World) (*selectors.Query, error) {
	if q == nil || !partsHaveRef(q.Parts) {
		return q, nil
	}
	b := &refBinder{p: p, in: w, main: w.Outermost(), now: p.Frames.DocumentOf(w)}
	parts, err := b.parts(q.Parts)
	if err != nil {
		return nil, err
	}
	return &selectors.Query{Parts: parts}, nil
}

// partsHaveRef reports whether parts contain a ref, at any depth.
func partsHaveRef(parts []selectors.QueryPart) bool {
	return slices.ContainsFunc(parts, func(part selectors.QueryPart) bool {
		return part.Kind == selectors.RefKind || part.Has != nil && partsHaveRef(part.Has.Parts) || part.Frame != nil && partsHaveRef(part.Frame.Parts) ||
			slices.ContainsFunc(part.Alts, func(a selectors.QueryAlt) bool { return partsHaveRef(a.Parts) })
	})
}

// A refBinder binds the refs of one query.
type refBinder struct {
	p    *binder
	in   documents.World   // world that gets the query
	main documents.World   // world of the page around it
	now  snapshot.Document // document of main
}

// parts returns a copy of parts with bound refs.
func (b *refBinder) parts(parts []selectors.QueryPart) ([]selectors.QueryPart, error) {
	parts = slices.Clone(parts)
	for i := range parts {
		if err := b.part(&parts[i]); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// part binds the refs in part.
func (b *refBinder) part(part *selectors.QueryPart) error {
	if part.Kind == selectors.RefKind {
		return b.ref(part)
	}
	for _, q := range []**selectors.Query{&part.Has, &part.Frame} {
		if *q == nil {
			continue
		}
		inner, err := b.parts((*q).Parts)
		if err != nil {
			return err
		}
		*q = &selectors.Query{Parts: inner}
	}
	part.Alts = slices.Clone(part.Alts)
	for i := range part.Alts {
		inner, err := b.parts(part.Alts[i].Parts)
		if err != nil {
			return err
		}
		part.Alts[i].Parts = inner
	}
	return nil
}

// ref adds to a ref the data by which the engine finds the element and detects that it has changed.
func (b *refBinder) ref(part *selectors.QueryPart) error {
	e, err := b.p.Frames.Book().Resolve(part.Value, part.Snapshot, b.now)
	if err != nil {
		return err
	}
	w, ok := b.p.Frames.WorldByID(e.Key.Document, b.main)
	if !ok {
		return e.Stale(b.now, "", "its frame shows another document")
	}
	part.Index, part.Role = b.way(w, e.Key.Local), e.Role
	part.Attrs = []selectors.QueryAttr{{Name: "name", Value: e.Name}, {Name: "equals", Value: e.Equals}, {Name: "context", Value: e.Context}}
	return nil
}

// way returns the number by which the engine finds an element from the world of the query. For an
// element in that world, it is the argument number. For an element in a frame of that world, it is
// the key of the frame, negated. For any other element, it is 0. w is the world of the element.
func (b *refBinder) way(w documents.World, number int) int {
	if w.ID == b.in.ID {
		return number
	}
	for ; w.Outer != nil; w = *w.Outer {
		if w.Outer.ID == b.in.ID {
			return -w.Key
		}
	}
	return 0
}

// stale returns the error for a ref that the engine has refused, because the element is gone, has
// moved or has changed.
func (s *seeker) stale(ctx context.Context, r *acted) error {
	main, err := s.p.CurrentWorld(ctx)
	if err != nil {
		return err
	}
	now := s.p.Frames.DocumentOf(main)
	e, err := s.p.Frames.Book().Resolve(r.Message, snapshotOf(s.query, r.Message), now)
	if err != nil {
		return err
	}
	if r.Detail == "gone" {
		return e.Stale(now, "", fmt.Sprintf("%s is no longer on the page", e.Label()))
	}
	is := snapshot.Label(r.El.Role, r.El.Name)
	if r.Detail == "moved" {
		is = snapshot.LabelIn(r.El.Role, r.El.Name, r.Row)
		if len(r.Row) == 0 {
			is += " in another row"
		}
	}
	return e.Stale(now, is, fmt.Sprintf("it was %s and is now %s", e.Label(), is))
}

// snapshotOf returns the snapshot that q names for a ref. It returns "" if q names none.
func snapshotOf(q *selectors.Query, ref string) string {
	if q == nil {
		return ""
	}
	return snapshotIn(q.Parts, ref)
}

// snapshotIn does what snapshotOf does, for the parts of a query.
func snapshotIn(parts []selectors.QueryPart, ref string) string {
	for i := range parts {
		part := &parts[i]
		if part.Kind == selectors.RefKind && part.Value == ref {
			return part.Snapshot
		}
		id := cmp.Or(snapshotOf(part.Has, ref), snapshotOf(part.Frame, ref))
		for j := range part.Alts {
			id = cmp.Or(id, snapshotIn(part.Alts[j].Parts, ref))
		}
		if id != "" {
			return id
		}
	}
	return ""
}

// shown describes an element that gets a ref, as the engine sends it.
type shown struct {
	Number int    `json:"number"`
	Role   string `json:"role"`
	Name   string `json:"name"`
	Equals int    `json:"equals"`
	// Context distinguishes the element from others of its role and name. It is nil if nothing
	// distinguishes them.
	Context *snapshot.Context `json:"context"`
}

// give returns a ref for the element that r has found. It returns "" if r has no element.
func (p *binder) give(r *acted) string {
	return p.giveOf(r, r.Ref)
}

// giveOf returns the new ref of an element. The element is in the world of r, and the argument ref
// describes it.
func (p *binder) giveOf(r *acted, ref shown) string {
	if ref.Number == 0 {
		return ""
	}
	key := snapshot.Key{Document: r.w.ID, Local: ref.Number}
	return p.Frames.Book().Give(p.Frames.DocumentOf(r.w), key, ref.Role, ref.Name, ref.Equals, ref.Context).Ref
}
