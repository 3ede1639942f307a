package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"github.com/actionregistry/action/diag"
)

// maxHeaderBytes bounds the headers of a request.
const maxHeaderBytes = 64 << 10

// New returns a server. It serves nobody until [Server.Serve] is called.
func New(o Options) *Server {
	o = o.withDefaults()
	o.Location.Unattended = true // programs on other machines must not read files of this one
	base, stop := context.WithCancel(context.Background())
	s := &Server{o: o, daemon: newPool(o.Connect, o.Log), runs: newRuns(o), mux: http.NewServeMux(), routes: apiRoutes(), base: base, stop: stop}
	s.seen = newCounters(s.runs.count)
	for _, r := range s.routes {
		pattern := r.method + " " + r.path
		if r.path == "/" {
			pattern = r.method + " /{$}"
		}
		s.mux.Handle(pattern, s.handler(r))
	}
	return s
}

// Serve serves the clients of l until ctx ends. Then it closes l, cancels all runs, and answers the
// pending requests. It returns when all its goroutines have ended.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	served := &http.Server{
		Handler: s, BaseContext: func(net.Listener) context.Context { return s.base }, ReadHeaderTimeout: s.o.HeaderTime, IdleTimeout: s.o.IdleTime, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- served.Serve(netutil.LimitListener(l, s.o.MaxConns)) }()
	tick := time.NewTicker(max(s.o.KeepRuns/4, time.Millisecond))
	defer tick.Stop()
	var err error
	for serving := true; serving; {
		select {
		case <-tick.C:
			s.runs.forget()
		case <-ctx.Done():
			serving = false
		case err = <-ended:
			serving = false
			ended <- err
		}
	}
	s.stop()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if late := served.Shutdown(closing); late != nil {
		err = errors.Join(err, served.Close())
	}
	s.working.Wait()
	s.daemon.close()
	if why := <-ended; !errors.Is(why, http.ErrServerClosed) {
		err = errors.Join(err, why)
	}
	return err
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	out := &recorder{ResponseWriter: w}
	defer func() {
		if p := recover(); p != nil {
			// Do not log p itself, because it may contain a secret. The stack shows no values.
			s.o.Log.Error("fault", "method", r.Method, "stack", string(debug.Stack()))
			if out.status != 0 {
				panic(http.ErrAbortHandler)
			}
			s.writeFailure(out, failed(nil, errors.New("fault")))
		}
		s.access(out, r, began)
	}()
	setHeaders(w.Header())
	s.limitBody(out, r)
	if len(r.TransferEncoding) > 0 {
		// It may have had a length too, which net/http drops, and by which a proxy may have read it. What
		// follows on the connection could then be a part of it.
		out.Header().Set("Connection", "close")
	}
	if f := s.admit(out, r); f != nil {
		s.writeFailure(out, f)
		return
	}
	if out.status != 0 { // answered
		return
	}
	if _, pattern := s.mux.Handler(r); pattern == "" {
		s.writeFailure(out, s.noRoute(r))
		return
	}
	s.mux.ServeHTTP(out, r)
}

// admit checks the host, the origin and the path of a request. It also answers CORS preflight
// requests.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) *failure {
	if f := s.checkHost(r.Host); f != nil {
		return f
	}
	origin, f := s.checkOrigin(r)
	if f != nil {
		return f
	}
	if origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", "Location, Retry-After")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Add("Vary", "Origin")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			preflight(w)
			return nil
		}
	}
	return checkPath(r.URL.Path)
}

// noRoute returns the error for an unknown path, or for a method that the path does not allow.
func (s *Server) noRoute(r *http.Request) *failure {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		return notFound()
	}
	f := fail(http.StatusMethodNotAllowed, diag.InvalidRequest, "found a method that this path does not have, expected %s", strings.Join(allowed, " or ")).
		hint("see /openapi.json for the paths")
	f.header = http.Header{"Allow": {strings.Join(allowed, ", ")}}
	return f
}

// handler returns the handler of a route. It checks the token first.
func (s *Server) handler(r *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if r.scope != "" {
			token, f := s.authorize(req, r.scope)
			if f != nil {
				s.writeFailure(w, f)
				return
			}
			if out, ok := w.(*recorder); ok {
				out.token = token
			}
		}
		if err := r.handle(s, w, req); err != nil {
			s.writeFailure(w, failed(r.op, err))
		}
	})
}

// A recorder records the status and the size of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
	token  string
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += n
	return n, err
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// access logs a request and counts it in the metrics. It logs the pattern of the path, but not the
// path, the query or the headers, which may contain secrets.
func (s *Server) access(w *recorder, r *http.Request, began time.Time) {
	_, pattern := s.mux.Handler(r)
	_, path, _ := strings.Cut(pattern, " ")
	took := time.Since(began)
	s.seen.count(methodOf(r), path, w.status, took)
	s.o.Log.Info("request", "method", methodOf(r), "path", path, "status", w.status, "bytes", w.bytes, "token", w.token, "took", took)
}

// methodOf returns the method of a request for the log and the metrics. It returns "OTHER" for a
// method that is not a standard one.
func methodOf(r *http.Request) string {
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	if slices.Contains(known, r.Method) {
		return r.Method
	}
	return "OTHER"
}
