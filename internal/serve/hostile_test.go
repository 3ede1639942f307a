package serve_test

// Requests that are wrong on purpose, and clients that are slow.

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"regexp"
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
		"POST /api/v1/actions/test/value/requir?session=a&timeout=5s&steps=true HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nPrefer: respond-async\r\nAccept: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\ne\r\n{\"name\":\"abc\"}\r\n0\r\n\r\n",
		"PUT /api/v1/browser/session/none/storage HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 28\r\nConnection: close\r\n\r\n{\"cookies\":[],\"origins\":[]}",
		"POST /api/v1/browser/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 54\r\nConnection: close\r\n\r\n{\"viewport\":{\"width\":1,\"height\":1e99},\"timeout\":\"x\"}",
		"POST /api/v1/approvals/none/deny HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 16\r\nConnection: close\r\n\r\n{\"reason\":\"bad\"}",
		"GET /api/v1/socket HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x95\x00\x00\x00\x00{\"id\":1,\"type\":\"no\"}",
	}
	if testkit.Full() {
		good = append(good, s.live()...)
	}
	source := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\r\n", "\x00", "{", "}", "\"", "%00", "%2f", "..", "/", "?", "&", "=", "\xff", "é", "null", "[[[[", strings.Repeat("a", 3000), "Transfer-Encoding: chunked\r\n", "Content-Length: 99999999999\r\n"}
	var all sync.WaitGroup
	work := make(chan string)
	for range 64 {
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

// live opens a session, and returns good requests to it.
func (s *server) live() (good []string) {
	base := "/api/v1/browser/session/" + s.do("POST", "/api/v1/browser/session", "").must(201).data["id"].(string)
	for _, request := range []string{
		"POST /snapshot {\"interactive\":true,\"maxChars\":500}", "POST /delta {}", "POST /action {\"type\":\"getTitle\"}", "GET /tabs", "GET /storage",
		"POST /action {\"type\":\"isVisible\",\"selector\":\"css:h1\",\"timeout\":100}", "POST /steps/eval {\"script\":\"return t\",\"args\":{\"t\":[1,{\"a\":null}]}}",
		"POST /steps/set {\"values\":{\"a\":\"${1 + 1}\"}}", "POST /tabs/0/activate", "GET /requests?limit=2&failed=false", "POST /network {\"do\":\"block\",\"url\":\"**/x\"}",
	} {
		method, rest, _ := strings.Cut(request, " ")
		path, body, _ := strings.Cut(rest, " ")
		good = append(good, fmt.Sprintf("%s %s%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", method, base, path, len(body), body))
	}
	return good
}

// exchange sends a text and reads the answer, if there is one.
func (s *server) exchange(t *testing.T, text string) {
	c, err := s.dial(t)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	_, _ = io.WriteString(c, text)
	_ = c.SetReadDeadline(time.Now().Add(200 * time.Millisecond)) // a request may be incomplete now
	answer, err := io.ReadAll(c)
	if err != nil {
		_ = c.CloseWrite() // not before: it cancels the request
		_ = c.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		rest, _ := io.ReadAll(c)
		answer = append(answer, rest...)
	}
	if err := s.closed(string(answer)); err != nil {
		t.Errorf("%q\nis answered with %s: %v", text, answer, err)
	}
}

// dial returns a plain connection to the server.
func (s *server) dial(t *testing.T) (*net.TCPConn, error) {
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return nil, err
	}
	return c.(*net.TCPConn), nil
}

// connect is dial for the goroutine of a test. The connection ends with the test.
func (s *server) connect(t *testing.T) *net.TCPConn {
	t.Helper()
	c, err := s.dial(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// internal matches what concerns only the server: names of Go types and packages, texts of their
// errors, files, addresses of memory and stacks.
var internal = regexp.MustCompile(`goroutine \d|panic|\.go\b|runtime error|\bjson: |strconv|net/http|i/o timeout|read tcp|unexpected EOF|` +
	`\b(bufio|daemon|diag|executor|http|io|json|ops|os|serve|session|spec|url|websocket|wire)\.[A-Z]|/tmp/|/root/|/home/|0x[0-9a-f]{6}|"status":500`)

// closed returns an error if an answer shows the token or something internal.
func (s *server) closed(answer string) error {
	if found := internal.FindString(answer); found != "" || strings.Contains(answer, s.token) {
		return fmt.Errorf("it shows the token, or %q", found)
	}
	return nil
}

// TestOddRequests checks requests that servers may read in two ways, or that never end: each is
// answered once at most, shows nothing internal, and holds no connection.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	s := start(t, waiting, func(o *serveOptions) {
		o.MaxBodyBytes, o.HeaderTime, o.BodyTime, o.IdleTime = 1000, time.Second, time.Second, time.Second/10
	})
	const dry, next = "POST /api/v1/actions/test/value/require/dry-run HTTP/1.1\n", "GET /healthz HTTP/1.1\nHost: localhost\n\n"
	head := "Host: localhost\nAuthorization: Bearer " + s.token + "\n"
	tests := []struct {
		name, text string // each line ends with \n, which is sent as CR LF
		status     int
	}{
		// A body that nobody reads, or that does not come.
		{"body of an unknown method", "POST /healthz HTTP/1.1\nHost: localhost\nContent-Length: 100\n\n{", 405},
		{"body without a token", "POST /api/v1/reload HTTP/1.1\nHost: localhost\nContent-Length: 100\n\n{", 401},
		{"body to another host", "POST /api/v1/reload HTTP/1.1\nHost: evil.example\nContent-Length: 100\n\n{", 403},
		{"body that is not read", "POST /api/v1/reload HTTP/1.1\n" + head + "Content-Length: 100\n\n{", 200},
		{"chunks that are not read", "POST /api/v1/reload HTTP/1.1\n" + head + "Transfer-Encoding: chunked\n\n5\nab", 200},
		{"half a body", dry + head + "Content-Length: 100\n\n{", 408},
		{"half a chunk", dry + head + "Transfer-Encoding: chunked\n\n5\n{", 408},
		// Lengths that contradict each other.
		{"two lengths", dry + head + "Content-Length: 2\nContent-Length: 20\n\n{}" + next, 400},
		{"list of lengths", dry + head + "Content-Length: 2, 2\n\n{}" + next, 400},
		{"length with a sign", dry + head + "Content-Length: +2\n\n{}" + next, 400},
		{"huge length", dry + head + "Content-Length: 99999999999999999999\n\n{}", 400},
		{"length and chunks", dry + head + "Content-Length: 4\nTransfer-Encoding: chunked\n\ne\n{\"name\":\"abc\"}\n0\n\n" + next, 200},
		{"chunks and another coding", dry + head + "Transfer-Encoding: chunked\nTransfer-Encoding: identity\n\n0\n\n" + next, 501},
		{"unknown coding", dry + head + "Transfer-Encoding: xchunked\n\n0\n\n" + next, 501},
		{"blank before the colon", dry + head + "Transfer-Encoding : chunked\n\n0\n\n" + next, 400},
		{"huge chunk", dry + head + "Transfer-Encoding: chunked\n\nffffffffffffffffff\n{}", 400},
		{"chunk of no size", dry + head + "Transfer-Encoding: chunked\n\nzz\n{}\n0\n\n" + next, 400},
		{"chunk without an end", dry + head + "Transfer-Encoding: chunked\n\n2\n{}0\n\n" + next, 400},
		{"long extension of a chunk", dry + head + "Transfer-Encoding: chunked\n\n2;" + strings.Repeat("x", 100_000) + "\n{}\n0\n\n", 400},
		// Lines and headers.
		{"NUL in a header", "GET /healthz HTTP/1.1\nHost: localhost\nX: a\x00b\n\n", 400},
		{"NUL in the path", "GET /heal\x00thz HTTP/1.1\nHost: localhost\n\n", 400},
		{"CR in a header", "GET /healthz HTTP/1.1\nHost: localhost\nX: a\rHost: b\n\n", 400},
		{"no host", "GET /healthz HTTP/1.1\n\n", 400},
		{"two hosts", "GET /healthz HTTP/1.1\nHost: localhost\nHost: evil.example\n\n", 400},
		{"host with a path", "GET /healthz HTTP/1.1\nHost: localhost/x\n\n", 400},
		{"host with a user", "GET /healthz HTTP/1.1\nHost: x@localhost\n\n", 400},
		{"many headers", "GET /healthz HTTP/1.1\nHost: localhost\n" + strings.Repeat("X: y\n", 20_000) + "\n", 431},
		{"long path", "GET /" + strings.Repeat("a/", 40_000) + " HTTP/1.1\nHost: localhost\n\n", 431},
		{"long query", "GET /api/v1/actions?q=" + strings.Repeat("a", 30_000) + " HTTP/1.1\n" + head + "\n", 200},
		{"old version", "GET /healthz\n\n", 400},
		{"new version", "PRI * HTTP/2.0\n\nSM\n\n", 403},
		{"expectation", "POST /api/v1/reload HTTP/1.1\n" + head + "Expect: 200-maybe\nContent-Length: 3\n\nabc", 417},
		// Methods.
		{"CONNECT to another host", "CONNECT evil.example:80 HTTP/1.1\nHost: evil.example:80\n\n", 403},
		{"CONNECT", "CONNECT localhost:80 HTTP/1.1\nHost: localhost:80\n\n", 404},
		{"TRACE", "TRACE /api/v1/actions HTTP/1.1\n" + head + "\n", 405},
		{"unknown method", "BREW /api/v1/actions HTTP/1.1\n" + head + "\n", 405},
		{"long method", strings.Repeat("A", 5000) + " /api/v1/actions HTTP/1.1\n" + head + "\n", 405},
		{"override of the method", "GET /api/v1/reload HTTP/1.1\n" + head + "X-HTTP-Method-Override: POST\n\n", 405},
		// A WebSocket that lies.
		{"WebSocket without a key", "GET /api/v1/socket HTTP/1.1\n" + head + "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n\n", 400},
		{"WebSocket of another version", "GET /api/v1/socket HTTP/1.1\n" + head + "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 8\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n", 400},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := s.connect(t)
			_, _ = io.WriteString(c, strings.ReplaceAll(test.text, "\n", "\r\n")) // the server may answer before it has all
			got := s.rest(t, c)
			if n := strings.Count(got, "HTTP/1."); n != 1 || !strings.HasPrefix(got, fmt.Sprintf("HTTP/1.1 %d ", test.status)) {
				t.Errorf("got %d answers, want one with %d:\n%s", n, test.status, got)
			}
		})
	}
}

// rest returns what a connection still has. It fails if the server does not end the connection, or
// shows something internal.
func (s *server) rest(t *testing.T, c net.Conn) string {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection stays open after %q", got)
	}
	if err := s.closed(string(got)); err != nil {
		t.Errorf("%v: %s", err, got)
	}
	return string(got)
}

// TestOddPaths checks paths that may mean another one, or none. They are unknown, or name nothing that
// exists, and are never redirected.
func TestOddPaths(t *testing.T) {
	t.Parallel()
	s := start(t, "", func(o *serveOptions) { o.IdleTime = time.Second / 10 })
	paths := []string{
		"/api/v1/actions/", "/api/v1//actions", "//api/v1/actions", "/./api/v1/actions", "/api/v1/./actions", "/api/v1/x/../actions", "/../api/v1/actions",
		"/api/v1/%2e%2e/v1/actions", "/api/v1/x/%2e%2e/actions", "/api/v1/x%2f..%2factions", "/api%2fv1%2factions", "/api/v1%2factions", "/api/v1/actions%2f",
		"/api/v1/actions%00", "/api/v1/actions;x=1", "/api/v1/actions%20", "/api/v1/actions%0d%0aX:1", "/api\\v1\\actions", "/api%5cv1%5cactions", "/API/V1/actions",
		"/api/v1/runs/%00", "/api/v1/runs/..", "/api/v1/runs/%2e%2e", "/api/v1/runs/.", "/api/v1/runs/%ff%fe", "/api/v1/runs/run_%2f..%2fx", "/api/v1/runs/a%20b",
		"/api/v1/actions/a/b/%2e%2e%2f%2e%2e", "/api/v1/actions/..%2f..%2f..%2fetc/x/passwd", "/api/v1/actions/a/b/c/d", "/api/v1/actions/%c0%ae%c0%ae/b/c",
		"/api/v1/actions/a:b/c/d", "/api/v1/actions/\u202ea/b/c", "/api/v1/browser/session/..%2f..%2fdaemon", "/api/v1/browser/session/%00", "/api/v1/browser/session//tabs",
		"/api/v1/browser/session/" + strings.Repeat("x", 20_000), "/.git/config", "/etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/debug/pprof/", "/favicon.ico", "/index.html",
	}
	for _, path := range paths {
		t.Run(fmt.Sprintf("%.60s", path), func(t *testing.T) {
			t.Parallel()
			c := s.connect(t)
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", path, s.token)
			if got := s.rest(t, c); !strings.HasPrefix(got, "HTTP/1.1 404 ") && !strings.HasPrefix(got, "HTTP/1.1 400 ") {
				t.Errorf("got %s", got)
			}
		})
	}
}
