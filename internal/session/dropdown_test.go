package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// TestDropdownBesideAnother tests menus that open late while another menu shows an item with the
// same text. The action chooses the item in the menu of the named button, or no item.
func TestDropdownBesideAnother(t *testing.T) {
	t.Parallel()
	const older = `<button id=b1 aria-haspopup=menu aria-controls=m1 aria-expanded=true>Row1</button><div role=menu id=m1><div role=menuitem onclick="log.push('row 1')">Delete</div></div>`
	menu := func(attributes string) string {
		return `<div role=menu id=m2 hidden ` + attributes + `><div role=menuitem onclick="log.push('row 2');m2.hidden=true">Delete</div></div>`
	}
	const opens = `onclick="log.push('opens');setTimeout(()=>{m2.hidden=false},300)"`
	pages := map[string]string{
		"/controls":   older + `<p><button aria-haspopup=menu aria-controls=m2 ` + opens + `><span>Row2</span></button></p>` + menu(""),
		"/owns":       older + `<p><button aria-owns=m2 ` + opens + `>Row2</button></p>` + menu(""),
		"/labelledby": older + `<p><button id=b2 ` + opens + `>Row2</button></p>` + menu("aria-labelledby=b2"),
		"/behind":     older + `<div><button ` + opens + `>Row2</button>` + menu("") + `</div>`,
		"/late":       older + `<p><button ` + opens + `>Row2</button></p>` + menu("") + `<script>b2=document.querySelectorAll('button')[1];b2.addEventListener('click',()=>setTimeout(()=>b2.setAttribute('aria-controls','m2'),300))</script>`,
		"/open":       older + `<p><button aria-controls=m2 ` + opens + `>Row2</button></p>` + menu("") + `<script>m2.hidden=false</script>`,
		"/menubar":    `<div role=menubar><div role=menuitem onclick="log.push('menubar')">Delete</div></div><p><button ` + opens + `>Row2</button></p>` + menu(""),
		"/inmenubar":  `<div role=menubar><div role=menuitem aria-haspopup=true>File</div><button ` + opens + `>Row2</button>` + menu("") + `</div>`,
		"/alone":      `<p><button aria-controls=gone ` + opens + `>Row2</button></p>` + menu(""),
		"/unmarked":   older + `<p><button ` + opens + `>Row2</button></p>` + menu(""),
		"/other":      older + `<p><button aria-controls=m2 ` + opens + `>Row2</button></p><div role=menu id=m2 hidden><div role=menuitem>Copy</div></div>`,
		"/named":      older + `<p><button id=b2 ` + opens + `>Row2</button></p>` + menu("aria-labelledby=b1"),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Page</title><script>var log = []</script>`+pages[r.URL.Path])
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	tests := []struct {
		page, want string
		code       diag.Code
	}{
		{"/controls", "opens,row 2", ""},
		{"/owns", "opens,row 2", ""},
		{"/labelledby", "opens,row 2", ""},
		{"/behind", "opens,row 2", ""},
		{"/late", "opens,row 2", ""},
		{"/open", "row 2", ""},
		{"/menubar", "opens,row 2", ""},
		{"/inmenubar", "opens,row 2", ""},
		{"/alone", "opens,row 2", ""},
		{"/unmarked", "opens", diag.StepFailed},
		{"/other", "opens", diag.StepFailed},
		{"/named", "opens", diag.StepFailed},
	}
	for _, tt := range testkit.Kinds(t, "menus", 3, tests, func(i int) any { return string(tests[i].code) + tests[i].want }) {
		b.mustRun(t, "web:page:open", object{"url": base + tt.page})
		r := b.run(t, "components:dropdown:choose", object{"text": "Row2", "option": "Delete"})
		code := diag.Code("")
		if r.Error != nil {
			code = r.Error.Code
		}
		if code != tt.code || len(r.Warnings) > 0 && r.Error == nil {
			t.Errorf("%s: %v, warnings %v, want code %q", tt.page, r.Error, r.Warnings, tt.code)
		}
		look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "log.join()"}, Cwd: b.cwd})
		if got := fmt.Sprint(data(t, look)["value"]); got != tt.want {
			t.Errorf("%s: %q happened, want %q", tt.page, got, tt.want)
		}
	}
}

// TestDropdownOfForms checks that the button of a form without fields is an item of a menu. A button
// in a form with fields, or in a form that was visible before, is not.
func TestDropdownOfForms(t *testing.T) {
	t.Parallel()
	const opens = `<style>.dropdown-menu { display: none } .show { display: block }</style><script>var log = []; onsubmit = (e) => { e.preventDefault(); log.push('sent'); menu.classList.remove('show') }</script>` +
		`<div class=dropdown><button class="btn dropdown-toggle" aria-expanded=false onclick="this.nextElementSibling.classList.toggle('show')">Account</button>`
	menu := func(form string) string {
		return opens + `<ul class=dropdown-menu id=menu><li><a class=dropdown-item href="#p">Profile</a><li><hr><li>` + form + `</ul></div>`
	}
	mux := http.NewServeMux()
	for path, html := range map[string]string{
		"bootstrap": menu(`<form method=post><input type=hidden name=csrf value=1><button class=dropdown-item>Log out</button></form>`),
		"div":       opens + `<div class=dropdown-menu id=menu><a class=dropdown-item href="#p">Profile</a><form method=post><button class=dropdown-item type=submit>Log out</button></form></div></div>`,
		"marked":    menu(`<form method=post><button class=dropdown-item><i></i> <span>Log out</span></button></form>`),
		"fields":    menu(`<form method=post><input name=q><button>Log out</button></form>`),
		"before":    `<form method=post><button>Log out</button></form>` + menu(``),
	} {
		mux.HandleFunc("GET /"+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Page</title>"+html)
		})
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for path, want := range map[string]string{"bootstrap": "sent", "div": "sent", "marked": "sent", "fields": "", "before": ""} {
		b.mustRun(t, "web:page:open", object{"url": base + "/" + path})
		r := b.run(t, "components:dropdown:choose", object{"text": "Account", "option": "Log out"})
		if (r.Error == nil) != (want != "") {
			t.Errorf("%s: %v", path, r.Error)
		}
		look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "log.join()"}, Cwd: b.cwd})
		if got := fmt.Sprint(data(t, look)["value"]); got != want {
			t.Errorf("%s: %q happened, want %q", path, got, want)
		}
	}
}
