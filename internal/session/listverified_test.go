package session_test

import (
	"testing"

	"github.com/actionregistry/action/testdata/pages"
)

// openList is a multiple choice list that is always open.
const openList = `<p id=w>Tags</p><ul role=listbox aria-labelledby=w aria-multiselectable=true><li role=option aria-selected=true>Red<li role=option aria-selected=true>Blue<li role=option>Green</ul>
<script>window.v=['Red','Blue'];for(const o of document.querySelectorAll('li')) o.onclick=()=>{ const t=o.textContent; v=v.includes(t)?v.filter(x=>x!==t):[...v,t]; o.ariaSelected=v.includes(t) }</script>`

// TestListsOfFewerAreVerified checks that presses that remove options are confirmed by the options
// that remain chosen, even if none remains.
func TestListsOfFewerAreVerified(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	held := []any{"Red", "Blue"}
	for _, tt := range []struct {
		name, html, read string
		options          []any
		want             string
	}{
		{"tags", litList(true), "JSON.stringify(v)", []any{"Blue"}, `["Blue"]`},
		{"tags, none", litList(true), "JSON.stringify(v)", []any{}, `[]`},
		{"open", openList, "JSON.stringify(v)", []any{"Blue"}, `["Blue"]`},
		{"open, none", openList, "JSON.stringify(v)", []any{}, `[]`},
		{"drawn over a select", drawnListPage("tomcross"), "v[2]", []any{"Blue"}, `Blue`},
		{"drawn over a select, none", drawnListPage("tomcross"), "v[2]", []any{}, ``},
	} {
		html = tt.html
		b.mustRun(t, "web:page:open", object{"url": base})
		b.mustRun(t, "components:select:choose", object{"label": "Tags", "options": held})
		r := b.run(t, "components:select:choose", object{"label": "Tags", "options": tt.options})
		switch {
		case r.Error != nil:
			t.Errorf("%s: %s", tt.name, describe(r.Error))
		case r.Verified == nil || !*r.Verified:
			t.Errorf("%s: not verified: %v", tt.name, r.Unverified)
		}
		if got := b.holds(t, tt.read); got != tt.want {
			t.Errorf("%s: the page holds %s, expected %s", tt.name, got, tt.want)
		}
	}
}
