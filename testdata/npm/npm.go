// Package npm serves the browser libraries that the test pages use, from the
// node_modules folder beside this file. "make test" fills that folder; the
// package downloads nothing itself.
package npm

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// Dir returns the node_modules folder, seen from a working directory anywhere
// in this module, which is where go test runs a test. The error says how to
// fill it.
func Dir() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(at)
		if up == at {
			return "", errors.New("no go.mod above the working directory")
		}
		at = up
	}
	dir := filepath.Join(at, "testdata", "npm", "node_modules")
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("the page libraries are not there (%w): run make node_modules", err)
	}
	return dir, nil
}

// libraries are the files that pages load, by the path they ask for.
var libraries = map[string]string{
	"react16.js":     "react16/umd/react.production.min.js",
	"react-dom16.js": "react-dom16/umd/react-dom.production.min.js",
	"react18.js":     "react18/umd/react.production.min.js",
	"react-dom18.js": "react-dom18/umd/react-dom.production.min.js",
	"vue.js":         "vue/dist/vue.global.prod.js",
	"moment.js":      "moment/min/moment.min.js",
	"dayjs.js":       "dayjs/dayjs.min.js",
	"antd4.js":       "antd4/dist/antd.min.js",
	"antd4.css":      "antd4/dist/antd.min.css",
	"antd5.js":       "antd5/dist/antd.min.js",
	"antd5.css":      "antd5/dist/reset.css",
}

// Handler serves the libraries of a node_modules folder under their short
// names ("react18.js"). Other files are not found.
func Handler(nodeModules string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := libraries[filepath.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, filepath.Join(nodeModules, filepath.FromSlash(file)))
	})
}
