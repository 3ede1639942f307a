package session_test

import "github.com/actionregistry/action/diag"

// holds checks the value of a control.
func holds(id, want string) look {
	return look{"get", object{"selector": "css:#" + id, "what": "value"}, want}
}

var inName = does{"focus", object{"selector": "css:#name"}}

func addFormsCases(stepCases map[string]stepCase) {
	stepCases["fill"] = stepCase{
		Effects: []trial{
			{args: object{"selector": "label:Name", "value": "Ada"}, want: object{"value": "Ada"}, look: holds("name", "Ada")},
			{args: object{"selector": "label:Secret", "value": "hunter2"}, want: object{"value": "***"}, look: told("secret.value", "hunter2")},
		},
		Refusals: []trial{
			{args: object{"selector": "label:Fixed", "value": "x"}, code: diag.ElementNotInteractable, waits: true, says: "readonly", look: holds("fixed", "kept")},
			{args: object{"selector": "label:Short", "value": "long"}, code: diag.StepFailed, says: "at most 3 characters, the value has 4", look: holds("short", "")},
			{args: object{"selector": "css:#agree", "value": "x"}, code: diag.StepFailed, says: "use check"},
		},
		Late: []trial{{args: object{"selector": "label:Asleep", "value": "x"}, code: diag.ElementNotInteractable, says: "disabled", look: holds("asleep", "")}},
	}
	stepCases["clear"] = stepCase{
		Effects: []trial{{before: []does{{"fill", object{"selector": "css:#name", "value": "Ada"}}}, args: object{"selector": "css:#name"},
			want: object{"value": ""}, look: holds("name", "")}},
		Refusals: []trial{{args: object{"selector": "css:#fixed"}, code: diag.ElementNotInteractable, waits: true, says: "readonly", look: holds("fixed", "kept")}},
		Late:     []trial{{args: object{"selector": "css:#asleep"}, code: diag.ElementNotInteractable, says: "disabled"}},
	}
	stepCases["type"] = stepCase{
		Effects: []trial{{before: []does{{"fill", object{"selector": "css:#name", "value": "A"}}}, args: object{"selector": "css:#name", "text": "da"},
			want: object{"role": "textbox", "name": "Name", "text": "Ada"}, look: holds("name", "Ada")}},
		Refusals: []trial{
			{args: object{"selector": "css:#short", "text": "long"}, code: diag.StepFailed, says: `took 3 of the 4 characters and holds "lon"`, look: holds("short", "lon")},
			{args: object{"text": "x"}, code: diag.StepFailed, says: "focus"},
		},
		Late: []trial{{args: object{"selector": "css:#asleep", "text": "x"}, code: diag.ElementNotInteractable, says: "disabled"}},
	}
	stepCases["press"] = stepCase{
		Effects: []trial{
			{before: []does{clearLog}, args: object{"selector": "css:#name", "key": "x"}, want: object{"role": "textbox", "name": "Name", "navigated": false}, absent: stayed,
				look: logged("keydown name x,input name,keyup name x")},
			{args: object{"selector": "css:#away", "key": "Enter"}, want: object{"navigated": true, "url": "BASE/echo?from=link"}},
		},
		Refusals: []trial{{args: object{"key": "Entr"}, code: diag.ParamInvalid, says: `unknown key "Entr"`, look: logged("")}},
		Late:     []trial{{args: object{"selector": "css:#none", "key": "x"}, code: diag.ElementNotFound, says: "css:#none", look: logged("")}},
	}
	stepCases["focus"] = stepCase{
		Effects: []trial{{args: object{"selector": "label:Name"}, want: object{"role": "textbox", "name": "Name"},
			look: look{"is", object{"selector": "css:#name", "state": "focused"}, "true"}}},
		Refusals: []trial{{args: object{"selector": "css:#plain"}, code: diag.StepFailed, waits: true, says: "does not take the focus", look: told("document.activeElement.localName", "body")}},
		Late:     []trial{{args: object{"selector": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["check"] = stepCase{
		Effects:  []trial{{args: object{"selector": "label:Agree"}, want: object{"checked": true}, look: told("agree.checked", "true")}},
		Refusals: []trial{{args: object{"selector": "label:Stubborn"}, code: diag.StepFailed, says: "is unchecked after the press, expected checked", look: told("stubborn.checked", "false")}},
		Late:     []trial{{args: object{"selector": "label:Sleeping box"}, code: diag.ElementNotInteractable, says: "disabled"}},
	}
	stepCases["uncheck"] = stepCase{
		Effects:  []trial{{args: object{"selector": "label:Agreed"}, want: object{"checked": false}, look: told("agreed.checked", "false")}},
		Refusals: []trial{{args: object{"selector": "css:#name"}, code: diag.StepFailed, waits: true, says: "is not a checkbox, radio button or switch"}},
		Late:     []trial{{args: object{"selector": "label:Unknown"}, code: diag.ElementNotFound, says: "label:Unknown"}},
	}
	stepCases["select"] = stepCase{
		Effects: []trial{{args: object{"selector": "label:Country", "values": "Norway"}, want: object{"values": "[no]"}, look: told("country.value + log.at(-1)", "nochange country")}},
		Refusals: []trial{
			{args: object{"selector": "label:Country", "values": []any{"no", "se"}}, code: diag.StepFailed, says: "takes one option, not 2", look: told("country.value", "")},
			{args: object{"selector": "css:#name", "values": "x"}, code: diag.StepFailed, waits: true, says: "is not a <select>"},
		},
		Late: []trial{
			{args: object{"selector": "label:Country", "values": "Chile"}, code: diag.StepFailed, says: `no option matched "Chile"|available: Choose…, Norway, Sweden`, look: told("country.value", "")},
			{args: object{"selector": "label:City", "values": "Oslo"}, code: diag.ElementNotInteractable, says: "disabled"},
		},
	}
	stepCases["fill_form"] = stepCase{
		Effects: []trial{{args: object{"fields": []any{
			object{"label": "Name", "value": "Ada"}, object{"label": "Country", "value": "Norway"}, object{"label": "City", "value": "Bergen"}, object{"label": "Agree", "value": true}}},
			want: object{"fields": "map[Agree:true City:[Bergen] Country:[no] Name:Ada]"}, look: told("[document.querySelector('#name'), city].map((e) => e.value).join() + agree.checked", "Ada,Bergentrue")}},
		Refusals: []trial{
			{args: object{"fields": object{"Fixed": "x"}}, code: diag.ElementNotInteractable, waits: true, says: `the field "Fixed"|readonly`, look: holds("fixed", "kept")},
			{args: object{"fields": object{"Agree": "maybe", "Name": "Ada"}}, code: diag.ParamInvalid, says: `the field "Agree"|true or false`, look: holds("name", "")},
		},
		Late: []trial{{args: object{"fields": object{"Name": "Ada", "Zip": "1"}}, code: diag.ElementNotFound, says: `the field "Zip"|done before: Name`, look: holds("name", "Ada")}},
	}
	keyCases()
}

func keyCases() {
	stepCases["key_down"] = stepCase{
		Effects: []trial{{before: []does{inName, clearLog}, args: object{"key": "Shift"}, want: object{"held": "[Shift]"}, look: logged("keydown name Shift shift"), after: []does{{"key_up", object{"key": "Shift"}}}}},
		Refusals: []trial{
			{args: object{"key": "Control+a"}, code: diag.ParamInvalid, says: "is a chord, expected one key"},
			{args: object{"key": "Shft"}, code: diag.ParamInvalid, says: `unknown key "Shft"`},
		},
		Stuck: []trial{{args: object{"key": "Shift"}, code: diag.Timeout, says: silent}},
	}
	stepCases["key_up"] = stepCase{
		Effects: []trial{{before: []does{inName, {"key_down", object{"key": "Shift"}}, {"press", object{"key": "ArrowLeft"}}, clearLog}, args: object{"key": "Shift"}, want: object{"held": "[]"},
			look: logged("keyup name Shift")}},
		Refusals: []trial{{args: object{"key": "Alt"}, code: diag.StepFailed, says: "the key Alt is not down"}},
		Untimed:  "a key that is down was pressed on a page that answered; one that is not is refused at once",
	}
}
