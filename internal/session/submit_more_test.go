package session_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

const (
	asksMore  = "the form has come again, and asks for more"
	saysNow   = "a field of it now says"
	buttonNow = "its button now says"
)

// moreForm returns a form with two filled fields, more in it, and a button that says button. The
// method is post unless a script sends it.
func moreForm(more, button string) string {
	return `<form id=f method=post action=/again><label>Name <input name=n value="Ada Byron"></label> <label>E-mail <input name=m value=ada@x.test></label>` +
		more + `<button>` + button + `</button></form>`
}

// emptied is moreForm without what was typed.
func emptied(more string) string {
	return strings.NewReplacer("Ada Byron", "", "ada@x.test", "").Replace(moreForm(more, "Save"))
}

// fetched is a form that a script posts. The script then runs js.
func fetched(js string) string {
	return `<p id=up></p>` + moreForm("", "Save") + `<script>f.onsubmit=async(event)=>{event.preventDefault();await fetch('/ok',{method:'POST'});` + js + `}</script>`
}

// submitMore are pages with a form, the page that answers it ("" if a script sends it), and part of
// the expected error ("" for a success).
var submitMore = []struct{ name, page, answer, fails string }{
	{"a captcha", moreForm("", "Save"), moreForm(`<label>Enter the characters you see <input name=cap></label>`, "Save"), asksMore},
	{"a captcha in German", moreForm("", "Speichern"), moreForm(`<label>Sicherheitscode <input name=cap></label>`, "Speichern"), asksMore},
	{"a captcha in Chinese", moreForm("", "保存"), moreForm(`<label>验证码 <input name=cap></label>`, "保存"), asksMore},
	{"a captcha in French", moreForm("", "Enregistrer"), moreForm(`<label>Recopiez le texte <input name=cap></label>`, "Enregistrer"), asksMore},
	{"a captcha in Spanish", moreForm("", "Guardar"), moreForm(`<label>Escriba los caracteres <input name=cap></label>`, "Guardar"), asksMore},
	{"a captcha in Japanese", moreForm("", "保存"), moreForm(`<label>画像の文字 <input name=cap></label>`, "保存"), asksMore},
	{"terms to accept", moreForm("", "Save"), moreForm(`<label><input type=checkbox name=t> I accept the terms</label>`, "Save"), asksMore},
	{"a password", moreForm("", "Save"), moreForm(`<label>Current password <input type=password name=p></label>`, "Save"), asksMore},
	{"a slot", moreForm("", "Save"), moreForm(`<label>Slot <select name=s><option>Mon<option>Tue</select></label>`, "Save"), asksMore},
	{"radios", moreForm("", "Save"), moreForm(`<label><input type=radio name=a> Home</label><label><input type=radio name=a> Work</label>`, "Save"), asksMore},
	{"a reason", moreForm("", "Save"), moreForm(`<label>Reason <textarea name=r></textarea></label>`, "Save"), asksMore},
	{"a field without a label", moreForm("", "Save"), moreForm(`<input name=extra>`, "Save"), "with a field more"},
	{"a captcha in an emptied form", moreForm("", "Save"), emptied(`<label>Captcha <input name=cap></label>`), asksMore},
	{"a captcha after a fetch", fetched(`f.querySelector('button').insertAdjacentHTML('beforebegin','<label>Captcha <input name=cap></label>')`), "", asksMore},
	{"a captcha in an emptied form after a fetch", fetched(`f.reset();f.n.value=f.m.value='';f.querySelector('button').insertAdjacentHTML('beforebegin','<label>Captcha <input name=cap></label>')`), "", asksMore},
	{"a button that asks", fetched(`f.querySelector('button').textContent='Save anyway'`), "", buttonNow},
	{"a button that asks in German", fetched(`f.querySelector('button').textContent='Trotzdem speichern'`), "", buttonNow},
	{"a button that asks in Polish", fetched(`f.querySelector('button').textContent='Zapisz mimo to'`), "", buttonNow},
	{"a label that complains", fetched(`f.m.parentNode.firstChild.data='E-mail – already registered '`), "", saysNow},
	{"a label that complains in Chinese", fetched(`f.m.parentNode.firstChild.data='E-mail（已注册）'`), "", saysNow},

	{"a captcha beside a success", fetched(`up.textContent='Your message was sent.';f.querySelector('button').insertAdjacentHTML('beforebegin','<label>Another message <input name=o></label>')`), "", ""},
	{"a further row", moreForm(`<input name=i-0-t aria-label="Title 1">`, "Save"), moreForm(`<input name=i-0-t aria-label="Title 1"><input name=i-1-t aria-label="Title 2">`, "Save") + `<p>Saved.</p>`, ""},
	{"a further row, silently", fetched(`f.querySelector('button').insertAdjacentHTML('beforebegin','<label>Name <input name=n2></label>')`), "", ""},
	{"an item with a form of its own", `<ul id=l><li><form><input name=q aria-label="Amount of pens"></form></ul>` + fetched(`f.n.value=f.m.value='';l.insertAdjacentHTML('beforeend','<li>Ada Byron <form><input name=q aria-label="Amount of lamps"></form>')`), "", ""},
	{"the next step of a wizard", `<header><form><input type=search name=q aria-label=Search></form></header>` + moreForm("", "Continue"), `<header><form><input type=search name=q aria-label=Search></form></header><h2>Step 2 of 3</h2><form><label>Street <input name=s></label><label>Town <input name=t></label><button>Continue</button></form>`, ""},
	{"an emptied form for the next entry", fetched(`f.n.value=f.m.value=''`), "", ""},
	{"a form that stays", fetched(``), "", ""},
	{"a button that counts", fetched(`f.querySelector('button').textContent='Save (1)'`), "", ""},
	{"a button that says that it is done", fetched(`f.querySelector('button').textContent='Saved'`), "", ""},
	{"a button that says it in German and is disabled", fetched(`const b=f.querySelector('button');b.textContent='Gespeichert';b.disabled=true`), "", ""},
	{"a button that cannot be pressed any more", fetched(`const b=f.querySelector('button');b.textContent='No changes';b.disabled=true`), "", ""},
	{"a label that counts", strings.Replace(fetched(`f.m.parentNode.firstChild.data='E-mail (2) '`), "E-mail <", "E-mail (1) <", 1), "", ""},
	{"a search by a script with filters", `<form id=f><label>Find <input name=q value=lamp></label><button>Search</button></form><div id=r></div><script>f.onsubmit=async(e)=>{e.preventDefault();await fetch('/ok?q=1');f.insertAdjacentHTML('beforeend','<label>Colour <select name=c><option>All</select></label>');r.innerHTML='<ul><li>Desk lamp<li>Floor lamp</ul>'}</script>`, "", ""},
}

// TestFormSubmitThatAsksForMore checks that form:submit fails if the form comes again with another
// field, or with other words in a label or in its button, and only then.
func TestFormSubmitThatAsksForMore(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page := func(i string, of func(int) string) {
			n, _ := strconv.Atoi(i)
			fmt.Fprint(w, "<!doctype html><title>t</title><h1>Customer</h1>", of(n))
		}
		switch {
		case r.URL.Path == "/ok":
			fmt.Fprint(w, "{}")
		case r.Method == http.MethodPost:
			page(strings.TrimPrefix(r.URL.Path, "/again/"), func(n int) string { return submitMore[n].answer })
		default:
			i := r.URL.Query().Get("i")
			page(i, func(n int) string { return strings.Replace(submitMore[n].page, "/again", "/again/"+i, 1) })
		}
	}))
	b := newBench(t, nil, nil)
	all := make([]int, len(submitMore))
	for i := range all {
		all[i] = i
	}
	for _, i := range testkit.Some(t, "forms that ask for more", 24, all) {
		tt := submitMore[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/?i="+strconv.Itoa(i))
			r := b.run(t, "components:form:submit", nil)
			if tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else {
				data(t, r)
			}
		})
	}
}

// TestFormSubmitBesideALongText checks that a text of megabytes beside a form is left out, and that a
// page that is too large to be judged is refused before the press.
func TestFormSubmitBesideALongText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, fails string }{
		{"a paragraph", "p", ""},
		{"an article", "article", "too large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int32
			html := `<h1>Log</h1><form id=f onsubmit="event.preventDefault();fetch('/save',{method:'POST'}).then(()=>o.textContent='Saved')"><label>Name <input name=n value=Ada></label><button>Save</button></form><p id=o></p>
<script>const t=document.createElement('` + tt.in + `');t.textContent='lorem ipsum dolor '.repeat(290000);document.body.append(t)</script>`
			base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				if r.Method == http.MethodPost {
					sent.Add(1)
				}
				fmt.Fprint(w, html)
			}))
			b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=60s")
			b.open(t, base)
			r := b.run(t, "components:form:submit", nil)
			if tt.fails == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.StepFailed, tt.fails)
			if sent.Load() > 0 {
				t.Error("the form was sent, expected a failure before")
			}
		})
	}
}
