package session_test

// Trials of the steps for dialogs, cookies and storage.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

func addStateCases(stepCases map[string]stepCase) {
	stepCases["dialog"] = stepCase{
		Effects: []trial{
			{args: object{"do": "accept", "text": "Ada"}, want: object{"answer": "accept", "next": true}, absent: []string{"dialogs"},
				look: look{"eval", object{"script": "prompt('Name?', 'Bob')"}, "Ada"}},
			{args: object{"do": "dismiss"}, want: object{"answer": "dismiss", "kind": nil}, absent: []string{"dialogs"},
				look: look{"eval", object{"script": "String(prompt('Again?'))"}, "null"}},
			{args: object{"do": "history"}, absent: []string{"answer", "next", "kind", "message"}, check: func(t *testing.T, _ *bench, got object) {
				list, _ := got["dialogs"].([]any)
				if len(list) < 2 {
					t.Fatalf("the history is %v, want two dialogs", got)
				}
				d, _ := list[len(list)-2].(object)
				if text := fmt.Sprint(d["kind"], d["message"], d["default"], d["answer"], d["text"], d["tab"]); text != "promptName?BobacceptedAdat1" {
					t.Errorf("the history has %s", text)
				}
			}},
		},
		Refusals: []trial{
			{args: object{"do": "dismiss", "text": "x"}, code: diag.ParamInvalid, says: "dialog dismiss takes no text"},
			{args: object{"do": "close"}, code: diag.ParamInvalid, says: "accept, dismiss, history"},
		},
		Untimed: "without an open dialog it asks nobody; TestLeftDialog has open ones",
	}
	stepCases["cookies"] = stepCase{
		Effects: []trial{
			{before: []does{{"cookies", object{"do": "clear"}}}, args: object{"do": "set", "name": "taste", "value": "sweet", "url": "BASE/", "expires": "24h"}, absent: []string{"cookies", "removed"},
				look: look{"eval", object{"script": "document.cookie"}, "taste=sweet"}},
			{args: object{"do": "list", "domain": "127.0.0.1", "name": "taste"}, absent: []string{"cookie", "removed"}, check: func(t *testing.T, _ *bench, got object) {
				if list, _ := got["cookies"].([]any); len(list) != 1 || list[0].(object)["value"] != "sweet" || list[0].(object)["expires"] == nil {
					t.Errorf("cookies are %v", got)
				}
			}},
			{args: object{"do": "remove", "name": "taste"}, want: object{"removed": 1}, absent: []string{"cookies", "cookie"},
				look: look{"eval", object{"script": "document.cookie"}, ""}},
			{args: object{"do": "clear"}, want: object{"removed": 0}, absent: []string{"cookies", "cookie"}},
		},
		Refusals: []trial{
			{args: object{"do": "set", "name": "__Host-a", "value": "1", "url": "BASE/"}, code: diag.StepFailed, says: "__Host-a|needs secure: true"},
			{args: object{"do": "set", "name": "a", "value": "1", "url": "BASE/", "expires": "tomorrow"}, code: diag.ParamInvalid, says: "expires|RFC 3339"},
			{args: object{"do": "set", "name": "a", "value": "1"}, code: diag.ParamRequired, says: "needs a url or a domain"},
			{args: object{"do": "remove"}, code: diag.ParamRequired, says: "cookies remove needs the argument name"},
		},
		Untimed: "the browser itself answers, whatever the page does",
	}
	rest := []string{"path", "state", "cookies", "origins", "items", "databases", "records", "pending", "value", "removed"}
	but := func(fields ...string) []string {
		var out []string
		for _, name := range rest {
			if !slices.Contains(fields, name) {
				out = append(out, name)
			}
		}
		return out
	}
	stepCases["storage"] = stepCase{
		Effects: []trial{
			{args: object{"do": "set", "name": "theme", "value": "dark"}, want: object{"value": "dark"}, absent: but("value"),
				look: look{"eval", object{"script": "localStorage.theme"}, "dark"}},
			{args: object{"do": "get", "name": "none", "area": "session"}, want: object{"value": nil}, absent: but("value")},
			{args: object{"do": "export"}, want: object{"origins": 1}, absent: but("state", "cookies", "origins")},
			{args: object{"do": "export", "path": "state.json"}, absent: but("path", "cookies", "origins"), check: func(t *testing.T, b *bench, got object) {
				info, err := os.Stat(filepath.Join(b.cwd, "state.json"))
				if err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("the file is %v, %v; want it for its owner only", info, err)
				}
			}},
			{args: object{"do": "clear"}, want: object{"removed": 1}, absent: but("removed"), look: look{"eval", object{"script": "localStorage.length"}, "0"}},
			{args: object{"do": "import", "path": "state.json"}, want: object{"origins": 1, "items": 1},
				absent: but("cookies", "origins", "items", "databases", "records", "pending"), look: look{"eval", object{"script": "localStorage.theme"}, "dark"}},
			{args: object{"do": "remove", "name": "theme"}, want: object{"removed": 1}, absent: but("removed")},
		},
		Refusals: []trial{
			{args: object{"do": "import", "path": "none.json"}, code: diag.StepFailed, says: "could not be read"},
			{before: []does{{"screenshot", object{"path": "bad.json"}}}, args: object{"do": "import", "path": "bad.json"}, code: diag.StepFailed, says: "bad.json:1:1|invalid JSON"},
			{args: object{"do": "export", "path": "/etc/state.json"}, code: diag.PolicyDenied, says: "outside the current folder"},
			{args: object{"do": "export", "path": strings.Repeat("a/", 50_000) + "x"}, code: diag.ParamInvalid, says: "expected at most 4096"},
			{args: object{"do": "export", "origins": []any{"example.test"}}, code: diag.ParamInvalid, says: "expected an origin"},
			{page: "-", args: object{"do": "get", "name": "x"}, code: diag.StepFailed, says: "the storage of the page"},
			{args: object{"do": "get"}, code: diag.ParamRequired, says: "storage get needs the argument name"},
		},
		Stuck: []trial{{args: object{"do": "get", "name": "x"}, code: diag.Timeout, says: silent}},
	}
}
