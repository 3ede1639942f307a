// Package antd serves one page, built with Ant Design's own browser builds, in
// two versions: antd 4.24 on React 16 at /4, antd 5.29 on React 18 at /5. The
// page's code is the same for both; what differs is the markup of the library.
//
// The page keeps its orders itself: loading it anew starts over.
package antd

import (
	"embed"
	"html/template"
	"net/http"

	"github.com/actionregistry/action/testdata/npm"
)

//go:embed page.html app.js
var files embed.FS

// build names the library files of one version, in the order of loading.
type build struct {
	Style   string
	Scripts []string
}

var builds = map[string]build{
	"4": {Style: "antd4.css", Scripts: []string{"react16.js", "react-dom16.js", "moment.js", "antd4.js"}},
	"5": {Style: "antd5.css", Scripts: []string{"react18.js", "react-dom18.js", "dayjs.js", "antd5.js"}},
}

// Handler serves /4 and /5 with the libraries of a node_modules folder (see
// npm.Dir). ?lang=zh gives Chinese buttons.
func Handler(nodeModules string) http.Handler {
	page := template.Must(template.ParseFS(files, "page.html"))
	mux := http.NewServeMux()
	for name, b := range builds {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_ = page.Execute(w, b) // the reader has gone: nobody to tell
		})
	}
	mux.Handle("GET /app.js", http.FileServerFS(files))
	mux.Handle("GET /npm/", npm.Handler(nodeModules))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}
