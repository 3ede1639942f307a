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

// A Key identifies an element in a document. Local is the number that the page engine gave the
// element. The zero Key means no element.
type Key struct {
	Document string
	Local    int
}

// A Class says what an element is for.
type Class string

const (
	Interactive Class = "interactive" // can be acted on; always has a ref
	Content     Class = "content"     // can be read; has a ref unless only interactive elements are requested
	Structural  Class = "structural"  // contains other elements; kept if something below it is shown
	Text        Class = "text"        // run of text between elements; has no ref
)

// An Attr is one attribute of a line. It is written after the ref. If State is set, it is written
// before the ref, and the value "true" is omitted.
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
	// words of a row. It is shown only if Options.Interactive is set.
	Hint  string
	Attrs []Attr
	// Value is the value of a control. Nil means that no value is shown.
	Value    *string
	Children []*Node
	// More is the number of elements below this one that the page engine left out.
	More int
	// Context distinguishes the element from others with the same role and name. It is nil if
	// nothing distinguishes them.
	Context *Context

	whole string // Name before it was cut
}

// A Context describes the row of an element, to distinguish it from others with the same role and
// name. If the row no longer matches, the page has reused the element for another row.
type Context struct {
	Up    int      `json:"up"`    // levels from the element up to its row
	Raw   bool     `json:"raw"`   // digits are significant
	Words []string `json:"words"` // texts that identify the row
	Sides bool     `json:"sides"` // Words includes texts of adjacent lists that show parts of the row
}

// A Reason says why nodes are missing from a snapshot.
type Reason string

const (
	MaxDepth Reason = "max_depth"
	MaxNodes Reason = "max_nodes"
	MaxChars Reason = "max_chars"
	MaxText  Reason = "max_text"
	// MaxTime means that the page is so large that the page engine did not count all of it.
	MaxTime Reason = "max_time"
	// Frames means that some frames could not be read, or that there were too many.
	Frames Reason = "frames"
	// Loading means that the page had not finished loading, so content may be missing.
	Loading Reason = "loading"
)

// Stats is the cost of reading a page, and the size of the snapshot. Millis is the time in the
// page, in milliseconds.
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
	// Interactive shows only interactive elements. Other elements are shown if they distinguish
	// interactive elements with the same role and name.
	Interactive bool
	// Full also shows elements that only wrap others. It is the argument `compact: false`.
	Full bool
	// JSON requests [Snapshot.Tree] instead of [Snapshot.Text]. MaxChars then limits the length of
	// the tree as JSON.
	JSON bool
	// MaxDepth, MaxNodes, MaxChars and MaxText limit the snapshot. 0 means the default. Characters
	// are Unicode code points. MaxChars is at least [LeastChars].
	MaxDepth, MaxNodes, MaxChars, MaxText int
	// Delta is the id of an earlier snapshot. The snapshot then shows only the changes since that
	// one.
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

// Text returns the snapshot as text: a header, then one line for each node. The text has at most
// MaxChars characters and ends with a line break. It is empty if JSON was requested.
func (s *Snapshot) Text() string { return s.text }

// Tree returns the snapshot as JSON data. It is a list of objects with the keys ref, role, name or
// text, attrs, value, children and more. The value of more is the number of omitted elements. Tree
// returns nil unless JSON was requested.
func (s *Snapshot) Tree() []any { return s.tree }

// Cut returns Truncated as JSON data: false, or the reasons separated by commas.
func (s *Snapshot) Cut() any {
	if len(s.Truncated) == 0 {
		return false
	}
	return truncated(s.Truncated)
}

// Refs describes the target of each shown ref as a JSON object. The keys are role, tag and name. If
// the element has no name, its text is in the key text. If several shown elements have the same
// role and name, the key nth is the index of the element among them, from 0.
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
