package startup

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
)

func TestEndpointURL(t *testing.T) {
	for in, want := range map[string]string{
		"9222":               "http://127.0.0.1:9222",
		"example.test:9222":  "http://example.test:9222",
		"http://[::1]":       "http://[::1]:80",
		"wss://example.test": "wss://example.test:443",
		"0":                  "http://0:80",
		"ftp://example.test": "",
		"http://":            "",
	} {
		u, err := endpointURL(in)
		switch {
		case want == "" && diag.CodeOf(err) != diag.ParamInvalid:
			t.Errorf("%s: got %v, %v, want %s", in, u, err, diag.ParamInvalid)
		case want != "" && (err != nil || u.String() != want):
			t.Errorf("%s: got %v, %v, want %s", in, u, err, want)
		}
	}
}

func TestFindRunning(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/json/version", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"webSocketDebuggerUrl":"ws://behind.proxy/devtools/browser/1"}`)
	})
	mux.HandleFunc("/json/list", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"id":"b"},{"id":"c"}]`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	ctx, host := context.Background(), strings.TrimPrefix(server.URL, "http://")
	e, err := (&Options{CDP: server.URL}).FindRunning(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if want := "ws://" + host + "/devtools/browser/1"; e.Socket.String() != want || e.shown != host {
		t.Errorf("got %s, shown as %s, want %s", e.Socket, e.shown, want)
	}
	tabs := []proto.TargetTargetID{"a", "c", "b"}
	if e.SortRecent(ctx, tabs); !slices.Equal(tabs, []proto.TargetTargetID{"b", "c", "a"}) {
		t.Errorf("sorted %v", tabs)
	}
	for _, tt := range []struct {
		o    Options
		want diag.Code
	}{
		{Options{CDP: server.URL, Profile: "x"}, diag.InvalidRequest},
		{Options{CDP: server.URL, Proxy: "x"}, diag.InvalidRequest},
		{Options{CDP: "ws://" + host + "/devtools/page/1"}, diag.ParamInvalid},
	} {
		if _, err := tt.o.FindRunning(ctx); diag.CodeOf(err) != tt.want {
			t.Errorf("%+v: got %v, want %s", tt.o, err, tt.want)
		}
	}
	server.Close()
	if _, err := (&Options{CDP: server.URL}).FindRunning(ctx); diag.CodeOf(err) != diag.BrowserUnavailable {
		t.Errorf("without a server: got %v", err)
	}
}
