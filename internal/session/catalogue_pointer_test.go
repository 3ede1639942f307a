package session_test

import "github.com/actionregistry/action/diag"

// logged checks the page's own log of input.
func logged(want string) look { return look{"eval", object{"script": "log.join()"}, want} }

// told checks the result of a script.
func told(script, want string) look { return look{"eval", object{"script": script}, want} }

var (
	stayed   = []string{"url"} // absent after a press that does not navigate
	clearLog = does{"eval", object{"script": "void (log.length = 0)"}}
	// atGo puts the mouse on the button Go.
	atGo = does{"hover", object{"selector": "css:#go"}}
)

func addPointerCases(stepCases map[string]stepCase) {
	stepCases["click"] = stepCase{
		Effects: []trial{
			{args: object{"selector": "role:button[name='Go']"}, want: object{"role": "button", "name": "Go", "navigated": false}, absent: stayed,
				look: look{"get", object{"selector": "css:#out", "what": "text"}, "went"}},
			{args: object{"selector": "css:#away"}, want: object{"navigated": true, "url": "BASE/echo?from=link"},
				look: look{"get", object{"what": "title"}, "Echo"}},
			{before: []does{{"scroll_to", object{"y": 0}}}, args: object{"x": 20, "y": 20}, absent: stayed,
				look: told("log.filter((s) => s.startsWith('click')).length", "1")},
		},
		Refusals: []trial{
			{args: object{"selector": "css:#under"}, code: diag.ElementNotInteractable, waits: true, says: "covered by <div class=mask>", look: logged("")},
			{args: object{"selector": "css:.twin"}, code: diag.ElementAmbiguous, waits: true, says: "matches 2 elements", look: logged("")},
			{args: object{"selector": "css:#go", "modifiers": []any{"Shfit"}}, code: diag.ParamInvalid, says: `unknown modifier "Shfit"`, look: logged("")},
		},
		Late: []trial{
			{args: object{"selector": "css:#off"}, code: diag.ElementNotInteractable, says: "disabled"},
			{args: object{"selector": "text:Save"}, code: diag.ElementNotFound, says: "text:Save"},
		},
	}
	stepCases["dblclick"] = stepCase{
		Effects: []trial{
			{args: object{"selector": "css:#go"}, want: object{"name": "Go"}, absent: stayed,
				look: told("log.filter((s) => s.startsWith('dblclick')).join()", "dblclick go 0")},
			{args: object{"selector": "css:#away"}, want: object{"navigated": true, "url": "BASE/echo?from=link"}},
		},
		Refusals: []trial{{args: object{"selector": "css:#under"}, code: diag.ElementNotInteractable, waits: true, says: "covered by <div class=mask>", look: logged("")}},
		Late:     []trial{{args: object{"selector": "css:#off"}, code: diag.ElementNotInteractable, says: "disabled", look: logged("")}},
	}
	stepCases["hover"] = stepCase{
		Effects: []trial{{args: object{"selector": "css:#go"}, want: object{"role": "button", "name": "Go", "text": "Go"},
			look: told("document.querySelector('#go').matches(':hover')", "true")}},
		Refusals: []trial{{args: object{"selector": "css:#under"}, code: diag.ElementNotInteractable, waits: true, says: "covered by <div class=mask>"}},
		Late:     []trial{{args: object{"selector": "css:#gone"}, code: diag.ElementNotInteractable, says: `<p#gone "Never shown">: display: none`}},
	}
	stepCases["click_and_hold"] = stepCase{
		Effects: []trial{
			{before: []does{clearLog}, args: object{"selector": "css:#go", "duration": 30}, want: object{"name": "Go", "navigated": false}, absent: stayed,
				look: told("log.filter((s) => !s.startsWith('mousemove')).join()", "mousedown go 0,mouseup go 0,click go 0")},
			{args: object{"selector": "css:#away", "duration": 1}, want: object{"url": "BASE/echo?from=link"}},
			{before: []does{{"scroll_to", object{"y": 0}}, clearLog}, args: object{"x": 20, "y": 20, "duration": 30}, absent: stayed,
				look: told("log.filter((s) => !s.startsWith('mousemove')).map((s) => s.split(' ')[0]).join()", "mousedown,mouseup,click")},
		},
		Refusals: []trial{{args: object{"selector": "css:#under"}, code: diag.ElementNotInteractable, waits: true, says: "covered by <div class=mask>", look: logged("")}},
		Late:     []trial{{args: object{"selector": "css:#off", "duration": 1}, code: diag.ElementNotInteractable, says: "disabled"}},
	}
	stepCases["drag"] = stepCase{
		Effects: []trial{{args: object{"from": "css:#card", "to": "css:#done"},
			want: object{"role": "listitem", "kind": "native", "changed": true, "navigated": false},
			look: told("document.querySelector('#done').innerText", "Write report")}},
		Refusals: []trial{{args: object{"from": "css:#card", "to": "css:#closed"}, code: diag.StepFailed, says: `"Closed" list, which refused the drop`,
			look: told("document.querySelector('#todo').innerText", "Write report")}},
		Late: []trial{{args: object{"from": "css:#card", "to": "css:#gone"}, code: diag.ElementNotInteractable, says: `<p#gone "Never shown">: display: none`}},
	}
	mouseCases()
	scrollCases()
}

func mouseCases() {
	fields, up := object{"x": 12, "y": 14}, []does{{"mouse_up", nil}}
	stepCases["mouse_move"] = stepCase{
		Effects:  []trial{{before: []does{clearLog}, args: fields, want: object{"x": 12, "y": 14, "held": "[]"}, look: told("log.length > 0 && log.every((s) => s.startsWith('mousemove'))", "true")}},
		Refusals: []trial{{args: object{"x": -3, "y": 5}, code: diag.StepFailed, says: "outside the viewport"}},
		Stuck:    []trial{{args: fields, code: diag.Timeout, says: silent}},
	}
	stepCases["mouse_down"] = stepCase{
		Effects:  []trial{{before: []does{atGo, clearLog}, want: object{"element": `<button#go "Go">`, "held": "[left]"}, look: logged("mousedown go 0"), after: up}},
		Refusals: []trial{{before: []does{atGo, {"mouse_down", nil}, clearLog}, code: diag.StepFailed, says: "is already down", look: logged(""), after: up}},
		Stuck:    []trial{{args: object{"button": "right"}, code: diag.Timeout, says: silent}},
	}
	stepCases["mouse_up"] = stepCase{
		Effects: []trial{{before: []does{atGo, {"mouse_down", nil}, clearLog}, want: object{"element": `<button#go "Go">`, "held": "[]"},
			look: logged("mouseup go 0,click go 0")}},
		Refusals: []trial{{before: []does{atGo}, code: diag.StepFailed, says: "is not down"}},
		Untimed:  "a button that is down was pressed on a page that answered; one that is not is refused at once",
	}
}

func scrollCases() {
	stepCases["scroll"] = stepCase{
		Effects: []trial{
			{args: object{"direction": "down", "amount": "300"}, want: object{"x": 0, "y": 300, "moved": true, "at_end": false, "element": "the page", "scrolled_pixels": "map[x:0 y:300]"},
				look: told("scrollY", "300")},
			{args: object{"selector": "css:#box", "y": 9999}, want: object{"moved": true, "at_end": true},
				look: told("box.scrollTop + box.clientHeight == box.scrollHeight", "true")},
		},
		Refusals: []trial{
			{args: object{"selector": "css:#name", "direction": "down"}, code: diag.StepFailed, waits: true, says: "does not scroll", look: told("scrollY", "0")},
			{before: []does{{"eval", object{"script": "void box.addEventListener('scroll', () => { box.scrollTop = 0 })"}}}, args: object{"selector": "css:#box", "y": 50},
				code: diag.StepFailed, says: "did not scroll, although its end is not reached", look: told("box.scrollTop", "0")},
			{args: object{"direction": "down", "at": object{"x": 5, "y": 5}, "selector": "css:#box"}, code: diag.ParamInvalid, says: "found both `selector` and `at`", look: told("scrollY", "0")},
			{args: object{"direction": "down", "at": object{"x": -5, "y": 5}}, code: diag.StepFailed, says: "outside the viewport", look: told("scrollY", "0")},
			{args: object{"direction": "down", "amount": "lots"}, code: diag.ParamInvalid, says: `the amount is "lots"`},
		},
		Late: []trial{{args: object{"selector": "css:#none", "direction": "down"}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["scroll_to"] = stepCase{
		Effects: []trial{{args: object{"y": 120}, want: object{"x": 0, "y": 120, "moved": true, "at_end": false, "element": "the page"},
			look: told("scrollY", "120")}},
		Refusals: []trial{
			{args: object{"selector": "css:#name", "y": 5}, code: diag.StepFailed, waits: true, says: "does not scroll"},
			{args: object{"y": -5}, code: diag.ParamInvalid, says: "at least 0"},
		},
		Late: []trial{{args: object{"selector": "css:#none", "y": 5}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["scroll_into_view"] = stepCase{
		Effects: []trial{{args: object{"selector": "css:#far"}, want: object{"text": "Far away"},
			look: told("const r = far.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight", "true")}},
		Refusals: []trial{{args: object{"selector": "css:.twin"}, code: diag.ElementAmbiguous, waits: true, says: "matches 2 elements", look: told("scrollY", "0")}},
		Late:     []trial{{args: object{"selector": "css:#gone"}, code: diag.ElementNotInteractable, says: `<p#gone "Never shown">: display: none`, look: told("scrollY", "0")}},
	}
}
