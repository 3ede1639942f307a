package session_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// longWait is the timeout of a step in these tests. An error must come long before it: calmWithin
// is enough for the whole action on a busy machine.
const (
	longWait   = "ACTION_ACTIONS_DEFAULT_TIMEOUT=60s"
	calmWithin = 30 * time.Second
)

// calmList is a list that opens on a press and shows its options when fill is called.
const calmList = `<!doctype html><title>List</title><form><label id=l>City</label>
<div role=combobox tabindex=0 aria-labelledby=l aria-controls=o aria-expanded=false onclick="o.hidden=false;this.ariaExpanded='true';opened()"><span id=v>–</span></div></form>
<div role=listbox id=o hidden></div><p id=s></p>
<script>
function fill() { o.ariaBusy = 'false'; s.className = ''; o.innerHTML = ['Oslo', 'Bergen'].map((t) => '<div role=option onclick="v.textContent=this.textContent;o.hidden=true">' + t + '</div>').join('') }
function opened() { %s }
</script>`

// TestCalmWaits checks that a step waits for options that appear late, with or without a loading
// indicator. A missing option is an error long before the timeout of the step.
func TestCalmWaits(t *testing.T) {
	t.Parallel()
	const get = `fetch('/slow').then((r) => r.text()).then(fill)`
	pages := [][2]string{
		{"/at-once", `fill()`},
		{"/timer", `setTimeout(fill, 1000)`},
		{"/request", get},
		{"/debounced", `setTimeout(() => ` + get + `, 900)`},
		{"/aria", `o.ariaBusy = 'true'; setTimeout(fill, 2500)`},
		{"/spinner", `s.className = 'spinner-border'; s.style.cssText = 'width:20px;height:20px'; setTimeout(fill, 2500)`},
		{"/both", `o.ariaBusy = 'true'; ` + get},
		{"/more", `fetch('/slow').then(() => fetch('/slow')).then(fill)`},
		{"/drawing", `let n = 0; const tick = setInterval(() => { s.textContent = n++; if (n > 20) { clearInterval(tick); fill() } }, 120)`},
		{"/moving", `s.textContent = 'Wait'; s.animate([{opacity: 0}, {opacity: 1}], 2500).onfinish = fill`},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Second)
		fmt.Fprint(w, "ok")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for _, page := range pages {
			if page[0] == r.URL.Path {
				fmt.Fprintf(w, calmList, page[1])
			}
		}
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, longWait)
	for _, page := range testkit.Some(t, "lists that come", 2, pages) {
		b.mustRun(t, "web:page:open", object{"url": base + page[0]})
		if r := b.run(t, "components:select:choose", object{"label": "City", "option": "Bergen"}); r.Error != nil {
			t.Errorf("%s: %v", page[0], r.Error)
		}
	}
	b.mustRun(t, "web:page:open", object{"url": base + "/at-once"})
	from := time.Now()
	wantError(t, b.run(t, "components:select:choose", object{"label": "City", "option": "Rome"}), diag.StepFailed, `there are "Oslo", "Bergen"`)
	if took := time.Since(from); took > calmWithin {
		t.Errorf("the refusal came after %s", took)
	}
}

// TestCalmSteps checks which waits calm ends before their timeout, and which it does not end.
func TestCalmSteps(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><title>Page</title><button onclick="setTimeout(()=>{late.disabled=false},3000)">Start</button><button id=late disabled>Send</button>
<div role=menu><div role=menuitem aria-disabled=true>Off</div></div><p hidden id=gone>Gone</p><p id=shown>Shown</p><button>Other</button>`
	b := newBench(t, map[string]string{"try.yaml": `namespace: try
version: 1.0.0
selectors: {either: {primary: "css:.none", fallback: ["css:#shown"]}}
actions:
  no:element: {calm: true, steps: [{click: "text:Nothing"}]}
  no:step: {steps: [{wait: "text:Nothing", calm: true}]}
  no:block: {steps: [{foreach: [1], calm: true, steps: [{get: {selector: "text:Nothing", what: text}}]}]}
  an:item: {calm: true, steps: [{click: "role:menuitem[name='Off']"}]}
  what:hides: {calm: true, steps: [{wait: "css:#gone"}]}
  what:stays: {calm: true, steps: [{wait: {selector: "role:menu", state: hidden}}]}
  no:rows: {calm: true, steps: [{extract: {rows: "css:.row", fields: {t: {what: text}}}, output: rows}], returns: {count: "${steps.rows.count}"}}
  a:fallback: {calm: true, steps: [{click: "text:Other"}, {wait: {time: 1200ms}}, {get: {selector: "${selectors.either}", what: text}}]}
  a:button: {calm: true, steps: [{click: "text:Start"}, {click: "text:Send"}]}
`}, nil, longWait)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
	b.mustRun(t, "web:page:open", object{"url": serve(t, mux)})
	for _, tt := range []struct {
		action string
		code   diag.Code
		says   string
	}{
		{"no:element", diag.ElementNotFound, "nothing matches text:Nothing, and the page is calm"},
		{"no:step", diag.ElementNotFound, "the page is calm"},
		{"no:block", diag.ElementNotFound, "the page is calm"},
		{"an:item", diag.ElementNotInteractable, "aria-disabled"},
		{"what:hides", diag.ElementNotInteractable, "Gone"},
		{"what:stays", diag.ElementNotInteractable, "it is still visible"},
	} {
		from := time.Now()
		wantError(t, b.run(t, "try:"+tt.action, nil), tt.code, tt.says)
		if took := time.Since(from); took > calmWithin {
			t.Errorf("%s came after %s", tt.action, took)
		}
	}
	want(t, b.mustRun(t, "try:no:rows", nil), "count", "0")
	b.mustRun(t, "try:a:button", nil)
	b.mustRun(t, "try:a:fallback", nil) // a fallback waits for its grace time; a page is calm after a shorter time
}

// TestCalmRefusals checks the errors on pages of libraries: each comes as soon as the page is calm.
func TestCalmRefusals(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, libraries.Handler(modules))
	b := newBench(t, nil, nil, longWait)
	refusals := []struct {
		action string
		params object
		code   diag.Code
		says   string
	}{
		{"select:choose", object{"label": "Segment", "option": "Zoo"}, diag.StepFailed, "no option Zoo"},
		{"select:choose", object{"label": "Tags", "option": "Zoo"}, diag.StepFailed, "no option Zoo"},
		{"select:choose", object{"label": "Item", "option": "Zoo"}, diag.StepFailed, "no option Zoo"},
		{"select:choose", object{"label": "Terms", "option": "Private"}, diag.ElementNotInteractable, "disabled"},
		{"cascader:choose", object{"label": "Region", "path": []any{"Europe", "Zoo"}}, diag.StepFailed, "no option Zoo in level 1"},
		{"pagination:go", object{"page": 9, "within": "Orders"}, diag.StepFailed, "no page 9"},
		{"table:row-action", object{"row": "Nobody", "text": "Edit", "within": "Orders"}, diag.ElementNotFound, "no row Nobody"},
		{"table:filter", object{"column": "Status", "options": []any{"Zoo"}, "within": "Orders"}, diag.StepFailed, "no option Zoo"},
		{"table:sort", object{"column": "Zoo", "within": "Orders"}, diag.ElementNotFound, "nothing matches"},
		{"tabs:switch", object{"text": "Zoo"}, diag.ElementNotFound, "no tab Zoo; there are "},
		{"menu:select", object{"path": []any{"Zoo"}, "within": "Menu"}, diag.StepFailed, "no item Zoo"},
		{"tree:select", object{"path": []any{"Head office", "Zoo"}, "within": "Places"}, diag.ElementNotFound, "no node Zoo in level 1"},
	}
	for _, row := range somePairs(t, "refusals", 17, libraries.Pages(), refusals) {
		p, tt := row.a, row.b
		t.Run(p.Name+"/"+tt.action, func(t *testing.T) {
			b.open(t, base+"/"+p.Name)
			from := time.Now()
			wantError(t, b.run(t, p.Library+":"+tt.action, tt.params), tt.code, tt.says)
			if took := time.Since(from); took > calmWithin {
				t.Errorf("%s %v came after %s", tt.action, tt.params, took)
			}
		})
	}
}
