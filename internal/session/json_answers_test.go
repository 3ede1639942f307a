package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// jsonPages are pages that send something to a server of JSON. They show it at once, and as before
// if the server refuses.
var jsonPages = map[string]string{
	"form": `<ul id=l><li>Ada</li></ul><form id=f><label>Name <input name=n></label><button>Add</button></form>
<script>f.onsubmit = async (e) => { e.preventDefault(); const li = document.createElement('li'); li.textContent = f.n.value; l.append(li); f.reset();
	const j = await (await fetch('ANSWER', {method: 'POST'})).json(); if (!j.id) li.remove() }</script>`,
	"switch": `<label><input type=checkbox role=switch id=s> News</label>
<script>s.onchange = () => fetch('ANSWER', {method: 'PUT'})</script>`,
	"list": `<label>Plan <select id=s><option>Free</option><option>Pro</option></select></label>
<script>s.onchange = () => fetch('ANSWER', {method: 'PUT'})</script>`,
}

// TestRefusalsInJSON checks that an answer of 200 that refuses in its body is no success.
func TestRefusalsInJSON(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"flat": `{"ok":false}`, "message": `{"success":false,"message":"Your plan allows 3 users."}`, "error": `{"error":{"message":"quota exceeded"}}`,
		"graphql": `{"data":{"add":{"user":null,"userErrors":[{"message":"is taken"}]}}}`, "status": `{"status":"error","msg":"no"}`,
		"good": `{"ok":true,"id":7,"error":null,"errors":[]}`, "data": `{"id":7,"items":[{"ok":false}]}`,
	}
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := strings.Split(r.URL.Path, "/")
		if len(part) == 3 && r.Method == http.MethodGet {
			fmt.Fprint(w, "<!doctype html><title>T</title><h1>Team</h1>", strings.ReplaceAll(jsonPages[part[1]], "ANSWER", "/"+part[2]))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answers[part[1]])
	}))
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "answers", 6, []struct{ page, answer, says string }{
		{"form", "flat", "its answer says ok is false"},
		{"form", "message", "Your plan allows 3 users."},
		{"form", "error", "quota exceeded"},
		{"form", "graphql", "is taken"},
		{"form", "status", "status is error: no"},
		{"form", "good", ""},
		{"form", "data", ""},
		{"switch", "flat", "its answer says ok is false"},
		{"switch", "good", ""},
		{"list", "message", "Your plan allows 3 users."},
		{"list", "good", ""},
	}) {
		t.Run(tt.page+" "+tt.answer, func(t *testing.T) {
			b.open(t, base+"/"+tt.page+"/"+tt.answer)
			action, params := "components:form:submit", object(nil)
			switch tt.page {
			case "form":
				b.mustRun(t, "components:input:fill", object{"label": "Name", "value": "Dora"})
			case "switch":
				action, params = "components:switch:set", object{"label": "News", "checked": true}
			case "list":
				action, params = "components:field:set", object{"label": "Plan", "value": "Pro"}
			}
			r := b.run(t, action, params)
			if tt.says == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.StepFailed, tt.says)
		})
	}
}

// TestDeletesByFormsInRows checks that a row that has gone with its form is proof enough.
func TestDeletesByFormsInRows(t *testing.T) {
	t.Parallel()
	row := `<tr><td>%s<td><form method=post action=/%s><button>Delete</button></form>`
	const list = `<!doctype html><title>Files</title><ul><li>Plan <form id=f><button>Delete</button></form><li>Map</ul>
<script>f.onsubmit = async (e) => { e.preventDefault(); await fetch('/sent', {method: 'POST'}); f.closest('li').remove() }</script>`
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/list":
			fmt.Fprint(w, list)
			return
		case "/sent":
			fmt.Fprint(w, "{}")
			return
		}
		if r.Method == http.MethodPost {
			http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
			return
		}
		rows := map[string]string{"/": fmt.Sprintf(row, "Plan", "gone"), "/gone": `<tr><td colspan=2>No files`, "/stays": fmt.Sprintf(row, "Plan", "stays"), "/two": fmt.Sprintf(row, "Plan", "one") + fmt.Sprintf(row, "Map", "one"), "/one": fmt.Sprintf(row, "Map", "one")}[r.URL.Path]
		fmt.Fprint(w, "<!doctype html><title>Files</title><h1>Files</h1><table><tr><th>Name<th>", rows, "</table>")
	}))
	b := newBench(t, nil, nil)
	for _, tt := range []struct{ path, says string }{{"/", ""}, {"/two", ""}, {"/list", ""}, {"/stays", "came back unchanged"}} {
		b.open(t, base+tt.path)
		r := b.run(t, "components:form:submit", object{"text": "Delete", "within": ""})
		if tt.path == "/two" && r.Error != nil && r.Error.Code == diag.ElementAmbiguous {
			r = b.run(t, "components:table:row-action", object{"row": object{"Name": "Plan"}, "text": "Delete"})
		}
		if tt.says == "" {
			data(t, r)
		} else {
			wantError(t, r, diag.StepFailed, tt.says)
		}
	}
}
