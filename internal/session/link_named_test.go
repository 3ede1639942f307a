package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// TestLinksByTheirWrittenText tests links that CSS shows in capitals, and the same link in header and
// footer. Links with the same text are ambiguous if they have different addresses or no address. An
// answer that is not HTML may refuse access.
func TestLinksByTheirWrittenText(t *testing.T) {
	t.Parallel()
	const capitals = "<style>a { text-transform: uppercase }</style>"
	rows := []struct {
		name, html, text string
		led              bool
	}{
		{"in capitals", capitals + "<nav><a href=/inv>Invoices</a></nav>", "Invoices", true},
		{"in capitals, as it is drawn", capitals + "<nav><a href=/inv>Invoices</a></nav>", "INVOICES", true},
		{"with capitals, around an element", "<style>a { text-transform: capitalize }</style><a href=/inv><span>my invoices</span></a>", "my invoices", true},
		{"twins", "<header><a href=/inv>Invoices</a></header><footer><a href=/inv>Invoices</a></footer>", "Invoices", true},
		{"twins in capitals", capitals + "<header><a href=/inv>Invoices</a></header><footer><a href=/inv>Invoices</a></footer>", "Invoices", true},
		{"twins behind a hidden one", "<a href=/inv style='display:none'>Invoices</a><p><a href=/inv>Invoices</a> <a href=/inv>Invoices</a>", "Invoices", true},
		{"two addresses", "<header><a href=/inv>Invoices</a></header><footer><a href=/old>Invoices</a></footer>", "Invoices", false},
		{"no address", "<header><a href=#>Invoices</a></header><footer><a href=#>Invoices</a></footer>", "Invoices", false},
		{"more words", "<a href=/inv>Invoices of 2024</a>", "Invoices", false},
		{"plain words of an error", "<a href=/plain>Invoices</a>", "Invoices", false},
		{"nothing but null", "<a href=/null>Invoices</a>", "Invoices", false},
		{"drawn as a button", "<a href=/inv role=button class=btn>Invoices</a>", "Invoices", true},
		{"an item of a menu", "<ul role=menu><li role=none><a role=menuitem href=/inv>Invoices</a></ul>", "Invoices", true},
		{"a button without an address", "<a role=button href=#>Invoices</a>", "Invoices", false},
		{"a link, and a button to another address", "<a href=/inv>Invoices</a> <a role=button href=/old>Invoices</a>", "Invoices", false},
		{"a button, and a link to another address", "<a role=button href=/old>Invoices</a> <a href=/inv>Invoices</a>", "Invoices", false},
		{"a link, and an item of a menu to another address", "<a href=/inv>Invoices</a><ul role=menu><li role=none><a role=menuitem href=/old>Invoices</a></ul>", "Invoices", false},
		{"a link and a button to one address", "<a href=/inv>Invoices</a> <a role=button href=/inv>Invoices</a>", "Invoices", true},
		{"a link, and a button without an address", "<a href=/inv>Invoices</a> <a role=button href=#>Invoices</a>", "Invoices", true},
		{"a link, and a button with a count", "<a href=/inv>Invoices</a> <a role=button href=/old>Invoices (3)</a>", "Invoices", true},
		{"data", "<a href=/data>Invoices</a>", "Invoices", true},
	}
	mux := http.NewServeMux()
	answer := func(path, kind, text string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, text)
		})
	}
	answer("/plain", "text/plain", "Internal Server Error")
	answer("/null", "application/json", "null")
	answer("/data", "application/json", `{"a": 1}`)
	answer("/inv", "text/html", "<!doctype html><title>Invoices</title><h1>Invoices</h1><p>R-1")
	answer("/old", "text/html", "<!doctype html><title>Old</title><h1>Old invoices</h1>")
	for i, tt := range rows {
		answer(fmt.Sprintf("/%d", i), "text/html; charset=utf-8", "<!doctype html><html lang=en><title>Page</title>"+tt.html)
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Some(t, "links", 5, indexes(rows)) {
		tt := rows[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.mustRun(t, "web:page:open", object{"url": fmt.Sprintf("%s/%d", base, i)})
			if r := b.run(t, "web:link:follow", object{"text": tt.text}); (r.Error == nil) != tt.led {
				t.Errorf("%v, want success: %v", r.Error, tt.led)
			}
		})
	}
}
