package catalogue

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type requestsArgs struct {
	URL     *driver.URLPattern `arg:"url" pos:"1" doc:"the addresses to list; absent: all"`
	Type    resourceType       `arg:"type" doc:"the type to list"`
	Method  *string            `arg:"method" doc:"the method to list"`
	Status  *int               `arg:"status" min:"100" max:"599" doc:"the status to list"`
	Failed  bool               `arg:"failed" default:"false" doc:"only requests that failed, or were answered with 400 or more"`
	After   int                `arg:"after" min:"0" doc:"only requests with a higher number: with last of an earlier requests step, those sent since then"`
	Limit   int                `arg:"limit" min:"1" max:"500" default:"100" doc:"maximum number to list, the last ones"`
	Await   time.Duration      `arg:"await" default:"0s" doc:"first wait, for at most this time, until the requests that the last input has caused are answered, and its timers that are due within half a second have fired, such as the timer of a field that sends what is typed a moment later. With after, this applies to all inputs since then. If the last input of the run has filled a number field, the step moves the focus away from the field and back"`
	Answers bool               `arg:"answers" default:"false" doc:"also read whether the JSON answers of the listed fetch and xhr requests refuse"`
	Clear   bool               `arg:"clear" default:"false" doc:"forget all requests afterwards"`
}

type requestsResult struct {
	Requests []any `json:"requests" doc:"a list of number (1, 2, ... in the order in which the tabs of the session sent them), method, url, type, status (null: not answered), started_ms (since the document began), duration_ms (null: still pending), from (network, cache, service_worker, page for a file that a script of the page has created and saves, or a route's id), same_origin (whether it went to the origin of the document that sent it) and error; with answers also refused: what in a short JSON answer with a status below 400 says that the request was refused, such as success: false (null: nothing)"`
	Count    int   `json:"count" doc:"how many matched, including those beyond limit"`
	Last     int   `json:"last" doc:"the number of the latest request of the session, whether it matches or not; 0 if there was none"`
}

var requestSteps = []*steps.Entry{steps.Define(steps.Entry{
	Name: "requests", Group: steps.GroupNetwork, Effect: driver.NoEffect, Once: true,
	Summary: "list the requests that the tab has sent",
	Doc:     "The last 500 requests are recorded, including those of earlier documents. Requests of service workers are not seen. url has the same forms as in route.",
	Example: "{requests: {url: \"*/api/*\", failed: true}, output: bad}",
	Shown:   "requests",
}, requests)}

func requests(ctx context.Context, env *steps.Env, a *requestsArgs) (r requestsResult, err error) {
	if a.Method != nil && *a.Method != "" && !isToken(*a.Method) {
		return r, diag.New(diag.ParamInvalid, "found the method %q, expected a name without spaces or separators", *a.Method).WithHint("write a method such as GET or POST")
	}
	if a.Await > 0 {
		if err := env.Page.Await(ctx, a.After, a.Await); err != nil {
			return r, err
		}
	}
	all, last := env.Page.Requests()
	if a.Clear {
		env.Page.ClearRequests()
	}
	all = slices.DeleteFunc(all, func(r driver.Request) bool { return !a.wants(&r) })
	shown := all[max(len(all)-a.Limit, 0):]
	list := requestList(shown)
	if a.Answers {
		for i, r := range shown {
			list[i].(map[string]any)["refused"] = orNull(refusalIn(env.Page.JSONAnswer(ctx, r.Number)))
		}
	}
	return requestsResult{Requests: list, Count: len(all), Last: last}, nil
}

func (a *requestsArgs) wants(r *driver.Request) bool {
	switch {
	case a.URL != nil && !a.URL.Match(r.URL):
	case a.Type != "" && string(a.Type) != r.Type:
	case a.Method != nil && !strings.EqualFold(*a.Method, r.Method):
	case a.Status != nil && *a.Status != r.Status:
	case r.Number <= a.After:
	case a.Failed && r.Error == "" && r.Status < 400:
	default:
		return true
	}
	return false
}

func requestList(list []driver.Request) []any {
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

// getConsole returns the last messages of the page; limit 0 means all that are kept.
func getConsole(env *steps.Env, limit int) steps.Result {
	list, dropped := env.Page.Console()
	shown := list
	if limit > 0 {
		shown = list[max(len(list)-limit, 0):]
	}
	out, cut := make([]any, len(shown)), dropped > 0 || len(shown) < len(list)
	for i, m := range shown {
		one := map[string]any{"level": m.Level, "text": m.Text, "source": m.Source, "url": orNull(m.URL), "line": nil, "time": m.Time.Format("2006-01-02T15:04:05.000Z07:00")}
		if m.Line > 0 {
			one["line"] = m.Line
		}
		out[i], cut = one, cut || m.Cut
	}
	r := steps.Result{"console": out}
	if cut {
		r["truncated"] = true
	}
	return r
}

func orNull(id string) any {
	if id == "" {
		return nil
	}
	return id
}
