package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/internal/session"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"))
}

// A server is a server over HTTP with a real daemon, during a test.
type server struct {
	t      testing.TB
	url    string
	tokens *serve.Tokens
	token  string // the default token
	client *http.Client
}

// start starts a server, with definitions of the given text.
func start(t testing.TB, definitions string, changes ...func(*serve.Options)) *server {
	t.Helper()
	dir, err := os.MkdirTemp("", "sv-") // short, as paths of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	environ := []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	if definitions != "" {
		file := filepath.Join(dir, "defs.yaml")
		if err := os.WriteFile(file, []byte(definitions), 0o600); err != nil {
			t.Fatal(err)
		}
		environ = append(environ, "ACTION_PATH="+file)
	}
	d, err := daemon.Listen(daemon.Options{
		Socket: filepath.Join(dir, "socket"), Idle: -1,
		Backend: session.NewManager(session.ManagerOptions{Cwd: dir, Environ: environ}),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- d.Serve(ctx) }()
	s := &server{t: t, client: &http.Client{Transport: &http.Transport{}}}
	if s.tokens, err = serve.OpenTokens(filepath.Join(dir, "serve-token.json")); err != nil {
		t.Fatal(err)
	}
	if s.token, err = s.tokens.Default(); err != nil {
		t.Fatal(err)
	}
	o := serve.Options{
		Connect: func(ctx context.Context) (serve.Conn, error) { return client.Dial(ctx, d.Socket()) },
		Socket:  d.Socket(), Tokens: s.tokens, Version: "1.2.3",
	}
	for _, change := range changes {
		change(&o)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + l.Addr().String()
	serving, end := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- serve.New(o).Serve(serving, l) }()
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		end()
		if err := <-over; err != nil {
			t.Error(err)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

// An answer is the answer to a request.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	text   string
	data   map[string]any // the object in the body; nil if there is none
}

// do sends a request with the default token. body is "" for none; each of headers is "Name: value".
func (s *server) do(method, path, body string, headers ...string) *answer {
	s.t.Helper()
	res := s.send(method, path, body, headers...)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := &answer{t: s.t, status: res.StatusCode, header: res.Header, text: string(text)}
	_ = json.Unmarshal(text, &a.data) // not every answer is an object
	mustBeDescribed(s.t, method, path, a)
	return a
}

func (s *server) send(method, path, body string, headers ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
		if value == "" {
			req.Header.Del(name)
		}
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	return res
}

// must fails the test if the answer has another status.
func (a *answer) must(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("got %d %s, want %d", a.status, a.text, status)
	}
	return a
}

// mustFail fails the test if the answer is not an error with this status and code.
func (a *answer) mustFail(status int, code string) *answer {
	a.t.Helper()
	if a.status != status || a.data["code"] != code || a.header.Get("Content-Type") != "application/problem+json" ||
		a.data["status"] != float64(status) || a.data["detail"] == "" || a.data["suggestion"] == nil {
		a.t.Errorf("got %d %s, want %d %s with a suggestion", a.status, a.text, status, code)
	}
	return a
}

// at returns the value at a path such as data.rows.0.name.
func (a *answer) at(path string) any {
	a.t.Helper()
	var v any = a.data
	for name := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(in) {
				a.t.Fatalf("no %s in %s", path, a.text)
			}
			v = in[i]
		default:
			a.t.Fatalf("no %s in %s", path, a.text)
		}
	}
	return v
}

// A sent is one server-sent event.
type sent struct {
	id, name string
	data     map[string]any
}

// events reads the events of a stream until it ends.
func events(t *testing.T, r io.Reader) (list []sent) {
	t.Helper()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 10<<20)
	var e sent
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case lines.Text() == "":
			if e.name != "" {
				list = append(list, e)
			}
			e = sent{}
		case name == "id":
			e.id = value
		case name == "event":
			e.name = value
		case name == "data":
			if err := json.Unmarshal([]byte(value), &e.data); err != nil {
				t.Fatalf("%s: %v", value, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// page serves a page for the browser.
func page(t *testing.T, html string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

type serveOptions = serve.Options
