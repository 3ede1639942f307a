package serve_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/internal/testkit"
)

// TestGuard checks who is admitted.
func TestGuard(t *testing.T) {
	s := start(t, "", func(o *serveOptions) { o.Hosts, o.Origins = []string{"box.example"}, []string{"https://ui.example"} })
	reader, err := s.tokens.Add("reader", ops.Read)
	if err != nil {
		t.Fatal(err)
	}
	runner, err := s.tokens.Add("runner", ops.Run)
	if err != nil {
		t.Fatal(err)
	}
	port := s.url[strings.LastIndex(s.url, ":")+1:]
	const list, run = "GET /api/v1/actions", "POST /api/v1/actions/none/such/action"
	tests := []struct {
		name, request string
		headers       []string
		status        int // 0: the request reaches its operation
	}{
		{"token", list, nil, 0},
		{"no token", list, []string{"Authorization: "}, 401},
		{"wrong token", list, []string{"Authorization: Bearer act_wrong"}, 401},
		{"other scheme", list, []string{"Authorization: Basic " + s.token}, 401},
		{"token in the query", "GET /api/v1/actions?access_token=" + s.token, []string{"Authorization: "}, 401},
		{"reader reads", list, []string{"Authorization: Bearer " + reader}, 0},
		{"reader runs", run, []string{"Authorization: Bearer " + reader}, 403},
		{"runner runs", run, []string{"Authorization: Bearer " + runner}, 0},
		{"runner reloads", "POST /api/v1/reload", []string{"Authorization: Bearer " + runner}, 403},
		{"localhost", list, []string{"Host: localhost:" + port}, 0},
		{"IPv6", list, []string{"Host: [::1]:" + port}, 0},
		{"named host", list, []string{"Host: box.example"}, 0},
		{"rebound host", list, []string{"Host: evil.example:" + port}, 403},
		{"rebound host without a token", "GET /healthz", []string{"Host: evil.example:" + port, "Authorization: "}, 403},
		{"name like localhost", list, []string{"Host: localhost.evil.example"}, 403},
		{"own origin", list, []string{"Origin: " + s.url}, 0},
		{"other port", list, []string{"Origin: http://127.0.0.1:1"}, 403},
		{"foreign origin", list, []string{"Origin: https://evil.example"}, 403},
		{"null origin", list, []string{"Origin: null"}, 403},
		{"named origin", list, []string{"Origin: https://ui.example"}, 0},
		{"picture of a foreign page", list, []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"}, 403},
		{"link to a path of the API", list, []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}, 403},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			method, path, _ := strings.Cut(test.request, " ")
			a := s.do(method, path, "", test.headers...)
			a.t = t
			switch {
			case test.status != 0:
				a.mustFail(test.status, "SECURITY_ERROR")
			case test.request == run:
				a.mustFail(404, "ACTION_NOT_FOUND")
			default:
				a.must(200)
			}
			if test.status == 401 && a.header.Get("WWW-Authenticate") == "" {
				t.Error("no WWW-Authenticate")
			}
			cors := a.header.Get("Access-Control-Allow-Origin")
			if want := map[bool]string{true: "https://ui.example"}[test.name == "named origin"]; cors != want {
				t.Errorf("Access-Control-Allow-Origin is %q, want %q", cors, want)
			}
		})
	}
	s.do("GET", "/", "", "Authorization: ", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate").must(200)
	if a := s.do("OPTIONS", "/api/v1/actions", "", "Authorization: ", "Origin: https://ui.example", "Access-Control-Request-Method: POST").must(204); !strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("the preflight is answered with %v", a.header)
	}
	s.do("OPTIONS", "/api/v1/actions", "", "Authorization: ", "Origin: https://evil.example", "Access-Control-Request-Method: POST").mustFail(403, "SECURITY_ERROR")

	if err := s.tokens.Revoke("runner"); err != nil {
		t.Fatal(err)
	}
	s.do("GET", "/api/v1/actions", "", "Authorization: Bearer "+runner).mustFail(401, "SECURITY_ERROR")
}

// TestTokens checks the file of tokens.
func TestTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub", "serve-token.json")
	tokens, err := serve.OpenTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file is %v, %v", info, err)
	}
	first, err := tokens.Default()
	if err != nil || !strings.HasPrefix(first, "act_") || len(first) < 40 {
		t.Fatalf("Default = %q, %v", first, err)
	}
	other, err := serve.OpenTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := other.Default(); err != nil || again != first {
		t.Errorf("opened again, Default = %q, %v; want %q", again, err, first)
	}
	text, err := other.Add("ci", ops.Run)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), text) {
		t.Errorf("the file has the text of a token that is printed only once: %v", err)
	}
	if list, err := tokens.List(); err != nil || len(list) != 2 || list[1].Name != "ci" || list[1].Scope != ops.Run || list[1].Hash != "" {
		t.Errorf("List = %v, %v", list, err)
	}
	for _, bad := range []struct {
		name  string
		scope ops.Scope
	}{{"ci", ops.Run}, {"", ops.Run}, {"a b", ops.Run}, {"x", "root"}, {"x", ""}} {
		if _, err := tokens.Add(bad.name, bad.scope); diag.CodeOf(err) != diag.InvalidRequest {
			t.Errorf("Add(%q, %q) = %v", bad.name, bad.scope, err)
		}
	}
	if err := tokens.Revoke("none"); diag.CodeOf(err) != diag.InvalidRequest {
		t.Errorf("Revoke = %v", err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := serve.OpenTokens(file); diag.CodeOf(err) != diag.SecurityError {
		t.Errorf("a file that others can read: %v", err)
	}
}

// TestLimits checks requests that are too large or too slow.
func TestLimits(t *testing.T) {
	s := start(t, waiting, func(o *serveOptions) {
		o.MaxBodyBytes, o.HeaderTime, o.BodyTime, o.IdleTime = 1000, time.Second, time.Second, time.Second
	})
	s.do("POST", "/api/v1/actions/test/time/pass", `{"ms":"`+strings.Repeat("x", 2000)+`"}`).mustFail(413, "INVALID_REQUEST")
	for name, text := range map[string]string{
		"long headers":     "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", 100_000) + "\r\n\r\n",
		"no headers":       "GET /healthz HTTP/1.1\r\n",
		"half a body":      "POST /api/v1/actions/test/time/pass HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token + "\r\nContent-Length: 100\r\n\r\n{",
		"idle":             "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"no HTTP":          "\x16\x03\x01\x02\x00\x01\x00",
		"two lengths":      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"two hosts":        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
		"no host":          "GET /healthz HTTP/1.1\r\n\r\n",
		"absolute address": "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, _ = fmt.Fprint(c, text) // the server may answer before it has all
			if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(c)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection stays open: %v", err)
			}
			if ok := strings.Contains(string(got), "200 OK"); ok != (name == "idle") {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestAccessLog checks that the log names requests and contains no secrets.
func TestAccessLog(t *testing.T) {
	var log testkit.Buffer
	s := start(t, waiting, func(o *serveOptions) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	s.do("POST", "/api/v1/actions/test/value/require?session=hidden1", `{"name":"hidden2"}`).must(200)
	s.do("GET", "/api/v1/actions/hidden3/x/y", "").must(404)
	s.do("GET", "/hidden4", "", "Authorization: Bearer hidden5").must(404)
	text := log.String()
	for _, want := range []string{`"path":"/api/v1/actions/{ns}/{component}/{verb}"`, `"status":200`, `"token":"default"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %s:\n%s", want, text)
		}
	}
	for _, secret := range []string{"hidden", s.token} {
		if strings.Contains(text, secret) {
			t.Errorf("the log contains %s:\n%s", secret, text)
		}
	}
}
