package driver

import (
	"context"
	"time"
)

// DownloadOptions say how a download starts: by a press of Target or, if Target is nil, by loading
// URL.
type DownloadOptions struct {
	Target *Target
	URL    string
	// Accept is called with the name of the file, as soon as it is known. If Accept returns an
	// error, the download is cancelled, and Download returns the error. If Accept is nil, all names
	// are accepted.
	Accept func(name string) error
	// Keep is set if the file should stay, under its own name, until the browser ends.
	Keep bool
}

// A Downloaded is a file that was downloaded completely.
type Downloaded struct {
	Path string // in the browser's private folder; the caller removes it, unless it is kept
	Name string // suggested by the server, without a path
	URL  string
	Size int64
}

// Downloader saves files that pages or addresses offer for download.
type Downloader interface {
	// Download starts a download and waits until the file is complete. If the download is
	// interrupted, the error is STEP_FAILED. If it does not begin or end in time, the error is
	// TIMEOUT.
	Download(ctx context.Context, o DownloadOptions) (Downloaded, error)
}

// A NetworkReader returns the requests of a tab.
type NetworkReader interface {
	// Requests returns the latest requests of the tab and its frames, oldest first. It returns some
	// hundreds at most. The result "last" is the number of the latest request of the whole session.
	Requests() (list []Request, last int)
	// JSONAnswer returns the body of the answer to a request. number is the Number of a fetch or an
	// XMLHttpRequest. The result is nil if the answer is an error, is not JSON, is longer than some
	// kilobytes, or is no longer in the browser.
	JSONAnswer(ctx context.Context, number int) []byte
	// ClearRequests empties the list that Requests returns.
	ClearRequests()
}

// A ConsoleReader returns the messages of the document of a tab. It does not query the browser.
type ConsoleReader interface {
	// Console returns the latest messages of the tab's document and its frames, oldest first. It
	// returns some hundreds at most. dropped is the number of older messages.
	Console() (list []Message, dropped int)
}

// A Message is a message on the browser's console. It may come from a script, from an uncaught
// error, or from the browser.
type Message struct {
	Level  string // log, info, warning, error or debug
	Text   string
	Cut    bool   // Text was too long and is cut
	Source string // console, exception, or what the browser reports about: network, security, …
	URL    string // of the script, or of what failed to load; "": unknown
	Line   int    // line of the document at URL, from 1; 0: unknown
	Time   time.Time
}

// A Request is a request that a page has sent. Times are in milliseconds.
type Request struct {
	Number int // 1, 2, ... in the order in which the tabs of the session sent them

	Method, URL, Type string
	Status            int     // 0: not answered
	SameOrigin        bool    // sent to the origin of the document that sent it
	Started           float64 // since the request for its document; below 0 for that request itself
	Duration          float64 // until it was complete; below 0: not complete
	From              string  // network, cache, service_worker, or the id of the route that answered
	Error             string  // such as ERR_CONNECTION_REFUSED; "": none
}

// A Router blocks, answers or changes requests. Its routes apply to all present and later tabs and
// windows, until they are removed or the browser ends. If several routes match a request, the
// newest applies. Routes do not apply to requests of service workers.
type Router interface {
	AddRoute(ctx context.Context, r Route) (id string, err error)
	// Routes lists the routes, oldest first. It does not query the browser.
	Routes() []Route
	// RemoveRoute removes a route. An empty id means all routes. If there is no such route, the
	// error is PARAM_INVALID.
	RemoveRoute(ctx context.Context, id string) error
}

// The kinds of routes.
const (
	RouteBlock   = "block"
	RouteMock    = "mock"
	RouteHeaders = "headers"
)

// A Route is a rule for requests.
type Route struct {
	ID   string // assigned by the browser
	Does string
	// URL, Types and Method select the requests. A field that is empty selects all.
	URL    URLPattern
	Types  []string // of ResourceTypes
	Method string   // in upper case
	// Status, Headers and Body are the answer of a route of the kind RouteMock.
	Status  int
	Headers map[string]string
	Body    []byte
	// Set and Remove change the headers of the request.
	Set     map[string]string
	Remove  []string
	Matched int // number of requests that have matched the route
}

// ResourceTypes are the types of requests.
var ResourceTypes = []string{"document", "stylesheet", "image", "media", "font", "script", "xhr", "fetch", "websocket", "other"}
