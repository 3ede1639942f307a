package driver

import (
	"context"
	"time"

	"github.com/actionregistry/action/selectors"
)

// A Target identifies the element of a step. A method with several targets may call the functions
// of all of them concurrently.
type Target struct {
	// Source is the selector as written, with values inserted, for messages.
	Source string
	// Timeout is the longest wait for the element. 0 means one query.
	Timeout time.Duration
	// Bind returns the selector for a document. The page calls it before its first query in a
	// document, and again if the document is replaced while it waits. Bind may call back into the
	// page (to detect a version). Its error ends the method with that error.
	Bind func(ctx context.Context, doc Document) (*selectors.Query, error)
	// Decided, if set, is called after the successful query, once for each alias that the query
	// resolved.
	Decided func(doc Document, w Winner)
	// FoundAgain, if set, is called when the element of a ref was rendered again since its snapshot
	// and was found. ref is written without "@".
	FoundAgain func(ref string)
	// Grace is how long a fallback of an alias waits for an absent primary, counted from
	// the first query. 0 means none.
	Grace time.Duration
	// Busy, if set, makes the page wait until the element to read is no longer loading.
	Busy *Busy
	// Calm, if set, makes the page stop waiting for the element once the page is calm.
	Calm *Busy
	// Expect is the [Preview.Mark] of the element that a person has approved. If the element is
	// another one or shows something else when the input is armed or sent, the input is stopped and
	// the error is POLICY_DENIED with the reason "changed". "" means any element.
	Expect string
	// Keep means that the element, which is only read or waited for, is checked at the end of the
	// run like a control that the run has set; see [Keeper]. It has no effect while the Keeper is
	// off.
	Keep bool
}

// Busy describes the elements, besides ARIA attributes, that show that a part of the page is
// loading.
type Busy struct {
	// Bind returns the selector of loading indicators for a document, or nil for none.
	Bind func(ctx context.Context, doc Document) (*selectors.Query, error)
	// Most is the longest wait for the loading to end. After that, the error is TIMEOUT.
	Most time.Duration
}

// A Winner is the candidate of an alias that matched.
type Winner struct {
	Alias  string
	Index  int    // 0 is the primary
	Source string // the candidate as written
}

// A Preview describes what input to an element would do, as far as the page shows it.
type Preview struct {
	Element
	// Mark identifies the element and what it shows: its words, its link and its form. It changes
	// when one of these does.
	Mark string
	// Leads is the address to which a press of the element leads: that of its link, or that to which
	// it sends its form. "" means none.
	Leads string
	// Submits is set if a press of the element sends a form, Implicit if the key Enter in it does.
	Submits, Implicit bool
	// Saves is set if a press of the element saves its link as a file.
	Saves bool
	// Origin is the origin of the document that contains the element, "" or "null" if it has none.
	Origin string
}

// Previewer looks at elements before input is sent to them. It changes nothing but the position to
// which the page is scrolled.
type Previewer interface {
	// Preview waits for the element like a press, without the checks for what covers it. Nil means
	// the element that has the focus. hidden allows an element that is not visible.
	Preview(ctx context.Context, t *Target, hidden bool) (Preview, error)
	// PreviewAt describes the element at a point of the viewport.
	PreviewAt(ctx context.Context, at Point) (Preview, error)
}
