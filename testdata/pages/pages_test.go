package pages_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/actionregistry/action/testdata/pages"
)

func TestPages(t *testing.T) {
	srv := httptest.NewServer(pages.Handler())
	defer srv.Close()
	tests := []struct {
		path   string
		status int
		want   string
	}{
		{"/forms.html", http.StatusOK, "<title>Forms"},
		{"/overlay.html", http.StatusOK, "<title>Overlays"},
		{"/react.html", http.StatusOK, "<title>React"},
		{"/vue.html", http.StatusOK, "<title>Vue"},
		{"/hostile.html", http.StatusOK, "<title>Hostile"},
		{"/shadow.html", http.StatusOK, "<title>Shadow roots"},
		{"/late.html?appear=10", http.StatusOK, "<title>Late"},
		{"/many.html?n=3", http.StatusOK, "<title>Many"},
		{"/dialogs.html", http.StatusOK, "<title>Dialogs"},
		{"/nav.html", http.StatusOK, "<title>Navigation"},
		{"/strict.html", http.StatusOK, "<title>Strict"},
		{"/cjk.html", http.StatusOK, "<title>订单 管理"},
		{"/frames.html", http.StatusOK, "<title>Frames"},
		{"/watch.html", http.StatusOK, "<title>Watch"},
		{"/echo?a=%3Cb%3E", http.StatusOK, "<dd>&lt;b&gt;</dd>"},
		{"/slow?ms=1", http.StatusOK, "<title>Echo"},
		{"/redirect?n=3", http.StatusOK, "<dd>redirect</dd>"},
		{"/nothing", http.StatusNoContent, ""},
		{"/download", http.StatusOK, "a report"},
		{"/missing.html", http.StatusNotFound, ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			status, body := get(t, srv.URL+tt.path)
			if status != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("status %d, want %d; the body should have %q:\n%s", status, tt.status, tt.want, body)
			}
		})
	}
}

func TestEchoTellsThePost(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/echo", strings.NewReader(url.Values{"secret": {"x y"}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	pages.Handler().ServeHTTP(w, r)
	for _, want := range []string{`<p id="out">POST</p>`, "<dt>secret</dt><dd>x y</dd>"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %q in\n%s", want, w.Body)
		}
	}
}

func TestBrokenClosesTheConnection(t *testing.T) {
	srv := httptest.NewServer(pages.Handler())
	defer srv.Close()
	if res, err := http.Get(srv.URL + "/broken"); err == nil {
		res.Body.Close()
		t.Errorf("answered %s, want no answer", res.Status)
	}
}

func get(t *testing.T, addr string) (status int, body string) {
	t.Helper()
	res, err := http.Get(addr)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b strings.Builder
	if err := res.Write(&b); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, b.String()
}
