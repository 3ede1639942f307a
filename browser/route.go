package browser

// Routes, and the hosts that pages may not reach. Both hold up requests
// (Fetch.requestPaused), each for one message each way, so that nothing is held up
// where there are none.

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/diag"
	"actionregistry/steps"
)

// maxRoutes bounds what every request is compared with.
const maxRoutes = 200

// routes are the rules of a browser for requests.
type routes struct {
	mu    sync.Mutex
	list  []*steps.Route // the oldest first
	last  int            // number of the route that was made last
	allow func(address string) error
	// refused are the hosts that pages have asked for in vain since the last call of
	// TakeRefused.
	refused map[string]error
}

var resourceTypes = map[string]proto.NetworkResourceType{
	"document": proto.NetworkResourceTypeDocument, "stylesheet": proto.NetworkResourceTypeStylesheet,
	"image": proto.NetworkResourceTypeImage, "media": proto.NetworkResourceTypeMedia, "font": proto.NetworkResourceTypeFont,
	"script": proto.NetworkResourceTypeScript, "xhr": proto.NetworkResourceTypeXHR, "fetch": proto.NetworkResourceTypeFetch,
	"websocket": proto.NetworkResourceTypeWebSocket,
}

// typeName names a type of requests as steps do.
func typeName(t proto.NetworkResourceType) string {
	name := strings.ToLower(string(t))
	if _, ok := resourceTypes[name]; ok {
		return name
	}
	return "other"
}

// AddRoute implements [steps.Router].
func (b *Browser) AddRoute(ctx context.Context, r steps.Route) (string, error) {
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

// Routes implements [steps.Router].
func (b *Browser) Routes() []steps.Route {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	out := make([]steps.Route, len(b.routes.list))
	for i, r := range b.routes.list {
		out[i] = *r
	}
	return out
}

// RemoveRoute implements [steps.Router].
func (b *Browser) RemoveRoute(ctx context.Context, id string) error {
	b.routes.mu.Lock()
	var ids []string
	kept := slices.DeleteFunc(slices.Clone(b.routes.list), func(r *steps.Route) bool {
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

// Restrict says which addresses pages may ask for, by the error of allow for others;
// nil: all. It holds for every request that is sent from then on, and costs nothing
// where it changes nothing.
func (b *Browser) Restrict(ctx context.Context, allow func(address string) error) error {
	b.routes.mu.Lock()
	same := b.routes.allow == nil && allow == nil
	b.routes.allow = allow
	b.routes.mu.Unlock()
	if same {
		return nil
	}
	return b.holdRequests(ctx)
}

// TakeRefused returns why requests of pages were refused since the last call, one
// error for each host.
func (b *Browser) TakeRefused() []error {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	var out []error
	for _, host := range slices.Sorted(maps.Keys(b.routes.refused)) {
		out = append(out, b.routes.refused[host])
	}
	b.routes.refused = nil
	return out
}

// holdCall makes a session hold up the requests that somebody wants to decide on, or
// none.
func (b *Browser) holdCall() proto.Request {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	_, user := splitProxy(b.opts.Proxy)
	if user == nil && b.routes.allow == nil && len(b.routes.list) == 0 {
		return proto.FetchDisable{}
	}
	enable := proto.FetchEnable{HandleAuthRequests: user != nil}
	if user != nil || b.routes.allow != nil {
		return enable
	}
	types := make(map[string]bool)
	for _, r := range b.routes.list {
		if len(r.Types) == 0 || slices.Contains(r.Types, "other") { // a type that has no name
			return enable
		}
		for _, t := range r.Types {
			types[t] = true
		}
	}
	for _, t := range slices.Sorted(maps.Keys(types)) {
		enable.Patterns = append(enable.Patterns, &proto.FetchRequestPattern{URLPattern: "*", ResourceType: resourceTypes[t]})
	}
	return enable
}

// firstHold are the calls for a new session: none where nothing is held up.
func (b *Browser) firstHold() []proto.Request {
	if call := b.holdCall(); call.ProtoReq() != (proto.FetchDisable{}).ProtoReq() {
		return []proto.Request{call}
	}
	return nil
}

// holdRequests brings every session there is up to date. One that ends meanwhile
// counts as done; those to come begin with it.
func (b *Browser) holdRequests(ctx context.Context) error {
	b.mu.Lock()
	var sessions []string
	for session, p := range b.pages {
		if !p.hidden {
			sessions = append(sessions, session)
		}
	}
	b.mu.Unlock()
	slices.Sort(sessions)
	hold := b.holdCall()
	started := make([]*call, len(sessions))
	for i, session := range sessions {
		started[i] = b.conn.start(ctx, session, hold)
	}
	for _, k := range started {
		if err := k.wait(nil); err != nil && ctx.Err() != nil {
			return b.explain(ctx, err)
		} else if errors.Is(err, errConnClosed) {
			return b.ended(err)
		}
	}
	return nil
}

// paused decides what becomes of a request. It runs where replies are read, and
// waits for none. The request's page may be gone: then there is nothing to answer.
func (p *Page) paused(e *event) {
	var v proto.FetchRequestPaused
	if !decode(e, &v) || v.Request == nil {
		return
	}
	p.startIn(context.Background(), e.Session, p.decide(&v))
}

func (p *Page) decide(v *proto.FetchRequestPaused) proto.Request {
	rules := &p.b.routes
	rules.mu.Lock()
	defer rules.mu.Unlock()
	if err := rules.refuse(v); err != nil {
		if v.ResourceType == proto.NetworkResourceTypeDocument && v.FrameID == p.frame {
			p.deny(err)
		}
		return proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: proto.NetworkErrorReasonBlockedByClient}
	}
	for _, r := range slices.Backward(rules.list) {
		if !matchesRoute(r, v) {
			continue
		}
		r.Matched++
		p.routed(v.NetworkID, r.ID)
		switch r.Does {
		case steps.RouteBlock:
			return proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: proto.NetworkErrorReasonBlockedByClient}
		case steps.RouteMock:
			return mockedAnswer(r, v)
		}
		return proto.FetchContinueRequest{RequestID: v.RequestID, Headers: changedHeaders(r, v.Request.Headers)}
	}
	return proto.FetchContinueRequest{RequestID: v.RequestID}
}

// refuse asks whether a request may be sent. Requests that reach no host are no
// business of a rule for hosts.
func (r *routes) refuse(v *proto.FetchRequestPaused) error {
	if r.allow == nil {
		return nil
	}
	address := v.Request.URL
	u, err := url.Parse(address)
	if err == nil {
		switch u.Scheme {
		case "ws":
			u.Scheme = "http"
		case "wss":
			u.Scheme = "https"
		case "http", "https":
		default:
			return nil
		}
		address = u.String()
	}
	refused := r.allow(address)
	if refused != nil && len(r.refused) < maxRefused {
		if r.refused == nil {
			r.refused = make(map[string]error)
		}
		host := address
		if u != nil {
			host = u.Host
		}
		r.refused[host] = refused
	}
	return refused
}

// maxRefused bounds what is kept for a page that asks for many hosts.
const maxRefused = 20

func matchesRoute(r *steps.Route, v *proto.FetchRequestPaused) bool {
	return (r.Method == "" || r.Method == v.Request.Method) &&
		(len(r.Types) == 0 || slices.Contains(r.Types, typeName(v.ResourceType))) && r.URL.Match(v.Request.URL)
}

// mockedAnswer is the answer of a route. A page may read one to another origin, as if
// the server there had said so.
func mockedAnswer(r *steps.Route, v *proto.FetchRequestPaused) proto.Request {
	answer := proto.FetchFulfillRequest{RequestID: v.RequestID, ResponseCode: r.Status, Body: r.Body}
	said := false
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		said = said || strings.EqualFold(name, "Access-Control-Allow-Origin")
		answer.ResponseHeaders = append(answer.ResponseHeaders, &proto.FetchHeaderEntry{Name: name, Value: r.Headers[name]})
	}
	for name, value := range v.Request.Headers {
		if strings.EqualFold(name, "Origin") && !said {
			answer.ResponseHeaders = append(answer.ResponseHeaders,
				&proto.FetchHeaderEntry{Name: "Access-Control-Allow-Origin", Value: value.Str()},
				&proto.FetchHeaderEntry{Name: "Access-Control-Allow-Credentials", Value: "true"})
		}
	}
	return answer
}

// changedHeaders are the headers of a request with what a route changes.
func changedHeaders(r *steps.Route, sent proto.NetworkHeaders) []*proto.FetchHeaderEntry {
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

// deny keeps why the document that the page was going to was refused.
func (p *Page) deny(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.denied = diag.As(err)
}

// refusedDocument is err, or why the policy refused the document where that is what
// has failed.
func (p *Page) refusedDocument(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	denied := p.denied
	p.denied = nil
	if err == nil || denied == nil {
		return err
	}
	return denied.Clone()
}
