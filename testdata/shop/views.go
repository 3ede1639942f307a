package shop

// The pages of one edition: what a browser asks for with GET, and the sign-in.

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
)

const sessionCookie = "shop_session"

// view serves the pages of one edition.
type view struct {
	edition
	*server
	pages map[string]*template.Template
}

// page is what every template receives.
type page struct {
	Title, Base, Version, Lang string

	User   string // who is signed in, or tried to
	Failed bool   // the sign-in was refused
	Query  string
	Orders []Order
	Order  Order

	zh map[string]string
}

// T is the text of a button in the page's language.
func (p page) T(text string) string {
	if zh, ok := p.zh[text]; ok && p.Lang == "zh" {
		return zh
	}
	return text
}

// newPage starts a page. The language stays chosen, in a cookie, once an
// address said ?lang=.
func (v *view) newPage(w http.ResponseWriter, r *http.Request, title string) page {
	p := page{Title: title, Base: v.base, Version: v.version, Lang: "en", zh: v.zh}
	if c, err := r.Cookie("shop_lang"); err == nil && c.Value == "zh" {
		p.Lang = "zh"
	}
	if lang := r.URL.Query().Get("lang"); lang == "zh" || lang == "en" {
		p.Lang = lang
		http.SetCookie(w, &http.Cookie{Name: "shop_lang", Value: lang, Path: "/", SameSite: http.SameSiteLaxMode})
	}
	return p
}

func (v *view) render(w http.ResponseWriter, status int, name string, p page) {
	var b bytes.Buffer
	if err := v.pages[name].ExecuteTemplate(&b, "layout", p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the reader has gone: nobody to tell
}

func (v *view) loginPage(w http.ResponseWriter, r *http.Request) {
	v.render(w, http.StatusOK, "login", v.newPage(w, r, "Sign in"))
}

func (v *view) login(w http.ResponseWriter, r *http.Request) {
	user, password := r.PostFormValue("user"), r.PostFormValue("password")
	if !v.opts.knows(user, password) {
		p := v.newPage(w, r, "Sign in")
		p.User, p.Failed = user, true
		v.render(w, http.StatusUnauthorized, "login", p)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: v.store.signIn(user), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	http.Redirect(w, r, v.base+"/orders", http.StatusSeeOther)
}

func (v *view) logout(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(sessionCookie); err == nil {
		v.store.signOut(c.Value)
	}
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, Path: "/", MaxAge: -1})
	http.Redirect(w, r, v.base+"/login", http.StatusSeeOther)
}

// signedIn shows the sign-in page to whoever has no session.
func (v *view) signedIn(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !v.hasSession(r) {
			http.Redirect(w, r, v.base+"/login", http.StatusSeeOther)
			return
		}
		next(w, r)
	})
}

func (s *server) hasSession(r *http.Request) bool { return s.userOf(r) != "" }

// userOf returns who is signed in, "" for nobody.
func (s *server) userOf(r *http.Request) string {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return s.store.signedIn(c.Value)
}

// knows reports whether a user may sign in with a password.
func (o Options) knows(user, password string) bool {
	want, ok := o.Users[user]
	if user == o.User {
		want, ok = o.Password, true
	}
	return subtle.ConstantTimeCompare([]byte(password), []byte(want)) == 1 && ok
}

func (v *view) ordersPage(w http.ResponseWriter, r *http.Request) {
	p := v.newPage(w, r, "Orders")
	p.User = v.userOf(r)
	p.Query = r.URL.Query().Get("q")
	p.Orders = v.store.search(p.Query)
	v.render(w, http.StatusOK, "orders", p)
}

func (v *view) orderPage(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	o, ok := v.store.order(id)
	if !ok {
		http.NotFound(w, r)
		return
	}
	p := v.newPage(w, r, fmt.Sprintf("Order #%d", id))
	p.User, p.Order = v.userOf(r), o
	v.render(w, http.StatusOK, "order", p)
}
