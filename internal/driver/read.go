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

// A Reading is the result of Read, as JSON data. Cut is set if a text in it was cut.
type Reading struct {
	Value any
	Cut   bool
}

// An ExtractField is one column of Extract: a selector inside the row (nil: the row itself) and
// what to read of its first match. Without a match, the value is null. With All, the value is the
// list for all matches.
type ExtractField struct {
	Name  string
	Query *selectors.Query
	Read  ReadOptions
	All   bool
}

// A Question is one query of Look.
type Question struct {
	Target Target
	What   string // count, visible, text, attr or rows
	Attr   string // the name, for attr
	// For rows: what to read of each, and which of them.
	Fields []ExtractField
	Only   RowFilter
}

// A Found is the result of one query.
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
	// ReadRenewed reads a table, as JSON data, once it shows other rows than before and the requests
	// that the page has sent since a table was last read have been answered. If it has seen neither,
	// renewed is false, and the page may still draw other rows. If the rows are the same as before
	// and all requests have failed, the error is STEP_FAILED.
	ReadRenewed(ctx context.Context, t Target, before []any) (r Reading, renewed bool, err error)
	// Look answers questions in one query, without waiting for anything. An answer is the number of
	// matches (count), of visible ones (visible), or the text or an attribute of the first match
	// (text, attr), nil if there is none. The answers are in the order of the questions.
	Look(ctx context.Context, questions []Question) ([]any, error)
	// Find queries once and accepts any number of matches. If nothing matches, Count is 0 and Ref
	// is "".
	Find(ctx context.Context, t Target) (Found, error)
	// Count queries once, and returns only the number of matches, which is faster.
	Count(ctx context.Context, t Target) (int, error)
	// Is queries a state once: visible, enabled, checked, editable or focused. Without a match, the
	// result is false for visible, and the error is ELEMENT_NOT_FOUND for the other states.
	Is(ctx context.Context, t Target, state string) (bool, error)
	// Extract waits for the first row within rows.Timeout and reads all rows in one query. If no row
	// appears, the result is empty, without an error.
	Extract(ctx context.Context, rows Target, fields []ExtractField, only RowFilter) ([]map[string]any, error)
}

// RowFilter determines which rows Extract reads. The zero value selects all matches.
type RowFilter struct {
	// Shown excludes rows and matches of fields that are not visible; texts then include
	// the values of fields.
	Shown bool
	// Hue excludes rows without their own text in that hue; "" means any hue.
	Hue string
	// Over selects only rows that are positioned themselves (fixed or absolute) and cover less than
	// half of the viewport.
	Over bool
}

// ElementState is the state that WaitElement waits for.
type ElementState struct {
	State string // visible (default), hidden, attached, detached, enabled, disabled, checked, unchecked
	Text  string // text that the rendered text must contain; "": any
}

// Waiter waits until a condition holds, driven by frames and mutations.
type Waiter interface {
	WaitElement(ctx context.Context, t Target, s ElementState) (Element, error)
	// WaitText waits for rendered text anywhere in the page.
	WaitText(ctx context.Context, text string) error
	// WaitURL waits until the URL matches. It checks before it waits, so with a ctx that has ended
	// it checks once.
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

// Snapshotter shows the page as text for readers.
type Snapshotter interface {
	// Snapshot waits for the scope, if there is one, and reads the page once.
	Snapshot(ctx context.Context, o SnapshotOptions) (*snapshot.Snapshot, error)
}
