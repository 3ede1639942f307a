//go:build linux

package main

// Tests of action serve as a process.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// A served is a running action serve.
type served struct {
	*exec.Cmd
	url, token string
	log        *bytes.Buffer
}

// newServed starts a server of a user. Its cleanup does not end it.
func newServed(t *testing.T, u *user, args ...string) *served {
	t.Helper()
	s := &served{Cmd: u.command(append([]string{"serve", "--listen", "127.0.0.1:0", "--json"}, args...)...), log: new(bytes.Buffer)}
	s.Stderr, s.WaitDelay = s.log, patience
	s.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := s.StdoutPipe()
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.ProcessState == nil { // the test has failed
			_ = s.Process.Kill()
			_ = s.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	var said struct {
		URL string `json:"url"`
	}
	if err != nil || json.Unmarshal([]byte(line), &said) != nil || said.URL == "" {
		t.Fatalf("the server printed %q, %v\n%s", line, err, s.log)
	}
	s.url, s.token = said.URL, text(u.done(t, "serve", "token"), "token")
	return s
}

// post sends a request, which must be answered with 2xx, and returns the answer.
func (s *served) post(t *testing.T, path, body string) string {
	t.Helper()
	status, answer := s.send(t, path, body)
	if status/100 != 2 {
		t.Fatalf("POST %s: %d %s", path, status, answer)
	}
	return answer
}

// get reads a path, which must be answered with 200.
func (s *served) get(t *testing.T, path string) string {
	t.Helper()
	status, answer := s.request(t, http.MethodGet, path, "")
	if status != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, status, answer)
	}
	return answer
}

func (s *served) send(t *testing.T, path, body string) (status int, answer string) {
	t.Helper()
	return s.request(t, http.MethodPost, path, body)
}

func (s *served) request(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// end interrupts the server, which must end by itself.
func (s *served) end(t *testing.T) {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("the server ended with %v\n%s", err, s.log)
	}
}

// TestServeSharesTheDaemon checks that the sessions over HTTP are those of the command line, and
// outlive the server.
func TestServeSharesTheDaemon(t *testing.T) {
	t.Parallel()
	u, site := shopUser(t)
	s := newServed(t, u, "--allow-private")
	if got := s.post(t, "/api/v1/actions/web/page/read?session=mine", `{"url":"`+site+`/login"}`); !strings.Contains(got, `"success":true`) {
		t.Errorf("got %s", got)
	}
	wantText(t, u.done(t, "get", "url", "--session", "mine"), "data.url", "/login")
	// The definitions read variables of the server's environment.
	if got := s.post(t, "/api/v1/actions/shop/session/login?session=mine", `{"password":"`+password+`"}`); !strings.Contains(got, `"success":true`) {
		t.Errorf("got %s", got)
	}
	s.end(t)
	u.wantState(t, "mine", "idle")
	if log := s.log.String(); !strings.Contains(log, "status=200") || strings.Contains(log, s.token) || strings.Contains(log, site) {
		t.Errorf("the log is\n%s", log)
	}
	u.done(t, "daemon", "stop")
}

// TestServeAlone checks that a server without the daemon leaves nothing behind.
func TestServeAlone(t *testing.T) {
	t.Parallel()
	u, site := shopUser(t)
	s := newServed(t, u, "--no-daemon", "--allow-private", "--access-log", "off")
	s.post(t, "/api/v1/actions/web/page/read", `{"url":"`+site+`/login"}`)
	below := descendants(t, s.Process.Pid)
	s.end(t)
	allGone(t, below)
	u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "daemon", "status")
}

// TestServeReachesNoPrivateAddress checks that clients of the server cannot use it to reach this
// machine, unless its user allows that.
func TestServeReachesNoPrivateAddress(t *testing.T) {
	t.Parallel()
	u, site := shopUser(t)
	s := newServed(t, u, "--no-daemon", "--access-log", "off")
	defer s.end(t)
	status, answer := s.send(t, "/api/v1/actions/web/page/read", `{"url":"`+site+`/login"}`)
	if status != http.StatusForbidden || !strings.Contains(answer, "POLICY_DENIED") {
		t.Errorf("got %d %s", status, answer)
	}
}

// TestServePassesItsEnvironment checks that actions read the variables of the server, also if the
// daemon was started before without them, and so do those of an agent with --daemon.
func TestServePassesItsEnvironment(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	file := filepath.Join(u.home, "words.yaml")
	testkit.Write(t, file, "namespace: words\nversion: 1.0.0\nenv: [{name: WORD, secret: false}]\nactions:\n"+
		"  word:read:\n    steps: [{set: {values: {word: \"${env.WORD}\"}}}]\n    returns: {word: \"${env.WORD}\"}\n")
	u.done(t, "open", "about:blank")
	u.environ = append(u.environ, "ACTION_PATH="+file, "WORD=hello")
	s := newServed(t, u, "--access-log", "off")
	wantParts(t, s.post(t, "/api/v1/actions/words/word/read", "{}"), `"data":{"word":"hello"}`)
	s.end(t)
	text, _ := connect(t, u, nil, "--daemon").done(t, "run", object{"action": "words:word:read"})
	wantParts(t, text, "hello")
}
