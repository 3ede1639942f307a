package driver

import (
	"context"
	"time"

	"github.com/actionregistry/action/selectors"
)

// A Target identifies the element of a step. The functions of different targets may be called
// concurrently.
type Target struct {
	// Source is the text of the selector, for messages.
	Source string
	// Timeout is how long to wait for the element. 0 means a single query.
	Timeout time.Duration
	// Bind returns the selector for a document. It is called before the first query in each
	// document. It may call methods of the page. If Bind returns an error, the method of the page
	// returns it.
	Bind func(ctx context.Context, doc Document) (*selectors.Query, error)
	// Decided, if set, is called for each alias that a successful query has resolved.
	Decided func(doc Document, w Winner)
	// FoundAgain, if set, is called when the page has replaced the element of a ref since the
	// snapshot, and the new element was found. ref is written without "@".
	FoundAgain func(ref string)
	// Grace is how long to try only the primary selector of an alias. After that, its fallbacks are
	// tried too.
	Grace time.Duration
	// Busy, if set, makes the page wait until the element has finished loading.
	Busy *Busy
	// Calm, if set, makes the page stop waiting for the element once the page is calm.
	Calm *Busy
	// Expect is the [Preview.Mark] of the element that a person has approved. "" means any element.
	// If the element has another mark when the input is sent, the page does not get the input. The
	// error is then POLICY_DENIED with the reason "changed".
	Expect string
	// Keep makes the [Keeper] check this element at the end of the run, like a control that the run
	// has set. It is for steps that only read the element or wait for it.
	Keep bool
}

// Busy describes the loading indicators of a page. Elements with ARIA attributes such as aria-busy
// are recognised without Busy.
type Busy struct {
	// Bind returns the selector of the loading indicators in a document. Nil means none.
	Bind func(ctx context.Context, doc Document) (*selectors.Query, error)
	// Most is how long to wait for the end of the loading. After that, the error is TIMEOUT.
	Most time.Duration
}

// A Winner is the selector of an alias that matched.
type Winner struct {
	Alias string
	Index int // 0 is the primary
}

// A Preview describes an element, and what input to it would do.
type Preview struct {
	Element
	// Mark identifies the element together with its text, its link and its form. It changes if one
	// of them changes.
	Mark string
	// Leads is the address of the element's link, or the address to which a press of the element
	// sends its form. It is "" if there is none.
	Leads string
	// Submits is set if a press of the element sends a form. Implicit is set if the Enter key in
	// the element sends a form.
	Submits, Implicit bool
	// Saves is set if a press of the element downloads its link.
	Saves bool
	// Origin is the origin of the element's document. It may be "" or "null".
	Origin string
}

// Previewer describes elements before they get input. It may scroll the page, but changes nothing
// else.
type Previewer interface {
	// Preview waits until the element is visible, and describes it. If hidden is set, it waits only
	// until the element is attached. The element may be covered by another one. If t is nil,
	// Preview describes the focused element.
	Preview(ctx context.Context, t *Target, hidden bool) (Preview, error)
	// PreviewAt describes the element at a point of the viewport.
	PreviewAt(ctx context.Context, at Point) (Preview, error)
}
