package selectors

import "cmp"

// A Query is a selector with the values of its references inserted. The page engine receives it as
// JSON and evaluates it. CSS and XPath texts are already escaped; all other texts are plain data.
type Query struct {
	Parts []QueryPart `json:"parts"`
}

// A QueryPart is one part of a selector, as in part >> part. It is evaluated on the matches of the
// part before it. The first part is evaluated on the document.
type QueryPart struct {
	// Kind is [RefKind], [AliasKind], [These], or one of [Kinds].
	Kind Kind `json:"kind"`
	// Value is the text of css or xpath, or a ref without "@". For other kinds, it is the text that
	// they compare.
	Value string `json:"value,omitempty"`
	// Op says how Value is compared. If Op is [Matches], Value is a JavaScript pattern for the flag
	// u. If it begins with (?i), the rest is in lower case, for texts in lower case. For has-text, ""
	// means the same as [Contains].
	Op Op `json:"op,omitempty"`
	// Needs says what a text must contain for the pattern in Value to match it: a word of each list.
	// Nil means that this is not known. If the pattern begins with (?i), the words are in lower case.
	Needs [][]string `json:"needs,omitempty"`
	// Attr is the attribute that the kinds "placeholder", "alt", "title" and "testid" compare.
	Attr string `json:"attr,omitempty"`
	// Role and Attrs belong to the kind "role". The kind "row" may have Attrs instead of Value:
	// column names with the texts of their cells.
	Role  string      `json:"role,omitempty"`
	Attrs []QueryAttr `json:"attrs,omitempty"`
	// Index is the index of nth, from 0. A negative index counts from the end.
	Index int `json:"index,omitempty"`
	// Names are the names of the kind "class". A name matches a class, or the part of a class after
	// a hyphen.
	Names []string `json:"names,omitempty"`
	// Has is the selector in parentheses after "has", "not", "is", "closest", "next" and "under".
	// Frame is the selector after "frame".
	Has   *Query `json:"has,omitempty"`
	Frame *Query `json:"frame,omitempty"`
	// Snapshot is the snapshot of a ref. "" means the newest.
	Snapshot string `json:"snapshot,omitempty"`

	// Alias, Alts and Prefer belong to the kind [AliasKind]. Alts are the candidates; the first one
	// that matches is used. If Prefer is above 0, the candidate with this index is tried first, and
	// without delay. For the kinds "any" and "either", Alts are the selectors in parentheses.
	Alias  string     `json:"alias,omitempty"`
	Alts   []QueryAlt `json:"alts,omitempty"`
	Prefer int        `json:"prefer,omitempty"`
}

// A QueryAlt is one candidate of an alias, or one selector of the kinds "any" and "either".
type QueryAlt struct {
	Parts []QueryPart `json:"parts"`
}

// A QueryAttr is one condition of a role, such as [name='OK'].
type QueryAttr struct {
	Name  string `json:"name"`
	Op    Op     `json:"op,omitempty"` // only for "name"
	Value any    `json:"value"`        // a string for "name"; otherwise a boolean, an integer or "mixed"
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
	// These is the first part of a selector in parentheses that begins with a filter, as in
	// not:(visible:). It matches the element that the filter checks.
	These Kind = "these"
)

// Nothing reports whether q can never match an element. If the reason is an alias without a
// candidate that can match, Nothing returns the name of the alias.
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
