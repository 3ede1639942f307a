package serve_test

// Clients that are slow, and frames of WebSockets that lie.

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/testkit"
)

// TestSlowReader checks that a client that does not read its events holds neither the run nor memory.
func TestSlowReader(t *testing.T) {
	s := start(t, waiting, func(o *serveOptions) { o.WriteTime, o.MaxRunBytes = 2*time.Second, 1<<20 })
	slow := s.connect(t)
	if err := slow.SetReadBuffer(1 << 10); err != nil {
		t.Fatal(err)
	}
	body := `{"name":"` + strings.Repeat("x", 300_000) + `"}`
	fmt.Fprintf(slow, "POST /api/v1/actions/test/value/require HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", s.token, len(body), body)
	for range 8 {
		s.do("POST", "/api/v1/actions/test/value/require", body).must(200)
	}
	if a := s.do("GET", "/metrics", "").must(200); metric(t, a.text, "action_http_kept_bytes") > 2<<20 {
		t.Errorf("%v bytes are kept, want about one MiB", metric(t, a.text, "action_http_kept_bytes"))
	}
}

// TestReaderThatDoesNotRead checks that the request of a client that reads no events ends.
func TestReaderThatDoesNotRead(t *testing.T) {
	t.Parallel()
	s := start(t, waiting, func(o *serveOptions) { o.WriteTime = time.Second })
	large := fmt.Sprintf(`{"name":%q}`, strings.Repeat("y", 4<<20)) // twice in the events: more than the system buffers
	run := s.do("POST", "/api/v1/actions/test/value/require", large).must(200).data["id"].(string)
	reader := s.connect(t)
	if err := reader.SetReadBuffer(1 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(reader, "GET /api/v1/runs/%s/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", run, s.token)
	const ended = `action_http_requests_total{method="GET",path="/api/v1/runs/{id}/events",status="200"}`
	testkit.Eventually(t, "the request ends", func() bool {
		return metric(t, s.do("GET", "/metrics", "").must(200).text, ended) == 1
	})
}

// TestDrip checks that a client that sends a byte at a time is dropped after the time for headers or
// for bodies, and that silent clients hold the connections of others no longer than that.
func TestDrip(t *testing.T) {
	t.Parallel()
	const limit = time.Second / 2
	s := start(t, "", func(o *serveOptions) { o.HeaderTime, o.BodyTime, o.IdleTime, o.MaxConns = limit, limit, limit, 8 })
	for range 20 {
		s.connect(t) // sends nothing
	}
	began := time.Now()
	s.do("GET", "/healthz", "").must(http.StatusOK)
	if took := time.Since(began); took > 20*limit {
		t.Errorf("silent clients hold another one for %s", took)
	}
	for name, head := range map[string]string{
		"the request line": "GET /heal",
		"headers":          "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"a body":           "POST /api/v1/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
		"a body that is read": "POST /api/v1/actions/a/b/c HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token +
			"\r\nContent-Length: 1000\r\n\r\n",
		"chunks": "POST /api/v1/actions/a/b/c HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token +
			"\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.connect(t)
			began := time.Now()
			_, err := io.WriteString(c, head)
			for ; err == nil && time.Since(began) < 20*limit; time.Sleep(limit / 20) {
				_, err = c.Write([]byte("x"))
			}
			if err == nil {
				t.Errorf("the connection is open after %s", time.Since(began))
			}
		})
	}
}

// TestFramesThatLie sends frames that break the protocol of WebSockets. Each ends its connection.
func TestFramesThatLie(t *testing.T) {
	t.Parallel()
	s := start(t, "", func(o *serveOptions) { o.WriteTime = time.Second })
	const mask = "\x00\x00\x00\x00"
	for name, frame := range map[string]string{
		"not masked":                "\x81\x02{}",
		"reserved bits":             "\xf1\x82" + mask + "{}",
		"unknown opcode":            "\x83\x82" + mask + "{}",
		"binary":                    "\x82\x82" + mask + "{}",
		"no beginning":              "\x80\x82" + mask + "{}",
		"two beginnings":            "\x01\x82" + mask + "{}\x01\x82" + mask + "{}",
		"negative length":           "\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff" + mask,
		"too long":                  "\x81\xff\x00\x00\x00\x00\x00\xff\xff\xff" + mask + strings.Repeat("x", 9<<20),
		"long ping":                 "\x89\xfe\x00\x80" + mask + strings.Repeat("x", 128),
		"ping in pieces":            "\x09\x81" + mask + "x",
		"close with half a code":    "\x88\x81" + mask + "x",
		"close with a wrong code":   "\x88\x82" + mask + "\x00\x01",
		"close with a reserved one": "\x88\x82" + mask + "\x03\xed",
		"close":                     "\x88\x80" + mask,
		"no frame":                  strings.Repeat("GET / HTTP/1.1\r\n\r\n", 10),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.connect(t)
			fmt.Fprintf(c, "GET /api/v1/socket HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
				"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", s.token)
			answer, err := http.ReadResponse(bufio.NewReaderSize(io.LimitReader(c, 2000), 1), nil)
			if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
				t.Fatalf("got %+v, %v", answer, err)
			}
			_, _ = io.WriteString(c, frame) // the server may close before it has all
			s.rest(t, c)
		})
	}
	t.Run("half a frame", func(t *testing.T) {
		c := s.connect(t)
		fmt.Fprintf(c, "GET /api/v1/socket HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\xfe", s.token)
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		s.rest(t, c)
	})
	s.do("GET", "/healthz", "").must(http.StatusOK)
}
