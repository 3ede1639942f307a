// Package rules decides what happens to the requests of a browser's pages. It applies routes, which
// block, answer or change requests. It applies the rule for hosts. It applies the guard, which
// forbids what nobody has approved. The package sends nothing: package chrome sends its decisions.
package rules

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// maxRoutes is the maximum number of routes of a session.
const maxRoutes = 200

// A Table holds the routes of a session and its rule for hosts. The zero value has neither. A Table
// is safe for concurrent use. Its methods may be called with any other lock held.
type Table struct {
	mu    sync.Mutex
	list  []*driver.Route // oldest first
	last  int             // number of the newest route
	hosts *HostRule       // nil: all hosts may be reached
	docs  bool            // whether the requests of documents are paused: see HoldDocuments
	stale bool            // whether some session may lack the rule in hosts
	ruled bool            // whether there has ever been a rule for hosts
	// refused maps hosts to the refusals since the last call of TakeRefused.
	refused map[string]error
}

var resourceTypes = map[string]proto.NetworkResourceType{
	"document": proto.NetworkResourceTypeDocument, "stylesheet": proto.NetworkResourceTypeStylesheet,
	"image": proto.NetworkResourceTypeImage, "media": proto.NetworkResourceTypeMedia, "font": proto.NetworkResourceTypeFont,
	"script": proto.NetworkResourceTypeScript, "xhr": proto.NetworkResourceTypeXHR, "fetch": proto.NetworkResourceTypeFetch,
	"websocket": proto.NetworkResourceTypeWebSocket,
}

// Add adds a route and returns its id, such as r1. If the session has too many routes, the error is
// LIMIT_EXCEEDED.
func (t *Table) Add(r driver.Route) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) >= maxRoutes {
		return "", diag.New(diag.LimitExceeded, "there are %d routes, the limit of a session", maxRoutes).
			WithHint("remove a route with: action route remove ROUTE")
	}
	t.last++
	r.ID = "r" + strconv.Itoa(t.last)
	t.list = append(t.list, &r)
	return r.ID, nil
}

// Routes returns the routes, oldest first.
func (t *Table) Routes() []driver.Route {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]driver.Route, len(t.list))
	for i, r := range t.list {
		out[i] = *r
	}
	return out
}

// Remove removes the route with this id. An empty id removes all routes. If no route has the id,
// the error is PARAM_INVALID.
func (t *Table) Remove(id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var ids []string
	kept := slices.DeleteFunc(slices.Clone(t.list), func(r *driver.Route) bool {
		ids = append(ids, r.ID)
		return id == "" || r.ID == id
	})
	if id != "" && len(kept) == len(t.list) {
		e := diag.New(diag.ParamInvalid, "there is no route %q", id)
		if len(ids) == 0 {
			return e.WithHint("there are no routes")
		}
		return e.WithHint("the routes are: %s", strings.Join(ids, ", "))
	}
	t.list = kept
	return nil
}

// Hold returns the call that makes a session pause all requests to which a route or the rule for
// hosts may apply. The argument login is set if the browser's proxy requires authentication. All
// requests are then paused.
func (t *Table) Hold(login bool) proto.Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !login && t.hosts == nil && len(t.list) == 0 && !t.docs {
		return proto.FetchDisable{}
	}
	enable := proto.FetchEnable{HandleAuthRequests: login}
	if login || t.hosts != nil {
		return enable
	}
	types := map[string]bool{}
	if t.docs {
		types["document"] = true
	}
	for _, r := range t.list {
		if len(r.Types) == 0 || slices.Contains(r.Types, "other") { // types without a name of their own
			return enable
		}
		for _, name := range r.Types {
			types[name] = true
			types["xhr"] = types["xhr"] || name == "fetch" // a fetch is intercepted as an xhr
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		enable.Patterns = append(enable.Patterns, &proto.FetchRequestPattern{URLPattern: "*", ResourceType: resourceTypes[name]})
	}
	return enable
}

// HoldDocuments sets whether all requests for documents are paused, even without a route or a rule.
// It reports whether the setting has changed.
func (t *Table) HoldDocuments(on bool) (changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed = t.docs != on
	t.docs = on
	return changed
}

// Holds reports whether call, a result of [Table.Hold], pauses any requests.
func Holds(call proto.Request) bool { return call.ProtoReq() != (proto.FetchDisable{}).ProtoReq() }

// First returns the calls to make in a new session of a page, a frame or a worker before it runs.
// It returns nil if no requests are intercepted. A worker refuses [NoDirect], which is harmless.
func (t *Table) First(login bool) []proto.Request {
	var calls []proto.Request
	if call := t.Hold(login); Holds(call) {
		calls = append(calls, call)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hosts != nil {
		calls = append(calls, t.hosts.Sockets(), NoDirect)
	}
	return calls
}

// A Decision is the result of [Table.Decide].
type Decision struct {
	Reply   proto.Request
	Route   string // the route that applied; "" for none
	Refused error  // the refusal of the rule for hosts; nil for none
}

// Decide decides what happens to a paused request.
func (t *Table) Decide(v *proto.FetchRequestPaused) Decision {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.refuse(v.Request.URL); err != nil {
		return Decision{Reply: Fail(v, proto.NetworkErrorReasonBlockedByClient), Refused: err}
	}
	for _, rule := range slices.Backward(t.list) {
		if !matchesRoute(rule, v) {
			continue
		}
		d := Decision{Route: rule.ID}
		question := asksBefore(v) && rule.Method != http.MethodOptions
		if !question || rule.Does == driver.RouteBlock {
			rule.Matched++
		}
		switch {
		case rule.Does == driver.RouteBlock:
			d.Reply = Fail(v, proto.NetworkErrorReasonBlockedByClient)
		case question && rule.Does == driver.RouteMock:
			d.Reply = allowed(v)
		case question:
			d.Reply = proto.FetchContinueRequest{RequestID: v.RequestID}
		case rule.Does == driver.RouteMock:
			d.Reply = mocked(rule, v)
		default:
			d.Reply = proto.FetchContinueRequest{RequestID: v.RequestID, Headers: changedHeaders(rule, v.Request.Headers)}
		}
		return d
	}
	return Decision{Reply: proto.FetchContinueRequest{RequestID: v.RequestID}}
}

// Fail returns the call that makes a paused request fail.
func Fail(v *proto.FetchRequestPaused, why proto.NetworkErrorReason) proto.Request {
	return proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: why}
}

// matchesRoute reports whether a route applies to a request. For a CORS preflight, the method of
// the request that follows it counts, unless the route is for the method OPTIONS.
func matchesRoute(r *driver.Route, v *proto.FetchRequestPaused) bool {
	method := v.Request.Method
	if asksBefore(v) && r.Method != http.MethodOptions {
		method = header(v, "Access-Control-Request-Method")
	}
	name := network.TypeName(v.ResourceType)
	return (r.Method == "" || r.Method == method) && r.URL.Match(v.Request.URL) &&
		(len(r.Types) == 0 || slices.Contains(r.Types, name) || name == "xhr" && slices.Contains(r.Types, "fetch"))
}

// asksBefore reports whether a request is a CORS preflight.
func asksBefore(v *proto.FetchRequestPaused) bool {
	return v.Request.Method == http.MethodOptions && header(v, "Access-Control-Request-Method") != ""
}

// header returns the value of a request's header, or "".
func header(v *proto.FetchRequestPaused, name string) string {
	for other, value := range v.Request.Headers {
		if strings.EqualFold(name, other) {
			return value.Str()
		}
	}
	return ""
}

// allowed returns the call that answers a preflight with permission.
func allowed(v *proto.FetchRequestPaused) proto.Request {
	answer := proto.FetchFulfillRequest{RequestID: v.RequestID, ResponseCode: http.StatusNoContent, Body: []byte{}} // a nil body would be null
	for name, value := range map[string]string{
		"Access-Control-Allow-Origin": header(v, "Origin"), "Access-Control-Allow-Credentials": "true",
		"Access-Control-Allow-Methods": header(v, "Access-Control-Request-Method"),
		"Access-Control-Allow-Headers": header(v, "Access-Control-Request-Headers"),
	} {
		if value != "" {
			answer.ResponseHeaders = append(answer.ResponseHeaders, &proto.FetchHeaderEntry{Name: name, Value: value})
		}
	}
	return answer
}

// mocked returns the call that answers a request with the response of a route. It allows pages of
// other origins to read the response.
func mocked(r *driver.Route, v *proto.FetchRequestPaused) proto.Request {
	answer := proto.FetchFulfillRequest{
		RequestID: v.RequestID, ResponseCode: r.Status, Body: r.Body,
		ResponsePhrase: cmp.Or(http.StatusText(r.Status), "Mocked"), // Chromium requires a phrase for unknown statuses
	}
	said := false
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		said = said || strings.EqualFold(name, "Access-Control-Allow-Origin")
		answer.ResponseHeaders = append(answer.ResponseHeaders, &proto.FetchHeaderEntry{Name: name, Value: r.Headers[name]})
	}
	if origin := header(v, "Origin"); origin != "" && !said {
		answer.ResponseHeaders = append(answer.ResponseHeaders,
			&proto.FetchHeaderEntry{Name: "Access-Control-Allow-Origin", Value: origin},
			&proto.FetchHeaderEntry{Name: "Access-Control-Allow-Credentials", Value: "true"})
	}
	return answer
}

// changedHeaders returns the headers of a request after the changes that a route makes.
func changedHeaders(r *driver.Route, sent proto.NetworkHeaders) []*proto.FetchHeaderEntry {
	drop := func(name string) bool {
		same := func(other string) bool { return strings.EqualFold(name, other) }
		return slices.ContainsFunc(r.Remove, same) || slices.ContainsFunc(slices.Collect(maps.Keys(r.Set)), same)
	}
	var out []*proto.FetchHeaderEntry
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		if !drop(name) {
			out = append(out, &proto.FetchHeaderEntry{Name: name, Value: sent[name].Str()})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Set)) {
		out = append(out, &proto.FetchHeaderEntry{Name: name, Value: r.Set[name]})
	}
	return out
}
