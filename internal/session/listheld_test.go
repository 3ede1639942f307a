package session_test

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/testdata/npm"
)

// heldList is a Tom Select in which Blue is chosen. While an option is chosen, the library keeps its
// text field outside of the visible page.
func heldList(options string) string {
	return `<link rel=stylesheet href=/npm/tom-select.css><script src=/npm/tom-select.js></script><form><p><label for=n>Name</label> <input id=n></p>
<div><label for=s>Color</label> <select id=s><option value=r>Red<option value=g>Green<option value=b selected>Blue</select></div></form>
<script>new TomSelect('#s',` + options + `);Object.defineProperty(window,'v',{get:()=>[...s.selectedOptions].map((o)=>o.text).join('+')})</script>`
}

// TestListsOfDrawnSelectsThatHoldOne checks that an option can be chosen in a list that already has a
// chosen option.
func TestListsOfDrawnSelectsThatHoldOne(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", npm.Handler(modules))
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for _, options := range []string{`{}`, `{plugins:['dropdown_input']}`, `{plugins:['clear_button']}`} {
		html = heldList(options)
		b.mustRun(t, "web:page:open", object{"url": base})
		for _, tt := range []struct {
			action, want string
			params       object
		}{
			{"select:choose", "Green", object{"label": "Color", "option": "Green"}},
			{"field:set", "Red", object{"label": "Color", "value": "Red"}},
			{"form:fill", "Blue", object{"values": object{"Name": "Eva", "Color": "Blue"}}},
		} {
			if r := b.run(t, "components:"+tt.action, tt.params); r.Error != nil {
				t.Errorf("%s %s: %s", options, tt.action, describe(r.Error))
			}
			if got := b.holds(t, "v"); got != tt.want {
				t.Errorf("%s %s: the list holds %q, expected %q", options, tt.action, got, tt.want)
			}
		}
	}
}

// narrowList is a list that a button opens, beside a <select> for narrow screens. The <select> holds
// another option and never changes. PRESSED is the script of a press on the option o.
const narrowList = `<style>.m{display:none}</style><div><label id=l>Sort by</label><select class=m aria-label="Sort by"><option SELECTED>Newest<option>Price<option>Name</select>
<button type=button id=b aria-haspopup=listbox aria-labelledby="l b">Newest</button><ul role=listbox id=u hidden aria-labelledby=l><li role=option aria-selected=true>Newest<li role=option>Price<li role=option>Name</ul></div>
<p id=r>Newest first</p><script>b.onclick=()=>u.hidden=!u.hidden;u.onclick=e=>{const o=e.target.closest('li');u.hidden=true;PRESSED}</script>`

// TestListsOfButtonsBesideASelect checks that a <select> for narrow screens beside the button of a
// list decides neither which options the list has nor which of them is chosen.
func TestListsOfButtonsBesideASelect(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const takes = `b.textContent=o.textContent;r.textContent=o.textContent+' first';for(const x of u.children)x.setAttribute('aria-selected',x===o)`
	pages := []string{narrowList, strings.Replace(strings.Replace(narrowList, " SELECTED", "", 1), "<option>Price", "<option selected>Price", 1)}
	uses := map[string]object{
		"select:choose": {"label": "Sort by", "option": "Price"},
		"form:fill":     {"values": object{"Sort by": "Price"}},
	}
	for _, row := range somePairs(t, "lists", 3, pages, []string{"form:fill", "select:choose"}) {
		page, action, params := row.a, row.b, uses[row.b]
		html = strings.NewReplacer("SELECTED", "selected", "PRESSED", takes).Replace(page)
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:"+action, params); r.Error != nil {
			t.Errorf("%s: %s", action, describe(r.Error))
		}
		if got := b.holds(t, "b.textContent"); got != "Price" {
			t.Errorf("%s: the button shows %q", action, got)
		}
		html = strings.NewReplacer("SELECTED", "selected", "PRESSED", `r.textContent='Price is for members'`).Replace(page)
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:"+action, params); r.Error == nil {
			t.Errorf("%s succeeded, though the button shows Newest", action)
		}
	}
}
