package driver

import "context"

// A Navigation describes the document to which a navigation led.
type Navigation struct {
	URL    string
	Title  string
	Status int  // HTTP status; 0 if there is none (about:blank, cache of history)
	Posted bool // set by History and Reload if a POST was sent again
}

// A LoadState says how far a document has loaded.
type LoadState string

const (
	Commit           LoadState = "commit"
	DOMContentLoaded LoadState = "domcontentloaded"
	Load             LoadState = "load"
	NetworkIdle      LoadState = "networkidle" // no request for 500ms
)

// Values lists the load states, the default first.
func (LoadState) Values() []string {
	return []string{string(Load), string(DOMContentLoaded), string(NetworkIdle), string(Commit)}
}

// Navigator navigates between documents. If that fails, the error is NAVIGATION_FAILED.
type Navigator interface {
	Open(ctx context.Context, url string, until LoadState) (Navigation, error)
	// History moves by delta entries in the history of the tab. A negative delta moves back.
	History(ctx context.Context, delta int) (Navigation, error)
	Reload(ctx context.Context, until LoadState) (Navigation, error)
	// Document describes the current document. It costs at most one round trip.
	Document(ctx context.Context) (Document, error)
	// Shown describes the current document without its title. It costs no round trip, so it does
	// not wait for a busy page.
	Shown(ctx context.Context) (Document, error)
}
