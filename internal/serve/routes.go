package serve

import (
	"net/http"

	"github.com/actionregistry/action/internal/ops"
)

// apiRoutes returns all routes, in the order of the reference page.
func apiRoutes() []*route {
	var out []*route
	for _, group := range [][]*route{pageRoutes(), actionRoutes(), sessionRoutes(), partRoutes(), approvalRoutes()} {
		out = append(out, group...)
	}
	return out
}

// OpenAPI returns the OpenAPI 3.1 description of all paths. version is the version of the program.
func OpenAPI(version string) (map[string]any, error) { return openAPI(apiRoutes(), version) }

func pageRoutes() []*route {
	return []*route{
		{method: "GET", path: "/", doc: "Shows a page that says what this server is.", handle: startPage, also: "text/html"},
		{method: "GET", path: "/healthz", doc: "Answers ok while the server is running.", handle: healthz, out: map[string]any{}},
		{method: "GET", path: "/metrics", scope: ops.Read, doc: "Shows metrics in the text format of Prometheus.", handle: showMetrics, also: "text/plain"},
		{method: "GET", path: "/openapi.json", scope: ops.Read, doc: "Describes the paths (OpenAPI 3.1).", handle: showOpenAPI, out: map[string]any{}},
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
		{method: "GET", path: "/api/v1/runs/{id}", scope: ops.Run, doc: "Describes a run. After its end, its result is included.", handle: getRun, out: RunState{}},
		{method: "DELETE", path: "/api/v1/runs/{id}", scope: ops.Run, doc: "Cancels a run, and waits for its end.", handle: cancelRun, out: RunState{}},
		{method: "GET", path: "/api/v1/runs/{id}/events", scope: ops.Run, doc: "Streams the events of a run as server-sent events. The last event is its result.", handle: runEvents, also: eventType},
		{method: "GET", path: "/api/v1/socket", scope: ops.Admin, doc: "Speaks the socket's protocol over a WebSocket: each message is one line.", handle: webSocket, status: http.StatusSwitchingProtocols},
	}
}

func sessionRoutes() []*route {
	open := of("session.open", openSession)
	open.in, open.out, open.status = NewSession{}, SessionInfo{}, http.StatusCreated
	list := of("session.list", listSessions)
	list.out = Sessions{}
	return []*route{
		open, list,
		{method: "GET", path: sessionsPath + "/{id}", scope: ops.Read, doc: "Describes a session.", handle: getSession, out: SessionInfo{}},
		of("session.close", closeSession),
		of("session.handoff", onSession("session.handoff")),
		of("session.resume", onSession("session.resume")),
		session("POST", "/open", "Opens an address.", openPage, OpenPage{}, OpenedPage{}),
		session("POST", "/snapshot", "Reads the page as text, with refs to act on.", takeSnapshot, TakeSnapshot{}, Snapshot{}),
		session("POST", "/delta", "Reads what has changed since a snapshot; default: the last one.", takeDelta, TakeSnapshot{}, Snapshot{}),
		session("POST", "/action", "Performs one action.", act, ActionRequest{}, Action{}),
		of("step", anyStep, "timeout", "steps", "from_text"),
		{method: "POST", path: sessionsPath + "/{id}/connect", scope: ops.Admin, doc: "Makes the session use a running browser, and closes the browser that it had.", handle: connectSession, in: ConnectSession{}, out: SessionInfo{}},
	}
}

func partRoutes() []*route {
	picture := session("GET", "/screenshot", "Takes a picture: in JSON, or as a PNG if the client accepts image/png.", screenshot, nil, Screenshot{})
	picture.also = "image/png"
	picture.query = []string{"fullPage", "selector"}
	sent := session("GET", "/requests", "Lists the requests that the active tab has sent.", requests, nil, Requests{})
	sent.query = []string{"url", "type", "method", "status", "failed", "after", "limit"}
	return []*route{
		picture,
		session("GET", "/dialogs", "Lists the last dialogs.", dialogs, nil, Dialogs{}),
		sent,
		session("GET", "/console", "Lists the messages of the console.", console, nil, Console{}),
		session("GET", "/tabs", "Lists the tabs.", tabShelf.list, nil, Tabs{}),
		session("POST", "/tabs", "Opens a tab and makes it active.", openTab, OpenTab{}, Tab{}).created(),
		session("POST", "/tabs/{n}/activate", "Makes a tab active.", tabShelf.at("switch"), nil, Tabs{}),
		session("DELETE", "/tabs/{n}", "Closes a tab.", tabShelf.at("close"), nil, Tabs{}),
		session("GET", "/windows", "Lists the windows.", windowShelf.list, nil, Windows{}),
		session("POST", "/windows", "Opens a window, which has its own cookies and storage.", openWindow, OpenWindow{}, Tab{}).created(),
		session("POST", "/windows/{n}/activate", "Makes a window active.", windowShelf.at("switch"), nil, Windows{}),
		session("DELETE", "/windows/{n}", "Closes a window.", windowShelf.at("close"), nil, Windows{}),
		session("GET", "/storage", "Exports the state of the window: cookies and storage.", exportStorage, nil, map[string]any{}),
		session("PUT", "/storage", "Imports a state that was exported before.", importStorage, map[string]any{}, map[string]any{}),
		session("GET", "/network", "Lists the routes of requests.", listRoutes, nil, Routes{}),
		session("POST", "/network", "Blocks, answers or changes requests of the pages.", addRoute, NewRoute{}, AddedRoute{}).created(),
		session("DELETE", "/network", "Removes all routes.", removeRoutes, nil, Routes{}),
		session("DELETE", "/network/{route}", "Removes a route.", removeRoutes, nil, Routes{}),
	}
}

// created sets the status of a success to 201, and returns r.
func (r *route) created() *route {
	r.status = http.StatusCreated
	return r
}

// approvalRoutes returns the routes about approvals. Answering an approval requires the scope
// admin, so that a program that runs actions cannot approve its own runs.
func approvalRoutes() []*route {
	return []*route{
		of("approval.list", seeApprovals("approval.list", "all"), "all"),
		of("approval.get", seeApprovals("approval.get", "picture"), "picture"),
		of("approval.approve", answerApproval("approval.approve")),
		of("approval.deny", answerApproval("approval.deny")),
	}
}

// session returns a route below the path of a session. The route requires the scope run.
func session(method, path, doc string, handle func(s *Server, w http.ResponseWriter, r *http.Request) error, in, out any) *route {
	return &route{method: method, path: sessionsPath + "/{id}" + path, scope: ops.Run, doc: doc, handle: handle, in: in, out: out}
}

// of returns the route of the operation with this name.
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
