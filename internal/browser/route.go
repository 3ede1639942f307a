package browser

// Routes. They pause requests (Fetch.requestPaused), each for one message each way, as
// rules for hosts do (see hosts.go), so nothing is paused without them.

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// maxRoutes bounds the routes that every request is compared with.
const maxRoutes = 200

// routes are the rules of a browser for requests.
type routes struct {
	mu    sync.Mutex
	list  []*driver.Route // the oldest first
	last  int             // number of the route that was made last
	hosts *HostRule       // nil: all may be reached
	stale bool            // not every session knows what is in hosts
	// refused are the hosts that pages have requested in vain since the last call of
	// TakeRefused.
	refused map[string]error
}

var resourceTypes = map[string]proto.NetworkResourceType{
	"document": proto.NetworkResourceTypeDocument, "stylesheet": proto.NetworkResourceTypeStylesheet,
	"image": proto.NetworkResourceTypeImage, "media": proto.NetworkResourceTypeMedia, "font": proto.NetworkResourceTypeFont,
	"script": proto.NetworkResourceTypeScript, "xhr": proto.NetworkResourceTypeXHR, "fetch": proto.NetworkResourceTypeFetch,
	"websocket": proto.NetworkResourceTypeWebSocket,
}

// AddRoute implements [driver.Router].
func (b *Browser) AddRoute(ctx context.Context, r driver.Route) (string, error) {
	b.routes.mu.Lock()
	if len(b.routes.list) >= maxRoutes {
		b.routes.mu.Unlock()
		return "", diag.New(diag.LimitExceeded, "there are %d routes, the most that a session may have", maxRoutes).
			WithHint("remove some: route remove")
	}
	b.routes.last++
	r.ID = "r" + strconv.Itoa(b.routes.last)
	b.routes.list = append(b.routes.list, &r)
	b.routes.mu.Unlock()
	return r.ID, b.holdRequests(ctx)
}

// Routes implements [driver.Router].
func (b *Browser) Routes() []driver.Route {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	out := make([]driver.Route, len(b.routes.list))
	for i, r := range b.routes.list {
		out[i] = *r
	}
	return out
}

// RemoveRoute implements [driver.Router].
func (b *Browser) RemoveRoute(ctx context.Context, id string) error {
	b.routes.mu.Lock()
	var ids []string
	kept := slices.DeleteFunc(slices.Clone(b.routes.list), func(r *driver.Route) bool {
		ids = append(ids, r.ID)
		return id == "" || r.ID == id
	})
	if id != "" && len(kept) == len(b.routes.list) {
		b.routes.mu.Unlock()
		e := diag.New(diag.ParamInvalid, "there is no route %q", id)
		if len(ids) == 0 {
			return e.WithHint("there are no routes")
		}
		return e.WithHint("there are %s", strings.Join(ids, ", "))
	}
	b.routes.list = kept
	b.routes.mu.Unlock()
	return b.holdRequests(ctx)
}

// holdCall makes a session pause the requests that a route or rule may decide on, or none.
func (b *Browser) holdCall() proto.Request {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	user := b.proxyUser()
	if user == nil && b.routes.hosts == nil && len(b.routes.list) == 0 {
		return proto.FetchDisable{}
	}
	enable := proto.FetchEnable{HandleAuthRequests: user != nil}
	if user != nil || b.routes.hosts != nil {
		return enable
	}
	types := make(map[string]bool)
	for _, r := range b.routes.list {
		if len(r.Types) == 0 || slices.Contains(r.Types, "other") { // a type that has no name
			return enable
		}
		for _, t := range r.Types {
			types[t] = true
			types["xhr"] = types["xhr"] || t == "fetch" // as which it is held up
		}
	}
	for _, t := range slices.Sorted(maps.Keys(types)) {
		enable.Patterns = append(enable.Patterns, &proto.FetchRequestPattern{URLPattern: "*", ResourceType: resourceTypes[t]})
	}
	return enable
}

// firstHold are the calls for the new, paused session of a page, frame or worker: none if
// nothing is to be decided. A worker refuses noDirect, which is harmless.
func (b *Browser) firstHold() []proto.Request {
	var calls []proto.Request
	if call := b.holdCall(); holds(call) {
		calls = append(calls, call)
	}
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	if b.routes.hosts != nil {
		calls = append(calls, b.routes.hosts.socketCall(), noDirect)
	}
	return calls
}

func holds(call proto.Request) bool { return call.ProtoReq() != (proto.FetchDisable{}).ProtoReq() }

// holdRequests updates every session; later ones begin with the new state.
func (b *Browser) holdRequests(ctx context.Context) error {
	if b.endpoint == nil {
		if err := b.do(ctx, b.attachPages(), nil); err != nil {
			return err
		}
	}
	return b.tellSessions(ctx, b.holdCall())
}

// tellSessions sends a call to the sessions of all pages, frames and workers. A session
// that ends meanwhile counts as done, and so does a worker that does not know the call; if
// a page does not, the error is errUnknown.
func (b *Browser) tellSessions(ctx context.Context, req proto.Request) error {
	b.mu.Lock()
	workers := slices.Sorted(maps.Keys(b.workers))
	var pages []string
	for session, p := range b.pages {
		if !p.hidden {
			pages = append(pages, session)
		}
	}
	b.mu.Unlock()
	slices.Sort(pages)
	var started []*cdp.Call
	for _, session := range slices.Concat(pages, workers) {
		started = append(started, b.conn.Start(ctx, session, req))
	}
	for i, k := range started {
		var refused *rodcdp.Error
		switch err := k.Wait(nil); {
		case err != nil && ctx.Err() != nil:
			return b.explain(ctx, err)
		case errors.Is(err, cdp.ErrClosed):
			return b.ended(err)
		case i < len(pages) && errors.As(err, &refused) && (refused.Code == noMethod || refused.Code == badParams):
			return errUnknown

		}
	}
	return nil
}

// errUnknown means that the browser does not know a call, or not in this form.
var errUnknown = errors.New("the browser does not know the call")

// Codes of JSON-RPC for that.
const noMethod, badParams = -32601, -32602

// paused decides about a paused request, in the goroutine that reads replies, without
// waiting. The request's page may be gone: then there is nothing to answer.
func (p *Page) paused(e *cdp.Event) {
	var v proto.FetchRequestPaused
	if !cdp.Decode(e, &v) || v.Request == nil {
		return
	}
	d := p.b.routes.decide(&v)
	if d.refused != nil && v.ResourceType == proto.NetworkResourceTypeDocument && v.FrameID == p.frame {
		p.deny(d.refused)
	}
	if d.route != "" {
		p.net.NoteRoute(v.NetworkID, v.Request.URL, d.route)
	}
	p.b.answer(e.Session, &v, d.reply)
}

// answer answers a paused request, even while a dialog blocks its page. If Chromium refuses
// the answer, the request fails: otherwise it would hang.
func (b *Browser) answer(session string, v *proto.FetchRequestPaused, reply proto.Request) {
	b.conn.StartThen(context.Background(), session, reply, func(err error) {
		var refused *rodcdp.Error
		if errors.As(err, &refused) { // or the request has gone, which makes no difference
			b.conn.Start(context.Background(), session, failRequest(v, proto.NetworkErrorReasonFailed))
		}
	})
}

func failRequest(v *proto.FetchRequestPaused, why proto.NetworkErrorReason) proto.Request {
	return proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: why}
}

// A decision is what becomes of a request.
type decision struct {
	reply   proto.Request
	route   string // that has decided it, "" for none
	refused error  // by the rule for hosts
}

func (r *routes) decide(v *proto.FetchRequestPaused) decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.refuseLocked(v.Request.URL); err != nil {
		return decision{reply: failRequest(v, proto.NetworkErrorReasonBlockedByClient), refused: err}
	}
	for _, rule := range slices.Backward(r.list) {
		if !matchesRoute(rule, v) {
			continue
		}
		d := decision{route: rule.ID}
		question := asksBefore(v) && rule.Method != http.MethodOptions
		if !question || rule.Does == driver.RouteBlock {
			rule.Matched++
		}
		switch {
		case rule.Does == driver.RouteBlock:
			d.reply = failRequest(v, proto.NetworkErrorReasonBlockedByClient)
		case question && rule.Does == driver.RouteMock:
			d.reply = allowed(v)
		case question:
			d.reply = proto.FetchContinueRequest{RequestID: v.RequestID}
		case rule.Does == driver.RouteMock:
			d.reply = mockedAnswer(rule, v)
		default:
			d.reply = proto.FetchContinueRequest{RequestID: v.RequestID, Headers: changedHeaders(rule, v.Request.Headers)}
		}
		return d
	}
	return decision{reply: proto.FetchContinueRequest{RequestID: v.RequestID}}
}

// matchesRoute reports whether a route applies to a request. A preflight matches like its
// request, unless the route is for preflights.
func matchesRoute(r *driver.Route, v *proto.FetchRequestPaused) bool {
	method := v.Request.Method
	if asksBefore(v) && r.Method != http.MethodOptions {
		method = header(v, "Access-Control-Request-Method")
	}
	name := network.TypeName(v.ResourceType)
	return (r.Method == "" || r.Method == method) && r.URL.Match(v.Request.URL) &&
		(len(r.Types) == 0 || slices.Contains(r.Types, name) || name == "xhr" && slices.Contains(r.Types, "fetch"))
}

// asksBefore reports whether a request is the browser's own CORS preflight for another one.
func asksBefore(v *proto.FetchRequestPaused) bool {
	return v.Request.Method == http.MethodOptions && header(v, "Access-Control-Request-Method") != ""
}

// header is a header of a request; "" where it has none of that name.
func header(v *proto.FetchRequestPaused, name string) string {
	for other, value := range v.Request.Headers {
		if strings.EqualFold(name, other) {
			return value.Str()
		}
	}
	return ""
}

// allowed is the positive answer to a preflight.
func allowed(v *proto.FetchRequestPaused) proto.Request {
	answer := proto.FetchFulfillRequest{RequestID: v.RequestID, ResponseCode: http.StatusNoContent, Body: []byte{}} // nil would be no body but null
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

// mockedAnswer is the answer of a route. A page may read one from another origin, as if the
// server there had allowed it.
func mockedAnswer(r *driver.Route, v *proto.FetchRequestPaused) proto.Request {
	answer := proto.FetchFulfillRequest{
		RequestID: v.RequestID, ResponseCode: r.Status, Body: r.Body,
		ResponsePhrase: cmp.Or(http.StatusText(r.Status), "Mocked"), // which Chromium requires for unknown statuses
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

// changedHeaders are the headers of a request with what a route changes.
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
