package serve

import (
	"net/http"

	"github.com/actionregistry/action/internal/ops"
)

// routes returns the paths, in the order of the reference page. Those of package ops are here with the
// function that reads the request.
func apiRoutes() []*route {
	var out []*route
	for _, group := range [][]*route{pageRoutes(), actionRoutes()} {
		out = append(out, group...)
	}
	return out
}

func pageRoutes() []*route {
	return []*route{
		{method: "GET", path: "/", doc: "Says what this is, as a page.", handle: startPage},
		{method: "GET", path: "/healthz", doc: "Answers ok while the server is running.", handle: healthz},
	}
}

func actionRoutes() []*route {
	return []*route{
		of("action.list", listActions, "namespace", "namespaces", "strict", "q", "limit"),
		of("action.describe", describeAction, "format"),
		of("action.run", runAction, runQuery...),
		of("action.debug", debugAction, runQuery...),
		of("action.dryRun", dryRunAction, "strict", "from_text"),
		of("action.reload", reload),
		{method: "GET", path: "/api/v1/runs/{id}", scope: ops.Run, doc: "Describes a run; with its result once it has ended.", handle: getRun, out: RunState{}},
		{method: "DELETE", path: "/api/v1/runs/{id}", scope: ops.Run, doc: "Cancels a run, and waits for its end.", handle: cancelRun, out: RunState{}},
		{method: "GET", path: "/api/v1/runs/{id}/events", scope: ops.Run, doc: "Streams the events of a run, as server-sent events; the last is its result.", handle: runEvents},
	}
}

// of returns the route of an operation.
func of(name string, handle func(s *Server, w http.ResponseWriter, r *http.Request) error, query ...string) *route {
	o := ops.Lookup(name)
	return &route{method: o.HTTP.Method, path: o.HTTP.Path, scope: o.Scope, doc: o.Doc, op: o, handle: handle, query: query}
}

func healthz(s *Server, w http.ResponseWriter, _ *http.Request) error {
	s.write(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

func startPage(_ *Server, w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(startHTML)) // a client that has disconnected needs no answer
	return nil
}

const startHTML = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>action</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }</style>
<h1>action</h1>
<p>This is the HTTP server of <code>action</code>: it runs verified actions in a browser.</p>
<ul>
<li><a href="/openapi.json">/openapi.json</a> describes the paths (OpenAPI 3.1). It needs a token, like
every path but this page and <a href="/healthz">/healthz</a>.</li>
<li><code>action serve token</code> prints the token. Send it in the header
<code>Authorization: Bearer TOKEN</code>.</li>
<li>docs/http.md of the repository has examples.</li>
</ul>
`
