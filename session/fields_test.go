package session_test

// Fields of plain HTML: groups and rows that no label holds together, and values that do not
// fit the kind of a field. What the page holds tells.

import (
	"fmt"
	"testing"

	"actionregistry/diag"
	"actionregistry/session"
	"actionregistry/testdata/pages"
)

func TestFieldsOfPlainHTML(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/groups.html"
	b := newBench(t, nil, nil)
	held := func() string {
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "held()"}, Cwd: b.cwd})
		return fmt.Sprint(data(t, r)["value"])
	}
	b.open(t, base)
	const invalid, missing, required = diag.ParamInvalid, diag.ElementNotFound, diag.ParamRequired
	untouched := held()
	for _, tt := range []struct {
		values object
		code   diag.Code // "": it is done
		want   string    // what the page holds then, "" as before; of an error a part of its text
	}{
		{object{"News": 1}, invalid, "true or false"},
		{object{"News": "maybe"}, invalid, "true or false"},
		{object{"News": ""}, invalid, "true or false"},
		{object{"News": nil}, required, "value"},
		{object{"News": object{"a": 1}}, invalid, "one value"},
		{object{"Dark": "nope"}, invalid, "true or false"},
		{object{"Dark": []any{true}}, invalid, "not a list"},
		{object{"Size": []any{"S"}}, invalid, "not a list"},
		{object{"Channels": "Phone"}, invalid, "group of 2 boxes"},
		{object{"Channels": true}, invalid, "group of 2 boxes"},
		{object{"Text": []any{"a"}}, invalid, "not a list"},
		{object{"Text": []any{}}, invalid, "not a list"},
		{object{"Text": object{"a": "b"}}, invalid, "one value"},
		{object{"Country": true}, diag.StepFailed, "available: Norway"},
		{object{"Channels": []any{"Phone", "Fax"}}, missing, ""},

		{object{"News": "yes"}, "", "c c1|t1|||||||Norway|||2023|"},
		{object{"News": "Off", "Terms": "TRUE"}, "", "d c1|t1|||||||Norway|||2023|"},
		{object{"News": true, "Dark": "on"}, "", "c d c1|sw t1|||||||Norway|||2023|"},
		{object{"News": "false", "Dark": false}, "", "d c1|t1|||||||Norway|||2023|"},
		{object{"Terms": []any{}}, "", "c1|t1|||||||Norway|||2023|"},
		{object{"Size": "L"}, "", "s2 c1|t1|||||||Norway|||2023|"},
		{object{"Channels": []any{"Phone"}}, "", "s2 c2|t1|||||||Norway|||2023|"},
		{object{"Channels": []any{}}, "", "s2|t1|||||||Norway|||2023|"},
		{object{"Plan": "Paid"}, "", "s2|pb t1|||||||Norway|||2023|"},
		{object{"Tops": []any{"Egg"}}, "", "s2|pb t2|||||||Norway|||2023|"},
		{object{"Days": []any{"Tue"}}, "", "s2 y2|pb t2|||||||Norway|||2023|"},
		{object{"Street": "st", "Zip": "12", "City": "Oslo", "VIP": true}, "", "s2 y2 vip|pb t2|st|Oslo|12||||Norway|||2023|"},
		{object{"State": "B", "First": "F", "Last": "L"}, "", "s2 y2 vip|pb t2|st|Oslo|12|F|L||Norway|||2023|B"},
		{object{"Password": "s3cret", "Country": "Sweden"}, "", "s2 y2 vip|pb t2|st|Oslo|12|F|L|s3cret|Sweden|||2023|B"},
		{object{"Show": true, "Text": "{x}", "Num": -5, "Year": 2024}, "", "s2 y2 vip show|pb t2|st|Oslo|12|F|L|s3cret|Sweden|{x}|-5|2024|B"},
		{object{"Text": "", "Home Phone nr": "7"}, "", "s2 y2 vip show|pb t2|st|Oslo|12|F|L|s3cret|Sweden|7|-5|2024|B"},
	} {
		t.Run(fmt.Sprint(tt.values), func(t *testing.T) {
			r := b.run(t, "components:form:fill", object{"values": tt.values})
			if tt.code != "" {
				wantError(t, r, tt.code, tt.want)
				if got := held(); got != untouched {
					t.Errorf("the page holds %s, want it untouched: %s", got, untouched)
				}
				return
			}
			if r.Error != nil {
				t.Fatal(r.Error)
			}
			if got := held(); got != tt.want {
				t.Errorf("the page holds %s, want %s", got, tt.want)
			}
		})
	}
	wantError(t, b.run(t, "components:field:set", object{"label": "News", "value": "maybe"}), invalid, "true or false")
	b.mustRun(t, "components:checkbox:set", object{"label": "Ham", "within": "Groups"})
	b.mustRun(t, "components:radio:choose", object{"label": "Plan", "option": "Free"})
}
