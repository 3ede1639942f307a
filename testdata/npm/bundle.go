package npm

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// bundles are libraries that publish modules only, by the path that pages ask for. Each script
// defines React, ReactDOM and DatePicker.
var bundles = map[string]string{
	"react-datepicker4-bundle.js": "react-datepicker4",
	"react-datepicker6-bundle.js": "react-datepicker6",
	"react-datepicker8-bundle.js": "react-datepicker8",
}

// bundler makes each bundle once. Its zero value is ready, and several goroutines may use it.
type bundler struct {
	mu   sync.Mutex
	made map[string][]byte
}

// serve answers with the bundle of a library, or with what esbuild reports.
func (b *bundler) serve(w http.ResponseWriter, nodeModules, library string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.made[library] == nil {
		script, err := bundle(nodeModules, library)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if b.made == nil {
			b.made = map[string][]byte{}
		}
		b.made[library] = script
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(b.made[library]) // a reader that has gone needs no answer
}

// bundle returns a script of the library and of React 18, on which it is built.
func bundle(nodeModules, library string) ([]byte, error) {
	dir := filepath.Dir(nodeModules)
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: dir,
		Stdin: &api.StdinOptions{
			Contents:   fmt.Sprintf("import React from 'react18'; import ReactDOM from 'react-dom18'; import DatePicker from %q; Object.assign(window, {React, ReactDOM, DatePicker});", library),
			ResolveDir: dir,
		},
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, MinifyWhitespace: true,
		Alias:  map[string]string{"react": "react18", "react-dom": "react-dom18"},
		Define: map[string]string{"process.env.NODE_ENV": `"production"`},
	})
	if len(res.Errors) > 0 {
		return nil, fmt.Errorf("bundle of %s: %s", library, res.Errors[0].Text)
	}
	return res.OutputFiles[0].Contents, nil
}
