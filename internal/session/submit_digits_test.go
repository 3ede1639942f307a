package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// A postedForm is a form to post. name is the name of the case, typed the value of its field. before
// and after are the contents of the page before and after the post.
type postedForm struct {
	name, typed, before, after string
	leads                      bool // the server redirects to another page
	fails                      string
}

// submitPosted are forms after which only a number on the page has changed, or the page shows the
// typed value, even if it has only two characters.
var submitPosted = []postedForm{
	{"a row with another sum", "2", "<table><tr><td>Mug<td>9 €</table>", "<table><tr><td>Mug<td>18 €</table>", false, ""},
	{"another sum", "2", "<p>Total: 9,00 €</p>", "<p>Total: 18,00 €</p>", false, ""},
	{"one more", "Eva", "<p>2 customers</p>", "<p>3 customers</p>", false, ""},
	{"what was typed is the number", "4", "<p>In stock: 0</p>", "<p>In stock: 4</p>", false, ""},
	{"another sum beside a clock", "2", "<p>Sum 9 €</p><p>12:01:33</p>", "<p>Sum 18 €</p><p>12:01:35</p>", false, ""},
	{"a list", "2", "<ul><li>Mug 9 €</ul>", "<ul><li>Mug 18 €</ul>", false, ""},
	{"nothing", "Eva", "<p>Hello 3</p>", "<p>Hello 3</p>", false, "came back unchanged"},
	{"a clock", "Eva", "<p>Now 12:01:33</p>", "<p>Now 12:01:35</p>", false, "came back unchanged"},
	{"a clock in a row", "Eva", "<table><tr><td>Now<td>12:01:33</table>", "<table><tr><td>Now<td>12:01:35</table>", false, "came back unchanged"},
	{"a day and a time", "Eva", "<footer>2026-11-28 12:01</footer>", "<footer>2026-11-28 12:02</footer>", false, "came back unchanged"},
	{"a time of rendering", "Eva", "<main><div>Rendered in 12 ms</div></main>", "<main><div>Rendered in 14 ms</div></main>", false, "ms"},
	{"a counter of visits", "Eva", "<p>Visits: 100</p>", "<p>Visits: 101</p>", false, "came back unchanged"},
	{"a counter of visits, in German", "Eva", "<p>Besucher heute: 100</p>", "<p>Besucher heute: 101</p>", false, "101"},
	{"a counter of visits, in Chinese", "Eva", "<p>访问量：100</p>", "<p>访问量：101</p>", false, "came back unchanged"},
	{"the number of a request", "Eva", "<p>Request ID: 8812</p>", "<p>Request ID: 9932</p>", false, "came back unchanged"},
	{"a tip that rotates", "Eva", "<aside>Tip 3 of 10</aside>", "<aside>Tip 4 of 10</aside>", false, "came back unchanged"},
	{"unread messages", "Eva", "<aside>3 unread</aside>", "<aside>4 unread</aside>", false, "came back unchanged"},
	{"a load", "Eva", "<aside>CPU 12%</aside>", "<aside>CPU 14%</aside>", false, "came back unchanged"},
	{"a limit", "Eva", "<p>Attempts left: 3</p>", "<p>Attempts left: 2</p>", false, "Attempts left: 2"},
	{"an error", "Eva", "<p>Errors: 0</p>", "<p>Errors: 1</p>", false, "Errors: 1"},
	{"a sum to solve", "Eva", "<p>What is 3 + 4?</p>", "<p>What is 5 + 2?</p>", false, "What is 5 + 2?"},
	{"a code to type", "Eva", "<p>Type 4711 to go on</p>", "<p>Type 4822 to go on</p>", false, "4822"},

	{"a Chinese name", "王伟", "", "<h1>王伟</h1><p>Customer</p>", true, ""},
	{"a Japanese name in a sentence", "田中", "", "<h1>顧客</h1><p>田中さま</p>", true, ""},
	{"a Chinese name of one character", "李", "", "<h1>李</h1><p>Customer</p>", true, ""},
	{"a short name", "Li", "", "<h1>Li</h1><p>Customer</p>", true, ""},
	{"a short name behind a label", "Bo", "", "<h1>Customer</h1><p>Name: Bo</p>", true, ""},
	{"a size", "A4", "", "<h1>Paper</h1><p>Size: A4</p>", true, ""},
	{"a short name in another word", "Li", "", "<h1>Limits</h1><p>Policy</p>", true, noSuccess},
	{"two letters in other words", "on", "", "<h1>Working on it</h1><p>Policy</p>", true, noSuccess},
	{"a number", "2", "", "<h1>Limit: 2</h1><p>Policy</p>", true, noSuccess},
	{"a Chinese name that is there already", "王伟", "", "<h1>王伟 已存在</h1><p>客户</p>", true, "已存在"},
	{"another Chinese name", "王伟", "", "<h1>政策</h1><p>客户</p>", true, noSuccess},
}

func TestFormSubmitWithFewCharacters(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for i, tt := range submitPosted {
		var posted atomic.Bool
		at := fmt.Sprintf("/%d/", i)
		page := func(w http.ResponseWriter, html string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><html lang=en><title>Page</title>"+html)
		}
		mux.HandleFunc("GET "+at, func(w http.ResponseWriter, r *http.Request) {
			says := tt.before
			if posted.Load() {
				says = tt.after
			}
			if strings.HasSuffix(r.URL.Path, "/to") {
				page(w, tt.after)
				return
			}
			page(w, `<form method=post><label>Value <input name=n value="`+tt.typed+`"></label><button>Save</button></form>`+says)
		})
		mux.HandleFunc("POST "+at, func(w http.ResponseWriter, r *http.Request) {
			posted.Store(true)
			if tt.leads {
				http.Redirect(w, r, at+"to", http.StatusSeeOther)
				return
			}
			http.Redirect(w, r, at, http.StatusSeeOther)
		})
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "forms with few characters", 12, indexes(submitPosted), func(i int) any { return submitPosted[i].fails }) {
		tt := submitPosted[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.mustRun(t, "web:page:open", object{"url": fmt.Sprintf("%s/%d/", base, i)})
			r := b.run(t, "components:form:submit", nil)
			switch {
			case tt.fails == "" && r.Error != nil:
				t.Error(describe(r.Error))
			case tt.fails != "" && (r.Error == nil || !strings.Contains(describe(r.Error), tt.fails)):
				t.Errorf("%v, want a failure with %q", r.Error, tt.fails)
			}
		})
	}
}
