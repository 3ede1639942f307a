// Package pages serves small pages, each with one behaviour that a browser
// test needs: html/NAME.html at /NAME.html. A page tells what happened to it
// in the element with the id "out" and, where order matters, in window.log.
//
// Besides the files there are
//
//	/echo            a page with the fields that a form sent, and the method
//	/slow?ms=N       a page that takes N milliseconds
//	/redirect?n=N    N redirects, then /echo
//	/nothing         204, so that a link to it stays on the page
//	/download        a file to save
//	/broken          a connection that closes without an answer
//	/npm/            the libraries of package npm
//
// It keeps no state.
package pages

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"time"

	"github.com/actionregistry/action/testdata/npm"
)

//go:embed html
var files embed.FS

const maxSlow = time.Minute

// Handler serves the pages. react.html and vue.html need the node_modules
// folder (see npm.Dir); without it their libraries are answered with an error
// that says so.
func Handler() http.Handler {
	html, err := fs.Sub(files, "html")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(html))
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/slow", slow)
	mux.HandleFunc("/redirect", redirect)
	mux.HandleFunc("GET /nothing", noContent)
	mux.HandleFunc("GET /favicon.ico", noContent)
	mux.HandleFunc("GET /download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
		fmt.Fprintln(w, "a report")
	})
	mux.HandleFunc("/broken", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /npm/", library)
	return mux
}

var echoPage = template.Must(template.New("echo").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Echo</title></head>
<body><h1>Echo</h1><p id="out">{{.Method}}</p>
<dl>{{range $name, $values := .Form}}{{range $values}}<dt>{{$name}}</dt><dd>{{.}}</dd>{{end}}{{end}}</dl>
<a href="/nav.html">Back</a></body></html>
`))

func echo(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = echoPage.Execute(w, r) // the reader has gone: nobody to tell
}

func slow(w http.ResponseWriter, r *http.Request) {
	ms, _ := strconv.Atoi(r.FormValue("ms")) // none is no delay
	t := time.NewTimer(min(time.Duration(ms)*time.Millisecond, maxSlow))
	defer t.Stop()
	select {
	case <-t.C:
		echo(w, r)
	case <-r.Context().Done():
	}
}

func redirect(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(cmp.Or(r.FormValue("n"), "1"))
	if n <= 0 {
		http.Redirect(w, r, "/echo?from=redirect", http.StatusFound)
		return
	}
	http.Redirect(w, r, "/redirect?n="+strconv.Itoa(n-1), http.StatusFound)
}

func noContent(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

func library(w http.ResponseWriter, r *http.Request) {
	dir, err := npm.Dir()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	npm.Handler(dir).ServeHTTP(w, r)
}
