package serve_test

import (
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/testdata/shop"
)

const httpFile = "../../docs/http.md"

var update = flag.Bool("update", false, "rewrite the generated parts of "+httpFile)

// TestHTTPPage compares docs/http.md with the paths. -update rewrites its generated parts.
func TestHTTPPage(t *testing.T) {
	page, err := os.ReadFile(httpFile)
	if err != nil {
		t.Fatal(err)
	}
	want, names, err := ops.WritePage(string(page), serve.PagePart)
	if err != nil {
		t.Error(err)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"paths", "statuses", "types"}) {
		t.Errorf("the page has the parts %q", names)
	}
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(httpFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/http.md differs from the paths; run: make docs")
	}
}

// TestExamplesOfThePage runs the examples of the page against the demo shop.
func TestExamplesOfThePage(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatal("curl is missing: install it, the page is tried with it")
	}
	page, err := os.ReadFile(httpFile)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(shop.Handler(shop.Options{}))
	defer srv.Close()
	actions, err := filepath.Abs("../../testdata/shop/actions")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, "", func(o *serveOptions) {
		o.Location = wire.Location{Path: &actions, Env: map[string]string{"BASE_URL": srv.URL, "SHOP_PASSWORD": "lovelace"}}
	})
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 5 {
		t.Fatalf("the page has %d examples", len(blocks))
	}
	for _, block := range blocks {
		script := "set -euo pipefail\ncurl() { command curl -sS --fail-with-body \"$@\"; echo; }\n" + block[1]
		cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "URL="+s.url, "TOKEN="+s.token, "BASE_URL="+srv.URL)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), `"success":false`) {
			t.Errorf("%s\n%v\n%s", block[1], err, out)
		}
	}
}
