package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// BenchmarkRun compares a run over HTTP with the same run over the daemon's socket.
func BenchmarkRun(b *testing.B) {
	var socket string
	s := start(b, waiting, func(o *serveOptions) { socket = o.Socket })
	run := func(b *testing.B) {
		req, err := http.NewRequestWithContext(b.Context(), "POST", s.url+"/api/v1/actions/test/value/require", strings.NewReader(`{"name":"x"}`))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.token)
		res, err := s.client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		defer res.Body.Close()
		if text, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 {
			b.Fatalf("%d %s, %v", res.StatusCode, text, err)
		}
	}
	run(b) // starts the browser
	b.Run("http", func(b *testing.B) {
		for b.Loop() {
			run(b)
		}
	})
	b.Run("socket", func(b *testing.B) {
		c, err := client.Dial(b.Context(), socket)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		m := &wire.RunRequest{ActionCall: wire.ActionCall{Action: "test:value:require", Params: map[string]any{"name": "x"}}}
		for b.Loop() {
			if _, err := c.Call(b.Context(), m); err != nil {
				b.Fatal(err)
			}
		}
	})
}
