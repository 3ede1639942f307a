package driver

import (
	"context"
	"time"
)

// A CookieJar holds the cookies of the active window.
type CookieJar interface {
	// Cookies returns the cookies that match f, sorted by domain, path and name.
	Cookies(ctx context.Context, f CookieFilter) ([]Cookie, error)
	// SetCookie sets a cookie, and returns it as the browser has stored it. If the browser refuses
	// the cookie, the error is STEP_FAILED with the reason.
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
	// Partition and CrossSite are the partition key of the cookie (CHIPS). Partition is a site, or
	// "" for a cookie without a key. CrossSite is set if the document of the cookie is embedded in
	// another site.
	Partition string
	CrossSite bool
}

// A CookieParam is a cookie to set. It applies to URL or, if URL is empty, to its Domain and Path.
type CookieParam struct {
	Cookie
	URL string
}

// A CookieFilter selects cookies. A cookie must match all fields that are set.
type CookieFilter struct {
	URL    string // the cookie would be sent to this URL
	Domain string // the domain of the cookie is this one or a subdomain
	Name   string
	Path   string
}

// Storage is the storage of the active window in the browser, including cookies.
type Storage interface {
	// ExportState returns the cookies of the window and the storage of the origins that it has
	// shown. The argument "origins" lists further origins. ExportState also returns the items that
	// cannot be exported.
	ExportState(ctx context.Context, origins []string) (*State, []LeftOut, error)
	// ImportState sets the cookies and the storage of the window. If clear is set, it first removes
	// the existing ones. It also returns the items that the browser has not accepted.
	ImportState(ctx context.Context, s *State, clear bool) (Imported, []LeftOut, error)
	// StorageItem reads or changes the storage of the page's origin.
	StorageItem(ctx context.Context, r ItemRequest) (ItemAnswer, error)
}

// A LeftOut is an item that an export or an import has skipped. Why is the reason.
type LeftOut struct{ Place, Why string }

// Imported says how much an import has set.
type Imported struct {
	Cookies, Origins, Items, Databases, Records int
	// Pending lists the origins whose sessionStorage is not yet set. It is set when the active tab
	// shows a document of the origin.
	Pending []string
}

// An ItemRequest reads or changes one item of the storage, or removes all.
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
