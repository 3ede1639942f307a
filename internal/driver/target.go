package driver

import (
	"context"
	"time"

	"github.com/actionregistry/action/selectors"
)

// A Target identifies the element of a step. A method with several targets may call the functions of
// different targets concurrently.
type Target struct {
	// Source is the selector as written, with values inserted, for messages.
	Source string
	// Timeout is the longest wait for the element. 0 means one query.
	Timeout time.Duration
	// Bind returns the selector for a document. The page calls Bind before its first query in a
	// document, and again if the document is replaced during the wait. Bind may call methods of the
	// page, for example to detect a version. If Bind returns an error, the method ends with that
	// error.
	Bind func(ctx context.Context, doc Document) (*selectors.Query, error)
	// Decided, if set, is called after the successful query, once for each alias that the query
	// resolved.
	Decided func(doc Document, w Winner)
	// FoundAgain, if set, is called when the page has rendered the element of a ref again since the
	// snapshot, and the new element was found. ref is written without "@".
	FoundAgain func(ref string)
	// Grace is the time for which the page tries only the primary selector of an alias, from the first
	// query on. After that, it also tries the fallbacks. 0 means that it tries them at once.
	Grace time.Duration
	// Busy, if set, makes the page wait until the element to read is no longer loading.
	Busy *Busy
	// Calm, if set, makes the page stop waiting for the element once the page is calm.
	Calm *Busy
	// Expect is the [Preview.Mark] of the element that a person has approved. An empty Expect means
	// any element. If the mark of the element differs from Expect when the input is sent, the page
	// does not get the input, and the error is POLICY_DENIED with the reason "changed".
	Expect string
	// Keep is for a step that only reads an element or waits for it. The element is then checked at
	// the end of the run, like a control that the run has set; see [Keeper]. While the Keeper is off,
	// Keep has no effect.
	Keep bool
}

// Busy describes the loading indicators of a page: elements which show that a part of the page is
// loading. ARIA attributes such as aria-busy are recognised without Busy.
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
	// Leads is the address to which a press of the element leads: the address of its link, or the
	// address to which its form is sent. It is "" if there is none.
	Leads string
	// Submits is set if a press of the element sends a form. Implicit is set if the key Enter sends a
	// form while the element has the focus.
	Submits, Implicit bool
	// Saves is set if a press of the element saves its link as a file.
	Saves bool
	// Origin is the origin of the document that contains the element. It is "" or "null" if the
	// document has none.
	Origin string
}

// Previewer describes elements before input is sent to them. It may scroll the page, and changes
// nothing else.
type Previewer interface {
	// Preview waits until the element is attached and visible, and describes it. The element may be
	// covered by another one. If hidden is set, it need not be visible. A nil t means the element
	// that has the focus.
	Preview(ctx context.Context, t *Target, hidden bool) (Preview, error)
	// PreviewAt describes the element at a point of the viewport.
	PreviewAt(ctx context.Context, at Point) (Preview, error)
}
