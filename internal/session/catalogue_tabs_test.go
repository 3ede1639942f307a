package session_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
)

func addTabsCases(stepCases map[string]stepCase) {
	const slow = "BASE/slow?ms=60000"
	one := func(list, id string) func(*testing.T, *bench, object) {
		return func(t *testing.T, _ *bench, got object) {
			all, _ := got[list].([]any)
			if len(all) != 1 || all[0].(object)["id"] != got[id] || all[0].(object)["active"] != true {
				t.Errorf("%s = %v, want the active one, %v", list, all, got[id])
			}
		}
	}
	stepCases["tab"] = stepCase{
		Effects: []trial{
			{args: object{"do": "list"}, want: object{"url": "BASE/steps.html", "title": "Steps"}, check: one("tabs", "tab")},
			{args: object{"do": "new", "url": "BASE/nav.html"}, want: object{"url": "BASE/nav.html", "title": "Navigation"}, absent: []string{"tabs"},
				look: look{"get", object{"what": "title"}, "Navigation"}, after: []does{{"tab", object{"do": "close"}}}},
			{args: object{"do": "new"}, want: object{"url": "about:blank", "title": ""}, absent: []string{"tabs"},
				look: look{"get", object{"what": "url"}, "about:blank"}, after: []does{{"tab", object{"do": "close"}}}},
			{before: []does{{"tab", object{"do": "new"}}}, args: object{"do": "close"}, want: object{"url": "BASE/steps.html"}, absent: []string{"tabs"},
				look: look{"get", object{"what": "title"}, "Steps"}},
			{yaml: `      - {action: tab, args: {do: list}, output: first}
      - {action: tab, args: {do: new}}
      - {action: tab, args: {do: switch, tab: "${steps.first.tab}"}, output: out}
      - {action: tab, args: {do: list}, output: all}
      - {action: tab, args: {do: close, tab: "${steps.all.tabs[1].id}"}}`,
				want: object{"title": "Steps"}, absent: []string{"tabs"}, look: look{"get", object{"what": "title"}, "Steps"}},
		},
		Refusals: []trial{
			{args: object{"do": "switch", "tab": "t0"}, code: diag.ParamInvalid, says: `there is no tab "t0"`, look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "close"}, code: diag.InvalidRequest, says: "is the only tab of the session", look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "new", "url": "BASE/broken"}, code: diag.NavigationFailed, says: "/broken", look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "new", "url": "javascript:alert(1)"}, code: diag.PolicyDenied, says: "javascript:", look: look{"get", object{"what": "title"}, "Steps"}},
		},
		Late: []trial{{args: object{"do": "new", "url": slow}, code: diag.Timeout, says: "/slow?ms=60000", look: look{"get", object{"what": "title"}, "Steps"}}},
	}
	stepCases["handoff"] = stepCase{
		Effects: []trial{
			{args: object{"until": "${page.title} == 'Steps'"}, want: object{"ended": "condition"}, look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"message": "go on", "until": "${page.url} contains '/steps.html'"}, want: object{"ended": "condition"}, look: look{"get", object{"what": "title"}, "Steps"}},
		},
		Refusals: []trial{
			{args: object{"until": "${page.url} contains"}, code: diag.ParamInvalid, says: "found the end, expected a value", look: look{"get", object{"what": "title"}, "Steps"}},
		},
		Late: []trial{{args: object{"until": "${page.title} == 'Other'"}, code: diag.Timeout, says: "nobody resumed", look: look{"get", object{"what": "title"}, "Steps"}}},
	}
	stepCases["window"] = stepCase{
		Effects: []trial{
			{args: object{"do": "list"}, want: object{"url": "BASE/steps.html"}, check: one("windows", "window")},
			{before: []does{{"eval", object{"script": "document.cookie = 'a=1'"}}}, args: object{"do": "new", "url": "BASE/nav.html"},
				want: object{"title": "Navigation"}, absent: []string{"windows"}, look: told("document.cookie", ""), after: []does{{"window", object{"do": "close"}}}},
			{args: object{"do": "new", "url": "BASE/nav.html", "width": 390, "height": 844}, want: object{"title": "Navigation"}, absent: []string{"windows"},
				look: told("innerWidth + 'x' + innerHeight", "390x844"), after: []does{{"window", object{"do": "close"}}}},
			{before: []does{{"window", object{"do": "new", "width": 390, "height": 844}}, {"tab", object{"do": "new", "url": "BASE/nav.html"}}}, args: object{"do": "list"},
				check: func(*testing.T, *bench, object) {}, look: told("innerWidth + 'x' + innerHeight", "390x844"), after: []does{{"window", object{"do": "close"}}}},
			{before: []does{{"window", object{"do": "new"}}}, args: object{"do": "close"}, want: object{"title": "Steps"}, absent: []string{"windows"},
				look: look{"get", object{"what": "title"}, "Steps"}},
			{yaml: `      - {action: window, args: {do: list}, output: first}
      - {action: window, args: {do: new}, output: second}
      - {action: window, args: {do: switch, window: "${steps.first.window}"}, output: out}
      - {action: window, args: {do: close, window: "${steps.second.window}"}}`,
				want: object{"title": "Steps"}, absent: []string{"windows"}, look: look{"get", object{"what": "title"}, "Steps"}},
		},
		Refusals: []trial{
			{args: object{"do": "switch", "window": "w0"}, code: diag.ParamInvalid, says: `there is no window "w0"`, look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "new", "width": 390}, code: diag.ParamRequired, says: "height", look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "new", "width": 390, "height": 0}, code: diag.ParamInvalid, says: "expected at least 1", look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "close"}, code: diag.InvalidRequest, says: "is the only window of the session", look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"do": "new", "url": "BASE/broken"}, code: diag.NavigationFailed, says: "/broken", look: look{"get", object{"what": "title"}, "Steps"}},
		},
		Late: []trial{{args: object{"do": "new", "url": slow}, code: diag.Timeout, says: "/slow?ms=60000", look: look{"get", object{"what": "title"}, "Steps"}}},
	}
}
