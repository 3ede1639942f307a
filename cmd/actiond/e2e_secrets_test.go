//go:build linux

package main

// Tests that the output of commands contains no secret, as text and as JSON, and neither does a
// trace. Package session tests results after more kinds of failures.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

const (
	cliSecret  = `p@ss "w0rd"/é&` // value of a param
	cliNested  = `tok en+77`      // in an object
	cliEnv     = `env-Zx81%?`     // a variable
	cliDefault = `dflt-S3cret`    // the default of a param
	cliShort   = `q7`             // masked only as a separate word
	cliOpen    = `open-Yk33`      // a variable that opts out
)

const safeYAML = `
namespace: safe
version: 1.0.0
env: [SAFE_TOKEN, {name: SAFE_OPEN, secret: false}, {name: SITE, secret: false}]
actions:
`

// safeActions returns definitions of actions with the same params and different outcomes.
func safeActions() string {
	params := `
    params:
      word: {type: string, secret: true, required: true, description: The word}
      pin: {type: string, secret: true, default: q7, description: The pin}
      spare: {type: string, secret: true, default: dflt-S3cret, description: The spare word}
      key: {type: object, properties: {token: {type: string, secret: true}, name: {type: string}}}
      number: {type: integer, secret: true, default: 5}
      link: {type: string, default: ""}
`
	ends := map[string]string{
		"door:open": `
    steps:
      - {action: open, args: {url: "${env.SITE}/?t=${link}"}}
      - {action: fill, args: {selector: "css:input", value: "${word} ${key.token}"}, output: filled}
      - {action: set, args: {values: {all: "${env.SAFE_TOKEN} ${spare}", open: "${env.SAFE_OPEN}"}}, output: kept}
      - {action: eval, args: {script: "document.title = v", args: {v: "${word}"}}}
      - {action: get, args: {what: title}, output: title}
    verify: [{condition: "${steps.filled.value} contains ${word}", message: "no ${word}"}]
    returns: {filled: "${steps.filled.value}", kept: "${steps.kept}", title: "${steps.title.title}", pin: "${pin}"}
`,
		"door:fail": `
    steps: [{action: fail, args: {message: "no ${word}, ${key}, ${env.SAFE_TOKEN}, ${spare}, pin ${pin}"}}]
`,
		"door:miss": `
    steps:
      - {action: open, args: {url: "${env.SITE}/"}}
      - {action: click, args: {selector: "text:${word}"}, timeout: 100ms, on_error: continue}
      - {action: click, args: {selector: "role:button[name='${env.SAFE_TOKEN}']"}, timeout: 100ms}
`,
		"door:verify": `
    steps: [{action: set, args: {values: {v: "${word}"}}, output: kept}]
    verify: [{condition: "${steps.kept.v} == ${spare}", message: "${steps.kept.v} is not ${spare}"}]
`,
		"door:address": `
    steps: [{action: open, args: {url: "${env.SITE}/gone?${word}=${env.SAFE_TOKEN}&${key.token}"}, timeout: 5s}]
`,
	}
	var b strings.Builder
	b.WriteString(safeYAML)
	for _, name := range []string{"door:open", "door:fail", "door:miss", "door:verify", "door:address"} {
		fmt.Fprintf(&b, "  %s:%s%s", name, params, ends[name])
	}
	return b.String()
}

// readable returns the secrets that text contains.
func readable(text string) []string {
	var found []string
	for _, secret := range []string{cliSecret, cliNested, cliEnv, cliDefault} {
		plain, _ := json.Marshal(secret)
		noHTML := strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(plain))
		for _, form := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ReplaceAll(url.QueryEscape(secret), "+", "%20"),
			(&url.URL{Path: secret}).EscapedPath(), strings.Trim(string(plain), `"`), strings.Trim(noHTML, `"`), strings.Trim(fmt.Sprintf("%q", secret), `"`),
		} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(form)) {
				found = append(found, form)
			}
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) {
		if word == cliShort {
			found = append(found, word)
		}
	}
	return found
}

func TestPrintedSecrets(t *testing.T) {
	testkit.Long(t)
	site := serve(t.Cleanup, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Safe</title><label>Word <input></label>`)
	}))
	path := filepath.Join(t.TempDir(), "safe.yaml")
	if err := os.WriteFile(path, []byte(safeActions()), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"ACTION_PATH=" + path, "SITE=" + site, "SAFE_TOKEN=" + cliEnv, "SAFE_OPEN=" + cliOpen}
	key, err := json.Marshal(map[string]string{"token": cliNested, "name": "open name"})
	if err != nil {
		t.Fatal(err)
	}
	call := []string{"--word", cliSecret, "--key", string(key)}
	tests := []struct {
		name string
		args []string
		code int
		want string // part of the output that is not secret
	}{
		{"run", append([]string{"run", "safe:door:open", "--link", cliSecret, "--trace", "trace.jsonl"}, call...), exitDone, cliOpen},
		{"run with steps", append([]string{"run", "safe:door:open", "--steps", "--trace", "trace.jsonl"}, call...), exitDone, cliOpen},
		{"debug", append([]string{"debug", "safe:door:open", "--trace", "trace.jsonl"}, call...), exitDone, cliOpen},
		{"run that fails", append([]string{"run", "safe:door:fail"}, call...), exitFailed, "open name"},
		{"debug that fails", append([]string{"debug", "safe:door:fail", "--trace", "trace.jsonl"}, call...), exitFailed, "open name"},
		{"element that is missing", append([]string{"debug", "safe:door:miss", "--trace", "trace.jsonl"}, call...), exitFailed, "100ms"},
		{"check that fails", append([]string{"debug", "safe:door:verify", "--trace", "trace.jsonl"}, call...), exitFailed, "is not"},
		{"address that fails", append([]string{"debug", "safe:door:address", "--trace", "trace.jsonl"}, call...), exitFailed, "/gone"},
		{"dry-run", append([]string{"dry-run", "safe:door:open"}, call...), exitDone, cliOpen},
		{"dry-run of fail", append([]string{"dry-run", "safe:door:fail"}, call...), exitFailed, "open name"},
		{"describe", []string{"describe", "safe:door:open"}, exitDone, "The spare word"},
		{"help", []string{"run", "safe:door:open", "--help"}, exitDone, "The spare word"},
		{"list", []string{"list", "safe"}, exitDone, "safe:door:open"},
		{"search", []string{"search", "spare"}, exitDone, "safe:door:open"},
		{"value of a wrong type", append([]string{"run", "safe:door:open", "--number", cliSecret}, call...), exitUsage, "number"},
		{"value twice", append([]string{"run", "safe:door:open", "--params", `{"word": "` + cliDefault + `"}`}, call...), exitUsage, "word"},
		{"unknown param", append([]string{"run", "safe:door:open", "--wurd", "x"}, call...), exitUsage, "wurd"},
	}
	for i, tt := range tests { // with -short each test runs with one of the two formats
		for _, format := range testkit.Share(t, "formats", []string{"text", "json"}, i%2, 2) {
			t.Run(tt.name+"/"+format, func(t *testing.T) {
				t.Parallel()
				if format == "json" && tt.name == "help" {
					return // help is always text
				}
				args := tt.args
				if format == "json" {
					args = append([]string{"--json"}, args...)
				}
				j := start(t, tempDir(t), environ, args...)
				j.wantCode(t, tt.code)
				printed := j.stdout.String() + j.stderr.String()
				if !strings.Contains(printed, tt.want) {
					t.Errorf("%q is not in what was printed:\n%s", tt.want, printed)
				}
				trace, err := os.ReadFile(filepath.Join(j.Dir, "trace.jsonl"))
				if strings.Contains(strings.Join(args, " "), "--trace") && (err != nil || len(trace) == 0) {
					t.Errorf("no trace was written (%v)", err)
				}
				for _, form := range readable(printed) {
					t.Errorf("the secret %q was printed:\n%s", form, printed)
				}
				for _, form := range readable(string(trace)) {
					t.Errorf("the secret %q is in the trace:\n%s", form, trace)
				}
			})
		}
	}
}
