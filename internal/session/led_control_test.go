package session_test

// Tests of controls whose change loads another page, such as a list that sends its form. The content
// of the other page decides whether the change was accepted.

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/testkit"
)

// ledForm returns a form whose controls run change when they change. It shows the values stored by
// the server: kind, pub and size.
func ledForm(change, kind, pub, size, title string) string {
	is := func(on bool, word string) string {
		if on {
			return " " + word
		}
		return ""
	}
	return fmt.Sprintf(`<h1>Settings</h1><form method=%[1]s action=%[2]s><p><label>Title <input name=title value="%[7]s"></label> <label>Note <input name=note></label></p>
		<p><label>Kind <select name=kind onchange="%[3]s"><option%[4]s>Task<option%[5]s>Bug</select></label></p>
		<p><label><input type=checkbox name=pub value=yes onchange="%[3]s"%[6]s> Public</label></p>
		<fieldset><legend>Size</legend><label><input type=radio name=size value=s onchange="%[3]s"%[8]s> Small</label>
		<label><input type=radio name=size value=l onchange="%[3]s"%[9]s> Large</label></fieldset></form>`,
		"post", "set", change, is(kind != "Bug", "selected"), is(kind == "Bug", "selected"), is(pub == "yes", "checked"), title,
		is(size != "l", "checked"), is(size == "l", "checked"))
}

const (
	ledSignIn  = `<h1>Sign in</h1><form><label>Email <input name=u></label><label>Password <input type=password></label><button>Sign in</button></form>`
	ledByMail  = `<h1>Sign in</h1><form><label>Email <input name=u type=email></label><button>Sign in</button></form>`
	ledRefuses = `<h1>Home</h1><p role=alert>You may not change this</p>`
	ledHome    = `<h1>Apollo</h1><p>Board of the project</p>`
)

var ledUses = []struct {
	action string
	params object
}{
	{"components:select:choose", object{"label": "Kind", "option": "Bug"}},
	{"components:checkbox:set", object{"label": "Public"}},
	{"components:radio:choose", object{"label": "Size", "option": "Large"}},
	{"components:form:fill", object{"values": object{"Kind": "Bug"}}},
	{"components:form:fill", object{"values": object{"Public": true}}},
	{"web:form:fill", object{"fields": []any{object{"label": "Kind", "value": "Bug"}}}},
	{"web:form:fill", object{"fields": []any{object{"label": "Public", "value": "true"}}}},
}

// TestControlsThatLeadAway tests controls whose change sends their form. The next page shows
// whether the change was accepted.
func TestControlsThatLeadAway(t *testing.T) {
	t.Parallel()
	const submit = "this.form.submit()"
	saved := func(r *http.Request) string {
		return ledForm(submit, r.PostFormValue("kind"), r.PostFormValue("pub"), r.PostFormValue("size"), r.PostFormValue("title"))
	}
	tests := []struct {
		name, change string
		status       int
		to           func(*http.Request) string // returns the next page
		fails        string
	}{
		{"stored", submit, 200, saved, ""},
		{"stored, by a script in a moment", "setTimeout(()=>this.form.submit(),150)", 200, saved, ""},
		{"stored, and loaded anew", "fetch('set?keep',{method:'POST',body:new URLSearchParams(new FormData(this.form))}).then(()=>{location='show?SELF'})", 200, saved, ""},
		{"stored, and shown by a script", submit, 200, func(r *http.Request) string {
			return ledForm(submit, "", "", "", "") + fmt.Sprintf(`<script>setTimeout(()=>{const f=document.forms[0];f.kind.value='%s'||'Task';f.pub.checked='%s'==='yes';f.size.value='%s'||'s'},400)</script>`,
				r.PostFormValue("kind"), r.PostFormValue("pub"), r.PostFormValue("size"))
		}, ""},
		{"another page", submit, 200, func(*http.Request) string { return ledHome }, ""},
		{"the sign-in", submit, 200, func(*http.Request) string { return ledSignIn }, "sign-in"},
		{"the sign-in in a moment", "setTimeout(()=>this.form.submit(),150)", 200, func(*http.Request) string { return ledSignIn }, " "},
		{"the old value", submit, 200, func(*http.Request) string { return ledForm(submit, "", "", "", "") }, "on the page that its change led to"},
		{"the old value, loaded anew", "fetch('set',{method:'POST'}).then(()=>{location='show'})", 200, func(*http.Request) string { return ledForm(submit, "", "", "", "") }, " "},
		{"forbidden", submit, 403, func(*http.Request) string { return "<h1>No</h1>" }, "403"},
		{"broken, with the form", submit, 500, saved, "500"},
	}
	mux := http.NewServeMux()
	for i, tt := range tests {
		var last *http.Request
		page := func(w http.ResponseWriter, status int, body string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			fmt.Fprint(w, "<!doctype html>"+body)
		}
		at := fmt.Sprintf("/%d/", i)
		mux.HandleFunc(at+"{$}", func(w http.ResponseWriter, _ *http.Request) { page(w, 200, ledForm(tt.change, "", "", "", "")) })
		mux.HandleFunc(at+"set", func(w http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			last = r
			http.Redirect(w, r, "show", http.StatusSeeOther)
		})
		mux.HandleFunc(at+"show", func(w http.ResponseWriter, r *http.Request) { page(w, tt.status, tt.to(last)) })
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, row := range somePairs(t, "controls", 6, indexes(tests), ledUses) {
		i, tt, use := row.a, tests[row.a], row.b
		t.Run(fmt.Sprint(tt.name, "/", use.action, use.params), func(t *testing.T) {
			b := b.beside(t)
			b.open(t, fmt.Sprintf("%s/%d/", base, i))
			r := b.run(t, use.action, use.params)
			switch {
			case tt.fails != "" && r.Error == nil:
				t.Errorf("no error, warnings %+v", r.Warnings)
			case tt.fails != "" && !strings.Contains(r.Error.Error(), tt.fails):
				t.Error(describe(r.Error))
			case tt.fails == "" && r.Error != nil:
				t.Error(describe(r.Error))
			case tt.fails == "" && (*r.Verified == (tt.name == "another page") || len(r.Warnings) > 0 != (tt.name == "another page")):
				t.Errorf("verified: %v, warnings %+v", *r.Verified, r.Warnings)
			}
		})
	}
}

// TestControlsThatChooseAPage tests filters, jump menus and language menus.
func TestControlsThatChooseAPage(t *testing.T) {
	t.Parallel()
	list := func(attrs, label, first, second, chosen string, values ...string) string {
		out := fmt.Sprintf("<label>%s <select %s>", label, attrs)
		for i, text := range []string{first, second} {
			is := ""
			if values[i] == chosen {
				is = " selected"
			}
			out += fmt.Sprintf("<option value='%s'%s>%s", values[i], is, text)
		}
		return out + "</select></label>"
	}
	const go1, submit = "onchange=\"location='?sort='+this.value\"", "this.form.submit()"
	tests := []struct {
		name, from, to string
		use            object
		fails, warns   bool
	}{
		{"a list that sorts", list(go1, "Sort", "Name", "Price", "n", "n", "price"), list(go1, "Sort", "Name", "Price", "price", "n", "price"), object{"label": "Sort", "option": "Price"}, false, false},
		{"a list that sorts, and shows the first again", list(go1, "Sort", "Name", "Price", "n", "n", "price"), list(go1, "Sort", "Name", "Price", "n", "n", "price"), object{"label": "Sort", "option": "Price"}, false, true},
		{"a menu of pages", list("onchange='location=this.value'", "Go to", "Choose", "Orders", "", "", "to"), list("onchange='location=this.value'", "Go to", "Choose", "Orders", "", "", "to"), object{"label": "Go to", "option": "Orders"}, false, false},
		{"a menu of pages that is nowhere else", list("onchange='location=this.value'", "Go to", "Choose", "Orders", "", "", "to"), "<h1>Orders</h1>", object{"label": "Go to", "option": "Orders"}, false, false},
		{"a language", list("name=lang onchange='location=&quot;to?&quot;+this.value'", "Language", "English", "Deutsch", "en", "en", "de"), list("name=lang", "Sprache", "Englisch", "Deutsch", "de", "en", "de") + ledSignIn, object{"label": "Language", "option": "Deutsch"}, false, false},
		{"a language that stays", list("name=lang onchange='location=&quot;to?&quot;+this.value'", "Language", "English", "Deutsch", "en", "en", "de"), list("name=lang", "Language", "English", "Deutsch", "en", "en", "de"), object{"label": "Language", "option": "Deutsch"}, true, false},
		{"a project", "<form method=post action=to>" + list("onchange="+submit+" name=p", "Project", "-", "Apollo", "", "", "7") + "</form>", ledHome, object{"label": "Project", "option": "Apollo"}, false, true},
		{"a project, refused", "<form method=post action=to>" + list("onchange="+submit+" name=p", "Project", "-", "Apollo", "", "", "7") + "</form>", ledRefuses, object{"label": "Project", "option": "Apollo"}, true, false},
		{"a project, of a session that is over", "<form method=post action=to>" + list("onchange="+submit+" name=p", "Project", "-", "Apollo", "", "", "7") + "</form>", ledByMail, object{"label": "Project", "option": "Apollo"}, true, false},
	}
	mux := http.NewServeMux()
	for i, tt := range tests {
		at := fmt.Sprintf("/%d/", i)
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			body := tt.from
			if r.URL.Path != at || r.URL.RawQuery != "" {
				body = tt.to
			}
			fmt.Fprint(w, "<!doctype html>"+body)
		})
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "lists that choose a page", 3, indexes(tests), func(i int) any { return [2]bool{tests[i].fails, tests[i].warns} }) {
		tt := tests[i]
		t.Run(tt.name, func(t *testing.T) {
			b := b.beside(t)
			b.open(t, fmt.Sprintf("%s/%d/", base, i))
			r := b.run(t, "components:select:choose", tt.use)
			switch {
			case tt.fails:
				wantError(t, r, diag.StepFailed, "led to")
			case r.Error != nil:
				t.Error(describe(r.Error))
			case len(r.Warnings) > 0 != tt.warns || *r.Verified == tt.warns:
				t.Errorf("verified: %v, warnings %+v", *r.Verified, r.Warnings)
			}
		})
	}
}

const ledActions = `namespace: led
version: 1.0.0
description: Fields, and a list that leads away
actions:
  run:both: {description: Both, steps: [{fill: {selector: "label:Title", value: Rain}}, {select: {selector: "label:Kind", values: Bug}}]}
  run:saved:
    description: Both, and a press after them
    steps: [{fill: {selector: "label:Title", value: Rain}}, {select: {selector: "label:Kind", values: Bug}}, {click: "text:Save"}]
  run:later:
    description: Both, and a press once the next page has come
    steps: [{fill: {selector: "label:Title", value: Rain}}, {select: {selector: "label:Kind", values: Bug}}, {wait: "text:The next page"}, {click: "text:Save"}]
  run:again:
    description: Both, and the first once more
    steps:
      - {fill: {selector: "label:Title", value: Rain}}
      - {select: {selector: "label:Kind", values: Bug}}
      - {fill: {selector: "label:Title", value: Rain}}
  run:pressed:
    description: A press that may change the field
    steps: [{fill: {selector: "label:Title", value: Rain}}, {click: "text:Save"}, {select: {selector: "label:Kind", values: Bug}}]
  run:wizard:
    description: A list that goes on to the next page
    steps: [{fill: {selector: "label:Title", value: Rain}}, {select: {selector: "label:Kind", values: Bug}}, {wait: "text:Board of the project"}]
`

// TestFieldsThatAnotherLoses tests forms that lose an earlier value because the change of another
// control loads a new page.
func TestFieldsThatAnotherLoses(t *testing.T) {
	t.Parallel()
	const submit = "this.form.submit()"
	all := func(r *http.Request) string {
		return ledForm(submit, r.FormValue("kind"), "", "", r.FormValue("title")) + "<button>Save</button>"
	}
	kindOnly := func(r *http.Request) string {
		return ledForm(submit, r.FormValue("kind"), "", "", "") + "<button>Save</button>"
	}
	next := func(r *http.Request) string { return kindOnly(r) + "<p>The next page</p>" }
	home := func(*http.Request) string { return ledHome }
	away := "location='set'"
	later := "fetch('set',{method:'POST',body:new URLSearchParams(new FormData(this.form))}).then(()=>{location='set?kind='+this.value})"
	tests := []struct {
		name, change string
		to           func(*http.Request) string
		action       string
		fails        string
		warns        bool
	}{
		{"kept", submit, all, "led:run:both", "", false},
		{"kept, and a press", submit, all, "led:run:saved", "", false},
		{"lost", submit, kindOnly, "led:run:both", "no longer holds", false},
		{"lost, and a press", submit, kindOnly, "led:run:saved", "no longer holds", false},
		{"lost in a moment, and a press", later, next, "led:run:later", "no longer holds", false},
		{"lost, and filled in again", submit, kindOnly, "led:run:again", "", false},
		{"lost after a press", submit, kindOnly, "led:run:pressed", "", false},
		{"sent to the next page", submit, home, "led:run:wizard", "", true},
		{"left for another page", away, home, "led:run:wizard", "no longer holds", false},
		{"lost, and filled in again by itself", submit, kindOnly, "components:form:fill", "", false},
		{"lost, and filled in again by itself, in web", submit, kindOnly, "web:form:fill", "", false},
		{"lost with the form", submit, home, "components:form:fill", "does not have", false},
		{"two that are lost, and filled in again by itself", submit, kindOnly, "components:form:fill more", "", false},
		{"lost with the form, in web", submit, home, "web:form:fill", "does not have", false},
	}
	mux := http.NewServeMux()
	for i, tt := range tests {
		page := func(w http.ResponseWriter, body string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>"+body)
		}
		mux.HandleFunc(fmt.Sprintf("/%d/{$}", i), func(w http.ResponseWriter, _ *http.Request) {
			page(w, ledForm(tt.change, "", "", "", "")+"<button>Save</button>")
		})
		mux.HandleFunc(fmt.Sprintf("/%d/set", i), func(w http.ResponseWriter, r *http.Request) { page(w, tt.to(r)) })
	}
	base := serve(t, mux)
	b := newBench(t, map[string]string{"led.yaml": ledActions}, nil)
	kind := func(i int) any { return fmt.Sprint(tests[i].fails, tests[i].warns, tests[i].action[:3] == "led") }
	for _, i := range testkit.Kinds(t, "forms that lose a value", 5, indexes(tests), kind) {
		tt := tests[i]
		t.Run(tt.name, func(t *testing.T) {
			b := b.beside(t)
			b.open(t, fmt.Sprintf("%s/%d/", base, i))
			var params object
			switch tt.action {
			case "components:form:fill":
				params = object{"values": object{"Title": "Rain", "Kind": "Bug"}}
			case "components:form:fill more":
				params = object{"values": object{"Title": "Rain", "Note": "Wet", "Kind": "Bug"}}
			case "web:form:fill":
				params = object{"fields": []any{object{"label": "Title", "value": "Rain"}, object{"label": "Kind", "value": "Bug"}}}
			}
			r := b.run(t, strings.TrimSuffix(tt.action, " more"), params)
			switch {
			case tt.action == "components:form:fill more":
				if got := b.holds(t, "document.forms[0].title.value + document.forms[0].note.value + document.forms[0].kind.value"); r.Error != nil || got != "RainWetBug" {
					t.Errorf("holds %s, error %v", got, r.Error)
				}
			case tt.fails != "":
				wantError(t, r, diag.VerifyFailed, tt.fails)
			case r.Error != nil:
				t.Error(describe(r.Error))
			case slices.ContainsFunc(r.Warnings, func(w executor.Warning) bool { return w.Code == executor.WarnNotLooked }) != tt.warns:
				t.Errorf("warnings %+v", r.Warnings)
			}
		})
	}
}
