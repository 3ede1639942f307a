package selectors

import "cmp"

// A Query is a selector with its values put in: plain data that a page reader evaluates.
// Nothing in it requires further escaping: CSS and XPath texts are complete, everything
// else is compared as data.
//
// The JSON form is the contract with the page side; an empty field means the default named
// in its comment.
type Query struct {
	Parts []QueryPart `json:"parts"`
}

// A QueryPart narrows the matches of the part before it (for the first part:
// the document).
type QueryPart struct {
	// Kind is one of the kinds of [Kinds], or [RefKind], [AliasKind] or [These].
	Kind Kind `json:"kind"`
	// Value is the CSS or XPath text; for text-like kinds the text to compare; for ref the
	// ref without "@".
	Value string `json:"value,omitempty"`
	// Op says how Value is compared: "" equal, "*" contains, "~" matches the JavaScript
	// pattern, which compiles with flag u or v and needs no other. For has-text "" means
	// contains.
	Op Op `json:"op,omitempty"`
	// Attr is the attribute that placeholder, alt, title and testid compare.
	Attr string `json:"attr,omitempty"`
	// Role and Attrs belong to role. Attrs of row are its columns with the texts of their
	// cells, instead of a Value.
	Role  string      `json:"role,omitempty"`
	Attrs []QueryAttr `json:"attrs,omitempty"`
	// Index is that of nth, from 0; negative counts from the end.
	Index int `json:"index,omitempty"`
	// Names are those of class: each is a class or the end of one, after a hyphen.
	Names []string `json:"names,omitempty"`
	// Has is the selector of has, not, closest and next; Frame that of frame.
	Has   *Query `json:"has,omitempty"`
	Frame *Query `json:"frame,omitempty"`
	// Snapshot names the snapshot of a ref; "" is the newest.
	Snapshot string `json:"snapshot,omitempty"`

	// Alias, Alts and Prefer belong to alias: one query tries the candidates in order, and
	// the first that matches wins. Prefer above 0 is the fallback that won before in this
	// document: it is tried first and without the grace that a fallback otherwise gives the
	// primary. For any, Alts are the selectors whose matches are united.
	Alias  string     `json:"alias,omitempty"`
	Alts   []QueryAlt `json:"alts,omitempty"`
	Prefer int        `json:"prefer,omitempty"`
}

// A QueryAlt is one candidate of an alias, or one selector of any.
type QueryAlt struct {
	Source string      `json:"source,omitempty"` // of a candidate, as a person writes it, for reports
	Parts  []QueryPart `json:"parts"`
}

// A QueryAttr is one [name='OK'] of a role. Value is a string for name and a
// boolean, integer or string ("mixed") for states and level. Op is of name only.
type QueryAttr struct {
	Name  string `json:"name"`
	Op    Op     `json:"op,omitempty"`
	Value any    `json:"value"`
}

// An Op says how a text is compared.
type Op string

const (
	Equals   Op = ""
	Contains Op = "*"
	Matches  Op = "~"
)

// A Kind is the kind of one part of a selector.
type Kind string

const (
	CSS         Kind = "css"
	XPath       Kind = "xpath"
	Role        Kind = "role"
	TextKind    Kind = "text"
	Label       Kind = "label"
	Placeholder Kind = "placeholder"
	Alt         Kind = "alt"
	Title       Kind = "title"
	TestID      Kind = "testid"
	Says        Kind = "says"
	Field       Kind = "field"
	Within      Kind = "within"
	Row         Kind = "row"
	Frame       Kind = "frame"
	HasText     Kind = "has-text"
	Has         Kind = "has"
	Nth         Kind = "nth"
	Class       Kind = "class"
	Not         Kind = "not"
	Is          Kind = "is"
	Visible     Kind = "visible"
	Scroller    Kind = "scroller"
	Closest     Kind = "closest"
	Next        Kind = "next"
	Under       Kind = "under"
	Linked      Kind = "linked"
	Any         Kind = "any"
	Either      Kind = "either"
	Document    Kind = "document" // of texts only: a Query has none
	None        Kind = "none"

	RefKind   Kind = "ref"
	AliasKind Kind = "alias"
	// These are the matches that a not or an is chooses among: its selector begins with them
	// if it is written as a filter.
	These Kind = "these"
)

// Nothing reports whether q can match nothing, whatever the page shows. The name is that of
// the alias for which the definitions have nothing, "" if none is written in the selector
// itself.
func (q *Query) Nothing() (alias string, ok bool) {
	if q == nil {
		return "", false
	}
	return nothing(q.Parts)
}

func nothing(parts []QueryPart) (string, bool) {
	for i := range parts {
		part := &parts[i]
		switch part.Kind {
		case None:
			return "", true
		case Has, Is, Closest, Next, Under:
			if alias, ok := part.Has.Nothing(); ok {
				return alias, true
			}
		case Frame:
			if alias, ok := part.Frame.Nothing(); ok {
				return alias, true
			}
		case Any, Either, AliasKind:
			if alias, ok := allNothing(part.Alts); ok {
				return cmp.Or(alias, part.Alias), true
			}
		}
	}
	return "", false
}

// allNothing reports whether none of alts can match anything.
func allNothing(alts []QueryAlt) (alias string, ok bool) {
	for i := range alts {
		name, ok := nothing(alts[i].Parts)
		if !ok {
			return "", false
		}
		alias = cmp.Or(alias, name)
	}
	return alias, len(alts) > 0
}
