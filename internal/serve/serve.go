// Package serve serves the operations of package ops over HTTP: actions and their runs, the sessions
// of browsers, and the socket's protocol over a WebSocket. Every request needs a token.
//
// It runs no actions itself: it sends requests to a daemon, in this process or the shared one of
// the user. Its only web page is a note about itself. It does not speak TLS.
//
// Files, bottom to top: tokens, problem, guard, pool, body, metrics, runs, events, serve, actions,
// browser, handoff, approvals, act, parts, shapes, socket, openapi, routes, page, server.
package serve

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// A Conn is a connection to a daemon.
type Conn interface {
	ops.Peer
	Close() error
}

// Options configures a [Server]. Connect, Socket and Tokens are required. All other fields may be
// zero.
type Options struct {
	// Connect connects to the daemon. It starts the daemon if necessary.
	Connect func(ctx context.Context) (Conn, error)
	// Socket is the path of the daemon's socket. WebSocket clients are connected to it.
	Socket   string
	Tokens   *Tokens
	Location wire.Location // definitions that apply to every request
	Version  string        // version of this program
	// Hosts are host names of the server, besides localhost and IP addresses. Requests for other
	// hosts are rejected.
	Hosts []string
	// Origins are the other origins whose pages may send requests, such as https://example.com.
	Origins []string
	// Log receives the access log. It contains no tokens, queries, params or results. If Log is
	// nil, nothing is logged.
	Log *slog.Logger

	HeaderTime time.Duration // time for the headers of a request; 0 means 20s
	BodyTime   time.Duration // time for the body of a request; 0 means 30s
	WriteTime  time.Duration // time after which a client that reads nothing is dropped; 0 means 30s
	IdleTime   time.Duration // time without a request on a connection; 0 means 2m
	KeepRuns   time.Duration // time that a finished run is kept; 0 means 5m

	MaxBodyBytes int64 // size of the body of a request; 0 means 8 MiB
	MaxConns     int   // open connections; 0 means 512
	MaxRuns      int   // runs that are kept; 0 means 1000
	MaxRunBytes  int   // size of the events and results of all runs that are kept; 0 means 256 MiB
	MaxEvents    int   // events that are kept of one run; 0 means 1000
}

func (o Options) withDefaults() Options {
	setDefault(&o.HeaderTime, 20*time.Second)
	setDefault(&o.BodyTime, 30*time.Second)
	setDefault(&o.WriteTime, 30*time.Second)
	setDefault(&o.IdleTime, 2*time.Minute)
	setDefault(&o.KeepRuns, 5*time.Minute)
	setDefault(&o.MaxBodyBytes, wire.MaxLineBytes)
	setDefault(&o.MaxConns, 512)
	setDefault(&o.MaxRuns, 1000)
	setDefault(&o.MaxRunBytes, 256<<20)
	setDefault(&o.MaxEvents, 1000)
	setDefault(&o.Log, slog.New(slog.DiscardHandler))
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// A Server serves clients over HTTP. Call [Server.Serve] once.
type Server struct {
	o       Options
	daemon  *pool
	runs    *runs
	mux     *http.ServeMux
	routes  []*route
	working sync.WaitGroup // runs, and the bridges of WebSockets
	base    context.Context
	stop    context.CancelFunc
	seen    counters
	shots   snapshots
}

// A route is one path of the API.
type route struct {
	method, path string
	scope        ops.Scope // "" for paths that need no token
	doc          string
	op           *ops.Operation // the operation that it performs; nil if it performs a part of one, or several
	handle       func(s *Server, w http.ResponseWriter, r *http.Request) error
	in, out      any      // zero values of the body and the answer, for their schemas; nil: those of op, or none
	query        []string // query parameters
	status       int      // status of a success; 0 means 200
	also         string   // another content type of a success; "" means none
}
