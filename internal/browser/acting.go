package browser

import (
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

// actOn returns what acts on a tab that has come.
func actOn(t *Tab) driver.Page { return &Page{Tab: t} }
