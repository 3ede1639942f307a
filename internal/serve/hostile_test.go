package serve_test

// Requests that are wrong on purpose, and clients that are slow.

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/testkit"
)

// TestMutations sends good requests with random changes. The server must answer all of them, without a
// fault, and without what only concerns itself.
func TestMutations(t *testing.T) {
	rounds := 10_000
	if !testkit.Full() {
		rounds = 1500
	}
	s := start(t, waiting)
	good := []string{
		"GET /api/v1/actions?q=read&limit=2 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n",
		"GET /api/v1/actions/web/page/read HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n",
		"POST /api/v1/actions/test/value/require/dry-run HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{\"name\":\"abc\"}",
		"POST /api/v1/browser/session/none/action HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 32\r\nConnection: close\r\n\r\n{\"type\":\"click\",\"selector\":\"#x\"}",
		"GET /api/v1/runs/run_x/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nLast-Event-ID: 3\r\nConnection: close\r\n\r\n",
	}
	source := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\r\n", "\x00", "{", "}", "\"", "%00", "%2f", "..", "/", "?", "&", "=", "\xff", "é", "null", "[[[[", strings.Repeat("a", 3000), "Transfer-Encoding: chunked\r\n", "Content-Length: 99999999999\r\n"}
	var all sync.WaitGroup
	work := make(chan string)
	for range 16 {
		all.Go(func() {
			for text := range work {
				s.exchange(t, text)
			}
		})
	}
	for i := range rounds {
		text := []byte(strings.ReplaceAll(good[i%len(good)], "TOKEN", s.token))
		for range 1 + source.IntN(3) {
			at := source.IntN(len(text))
			switch source.IntN(4) {
			case 0:
				text[at] = byte(source.IntN(256))
			case 1:
				text = slices.Insert(text, at, []byte(pieces[source.IntN(len(pieces))])...)
			case 2:
				text = slices.Delete(text, at, min(len(text), at+1+source.IntN(8)))
			default:
				text = append(text[:at:at], text[max(0, at-source.IntN(20)):]...)
			}
		}
		work <- string(text)
	}
	close(work)
	all.Wait()
	s.do("GET", "/healthz", "").must(200)
}

// exchange sends a text and reads the answer, if there is one.
func (s *server) exchange(t *testing.T, text string) {
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(300 * time.Millisecond)) // a request may be incomplete now
	_, _ = io.WriteString(c, text)
	if half, ok := c.(*net.TCPConn); ok {
		_ = half.CloseWrite()
	}
	answer, _ := io.ReadAll(c)
	for _, internal := range []string{"goroutine ", "panic", ".go:", "runtime error", s.token, `"status":500`} {
		if strings.Contains(string(answer), internal) {
			t.Errorf("%q\nis answered with %s", text, answer)
		}
	}
}

// TestSlowReader checks that a client that does not read its events holds neither the run nor memory.
func TestSlowReader(t *testing.T) {
	s := start(t, waiting, func(o *serveOptions) { o.WriteTime, o.MaxRunBytes = 2*time.Second, 1<<20 })
	slow, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := slow.(*net.TCPConn).SetReadBuffer(1 << 10); err != nil {
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
