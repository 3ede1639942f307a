// Package snapshot turns a page into text within a budget that readers understand, the same
// as data for programs, and refs, the names of the shown elements. It is pure: it gets the
// elements of a page as plain data, does not read pages or find elements, and starts no
// goroutines.
//
// A [Reading] is what was read from a page. [Book.Take] drops mere wrappers, numbers the
// rest, cuts it to the budget, and records the target of each ref until it is resolved.
package snapshot

import "sort"

// A Key is the identity of an element: the number that the reader gave it in one document.
// The zero Key is no element.
type Key struct {
	Document string
	Local    int
}

// A Class says what an element is for a reader.
type Class string

const (
	Interactive Class = "interactive" // can be acted on: always has a ref
	Content     Class = "content"     // can be read: has a ref unless only interactive elements are requested
	Structural  Class = "structural"  // contains others: kept if something below it is shown
	Text        Class = "text"        // a run of text between elements; has no ref
)

// An Attr is one attribute of a line. A State comes before the ref, and without its value
// if that is "true"; others come after it.
type Attr struct {
	Name  string
	Value string
	State bool
}

// A Node is one element of a page, or a run of text.
type Node struct {
	Key   Key
	Class Class
	Role  string
	Name  string // accessible name
	Text  string // own text of an element without a name; the text of a run
	// Hint is a short text that distinguishes the element from its equals, such as the
	// first words of a row. It is shown at the element if only interactive elements are
	// requested.
	Hint  string
	Attrs []Attr
	// Value is the value of a control; nil if there is none to show.
	Value    *string
	Children []*Node
	// More is how many elements below were left out by the reader.
	More int
	// Context distinguishes the element from others with its role and name; nil if nothing
	// does.
	Context *Context

	whole string // Name, before it was cut
}

// A Context is the row of an element, if others have the same role and name: a page may
// reuse the element for another row.
type Context struct {
	Up    int      `json:"up"`    // levels from the element up to its row
	Raw   bool     `json:"raw"`   // digits count
	Words []string `json:"words"` // texts of the row that identify it
	Sides bool     `json:"sides"` // also texts of the lists beside it that show parts of the row
}

// A Reason says which budget cut a snapshot.
type Reason string

const (
	MaxDepth Reason = "max_depth"
	MaxNodes Reason = "max_nodes"
	MaxChars Reason = "max_chars"
	MaxText  Reason = "max_text"
	// MaxTime is the reader's own: the page was so large that it stopped counting.
	MaxTime Reason = "max_time"
	// Frames is the reader's own too: frames that could not be read, or too many.
	Frames Reason = "frames"
)

// Stats reports the cost of reading. Millis is the time in the page.
type Stats struct {
	Seen   int     `json:"nodes_seen"`
	Kept   int     `json:"nodes_kept"`
	Hidden int     `json:"nodes_hidden"`
	Millis float64 `json:"ms"`
}

// A Document identifies a main-frame document.
type Document struct {
	ID      string
	Tab     string // that shows it; "": there is only one
	PageRev int    // counts the main-frame documents of its page, from 1
	URL     string
}

// A Reading is what was read of a page.
type Reading struct {
	Document
	Title string
	Nodes []*Node // at the top
	More  int     // elements left out by the reader beside those of Nodes
	Cut   []Reason
	Stats Stats
}

// Defaults and bounds of [Options].
const (
	DefaultDepth = 12
	DefaultNodes = 200
	DefaultChars = 12_000
	DefaultText  = 200
	LeastChars   = 300
	MostNodes    = 10_000
	MostChars    = 1_000_000
	MostDepth    = 200
)

// Options say what a snapshot shows. The zero value is that of the manual step.
type Options struct {
	// Interactive shows only interactive elements, and what distinguishes those with the
	// same role and name.
	Interactive bool
	// Full keeps elements that only wrap others (compact: false).
	Full bool
	// JSON makes the budget count the characters of the data instead of those of the text.
	JSON bool
	// MaxDepth, MaxNodes, MaxChars and MaxText are budgets; 0 is the default. Characters
	// are Unicode code points. MaxChars is at least [LeastChars], the room for a header.
	MaxDepth, MaxNodes, MaxChars, MaxText int
	// Delta is the id of an earlier snapshot: only later changes are shown.
	Delta string
}

// WithDefaults returns o with every budget set and within its bounds.
func (o Options) WithDefaults() Options {
	o.MaxDepth = bounded(o.MaxDepth, DefaultDepth, 1, MostDepth)
	o.MaxNodes = bounded(o.MaxNodes, DefaultNodes, 1, MostNodes)
	o.MaxChars = bounded(o.MaxChars, DefaultChars, LeastChars, MostChars)
	o.MaxText = bounded(o.MaxText, DefaultText, 1, MostChars)
	return o
}

func bounded(n, otherwise, least, most int) int {
	if n == 0 {
		n = otherwise
	}
	return min(max(n, least), most)
}

// A Snapshot is what is shown of a page. It is read-only and safe for concurrent use.
type Snapshot struct {
	ID        string
	URL       string
	Title     string
	PageRev   int
	Nodes     int // elements and runs of text that are shown
	Truncated []Reason
	Stats     Stats

	text string
	tree []any
	refs map[string]any
}

// Text is the snapshot for readers: a header, then a line for each node. It ends with a
// line break and is never longer than MaxChars, unless JSON was requested.
func (s *Snapshot) Text() string { return s.text }

// Tree is the snapshot for programs, as JSON data: a list of objects with ref, role, name
// or text, attrs, value, children and more (the number left out). It is nil unless JSON was
// requested.
func (s *Snapshot) Tree() []any { return s.tree }

// Cut is Truncated as data: false, or the reasons joined by commas.
func (s *Snapshot) Cut() any {
	if len(s.Truncated) == 0 {
		return false
	}
	return truncated(s.Truncated)
}

// Refs describes the target of each shown ref, as JSON data: an object with role, and name
// if it has one.
func (s *Snapshot) Refs() map[string]any { return s.refs }

// reasons is a set of reasons.
type reasons map[Reason]bool

func (r reasons) sorted() []Reason {
	list := make([]Reason, 0, len(r))
	for reason := range r {
		list = append(list, reason)
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return list
}
