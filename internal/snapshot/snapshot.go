// Package snapshot turns the elements of a page, which it gets as plain data, into a text for
// readers within a budget, into the same content as data for programs, and into refs, the names of
// the shown elements. It does not read pages or find elements, and starts no goroutines.
//
// A [Reading] is the content of a page. [Book.Take] drops wrappers without meaning, numbers the
// remaining elements, cuts them to the budget, and records the target of each ref.
//
// Files, bottom to top: quote, render, snapshot, delta, prune, book, handoff, resolve.
package snapshot

import "sort"

// A Key identifies an element by the number that the page engine gave it in one document. The zero
// Key means no element.
type Key struct {
	Document string
	Local    int
}

// A Class is the purpose of an element for a reader.
type Class string

const (
	Interactive Class = "interactive" // can be acted on; always has a ref
	Content     Class = "content"     // can be read; has a ref unless only interactive elements are requested
	Structural  Class = "structural"  // contains other elements; kept if something below it is shown
	Text        Class = "text"        // run of text between elements; has no ref
)

// An Attr is one attribute of a line. If State is set, it comes before the ref, and is written
// without its value if the value is "true". Other attributes come after the ref.
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
	Tag   string // local name of the element; "" for a run of text
	Name  string // accessible name
	Text  string // own text of an element without a name; the text of a run
	// Hint is a short text that distinguishes the element from similar ones, such as the first
	// words of a row. It is shown only if only interactive elements are requested.
	Hint  string
	Attrs []Attr
	// Value is the value of a control. It is nil if there is no value to show.
	Value    *string
	Children []*Node
	// More is the number of elements below this one that the page engine omitted.
	More int
	// Context distinguishes the element from others with the same role and name. It is nil if
	// there is nothing that could distinguish them.
	Context *Context

	whole string // Name before it was cut
}

// A Context describes the row of an element that shares its role and name with others. If the row
// no longer fits this description, the page has reused the element for another row.
type Context struct {
	Up    int      `json:"up"`    // levels from the element up to its row
	Raw   bool     `json:"raw"`   // digits are significant
	Words []string `json:"words"` // texts that identify the row
	Sides bool     `json:"sides"` // Words includes texts of adjacent lists that show parts of the row
}

// A Reason says why content of the page may be missing in a snapshot. Most reasons are limits.
type Reason string

const (
	MaxDepth Reason = "max_depth"
	MaxNodes Reason = "max_nodes"
	MaxChars Reason = "max_chars"
	MaxText  Reason = "max_text"
	// MaxTime means that the page engine stopped counting because the page is very large.
	MaxTime Reason = "max_time"
	// Frames means that frames could not be read, or that there were too many. Package browser sets
	// it.
	Frames Reason = "frames"
	// Loading means that the page had not finished loading, so content may be missing.
	Loading Reason = "loading"
)

// Stats is the cost of reading a page, and the size of what is shown. Millis is the time spent in
// the page.
type Stats struct {
	Seen   int     `json:"nodes_seen"`
	Kept   int     `json:"nodes_kept"`
	Hidden int     `json:"nodes_hidden"`
	Millis float64 `json:"ms"`

	// Set by Book.Take.
	Lines       int `json:"-"` // of the text; 0 if JSON was requested
	Chars       int `json:"-"` // Unicode code points of the text, or of the tree as JSON
	Refs        int `json:"-"`
	Interactive int `json:"-"` // shown elements that can be acted on
}

// A Document identifies a main-frame document.
type Document struct {
	ID      string
	Tab     string // tab that shows the document; "" if there is only one
	PageRev int    // number of the document among the main-frame documents of its page, from 1
	URL     string
}

// A Reading is the content of a page.
type Reading struct {
	Document
	Title string
	Nodes []*Node // nodes at the top
	More  int     // number of elements at the top that the page engine omitted
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

// Options determine what a snapshot shows. The zero value is the default of the manual step.
type Options struct {
	// Interactive shows only interactive elements, and what distinguishes elements with the same
	// role and name.
	Interactive bool
	// Full keeps elements that only wrap others (compact: false).
	Full bool
	// JSON applies the budget to the characters of the data instead of the text.
	JSON bool
	// MaxDepth, MaxNodes, MaxChars and MaxText are budgets; 0 means the default. Characters are
	// Unicode code points. MaxChars is at least [LeastChars], which a header needs.
	MaxDepth, MaxNodes, MaxChars, MaxText int
	// Delta is the id of an earlier snapshot. Only the changes since then are shown.
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

// A Snapshot is the shown part of a page. It is read-only and safe for concurrent use.
type Snapshot struct {
	ID        string
	URL       string
	Title     string
	PageRev   int
	Nodes     int // number of elements and runs of text shown
	Truncated []Reason
	Stats     Stats

	text string
	tree []any
	refs map[string]any
}

// Text returns the snapshot for readers: a header, then one line for each node. It ends with a
// line break and is never longer than MaxChars, unless JSON was requested.
func (s *Snapshot) Text() string { return s.text }

// Tree returns the snapshot for programs as JSON data: a list of objects with ref, role, name or
// text, attrs, value, children and more (the number of omitted elements). It is nil unless JSON
// was requested.
func (s *Snapshot) Tree() []any { return s.tree }

// Cut returns Truncated as data: false, or the reasons joined by commas.
func (s *Snapshot) Cut() any {
	if len(s.Truncated) == 0 {
		return false
	}
	return truncated(s.Truncated)
}

// Refs describes the target of each shown ref as a JSON object with its role, its tag, and its name
// (or its own text if it has no name). If several shown elements have the same role and name, the
// object also has nth: the index of the element among them, from 0.
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
