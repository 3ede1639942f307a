package session_test

// Tests of actions on whole applications: the demo shop in both editions, and pages of antd in both
// versions. They include tests of the builtin actions on these applications.

import (
	"cmp"
	"fmt"
	"image"
	_ "image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/antd"
	"github.com/actionregistry/action/testdata/npm"
	"github.com/actionregistry/action/testdata/pages"
	"github.com/actionregistry/action/testdata/shop"
)

// A shopEdition is one version of the shop's user interface.
type shopEdition struct{ path, version string }

var shopEditions = []shopEdition{{"", "1.4.0"}, {"/v2", "2.1.0"}}

// newShop starts a shop and returns a session for it, and the shop's address.
func newShop(t *testing.T, e shopEdition, environ ...string) (*bench, string) {
	base := serve(t, shop.Handler(shop.Options{Delay: -1})) + e.path
	environ = append(environ, "BASE_URL="+base, "SHOP_PASSWORD="+shop.DefaultPassword)
	return newBench(t, nil, []string{"../../testdata/shop/actions"}, environ...), base
}

// shortWait is a short timeout, for tests with missing elements.
const shortWait = "ACTION_ACTIONS_DEFAULT_TIMEOUT=3s"

func TestShop(t *testing.T) {
	t.Parallel()
	for _, e := range testkit.One(t, "editions", shopEditions) {
		t.Run(e.version, func(t *testing.T) {
			b, base := newShop(t, e)
			got := b.mustRun(t, "shop:session:login", map[string]any{"password": shop.DefaultPassword})
			want(t, got, "url", base+"/orders")

			order := map[string]any{
				"customer": `Ada "<Lovelace>" & 爱达`, "product": "Drill press", "quantity": 7, "express": true,
				"date": "2026-05-01", "notes": "Ring\ntwice",
			}
			r := b.run(t, "shop:order:create", order)
			want(t, data(t, r), "id", "1001")
			if r.Version != e.version {
				t.Errorf("version %q, want %q", r.Version, e.version)
			}
			for _, v := range r.Verify {
				if !v.OK {
					t.Errorf("check %q does not hold in a success", v.Message)
				}
			}
			found := b.mustRun(t, "shop:order:search", map[string]any{"words": "爱达"})
			want(t, found, "count", "1")
			row := found["orders"].([]any)[0].(map[string]any)
			for field, value := range map[string]string{"id": "1001", "customer": order["customer"].(string), "product": "Drill press", "quantity": "7", "date": "2026-05-01"} {
				want(t, row, field, value)
			}
			want(t, b.mustRun(t, "shop:order:search", map[string]any{"words": "nothing of that"}), "count", "0")
			want(t, b.mustRun(t, "shop:order:delete", map[string]any{"id": "1001"}), "id", "1001")
			want(t, b.mustRun(t, "shop:order:search", nil), "count", "3")
		})
	}
}

func TestShopRefuses(t *testing.T) {
	t.Parallel()
	for _, e := range testkit.One(t, "editions", shopEditions) {
		t.Run(e.version, func(t *testing.T) {
			b, _ := newShop(t, e, shortWait)
			tests := []struct {
				name, action string
				params       map[string]any
				code         diag.Code
				message      string
			}{
				{"wrong password", "shop:session:login", map[string]any{"password": "wrong"}, diag.StepFailed, "refused the sign-in of ada"},
				{"no password", "shop:session:login", nil, diag.ParamRequired, "password"},
				{"unknown customer", "shop:order:create", map[string]any{"customer": "Nobody"}, diag.StepFailed, "Nobody is not known"},
				{"unknown product", "shop:order:create", map[string]any{"customer": "Ada", "product": "Zeppelin"}, diag.ElementNotFound, "Zeppelin"},
				{"too many", "shop:order:create", map[string]any{"customer": "Ada", "quantity": 100}, diag.ParamInvalid, "quantity"},
				{"no such order", "shop:order:delete", map[string]any{"id": "77"}, diag.ElementNotFound, "77"},
				{"unknown param", "shop:order:create", map[string]any{"custmer": "Ada"}, diag.ParamInvalid, "custmer"},
				{"unknown action", "shop:order:crate", nil, diag.ActionNotFound, "shop:order:crate"},
			}
			for _, tt := range tests {
				t.Run(tt.name, func(t *testing.T) { wantError(t, b.run(t, tt.action, tt.params), tt.code, tt.message) })
			}
			want(t, b.mustRun(t, "shop:order:search", nil), "count", "3")
		})
	}
}

// TestShopInChinese checks that the fallbacks of aliases find the Chinese buttons, however the
// library spaces the characters.
func TestShopInChinese(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	for _, e := range testkit.One(t, "editions", shopEditions) {
		t.Run(e.version, func(t *testing.T) {
			b, base := newShop(t, e)
			b.mustRun(t, "shop:session:login", map[string]any{"password": shop.DefaultPassword})
			b.mustRun(t, "web:page:open", map[string]any{"url": base + "/orders?lang=zh"})
			r := b.run(t, "shop:order:create", map[string]any{"customer": "Ada"})
			data(t, r)
			wantDegraded(t, r, "new_order", "create")
		})
	}
}

// want compares the text of one field of a result.
func want(t *testing.T, got map[string]any, field, value string) {
	t.Helper()
	if text := fmt.Sprint(got[field]); text != value {
		t.Errorf("%s: got %q, want %q", field, text, value)
	}
}

func wantError(t *testing.T, r *executor.Result, code diag.Code, part string) {
	t.Helper()
	switch {
	case r.Error == nil:
		t.Errorf("%s succeeded, want %s", r.Action, code)
	case r.Error.Code != code || !strings.Contains(r.Error.Msg, part):
		t.Errorf("got %s\nwant %s with %q", describe(r.Error), code, part)
	case r.Error.Hint == "":
		t.Errorf("%s %q has no next step", r.Error.Code, r.Error.Msg)
	}
}

func wantDegraded(t *testing.T, r *executor.Result, aliases ...string) {
	t.Helper()
	var got []string
	for _, d := range r.Degraded {
		got = append(got, d.Alias)
	}
	slices.Sort(got)
	slices.Sort(aliases)
	if !slices.Equal(got, aliases) {
		t.Errorf("degraded: %v, want %v", got, aliases)
	}
}

func wantWarnings(t *testing.T, r *executor.Result, codes ...string) {
	t.Helper()
	var got []string
	for _, w := range r.Warnings {
		got = append(got, w.Code)
	}
	if !slices.Equal(got, codes) {
		t.Errorf("warnings: %v, want %v", r.Warnings, codes)
	}
}

func TestAntd(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, antd.Handler(modules))
	for _, v := range []struct{ major, version string }{{"4", "4.24.16"}, {"5", "5.29."}} {
		for _, lang := range []string{"en", "zh"} {
			t.Run(v.major+" "+lang, func(t *testing.T) {
				b := newBench(t, nil, []string{"../../testdata/antd/actions"}, "BASE_URL="+base+"/"+v.major+"?lang="+lang)
				r := b.run(t, "antd:order:create", map[string]any{
					"customer": "Ada Lovelace", "product": "Magnifier", "quantity": 12, "delivery": "2026-05-01", "express": true, "gift": true,
				})
				got := data(t, r)
				want(t, got, "message", "Order 2 created")
				for _, part := range []string{"Ada Lovelace", "Magnifier", "12", "2026-05-01", "Yes"} {
					if row := got["row"].(string); !strings.Contains(row, part) {
						t.Errorf("the row %q has no %s", row, part)
					}
				}
				if !strings.HasPrefix(r.Version, v.version) {
					t.Errorf("version %q, want %s", r.Version, v.version)
				}
				if lang == "zh" {
					wantDegraded(t, r, "add", "ok")
				} else {
					wantDegraded(t, r)
				}
				want(t, b.mustRun(t, "antd:order:list", nil), "count", "1") // the page was loaded again
			})
		}
	}
}

// latePage loads its library when its button is pressed.
const latePage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Late</title></head><body>
<button id="load">Load</button> <p class="old">old</p> <p class="new">new</p>
<script>
document.getElementById("load").onclick = () => { window.Lib = {version: new URLSearchParams(location.search).get("v")} };
</script></body></html>
`

const lateActions = `
namespace: late
version: 1.0.0
env: [{name: BASE, secret: false}]
compatibility:
  version_script: window.Lib && Lib.version
  min_version: "1.2.0"
  max_version: "2.x"
  version_overrides:
    "2.x":
      selectors: {part: "css:p.new"}
      actions:
        part:which:
          steps: [{action: set, args: {values: {which: second}}, output: kept}]
selectors:
  part: "css:p.old"
actions:
  page:open:
    params: {query: {type: string, default: ""}}
    steps: [{action: open, args: {url: "${env.BASE}/${query}"}}]
  part:read:
    steps:
      - {action: get, args: {selector: "${selectors.part}", what: text}, output: before}
      - {action: click, args: {selector: "css:#load"}}
      - {action: get, args: {selector: "${selectors.part}", what: text}, output: after}
    returns: {before: "${steps.before.text}", after: "${steps.after.text}"}
  part:again:
    steps: [{action: get, args: {selector: "${selectors.part}", what: text}, output: part}]
    returns: {text: "${steps.part.text}"}
  part:which:
    steps: [{action: set, args: {values: {which: first}}, output: kept}]
    returns: {which: "${steps.kept.which}"}
  page:stay:
    steps: [{action: hover, args: {selector: "css:#load"}}]
    verify: [{selector: "css:p.old", message: The old part is gone}]
  page:change:
    steps: [{action: hover, args: {selector: "css:#load"}}]
    verify: [{selector: "css:p.old", require_change: true, message: The old part is gone}]
`

func newLate(t *testing.T) *bench {
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, latePage)
	}))
	return newBench(t, map[string]string{"late.yaml": lateActions}, nil, "BASE="+base)
}

// TestVersionOfALateLibrary checks that each document is queried for the version of its library until
// the version is found.
func TestVersionOfALateLibrary(t *testing.T) {
	t.Parallel()
	b := newLate(t)
	b.mustRun(t, "late:page:open", map[string]any{"query": "?v=2.1.0-beta"})
	want(t, b.mustRun(t, "late:part:which", nil), "which", "first")
	r := b.run(t, "late:part:read", nil)
	want(t, data(t, r), "before", "old")
	want(t, data(t, r), "after", "new")
	if r.Version != "2.1.0" {
		t.Errorf("version %q, want 2.1.0", r.Version)
	}
	want(t, b.mustRun(t, "late:part:again", nil), "text", "new")
	want(t, b.mustRun(t, "late:part:which", nil), "which", "second")

	b.mustRun(t, "late:page:open", nil)
	r = b.run(t, "late:part:again", nil)
	want(t, data(t, r), "text", "old")
	wantWarnings(t, r, executor.WarnVersionNotDetected)
	if r.Version != "" {
		t.Errorf("version %q of a page that has none", r.Version)
	}
}

func TestVersionIncompatible(t *testing.T) {
	t.Parallel()
	b := newLate(t)
	for _, tt := range []struct {
		version string
		refused bool
	}{{"1.1.9", true}, {"1.2.0", false}, {"2.99.99", false}, {"3.0.0", true}} {
		t.Run(tt.version, func(t *testing.T) {
			b.mustRun(t, "late:page:open", map[string]any{"query": "?v=" + tt.version})
			r := b.run(t, "late:part:read", nil)
			if !tt.refused {
				data(t, r)
				return
			}
			wantError(t, r, diag.VersionIncompatible, tt.version)
			if r.Error != nil && (!strings.Contains(r.Error.Msg, "1.2.0") || !strings.Contains(r.Error.Msg, "2.x")) {
				t.Errorf("%q does not contain the range", r.Error.Msg)
			}
		})
	}
}

func TestNoEffect(t *testing.T) {
	t.Parallel()
	b := newLate(t)
	b.mustRun(t, "late:page:open", nil)
	r := b.run(t, "late:page:stay", nil)
	data(t, r)
	wantWarnings(t, r, executor.WarnNoEffect)
	if v := r.Verify; len(v) != 1 || !v[0].OK || v[0].Changed == nil || *v[0].Changed {
		t.Errorf("verify %+v, want one that holds and did not change", v)
	}
	r = b.run(t, "late:page:change", nil)
	wantError(t, r, diag.VerifyFailed, "The old part is gone")
	if r.Error != nil && r.Error.Details["reason"] != "no_effect" {
		t.Errorf("details %v, want reason no_effect", r.Error.Details)
	}
}

func TestBuiltinActionsOnPages(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newBench(t, nil, nil, shortWait)
	nav := base + "/nav.html"

	got := b.mustRun(t, "web:page:open", map[string]any{"url": nav})
	want(t, got, "title", "Navigation")
	want(t, got, "status", "200")
	got = b.mustRun(t, "web:page:read", nil)
	if text := got["text"].(string); !strings.Contains(text, "New tab") || strings.Contains(text, "addEventListener") {
		t.Errorf("the text of the page is %q", text)
	}
	want(t, b.mustRun(t, "web:page:read", map[string]any{"url": nav, "within": "css:#part"}), "text", "Part")

	got = b.mustRun(t, "web:link:follow", map[string]any{"text": "Link"})
	want(t, got, "from", nav)
	want(t, got, "url", base+"/echo?from=link")
	want(t, got, "title", "Echo")
	wantError(t, b.run(t, "web:link:follow", map[string]any{"text": "No such link"}), diag.ElementNotFound, "No such link")

	b.mustRun(t, "web:page:open", map[string]any{"url": nav})
	want(t, b.mustRun(t, "web:button:press", map[string]any{"text": "Push state"}), "url", nav+"?step=2")
	b.mustRun(t, "web:page:wait", map[string]any{"text": "step 2"})

	shot := b.mustRun(t, "web:page:shot", map[string]any{"path": "shot.png", "full_page": true})
	checkPicture(t, shot, filepath.Join(b.cwd, "shot.png"))
	wantError(t, b.run(t, "web:page:shot", map[string]any{"path": "/shot.png"}), diag.PolicyDenied, "/shot.png")
}

func checkPicture(t *testing.T, got map[string]any, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, _, err := image.DecodeConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	want(t, got, "width", fmt.Sprint(picture.Width))
	want(t, got, "height", fmt.Sprint(picture.Height))
	if real, err := filepath.EvalSymlinks(path); err != nil || got["path"] != real {
		t.Errorf("path %v, want %s (%v)", got["path"], real, err)
	}
}

const formPage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Form</title></head><body>
<form>
<label>Name <input name="name" value="old"></label>
<label for="notes">Notes</label><textarea id="notes" name="notes"></textarea>
<label>Mail * <input type="email" name="mail"></label>
<label>Count<b>*</b> <input type="number" name="count" min="1"></label>
<label>Day: <input type="date" name="day"></label>
<label>Time <input type="time" name="time"></label>
<label>Colour <input type="color" name="colour"></label>
<label>Level <input type="range" name="level" min="0" max="100"></label>
<label>Country <select name="country"><option value="se">Sweden</option><option value="no">Norway</option></select></label>
<label>Terms * <input type="checkbox" name="terms"></label>
<label>News <input type="checkbox" name="news" checked></label>
<label>By post <input type="radio" name="way" value="post" checked></label>
<label>By van <input type="radio" name="way" value="van"></label>
<div role="switch" aria-checked="false" aria-label="Express" tabindex="0" id="express"
  onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">switch</div>
<div contenteditable role="textbox" aria-label="Story" id="story">old</div>
</form></body></html>
`

func TestBuiltinFormFill(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, formPage)
	}))
	b := newBench(t, map[string]string{"state.yaml": `
namespace: state
version: 1.0.0
actions:
  form:read:
    steps:
      - action: eval
        args: {script: "Object.assign(Object.fromEntries(new FormData(document.querySelector('form'))), {express: express.getAttribute('aria-checked'), story: story.textContent})"}
        output: form
    returns: {form: "${steps.form.value}"}
`}, nil, shortWait)
	fields := []struct{ label, value, kind, name, want string }{
		{"Name", "Ada", "text", "name", "Ada"},
		{"Notes", "two\nlines", "text", "notes", "two\nlines"},
		{"Mail", "ada@example.test", "text", "mail", "ada@example.test"},
		{"Count", "12", "text", "count", "12"},
		{"Day", "2026-05-01", "text", "day", "2026-05-01"},
		{"Time", "13:45", "text", "time", "13:45"},
		{"Colour", "#ff8800", "text", "colour", "#ff8800"},
		{"Level", "75", "text", "level", "75"},
		{"Country", "Norway", "select", "country", "no"},
		{"Terms", "", "check", "terms", "on"},
		{"News", "", "uncheck", "news", "<nil>"},
		{"By van", "", "check", "way", "van"},
		{"Express", "", "check", "express", "true"},
		{"Story", "new story", "text", "story", "new story"},
	}
	boxes := map[string]string{"check": "true", "uncheck": "false"}
	for _, said := range []bool{true, false} { // whether the action gets the kind of each field
		b.mustRun(t, "web:page:open", map[string]any{"url": base})
		var list []any
		for _, f := range fields {
			field := map[string]any{"label": f.label, "value": f.value, "kind": f.kind}
			if !said {
				delete(field, "kind")
				field["value"] = cmp.Or(boxes[f.kind], f.value)
			}
			list = append(list, field)
		}
		want(t, b.mustRun(t, "web:form:fill", map[string]any{"fields": list}), "count", fmt.Sprint(len(fields)))
		form := b.mustRun(t, "state:form:read", nil)["form"].(map[string]any)
		for _, f := range fields {
			want(t, form, f.name, f.want)
		}
	}
	for _, tt := range []struct {
		name, label, value, kind string
		code                     diag.Code
	}{
		{"no such field", "Nothing", "x", "text", diag.ElementNotFound},
		{"no date", "Day", "tomorrow", "text", diag.StepFailed},
		{"no number", "Count", "many", "text", diag.StepFailed},
		{"no such option", "Country", "Denmark", "select", diag.StepFailed},
		{"no such option of a field without a kind", "Country", "Denmark", "auto", diag.StepFailed},
		{"no such field without a kind", "Nothing", "x", "auto", diag.ElementNotFound},
		{"text into a checkbox", "Terms", "yes", "text", diag.StepFailed},
		{"unknown kind", "Name", "x", "slider", diag.ParamInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			field := map[string]any{"label": tt.label, "value": tt.value, "kind": tt.kind}
			wantError(t, b.run(t, "web:form:fill", map[string]any{"fields": []any{field}}), tt.code, "")
		})
	}
}

func TestBuiltinActionsOnTheShop(t *testing.T) {
	t.Parallel()
	b, base := newShop(t, shopEditions[0])
	b.mustRun(t, "web:page:open", map[string]any{"url": base + "/login"})
	r := b.run(t, "web:login:submit", map[string]any{"user": shop.DefaultUser, "password": "wrong-password"})
	wantError(t, r, diag.VerifyFailed, "still asks for a password")
	if text := encode(t, r); strings.Contains(text, "wrong-password") {
		t.Errorf("the result contains the password: %s", text)
	}

	r = b.run(t, "web:login:submit", map[string]any{"user": shop.DefaultUser, "password": shop.DefaultPassword})
	want(t, data(t, r), "url", base+"/orders")
	wantDegraded(t, r) // no fallback: the button without a type attribute is a submit button

	got := b.mustRun(t, "web:table:extract", nil)
	want(t, got, "count", "3")
	header, rows := got["header"].([]any), got["rows"].([]any)
	want(t, header[1].(map[string]any), "text", "Customer")
	want(t, rows[0].(map[string]any), "cells", "[#1000 Grace Hopper Compass 2 No 2026-03-02 Delete]")
	r = b.runWith(t, "web:table:extract", session.RunOptions{Params: map[string]any{"table": "role:table[name='Orders']"}, FromText: true})
	want(t, data(t, r), "count", "3")
}

// TestBuiltinLoginOnTheOtherShop signs in to the second edition, whose button has a type attribute.
// The action itself opens the page.
func TestBuiltinLoginOnTheOtherShop(t *testing.T) {
	t.Parallel()
	b, base := newShop(t, shopEditions[1])
	r := b.run(t, "web:login:submit", map[string]any{"url": base + "/login", "user": shop.DefaultUser, "password": shop.DefaultPassword})
	want(t, data(t, r), "url", base+"/orders")
	wantDegraded(t, r)
}

// TestVersionByMarkup tests an application that bundles its library and does not state its version.
// The markup determines the version as soon as it appears.
func TestVersionByMarkup(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Bundled</title><button id=load onclick="document.body.insertAdjacentHTML('beforeend', '<ul class=x-select-menu>two</ul>')">Load</button> <p class=old>old</p> <p class=new>new</p>`)
	}))
	b := newBench(t, map[string]string{"bundled.yaml": `
namespace: bundled
version: 1.0.0
compatibility:
  version_script: window.Lib && Lib.version
  version_markup: {"1.x": "class:select-list", "2.x": "class:select-menu"}
  version_overrides: {"2.x": {selectors: {part: "css:p.new"}}}
selectors: {part: "css:p.old"}
actions:
  part:read:
    steps:
      - {get: {what: text, selector: "${selectors.part}"}, output: before}
      - click: "css:#load"
      - {get: {what: text, selector: "${selectors.part}"}, output: after}
    returns: {before: "${steps.before.text}", after: "${steps.after.text}"}
`}, nil)
	b.open(t, base)
	r := b.run(t, "bundled:part:read", nil)
	got := data(t, r)
	want(t, got, "before", "old")
	want(t, got, "after", "new")
	if r.Version != "2.x" || r.Detected != executor.DetectedByMarkup {
		t.Errorf("version %q, detected by %q", r.Version, r.Detected)
	}
}
