package rules

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/hosts"
)

func paused(method, url string, kind proto.NetworkResourceType, headers map[string]string) *proto.FetchRequestPaused {
	v := &proto.FetchRequestPaused{RequestID: "1", ResourceType: kind, Request: &proto.NetworkRequest{Method: method, URL: url}}
	data, err := json.Marshal(headers)
	if err == nil {
		err = json.Unmarshal(data, &v.Request.Headers)
	}
	if err != nil {
		panic(err) // a map of texts
	}
	return v
}

func route(t *testing.T, url string, r driver.Route) driver.Route {
	t.Helper()
	p, err := driver.ParseURLPattern(url)
	if err != nil {
		t.Fatal(err)
	}
	r.URL = p
	return r
}

func TestDecide(t *testing.T) {
	const (
		script = proto.NetworkResourceTypeScript
		fetch  = proto.NetworkResourceTypeFetch
		xhr    = proto.NetworkResourceTypeXHR
	)
	var table Table
	for _, r := range []driver.Route{
		route(t, "/api/", driver.Route{Does: driver.RouteMock, Status: 201, Body: []byte("{}"), Headers: map[string]string{"Content-Type": "application/json"}}),
		route(t, "/api/", driver.Route{Does: driver.RouteBlock, Method: "DELETE"}),
		route(t, "*.js", driver.Route{Does: driver.RouteBlock, Types: []string{"script"}}),
		route(t, "/data/", driver.Route{Does: driver.RouteHeaders, Types: []string{"fetch"}, Set: map[string]string{"X-One": "1"}, Remove: []string{"cookie"}}),
	} {
		if _, err := table.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	preflight := map[string]string{"Access-Control-Request-Method": "PUT", "Origin": "https://b.test"}
	for _, tt := range []struct {
		name, route, call string
		request           *proto.FetchRequestPaused
		holds             string // of the call, as JSON
	}{
		{"none", "", "Fetch.continueRequest", paused("GET", "https://a.test/x", fetch, nil), ""},
		{"the newest", "r2", "Fetch.failRequest", paused("DELETE", "https://a.test/api/1", fetch, nil), "BlockedByClient"},
		{"answered", "r1", "Fetch.fulfillRequest", paused("GET", "https://a.test/api/1", fetch, map[string]string{"Origin": "https://b.test"}), `"Access-Control-Allow-Origin","value":"https://b.test"`},
		{"preflight of an answered one", "r1", "Fetch.fulfillRequest", paused("OPTIONS", "https://a.test/api/1", fetch, preflight), `"Access-Control-Allow-Methods","value":"PUT"`},
		{"by type", "r3", "Fetch.failRequest", paused("GET", "https://a.test/x.js", script, nil), ""},
		{"another type", "", "Fetch.continueRequest", paused("GET", "https://a.test/x.js", fetch, nil), ""},
		{"fetch held up as xhr", "r4", "Fetch.continueRequest", paused("GET", "https://a.test/data/1", xhr, map[string]string{"Cookie": "a=b", "X-Two": "2"}), `{"name":"X-Two","value":"2"},{"name":"X-One","value":"1"}`},
	} {
		d := table.Decide(tt.request)
		data, err := json.Marshal(d.Reply)
		if err != nil || d.Route != tt.route || d.Reply.ProtoReq() != tt.call || !strings.Contains(string(data), tt.holds) || strings.Contains(string(data), "Cookie") {
			t.Errorf("%s: %s by %q: %s, %v", tt.name, d.Reply.ProtoReq(), d.Route, data, err)
		}
	}
	if list := table.Routes(); list[0].Matched != 1 || list[1].Matched != 1 {
		t.Errorf("the first two matched %d and %d times, want once each: a preflight does not count", list[0].Matched, list[1].Matched)
	}
}

// Only requests to which a route may apply are paused.
func TestHold(t *testing.T) {
	var table Table
	patterns := func(login bool) string {
		call := table.Hold(login)
		enable, ok := call.(proto.FetchEnable)
		if ok != Holds(call) {
			t.Errorf("Holds is %v of %T", Holds(call), call)
		}
		if !ok {
			return "none"
		}
		var names []string
		for _, p := range enable.Patterns {
			names = append(names, string(p.ResourceType))
		}
		if enable.HandleAuthRequests {
			names = append(names, "login")
		}
		return strings.Join(names, " ")
	}
	if got := patterns(false); got != "none" || len(table.First(false)) != 0 {
		t.Errorf("nothing is to be decided, but %q is paused", got)
	}
	if got := patterns(true); got != "login" {
		t.Errorf("for a login, %q is paused", got)
	}
	for _, types := range [][]string{{"image"}, {"fetch"}} {
		if _, err := table.Add(driver.Route{Types: types}); err != nil {
			t.Fatal(err)
		}
	}
	if got := patterns(false); got != "Fetch Image XHR" {
		t.Errorf("paused are %q", got)
	}
	if _, err := table.Add(driver.Route{}); err != nil {
		t.Fatal(err)
	}
	if got := patterns(false); got != "" {
		t.Errorf("a route without types pauses %q, want all", got)
	}
}

func TestRemove(t *testing.T) {
	var table Table
	for range maxRoutes {
		if _, err := table.Add(driver.Route{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Add(driver.Route{}); diag.As(err) == nil || diag.As(err).Code != diag.LimitExceeded {
		t.Errorf("one too many gave %v", err)
	}
	if err := table.Remove("r2"); err != nil {
		t.Error(err)
	}
	if err := table.Remove("r2"); diag.As(err) == nil || diag.As(err).Code != diag.ParamInvalid {
		t.Errorf("one that has gone gave %v", err)
	}
	if id, err := table.Add(driver.Route{}); id != "r201" || err != nil {
		t.Errorf("the next is %q, %v: an id is never used again", id, err)
	}
	if err := table.Remove(""); err != nil || len(table.Routes()) != 0 {
		t.Errorf("%d are left, %v", len(table.Routes()), err)
	}
}

func TestRestrict(t *testing.T) {
	refusal := errors.New("no")
	rule := func(host string) *HostRule {
		return &HostRule{Deny: hosts.MustParse(host), Check: func(address string) error {
			if strings.Contains(address, host) {
				return refusal
			}
			return nil
		}}
	}
	var table Table
	if table.Restrict(nil) || table.Restricted() {
		t.Error("nothing is a change")
	}
	if !table.Restrict(rule("b.test")) || !table.Restricted() {
		t.Error("a rule is no change")
	}
	if !table.Restrict(rule("b.test")) {
		t.Error("the rule counts as applied before it is")
	}
	if table.Applied(); table.Restrict(rule("b.test")) || !table.Restrict(rule("c.test")) {
		t.Error("a change is not told from none")
	}
	table.Restrict(rule("b.test"))
	table.Applied()
	if table.Unknown(); !table.Restrict(rule("b.test")) {
		t.Error("a new session does not learn the rule")
	}
	for address, want := range map[string]error{"https://b.test/x": refusal, "wss://b.test/x": refusal, "https://a.test/": nil, "data:,b.test": nil, "blob:https://b.test/1": nil} {
		if d := table.Decide(paused("GET", address, proto.NetworkResourceTypeFetch, nil)); d.Refused != want {
			t.Errorf("%s is refused by %v, want %v", address, d.Refused, want)
		}
	}
	table.NoteSocket("ws://b.test:81/")
	if got := table.TakeRefused(); !slices.Equal(got, []error{refusal, refusal}) || len(table.TakeRefused()) != 0 {
		t.Errorf("refused are %v, want one error each for b.test and b.test:81", got)
	}
	if calls := table.First(false); len(calls) != 3 || calls[2].ProtoReq() != NoDirect.ProtoReq() {
		t.Errorf("a new session gets %v", calls)
	}
}

// Denied hosts come first. With a list of allowed hosts, all other hosts are refused.
func TestSockets(t *testing.T) {
	for _, tt := range []struct {
		rule *HostRule
		want string
	}{
		{nil, ""},
		{&HostRule{Deny: hosts.MustParse("b.test")}, "-b.test"},
		{&HostRule{Allow: [][]hosts.Pattern{hosts.MustParse("a.test", "c.test"), hosts.MustParse("a.test")}}, "+a.test -*"},
	} {
		var got []string
		for _, r := range tt.rule.Sockets().(networkRules).Rules {
			host, ok := strings.CutPrefix(strings.TrimSuffix(r.URLPattern, ":*/*"), "wss://")
			if ok && !strings.HasSuffix(host, ".") {
				got = append(got, map[bool]string{true: "-", false: "+"}[r.Offline]+host)
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("the rules are %q, want %q", s, tt.want)
		}
	}
}
