package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

func TestProxy(t *testing.T) {
	t.Parallel()
	proxy := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
		if !ok || user != "ann" || password != "p@w" {
			w.Header().Set("Proxy-Authenticate", `Basic realm="proxy"`)
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>by proxy %s</title>", r.URL.Host)
	}))
	host := strings.TrimPrefix(proxy, "http://")
	ctx := testContext(t)
	open := func(proxy string) (driver.Navigation, error) {
		b, _ := launch(t, startup.Options{Proxy: proxy})
		p, err := openPage(ctx, b)
		if err != nil {
			return driver.Navigation{}, err
		}
		return p.Open(ctx, "http://shop.example/", driver.Load)
	}
	nav, err := open("http://ann:p%40w@" + host)
	if err != nil || nav.Title != "by proxy shop.example" {
		t.Errorf("with its user: %+v, %v", nav, err)
	}
	if nav, err := open(host); err == nil && nav.Status != http.StatusProxyAuthRequired {
		t.Errorf("without a user: %+v", nav)
	}
	_, err = open("127.0.0.1:1")
	wantCode(t, err, diag.NavigationFailed, "proxy")
}
