package session_test

// Tests that no output of a run contains a secret, neither unchanged nor encoded for a URL, JSON or
// HTML.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// The secrets. Each contains characters that one of the encodings changes.
const (
	secretParam   = `p@ss w0rd/+&="<é>` // of type string
	secretNested  = `nested"Quote\7Qz`  // a property of an object
	secretEnv     = `env-Zx81 %2F?#ü`   // a variable
	secretDefault = `dflt-S3cret"99`    // the default of a param
	secretNumber  = 40917263            // a param of type integer
	secretShort   = `q7`                // masked only as a separate word
	openEnv       = `not-a-secret-Yk33` // a variable that the definition declares as not secret
)

// An output is a text that a caller or a user can see.
type output struct{ name, text string }

// leaks lists the places in outputs where a secret can be read.
func leaks(outputs []output) []string {
	var found []string
	for _, secret := range []string{secretParam, secretNested, secretEnv, secretDefault, fmt.Sprint(secretNumber)} {
		for _, form := range forms(secret) {
			for _, o := range outputs {
				if i := strings.Index(strings.ToLower(o.text), strings.ToLower(form)); i >= 0 {
					found = append(found, fmt.Sprintf("%q in the %s: …%.200s", form, o.name, o.text[max(0, i-120):]))
				}
			}
		}
	}
	for _, o := range outputs {
		if i := alone.FindStringIndex(o.text); i != nil {
			found = append(found, fmt.Sprintf("%q in the %s: …%.200s", secretShort, o.name, o.text[max(0, i[0]-120):]))
		}
	}
	return found
}

var alone = regexp.MustCompile(`(?:^|[^0-9A-Za-z])` + secretShort + `(?:$|[^0-9A-Za-z])`)

// forms returns the ways in which an output may encode a text.
func forms(s string) []string {
	escaped, _ := json.Marshal(s)
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	quoted := fmt.Sprintf("%q", s)
	component := strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	out := []string{
		s, url.QueryEscape(s), url.PathEscape(s), component, (&url.URL{Path: s}).EscapedPath(),
		strings.Trim(string(escaped), `"`), strings.Trim(strings.TrimSpace(plain.String()), `"`), strings.Trim(quoted, `"`),
		html.EscapeString(s), template.JSEscapeString(s),
	}
	for _, f := range out[:5:5] { // encoded twice, like an address in an address
		out = append(out, url.QueryEscape(f))
	}
	return append(out, s[:min(9, len(s))]) // the beginning of a cut text
}

const secretActions = `
namespace: vault
version: 1.0.0
env: [VAULT_TOKEN, {name: BASE, secret: false}, {name: VAULT_OPEN, secret: false}]
selectors:
  own: {primary: "css:[data-none='${params.password}']", fallback: ["text:${params.password}"]}
actions:
`

// secretParams declares the params of every action of the vault.
const secretParams = `
    params:
      password: {type: string, secret: true, required: true}
      pin: {type: string, secret: true, required: true}
      number: {type: integer, secret: true, required: true}
      fallback: {type: string, secret: true, default: 'dflt-S3cret"99'}
      options: {type: object, required: true, properties: {name: {type: string}, token: {type: string, secret: true}}}
`

// A vaultAction is an action that could reveal secrets in one way: its steps, verify and returns,
// and the code of its error.
type vaultAction struct {
	name, body string
	code       diag.Code
}

var vaultActions = []vaultAction{
	{"returns", `
    steps: [{action: set, args: {values: {password: "${password}", more: ["${options}", "${env.VAULT_TOKEN}", "${number}"]}}, output: kept}]
    returns: {kept: "${steps.kept}", text: "pin ${pin} number ${number}", all: "${options} ${env.VAULT_TOKEN} ${fallback}", open: "${env.VAULT_OPEN}"}
`, ""},
	{"page", `
    steps:
      - {action: fill, args: {selector: "css:#plain", value: "${password}"}, output: filled}
      - {action: type, args: {selector: "css:#typed", text: "${options.token}"}}
      - {action: get, args: {selector: "css:#plain", what: value}, output: value}
      - {action: eval, args: {script: "document.body.append(v); document.title = v; return {v, list: [v, n]}", args: {v: "${password}", n: "${number}"}}, output: js}
      - {action: get, args: {what: text}, output: text}
      - {action: get, args: {what: html}, output: html}
      - {action: get, args: {what: title}, output: title}
      - {action: extract, args: {rows: "css:body", fields: {all: {what: text}}}, output: rows}
    returns: {filled: "${steps.filled}", value: "${steps.value}", js: "${steps.js}", text: "${steps.text}", html: "${steps.html}", title: "${page.title}", rows: "${steps.rows}"}
`, ""},
	{"address", `
    steps:
      - {action: eval, args: {script: "location.search = '?t=' + encodeURIComponent(v) + '&p=' + encodeURIComponent(p)", args: {v: "${password}", p: "${pin}"}}}
      - {action: wait, args: {url: "t="}}
      - {action: wait, args: {load_state: load}}
      - {action: open, args: {url: "${env.BASE}/path/${env.VAULT_TOKEN}"}, output: opened}
      - {action: get, args: {what: url}, output: at}
      - {action: open, args: {url: "${env.BASE}/?t=${password}"}, output: again}
    returns: {at: "${steps.at.url}", opened: "${steps.opened}", again: "${steps.again}", url: "${page.url}"}
`, ""},
	{"through run and foreach", `
    steps:
      - {action: run, args: {action: "inner:echo", params: {text: "${password}", list: ["${env.VAULT_TOKEN}", "${options.token}"]}}, output: echo}
      - action: foreach
        args: {items: ["${password}", "${pin}", "${number}"]}
        output: each
        steps: [{action: set, args: {values: {it: "${item}"}}, output: kept}]
    returns: {echo: "${steps.echo}", each: "${steps.each}"}
`, ""},
	{"warnings", `
    steps:
      - {action: eval, args: {script: "setTimeout(() => alert('the password is ' + v)); return new Promise(done => setTimeout(done, 50))", args: {v: "${password}"}}}
      - {action: click, args: {selector: "text:${options.token}"}, timeout: 100ms, on_error: continue}
      - {action: fill, args: {selector: "css:#masked", value: "${env.VAULT_TOKEN}"}}
      - {action: click, args: {selector: "css:#none-${pin}"}, timeout: 100ms, fallback: [{action: set, args: {values: {x: "${pin}"}}}]}
    returns: {}
`, ""},
	{"degraded", `
    steps:
      - {action: eval, args: {script: "{ const p = document.createElement('p'); p.textContent = v; document.body.append(p) }", args: {v: "${password}"}}}
      - {action: get, args: {selector: "${selectors.own}", what: text}, timeout: 2s}
    returns: {}
`, ""},
	{"fill that does not hold", `
    steps: [{action: fill, args: {selector: "css:#stubborn", value: "${password}"}, timeout: 300ms}]
`, diag.StepFailed},
	{"typing that does not hold", `
    steps: [{action: type, args: {selector: "css:#nine", text: "${password}"}, timeout: 300ms}]
`, diag.StepFailed},
	{"typing that the page changes", `
    steps: [{action: type, args: {selector: "css:#stubborn", text: "${password}"}, timeout: 300ms}]
`, diag.StepFailed},
	{"element that is not there", `
    steps: [{action: click, args: {selector: "role:button[name='${password}']"}, timeout: 100ms}]
`, diag.ElementNotFound},
	{"address that fails", `
    steps: [{action: open, args: {url: "http://127.0.0.1:1/${env.VAULT_TOKEN}?token=${password}&pin=${pin}"}, timeout: 5s}]
`, diag.NavigationFailed},
	{"address that is no address", `
    steps: [{action: open, args: {url: "${password}://x"}}]
`, diag.ParamInvalid},
	{"address of another scheme", `
    steps: [{action: open, args: {url: "file:///${password}"}}]
`, diag.PolicyDenied},
	{"several elements", `
    steps:
      - {action: eval, args: {script: "for (const x of [1, 2]) { const b = document.createElement('button'); b.textContent = b.id = b.title = v; document.body.append(b) }", args: {v: "${password}"}}}
      - {action: click, args: {selector: "css:button.many, button[title]"}, timeout: 1s}
`, diag.ElementAmbiguous},
	{"text that is cut", `
    steps:
      - {action: eval, args: {script: "for (const n of [193, 72, 112, 32]) for (const x of [1, 2]) { const b = document.createElement('button'); b.id = 'x'.repeat(n) + v; b.textContent = 'x '.repeat(n / 2) + v; b.title = n; document.body.append(b) }", args: {v: "${password}"}}}
      - {action: hover, args: {selector: "css:button[title='193'] >> nth:0"}}
      - {action: click, args: {selector: "css:button[title]"}, timeout: 1s}
`, diag.ElementAmbiguous},
	{"covered element", `
    steps:
      - {action: eval, args: {script: "{ const d = document.createElement('div'); d.className = d.id = v; d.textContent = v; d.style = 'position: fixed; inset: 0'; document.body.append(d) }", args: {v: "${password}"}}}
      - {action: click, args: {selector: "css:#button"}, timeout: 300ms}
`, diag.ElementNotInteractable},
	{"option that is not there", `
    steps:
      - {action: eval, args: {script: "document.querySelector('select').append(new Option(v, v))", args: {v: "${env.VAULT_TOKEN}"}}}
      - {action: select, args: {selector: "css:select", values: "${password}"}, timeout: 300ms}
`, diag.StepFailed},
	{"script that throws", `
    steps: [{action: eval, args: {script: "throw new Error('no ' + v)", args: {v: "${password}"}}}]
`, diag.StepFailed},
	{"wait for a text", `
    steps: [{action: wait, args: {text: "${password} ${number}"}, timeout: 200ms}]
`, diag.Timeout},
	{"wait for an address", `
    steps: [{action: wait, args: {url: "/${password}"}, timeout: 200ms}]
`, diag.Timeout},
	{"fail", `
    steps: [{action: fail, args: {message: "no ${password}, no ${options}, no ${env.VAULT_TOKEN}, no ${number}, no ${pin}"}}]
`, diag.StepFailed},
	{"assert", `
    steps: [{action: assert, args: {condition: "${password} == ${env.VAULT_TOKEN}", message: "${password} is not ${env.VAULT_TOKEN}"}}]
`, diag.StepFailed},
	{"condition of a verify", `
    steps: [{action: set, args: {values: {v: "${password}"}}, output: kept}]
    verify:
      - {condition: "${steps.kept.v} == ${env.VAULT_TOKEN}", message: "${steps.kept.v} and ${options.token}"}
      - {condition: "${fallback} == ''"}
`, diag.VerifyFailed},
	{"wait of a verify", `
    steps: [{action: set, args: {values: {v: "${password}"}}}]
    verify: [{selector: "text:${password}", state: hidden}, {text: "${password}", message: "no ${password}"}]
`, diag.VerifyFailed},
	{"file of a screenshot", `
    steps: [{action: screenshot, args: {path: "../${options.token}.png"}}]
`, diag.PolicyDenied},
	{"value of a wrong type", `
    steps: [{action: press, args: {key: "${options.token}"}, timeout: 200ms}]
`, diag.ParamInvalid},
	{"pattern", `
    steps: [{action: set, args: {values: {x: "a("}}, output: k}, {action: assert, args: {condition: "${password} matches ${steps.k.x}"}}]
`, diag.ParamInvalid},
	{"inner action that refuses its params", `
    steps: [{action: run, args: {action: "inner:number", params: {number: "${password}", text: "${options.token}"}}}]
`, diag.ParamInvalid},
	{"items that are no list", `
    steps: [{action: foreach, args: {items: "${password}"}, steps: [{action: set, args: {values: {x: 1}}}]}]
`, diag.ParamInvalid},
	{"block that fails", `
    steps: [{action: repeat, args: {until: "${steps.k.x} == ${pin}", max: 2, delay: 1}, steps: [{action: set, args: {values: {x: "${password}"}}, output: k}]}]
`, diag.StepFailed},
}

const vaultPage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Vault</title></head><body>
<input id="plain"><input id="typed"><input id="nine" maxlength="9"><input id="stubborn"><input id="masked"><select><option>One</select>
<button id="button">Press</button>
<script>
document.getElementById("stubborn").addEventListener("input", (e) => { e.target.value = "kept " + e.target.value + "!!! and changed" });
document.getElementById("masked").addEventListener("input", (e) => { e.target.value = e.target.value.replace(/(.)/, "$1-") });
</script></body></html>
`

func vaultDefinitions() string {
	var b strings.Builder
	b.WriteString(secretActions + `
  page:open:
    steps: [{action: open, args: {url: "${env.BASE}"}}]
  inner:echo:
    params: {text: {type: string}, list: {type: array}}
    steps: [{action: set, args: {values: {text: "${text}"}}, output: kept}]
    returns: {text: "${text}", list: "${list}", kept: "${steps.kept}"}
  inner:number:
    params: {number: {type: integer}, text: {type: string, pattern: '^[0-9]+$'}}
    steps: [{action: set, args: {values: {x: 1}}}]
`)
	for i, a := range vaultActions {
		fmt.Fprintf(&b, "  way:n%d:%s%s", i, secretParams, a.body)
	}
	return b.String()
}

func vaultCall() map[string]any {
	return map[string]any{
		"password": secretParam, "pin": secretShort, "number": secretNumber,
		"options": map[string]any{"name": "open name", "token": secretNested},
	}
}

func newVault(t *testing.T) *bench {
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, vaultPage)
	}))
	return newBench(t, map[string]string{"vault.yaml": vaultDefinitions()}, nil,
		"BASE="+base, "VAULT_TOKEN="+secretEnv, "VAULT_OPEN="+openEnv)
}

// told runs an action and collects all its output.
func (b *bench) told(t *testing.T, action string, o session.RunOptions) (*executor.Result, []output) {
	t.Helper()
	var recorded bytes.Buffer
	var events []output
	o.Trace = &recorded
	o.OnStep = func(e executor.StepEvent) { events = append(events, output{"event", encode(t, e)}) }
	r := b.runWith(t, action, o)
	return r, append(events, output{"result", encode(t, r)}, output{"text of the error", errorText(r.Error)}, output{"trace", recorded.String()})
}

func encode(t *testing.T, v any) string {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// errorText returns all texts of an error: those of the printers and of its chain.
func errorText(e *diag.Error) string {
	if e == nil {
		return ""
	}
	text := e.Error()
	for err := e.Err; err != nil; {
		text += "\n" + err.Error()
		next, ok := err.(interface{ Unwrap() error })
		if !ok {
			break
		}
		err = next.Unwrap()
	}
	return text
}

func TestSecretsInRuns(t *testing.T) {
	t.Parallel()
	b := newVault(t)
	for i, a := range vaultActions {
		for _, debug := range testkit.Share(t, "runs with and without debug", []bool{false, true}, i%2, 2) {
			t.Run(fmt.Sprintf("%s/debug=%v", a.name, debug), func(t *testing.T) {
				b.mustRun(t, "vault:page:open", nil)
				r, outputs := b.told(t, fmt.Sprintf("vault:way:n%d", i), session.RunOptions{Params: vaultCall(), Debug: debug, Steps: true})
				if got := codeOf(r.Error); got != a.code {
					t.Errorf("code %q, want %q: %v", got, a.code, r.Error)
				}
				for _, leak := range leaks(outputs) {
					t.Error(leak)
				}
				for _, o := range outputs {
					if o.name == "result" && a.name == "returns" && (!strings.Contains(o.text, "***") || !strings.Contains(o.text, openEnv)) {
						t.Errorf("the result shows no mask, or not the variable that is no secret: %s", o.text)
					}
				}
			})
		}
	}
}

func codeOf(e *diag.Error) diag.Code {
	if e == nil {
		return ""
	}
	return e.Code
}

// TestSecretsInRefusedParams checks that the error for an invalid param that is secret does not
// contain its value.
func TestSecretsInRefusedParams(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"vault.yaml": `
namespace: vault
version: 1.0.0
actions:
  param:check:
    params:
      pattern: {type: string, secret: true, pattern: '^[0-9]+$'}
      short: {type: string, secret: true, max_length: 3}
      number: {type: integer, secret: true}
      choice: {type: enum, values: [one, two], secret: true}
      flag: {type: boolean, secret: true}
      map: {type: object, secret: true, properties: {a: {type: integer}}}
      list: {type: array, secret: true, items: {type: integer}}
      deep: {type: object, properties: {token: {type: string, secret: true, pattern: '^[0-9]+$'}}}
      selector: {type: selector, secret: true}
    steps: [{action: set, args: {values: {x: 1}}}]
`}, nil)
	for _, fromText := range []bool{false, true} {
		for name, value := range map[string]any{
			"pattern": secretParam, "short": secretParam, "number": secretParam, "choice": secretParam, "flag": secretParam,
			"map": map[string]any{"a": secretParam}, "list": []any{secretParam}, "deep": map[string]any{"token": secretNested},
			"selector": "css:[" + secretParam, "unknown": secretNested,
		} {
			t.Run(fmt.Sprintf("%s/text=%v", name, fromText), func(t *testing.T) {
				r, outputs := b.told(t, "vault:param:check", session.RunOptions{Params: map[string]any{name: value}, FromText: fromText, Debug: true})
				if got := codeOf(r.Error); got != diag.ParamInvalid {
					t.Errorf("code %q, want %s", got, diag.ParamInvalid)
				}
				for _, leak := range leaks(outputs) {
					t.Error(leak)
				}
				plan := session.DryRun(t.Context(), b.defs, "vault:param:check", session.RunOptions{Params: map[string]any{name: value}, FromText: fromText})
				for _, leak := range leaks([]output{{"plan", encode(t, plan)}, {"text of the plan's error", errorText(plan.Error)}}) {
					t.Error(leak)
				}
			})
		}
	}
}

func TestSecretsInPlansAndDescriptions(t *testing.T) {
	t.Parallel()
	b := newVault(t)
	for i, a := range vaultActions {
		t.Run(a.name, func(t *testing.T) {
			name := fmt.Sprintf("vault:way:n%d", i)
			plan := session.DryRun(t.Context(), b.defs, name, session.RunOptions{Params: vaultCall(), Cwd: b.cwd, Environ: b.environ})
			description, err := b.defs.Registry.Describe(name)
			if err != nil {
				t.Fatal(err)
			}
			outputs := []output{{"plan", encode(t, plan)}, {"text of the plan's error", errorText(plan.Error)}, {"description", encode(t, description)}}
			for _, leak := range leaks(outputs) {
				t.Error(leak)
			}
			if a.name == "returns" {
				if text := outputs[0].text; !strings.Contains(text, "***") || !strings.Contains(text, openEnv) {
					t.Errorf("the plan shows no mask, or not the variable that is no secret: %s", text)
				}
				if !strings.Contains(outputs[2].text, "***") {
					t.Errorf("the description shows no mask for the default: %s", outputs[2].text)
				}
			}
		})
	}
}
