package selectors

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
	// Kind is one of the kinds of [Kinds], or "any" for an alias.
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
	// Has is the selector of has; Frame that of frame.
	Has   *Query `json:"has,omitempty"`
	Frame *Query `json:"frame,omitempty"`
	// Snapshot names the snapshot of a ref; "" is the newest.
	Snapshot string `json:"snapshot,omitempty"`

	// Alias, Alts and Prefer belong to any: one query tries the candidates in order, and
	// the first that matches wins. Prefer above 0 is the fallback that won before in this
	// document: it is tried first and without the grace that a fallback otherwise gives the
	// primary.
	Alias  string     `json:"alias,omitempty"`
	Alts   []QueryAlt `json:"alts,omitempty"`
	Prefer int        `json:"prefer,omitempty"`
}

// A QueryAlt is one candidate of an alias.
type QueryAlt struct {
	Source string      `json:"source"` // as a person writes it, for reports
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
	RefKind     Kind = "ref"
	Any         Kind = "any"
)

// Kinds returns the kinds that can be written before a colon, in the order of the reference
// page.
func Kinds() []Kind {
	return []Kind{CSS, XPath, Role, TextKind, Says, Label, Placeholder, Alt, Title, TestID, Field, Within, Row, Frame, HasText, Has, Nth}
}
