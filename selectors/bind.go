package selectors

// Binding inserts values into a Selector. The result is a Query.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// A Binding holds what Bind needs to turn a selector into a query.
type Binding struct {
	// Scope holds the values of references. If it is nil, all of them are missing.
	Scope *expr.Scope
	// Alias returns the candidates of an alias, the primary first. prefer is the index of the
	// candidate that last matched in this document, or 0. If Alias is nil, there are no aliases.
	Alias func(name string) (candidates []*Selector, prefer int, err error)
	// Narrowed returns the ref of the element that replaces a scope made by [Narrowing] with this
	// key. It returns "" if the scope is not replaced. If Narrowed is nil, no scope is replaced.
	Narrowed func(key any) string
	// TestIDAttr is the attribute that testid compares. "" means data-testid.
	TestIDAttr string
}

// Limits on the expansion of aliases.
const (
	maxAliasDepth = 10
	maxBoundParts = 1000
)

type binder struct {
	Binding
	pos     diag.Pos // position of the selector
	aliases []string // aliases that are being bound, outermost first
	scoped  int      // number of parts that belong to the scope
	inside  int      // nesting depth of parts inside other parts
	parts   int
}

// Bind inserts the values of references and returns the query. If Alias returns an error, Bind
// returns this error. Otherwise, the error is a [*diag.Error] with one of these codes:
// PARAM_INVALID for a value that does not fit its position, ELEMENT_NOT_FOUND for an empty ref of a
// step, LIMIT_EXCEEDED for values that are too long, and DEFINITION_INVALID for a selector that is
// invalid with these values.
func (s *Selector) Bind(b Binding) (*Query, error) {
	x := &binder{Binding: b, pos: s.pos}
	bound, err := x.scope(s)
	if err != nil {
		return nil, err
	}
	kind := dependsOn(bound)
	if s.inside && kind != "" && !endsInFrame(bound) {
		return &Query{Parts: bound}, nil
	}
	if kind != "" && s.scope != nil {
		// The scope is only a `within:` with an empty title, which means the whole page.
		bound = append([]QueryPart{{Kind: CSS, Value: ":root"}}, bound...)
	}
	return x.whole(bound, s.pos, s.code)
}

// scope returns the query parts of the scope of s, followed by the parts of s.
func (b *binder) scope(s *Selector) ([]QueryPart, error) {
	var around []QueryPart
	if s.scope != nil {
		var err error
		if around, err = b.scope(s.scope); err != nil {
			return nil, err
		}
	}
	if s.narrow != nil && b.Narrowed != nil {
		if m := refPattern().FindStringSubmatch(b.Narrowed(s.narrow)); m != nil {
			around = []QueryPart{{Kind: RefKind, Value: m[2], Snapshot: m[1]}}
		}
	}
	b.scoped = len(around)
	return b.follow(around, s.parts)
}

func (b *binder) query(parts []part, pos diag.Pos, code diag.Code) (*Query, error) {
	bound, err := b.chain(parts)
	if err != nil {
		return nil, err
	}
	return b.whole(bound, pos, code)
}

// whole returns the query with the given parts. If they are not a complete selector, it returns an
// error.
func (b *binder) whole(bound []QueryPart, pos diag.Pos, code diag.Code) (*Query, error) {
	if len(bound) == 0 {
		return nil, emptyWithin(pos, code)
	}
	if kind := dependsOn(bound); kind != "" {
		return nil, alone(diag.At(pos, code, ""), kind)
	}
	if endsInFrame(bound) {
		return nil, frameLast(diag.At(pos, code, ""))
	}
	return &Query{Parts: bound}, nil
}

func emptyWithin(pos diag.Pos, code diag.Code) *diag.Error {
	return diag.At(pos, code, "found only `within:` with an empty title, expected a selector after it").
		WithHint("write a selector after `within:`, as in within:Orders >> role:table")
}

// dependsOn returns the kind of the first part if this kind may not come first in a selector. It
// returns "" if the kind may. It also checks the candidates of an alias.
func dependsOn(parts []QueryPart) Kind {
	if len(parts) == 0 {
		return ""
	}
	first := &parts[0]
	if linkOf(first.Kind) != searches {
		return first.Kind
	}
	for i := range first.Alts {
		if kind := dependsOn(first.Alts[i].Parts); kind != "" {
			return kind
		}
	}
	return ""
}

// endsInFrame reports whether the last part is a frame. It also checks the candidates of aliases.
func endsInFrame(parts []QueryPart) bool {
	if len(parts) == 0 {
		return false
	}
	last := &parts[len(parts)-1]
	return last.Kind == Frame || slices.ContainsFunc(last.Alts, func(a QueryAlt) bool { return endsInFrame(a.Parts) })
}

// chain returns the query parts for parts inside another part.
func (b *binder) chain(parts []part) ([]QueryPart, error) {
	b.inside++
	defer func() { b.inside-- }()
	return b.follow(make([]QueryPart, 0, len(parts)), parts)
}

// first reports whether only the scope precedes the next part.
func (b *binder) first(to []QueryPart) bool { return b.inside == 0 && len(to) == b.scoped }

// follow binds parts and appends the result to other query parts.
func (b *binder) follow(to []QueryPart, parts []part) ([]QueryPart, error) {
	out := to
	for _, x := range parts {
		var err error
		if out, err = x.bind(b, out); err != nil {
			return nil, err
		}
		if b.parts++; b.parts > maxBoundParts {
			return nil, diag.At(b.pos, diag.DefinitionInvalid, "found a selector that is too long after its aliases were expanded, expected at most %d parts", maxBoundParts).
				WithHint("use fewer aliases inside other aliases")
		}
	}
	return out, nil
}

func (x *codePart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	s, err := b.join(x.body)
	return append(to, QueryPart{Kind: x.kind, Value: s}), err
}

func (x *textPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	if x.kind == Row && len(x.body) == 1 && x.body[0].ref != nil {
		if q, err := b.row(x.body[0].ref); q != nil || err != nil {
			return append(to, *q), err
		}
	}
	s, err := b.join(x.body)
	if err != nil {
		return nil, err
	}
	if blank(s) {
		if x.kind == Within {
			return to, nil // an empty title means the whole page
		}
		return nil, diag.At(x.body.pos(), diag.ParamInvalid, "found an empty text for `%s:`, which would match anything", x.kind).
			WithHint("pass a text; if there may be none, skip the step with `when`")
	}
	q := QueryPart{Kind: x.kind, Op: x.op, Value: s, Attr: attrOf(x.kind, b.TestIDAttr)}
	if x.kind == TestID && q.Attr == "" {
		q.Attr = "data-testid"
	}
	if x.pattern != nil {
		q.Needs = x.pattern.needs
		q.Value, err = x.pattern.source(b)
	}
	return append(to, q), err
}

// row returns the query part for `row:` with a map of columns to texts. If the value of r is not a
// map, it returns nil.
func (b *binder) row(r *expr.Ref) (*QueryPart, error) {
	v, err := b.value(r)
	if err != nil {
		return &QueryPart{}, err
	}
	cells, ok := v.(map[string]any)
	if _, isList := v.([]any); isList || (ok && len(cells) == 0) {
		return &QueryPart{}, invalid(r, "%s is %s, expected a text of the row or a map from columns to texts", r, describe(v)).
			WithHint("pass a value such as Ada or {Customer: Ada}")
	}
	if !ok {
		return nil, nil
	}
	q := &QueryPart{Kind: Row}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		q.Attrs = append(q.Attrs, QueryAttr{Name: name, Value: strings.ToValidUTF8(expr.Text(cells[name]), "\ufffd")})
	}
	return q, nil
}

func (x *nthPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	n := x.index
	if x.ref != nil {
		var err error
		if n, err = b.integer(x.ref); err != nil {
			return nil, err
		}
	}
	return append(to, QueryPart{Kind: Nth, Index: n}), nil
}

func (x *framePart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	q, err := b.query([]part{x.inner}, x.pos, diag.DefinitionInvalid)
	return append(to, QueryPart{Kind: Frame, Frame: q}), err
}

// bind appends the ref, without the scope: a ref can name any element of the page.
func (x *refPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	if b.first(to) {
		to = to[:0]
	}
	return append(to, QueryPart{Kind: RefKind, Value: x.ref, Snapshot: x.snapshot}), nil
}

// bind reads a ref that a step returned, with or without "@".
func (x *stepPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	r, err := b.stepRef(x.ref)
	if err != nil {
		return nil, err
	}
	return r.bind(b, to)
}

func (x *paramPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	s, err := b.param(x.ref)
	if err != nil {
		return nil, err
	}
	return b.follow(to, s.parts)
}

func (x *aliasPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	name := x.ref.Name
	if slices.Contains(b.aliases, name) || len(b.aliases) >= maxAliasDepth {
		return nil, diag.At(x.ref.Pos, diag.DefinitionInvalid, "the alias %s uses itself, or aliases are nested too deeply, expected at most %d levels",
			name, maxAliasDepth).
			WithHint("change the aliases so that none uses itself, not even through another alias")
	}
	if b.Alias == nil {
		return nil, diag.At(x.ref.Pos, diag.DefinitionInvalid, "unknown selector alias %s", name).
			WithHint("define %s under selectors", name)
	}
	candidates, prefer, err := b.Alias(name)
	if err != nil {
		return nil, err
	}
	if len(candidates) == 0 {
		return nil, diag.At(x.ref.Pos, diag.DefinitionInvalid, "the alias %s has no selector", name).
			WithHint("define %s under selectors", name)
	}
	b.aliases = append(b.aliases, name)
	defer func() { b.aliases = b.aliases[:len(b.aliases)-1] }()
	q := QueryPart{Kind: AliasKind, Alias: name}
	if prefer > 0 && prefer < len(candidates) {
		q.Prefer = prefer
	}
	for _, c := range candidates {
		alt, err := b.chain(c.parts)
		if err != nil {
			return nil, err
		}
		q.Alts = append(q.Alts, QueryAlt{alt})
	}
	if q.Prefer == 0 {
		q.Prefer = firstSomething(q.Alts)
	}
	return append(to, q), nil
}

// firstSomething returns the index of the first candidate that can match an element. If none can,
// it returns 0.
func firstSomething(alts []QueryAlt) int {
	i := slices.IndexFunc(alts, func(a QueryAlt) bool { _, no := nothing(a.Parts); return !no })
	return max(i, 0)
}

func (x *rolePart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	q := QueryPart{Kind: Role, Role: x.role}
	if x.roleRef != nil {
		s, err := b.text(x.roleRef)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(roles, s) {
			return nil, invalid(x.roleRef, "%s is %s, expected an ARIA role", x.roleRef, strconv.Quote(clip(s))).
				WithHint("%s", roleHint(s))
		}
		q.Role = s
	}
	for i := range x.attrs {
		a, err := x.attrs[i].bind(b)
		if err != nil {
			return nil, err
		}
		q.Attrs = append(q.Attrs, a)
	}
	return append(to, q), nil
}

func (a *roleAttr) bind(b *binder) (QueryAttr, error) {
	q := QueryAttr{Name: a.name, Op: a.op, Value: a.value}
	if a.name != "name" {
		return q, a.bindState(b, &q)
	}
	s, err := b.join(a.body)
	if err != nil {
		return q, err
	}
	if s == "" && a.op != Equals {
		return q, diag.At(a.body.pos(), diag.ParamInvalid, "found an empty text for name%s=, which every name contains", a.op).
			WithHint("pass a text; if there may be none, skip the step with `when`")
	}
	if a.pattern != nil {
		s, err = a.pattern.source(b)
	}
	q.Value = s
	return q, err
}

func (a *roleAttr) bindState(b *binder, q *QueryAttr) error {
	if a.ref == nil {
		return nil
	}
	v, err := b.value(a.ref)
	if err != nil {
		return err
	}
	var ok bool
	if q.Value, ok = stateValue(a.name, expr.Text(v)); !ok {
		return invalid(a.ref, "%s is %s, expected %s", a.ref, describe(v), stateValues(a.name)).
			WithHint("the attribute %s of a role takes %s", a.name, stateValues(a.name))
	}
	return nil
}
