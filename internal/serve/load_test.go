package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/internal/testkit"
)

// TestManyRequests sends 1,000 requests at a time over 24 sessions. Each must get its own answer.
func TestManyRequests(t *testing.T) {
	requests, sessions := 1000, 24
	if !testkit.Full() {
		requests, sessions = 200, 4
	}
	s := start(t, waiting)
	s.client.Transport.(*http.Transport).MaxIdleConnsPerHost = 100
	var starting sync.WaitGroup
	for i := range sessions { // start the browsers
		starting.Go(func() {
			if a := s.do("POST", fmt.Sprintf("/api/v1/actions/test/value/require?session=s%d", i), `{"name":"x"}`); a.status != 200 {
				t.Errorf("session %d: %d %s", i, a.status, a.text)
			}
		})
	}
	starting.Wait()
	s.client.CloseIdleConnections()
	files, goroutines := openFiles(t), runtime.NumGoroutine()
	took := make([]time.Duration, requests)
	var all sync.WaitGroup
	for i := range requests {
		all.Go(func() {
			began := time.Now()
			for { // a full queue says when to try again
				body := fmt.Sprintf(`{"name":"n%d"}`, i)
				req, err := http.NewRequestWithContext(t.Context(), "POST", fmt.Sprintf("%s/api/v1/actions/test/value/require?session=s%d", s.url, i%sessions), strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Authorization", "Bearer "+s.token)
				res, err := s.client.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(res.Body)
				res.Body.Close()
				if res.StatusCode == 429 {
					time.Sleep(time.Duration(50+rand.IntN(100)) * time.Millisecond)
					continue
				}
				if err != nil || res.StatusCode != 200 || !strings.Contains(string(text), fmt.Sprintf(`"data":{"name":"n%d"}`, i)) {
					t.Errorf("request %d: %d %s, %v", i, res.StatusCode, text, err)
				}
				took[i] = time.Since(began)
				return
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	t.Logf("p50 %s, p99 %s", took[requests/2], took[requests*99/100])
	s.client.CloseIdleConnections()
	// The connections to the daemon stay open: both ends are in this process.
	const kept = 2 * 30
	testkit.Eventually(t, "the requests leave nothing", func() bool {
		return openFiles(t)-files <= kept && runtime.NumGoroutine()-goroutines <= 3*kept
	})
}

// openFiles returns the number of file descriptors of this process; 0 where /proc is missing.
func openFiles(t *testing.T) int {
	t.Helper()
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

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

func metric(t *testing.T, text, name string) (value float64) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			if err := json.Unmarshal([]byte(rest), &value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return value
}

// TestNoDaemon checks the answers without a daemon.
func TestNoDaemon(t *testing.T) {
	s := start(t, "", func(o *serveOptions) {
		connect, first := o.Connect, true
		o.Connect = func(ctx context.Context) (serve.Conn, error) {
			if first {
				first = false
				o.Socket = "/none"
				return nil, fmt.Errorf("no such file /secret/path")
			}
			return connect(ctx)
		}
	})
	if a := s.do("GET", "/api/v1/actions", "").mustFail(500, "INTERNAL"); strings.Contains(a.text, "secret") {
		t.Errorf("the answer shows internals: %s", a.text)
	}
	s.do("GET", "/api/v1/actions", "").must(200)
}
