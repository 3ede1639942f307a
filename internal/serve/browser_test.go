package serve_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

const form = `<!DOCTYPE html><title>Form</title><h1>Form</h1>
<label>Name <input id="name" value="Ann"></label>
<label><input type="checkbox" id="box"> Agree</label>
<select id="size"><option>S<option>M</select>
<button id="go" data-x="7" onclick="document.title='Pressed'; console.log('pressed'); localStorage.x='1'">Press</button>
<p id="late"></p>`

// TestNoFiles checks that clients read no file of this machine, whatever their token allows.
func TestNoFiles(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	file := "file://" + os.Args[0]
	base := "/api/v1/browser/session/" + s.do("POST", "/api/v1/browser/session", "").must(201).data["id"].(string)
	s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, file)).mustFail(403, "POLICY_DENIED")
	s.do("POST", base+"/steps/open", fmt.Sprintf(`{"url":%q}`, file)).mustFail(403, "POLICY_DENIED")
	s.do("POST", base+"/steps/tab", fmt.Sprintf(`{"do":"new","url":%q}`, file)).mustFail(403, "POLICY_DENIED")
	s.do("POST", base+"/tabs", fmt.Sprintf(`{"url":%q}`, file)).mustFail(403, "POLICY_DENIED")
}

// TestSession goes through the life of a session.
func TestSession(t *testing.T) {
	s := start(t, "")
	at := page(t, form)
	opened := s.do("POST", "/api/v1/browser/session", `{"viewport":{"width":800,"height":600},"timeout":120000,"userAgent":"test agent","javascript":true}`).must(201)
	id := opened.data["id"].(string)
	if ends, err := time.Parse(time.RFC3339, opened.data["expiresAt"].(string)); err != nil || time.Until(ends) < 100*time.Second || time.Until(ends) > 120*time.Second {
		t.Errorf("expiresAt is %v, %v", opened.data["expiresAt"], err)
	}
	base := "/api/v1/browser/session/" + id
	if opened.header.Get("Location") != base {
		t.Errorf("the location is %s", opened.header.Get("Location"))
	}
	if a := s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, at)).must(200); a.data["title"] != "Form" || a.data["status"] != float64(200) {
		t.Errorf("open: %s", a.text)
	}
	if a := s.do("GET", base, "").must(200); a.data["url"] != at || a.data["id"] != id {
		t.Errorf("GET: %s", a.text)
	}
	if a := s.do("GET", "/api/v1/browser/session", "").must(200); a.at("sessions.0.id") != id {
		t.Errorf("list: %s", a.text)
	}

	shot := s.do("POST", base+"/snapshot", `{"interactive":true}`).must(200)
	if !strings.Contains(shot.data["tree"].(string), `button "Press"`) || shot.at("stats.refs") == float64(0) || shot.at("stats.chars") == float64(0) {
		t.Errorf("snapshot: %s", shot.text)
	}
	ref := ""
	for name, v := range shot.data["refs"].(map[string]any) {
		if v.(map[string]any)["role"] == "button" && v.(map[string]any)["tag"] == "button" {
			ref = name
		}
	}
	actions := []struct{ body, want string }{
		{`{"type":"getText","selector":"h1"}`, `"Form"`},
		{`{"type":"getAttribute","selector":"#go","attribute":"data-x"}`, `"7"`},
		{`{"type":"getInputValue","selector":"#name"}`, `"Ann"`},
		{`{"type":"getInnerHTML","selector":"css:h1"}`, `"Form"`},
		{`{"type":"getTitle"}`, `"Form"`},
		{`{"type":"isVisible","selector":"#go"}`, `true`},
		{`{"type":"isChecked","selector":"#box"}`, `false`},
		{`{"type":"isEnabled","selector":"#go"}`, `true`},
		{`{"type":"fill","selector":"#name","value":"Bea"}`, `"value":"Bea"`},
		{`{"type":"focus","selector":"#name"}`, `"role"`},
		{`{"type":"press","key":"End"}`, `"navigated"`},
		{`{"type":"type","selector":"#name","value":"!"}`, `"text":"Bea!"`},
		{`{"type":"check","selector":"#box"}`, `"checked":true`},
		{`{"type":"uncheck","selector":"#box"}`, `"checked":false`},
		{`{"type":"select","selector":"#size","value":"M"}`, `"values":["M"]`},
		{`{"type":"hover","selector":"#go"}`, `"role"`},
		{`{"type":"scrollIntoView","selector":"#go"}`, `"role"`},
		{`{"type":"scroll","direction":"down"}`, `"atEnd"`},
		{`{"type":"wait","selector":"#go"}`, `"role"`},
		{`{"type":"wait","timeout":1}`, `"success":true`},
		{`{"type":"click","selector":"@` + ref + `"}`, `"name":"Press"`},
		{`{"type":"dblclick","refId":"` + ref + `"}`, `"name":"Press"`},
		{`{"type":"reload"}`, `"title":"Form"`},
		{`{"type":"open","url":"about:blank"}`, `"url":"about:blank"`},
		{`{"type":"back"}`, `"title":"Form"`},
		{`{"type":"forward"}`, `"url":"about:blank"`},
	}
	for _, test := range actions {
		if a := s.do("POST", base+"/action", test.body); a.status != 200 || !strings.Contains(a.text, test.want) {
			t.Errorf("%s: got %d %s, want %s", test.body, a.status, a.text, test.want)
		}
	}
	s.do("POST", base+"/action", `{"type":"click","selector":"@`+ref+`"}`).mustFail(409, "STALE_REF")
	for body, code := range map[string]string{
		`{"type":"clik"}`: "INVALID_REQUEST", `{}`: "INVALID_REQUEST", `{"type":"click","selectr":"x"}`: "PARAM_INVALID", `{"type":"fill","selector":"#x"}`: "PARAM_REQUIRED",
	} {
		s.do("POST", base+"/action", body).mustFail(400, code)
	}
	s.do("POST", base+"/open", `{"url":"`+at+`","wait":1}`).mustFail(400, "INVALID_REQUEST")
	s.do("POST", base+"/steps/open", fmt.Sprintf(`{"url":%q}`, at)).must(200)
	s.do("POST", base+"/action", `{"type":"click","selector":"#none","timeout":200}`).mustFail(422, "ELEMENT_NOT_FOUND")
	if a := s.do("POST", base+"/steps/get", `{"what":"text","selector":"css:h1"}`).must(200); a.at("data.text") != "Form" || a.data["id"] == nil {
		t.Errorf("step: %s", a.text)
	}
	s.do("POST", base+"/steps/clik", `{}`).mustFail(400, "INVALID_REQUEST")
	s.do("POST", "/api/v1/browser/session/none/steps/open", fmt.Sprintf(`{"url":%q}`, at)).mustFail(404, "INVALID_REQUEST")

	if a := s.do("DELETE", base, "").must(200); a.data["closed"] != id {
		t.Errorf("DELETE: %s", a.text)
	}
	for _, path := range []string{"", "/tabs", "/screenshot", "/storage"} {
		s.do("GET", base+path, "").mustFail(404, "INVALID_REQUEST")
	}
}

// TestParts checks tabs, windows, storage, routes and what a session records.
func TestParts(t *testing.T) {
	s := start(t, `
namespace: t
version: 1.0.0
actions:
  "state:keep":
    description: Keep a secret in the page
    params: {token: {type: string, secret: true, required: true}}
    steps: [{storage: {do: set, name: token, value: "${token}"}}]
`)
	at := page(t, form)
	base := "/api/v1/browser/session/" + s.do("POST", "/api/v1/browser/session", "").must(201).data["id"].(string)
	s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, at)).must(200)

	first := s.do("POST", base+"/snapshot", "").must(200)
	s.do("POST", base+"/action", `{"type":"eval","script":"document.querySelector('#late').textContent = 'Later'"}`).must(200)
	delta := s.do("POST", base+"/delta", `{}`).must(200)
	if tree := delta.data["tree"].(string); !strings.Contains(tree, "Later") || strings.Contains(tree, `heading "Form"`) {
		t.Errorf("delta: %s", delta.text)
	}
	if a := s.do("POST", base+"/delta", fmt.Sprintf(`{"since":%q}`, first.data["snapshotId"])).must(200); !strings.Contains(a.data["tree"].(string), "Later") {
		t.Errorf("delta since: %s", a.text)
	}

	s.do("POST", base+"/action", `{"type":"click","selector":"#go"}`).must(200)
	if a := s.do("GET", base+"/console", "").must(200); !strings.Contains(a.text, "pressed") {
		t.Errorf("console: %s", a.text)
	}
	if a := s.do("GET", base+"/requests?type=document", "").must(200); a.at("requests.0.url") != at || a.at("requests.0.startedMs") == nil {
		t.Errorf("requests: %s", a.text)
	}
	if a := s.do("GET", base+"/dialogs", "").must(200); len(a.data["dialogs"].([]any)) != 0 {
		t.Errorf("dialogs: %s", a.text)
	}
	if a := s.do("GET", base+"/screenshot", "").must(200); len(a.data["image"].(string)) < 100 || a.data["mimeType"] != "image/png" {
		t.Errorf("screenshot: %.200s", a.text)
	}
	if a := s.do("GET", base+"/screenshot?selector=h1", "", "Accept: image/png").must(200); !strings.HasPrefix(a.text, "\x89PNG") || a.header.Get("Content-Type") != "image/png" {
		t.Errorf("screenshot: %.20q", a.text)
	}

	if a := s.do("POST", base+"/tabs", fmt.Sprintf(`{"url":%q}`, at)).must(201); a.data["index"] != float64(1) || a.data["active"] != true || a.data["url"] != at {
		t.Errorf("new tab: %s", a.text)
	}
	if a := s.do("POST", base+"/tabs/0/activate", "").must(200); a.at("tabs.0.active") != true || a.at("tabs.1.active") != false {
		t.Errorf("activate: %s", a.text)
	}
	if a := s.do("DELETE", base+"/tabs/1", "").must(200); len(a.data["tabs"].([]any)) != 1 {
		t.Errorf("close: %s", a.text)
	}
	s.do("DELETE", base+"/tabs/7", "").mustFail(404, "INVALID_REQUEST")
	state := s.do("GET", base+"/storage", "").must(200)
	if !strings.Contains(state.text, `"x"`) {
		t.Errorf("storage: %s", state.text)
	}

	if a := s.do("POST", base+"/windows", `{"viewport":{"width":500,"height":400}}`).must(201); a.data["index"] != float64(1) {
		t.Errorf("new window: %s", a.text)
	}
	s.do("PUT", base+"/storage", state.text).must(200)
	s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, at)).must(200)
	if a := s.do("POST", base+"/action", `{"type":"eval","script":"return localStorage.x"}`).must(200); a.at("result.value") != "1" {
		t.Errorf("after the import: %s", a.text)
	}
	s.do("POST", "/api/v1/actions/t/state/keep?session="+base[strings.LastIndex(base, "/")+1:], `{"token":"tok-of-ada-42"}`).must(200)
	if a := s.do("GET", base+"/storage", "").must(200); !strings.Contains(a.text, "tok-of-ada-42") {
		t.Errorf("a secret that the page keeps: %s", a.text)
	}
	s.do("PUT", base+"/storage", `{"cookies":7}`).mustFail(400, "INVALID_REQUEST")
	if a := s.do("DELETE", base+"/windows/1", "").must(200); len(a.data["windows"].([]any)) != 1 || a.at("windows.0.active") != true || a.at("windows.0.url") != at {
		t.Errorf("close window: %s", a.text)
	}

	if a := s.do("POST", base+"/network", `{"do":"mock","url":"*/mocked","body":"<title>Mocked</title>","contentType":"text/html"}`).must(201); a.data["route"] != "r1" {
		t.Errorf("route: %s", a.text)
	}
	if a := s.do("POST", base+"/open", fmt.Sprintf(`{"url":"%smocked"}`, at)).must(200); a.data["title"] != "Mocked" {
		t.Errorf("mocked: %s", a.text)
	}
	if a := s.do("DELETE", base+"/network/r1", "").must(200); len(a.data["routes"].([]any)) != 0 {
		t.Errorf("routes: %s", a.text)
	}
	s.do("POST", base+"/network", `{"do":"fly","url":"*"}`).mustFail(400, "INVALID_REQUEST")
}
