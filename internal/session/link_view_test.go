package session_test

// Tests of links that change only the address, because the server has refused the data of the new
// view, or because the page stays blank.

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestLinkOfWhichNothingComes checks that a new address is not enough if the page's requests were
// refused and the page shows nothing new.
func TestLinkOfWhichNothingComes(t *testing.T) {
	t.Parallel()
	const (
		routed  = "history.pushState(0,'','/orders');"
		pixel   = `<img width=9 height=9 src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">`
		nothing = "where nothing appeared"
		as      = "shows what it showed before"
		says    = "where the page says"
	)
	tests := []struct{ name, href, script, body, fails string }{
		{"a view that stays", "/orders", routed + "fetch('/broken')", "", nothing},
		{"a view that stays, by XMLHttpRequest", "/orders", routed + "const x=new XMLHttpRequest();x.open('GET','/denied');x.send()", "", nothing},
		{"a view that stays, by a script", "/orders", routed + "import('/broken').catch(()=>0)", "", nothing},
		{"a view that stays, by GraphQL", "/orders", routed + "fetch('/graphql',{method:'POST'})", "", nothing},
		{"a view that stays beside data", "/orders", routed + "fetch('/data').then(()=>fetch('/broken'))", "", nothing},
		{"a view that stays beside data at a longer address", "/orders", routed + "fetch('/broken').then(()=>fetch('/broken/count'))", "", nothing},
		{"a view that stays in the fragment", "#/orders", "location.hash='#/orders';fetch('/broken')", "", nothing},
		{"a view that is emptied", "/orders", routed + "v.innerHTML='';fetch('/broken')", "", nothing},
		{"a view that goes on loading", "/orders", routed + "v.innerHTML='<p>Loading…</p>';fetch('/broken')", "", nothing},
		{"a blank page", "/to", "", `<div id=v></div><script>fetch('/broken').then(r=>{if(r.ok)v.textContent='Orders'})</script>`, nothing},
		{"a blank page below what frames it", "/to", "", `<header>` + pixel + `<h1>Shop</h1><button>Menu</button></header><nav><a href=/>Home</a></nav><main id=v></main><footer>2024</footer><script>fetch('/denied')</script>`, nothing},
		{"a page that goes on loading", "/to", "", `<main><svg class=spinner width=9 height=9></svg> <span>Wird geladen…</span></main><script>fetch('/broken')</script>`, nothing},
		{"a blank page whose script is missing", "/to", "", `<div id=root></div><script src=/denied></script>`, nothing},

		{"a part that there is not", "#rep", "0", "", as},
		{"a part that there is not, and what was asked for was refused", "#rep", "fetch('/broken')", "", nothing},
		{"a part that there is not, with a whole address", "/from/SELF#rep", "location.hash='rep'", "", as},
		{"a part of the page with a whole address", "/from/SELF#part", "location.hash='part'", "", ""},
		{"a part by its name", "#named", "0", "<a name=named></a>", ""},
		{"a part whose name is encoded", "#%C3%9Cber%20uns", "0", "<p id='Über uns'>We</p>", ""},
		{"a part to which a script leads", "#part", "event.preventDefault();history.pushState(0,'','#part')", "", ""},
		{"a part that a script shows", "#rep", "v.innerHTML='<h1>Report</h1>'", "", ""},
		{"the top", "#top", "0", "", ""},
		{"a route without a view", "/orders", routed, "", as},
		{"a route in the fragment without a view", "#/orders", "location.hash='#/orders'", "", as},
		{"a route of the same text, on a canvas", "/orders", routed, "<canvas></canvas>", ""},
		{"a route of another title", "/orders", routed + "document.title='Orders'", "", ""},
		{"a route whose view comes late", "/orders", routed + "setTimeout(()=>{v.innerHTML='<h1>Orders</h1>'},1200)", "", ""},
		{"a query that changes nothing", "/from/SELF?sort=name", "history.pushState(0,'','?sort=name')", "", ""},
		{"a view that comes", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='<h1>Orders</h1>'})", "", ""},
		{"a view that stays, and nothing refused", "/from/SELF?tab=2", "history.pushState(0,'','?tab=2');fetch('/data')", "", ""},
		{"a tab beside a refused request to another server", "/from/SELF?tab=2", "history.pushState(0,'','?tab=2');fetch('/data').then(()=>fetch('OTHER/denied'))", "", ""},
		{"a view that comes at last", "/orders", routed + "fetch('/once').then(()=>fetch('/once')).then(()=>{v.innerHTML='<h1>Orders</h1>'})", "", ""},
		{"another route with data of the same text", "/orders", routed + "fetch('/data')", "", ""},
		{"another picture", "/orders", routed + "fetch('/denied');v.innerHTML+='" + strings.ReplaceAll(pixel, `"`, "") + "'", "", ""},
		{"what is asked for again and again", "/from/SELF?tab=2", "history.pushState(0,'','?tab=2');p()", "", ""},
		{"a part of the page", "#part", "fetch('/broken')", "", ""},
		{"a picture", "/to", "", "<body>" + pixel + "<script>fetch('/broken')</script>", ""},
		{"a map", "/to", "", "<canvas width=300 height=200></canvas><script>fetch('/broken')</script>", ""},
		{"a form", "/to", "", "<main><input placeholder=Order></main><script>fetch('/broken')</script>", ""},
		{"text of a component", "/to", "", "<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p>Orders</p>';fetch('/broken')</script>", ""},
		{"a heading", "/to", "", "<main><header><h1>Orders</h1></header></main><script>fetch('/broken')</script>", ""},
		{"a blank page, and nothing refused", "/to", "", "<main></main><script>fetch('/data')</script>", "which shows nothing"},
		{"a blank page whose script throws", "/to", "", "<div id=app></div><script>throw new TypeError('x')</script>", "which shows nothing"},
		{"nothing but its navigation", "/to", "", "<header><a href=/>Shop</a></header><nav><a href=/>Home</a> <a href=/to>Orders</a></nav><main></main><footer>2024</footer>", "which shows nothing"},
		{"a view that crashes", "/orders", routed + "document.body.innerHTML='Loading…';fetch('/data').then(()=>{document.body.innerHTML='';throw 1})", "", "which shows nothing"},
		{"a page that is drawn late", "/to", "", "<div id=app></div><script>fetch('/data').then(()=>setTimeout(()=>{app.innerHTML='<h1>Orders</h1>'},700))</script>", ""},
		{"a page without a main part", "/to", "", "<nav><a href=/>Home</a></nav><main></main><div>Orders</div>", ""},
		{"a route that leads back with a query", "/orders", "history.pushState(0,'','/from/SELF?redirect=/orders')", "", "led back to the page it is on"},
		{"a route that leads back after a request", "/orders", "fetch('/data').then(()=>history.pushState(0,'','/from/SELF?next=orders'))", "", "led back to the page it is on"},
		{"a route that puts something in the cart", "/cart/add/7", "history.pushState(0,'','/from/SELF?added=7');v.innerHTML+='<p>Added</p>'", "", ""},
		{"a view of its own page", "/from/SELF?tab=2", "history.pushState(0,'','?tab=2');v.innerHTML='<h1>Second</h1>'", "", ""},
		{"a message in place of the view", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='Failed to load this page'})", "", says},
		{"a status in place of the view", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='Error 500'})", "", says},
		{"a message without a subject", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='<p>Could not be loaded</p><button>Retry</button>'})", "", says},
		{"a message about the network", "/orders", routed + "fetch('/denied').then(()=>{v.innerHTML='<p>No connection</p>'})", "", says},
		{"a German message", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='<div>Keine Verbindung</div>'})", "", says},
		{"a Chinese message", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='<div>网络错误</div>'})", "", says},
		{"a message below a heading", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='<h1>Your purchases</h1><p>Could not be loaded</p>'})", "", says},
		{"a message beside other data", "/orders", routed + "fetch('/data').then(()=>fetch('/denied')).then(()=>{v.innerHTML='<p>No connection</p>'})", "", says},
		{"a page with a message", "/to", "", "<nav><a href=/>Home</a></nav><main id=v></main><script>fetch('/broken').then(()=>{v.innerHTML='<p>Could not be loaded</p>'})</script>", says},
		{"a message, and nothing refused", "/orders", routed + "fetch('/data').then(()=>{v.innerHTML='<p>No connection</p>'})", "", ""},
		{"a message about a part", "/orders", routed + "fetch('/data').then(()=>fetch('/broken')).then(()=>{v.innerHTML='<h1>Purchases</h1><p>12 boxes</p><p>No connection</p>'})", "", ""},
		{"a refused request behind a view", "/orders", routed + "fetch('/broken').then(()=>{v.innerHTML='<h1>Purchases</h1><p>No connection charge</p>'})", "", ""},
		{"a failure of Python", "/to", "", "Traceback (most recent call last):\n File \"x.py\", line 1\nValueError: x", "failure of a program"},
		{"a failure of PHP", "/to", "", "<b>Fatal error</b>: Uncaught Error: Call to undefined function x() in /var/www/a.php:3", "failure of a program"},
		{"a failure of Java", "/to", "", "java.lang.NullPointerException: x at app.Shop.list(Shop.java:7)", "failure of a program"},
		{"an article about a failure", "/to", "", "<h1>Purchases</h1><p>Traceback (most recent call last): means that a program has failed.</p>", ""},
		{"a file about a failure", "/trace", "", "", ""},
		{"a file of text", "/plain", "", "", ""},
		{"an image", "/image", "", "", ""},
	}
	elsewhere := serve(t, http.NotFoundHandler())
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Shop</title><body>%s", body)
	}
	for i, tt := range tests {
		href, script := tt.href, ""
		if href == "/to" {
			href = fmt.Sprintf("/to/%d", i)
			mux.HandleFunc(href, func(w http.ResponseWriter, _ *http.Request) { page(w, tt.body) })
		}
		href = strings.ReplaceAll(href, "SELF", fmt.Sprint(i))
		if tt.script != "" {
			script = "<script>k.onclick=(e)=>{e.preventDefault();" + strings.NewReplacer("OTHER", elsewhere, "SELF", fmt.Sprint(i)).Replace(tt.script) + "}</script>"
			if href[0] == '#' && href[1] != '/' {
				script = "<script>k.onclick=()=>{" + tt.script + "}</script>"
			}
		}
		if strings.Contains(tt.script, "p()") {
			script += "<script>const p=()=>fetch('/denied?poll');k.hidden=true;p().then(p).then(p).then(()=>{k.hidden=false})</script>"
		}
		view := ""
		if tt.script != "" {
			view = tt.body
		}
		mux.HandleFunc(fmt.Sprintf("/from/%d", i), func(w http.ResponseWriter, _ *http.Request) {
			page(w, fmt.Sprintf("<nav><a id=k href=%s>Orders</a></nav><main id=v><h1>Start</h1><p id=part>Hello</p></main>%s%s", href, view, script))
		})
	}
	for path, status := range map[string]int{"/broken": 500, "/denied": 403, "/graphql": 502, "/data": 200, "/broken/count": 200} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	mux.HandleFunc("/plain", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Orders") })
	mux.HandleFunc("/trace", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "Traceback (most recent call last):\nValueError: x")
	})
	mux.HandleFunc("/image", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`)
	})
	var asked atomic.Bool
	mux.HandleFunc("/once", func(w http.ResponseWriter, _ *http.Request) {
		if !asked.Swap(true) {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	numbers := make([]int, len(tests))
	for i := range tests {
		numbers[i] = i
	}
	for _, i := range testkit.Kinds(t, "links to nothing", 24, numbers, func(i int) any { return tests[i].fails }) {
		tt := tests[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:link:follow", object{"url": fmt.Sprintf("%s/from/%d", base, i), "text": "Orders"})
			if tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
