package antd_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/actionregistry/action/testdata/antd"
	"github.com/actionregistry/action/testdata/npm"
)

// TestPages follows every address that the two pages name.
func TestPages(t *testing.T) {
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	h := antd.Handler(dir)
	get := func(path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			t.Errorf("GET %s: status %d, want %d", path, w.Code, http.StatusOK)
		}
		return w.Body.String()
	}
	for _, version := range []string{"4", "5"} {
		page := get("/" + version)
		loaded := 0
		for _, part := range strings.Split(page, `"`) {
			if strings.HasPrefix(part, "/") {
				get(part)
				loaded++
			}
		}
		if want := 6; loaded != want {
			t.Errorf("/%s loads %d files, want %d", version, loaded, want)
		}
	}
}
