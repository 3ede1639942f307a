package selectors

import "cmp"

// A Query is a selector with its values inserted: plain data that the page engine evaluates.
// Nothing in it needs further escaping: CSS and XPath texts are complete, and everything else is
// compared as data.
//
// The JSON form is the contract with the page side. An empty field means the default that its
// comment names.
type Query struct {
	Parts []QueryPart `json:"parts"`
}

// A QueryPart narrows the matches of the part before it. The first part narrows the document.
type QueryPart struct {
	// Kind is one of the kinds of [Kinds], or [RefKind], [AliasKind] or [These].
	Kind Kind `json:"kind"`
	// Value is the text of css or xpath, the text that other kinds compare, or the ref without "@".
	Value string `json:"value,omitempty"`
	// Op is the comparison of Value: "" equal, "*" contains, "~" matches the JavaScript pattern.
	// The pattern compiles with the flag u or v and needs no other. For has-text, "" means
	// contains.
	Op Op `json:"op,omitempty"`
	// Attr is the attribute that the kinds "placeholder", "alt", "title" and "testid" compare.
	Attr string `json:"attr,omitempty"`
	// Role and Attrs belong to the kind "role". For the kind "row", Attrs may replace Value: they
	// are column names with the texts of their cells.
	Role  string      `json:"role,omitempty"`
	Attrs []QueryAttr `json:"attrs,omitempty"`
	// Index is the index of nth, from 0. A negative index counts from the end.
	Index int `json:"index,omitempty"`
	// Names are the names of the kind "class". Each is a class, or the end of a class after a
	// hyphen.
	Names []string `json:"names,omitempty"`
	// Has is the selector in parentheses of the kinds "has", "not", "is", "closest", "next" and
	// "under". Frame is the selector of the kind "frame".
	Has   *Query `json:"has,omitempty"`
	Frame *Query `json:"frame,omitempty"`
	// Snapshot is the snapshot of a ref. "" means the newest.
	Snapshot string `json:"snapshot,omitempty"`

	// Alias, Alts and Prefer belong to the kind [AliasKind]. A query tries the candidates in order,
	// and the first that matches counts. If Prefer is above 0, the query tries the fallback with
	// that index first, because it matched last in this document. It does so without the usual
	// delay in favour of the primary. For the kinds "any" and "either", Alts are the selectors in
	// parentheses.
	Alias  string     `json:"alias,omitempty"`
	Alts   []QueryAlt `json:"alts,omitempty"`
	Prefer int        `json:"prefer,omitempty"`
}

// A QueryAlt is one candidate of an alias, or one selector of the kinds "any" and "either".
type QueryAlt struct {
	Source string      `json:"source,omitempty"` // text of a candidate as written, for reports
	Parts  []QueryPart `json:"parts"`
}

// A QueryAttr is one condition of a role, such as [name='OK']. Value is a string for "name", and a
// boolean, integer or string ("mixed") for states and "level". Op is used only for "name".
type QueryAttr struct {
	Name  string `json:"name"`
	Op    Op     `json:"op,omitempty"`
	Value any    `json:"value"`
}

// An Op is a comparison of texts.
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
	Document    Kind = "document" // occurs only in selector texts, never in a Query
	None        Kind = "none"

	RefKind   Kind = "ref"
	AliasKind Kind = "alias"
	// These stands for the matches before a part of the kind "not" or "is". The selector inside
	// such a part begins with These if it is written as a filter.
	These Kind = "these"
)

// Nothing reports whether q can never match, whatever the page shows. If the reason is an alias of
// which no candidate can match, the result "alias" is the name of that alias; otherwise it is "".
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
