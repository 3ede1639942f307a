package session_test

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// quotedPages are answers to a form with one field, and with a button that is pressed by its text.
// fails is a part of the expected error; "" means success.
var quotedPages = []struct{ typed, button, page, fails string }{
	// The page repeats what was typed, which has words that refuse.
	{"Login fails with error 500", "Create issue", `<p>Issue created: Login fails with error 500</p>`, ""},
	{"Login fails with error 500", "Create issue", `<h1>Thanks for the report</h1><p>We’ll look into “Login fails with error 500”.</p>`, ""},
	{"Login fails on Safari", "Create ticket", `<p>Ticket 'Login fails on Safari' was created</p>`, ""},
	{"Login fails on Safari", "Create ticket", `<div role=alert>Ticket "Login fails on Safari" was created</div>`, ""},
	{"Drucker nicht erreichbar", "Melden", `<p>Ticket „Drucker nicht erreichbar“ wurde erstellt.</p>`, ""},
	{"Connexion refusée", "Envoyer", `<p>Le ticket « Connexion refusée » a été créé.</p>`, ""},
	{"登录失败", "提交", `<p>工单“登录失败”已提交</p>`, ""},
	{"Login fails on Safari", "Create ticket", `<p>Ticket 'Login fails on Safari' could not be created</p>`, "could not be created"},
	{"Login fails on Safari", "Create ticket", `<p>Ticket 'Login fails' was not created</p>`, "was not created"},
	{"Login fails on Safari", "Create ticket", `<p>Error: Login fails on Safari</p>`, "Login fails"},
	{"Bob", "Create user", `<p>User 'Bob' already exists</p>`, "already exists"},

	// The page says that what the button names was done.
	{"", "Cancel subscription", `<p>Your subscription has been cancelled. You can use Pro until 1 April.</p>`, ""},
	{"", "Cancel subscription", `<div role=alert>Your subscription has been cancelled.</div>`, ""},
	{"", "Decline", `<h1>You declined.</h1><p>Ada has been notified.</p>`, ""},
	{"", "Decline", `<p>Got it – we’ll let Ada know you can’t make it.</p>`, ""},
	{"", "Abo kündigen", `<p>Ihr Abo wurde gekündigt.</p>`, ""},
	{"", "Résilier", `<p>Votre abonnement a été résilié.</p>`, ""},
	{"", "取消订阅", `<p>订阅已取消</p>`, ""},
	{"", "Cancel subscription", `<p>Your subscription could not be cancelled.</p>`, "could not be cancelled"},
	{"", "Cancel subscription", `<p>Your request to cancel was declined.</p>`, "was declined"},
	{"", "Cancel subscription", `<p>Your session has expired</p>`, "has expired"},
	{"", "Decline", `<p>Your card was declined</p>`, "was declined"},
	{"", "Save", `<p>Your subscription has been cancelled.</p>`, "has been cancelled"},
}

// TestFormSubmitOfWhatWasAsked checks that words that refuse are no refusal where a page quotes them
// from the form, or where they say that what the button names was done.
func TestFormSubmitOfWhatWasAsked(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, _ := strconv.Atoi(r.URL.Query().Get("i"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html lang=en><title>Page</title><body><nav><a href=/a>Home</a></nav>")
		if r.Method == http.MethodPost {
			fmt.Fprint(w, quotedPages[i].page)
			return
		}
		fmt.Fprintf(w, `<h1>Form</h1><form action=/send?i=%d method=post><label>Title <input name=n value="%s"></label> <button>%s</button></form>`,
			i, html.EscapeString(quotedPages[i].typed), quotedPages[i].button)
	}))
	b := newBench(t, nil, nil)
	all := make([]int, len(quotedPages))
	for i := range all {
		all[i] = i
	}
	for _, i := range testkit.Some(t, "quoted pages", 8, all) {
		tt := quotedPages[i]
		t.Run(tt.button+" "+tt.page, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/?i="+strconv.Itoa(i))
			if r := b.run(t, "components:form:submit", object{"text": tt.button}); tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else {
				data(t, r)
			}
		})
	}
}
