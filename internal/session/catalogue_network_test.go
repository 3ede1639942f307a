package session_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
)

func addNetworkCases(stepCases map[string]stepCase) {
	const ask = "return await fetch('/nav.html').then((r) => r.text().then((s) => r.status + ' ' + s.slice(0, 6)), () => 'failed')"
	asks := func(want string) look { return look{"eval", object{"script": ask}, want} }
	end := []does{{"route", object{"do": "remove"}}}
	block := does{"route", object{"do": "block", "url": "/nav.html"}}
	stepCases["route"] = stepCase{
		Effects: []trial{
			{args: object{"do": "block", "url": "*/nav.html"}, absent: []string{"routes"}, look: asks("failed"), after: end},
			{args: object{"do": "block", "url": "*/nav.html", "types": "image", "method": "post"}, absent: []string{"routes"}, look: asks("200 <!DOCT"), after: end},
			{args: object{"do": "mock", "url": "/nav.html", "status": 418, "body": "teapot", "headers": object{"X-A": "b"}}, absent: []string{"routes"}, look: asks("418 teapot"), after: end},
			{before: []does{{"screenshot", object{"path": "a.png"}}}, args: object{"do": "mock", "url": "/nav.html", "file": "a.png", "content_type": "text/plain"},
				absent: []string{"routes"}, look: look{"eval", object{"script": "return await fetch('/nav.html').then((r) => r.headers.get('content-type'))"}, "text/plain"}, after: end},
			{args: object{"do": "headers", "url": "/echo", "set": object{"X-A": "b"}, "remove": "Accept"}, absent: []string{"routes"}, look: asks("200 <!DOCT"), after: end},
			{before: []does{block}, args: object{"do": "list"}, absent: []string{"route"}, look: asks("failed"), after: end,
				check: func(t *testing.T, _ *bench, got object) {
					list, _ := got["routes"].([]any)
					if len(list) != 1 || list[0].(object)["do"] != "block" || list[0].(object)["url"] != "/nav.html" {
						t.Errorf("routes = %v, want the one that blocks", list)
					}
				}},
			{before: []does{block}, args: object{"do": "remove"}, want: object{"routes": "[]"}, absent: []string{"route"}, look: asks("200 <!DOCT")},
		},
		Refusals: []trial{
			{args: object{"do": "remove", "route": "r0"}, code: diag.ParamInvalid, says: `there is no route "r0"`, look: asks("200 <!DOCT")},
			{args: object{"do": "block"}, code: diag.ParamRequired, says: "route block needs the argument url", look: asks("200 <!DOCT")},
			{args: object{"do": "block", "url": "*", "types": "pictures"}, code: diag.ParamInvalid, says: `found the request type "pictures"`, look: asks("200 <!DOCT")},
			{args: object{"do": "block", "url": "*", "method": "GET it"}, code: diag.ParamInvalid, says: "found the method", look: asks("200 <!DOCT")},
			{args: object{"do": "block", "url": "*", "status": 200}, code: diag.ParamInvalid, says: "route block takes no status", look: asks("200 <!DOCT")},
			{args: object{"do": "mock", "url": "*", "headers": object{"X-A": "a\r\nSet-Cookie: b"}}, code: diag.ParamInvalid, says: "line break", look: asks("200 <!DOCT")},
			{args: object{"do": "mock", "url": "*", "status": 99}, code: diag.ParamInvalid, says: "expected at least 100", look: asks("200 <!DOCT")},
			{args: object{"do": "mock", "url": "*", "file": "/etc/passwd"}, code: diag.PolicyDenied, says: "outside the current folder", look: asks("200 <!DOCT")},
			{args: object{"do": "mock", "url": "*", "file": "a", "body": "b"}, code: diag.ParamInvalid, says: "found both `body` and `file`", look: asks("200 <!DOCT")},
			{args: object{"do": "headers", "url": "*"}, code: diag.ParamRequired, says: "`set` or `remove`", look: asks("200 <!DOCT")},
			{args: object{"do": "headers", "url": "*", "set": object{"not a name": "x"}}, code: diag.ParamInvalid, says: "found the header name", look: asks("200 <!DOCT")},
		},
		Untimed: "the browser itself is told, whatever a page does",
	}
	sent := func(urls ...string) func(*testing.T, *bench, object) {
		return func(t *testing.T, _ *bench, got object) {
			list, _ := got["requests"].([]any)
			if len(list) != len(urls) {
				t.Fatalf("requests = %v, want %d", list, len(urls))
			}
			for i, want := range urls {
				r := list[i].(object)
				if line := r["method"].(string) + " " + r["type"].(string) + " " + describeStatus(r["status"]); line != want {
					t.Errorf("request %d is %q, want %q", i, line, want)
				}
			}
		}
	}
	fetch := does{"eval", object{"script": ask}}
	stepCases["requests"] = stepCase{
		Effects: []trial{
			{before: []does{{"requests", object{"clear": true}}, fetch}, args: object{"url": "/nav.html"}, check: sent("GET fetch 200"), look: asks("200 <!DOCT")},
			{before: []does{block, fetch}, args: object{"url": "/nav.html", "failed": true, "limit": 1, "clear": true}, check: sent("GET fetch none"), look: look{"get", object{"what": "requests"}, "[]"}, after: end},
			{before: []does{{"requests", object{"clear": true}}, fetch}, args: object{"after": 1_000_000}, check: sent(), look: asks("200 <!DOCT")},
			{before: []does{{"requests", object{"clear": true}}, fetch}, args: object{"after": 1}, check: sent("GET fetch 200"), look: asks("200 <!DOCT")},
		},
		Refusals: []trial{
			{args: object{"method": "GET it"}, code: diag.ParamInvalid, says: "found the method", look: asks("200 <!DOCT")},
			{args: object{"type": "pictures"}, code: diag.ParamInvalid, says: "expected one of document", look: asks("200 <!DOCT")},
			{args: object{"url": "/[/"}, code: diag.ParamInvalid, says: "missing closing", look: asks("200 <!DOCT")},
		},
		Untimed: "nothing is asked of the page",
	}
}

func addAskingCases(stepCases map[string]stepCase) {
	stay := told("document.querySelectorAll('tbody tr').length", "2")
	stepCases["table"] = stepCase{
		Effects: []trial{
			{args: object{"selector": "css:table"}, want: object{"columns": "[Id Name]", "count": 2, "at": 1}, look: stay},
			{args: object{"selector": "css:table", "row": object{"Name": "Grace"}}, want: object{"count": 1, "at": 2, "row": "map[Id:2 Name:Grace]"}, look: stay},
			{args: object{"selector": "css:table", "row": "Ada"}, want: object{"count": 1, "at": 1}, look: stay},
			{args: object{"selector": "css:table", "row": "nobody"}, want: object{"count": 0, "at": 0}, look: stay},
		},
		Refusals: []trial{
			{args: object{"selector": "css:table", "row": object{"Nmae": "Grace"}}, code: diag.ParamInvalid, says: "Nmae", look: stay},
			{args: object{"selector": "css:h1"}, code: diag.StepFailed, says: "table", look: stay},
		},
		Late: []trial{{args: object{"selector": "css:#never"}, code: diag.ElementNotFound, says: "css:#never", look: stay}},
	}
	unpressed := told("log.length", "0")
	stepCases["calendar"] = stepCase{
		Effects: []trial{
			{page: "calendar.html?inline", args: object{"selector": "css:body", "day": "2025-06-09"}, look: unpressed,
				want: object{"unit": "day", "shows": "[2025-06]", "state": "day 2025-06", "away": 0, "final": true, "disabled": false, "chosen": false, "reason": "", "turn": nil, "zoom": nil, "list": nil, "done": nil, "says": false}},
			{page: "calendar.html?inline", args: object{"selector": "css:body", "day": "2025-03-09"}, look: unpressed, want: object{"away": 3, "final": false, "cell": nil}},
			{page: "calendar.html", args: object{"selector": "css:body", "day": "2025-03-09"}, look: unpressed, want: object{"unit": "", "shown": "[]"}},
		},
		Refusals: []trial{
			{page: "calendar.html", args: object{"selector": "css:body", "day": "9 March"}, code: diag.ParamInvalid, says: "expected YYYY-MM-DD", look: unpressed},
			{page: "calendar.html", args: object{"selector": "css:body", "day": "2025-03-09", "besides": "all"}, code: diag.ParamInvalid, says: "besides", look: unpressed},
		},
		Late: []trial{{args: object{"selector": "css:#never", "day": "2025-03-09"}, code: diag.ElementNotFound, says: "css:#never", look: stay}},
	}
}

func describeStatus(v any) string {
	switch v {
	case nil:
		return "none"
	case 200, 200.0:
		return "200"
	}
	return "other"
}
