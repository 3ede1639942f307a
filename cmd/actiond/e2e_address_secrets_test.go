//go:build linux

package main

// Tests that no part of a secret is shown that an address has divided, in whichever way the address
// is read later; and that a state whose secrets are masked is not imported.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/testdata/pages"
)

// dividedActions opens addresses with a secret that is not encoded.
const dividedActions = `
namespace: parted
version: 1.0.0
env: [{name: SITE, secret: false}]
actions:
  page:open:
    params: {key: {type: string, secret: true, required: true}}
    steps:
      - {open: "${env.SITE}/at?token=${key}"}
  tab:open:
    params: {key: {type: string, secret: true, required: true}}
    steps:
      - {tab: {do: new, url: "${env.SITE}/at/${key}"}}
`

func TestSecretsDividedByAnAddress(t *testing.T) {
	t.Parallel()
	site := serve(t.Cleanup, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Parted</title><p>Nothing</p><ul></ul><script>
			const said = [location.pathname.split('/').at(-1), ...new URLSearchParams(location.search).values(), location.hash.slice(1)]
			for (const text of said) for (const form of new Set([text, decodeURIComponent(text)]))
				document.querySelector('ul').append(Object.assign(document.createElement('li'), {textContent: form}))
			document.querySelector('p').append(Object.assign(document.createElement('a'), {href: location.href.split('#')[0], textContent: 'Here'}))
		</script>`)
	}))
	path := filepath.Join(t.TempDir(), "parted.yaml")
	if err := os.WriteFile(path, []byte(dividedActions), 0o600); err != nil {
		t.Fatal(err)
	}
	// The letters from Q to Z occur in no other output.
	u := newUser(t, "ACTION_PATH="+path, "SITE="+site)
	for _, tt := range []struct{ action, secret string }{
		{"parted:page:open", "QVWXZ4#ZYXWV7"},
		{"parted:page:open", "QZ#VWX"},
		{"parted:page:open", "QVWXZ&next=ZYXWV"},
		{"parted:page:open", "QVWX%2BZ%20ZYXW#V%41Z"},
		{"parted:page:open", "QVWX YZQX#ü ZYXW"},
		{"parted:page:open", "QVéWX%Z#ZYXWV"},
		{"parted:tab:open", "QVWXZ?x=ZYXWV#WWWW"},
		{"parted:tab:open", `QVWX\ZYXWV/VVVV`},
	} {
		t.Run(tt.secret, func(t *testing.T) {
			if j := u.start(t, "run", tt.action, "--key", tt.secret); j.end() != exitDone {
				t.Fatalf("%s\n%s", &j.stdout, &j.stderr)
			} else if out := j.stdout.String() + j.stderr.String(); strings.ContainsAny(out, "QVWXYZ") {
				t.Errorf("the run printed a part of the secret:\n%s", out)
			}
			for _, args := range []string{
				"requests", "get url", "snapshot", "snapshot --format json", "get html css:body", "tab list", "session list", "daemon status",
				"eval [location.href,location.search,location.hash]", "wait --url **/absent --timeout 100",
			} {
				for _, more := range [][]string{nil, {"--json"}} {
					j := u.start(t, append(strings.Fields(args), more...)...)
					if exit := j.end(); exit == exitUsage {
						t.Errorf("%s: the command is wrong: %s", args, &j.stderr)
					}
					if out := strings.ReplaceAll(j.stdout.String()+j.stderr.String(), "URL", ""); strings.ContainsAny(withoutWords(out), "QVWXYZ") {
						t.Errorf("%s %v printed a part of the secret:\n%s", args, more, out)
					}
				}
			}
		})
	}
}

// TestMaskedState checks that a state that was printed, with its secrets masked, says so and cannot be
// imported, and that one that was written to a file can.
func TestMaskedState(t *testing.T) {
	t.Parallel()
	site := serve(t.Cleanup, pages.Handler()) + "/echo"
	path := filepath.Join(t.TempDir(), "parted.yaml")
	if err := os.WriteFile(path, []byte(`
namespace: kept
version: 1.0.0
actions:
  item:set:
    params: {key: {type: string, secret: true, required: true}}
    steps: [{storage: {do: set, name: key, value: "${key}"}}]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	u := newUser(t, "ACTION_PATH="+path)
	u.done(t, "open", site)
	u.done(t, "storage", "set", "plain", "***")
	imports := func(state any) map[string]any {
		data, err := json.Marshal(state)
		if err == nil {
			err = os.WriteFile(filepath.Join(u.home, "state.json"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		j := u.start(t, "storage", "import", "state.json", "--json")
		j.end()
		return j.result(t)
	}
	r := u.done(t, "storage", "export")
	if r["warnings"] != nil {
		t.Errorf("without secrets: %v", r["warnings"])
	}
	if r := imports(r["data"].(map[string]any)["state"]); r["success"] != true {
		t.Errorf("a state without secrets is not imported: %v", r)
	}
	u.done(t, "run", "kept:item:set", "--key", "Qx7aLm9")
	r = u.done(t, "storage", "export")
	wantText(t, r, ".warnings.0.code", "state_masked")
	wantText(t, r, ".warnings.0.message", "give export a path")
	refused := imports(r["data"].(map[string]any)["state"])
	wantText(t, refused, ".error.code", "STEP_FAILED")
	wantText(t, refused, ".error.message", "secrets are masked")
	wantText(t, refused, ".error.suggestion", "action storage export state.json")
	u.done(t, "storage", "export", "whole.json")
	u.done(t, "storage", "import", "whole.json", "--session", "other")
	u.done(t, "open", site, "--session", "other")
	wantText(t, u.done(t, "storage", "get", "key", "--session", "other"), ".data.value", "Qx7aLm9")
}

// withoutWords removes the words of the product that have letters of the secrets, and the times.
func withoutWords(out string) string {
	for _, word := range []string{"TIMEOUT", "0Z\"", "Z\""} {
		out = strings.ReplaceAll(out, word, "")
	}
	return out
}
