package driver

import (
	"context"

	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/selectors"
)

// ReadOptions say what to read of an element.
type ReadOptions struct {
	What string // text, html, value, attr, attrs, box, styles, ref, table, calendar
	Name string // of the attribute; the day, month or year to find in a calendar
	But  []int  // calendars to ignore, by the numbers that an earlier reading returned
	// Limit cuts each text after this many characters and notes its full length. 0 means no limit.
	// Extract cuts nothing.
	Limit int
}

// A Reading is the result of [Reader.Read], as JSON data. Cut is set if a text in Value was cut.
type Reading struct {
	Value any
	Cut   bool
}

// An ExtractField is one column of [Reader.Extract]: a selector within the row, and what to read of
// its first match. A nil Query means the row itself. Without a match, the value is null. If All is
// set, the value is a list with what was read of each match.
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
	// Fields and Only are set if What is "rows": what to read of each row, and which rows to read.
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
	// Read waits until the element is attached and reads it.
	Read(ctx context.Context, t Target, o ReadOptions) (Reading, error)
	// ReadRenewed reads a table, as JSON data. It waits until the table shows other rows than those
	// in the argument "before", and until the requests that the page has sent since a table was last
	// read have been answered. If the rows have not changed and no request was answered, renewed is
	// false, and the page may still draw other rows. If the rows have not changed and all requests
	// have failed, the error is STEP_FAILED.
	ReadRenewed(ctx context.Context, t Target, before []any) (r Reading, renewed bool, err error)
	// Look answers questions in one query, without waiting for anything. The answers are in the order
	// of the questions. [Question.What] determines the answer: the number of matches (count) or of
	// visible matches (visible), the text or an attribute of the first match (text, attr; nil if
	// there is none), or a list of rows (rows).
	Look(ctx context.Context, questions []Question) ([]any, error)
	// Find queries once and accepts any number of matches. If nothing matches, Count is 0 and Ref
	// is "".
	Find(ctx context.Context, t Target) (Found, error)
	// Count queries once, and returns only the number of matches, which is faster.
	Count(ctx context.Context, t Target) (int, error)
	// Is queries once whether the element is visible, enabled, checked, editable or focused; state is
	// one of these words. If there is no element, the result for "visible" is false. For the other
	// states, the error is ELEMENT_NOT_FOUND.
	Is(ctx context.Context, t Target, state string) (bool, error)
	// Extract waits up to rows.Timeout for the first row, then reads all rows in one query. If no row
	// appears, the result is empty, without an error.
	Extract(ctx context.Context, rows Target, fields []ExtractField, only RowFilter) ([]map[string]any, error)
}

// RowFilter determines which rows Extract reads. The zero value selects all matches.
type RowFilter struct {
	// Shown selects only visible rows, and in them only visible matches of the fields. The texts then
	// include the values of input fields.
	Shown bool
	// Hue selects only rows with text in this hue; text in child elements does not count. An empty
	// Hue means any hue.
	Hue string
	// Over selects only rows that lie over the page and cover less than half of the viewport: the
	// position of the row's own element is fixed or absolute.
	Over bool
}

// ElementState is the state that WaitElement waits for.
type ElementState struct {
	State string // visible (default), hidden, attached, detached, enabled, disabled, checked, unchecked
	Text  string // text that the rendered text must contain; "": any
}

// Waiter waits until a condition holds. The page checks it at each frame and each mutation.
type Waiter interface {
	WaitElement(ctx context.Context, t Target, s ElementState) (Element, error)
	// WaitText waits for rendered text anywhere in the page.
	WaitText(ctx context.Context, text string) error
	// WaitURL waits until the URL matches, and returns the URL. If ctx has already ended, it checks
	// the URL once.
	WaitURL(ctx context.Context, p URLPattern) (string, error)
	WaitLoad(ctx context.Context, s LoadState) error
	// WaitStable waits until there has been no request, no DOM change and no busy overlay for
	// 500ms.
	WaitStable(ctx context.Context) error
}

// SnapshotOptions are the options of a snapshot, and its scope.
type SnapshotOptions struct {
	snapshot.Options
	// Scope is the element to show with its content. Nil means the page.
	Scope *Target
}

// Snapshotter shows the page as text, for agents and people.
type Snapshotter interface {
	// Snapshot waits for the scope, if there is one, and reads the page once.
	Snapshot(ctx context.Context, o SnapshotOptions) (*snapshot.Snapshot, error)
}
