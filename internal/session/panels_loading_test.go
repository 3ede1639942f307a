package session_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestTabsThatLoad checks tabs that load their part of the page when they are opened: with aria-controls,
// with the attribute of Bootstrap, and with a link to the part. One that stays at its spinner, or shows
// nothing but a box of an error, has not been shown.
func TestTabsThatLoad(t *testing.T) {
	t.Parallel()
	const (
		spinner = `<div class=spinner role=progressbar>Loading…</div>`
		error   = `<div class="alert alert-danger">Nur mit Vertrag</div>`
	)
	rows := []struct{ name, link, at, first, says string }{
		{"a spinner that stays", "aria-controls=p", "/never", spinner, "nothing but that it is loading"},
		{"a spinner without words that stays", `data-bs-target="#p"`, "/never", `<div class=spinner-border style="width:2em;height:2em"></div>`, "nothing but that it is loading"},
		{"words in German that stay", "aria-controls=p", "/never", "<p>Rechnungen werden geladen…</p>", "nothing but that it is loading"},
		{"a refusal", `data-bs-target="#p"`, "/refused", "", "the server refused GET"},
		{"a refusal behind a link", `href="#p"`, "/refused", "", "the server refused GET"},
		{"a box of an error", `data-bs-target="#p"`, "/error", "", "Nur mit Vertrag"},

		{"a list", `data-bs-target="#p"`, "/list", "", ""},
		{"a list after a spinner", "aria-controls=p", "/late", spinner, ""},
		{"a list long after a spinner", "aria-controls=p", "/later", spinner, ""},
		{"words that speak of it", "aria-controls=p", "/never", "<p>Loading dock 4 opens at nine.</p>", ""},
		{"a spinner beside what is there", "aria-controls=p", "/never", "<p>Bill 1</p>" + spinner, ""},
		{"nothing", "aria-controls=p", "/empty", "", ""},
		{"an error beside a list", "aria-controls=p", "/both", "", ""},
	}
	answers := map[string]string{"/list": "<ul><li>Bill 1</ul>", "/late": "<p>Bill 2</p>", "/later": "<p>Bill 4</p>", "/error": error, "/both": error + "<p>Bill 3</p>", "/empty": ""}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/never":
			<-r.Context().Done()
			return
		case "/late":
			time.Sleep(1500 * time.Millisecond)
		case "/later":
			time.Sleep(4 * time.Second)
		case "/refused":
			w.WriteHeader(http.StatusInternalServerError)
		}
		fmt.Fprint(w, answers[r.URL.Path])
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var i int
		fmt.Sscan(r.URL.Query().Get("i"), &i)
		tt := rows[i]
		fmt.Fprintf(w, `<!doctype html><h1>Project</h1><div role=tablist><a role=tab tabindex=0 id=a aria-selected=true>Home</a><a role=tab tabindex=0 id=b aria-selected=false %s>Bills</a></div>
<div role=tabpanel id=o>Welcome</div><div role=tabpanel id=p hidden></div>
<script>b.onclick = async (e) => { e.preventDefault(); a.ariaSelected = 'false'; b.ariaSelected = 'true'; o.hidden = true; p.hidden = false; p.innerHTML = %q;
	const r = await fetch(%q); p.innerHTML = r.ok ? await r.text() : '' }</script>`, tt.link, tt.first, tt.at)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "tabs that load", 7, indexes(rows), func(i int) any { return rows[i].says }) {
		tt := rows[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, fmt.Sprintf("%s/?i=%d", base, i))
			r := b.run(t, "components:tabs:switch", object{"text": "Bills"})
			if tt.says != "" {
				wantError(t, r, diag.StepFailed, tt.says)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
