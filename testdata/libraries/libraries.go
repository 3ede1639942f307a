// Package libraries serves one realistic application built with each component
// library that the builtin definitions know, and with each of its versions: a
// customer form, an order table, dialogs, a drawer, menus, tabs and a tree. The
// application of a library is written once; small adapters in it make up for
// what its versions call differently.
//
// The application shows what it holds, and what was pressed, as JSON in the
// element with the id "state": a test reads there what an action has really
// done. Loading a page anew starts over.
package libraries

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"

	"github.com/actionregistry/action/testdata/npm"
)

//go:embed page.html antd element
var files embed.FS

// A Page is the application with one version of one library, served at /NAME.
type Page struct {
	Name    string // "antd4"
	Library string // the namespace of its actions: "antd"
	Version string // as the library tells it, or the beginning of it
	Style   []string
	Scripts []string // the library, then the application
}

// Pages returns every page, by library and version.
func Pages() []Page { return slices.Clone(pages) }

var pages = []Page{
	{Name: "antd3", Library: "antd", Version: "3.26.20", Style: []string{"/npm/antd3.css"},
		Scripts: []string{"/npm/react16.js", "/npm/react-dom16.js", "/npm/moment.js", "/npm/moment-zh.js", "/npm/antd3.js", "/antd/app.js"}},
	{Name: "antd4", Library: "antd", Version: "4.24.16", Style: []string{"/npm/antd4.css"},
		Scripts: []string{"/npm/react16.js", "/npm/react-dom16.js", "/npm/moment.js", "/npm/moment-zh.js", "/npm/antd4-locales.js", "/antd/app.js"}},
	{Name: "antd5", Library: "antd", Version: "5.29.3", Style: []string{"/npm/antd5.css"},
		Scripts: []string{"/npm/react18.js", "/npm/react-dom18.js", "/npm/dayjs.js", "/npm/dayjs-zh.js", "/npm/antd5-locales.js", "/antd/app.js"}},
	{Name: "antd6", Library: "antd", Version: "6.6.8", Style: []string{"/npm/antd6.css"},
		Scripts: []string{"/npm/react18.js", "/npm/react-dom18.js", "/npm/dayjs.js", "/npm/dayjs-zh.js", "/npm/antd6.js", "/antd/app.js"}},
	{Name: "element2", Library: "element", Version: "2.15.14", Style: []string{"/npm/element-ui.css"},
		Scripts: []string{"/npm/vue2.js", "/npm/element-ui.js", "/npm/element-ui-en.js", "/npm/element-ui-zh.js", "/element/app.js"}},
	{Name: "elementplus", Library: "element", Version: "2.14.8", Style: []string{"/npm/element-plus.css"},
		Scripts: []string{"/npm/vue.js", "/npm/element-plus.js", "/npm/element-plus-en.js", "/npm/element-plus-zh.js", "/element/app.js"}},
}

// bundle keeps the library of an application to itself.
const bundle = `{ const antd = window.antd, ElementPlus = window.ElementPlus, ELEMENT = window.ELEMENT;
%s
for (const name of ["antd", "ElementPlus", "ELEMENT"]) delete window[name]; }
`

// Handler serves the pages with the libraries of a node_modules folder (see
// npm.Dir). A page takes in its address:
//
//	locale=zh     Chinese texts; else English
//	prefix=x      another prefix of the library's CSS classes
//	late=N        options of remote lists that come after N milliseconds
//	judge=N       the segment of a customer is judged after N milliseconds
//	bar           a card whose fields have no labels
//	bundled       no global of the library, as in an application that bundles it
func Handler(nodeModules string) http.Handler {
	page := template.Must(template.ParseFS(files, "page.html"))
	mux := http.NewServeMux()
	for _, p := range pages {
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			p := p
			if r.URL.Query().Has("bundled") {
				p.Scripts = slices.Clone(p.Scripts)
				p.Scripts[len(p.Scripts)-1] += "?bundled"
			}
			_ = page.Execute(w, p) // the reader has gone: nobody to tell
		})
	}
	for _, name := range []string{"antd/app.js", "element/app.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			script, _ := files.ReadFile(name) // it is embedded
			if r.URL.Query().Has("bundled") {
				script = fmt.Appendf(nil, bundle, script)
			}
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			_, _ = w.Write(script)
		})
	}
	mux.Handle("GET /npm/", npm.Handler(nodeModules))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}
