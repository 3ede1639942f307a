package npm

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
)

func TestLibraries(t *testing.T) {
	dir, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	h := Handler(dir)
	names := slices.Concat(slices.Collect(maps.Keys(libraries)), slices.Collect(maps.Keys(bundles)))
	for _, name := range names {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/npm/"+name, nil))
		if w.Code != http.StatusOK || w.Body.Len() < 1000 {
			t.Errorf("%s: status %d, %d bytes; want %d and the library", name, w.Code, w.Body.Len(), http.StatusOK)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/npm/package.json", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("a file that is no library: status %d, want %d", w.Code, http.StatusNotFound)
	}
}

// TestLockNamesNoRegistry keeps the lock file free of the registry of whoever
// wrote it last: .npmrc leaves the addresses out.
func TestLockNamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Error("package-lock.json names where packages were fetched from: run npm install in testdata/npm, with its .npmrc")
	}
}
