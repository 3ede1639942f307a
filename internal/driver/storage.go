package driver

import (
	"context"
	"time"
)

// A CookieJar holds the cookies of the active window.
type CookieJar interface {
	// Cookies returns the cookies that match f, sorted by domain, path and name.
	Cookies(ctx context.Context, f CookieFilter) ([]Cookie, error)
	// SetCookie sets a cookie and returns it as the browser stores it. If the browser refuses the
	// cookie, the error is STEP_FAILED with the reason.
	SetCookie(ctx context.Context, c CookieParam) (Cookie, error)
	// RemoveCookies removes the cookies that match f and returns how many there were.
	RemoveCookies(ctx context.Context, f CookieFilter) (int, error)
}

// A Cookie is a cookie stored in the browser.
type Cookie struct {
	Name, Value string
	// Domain begins with a dot if the cookie also applies to subdomains.
	Domain, Path string
	Expires      time.Time // zero: when the window is closed
	HTTPOnly     bool
	Secure       bool
	SameSite     string // Strict, Lax, None; "" if the server did not set it
	// Partition and CrossSite are the partition key of the cookie (CHIPS). Partition is the site of
	// the key, "" for a cookie without a key. CrossSite is set if the cookie's document has an
	// ancestor of another site.
	Partition string
	CrossSite bool
}

// A CookieParam is a cookie to set: for a URL, or a domain and a path.
type CookieParam struct {
	Cookie
	URL string
}

// A CookieFilter selects cookies that meet all conditions that are set.
type CookieFilter struct {
	URL    string // the cookie would be sent to this URL
	Domain string // the domain of the cookie is this one or a subdomain
	Name   string
	Path   string
}

// Storage is what the pages of the active window store in the browser, including cookies.
type Storage interface {
	// ExportState reads the cookies and the storage of the origins that the window has shown, and
	// of those in the argument "origins". It reports each item that cannot be exported.
	ExportState(ctx context.Context, origins []string) (*State, []LeftOut, error)
	// ImportState sets a state and reads it back. With clear, it first removes the existing cookies
	// and storage of the window.
	ImportState(ctx context.Context, s *State, clear bool) (Imported, []LeftOut, error)
	// StorageItem reads or changes the items of the page's origin.
	StorageItem(ctx context.Context, r ItemRequest) (ItemAnswer, error)
}

// A LeftOut is an item that an export or an import has skipped, with the reason.
type LeftOut struct{ Place, Why string }

// Imported counts what an import set.
type Imported struct {
	Cookies, Origins, Items, Databases, Records int
	// Pending lists the origins whose sessionStorage is set once the active tab shows a document of
	// that origin.
	Pending []string
}

// An ItemRequest concerns one item, or all.
type ItemRequest struct {
	Act   string `json:"act"`  // get, set, remove, clear
	Area  string `json:"area"` // local, session
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// An ItemAnswer is the answer to an ItemRequest.
type ItemAnswer struct {
	Value   *string `json:"value"`   // result of get; nil: no such item
	Removed int     `json:"removed"` // number of items, after remove and clear
}
