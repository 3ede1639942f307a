package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
)

// slowNext replaces the current entry of the history by a page that takes a minute to load.
var slowNext = does{"eval", object{"script": "history.replaceState(null, '', '/slow?ms=60000')"}}

// toTheStart goes to the first entry of the tab's history.
var toTheStart = []does{{"eval", object{"script": "void setTimeout(() => history.go(1 - history.length))"}}, {"wait", object{"url": "about:blank"}}}

func addFlowCases(stepCases map[string]stepCase) {
	stepCases["open"] = stepCase{
		Effects: []trial{{page: "-", args: object{"url": "BASE/nav.html"}, want: object{"url": "BASE/nav.html", "title": "Navigation", "status": 200},
			look: look{"get", object{"what": "url"}, "BASE/nav.html"}}},
		Refusals: []trial{
			{args: object{"url": "javascript:alert(1)"}, code: diag.PolicyDenied, says: "found a javascript: address", look: look{"get", object{"what": "title"}, "Steps"}},
			{args: object{"url": "shop.test"}, code: diag.ParamInvalid, says: `"shop.test" has no scheme`},
			{args: object{"url": "BASE/broken"}, code: diag.NavigationFailed, says: "/broken"},
		},
		Late: []trial{{args: object{"url": "BASE/slow?ms=60000"}, code: diag.Timeout, says: "/slow?ms=60000"}},
	}
	stepCases["back"] = stepCase{
		Effects: []trial{{page: "nav.html", before: []does{{"open", object{"url": "BASE/late.html"}}}, want: object{"url": "BASE/nav.html", "title": "Navigation"},
			look: look{"get", object{"what": "title"}, "Navigation"}}},
		Refusals: []trial{{before: toTheStart, code: diag.NavigationFailed, says: "there is no page to go back to", look: look{"get", object{"what": "url"}, "about:blank"}}},
		Late:     []trial{{before: []does{slowNext, {"open", object{"url": "BASE/nav.html"}}}, code: diag.Timeout, says: "the page did not reach load: the next document has not arrived; the page still shows|/nav.html"}},
	}
	stepCases["forward"] = stepCase{
		Effects: []trial{{before: []does{{"open", object{"url": "BASE/nav.html"}}, {"back", nil}}, want: object{"url": "BASE/nav.html", "title": "Navigation"},
			look: look{"get", object{"what": "title"}, "Navigation"}}},
		Refusals: []trial{{code: diag.NavigationFailed, says: "there is no page to go forward to", look: look{"get", object{"what": "title"}, "Steps"}}},
		Late:     []trial{{page: "nav.html", before: []does{{"open", object{"url": "BASE/steps.html"}}, slowNext, {"back", nil}}, code: diag.Timeout, says: "the next document has not arrived; the page still shows|/nav.html"}},
	}
	stepCases["reload"] = stepCase{
		Effects: []trial{{before: []does{{"fill", object{"selector": "css:#name", "value": "Ada"}}, {"eval", object{"script": "window.old = 1"}}},
			want: object{"url": "BASE/steps.html", "title": "Steps", "status": 200}, look: told("'old' in window", "false")},
			{before: []does{{"eval", object{"script": "document.body.innerHTML = '<form method=post action=/steps.html?posted>'; document.forms[0].submit()"}}, {"wait", object{"function": "location.search === '?posted' && document.readyState === 'complete'"}}},
				want: object{"url": "BASE/steps.html?posted", "title": "Steps", "status": 200}, warning: "post_repeated"}},
		Refusals: []trial{{before: []does{{"eval", object{"script": "history.replaceState(null, '', '/broken')"}}}, code: diag.NavigationFailed, says: "/broken"}},
		Late:     []trial{{before: []does{slowNext}, code: diag.Timeout, says: "the next document has not arrived"}},
	}
	waitCases()
	listCases()
	flowCases()
}

func waitCases() {
	const later = "setTimeout(() => { gone.hidden = false; document.title = 'Later'; location.hash = 'later'; window.ready = 'yes' }, 60)"
	soon := []does{{"eval", object{"script": later}}}
	without := func(have ...string) (absent []string) {
		for _, f := range []string{"role", "name", "text", "url", "value"} {
			for _, h := range have {
				if h == f {
					f = ""
				}
			}
			if f != "" {
				absent = append(absent, f)
			}
		}
		return absent
	}
	shown := look{"is", object{"selector": "css:#gone", "state": "visible"}, "true"}
	stepCases["wait"] = stepCase{
		Effects: []trial{
			{before: soon, args: object{"selector": "css:#gone"}, want: object{"text": "Never shown"}, absent: without("role", "name", "text"), look: shown},
			{before: soon, args: object{"text": "Never shown"}, absent: without(), look: shown},
			{before: soon, args: object{"url": "#later"}, want: object{"url": "BASE/steps.html#later"}, absent: without("url"), look: shown},
			{before: soon, args: object{"function": "window[name]", "args": object{"name": "ready"}}, want: object{"value": "yes"}, absent: without("value"), look: shown},
			{before: soon, args: object{"stable": true}, absent: without(), look: shown},
			{args: object{"load_state": "load"}, absent: without(), look: told("document.readyState", "complete")},
			{before: soon, args: object{"time": 80}, absent: without(), look: shown},
			{yaml: `      - {action: eval, args: {script: "` + later + `"}}
      - {action: wait, args: {condition: "${page.title} == 'Later'"}, output: out}`, absent: without(), look: shown},
		},
		Refusals: []trial{
			{args: object{"selector": "css:#go["}, code: diag.ParamInvalid, says: "css:#go["},
			{args: object{"url": "/(/"}, code: diag.ParamInvalid, says: "found the invalid pattern"},
			{args: object{"function": "no such thing"}, code: diag.StepFailed, says: "Unexpected"},
		},
		Late: []trial{
			{args: object{"selector": "css:#gone"}, code: diag.ElementNotInteractable, says: `<p#gone "Never shown">: display: none`},
			{args: object{"selector": "css:#go", "state": "hidden"}, code: diag.ElementNotInteractable, says: `"Go" button: it is still visible`},
			{args: object{"text": "Later"}, code: diag.Timeout, says: `"Later"`},
			{args: object{"url": "**/later"}, code: diag.Timeout, says: "**/later|/steps.html"},
			{args: object{"function": "false"}, code: diag.Timeout, says: "function|false"},
			{before: []does{{"eval", object{"script": "void setInterval(() => { out.textContent += '.' }, 20)"}}}, args: object{"stable": true}, code: diag.Timeout, says: "does not come to rest"},
			{args: object{"time": "1m"}, code: diag.Timeout, says: lookTime.String()},
			{yaml: `      - {action: wait, args: {condition: "${page.title} == 'Later'"}, timeout: 100ms, output: out}`, code: diag.Timeout, says: "did not hold in time|Later"},
		},
	}
}

func listCases() {
	stepCases["scroll_until"] = stepCase{
		Effects: []trial{
			{args: object{"scroll_selector": "css:#feed", "stop_text": "Entry 9"}, want: object{"stop_reason": "text_found"}, look: told("feed.innerText.includes('Entry 9')", "true")},
			{args: object{"scroll_selector": "css:#feed", "stall": 100}, want: object{"stop_reason": "stalled"}, look: told("feed.children.length", "12")},
		},
		Refusals: []trial{{args: object{"scroll_selector": "css:#name", "stop_text": "Entry 9"}, code: diag.StepFailed, waits: true, says: "does not scroll"}},
		Late:     []trial{{args: object{"scroll_selector": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["collect"] = stepCase{
		Effects: []trial{{args: object{"scroll_selector": "css:#feed", "rows": "css:#feed > *", "fields": object{"text": object{"what": "text"}}, "stall": 100},
			want: object{"count": 12}, look: told("feed.children.length", "12")}},
		Refusals: []trial{{args: object{"scroll_selector": "css:#feed", "rows": "css:#feed > *", "fields": object{"text": object{"what": "text"}}, "stall": 100, "max_scrolls": 1},
			code: diag.LimitExceeded, says: "after 1 scrolls"}},
		Late: []trial{{args: object{"rows": "css:#feed > *", "fields": object{"text": object{"what": "text"}}, "scroll_selector": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["load_more_until"] = stepCase{
		Effects: []trial{
			{args: object{"load_more_selector": "css:#more", "content_selector": "css:.item", "item_count": 3},
				want: object{"stop_reason": "item_count_reached", "loads_performed": 2, "final_count": 3}, look: told("items.children.length", "3")},
			{args: object{"load_more_selector": "css:#more", "content_selector": "css:.item", "stall": 100},
				want: object{"stop_reason": "stalled", "loads_performed": 4, "final_count": 5}, look: told("items.children.length", "5")},
		},
		Refusals: []trial{{args: object{"load_more_selector": "css:#under", "content_selector": "css:.item", "stall": 100}, code: diag.ElementNotInteractable, waits: true, says: "covered by"}},
		Late:     []trial{{args: object{"load_more_selector": "css:#none", "content_selector": "css:.none", "stall": 100}, code: diag.ElementNotFound, says: "css:#none"}},
	}
}

func flowCases() {
	stepCases["eval"] = stepCase{
		Effects:  []trial{{args: object{"script": "out.textContent = name; return [name, n + 1]", "args": object{"name": "${x}", "n": 2}}, want: object{"value": "[${x} 3]"}, look: look{"get", object{"selector": "css:#out", "what": "text"}, "${x}"}}},
		Refusals: []trial{{args: object{"script": "throw new TypeError('no luck')"}, code: diag.StepFailed, says: "TypeError: no luck"}},
		Late:     []trial{{args: object{"script": "new Promise(() => {})"}, code: diag.Timeout, says: "the script did not end in time"}},
	}
	tool := func(name, execute string) []does {
		return []does{{"eval", object{"script": "document.modelContext.registerTool({name, description: 'A tool', execute: " + execute + "}); return 1", "args": object{"name": name}}}}
	}
	stepCases["page_tools"] = stepCase{
		Effects: []trial{
			{before: tool("write", "() => 1"), args: object{"do": "list"}, want: object{"more": 0}, absent: []string{"value", "waits", "navigated", "url"},
				check: func(t *testing.T, _ *bench, got object) {
					tools, _ := got["tools"].([]any)
					if len(tools) != 1 || tools[0].(map[string]any)["name"] != "write" || tools[0].(map[string]any)["input_schema"] != nil {
						t.Errorf("the tools are %v", got["tools"])
					}
				}},
			{before: tool("write", "async (input) => { out.textContent = input.text; return input.list }"), args: object{"do": "call", "name": "write", "input": object{"text": "${x}", "list": []any{1}}},
				want: object{"value": "[1]", "waits": false}, absent: []string{"tools", "more", "url"}, look: look{"get", object{"selector": "css:#out", "what": "text"}, "${x}"}},
			{before: tool("leave", "() => { location.href = '/nav.html'; return new Promise(() => {}) }"), args: object{"do": "call", "name": "leave"},
				want: object{"navigated": true}, absent: []string{"tools", "more"}},
		},
		Refusals: []trial{{before: tool("fails", "async () => { throw new Error('no luck') }"), args: object{"do": "call", "name": "fails"}, code: diag.StepFailed, says: "no luck"}},
		Late: []trial{{args: object{"do": "call", "name": "none"}, code: diag.ElementNotFound, says: `the page offers no tool "none"`},
			{before: tool("never", "() => new Promise(() => {})"), args: object{"do": "call", "name": "never"}, code: diag.Timeout, says: `"never" of the page did not answer in time`}},
	}
	stepCases["run"] = stepCase{
		Effects:  []trial{{yaml: "      - {action: run, args: {action: other:run, params: {n: 3}}, output: out}", want: object{"n": 3}}},
		Refusals: []trial{{yaml: "      - {action: set, args: {values: {n: 30}}}\n      - {action: run, args: {action: other:run, params: {n: \"${steps.n}\"}}, output: out}", code: diag.ParamInvalid, says: "n is 30|at most 9"}},
		Late:     []trial{{yaml: "      - {action: run, args: {action: other:wait}, timeout: 100ms, output: out}", code: diag.Timeout, says: "nothing matches css:#never"}},
	}
	stepCases["fail"] = stepCase{
		Effects: []trial{{yaml: "      - {action: fail, args: {message: \"no order ${page.title}\"}, output: out}", code: diag.StepFailed, says: "no order Steps"},
			{yaml: "      - {action: fail, args: {message: it is locked, hint: unlock it, code: ELEMENT_NOT_INTERACTABLE}, output: out}", code: diag.ElementNotInteractable, says: "it is locked"},
			{yaml: "      - {action: fail, args: {message: there are, list: [A, 新 建, 3, {b: two, a: one, c: null}]}, output: out}", code: diag.StepFailed,
				says: `there are "A", "新 建", "3", "one: two"`},
			{yaml: "      - {action: fail, args: {message: there are, list: []}, output: out}", code: diag.StepFailed, says: "there are none"}},
		Refusals: []trial{{args: object{"message": "no"}, code: diag.InvalidRequest, says: "only be used inside an action"}},
		Untimed:  "it waits for nothing",
	}
	stepCases["set"] = stepCase{
		Effects:  []trial{{yaml: "      - {action: set, args: {values: {title: \"${page.title}\", n: 3}}, output: out}", want: object{"title": "Steps", "n": 3}}},
		Refusals: []trial{{args: object{"values": object{}}, code: diag.InvalidRequest, says: "only be used inside an action"}},
		Untimed:  "it waits for nothing",
	}
	stepCases["assert"] = stepCase{
		Effects: []trial{{yaml: "      - {action: assert, args: {condition: \"${page.title} == 'Steps'\"}, output: out}"}},
		Refusals: []trial{
			{yaml: "      - {action: assert, args: {condition: \"${page.title} == 'Other'\"}, output: out}", code: diag.StepFailed, says: "the condition does not hold|page.title"},
			{yaml: "      - {action: assert, args: {condition: \"${page.title} == 'Other'\", message: \"it is ${page.title}\"}, output: out}", code: diag.StepFailed, says: "it is Steps"},
		},
		Untimed: "it looks once",
	}
	stepCases["choose"] = stepCase{
		Effects: []trial{
			{yaml: "      - look: {is: {box: \"css:#none\", button: \"css:#go\"}}\n        output: kind\n" +
				"      - choose:\n        cases:\n          - {when: \"${steps.kind.box} > 0\", steps: [{fail: wrong}]}\n" +
				"          - {when: \"${steps.kind.button} > 0\", steps: [{click: \"css:#go\"}]}\n        else: [{fail: wrong}]\n        output: out",
				want: object{"case": 2}, look: told("plain.innerText", "Plain text")},
			{yaml: "      - {choose: , cases: [{when: \"1 == 2\", steps: [{fail: wrong}]}], else: [], output: out}", want: object{"case": 0}},
		},
		Refusals: []trial{
			{yaml: "      - {choose: , cases: [{when: \"${page.title} == 'Other'\", steps: []}], output: out}", code: diag.StepFailed, says: "no case of the step choose holds|${page.title} is \"Steps\""},
		},
		Untimed: "it looks once",
	}
	const click = "        steps: [{action: click, args: {selector: \"css:#go\"}, output: c}]"
	stepCases["foreach"] = stepCase{
		Effects: []trial{{yaml: "      - action: foreach\n        args: {items: [a, b], as: x}\n        output: out\n        steps: [{action: type, args: {selector: \"css:#name\", text: \"${x}${index}\"}, output: typed}]",
			want: object{"count": 2}, look: holds("name", "a0b1")}},
		Refusals: []trial{{yaml: "      - action: foreach\n        args: {items: \"${page.title}\"}\n        output: out\n" + click, code: diag.ParamInvalid, says: "items is text, expected a list", look: logged("")}},
		Late: []trial{{yaml: "      - action: foreach\n        args: {items: [a]}\n        timeout: 100ms\n        output: out\n        steps: [{action: wait, args: {selector: \"css:#never\"}}]",
			code: diag.Timeout, says: "nothing matches css:#never"}},
	}
	stepCases["repeat"] = stepCase{
		Effects: []trial{{yaml: "      - action: repeat\n        args: {max: 3, delay: 1ms}\n        output: out\n" + click, want: object{"count": 3},
			look: told("log.filter((s) => s == 'click go 0').length", "3")}},
		Refusals: []trial{{yaml: "      - action: repeat\n        args: {until: \"${page.title} == 'Other'\", max: 2, delay: 1ms}\n        output: out\n" + click, code: diag.StepFailed, says: "was still false after 2 iterations",
			look: told("log.filter((s) => s == 'click go 0').length", "2")}},
		Late: []trial{{yaml: "      - action: repeat\n        args: {until: \"${page.title} == 'Other'\", delay: 1m}\n        timeout: 100ms\n        output: out\n" + click, code: diag.Timeout, says: "repeat"}},
	}
}

// TestCollectOfRowsThatAreStillLoading tests lists that show rows before the content of the rows.
func TestCollectOfRowsThatAreStillLoading(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	base := serve(t, mux)
	b := newStepBench(t)
	for _, tt := range []struct {
		name, text, late string // late is the content of row i after the delay
		after            int    // ms
		failed           string
	}{
		{"alike until they come", "'…'", "'Row ' + i", 250, ""},
		{"without text until they come", "''", "'Row ' + i", 50, ""},
		{"with their number", "i + ' Loading...'", "i + ' Ann'", 250, ""},
		{"never come", "'…'", "'…'", 100, "in view are alike"},
		{"some that are alike", "i % 3 ? 'Row ' + i : 'None'", "i % 3 ? 'Row ' + i : 'None'", 0, ""},
	} {
		html = `<div id=v style="height:200px;overflow:auto"><div id=s style="height:1200px;position:relative"></div></div><script>
const have = {}, text = (i) => ` + tt.text + `, late = (i) => ` + tt.late + `;
function draw() {
  s.innerHTML = '';
  const first = Math.floor(v.scrollTop / 30);
  for (let i = first; i < Math.min(40, first + 8); i++) {
    const row = document.createElement('div'), [no, name] = (have[i] ?? text(i)).split(/ (?=Loading|Ann)/);
    row.className = 'r'; row.style.cssText = 'position:absolute;height:30px;top:' + i * 30 + 'px';
    row.innerHTML = '<b></b><i></i>'; row.firstChild.textContent = no; row.lastChild.textContent = name ?? '-';
    if (!have[i]) setTimeout(() => { have[i] = late(i); const [no, name] = have[i].split(/ (?=Ann)/); row.firstChild.textContent = no; row.lastChild.textContent = name ?? '-' }, ` + fmt.Sprint(tt.after) + `);
    s.append(row);
  }
}
v.onscroll = draw; draw();
</script>`
		step := func(name string, args object) *executor.Result {
			return b.Step(t.Context(), name, session.RunOptions{Params: args, Cwd: b.cwd})
		}
		data(t, step("open", object{"url": base}))
		r := step("collect", object{"scroll_selector": "css:#v", "rows": "css:.r", "fields": object{
			"no": object{"selector": "css:b", "what": "text"}, "name": object{"selector": "css:i", "what": "text"}}})
		if tt.failed != "" {
			wantError(t, r, diag.StepFailed, tt.failed)
			continue
		}
		got := data(t, r)
		for i, row := range got["rows"].([]any) {
			if text := fmt.Sprint(row); strings.Contains(text, "…") || strings.Contains(text, "Loading") || strings.Contains(text, "no:]") {
				t.Errorf("%s: row %d is %s", tt.name, i, text)
			}
		}
		if got["count"] != 40 {
			t.Errorf("%s: %v rows, want 40", tt.name, got["count"])
		}
	}
}
