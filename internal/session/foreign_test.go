package session_test

// Tests of the common component actions on a page of a library that has no definitions of its own.
// The actions know only roles and names.

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/testdata/pages"
)

// material is a pack with a single selector: the switches of the library have the role checkbox.
const material = "namespace: mui\nversion: 1.0.0\nextends: [components]\nselectors: {is_switch: \"css:[class*='MuiSwitch-'] >> css:input\"}\n"

func TestComponentsOfAForeignLibrary(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"mui.yaml": material}, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=30s") // long, because every row succeeds
	b.mustRun(t, "web:page:open", object{"url": serve(t, pages.Handler()) + "/material.html"})
	tests := []struct {
		action string
		params object
		key    string // name in the page's state
		want   string
	}{
		{"input:fill", object{"label": "Name", "value": "Ada"}, "name", "Ada"},
		{"select:choose", object{"label": "Country", "option": "Sweden"}, "country", "Sweden"},
		{"select:choose", object{"label": "Tags", "options": []any{"New", "VIP"}}, "tags", "[New VIP]"},
		{"select:choose", object{"label": "Tags", "options": []any{"Old"}}, "tags", "[Old]"},
		{"select:choose", object{"label": "Tags", "options": []any{}}, "tags", "[]"},
		{"select:choose", object{"label": "Tags", "option": "VIP"}, "tags", "[VIP]"},
		{"select:choose", object{"label": "City", "option": "Bergen"}, "city", "Bergen"},
		{"checkbox:set", object{"label": "I agree"}, "agreed", "true"},
		{"radio:choose", object{"label": "Size", "option": "Small"}, "size", "s"},
		{"form:fill", object{"values": object{"Name": "Bo", "Country": "Norway", "City": "Oslo", "Size": "Medium"}}, "city", "Oslo"},
		{"tabs:switch", object{"text": "Second"}, "tab", "1"},
		{"dropdown:choose", object{"text": "Options", "option": "Profile"}, "picked", "Profile"},
		{"pagination:go", object{"page": 9}, "page", "9"},
		{"dialog:open", object{"text": "Delete account", "title": "Really delete?"}, "dialog", "delete"},
		{"dialog:cancel", nil, "dialog", ""},
		{"dialog:open", object{"text": "Delete account"}, "dialog", "delete"},
		{"dialog:confirm", object{"title": "Really delete?"}, "dialog", "deleted"},
	}
	for _, tt := range tests {
		t.Run(tt.action+"/"+tt.key, func(t *testing.T) {
			r := b.run(t, "components:"+tt.action, tt.params)
			if r.Error != nil || len(r.Warnings) > 0 || len(r.Degraded) > 0 {
				t.Fatalf("%v, warnings %v, degraded %v", r.Error, r.Warnings, r.Degraded)
			}
			look := b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "css:#state", "what": "text"}, Cwd: b.cwd})
			var state map[string]any
			if err := json.Unmarshal([]byte(fmt.Sprint(data(t, look)["text"])), &state); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(state[tt.key]); got != tt.want {
				t.Errorf("%s is %s, want %s", tt.key, got, tt.want)
			}
		})
	}
	want(t, b.mustRun(t, "mui:switch:set", object{"label": "Newsletter"}), "checked", "true")
	want(t, b.mustRun(t, "components:message:read", nil), "text", "Account deleted")
	want(t, b.mustRun(t, "components:table:read", nil), "rows", "[map[Dish:Soup Price:9]]")
	wantError(t, b.run(t, "components:select:choose", object{"label": "Country", "option": "Denmark"}), diag.ElementNotInteractable, "option Denmark of Country is disabled")
	wantError(t, b.run(t, "components:select:choose", object{"label": "Country", "options": []any{}}), diag.StepFailed, "Country still holds Norway")
	wantError(t, b.run(t, "components:pagination:go", object{"page": 11}), diag.StepFailed, "the last one is 10")
}
