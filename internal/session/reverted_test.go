package session_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

const revertPage = `<!doctype html><title>Revert</title>
<form onsubmit="event.preventDefault(); this.reset()"><input id=f><input id=g><input id=up type=file><button id=send>Send</button></form>
<button id=away onclick="location = '/other'">Leave</button>
<dialog open id=d><input id=inner><button id=close onclick="inner.value = ''; d.close()">Close</button></dialog>
<iframe id=one srcdoc="<input id=f>"></iframe><iframe id=two srcdoc="<input id=f>"></iframe>
<p id=out></p>
<script>%s</script>`

// revertSteps has the steps of these tests, by name.
var revertSteps = map[string]string{
	"set":        `{action: fill, args: {selector: "css:#f", value: new}}`,
	"set again":  `{action: fill, args: {selector: "css:#f", value: newer}}`,
	"tolerate":   `{action: fill, args: {selector: "css:#f", value: new}, on_error: continue}`,
	"other":      `{action: fill, args: {selector: "css:#g", value: x}}`,
	"focus":      `{action: focus, args: {selector: "css:#g"}}`,
	"inner":      `{action: fill, args: {selector: "css:#inner", value: new}}`,
	"frames":     `{action: fill, args: {selector: "frame:#one >> css:#f", value: new}}` + "\n      - " + `{action: fill, args: {selector: "frame:#two >> css:#f", value: new}}`,
	"each":       `{action: foreach, args: {items: [a, b, c]}, steps: [{action: fill, args: {selector: "css:#f", value: "${item}"}}]}`,
	"nested":     `{action: run, args: {action: "late:set:field"}}`,
	"nested off": `{action: run, args: {action: "late:set:field"}, on_error: continue}`,
	"upload":     `{action: upload, args: {selector: "css:#up", files: a.txt}}`,
	"empty":      `{action: wait, args: {function: "document.getElementById('up').value = ''; return true"}}`,
	"revert":     `{action: wait, args: {function: "document.getElementById('f').value = 'old'; return true"}}`,
	"renew":      `{action: wait, args: {function: "const f = document.getElementById('f'), n = f.cloneNode(); n.value = f.value; f.replaceWith(n); return true"}}`,
	"in two":     `{action: wait, args: {function: "document.getElementById('two').contentDocument.getElementById('f').value = 'old'; return true"}}`,
	"submit":     `{action: click, args: {selector: "css:#send"}}`,
	"leave":      `{action: click, args: {selector: "css:#away"}}`,
	"close":      `{action: click, args: {selector: "css:#close"}}`,
	"key":        `{action: press, args: {key: Escape}}`,
	"enter":      `{action: press, args: {selector: "css:#f", key: Enter}}`,
	"eval":       `{action: eval, args: {script: "document.getElementById('g').value = 'y'"}}`,
	"empty all":  `{action: eval, args: {script: "document.getElementById('f').value = ''"}}`,
	"row":        `{action: fill, args: {selector: "css:#row", value: new}}`,
	"move":       `{action: scroll, args: {selector: "css:#list", direction: down}}`,
	"open":       `{action: open, args: {url: "about:blank"}}`,
}

// quietSteps has steps that are not input to a page, or do not change the value of a control.
var quietSteps = map[string]string{
	"requests":      `{action: requests}`,
	"cookies":       `{action: cookies, args: {do: list}}`,
	"store":         `{action: storage, args: {do: set, name: a, value: b}}`,
	"tabs":          `{action: tab, args: {do: list}}`,
	"routes":        `{action: route, args: {do: list}}`,
	"dialogs":       `{action: dialog, args: {do: history}}`,
	"hover":         `{action: hover, args: {selector: "css:#send"}}`,
	"mouse":         `{action: mouse_move, args: {x: 2, y: 2}}`,
	"scroll":        `{action: scroll, args: {direction: down}}`,
	"scroll to":     `{action: scroll_to, args: {x: 0, y: 100}}`,
	"into view":     `{action: scroll_into_view, args: {selector: "css:#out"}}`,
	"scroll to end": `{action: scroll_until, args: {max_scrolls: 2, stall: 0s}}`,
	"collect":       `{action: collect, args: {rows: "css:button", fields: {text: {what: text}}}}`,
}

const (
	listsLater      = "up.onchange = () => { const { name } = up.files[0]; setTimeout(() => { up.value = ''; setTimeout(() => { out.innerHTML = '<b>' + name.slice(0, 2) + '</b><i>' + name.slice(2) + '</i> <small>1 byte</small>' }, 600) }, 250) }"
	listsAndForgets = "up.onchange = () => { const [file] = up.files; out.textContent = file.name; up.value = ''; setTimeout(() => (out.textContent = ''), 300) }"
	takenBack       = "f.oninput = () => setTimeout(() => { f.value = 'old' }, 300); out.textContent = 'Below'; document.body.style.height = '3000px'"
	usedAgain       = `document.body.insertAdjacentHTML("beforeend", "<div id=list style='height:60px;overflow:auto'><div style='height:3000px;position:relative'><div style='position:absolute;top:0'><input id=row></div></div></div>"); ` +
		"list.onscroll = () => setTimeout(() => { row.value = 'of another row' }, 50)"
)

// TestRevertedByThePage checks that a run fails if the page later changes a control that the run
// has set.
func TestRevertedByThePage(t *testing.T) {
	t.Parallel()
	type row struct {
		steps, script string
		reverted      bool
	}
	tests := []row{
		{steps: "set"},
		{steps: "set, revert", reverted: true},
		{steps: "set, revert, other", reverted: true},
		{steps: "set, revert, submit", reverted: true},
		{steps: "set, revert, leave", reverted: true},
		{steps: "set, revert, key", reverted: true},
		{steps: "set, revert, eval", reverted: true},
		{steps: "set, revert, open", reverted: true},
		{steps: "set, revert, set again"},
		{steps: "set, revert, other, set again, leave"},
		{steps: "set, submit, revert"},
		{steps: "set, enter"},
		{steps: "set, empty all"},
		{steps: "set, open"},
		{steps: "tolerate, revert"},
		{steps: "each"},
		{steps: "each, revert", reverted: true},
		{steps: "nested, revert", reverted: true},
		{steps: "nested, revert, leave", reverted: true},
		{steps: "nested off, revert"},
		{steps: "nested, submit"},
		{steps: "frames"},
		{steps: "frames, in two", reverted: true},
		{steps: "frames, open"},
		{steps: "inner, close"},
		{steps: "set, renew"},
		{steps: "upload, other"},
		{steps: "upload, empty", reverted: true},
		{steps: "upload", script: listsLater},
		{steps: "upload", script: listsAndForgets, reverted: true},
		{steps: "upload, other", script: listsAndForgets, reverted: true},
		{steps: "upload, submit", script: listsAndForgets},
		{steps: "upload", script: strings.Replace(listsAndForgets, "''), 300", "'', fetch('/up', {method: 'POST', body: file})), 300", 1)},
		{steps: "upload, other", script: listsLater},
		{steps: "upload, submit", script: listsLater},
		{steps: "set", script: "f.oninput = () => setTimeout(() => { out.textContent = 'Suggestions' }, 50)"},
		{steps: "set, other", script: "f.onblur = () => { f.value = ' NEW ' }"},
		{steps: "set, other, revert", script: "f.onblur = () => setTimeout(() => {}, 0)", reverted: true},
		{steps: "set, focus", script: "f.onblur = () => { f.value = '' }", reverted: true},
		{steps: "row, move", script: usedAgain},
		{steps: "set", script: "fetch('/late').then(() => setTimeout(() => { f.value = 'of the server' }, 200)); f.oninput = () => navigator.sendBeacon('/go')", reverted: true},
		{steps: "set", script: "fetch('/late').then(() => setTimeout(() => { g.value = 'of the server' }, 200)); f.oninput = () => navigator.sendBeacon('/go')"},
	}
	for _, name := range slices.Sorted(maps.Keys(quietSteps)) {
		tests = append(tests, row{steps: "set, " + name, script: takenBack, reverted: true})
	}
	filled := make(chan struct{}, 1)
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/other":
			fmt.Fprint(w, "<p>Other</p>")
			return
		case "/go":
			filled <- struct{}{}
			return
		case "/late": // requested when the page loads, and answered after a field was filled
			select {
			case <-filled:
			case <-r.Context().Done():
			}
			return
		}
		fmt.Fprintf(w, revertPage, r.URL.Query().Get("script"))
	}))
	var yaml strings.Builder
	yaml.WriteString("namespace: late\nversion: 1.0.0\nactions:\n  set:field:\n    steps:\n      - " + revertSteps["set"] + "\n")
	for i, tt := range tests {
		fmt.Fprintf(&yaml, "  try:n%d:\n    steps:\n", i)
		for _, name := range strings.Split(tt.steps, ", ") {
			fmt.Fprintf(&yaml, "      - %s\n", cmp.Or(revertSteps[name], quietSteps[name]))
		}
	}
	b := newBench(t, map[string]string{"late.yaml": yaml.String()}, nil)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := make([]int, len(tests))
	for i := range all {
		all[i] = i
	}
	for _, i := range testkit.Some(t, "reverts", 6, all) {
		tt := tests[i]
		t.Run(tt.steps, func(t *testing.T) {
			b.open(t, base+"?script="+url.QueryEscape(tt.script))
			r := b.run(t, fmt.Sprintf("late:try:n%d", i), nil)
			if !tt.reverted {
				data(t, r)
				return
			}
			if tt.script == takenBack && codeOf(r.Error) == diag.StepFailed && strings.Contains(r.Error.Msg, `holds "old"`) {
				return // on a busy machine the timer may fire before the read-back
			}
			wantError(t, r, diag.VerifyFailed, "the page changed the value afterwards, by itself")
			if r.Error != nil && (r.Error.Details["reason"] != "reverted" || r.Error.Details["control"] == nil) {
				t.Errorf("details %v, want reverted and the control", r.Error.Details)
			}
		})
	}
	// Manual steps are not checked again, even after a failed run.
	hand := func(step string, args object) {
		t.Helper()
		data(t, b.Step(t.Context(), step, session.RunOptions{Params: args}))
	}
	b.open(t, base)
	hand("fill", object{"selector": "css:#f", "value": "new"})
	hand("eval", object{"script": "document.getElementById('f').value = 'old'"})
	hand("press", object{"key": "Escape"})
}

const choicesPage = `<!doctype html><title>Choices</title><main><form>
<div><label id=q1>City</label><button type=button id=city aria-labelledby=q1 role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=l1>Choose</button>
<ul role=listbox id=l1 hidden><li role=option>York</li><li role=option>Berlin</li></ul></div>
<div><label for=team>Team</label><input id=team role=combobox aria-expanded=false aria-controls=l2><ul role=listbox id=l2 hidden><li role=option>Red</li><li role=option>Blue</li></ul></div>
<div><label for=name>Name</label><input id=name></div>
<div><label id=q3>Express</label><div id=sw role=switch aria-labelledby=q3 tabindex=0 aria-checked=false>off</div></div>
<div><label for=day>When</label><input id=day></div>
</form>
<div role=tablist><button role=tab aria-selected=true>One</button><button role=tab aria-selected=false>Two</button></div>
<nav id=pages aria-label=Pagination></nav>
<table><thead><tr><th id=head aria-sort=none><button>Id</button></th><th>Text</th></tr></thead><tbody><tr><td>1</td><td>a</td></tr></tbody></table>
</main><script>
const back = location.search === '?stays' ? () => {} : (fn) => setTimeout(fn, 300);
const show = (box, on) => { const list = document.getElementById(box.getAttribute('aria-controls')); list.hidden = !on; box.ariaExpanded = String(on); return list };
for (const box of [city, team]) {
	box.onclick = () => show(box, true);
	for (const o of document.getElementById(box.getAttribute('aria-controls')).children) o.onclick = () => {
		const set = (text) => { if (box === city) box.innerHTML = '<span>' + text + '</span>'; else box.value = text };
		set(o.textContent);
		show(box, false);
		back(() => set(box === city ? 'Choose' : ''));
	};
}
onkeydown = (e) => { if (e.key === 'Escape') for (const box of [city, team]) show(box, false) };
sw.onclick = () => { sw.ariaChecked = 'true'; back(() => { sw.ariaChecked = 'false' }) };
const tabs = [...document.querySelectorAll('[role=tab]')], tab = (n) => tabs.forEach((each) => { each.ariaSelected = String(each === n) });
for (const n of tabs) n.onclick = () => { tab(n); back(() => tab(tabs[0])) };
const draw = (now) => { pages.innerHTML = [1, 2, 3].map((n) => '<button' + (n === now ? ' aria-current=page' : '') + '>' + n + '</button>').join(' ') };
draw(1);
pages.onclick = (e) => { draw(Number(e.target.textContent)); setTimeout(() => draw(location.search === '?stays' ? Number(e.target.textContent) : 1), 300) };
head.onclick = () => { head.ariaSort = 'ascending'; back(() => head.removeAttribute('aria-sort')) };
day.onchange = () => back(() => { day.value = '' });
</script>`

// TestRevertedChoices checks that a run also fails if the page reverts a value that an action has set
// with presses.
func TestRevertedChoices(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, choicesPage)
	}))
	b := newBench(t, map[string]string{"late.yaml": `
namespace: late
version: 1.0.0
actions:
  city:choose:
    steps:
      - {action: click, args: {selector: "css:#city"}}
      - {action: click, args: {selector: "css:#l1 >> text:York"}}
      - {action: get, args: {selector: "field:City >> text:York", what: text, keep: true}}
      - {action: fill, args: {selector: "css:#name", value: Ada}}
`}, nil)
	tests := []struct {
		action string
		params object
	}{
		{"components:select:choose", object{"label": "City", "option": "York"}},
		{"components:select:choose", object{"label": "Team", "option": "Blue"}},
		{"components:form:fill", object{"values": object{"City": "York"}}},
		{"components:switch:set", object{"label": "Express"}},
		{"components:date:pick", object{"label": "When", "value": "2026-03-04"}},
		{"components:tabs:switch", object{"text": "Two"}},
		{"components:pagination:go", object{"page": 2}},
		{"late:city:choose", nil},
	}
	for _, tt := range testkit.Some(t, "choices", 6, tests) {
		t.Run(fmt.Sprint(tt.action, " ", tt.params["label"]), func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"?stays")
			data(t, b.run(t, tt.action, tt.params))
			b.open(t, base)
			r := b.run(t, tt.action, tt.params)
			says := "the page changed the value afterwards, by itself"
			switch tt.action {
			case "components:pagination:go":
				says = "Another page is shown" // the action itself waits for the rows
			case "components:form:fill":
				says = "City (<span" // the action itself checks all its fields
			}
			wantError(t, r, diag.VerifyFailed, says)
		})
	}
	// table:sort itself waits until the page is at rest, and presses again.
	b.open(t, base+"?stays")
	data(t, b.run(t, "components:table:sort", object{"column": "Id"}))
	b.open(t, base)
	if r := b.run(t, "components:table:sort", object{"column": "Id"}); r.Error == nil || !strings.Contains(r.Error.Msg, "Id is not sorted ascending") {
		t.Errorf("table:sort: %v, want that it is not sorted", r.Error)
	}
}
