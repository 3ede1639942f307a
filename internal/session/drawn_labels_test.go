package session_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// A shownBy is a page, an action to run on it, and a condition that must hold afterwards.
type shownBy struct {
	name, html, action string
	params             object
	truth              string // a JavaScript expression; "" means that the action must fail
}

// runShown runs each row on a new page, and compares the result of the action with the condition.
func runShown(t *testing.T, rows []shownBy) {
	t.Helper()
	mux := http.NewServeMux()
	for i, tt := range rows {
		mux.HandleFunc(fmt.Sprintf("GET /%d", i), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><html lang=en><title>Page</title>"+tt.html)
		})
	}
	mux.HandleFunc("POST /sent", func(http.ResponseWriter, *http.Request) {})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for i, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			b.mustRun(t, "web:page:open", object{"url": fmt.Sprintf("%s/%d", base, i)})
			r := b.run(t, "components:"+tt.action, tt.params)
			if tt.truth == "" {
				if r.Error == nil {
					t.Error("ok, want a failure")
				}
				return
			}
			if r.Error != nil {
				t.Fatal(describe(r.Error))
			}
			look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": tt.truth}, Cwd: b.cwd})
			if got := data(t, look)["value"]; got != true {
				t.Errorf("%s is %v", tt.truth, got)
			}
		})
	}
}

// TestInputsThatTheirLabelsDraw tests hidden inputs that are drawn by their labels: several share a
// parent, or one is not displayed.
func TestInputsThatTheirLabelsDraw(t *testing.T) {
	t.Parallel()
	styles := map[string]string{
		"clipped":     "position:absolute;clip:rect(0,0,0,0);pointer-events:none",
		"undisplayed": "display:none",
		"invisible":   "visibility:hidden;position:absolute",
		"transparent": "opacity:0;position:absolute;width:0;height:0",
	}
	inputs := func(style, input string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "<style>.h{%s}.b{border:1px solid;padding:3px}.h:checked+.b{background:#06c}</style>", style)
		for i, text := range []string{"Wifi", "Pool", "Bar"} {
			fmt.Fprintf(&b, `<input class=h id=i%d %s><label class="btn b" for=i%d>%s</label>`, i, input, i, text)
		}
		return b.String()
	}
	const note = "<label>Note <input></label>"
	const one, two = "i1.checked && !i0.checked && !i2.checked", "i1.checked && i2.checked && !i0.checked"
	var rows []shownBy
	for _, name := range slices.Sorted(maps.Keys(styles)) {
		style := styles[name]
		box, group := inputs(style, "type=checkbox"), "<form><fieldset><legend>Options</legend>%s</fieldset>"+note+"</form>"
		rows = append(rows,
			shownBy{name + " in a form", "<form>" + box + note + "</form>", "form:fill", object{"values": object{"Pool": true, "Note": "x"}}, one},
			shownBy{name + " in a group", "<div role=group aria-label=Options>" + box + "</div>", "field:set", object{"label": "Pool", "value": true}, one},
			shownBy{name + " in a fieldset", fmt.Sprintf(group, box), "form:fill", object{"values": object{"Options": []any{"Pool", "Bar"}}}, two},
			shownBy{name + " switches", "<div>" + inputs(style, "type=checkbox role=switch") + "</div>", "switch:set", object{"label": "Pool"}, one},
			shownBy{name + " switches filled", "<div>" + inputs(style, "type=checkbox role=switch") + "</div>", "form:fill", object{"values": object{"Pool": true}}, one},
			shownBy{name + " radios", fmt.Sprintf(group, inputs(style, "type=radio name=r")), "form:fill", object{"values": object{"Options": "Pool"}}, one},
			shownBy{name + " in its label", "<style>#i1{" + style + "}.k{display:inline-block;width:30px;height:16px;background:#ccc}#i1:checked+.k{background:#0a0}</style>" +
				"<div><label><input type=checkbox role=switch id=i1 checked><span class=k></span> Alerts</label></div>", "switch:set", object{"label": "Alerts", "checked": false}, "!i1.checked"},
		)
	}
	const stars = "<style>.r{display:none}.s{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}.r:checked+label i{color:gold}</style><fieldset><legend>Rating</legend>" +
		"<input type=radio class=r name=s id=s1><label for=s1%[1]s><i>★</i>%[3]s</label><input type=radio class=r name=s id=s4><label for=s4%[2]s><i>★</i>%[4]s</label></fieldset>"
	rows = append(rows,
		shownBy{"stars with words", fmt.Sprintf(stars, "", "", "<span class=s>1 star</span>", "<span class=s>4 stars</span>"), "radio:choose", object{"label": "Rating", "option": "4 stars"}, "s4.checked && !s1.checked"},
		shownBy{"stars with titles", fmt.Sprintf(stars, ` title="1 star"`, ` title="4 stars"`, "", ""), "form:fill", object{"values": object{"Rating": "4 stars"}}, "s4.checked && !s1.checked"},
		shownBy{"stars without that one", fmt.Sprintf(stars, ` title="1 star"`, ` title="4 stars"`, "", ""), "radio:choose", object{"label": "Rating", "option": "3 stars"}, ""},
		shownBy{"one that refuses", "<style>#i1{display:none}</style><div><input type=checkbox role=switch id=i1 onclick='return false'><label for=i1>Alerts</label></div>", "switch:set", object{"label": "Alerts"}, ""},
		shownBy{"one that is hidden with its label", "<div><input type=checkbox role=switch id=i1 hidden><label for=i1 hidden>Alerts</label></div>", "switch:set", object{"label": "Alerts"}, ""},
	)
	runShown(t, testkit.Some(t, "inputs", 5, rows))
}

// TestListsThatAreAlwaysOpen tests lists that are always open, for one option or several.
func TestListsThatAreAlwaysOpen(t *testing.T) {
	t.Parallel()
	const toggles, only = `this.ariaSelected = this.ariaSelected !== 'true'`, `for (const o of list.children) o.ariaSelected = o === this`
	list := func(attributes, press, chosen string) string {
		var b strings.Builder
		fmt.Fprintf(&b, `<span id=l>Langs</span><ul role=listbox id=list aria-labelledby=l tabindex=0 %s>`, attributes)
		for _, option := range []string{"de", "en", "fr"} {
			fmt.Fprintf(&b, `<li role=option aria-selected=%v onclick="%s">%s`, strings.Contains(chosen, option), press, option)
		}
		return b.String() + "</ul>"
	}
	const held = `[...list.children].filter((o) => o.ariaSelected === 'true').map((o) => o.textContent).join()`
	const several, choose = "aria-multiselectable=true", "select:choose"
	runShown(t, []shownBy{
		{"one", list("", only, "de"), choose, object{"label": "Langs", "option": "fr"}, held + "==='fr'"},
		{"one that it has", list("", only, "fr"), choose, object{"label": "Langs", "option": "fr"}, held + "==='fr'"},
		{"one more", list(several, toggles, "en"), choose, object{"label": "Langs", "option": "fr"}, held + "==='en,fr'"},
		{"all that it holds", list(several, toggles, "en"), choose, object{"label": "Langs", "options": []any{"de", "fr"}}, held + "==='de,fr'"},
		{"nothing", list(several, toggles, "de en"), choose, object{"label": "Langs", "options": []any{}}, held + "===''"},
		{"all, in a form", list(several, toggles, "en"), "form:fill", object{"values": object{"Langs": []any{"de", "fr"}}}, held + "==='de,fr'"},
		{"all, in a field", list(several, toggles, ""), "field:set", object{"label": "Langs", "value": []any{"en"}}, held + "==='en'"},
		{"no such option", list("", only, ""), choose, object{"label": "Langs", "option": "it"}, ""},
		{"one of them missing", list(several, toggles, ""), choose, object{"label": "Langs", "options": []any{"de", "it"}}, ""},
		{"two where one is taken", list("", only, ""), choose, object{"label": "Langs", "options": []any{"de", "fr"}}, ""},
		{"one that is taken back", list("", `this.ariaSelected = true; setTimeout(() => { this.ariaSelected = false }, 100)`, ""), choose, object{"label": "Langs", "option": "fr"}, ""},
	})
}

// TestTreesWhoseTextTakesThePress tests trees whose nodes react only to a press on their text, and
// trees of nested lists.
func TestTreesWhoseTextTakesThePress(t *testing.T) {
	t.Parallel()
	tree := func(item, group, closed, caret string) string {
		return `<style>.nested{display:none}.active{display:block}</style><ul ` + strings.ReplaceAll(group, "group", "tree") + ` id=tree><li id=docs ` + item + closed + `><span ` + caret + `>Docs</span><ul class=nested ` + group +
			`><li ` + item + closed + `><span ` + caret + `>Work</span><ul class=nested ` + group + `><li ` + item + `><span class=leaf>Plan</span></ul></ul><li ` + item + `><span class=leaf>Pics</span></ul>
			<script>log = []; for (const s of document.querySelectorAll('#tree span')) s.onclick = () => { log.push(s.textContent); const list = s.nextElementSibling, open = list?.classList.toggle('active');
			if (list && s.parentNode.ariaExpanded) s.parentNode.ariaExpanded = open }</script>`
	}
	const item, group, closed = "role=treeitem ", "role=group", "aria-expanded=false"
	said, plain := tree(item, group, closed, "class=caret"), tree("", "", "", "class=caret")
	dead := strings.ReplaceAll(said, "s.onclick", "s.onfocus")
	runShown(t, testkit.Some(t, "nodes of trees", 2, []shownBy{
		{"a node", said, "tree:expand", object{"path": []any{"Docs"}}, "log.join() === 'Docs' && docs.ariaExpanded === 'true'"},
		{"a node in a node", said, "tree:expand", object{"path": []any{"Docs", "Work"}}, "log.join() === 'Docs,Work'"},
		{"a node to choose", said, "tree:select", object{"path": []any{"Docs", "Work", "Plan"}}, "log.join() === 'Docs,Work,Plan'"},
		{"a text without a class", tree(item, group, closed, ""), "tree:expand", object{"path": []any{"Docs"}}, "log.join() === 'Docs'"},
		{"lists", plain, "tree:expand", object{"path": []any{"Docs", "Work"}}, "log.join() === 'Docs,Work'"},
		{"a node of lists to choose", plain, "tree:select", object{"path": []any{"Docs", "Work", "Plan"}}, "log.join() === 'Docs,Work,Plan'"},
		{"nothing takes it", dead, "tree:expand", object{"path": []any{"Docs"}}, ""},
		{"a node that is not there", plain, "tree:expand", object{"path": []any{"Docs", "Play"}}, ""},
	}))
}

// TestFieldsOfAnotherKind tests a spin button that is not an input, and an image that sends a form.
func TestFieldsOfAnotherKind(t *testing.T) {
	t.Parallel()
	spin := func(keys string) string {
		return `<span id=l>Guests</span><button onclick="go(-1)">−</button><div role=spinbutton id=s aria-labelledby=l tabindex=0 aria-valuenow=2 aria-valuemin=0 aria-valuemax=9 style="display:inline-block;width:60px;border:1px solid">2</div>
			<button onclick="go(1)">+</button><script>go = (by) => { s.textContent = s.ariaValueNow = Math.max(0, Math.min(9, +s.ariaValueNow + by)) }; s.onkeydown = (e) => { ` + keys + ` }</script>`
	}
	const arrows = "if (e.key === 'ArrowUp') go(1); if (e.key === 'ArrowDown') go(-1)"
	picture := func(inputs string) string {
		return "<form onsubmit=\"event.preventDefault();fetch('/sent',{method:'POST'});this.outerHTML='Saved'\"><label>Name <input name=n value=Ann></label>" + strings.ReplaceAll(inputs, "<input", "<input type=image width=60 height=20 src=data:,") + "</form>"
	}
	runShown(t, testkit.Some(t, "fields", 2, []shownBy{
		{"up", spin(arrows), "form:fill", object{"values": object{"Guests": 4}}, "s.textContent === '4'"},
		{"down", spin(arrows), "field:set", object{"label": "Guests", "value": "0"}, "s.textContent === '0'"},
		{"beyond its end", spin(arrows), "form:fill", object{"values": object{"Guests": 12}}, ""},
		{"no key moves it", spin(""), "form:fill", object{"values": object{"Guests": 4}}, ""},
		{"a picture", picture("<input alt=Save>"), "form:submit", object{}, "document.body.innerText.includes('Saved')"},
		{"a picture by its name", picture("<input alt=Save><input alt=Check>"), "form:submit", object{"text": "Save"}, "document.body.innerText.includes('Saved')"},
		{"a picture that deletes", picture("<input alt=Delete>"), "form:submit", object{}, ""},
	}))
}
