package steps

import (
	"context"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A NetworkReader returns the requests of a tab. It does not query the browser.
type NetworkReader interface {
	// Requests are the last requests of the tab, the oldest first: at most some hundreds,
	// including those of its frames. last is the number of the session's latest request.
	Requests() (list []Request, last int)
	// ClearRequests forgets them.
	ClearRequests()
}

// A Request is one that a page has sent. Times are in milliseconds.
type Request struct {
	Number int // 1, 2, ... in the order in which the tabs of the session sent them

	Method, URL, Type string
	Status            int     // 0: not answered
	SameOrigin        bool    // it went to the origin of the document that sent it
	Started           float64 // since the document of that time began; below 0 for the document itself
	Duration          float64 // until it was complete; below 0: it is not
	From              string  // network, cache, service_worker, or the id of the route that answered
	Error             string  // such as ERR_CONNECTION_REFUSED; "": none
}

const defaultRequests = 100

var requestFields = []Field{
	{"requests", "a list of number (1, 2, ... in the order in which the tabs of the session sent them), method, url, type, status (null: not answered), started_ms (since the document began), duration_ms (null: still pending), from (network, cache, service_worker, page for a file that a script of the page has created and saves, or a route's id), same_origin (whether it went to the origin of the document that sent it) and error"},
	{"count", "how many matched, including those beyond limit"},
	{"last", "the number of the latest request of the session, whether it matches or not; 0: there was none"},
}

var requestSteps = []*Entry{{
	Name: "requests", Group: GroupNetwork, Effect: NoEffect, Once: true,
	Summary: "list the requests that the tab has sent",
	Doc:     "The last 500 are recorded, including those of earlier documents. Requests of service workers are not seen. url is as in route.",
	Example: "{requests: {url: \"*/api/*\", failed: true}, output: bad}",
	Args: []Arg{
		{Name: "url", Type: ArgURL, Doc: "which addresses; absent: all"},
		{Name: "type", Type: ArgEnum, Values: ResourceTypes, Doc: "which type"},
		{Name: "method", Type: ArgText, Doc: "which method"},
		{Name: "status", Type: ArgInteger, Min: num(100), Max: num(599), Doc: "which status"},
		{Name: "failed", Type: ArgBoolean, Default: false, Doc: "only requests that failed, or were answered with 400 or more"},
		{Name: "after", Type: ArgInteger, Min: num(0), Doc: "only requests with a higher number: those sent since an earlier requests step, whose last it is"},
		{Name: "limit", Type: ArgInteger, Min: num(1), Max: num(500), Default: defaultRequests, Doc: "maximum number to list, the last ones"},
		{Name: "await", Type: ArgDuration, Default: "0s", Doc: "how long to wait first, at most, for the end of what the last input has begun: requests, and timers due within half a second, as of a field that sends what is typed a moment later. A field for a number that the run has filled last is left for that, and entered again"},
		{Name: "clear", Type: ArgBoolean, Default: false, Doc: "forget all of them afterwards"}},
	Hand: []string{"url"}, Result: requestFields, Shown: "requests",
	Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
		if method := a.Text("method"); method != "" && !isToken(method) {
			return nil, diag.New(diag.ParamInvalid, "%q is no method", method).WithHint("write one like GET or POST")
		}
		if most := a.Duration("await", 0); most > 0 {
			if err := env.Page.Await(ctx, most); err != nil {
				return nil, err
			}
		}
		all, last := env.Page.Requests()
		if a.Bool("clear") {
			env.Page.ClearRequests()
		}
		all = slices.DeleteFunc(all, func(r Request) bool { return !wantsRequest(a, &r) })
		told := all[max(len(all)-a.Int("limit", defaultRequests), 0):]
		return Result{"requests": requestList(told), "count": len(all), "last": last}, nil
	},
}}

func wantsRequest(a *Args, r *Request) bool {
	switch {
	case a.Has("url") && !a.URL("url").Match(r.URL):
	case a.Has("type") && a.Text("type") != r.Type:
	case a.Has("method") && !strings.EqualFold(a.Text("method"), r.Method):
	case a.Has("status") && a.Int("status", 0) != r.Status:
	case r.Number <= a.Int("after", 0):
	case a.Bool("failed") && r.Error == "" && r.Status < 400:
	default:
		return true
	}
	return false
}

func requestList(list []Request) []any {
	out := make([]any, len(list))
	for i, r := range list {
		m := map[string]any{"number": r.Number, "method": r.Method, "url": r.URL, "type": r.Type, "status": nil, "started_ms": r.Started, "duration_ms": nil, "from": r.From, "same_origin": r.SameOrigin, "error": orNull(r.Error)}
		if r.Status != 0 {
			m["status"] = r.Status
		}
		if r.Duration >= 0 {
			m["duration_ms"] = r.Duration
		}
		out[i] = m
	}
	return out
}
