package session_test

// Tests of the same form, table, menu, tabs and question in several libraries without a pack, each
// as its browser build from npm. They compare the state of the page.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// kits are pages of testdata/pages/html/foreign. Another test uses material.html.
var kits = []string{"arco", "bootstrap", "naive", "primevue", "quasar", "shoelace", "vuetify"}

// A kitCase is one action on a newly loaded page, with the fields of the page's state that it must
// change. All other fields must stay as before.
type kitCase struct {
	action string
	params object
	state  object
	says   string   // part of the expected error; the state must then be as before
	not    []string // kits that lack the component or refuse the action
}

var kitCases = []kitCase{
	{action: "input:fill", params: object{"label": "Name", "value": "Ada"}, state: object{"name": "Ada"}},
	{action: "input:fill", params: object{"label": "Quantity", "value": "7"}, state: object{"quantity": 7}, not: []string{"primevue"}},
	{action: "input:fill", params: object{"label": "Quantity", "value": "7"}, says: `instead of "7"`, not: []string{"arco", "bootstrap", "naive", "quasar", "shoelace", "vuetify"}}, // the field accepts only keys
	{action: "input:fill", params: object{"label": "Nickname", "value": "Ada"}, says: "nothing matches"},
	{action: "select:choose", params: object{"label": "Country", "option": "Japan"}, state: object{"country": "Japan"}},
	{action: "select:choose", params: object{"label": "Country", "option": "Hungary"}, says: "disabled"},
	{action: "select:choose", params: object{"label": "Country", "option": "Atlantis"}, says: "Hungary"},
	{action: "select:choose", params: object{"label": "Tags", "options": []any{"New", "Old"}}, state: object{"tags": []any{"New", "Old"}}},
	{action: "select:choose", params: object{"label": "Tags", "option": "VIP"}, state: object{"tags": []any{"VIP"}}},
	{action: "form:fill", params: object{"values": object{"Tags": []any{"Old"}}}, state: object{"tags": []any{"Old"}}},
	{action: "beside", params: object{"label": "Tags", "value": "VIP"}, state: object{"tags": []any{"Old", "VIP"}}, not: []string{"bootstrap"}}, // the native list has a single choice
	{action: "select:options", params: object{"label": "Country"}},
	{action: "checkbox:set", params: object{"label": "I agree"}, state: object{"agree": true}},
	{action: "switch:set", params: object{"label": "Active"}, state: object{"active": true}},
	{action: "radio:choose", params: object{"label": "Size", "option": "Medium"}, state: object{"size": "m"}},
	{action: "radio:choose", params: object{"label": "Size", "option": "Huge"}, says: "Huge"},
	{action: "form:fill", params: object{"values": object{"Name": "Bo", "Country": "Austria", "I agree": true, "Active": true, "Size": "Medium"}},
		state: object{"name": "Bo", "country": "Austria", "agree": true, "active": true, "size": "m"}},
	{action: "tabs:switch", params: object{"text": "Second"}, state: object{"tab": second}},
	{action: "tabs:switch", params: object{"text": "Third"}, says: "Third"},
	{action: "dropdown:choose", params: object{"text": "Options", "option": "Profile"}, state: object{"picked": "Profile"}},
	{action: "dropdown:choose", params: object{"text": "Options", "option": "Billing"}, says: "no item Billing"},
	{action: "table:row-action", params: object{"row": object{"Order": "A2"}, "text": "Edit"}, state: object{"edited": "A2"}},
	{action: "table:row-action", params: object{"row": object{"Order": "A9"}, "text": "Edit"}, says: "A9"},
	{action: "table:find", params: object{"row": object{"Customer": "Bo"}}},
	{action: "pagination:go", params: object{"page": 3}, state: object{"page": 3}, not: []string{"shoelace"}},
	{action: "pagination:go", params: object{"page": 9}, says: "the last one is 3", not: []string{"shoelace"}},
	{action: "dialog:open", params: object{"text": "Delete account", "title": "Delete the account?"}},
	{action: "question", params: object{"then": "dialog:confirm"}, state: object{"gone": "yes"}},
	{action: "question", params: object{"then": "dialog:cancel"}},
}

// second stands for the value of tab when the second tab is active.
const second = "\x00second"

func TestKitsOfForeignLibraries(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	type row struct {
		kit string
		kitCase
	}
	var rows []row
	for _, c := range kitCases {
		for _, kit := range kits {
			if !slices.Contains(c.not, kit) {
				rows = append(rows, row{kit, c})
			}
		}
	}
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "rows", 40, rows) {
		name := fmt.Sprintf("%s/%s %v", tt.kit, tt.action, tt.params)
		t.Run(name, func(t *testing.T) {
			b.mustRun(t, "web:page:open", object{"url": base + "/foreign/" + tt.kit + ".html"})
			want := b.kitState(t)
			action, params := "components:"+tt.action, tt.params
			switch tt.action {
			case "beside":
				b.mustRun(t, "components:select:choose", object{"label": "Tags", "option": "Old"})
				action = "components:field:set"
			case "question":
				b.mustRun(t, "components:dialog:open", object{"text": "Delete account", "title": "Delete the account?"})
				action, params = "components:"+tt.params["then"].(string), nil
			}
			r := b.run(t, action, params)
			switch {
			case tt.says != "" && (r.Error == nil || !strings.Contains(r.Error.Error(), tt.says)):
				t.Errorf("%v, want %q", r.Error, tt.says)
			case tt.says == "" && r.Error != nil:
				t.Errorf("%v", r.Error)
			}
			for key, value := range tt.state {
				if value == any(second) {
					value = map[string]string{"arco": "2", "bootstrap": "Second", "naive": "Second", "primevue": "1", "quasar": "two", "shoelace": "Second", "vuetify": "2"}[tt.kit]
				}
				want[key] = value
			}
			if got := b.kitState(t); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("the page has %v, want %v (%v)", got, want, r.Error)
			}
		})
	}
}

// kitState returns the state of a page, except whether its dialog is open.
func (b *bench) kitState(t *testing.T) map[string]any {
	t.Helper()
	r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "JSON.stringify(window.state)"}, Cwd: b.cwd})
	state := map[string]any{}
	if err := json.Unmarshal([]byte(fmt.Sprint(data(t, r)["value"])), &state); err != nil {
		t.Fatal(err)
	}
	delete(state, "open")
	if tags, ok := state["tags"].([]any); ok { // some lists keep the order of their options, others that of the presses
		slices.SortFunc(tags, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return state
}
