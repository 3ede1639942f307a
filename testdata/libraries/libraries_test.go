package libraries_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// TestPages follows every address that the pages name.
func TestPages(t *testing.T) {
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	h := libraries.Handler(dir)
	for _, p := range libraries.Pages() {
		for _, path := range slices.Concat([]string{"/" + p.Name}, p.Style, p.Scripts) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != http.StatusOK || w.Body.Len() < 500 {
				t.Errorf("%s: GET %s: status %d, %d bytes; want %d and a page or library", p.Name, path, w.Code, w.Body.Len(), http.StatusOK)
			}
		}
	}
}
