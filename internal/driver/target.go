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
