// Package shop is the small web application that the demo and the tests
// drive: sign-in, a list of orders with a slow search, a dialog with a custom
// combobox, and a page for each order. It serves the same user interface
// twice: version 1.4.0 at / and version 2.1.0, with other markup, at /v2/.
//
// It is a stand-in for a real application, not an example of how to write one:
// orders live in memory, and a session never ends.
package shop

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"time"
)

// The credentials and the delay that hold where Options leaves them out.
const (
	DefaultUser     = "ada"
	DefaultPassword = "lovelace"
	DefaultDelay    = 150 * time.Millisecond
)

// maxDelay bounds what a request may ask for with ?slow=.
const maxDelay = 30 * time.Second

// Options says how a shop behaves. The zero value is the demo shop.
type Options struct {
	// User and Password are what signs in. Empty means DefaultUser and
	// DefaultPassword.
	User, Password string
	// Users are further ones who may sign in, and their passwords.
	Users map[string]string
	// Delay is the time that search, products, create and delete take to
	// answer. Zero means DefaultDelay, less than zero no delay. A request
	// overrules it with ?slow=MILLISECONDS, which the pages hand on from their
	// own address.
	Delay time.Duration
}

//go:embed ui
var files embed.FS

// edition is one version of the user interface.
type edition struct {
	base    string // path prefix, "" or "/v2"
	folder  string // below ui/
	version string
	zh      map[string]string
}

// The two editions differ in the space between the characters, too: component
// libraries put one between the two characters of a button.
var editions = []edition{
	{base: "", folder: "v1", version: "1.4.0", zh: map[string]string{
		"New order": "新建", "Create": "确 定", "Cancel": "取 消", "Delete": "删除", "Sign in": "登 录"}},
	{base: "/v2", folder: "v2", version: "2.1.0", zh: map[string]string{
		"New order": "新 建", "Create": "确定", "Cancel": "取消", "Delete": "删 除", "Sign in": "登录"}},
}

// server is one shop; it is shared by all requests and locks in its store.
type server struct {
	opts  Options
	store *store
}

// Handler returns a shop of its own: it shares no state with any other, and is
// safe for concurrent use. Pages sign in at /login and work at /orders, below
// /v2 for the second version.
func Handler(o Options) http.Handler {
	if o.User == "" {
		o.User = DefaultUser
	}
	if o.Password == "" {
		o.Password = DefaultPassword
	}
	if o.Delay == 0 {
		o.Delay = DefaultDelay
	}
	s := &server{opts: o, store: newStore()}
	mux := http.NewServeMux()
	static, err := fs.Sub(files, "ui/static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, e := range editions {
		s.routes(mux, e)
	}
	return noStore(mux)
}

// routes adds the pages and the requests of one edition.
func (s *server) routes(mux *http.ServeMux, e edition) {
	v := &view{edition: e, server: s, pages: parsePages(e)}
	mux.Handle("GET "+e.base+"/{$}", http.RedirectHandler(e.base+"/orders", http.StatusSeeOther))
	mux.HandleFunc("GET "+e.base+"/login", v.loginPage)
	mux.HandleFunc("POST "+e.base+"/login", v.login)
	mux.HandleFunc("POST "+e.base+"/logout", v.logout)
	mux.Handle("GET "+e.base+"/orders", v.signedIn(v.ordersPage))
	mux.Handle("GET "+e.base+"/orders/{id}", v.signedIn(v.orderPage))

	mux.Handle("GET "+e.base+"/api/products", s.api(s.listProducts))
	mux.Handle("GET "+e.base+"/api/orders", s.api(s.listOrders))
	mux.Handle("POST "+e.base+"/api/orders", s.api(s.createOrder))
	mux.Handle("DELETE "+e.base+"/api/orders/{id}", s.api(s.deleteOrder))
}

func parsePages(e edition) map[string]*template.Template {
	pages := make(map[string]*template.Template)
	for _, name := range []string{"login", "orders", "order"} {
		pages[name] = template.Must(template.ParseFS(files, "ui/"+e.folder+"/layout.html", "ui/"+e.folder+"/"+name+".html"))
	}
	return pages
}

// noStore keeps the browser from showing an answer of an earlier shop that had
// the same port.
func noStore(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// pause waits as long as a slow answer takes. It reports false when the caller
// has gone meanwhile.
func (s *server) pause(r *http.Request) bool {
	d := s.opts.Delay
	if ms, err := strconv.Atoi(r.URL.Query().Get("slow")); err == nil && ms >= 0 {
		d = min(time.Duration(ms)*time.Millisecond, maxDelay)
	}
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
