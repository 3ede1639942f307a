package browser

import (
	"context"

	"github.com/actionregistry/action/internal/driver"
)

var _ driver.Page = (*Page)(nil)

// A Page is one tab and what acts on it. Its methods are those of [driver.Page], for one run at a
// time; Close, State and TakeDialogs may be called at any time.
type Page struct {
	*Tab

	kept kept // controls that the run has set
	hand hand // what the mouse and the keyboard hold; only during a call
}

// Launch is [Start] for a browser whose tabs are [Page]s.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	o.Acting = func(t *Tab) driver.Page { return &Page{Tab: t} }
	return Start(ctx, o)
}
