package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// fetchedLists are lists that fetch their pages. Each script shows the entries n to n + 2 in the
// element l.
var fetchedLists = []struct{ name, html, script string }{
	{"list", `<ul id=l></ul>`, `l.innerHTML = [n, n + 1, n + 2].map((k) => '<li>Item ' + k).join('')`},
	{"links", `<ul id=l></ul>`, `l.innerHTML = [n, n + 1, n + 2].map((k) => '<li><a href=#' + k + '>Item ' + k + '</a><p>Text of it</p>').join('')`},
	{"cards", `<section id=l></section>`, `l.innerHTML = [n, n + 1, n + 2].map((k) => '<article class=card><h3>Item ' + k + '</h3><p>In stock</p><button>Buy</button></article>').join('')`},
	{"one", `<div id=l aria-live=polite></div>`, `l.innerHTML = '<blockquote>Saying ' + n + '</blockquote>'`},
	{"pictures", `<div id=l></div>`, `l.innerHTML = [n, n + 1, n + 2].map((k) => '<a href=#' + k + '><img src="/i' + k + '" width=20 height=20></a>').join('')`},
}

// TestRowsThatAreNoTable tests lists that mark the number of the new page before they fetch its
// entries. The server refuses the request, and the old entries stay or disappear.
func TestRowsThatAreNoTable(t *testing.T) {
	t.Parallel()
	const (
		numbers = `<nav class=pagination aria-label=Pagination><button aria-current=page>1</button><button>2</button><button>3</button></nav>`
		arrows  = `<div class=foot><span id=r>1–3 of 9</span> <button aria-label=Next>›</button></div>`
	)
	rows := []struct{ pager, script, failed string }{
		{numbers, `mark(); const r = await fetch('/status/401'); if (r.ok) show(4)`, "no rows came"},
		{numbers, `mark(); const r = await fetch('/status/500'); if (r.ok) show(4); else m.textContent = 'Items could not be loaded'`, "no rows came"},
		{numbers, `mark(); h.textContent = 'Items, page 2'; await fetch('/status/403')`, "no rows came"},
		{numbers, `mark(); try { await fetch('http://127.0.0.1:1/'); show(4) } catch {}`, "no rows came"},
		{numbers, `mark(); await fetch('/status/429'); l.innerHTML = '<p>Oops, try again later</p>'`, "no rows came"},
		{numbers, `mark(); l.innerHTML = ''; await fetch('/status/503')`, "no rows came"},
		{arrows, `r.textContent = '4–6 of 9'; await fetch('/status/500')`, "no rows came"},

		{numbers, `mark(); await fetch('/status/200'); show(4)`, ""},
		{numbers, `mark(); show(4)`, ""},
		{numbers, `mark(); fetch('/status/500').then(() => { m.textContent = 'Offers could not be loaded' }); await fetch('/status/200'); show(4)`, ""},
		{numbers, `mark(); fetch('/status/404'); await fetch('/status/200'); l.innerHTML = ''; show(9)`, ""},
		{numbers, `mark(); await fetch('/once'); await fetch('/once'); show(4)`, ""},
		{numbers, `mark(); await fetch('/status/200')`, ""},
		{arrows, `r.textContent = '4–6 of 9'; fetch('/status/404'); await fetch('/status/200'); show(4)`, ""},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscan(r.PathValue("code"), &status)
		w.WriteHeader(status)
	})
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("again"); err != nil || c.Value != r.Referer() {
			http.SetCookie(w, &http.Cookie{Name: "again", Value: r.Referer()})
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var list, row int
		fmt.Sscan(r.URL.Query().Get("i"), &list, &row)
		fmt.Fprintf(w, `<!doctype html><h1 id=h>Items</h1><p id=m></p>%s%s<script>const show = (n) => { %s }; show(1);
			const all = [...document.querySelectorAll('nav button')], mark = () => { all[0].removeAttribute('aria-current'); all[1].setAttribute('aria-current', 'page') };
			(all[1] ?? document.querySelector('.foot button')).onclick = async () => { %s }</script>`, fetchedLists[list].html, rows[row].pager, fetchedLists[list].script, rows[row].script)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	type pair struct{ list, row int }
	var pairs []pair
	for i := range rows {
		for j := range fetchedLists {
			pairs = append(pairs, pair{j, i})
		}
	}
	for _, i := range testkit.Some(t, "lists", 11, pairs) {
		list, row := fetchedLists[i.list], rows[i.row]
		t.Run(list.name+"/"+row.script, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, strings.ReplaceAll(fmt.Sprintf("%s/?i=%d %d", base, i.list, i.row), " ", "%20"))
			r := b.run(t, "components:pagination:go", object{"page": 2})
			if row.failed != "" {
				wantError(t, r, diag.StepFailed, row.failed)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
