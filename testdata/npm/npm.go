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
	"strings"
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
	"react-datepicker4.css": "react-datepicker4/dist/react-datepicker.min.css",
	"react-datepicker6.css": "react-datepicker6/dist/react-datepicker.min.css",
	"react-datepicker8.css": "react-datepicker8/dist/react-datepicker.min.css",

	"react16.js":     "react16/umd/react.production.min.js",
	"react-dom16.js": "react-dom16/umd/react-dom.production.min.js",
	"react18.js":     "react18/umd/react.production.min.js",
	"react-dom18.js": "react-dom18/umd/react-dom.production.min.js",
	"vue.js":         "vue/dist/vue.global.prod.js",
	"vue2.js":        "vue2/dist/vue.min.js",
	"moment.js":      "moment/min/moment.min.js",
	"moment-zh.js":   "moment/locale/zh-cn.js",
	"dayjs.js":       "dayjs/dayjs.min.js",
	"dayjs-zh.js":    "dayjs/locale/zh-cn.js",

	"antd3.js":         "antd3/dist/antd-with-locales.min.js",
	"antd3.css":        "antd3/dist/antd.min.css",
	"antd4.js":         "antd4/dist/antd.min.js",
	"antd4-locales.js": "antd4/dist/antd-with-locales.min.js",
	"antd4.css":        "antd4/dist/antd.min.css",
	"antd5.js":         "antd5/dist/antd.min.js",
	"antd5-locales.js": "antd5/dist/antd-with-locales.min.js",
	"antd5.css":        "antd5/dist/reset.css",
	"antd6.js":         "antd6/dist/antd-with-locales.min.js",
	"antd6.css":        "antd6/dist/reset.css",

	"material.js": "@mui/material/umd/material-ui.production.min.js",

	"element-ui.js":      "element-ui/lib/index.js",
	"element-ui.css":     "element-ui/lib/theme-chalk/index.css",
	"element-ui-en.js":   "element-ui/lib/umd/locale/en.js",
	"element-ui-zh.js":   "element-ui/lib/umd/locale/zh-CN.js",
	"element-plus.js":    "element-plus/dist/index.full.min.js",
	"element-plus.css":   "element-plus/dist/index.css",
	"element-plus-en.js": "element-plus/dist/locale/en.min.js",
	"element-plus-zh.js": "element-plus/dist/locale/zh-cn.min.js",

	"arco.js":          "@arco-design/web-react/dist/arco.min.js",
	"arco.css":         "@arco-design/web-react/dist/css/arco.min.css",
	"bootstrap.js":     "bootstrap/dist/js/bootstrap.bundle.min.js",
	"bootstrap.css":    "bootstrap/dist/css/bootstrap.min.css",
	"flatpickr.js":     "flatpickr/dist/flatpickr.min.js",
	"flatpickr-de.js":  "flatpickr/dist/l10n/de.js",
	"flatpickr-zh.js":  "flatpickr/dist/l10n/zh.js",
	"flatpickr.css":    "flatpickr/dist/flatpickr.min.css",
	"fomantic.js":      "fomantic-ui-css/semantic.min.js",
	"fomantic.css":     "fomantic-ui-css/semantic.min.css",
	"materialize.js":   "materialize-css/dist/js/materialize.min.js",
	"materialize.css":  "materialize-css/dist/css/materialize.min.css",
	"jstree.js":        "jstree/dist/jstree.min.js",
	"jstree.css":       "jstree/dist/themes/default/style.min.css",
	"jquery3.js":       "jquery3/dist/jquery.min.js",
	"tom-select.js":    "tom-select/dist/js/tom-select.complete.min.js",
	"tom-select.css":   "tom-select/dist/css/tom-select.css",
	"selectize.js":     "@selectize/selectize/dist/js/selectize.min.js",
	"selectize.css":    "@selectize/selectize/dist/css/selectize.default.css",
	"naive.js":         "naive-ui/dist/index.prod.js",
	"pikaday.js":       "pikaday/pikaday.js",
	"pikaday.css":      "pikaday/css/pikaday.css",
	"primevue.js":      "primevue/umd/primevue.min.js",
	"primevue-aura.js": "@primevue/themes/umd/aura.min.js",
	"quasar.js":        "quasar/dist/quasar.umd.prod.js",
	"quasar.css":       "quasar/dist/quasar.prod.css",
	"vuetify.js":       "vuetify/dist/vuetify.min.js",
	"vuetify.css":      "vuetify/dist/vuetify.min.css",

	"ag-grid.js":               "ag-grid-community/dist/ag-grid-community.min.js",
	"air-datepicker.js":        "air-datepicker/air-datepicker.js",
	"air-datepicker.css":       "air-datepicker/air-datepicker.css",
	"bootstrap-datepicker.js":  "bootstrap-datepicker/dist/js/bootstrap-datepicker.min.js",
	"bootstrap-datepicker.css": "bootstrap-datepicker/dist/css/bootstrap-datepicker.standalone.min.css",
	"choices.js":               "choices.js/public/assets/scripts/choices.min.js",
	"choices.css":              "choices.js/public/assets/styles/choices.min.css",
	"chosen.js":                "chosen-js/chosen.jquery.min.js",
	"chosen.css":               "chosen-js/chosen.min.css",
	"slim-select.js":           "slim-select/dist/slimselect.min.js",
	"slim-select.css":          "slim-select/dist/slimselect.css",
	"multiple-select.js":       "multiple-select/dist/multiple-select.min.js",
	"multiple-select.css":      "multiple-select/dist/multiple-select.min.css",
	"nice-select.js":           "jquery-nice-select/js/jquery.nice-select.min.js",
	"nice-select.css":          "jquery-nice-select/css/nice-select.css",
	"jquery-ui.js":             "jquery-ui-dist/jquery-ui.min.js",
	"jquery-ui.css":            "jquery-ui-dist/jquery-ui.min.css",
	"select2.js":               "select2/dist/js/select2.min.js",
	"select2.css":              "select2/dist/css/select2.min.css",
	"tagify.js":                "@yaireo/tagify/dist/tagify.js",
	"tagify.css":               "@yaireo/tagify/dist/tagify.css",
	"vanillajs-datepicker.js":  "vanillajs-datepicker/dist/js/datepicker.min.js",
	"vanillajs-datepicker.css": "vanillajs-datepicker/dist/css/datepicker.min.css",
	"vue-datepicker.js":        "@vuepic/vue-datepicker/dist/vue-datepicker.iife.js",
	"vue-datepicker.css":       "@vuepic/vue-datepicker/dist/main.css",
	"turbo.js":                 "@hotwired/turbo/dist/turbo.es2017-umd.js",
}

// folders are libraries of modules that load one another, by the folder that pages ask for.
var folders = map[string]string{
	"/npm/shoelace/": "@shoelace-style/shoelace/cdn",
}

// Handler serves the libraries of a node_modules folder under their short
// names ("react18.js"), folders of modules, and bundles, which it makes when they are first
// requested. Other files are not found.
func Handler(nodeModules string) http.Handler {
	made := new(bundler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for prefix, folder := range folders {
			if strings.HasPrefix(r.URL.Path, prefix) {
				dir := http.Dir(filepath.Join(nodeModules, filepath.FromSlash(folder)))
				http.StripPrefix(prefix, http.FileServer(dir)).ServeHTTP(w, r)
				return
			}
		}
		if library, ok := bundles[filepath.Base(r.URL.Path)]; ok {
			made.serve(w, nodeModules, library)
			return
		}
		file, ok := libraries[filepath.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, filepath.Join(nodeModules, filepath.FromSlash(file)))
	})
}
