// Package daemon serves the actions of this machine's user over a unix socket. Each line is one
// JSON object, and a connection may have many concurrent requests.
//
// The package runs no actions and keeps no sessions. Its [Backend], a session.Manager, does both.
// Package ops defines the requests. The package parses no command lines. It does not start the
// daemon in the background, which package client does.
//
// Each file has one subject. listen.go: the socket, its folder and its lock. remains.go: the file
// with the names of the sessions, for the next daemon. server.go: the state of a server, and how it
// stops. accept.go: how it accepts connections. read.go: how it reads the requests of one
// connection. conn.go: the pending requests of a connection, and the lines sent to its client.
// outbox.go: the lines that are still to be written. reply.go: the encoding of replies. host.go:
// what package ops needs of a server. command.go: the command lines that run in the daemon.
// approvals.go: the runs that wait for an approval.
//
// Files, bottom to top: reply, daemon, listen, outbox, remains, server, conn, approvals, command,
// host, read, accept.
package daemon

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/session"
)

// A Backend runs actions and keeps sessions. Its methods may be called concurrently.
type Backend interface {
	ops.Backend
	// Close ends all sessions. It is called once, when nothing is running any more.
	Close(ctx context.Context) error
}

// Options configures a [Server]. The zero value works.
type Options struct {
	// Socket is the path of the socket. "" means endpoint.Path.
	Socket string
	// Backend runs the actions. Nil means a session.Manager with the environment and working
	// directory of this process. The server closes it.
	Backend Backend
	// Commands runs command lines. If it is nil, none are run.
	Commands Commands
	// Engine is the ID of this engine. Command lines for another engine are not run. "" means the
	// engine of this executable.
	Engine string
	// Build is reported by hello. The zero value means this executable.
	Build wire.Build
	// Log receives events, but never params, arguments or results. Nil disables logging.
	Log *slog.Logger
	// Ready receives a line with a wire.Reply when the server is listening, or when it has failed
	// to listen. The server then closes Ready. Ready may be nil.
	Ready io.WriteCloser

	Idle         time.Duration // time without connections and sessions after which Serve ends; 0 means 15m, negative means never
	DrainTime    time.Duration // time for pending requests in a shutdown with drain; 0 means 10m
	StopTime     time.Duration // time for replies, and then for the backend, when the server stops; 0 means 10s
	WriteTimeout time.Duration // time after which a client that reads nothing is dropped; 0 means 30s

	MaxConns       int // open connections; 0 means 512
	MaxRequests    int // pending requests of one connection; 0 means 64
	MaxLineBytes   int // bytes of a line in either direction; 0 means wire.MaxLineBytes
	MaxUnsentBytes int // bytes of answers that a connection has not read; 0 means 32 MiB
	MaxAllUnsent   int // bytes of unread answers on all connections; 0 means 256 MiB
	MaxHeldBytes   int // bytes of pending requests and of long lines being read on all connections; 0 means 256 MiB
}

func (o Options) withDefaults() Options {
	setDefault(&o.Idle, 15*time.Minute)
	setDefault(&o.DrainTime, 10*time.Minute)
	setDefault(&o.StopTime, 10*time.Second)
	setDefault(&o.WriteTimeout, 30*time.Second)
	setDefault(&o.MaxConns, 512)
	setDefault(&o.MaxRequests, 64)
	setDefault(&o.MaxLineBytes, wire.MaxLineBytes)
	setDefault(&o.MaxUnsentBytes, 32<<20)
	setDefault(&o.MaxAllUnsent, 256<<20)
	setDefault(&o.MaxHeldBytes, 256<<20)
	setDefault(&o.Log, slog.New(slog.DiscardHandler))
	setDefault(&o.Engine, endpoint.ThisEngine().ID)
	setDefault(&o.Build, wire.CurrentBuild(""))
	if o.Socket == "" {
		o.Socket = endpoint.Path(nil)
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// newManager returns the default backend of a server.
func newManager(log *slog.Logger) (Backend, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return session.NewManager(session.ManagerOptions{
		Cwd: cwd, Environ: os.Environ(), Warn: func(message string) { log.Warn(message) },
	}), nil
}
