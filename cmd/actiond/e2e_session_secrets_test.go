//go:build linux

package main

// Tests that a secret that a run has put into a page is masked when the same session reads the page
// later, in a manual step or another run.

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// leakActions defines actions that put their secret wherever a page can show it: the path, query
// and fragment of the address, and the title, text, attributes, form, cookies, storage and requests
// of the page.
const leakActions = `
namespace: leak
version: 1.0.0
env: [{name: SITE, secret: false}, LEAK_TOKEN]
actions:
  page:fill:
    params:
      word: {type: string, secret: true, required: true}
      path: {type: string, secret: true, required: true}
    steps:
      - {action: open, args: {url: "${env.SITE}/at/${path}?token=${env.LEAK_TOKEN}&w=${word}#${path}"}}
      - action: eval
        args:
          args: {v: "${word}"}
          script: |
            document.title = v
            document.querySelector('p').textContent = 'it is ' + v
            document.querySelector('a').href = '/to?' + new URLSearchParams({v})
            document.querySelector('input').value = v
            document.cookie = 'word=' + encodeURIComponent(v)
            localStorage.setItem('word', v)
            await fetch('/seen?' + new URLSearchParams({v}))
  page:read:
    steps: [{action: get, args: {what: url}, output: at}]
    returns: {at: "${steps.at.url}"}
`

func newLeak(t *testing.T) (*user, string) {
	t.Helper()
	site := serve(t.Cleanup, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Leak</title><form><p>Nothing</p><a href="/">On</a><label>Word <input name=w></label><button>Send</button></form>`)
	}))
	path := filepath.Join(t.TempDir(), "leak.yaml")
	if err := os.WriteFile(path, []byte(leakActions), 0o600); err != nil {
		t.Fatal(err)
	}
	return newUser(t, "ACTION_PATH="+path, "SITE="+site, "LEAK_TOKEN="+cliEnv), site
}

func TestSecretsOfEarlierRuns(t *testing.T) {
	testkit.Long(t)
	u, site := newLeak(t)
	fill := []string{"run", "leak:page:fill", "--word", cliSecret, "--path", cliDefault}
	u.start(t, fill...).wantCode(t, exitDone)
	tests := []struct {
		args string
		want string // part of the output
	}{
		{"get url", "/at/***?token=***"},
		{"get title", "***"},
		{"get text css:p", "it is ***"},
		{"get html css:form", `/to?v=***`},
		{"get value css:input", "***"},
		{"get attr css:a --name href", "/to?v=***"},
		{"snapshot", "it is ***"},
		{"snapshot --format json", "***"},
		{"snapshot -i", "***"},
		{"extract --rows css:form --fields {\"all\":\"css:p\"}", "it is ***"},
		{"eval document.title", "***"},
		{"eval [location.href,location.hash,document.cookie]", "***"},
		{"tab list", "***"},
		{"window list", "w1"},
		{"cookies list", "***"},
		{"storage get word", "***"},
		{"requests", "/seen?v=***"},
		{"click text:absent --timeout 100", "absent"},
		{"eval throw(new(Error)(document.title))", ""},
		{"wait --url **/absent --timeout 100", ""},
		{"session list", "/at/***"},
		{"daemon status", "/at/***"},
		{"run leak:page:read", "/at/***"},
		{"debug leak:page:read", "/at/***"},
		{"run leak:page:read --trace trace.jsonl", "/at/***"},
	}
	for _, test := range tests {
		for _, format := range []string{"text", "json"} {
			t.Run(test.args+"/"+format, func(t *testing.T) {
				args := strings.Fields(test.args)
				if format == "json" {
					args = append(args, "--json")
				}
				j := u.start(t, args...)
				if exit := j.end(); exit == exitUsage {
					t.Errorf("exit code %d: the command is wrong", exit)
				}
				printed := j.stdout.String() + j.stderr.String()
				if !strings.Contains(printed, test.want) {
					t.Errorf("%q is not in what was printed:\n%s", test.want, printed)
				}
				trace, _ := os.ReadFile(filepath.Join(u.home, "trace.jsonl"))
				for _, form := range readable(printed + string(trace)) {
					t.Errorf("the secret %q was printed:\n%s", form, printed)
				}
			})
		}
	}
	t.Run("at the end of a long text", func(t *testing.T) {
		script := `const p = document.querySelector('p'); p.textContent += ', as written. '.padEnd(52, 'x'); p.append(document.createElement('input'))`
		u.done(t, "eval", script)
		j := u.start(t, "snapshot", "-i")
		j.wantCode(t, exitDone)
		if shown := j.stdout.String(); !strings.Contains(shown, "near=***") || strings.Contains(shown, "w0rd") {
			t.Errorf("the end of the secret is not masked:\n%s", shown)
		}
	})
	t.Run("after the page has sent its form", func(t *testing.T) {
		u.done(t, "click", "text:Send")
		for _, args := range [][]string{{"get", "url"}, {"requests"}, {"session", "list"}} {
			j := u.start(t, append(args, "--json")...)
			j.wantCode(t, exitDone)
			for _, form := range readable(j.stdout.String()) {
				t.Errorf("%v: the secret %q was printed:\n%s", args, form, &j.stdout)
			}
		}
		wantText(t, u.done(t, "get", "url"), ".data.url", site, "w=***")
	})
	t.Run("in another session", func(t *testing.T) {
		address := site + "/?w=" + url.QueryEscape(cliSecret)
		u.done(t, "open", address, "--session", "other")
		if got := text(u.done(t, "get", "url", "--session", "other"), ".data.url"); got != address {
			t.Errorf("the session that has no secret shows %q, want %q", got, address)
		}
	})
	t.Run("of a page that is lost", func(t *testing.T) {
		u.start(t, fill...).wantCode(t, exitDone)
		u.done(t, "session", "close", "other")
		killBrowser(t, u.daemon(t))
		u.wantState(t, "default", "lost")
		r := u.refused(t, exitBrowser, "BROWSER_UNAVAILABLE", "get", "url")
		wantText(t, r, ".error.message", "/at/***")
	})
}
