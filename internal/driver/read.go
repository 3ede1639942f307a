package driver

import (
	"context"

	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/selectors"
)

// ReadOptions say what to read from an element.
type ReadOptions struct {
	What string // text, html, value, attr, attrs, box, styles, ref, table, calendar
	Name string // of the attribute; the day, month or year to find in a calendar
	But  []int  // calendars to ignore, by the numbers that an earlier reading returned
	// Limit is the number of characters after which each text is cut. 0 means no limit. The full
	// length is added to the text. Extract ignores Limit.
	Limit int
}

// A Reading is the result of [Reader.Read]. Value is JSON data. Cut is set if a text in Value was
// cut.
type Reading struct {
	Value any
	Cut   bool
}

// An ExtractField is one column of [Reader.Extract]. Query is a selector within the row; nil means
// the row itself. The value is read from the first match, and is null if nothing matches. If All is
// set, the value is a list with an item for each match.
type ExtractField struct {
	Name  string
	Query *selectors.Query
	Read  ReadOptions
	All   bool
}

// A Question is one query of [Reader.Look].
type Question struct {
	Target Target
	What   string // count, visible, text, attr or rows
	Attr   string // the name, for attr
	// Fields and Only are the columns and the rows to read. They are used if What is "rows".
	Fields []ExtractField
	Only   RowFilter
}

// A Found is the result of [Reader.Find].
type Found struct {
	Element
	Count   int
	Visible bool // of the first match
	Ref     string
}

// Reader reads the page and changes nothing.
type Reader interface {
	// Read waits until the element is attached, and reads it.
	Read(ctx context.Context, t Target, o ReadOptions) (Reading, error)
	// ReadRenewed reads a table after the page has replaced its rows. It waits until the rows
	// differ from the argument "before", and until the requests that the page has sent since the
	// last reading have been answered. If the rows may still be the old ones, the result "renewed"
	// is false. If the rows are unchanged and all requests have failed, the error is STEP_FAILED.
	ReadRenewed(ctx context.Context, t Target, before []any) (r Reading, renewed bool, err error)
	// Look answers questions in one query, without waiting. The answers are in the order of the
	// questions. For count and visible, the answer is a number of matches. For text and attr, it is
	// a text of the first match; nil means no match. For rows, it is a list of rows.
	Look(ctx context.Context, questions []Question) ([]any, error)
	// Find describes the first match of t, without waiting. If nothing matches, Count is 0 and Ref
	// is "".
	Find(ctx context.Context, t Target) (Found, error)
	// Count returns the number of matches of t, without waiting. It is faster than Find.
	Count(ctx context.Context, t Target) (int, error)
	// Is reports whether the element has a state, without waiting. The states are visible, enabled,
	// checked, editable and focused. If there is no element, Is returns false for visible. For the
	// other states, the error is then ELEMENT_NOT_FOUND.
	Is(ctx context.Context, t Target, state string) (bool, error)
	// Extract reads all rows in one query. It first waits up to rows.Timeout for the first row. If
	// no row appears, the result is empty, and there is no error.
	Extract(ctx context.Context, rows Target, fields []ExtractField, only RowFilter) ([]map[string]any, error)
}

// RowFilter determines which rows Extract reads. The zero value selects all matches.
type RowFilter struct {
	// Shown selects only visible rows. Only visible matches of the fields are read, and their texts
	// include the values of input fields.
	Shown bool
	// Hue selects only rows whose own text has this hue. The text of child elements does not count.
	// An empty Hue means any hue.
	Hue string
	// Over selects only rows that lie over the page. Their CSS position is fixed or absolute, and
	// they cover less than half of the viewport.
	Over bool
}

// ElementState is the state that WaitElement waits for.
type ElementState struct {
	State string // visible (default), hidden, attached, detached, enabled, disabled, checked, unchecked
	Text  string // text that the rendered text must contain; "": any
}

// Waiter waits until a condition holds. The page checks the condition in every frame and after
// every change of the DOM.
type Waiter interface {
	WaitElement(ctx context.Context, t Target, s ElementState) (Element, error)
	// WaitText waits until a text is shown anywhere in the page.
	WaitText(ctx context.Context, text string) error
	// WaitURL waits until the URL matches p, and returns the URL. It checks the URL at least once,
	// even if ctx has already ended.
	WaitURL(ctx context.Context, p URLPattern) (string, error)
	WaitLoad(ctx context.Context, s LoadState) error
	// WaitStable waits until, for 500 ms, there has been no request, no change of the DOM and no
	// loading overlay.
	WaitStable(ctx context.Context) error
}

// SnapshotOptions are the options of a snapshot.
type SnapshotOptions struct {
	snapshot.Options
	// Scope is the element to show, with all elements in it. Nil means the whole page.
	Scope *Target
}

// Snapshotter shows the page as text, for agents and people.
type Snapshotter interface {
	// Snapshot reads the page once. It first waits for the scope, if there is one.
	Snapshot(ctx context.Context, o SnapshotOptions) (*snapshot.Snapshot, error)
}
