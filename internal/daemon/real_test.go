package daemon_test

// Tests of the server with real sessions and real browsers.

import (
	"fmt"
	"html"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// realBackend returns the backend that the program uses, without the definitions of this machine.
func realBackend(tb testing.TB, changes ...func(*session.ManagerOptions)) daemon.Backend {
	tb.Helper()
	home := tb.TempDir()
	o := session.ManagerOptions{
		Cwd: home, Environ: append(os.Environ(), "HOME="+home, "ACTION_PATH="), Warn: func(message string) { tb.Log(message) },
	}
	for _, change := range changes {
		change(&o)
	}
	return session.NewManager(o)
}

// tokenAction defines an action that returns the token in the address of its page, and the token
// that it has typed into the page.
const tokenAction = `namespace: load
version: 1.0.0
actions:
  token:read:
    params:
      url: {type: string, required: true}
      token: {type: string, required: true}
    steps:
      - {action: open, args: {url: "${url}"}}
      - {action: fill, args: {selector: "css:#field", value: "${token}"}}
      - {action: get, args: {selector: "css:#field", what: value}, output: field}
      - {action: get, args: {selector: "css:#token", what: text}, output: page}
    returns: {field: "${steps.field.value}", page: "${steps.page.text}"}
`

func definition(tb testing.TB, text string) string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "defs.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return file
}

// tokenPages serves a page for each token.
func tokenPages(tb testing.TB) string {
	tb.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := html.EscapeString(strings.TrimPrefix(r.URL.Path, "/"))
		fmt.Fprintf(w, `<!DOCTYPE html><title>%s</title><p id="token">%[1]s</p><input id="field">`, token)
	}))
	tb.Cleanup(srv.Close)
	return srv.URL + "/"
}

func TestSteps(t *testing.T) {
	url := tokenPages(t)
	s := serve(t, daemon.Options{Backend: realBackend(t)})
	tests := []struct{ name, send, want string }{
		{"open", `"step":"open","args":{"url":"` + url + `abc"}`, `"title":"abc","url":"` + url + `abc"}`},
		{"get", `"step":"get","args":{"what":"url"}`, `"data":{"url":"` + url + `abc"}`},
		{"no arguments", `"step":"reload"`, `"success":true`},
		{"time", `"step":"wait","args":{"time":1}`, `"success":true`},
		{"alias", `"step":"wait_text","args":{"text":"abc"}`, `"success":true`},
		{"from text", `"step":"wait","args":{"time":"1ms"},"from_text":true`, `"success":true`},
		{"unknown step", `"step":"clik","args":{"selector":"css:p"}`, `"suggestion":"did you mean click?"`},
		{"unknown step has a code", `"step":"clik"`, `"error":{"code":"INVALID_REQUEST","message":"unknown step`},
		{"missing argument", `"step":"click"`, `"error":{"code":"PARAM_REQUIRED"`},
		{"unknown argument", `"step":"click","args":{"selectr":"css:p"}`, `"error":{"code":"`},
		{"wrong argument", `"step":"wait","args":{"time":"soon"}`, `"error":{"code":"PARAM_INVALID"`},
		{"NUL in an argument", `"step":"fill","args":{"selector":"css:#field","value":"a\u0000b"}`, `"id":1,`},
		{"not there", `"step":"get","args":{"what":"text","selector":"css:.none"},"timeout":"50ms"`, `"error":{"code":"ELEMENT_NOT_FOUND"`},
		{"bad name of a session", `"step":"get","args":{"what":"url"},"session":"a/b"`, `"error":{"code":"INVALID_REQUEST"`},
	}
	p := s.dial(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := p.ask(`{"id":1,"type":"step",` + test.send + `}`)
			if !strings.Contains(text(m), test.want) {
				t.Errorf("got  %s\nwant %s in it", text(m), test.want)
			}
			if !m.Success && (m.Error == nil || m.Error.Hint == "") {
				t.Errorf("got %s, want an error with a suggestion", text(m))
			}
		})
	}
}

// TestControlAnswersWhilePagesAreWedged checks that control requests are answered while scripts of
// pages run in endless loops.
func TestControlAnswersWhilePagesAreWedged(t *testing.T) {
	wedged := make(chan bool, 3)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wedged" {
			wedged <- true
		}
		fmt.Fprint(w, "<!DOCTYPE html><title>Page</title>")
	}))
	defer srv.Close()
	s := serve(t, daemon.Options{Backend: realBackend(t)})
	p, control := s.dial(t), s.dial(t)
	const script = "const r = new XMLHttpRequest(); r.open('GET', '/wedged', false); r.send(); for (;;);"
	for _, name := range []string{"a", "b", "c"} {
		m := p.ask(`{"id":0,"type":"step","step":"open","args":{"url":"` + srv.URL + `"},"session":"` + name + `"}`)
		if !m.Success {
			t.Fatal(text(m))
		}
		p.send(`{"id":"` + name + `","type":"step","step":"eval","args":{"script":"` + script + `"},"session":"` + name + `","timeout":"10m"}` + "\n")
		<-wedged
	}
	if m := control.ask(`{"id":1,"type":"status"}`); strings.Count(text(m), `"running":{"step":"eval","since":"`) != 3 {
		t.Errorf("status = %s, want three sessions that run eval", text(m))
	}
	p.send(`{"id":"cancel","type":"cancel","target":"a"}` + "\n")
	p.mustReceive(map[string]string{`"cancel"`: `"cancelled":true`, `"a"`: `"code":"CANCELLED"`})
	p.send(`{"id":"close","type":"session.close","session":"b"}` + "\n")
	p.mustReceive(map[string]string{`"close"`: `"closed":"b"`, `"b"`: `"code":"CANCELLED"`})
	p.send(`{"id":"end","type":"shutdown"}` + "\n")
	p.mustReceive(map[string]string{`"end"`: `"running":1`, `"c"`: `"code":"CANCELLED"`})
	if err := s.wait(); err != nil {
		t.Error(err)
	}
}

// mustReceive receives one line for each id of want, in any order. Each line must contain the text
// for its id.
func (p *peer) mustReceive(want map[string]string) {
	p.t.Helper()
	for range len(want) {
		m := p.receive()
		if part, ok := want[string(m.ID)]; !ok || !strings.Contains(text(m), part) {
			p.t.Fatalf("got %s, want one of %q", text(m), want)
		}
		delete(want, string(m.ID))
	}
}

// TestStatusDuringLoading checks that status is answered before an earlier request on the same
// connection that reads many definitions.
func TestStatusDuringLoading(t *testing.T) {
	dir := t.TempDir()
	for i := range 1500 {
		text := strings.Replace(tokenAction, "load", fmt.Sprintf("load%d", i), 1)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := serve(t, daemon.Options{Backend: realBackend(t)})
	p := s.dial(t)
	p.send(`{"id":"load","type":"action.describe","action":"load7:token:read","path":"` + dir + `"}` + "\n" + `{"id":"status","type":"status"}` + "\n")
	if m := p.receive(); string(m.ID) != `"status"` || !strings.Contains(text(m), `"requests":1`) {
		t.Errorf("first came %.300s, want status", text(m))
	}
	if m := p.receive(); string(m.ID) != `"load"` || !m.Success {
		t.Errorf("then came %.300s", text(m))
	}
}

// TestNoSecretsInTheLog checks that secrets in params and in the environment do not appear in the
// log, whether runs succeed or fail.
func TestNoSecretsInTheLog(t *testing.T) {
	const secret, variable = "hunter2-param", "hunter2-env"
	file := definition(t, `namespace: safe
version: 1.0.0
env: [PASSWORD]
actions:
  form:fill:
    params:
      url: {type: string, required: true}
      pin: {type: string, required: true, secret: true}
      field: {type: string, default: field}
    steps:
      - {action: open, args: {url: "${url}"}}
      - {action: fill, args: {selector: "css:[id='${field}']", value: "${pin} ${env.PASSWORD}"}, timeout: 50ms}
      - {action: eval, args: {script: "throw new Error(field.value)"}, on_error: continue}
      - {action: get, args: {selector: "css:#field", what: value}, output: field}
    returns: {field: "${steps.field.value}"}
`)
	var log testkit.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	backend := realBackend(t, func(o *session.ManagerOptions) { o.Warn = func(message string) { logger.Warn(message) } })
	s := serve(t, daemon.Options{Backend: backend, Log: logger})
	p := s.dial(t)
	url := tokenPages(t)
	call := func(kind, more string) string {
		return fmt.Sprintf(`{"id":1,"type":%q,"action":"safe:form:fill","params":{"url":"%sx?pin=%s","pin":"%[3]s"%s},"path":"%s","env":{"PASSWORD":"%s"}}`,
			kind, url, secret, more, file, variable)
	}
	answers := []*message{
		p.ask(call("action.run", "")), p.ask(call("action.debug", `,"field":"none"`)), p.ask(call("action.dryRun", "")),
		p.ask(call("action.run", `,"fild":"`+secret+`"`)), p.ask(call("action.rnu", "")), p.ask(`{"id":1,"type":"status"}`),
		p.ask(`{"id":1,"type":"action.describe","action":"safe:form:fill","path":"` + file + `","env":{"PASSWORD":"` + variable + `"}}`),
	}
	if m := answers[0]; !m.Success || !strings.Contains(text(m), `"field":"***"`) {
		t.Errorf("the run = %s, want the field masked", text(m))
	}
	s.cancel()
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	for _, m := range answers {
		if strings.Contains(text(m), "hunter2") {
			t.Errorf("a secret is in the answer %s", text(m))
		}
	}
	if out := log.String(); strings.Contains(out, "hunter2") || !strings.Contains(out, "type=action.debug") {
		t.Errorf("the log must tell of requests, without values:\n%s", out)
	}
}

// TestRealMutations sends damaged requests to real sessions.
func TestRealMutations(t *testing.T) {
	file := definition(t, tokenAction)
	good := []string{
		`{"id":"x","type":"step","step":"get","args":{"what":"url"},"timeout":"1s","session":"s1"}`,
		`{"id":1,"type":"action.dryRun","action":"load:token:read","params":{"url":"http://x/","token":"t"},"path":"` + file + `"}`,
		`{"id":2,"type":"action.describe","action":"load:token:read","path":"` + file + `","env":{"A":"1"}}`,
		`{"id":3,"type":"action.search","query":"page","limit":3,"cwd":"/","path":""}`,
		`{"id":4,"type":"action.validate","paths":["` + file + `"],"cwd":"/"}`,
		`{"id":5,"type":"session.open","session":"s2","options":{"viewport":{"width":100,"height":200},"locale":"de"}}`,
		`{"id":6,"type":"session.close","session":"s1"}`,
		`{"id":7,"type":"action.list","namespace":"load","path":"` + file + `","strict":true}`,
	}
	s := serve(t, daemon.Options{Backend: realBackend(t, func(o *session.ManagerOptions) { o.MaxSessions = 3 })})
	p, other := s.dial(t), s.dial(t)
	lines := 1000
	if !testkit.Full() {
		lines = 200
		testkit.Leave(t, 800, 1000, "lines")
	}
	p.mutate(rand.New(rand.NewPCG(5, 9)), good, lines)
	other.mustAnswer()
	if m := other.ask(`{"id":1,"type":"action.describe","action":"load:token:read","path":"` + file + `"}`); !m.Success {
		t.Error(text(m))
	}
}
