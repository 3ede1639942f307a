package serve_test

import (
	"fmt"
	"testing"
	"time"
)

// waiting defines an action that waits without a page.
const waiting = `namespace: test
version: 1.0.0
actions:
  time:pass:
    params: {ms: {type: integer, default: 0}}
    steps:
      - {action: wait, args: {time: "${ms}"}}
      - {action: wait, args: {time: 0}}
    returns: {waited: "${ms}"}
  value:require:
    params: {name: {type: string, required: true}}
    steps:
      - {action: set, args: {values: {n: "${name}"}}}
    returns: {name: "${name}"}
`

// TestDefinitions checks the paths that need no browser.
func TestDefinitions(t *testing.T) {
	s := start(t, waiting)
	if a := s.do("GET", "/api/v1/actions?namespace=test", "").must(200); a.at("actions.0.name") != "test:time:pass" {
		t.Errorf("got %s", a.text)
	}
	if a := s.do("GET", "/api/v1/actions?namespaces=true", "").must(200); a.data["actions"] != nil || a.data["namespaces"] == nil {
		t.Errorf("got %s", a.text)
	}
	if a := s.do("GET", "/api/v1/actions?q=read+text&limit=1", "").must(200); a.at("actions.0.name") != "web:page:read" {
		t.Errorf("got %s", a.text)
	}
	if a := s.do("GET", "/api/v1/actions/test/value/require", "").must(200); a.at("params.0.name") != "name" {
		t.Errorf("got %s", a.text)
	}
	if a := s.do("POST", "/api/v1/actions/test/value/require/dry-run", `{"name":"x"}`).must(200); a.data["action"] != "test:value:require" {
		t.Errorf("got %s", a.text)
	}
	if a := s.do("POST", "/api/v1/reload", "").must(200); a.data["kept"] == nil {
		t.Errorf("got %s", a.text)
	}
	if a := s.do("GET", "/healthz", "", "Authorization: ").must(200); a.data["status"] != "ok" {
		t.Errorf("got %s", a.text)
	}
	s.do("GET", "/", "", "Authorization: ").must(200)
}

// TestBadRequests checks the status and the code of every kind of wrong request.
func TestBadRequests(t *testing.T) {
	s := start(t, waiting)
	tests := []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"GET", "/api/v1/actions/test/value/requier", "", 404, "ACTION_NOT_FOUND"},
		{"GET", "/api/v1/actions/a%2Fb/c/d", "", 404, "ACTION_NOT_FOUND"},
		{"POST", "/api/v1/actions/none/such/action", "{}", 404, "ACTION_NOT_FOUND"},
		{"POST", "/api/v1/actions/test/value/require", "{}", 400, "PARAM_REQUIRED"},
		{"POST", "/api/v1/actions/test/value/require", `{"name":"x","nmae":"y"}`, 400, "PARAM_INVALID"},
		{"POST", "/api/v1/actions/test/time/pass", `{"ms":"soon"}`, 400, "PARAM_INVALID"},
		{"POST", "/api/v1/actions/test/time/pass", `[]`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass", `{"ms":1`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass", `{"ms":1,"ms":2}`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass", `null`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass?sesion=x", `{}`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass?session=x&session=y", `{}`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass?timeout=never", `{}`, 400, "INVALID_REQUEST"},
		{"POST", "/api/v1/actions/test/time/pass?env=x", `{}`, 400, "INVALID_REQUEST"},
		{"GET", "/api/v1/actions?token=x", "", 400, "INVALID_REQUEST"},
		{"GET", "/api/v1/actions?namespace=none", "", 404, "ACTION_NOT_FOUND"},
		{"GET", "/api/v1/runs/run_none", "", 404, "INVALID_REQUEST"},
		{"DELETE", "/api/v1/runs/run_none", "", 404, "INVALID_REQUEST"},
		{"GET", "/api/v1/runs/run_none/events", "", 404, "INVALID_REQUEST"},
		{"PUT", "/api/v1/browser/session/none/storage", "{}", 404, "INVALID_REQUEST"},
		{"PUT", "/api/v1/actions", "", 405, "INVALID_REQUEST"},
		{"DELETE", "/api/v1/actions/test/time/pass", "", 405, "INVALID_REQUEST"},
		{"GET", "/api/v2/actions", "", 404, "INVALID_REQUEST"},
		{"GET", "/api/v1/actions/", "", 404, "INVALID_REQUEST"},
		{"GET", "/api/v1//actions", "", 404, "INVALID_REQUEST"},
		{"GET", "/api/../api/v1/actions", "", 404, "INVALID_REQUEST"},
		{"GET", "/api/v1/actions/test/..%2f..%2fpasswd/x", "", 404, "INVALID_REQUEST"},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.path+" "+test.body, func(t *testing.T) {
			a := s.do(test.method, test.path, test.body)
			a.t = t
			a.mustFail(test.status, test.code)
		})
	}
	if a := s.do("POST", "/api/v1/actions/test/value/require", "{}"); a.data["suggestion"] != "pass the param name" {
		t.Errorf("a missing param is answered with %s", a.text)
	}
	if a := s.do("PUT", "/api/v1/actions", ""); a.header.Get("Allow") != "GET" {
		t.Errorf("Allow is %q", a.header.Get("Allow"))
	}
	s.do("POST", "/api/v1/actions/test/time/pass", "ms=1", "Content-Type: application/x-www-form-urlencoded").mustFail(415, "INVALID_REQUEST")
}

// TestRuns runs an action in each of the ways of answering.
func TestRuns(t *testing.T) {
	s := start(t, waiting)
	path := "/api/v1/actions/test/time/pass"

	a := s.do("POST", path, `{"ms":5}`).must(200)
	if a.data["success"] != true || a.at("data.waited") != float64(5) || a.data["id"] == "" {
		t.Errorf("the answer is %s", a.text)
	}
	kept := s.do("GET", "/api/v1/runs/"+a.data["id"].(string), "").must(200)
	if kept.data["state"] != "succeeded" || kept.at("result.data.waited") != float64(5) || kept.data["name"] != "test:time:pass" {
		t.Errorf("the run is %s", kept.text)
	}

	res := s.send("POST", path, `{"ms":5}`, "Accept: text/event-stream")
	defer res.Body.Close()
	list := events(t, res.Body)
	if len(list) != 3 || list[0].name != "step" || list[0].id != "1" || list[2].name != "result" || list[2].id != "3" || list[2].data["success"] != true {
		t.Errorf("the events are %v", list)
	}
	again := s.send("GET", res.Header.Get("Location")+"/events", "", "Last-Event-ID: 1")
	defer again.Body.Close()
	if rest := events(t, again.Body); len(rest) != 2 || rest[0].id != "2" {
		t.Errorf("after the first event come %v", rest)
	}

	began := time.Now()
	a = s.do("POST", path+"?session=other", `{"ms":60000}`, "Prefer: respond-async").must(202)
	if took := time.Since(began); took > 10*time.Second || a.data["state"] != "running" || a.data["session"] != "other" {
		t.Errorf("after %s the answer is %s", took, a.text)
	}
	where := a.header.Get("Location")
	if where != "/api/v1/runs/"+a.data["id"].(string) {
		t.Errorf("the location is %q", where)
	}
	if a = s.do("DELETE", where, "").must(200); a.data["state"] != "cancelled" || a.at("result.code") != "CANCELLED" || a.at("result.status") != float64(499) {
		t.Errorf("a cancelled run is %s", a.text)
	}
	if a = s.do("POST", path+"?timeout=50ms", `{"ms":60000}`).mustFail(504, "TIMEOUT"); a.data["id"] == nil || a.data["instance"] == nil || a.data["action"] != "test:time:pass" {
		t.Errorf("a failed run is %s", a.text)
	}
}

// TestRunsAreForgotten checks the limits of what is kept.
func TestRunsAreForgotten(t *testing.T) {
	s := start(t, waiting, func(o *serveOptions) { o.MaxRuns, o.MaxEvents = 2, 1 })
	path := "/api/v1/actions/test/time/pass"
	var ids []string
	for range 3 {
		ids = append(ids, s.do("POST", path, `{}`).must(200).data["id"].(string))
	}
	s.do("GET", "/api/v1/runs/"+ids[0], "").mustFail(404, "INVALID_REQUEST")
	res := s.send("GET", "/api/v1/runs/"+ids[2]+"/events", "")
	defer res.Body.Close()
	if list := events(t, res.Body); len(list) != 1 || list[0].name != "result" || list[0].id != "3" {
		t.Errorf("the kept events are %v", list)
	}
	for i := range 2 {
		s.do("POST", path+fmt.Sprint("?session=s", i), `{"ms":60000}`, "Prefer: respond-async").must(202)
	}
	if a := s.do("POST", path, `{}`).mustFail(429, "LIMIT_EXCEEDED"); a.header.Get("Retry-After") == "" {
		t.Errorf("no Retry-After: %v", a.header)
	}
}
