package session_test

// Tests of drawers, steppers, pagers and grids of libraries that give them no role, or put the role
// on an unusual element.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// pagedRows is a table of 23 rows in pages of 5. The script %s draws the pager. It can use page
// (from 0), size, all, from, to and go(page).
const pagedRows = `<h2>People</h2><table><thead><tr><th>Name</th></tr></thead><tbody></tbody></table><div id=foot></div><script>
	var page = 0, size = 5, all = 23;
	function go(p) { page = p; setTimeout(draw, 60); }
	function draw() {
		const from = page * size + 1, to = Math.min(all, from + size - 1);
		document.querySelector('tbody').innerHTML = Array.from({length: to - from + 1}, (_, i) => '<tr><td>Row ' + (from + i) + '</td></tr>').join('');
		%s
	}
	draw();
</script>`

const (
	// A pager like TablePagination of Material UI.
	rangePager = `foot.innerHTML = '<div class=TablePagination-root><p>Rows per page:</p><div role=combobox aria-haspopup=listbox>5</div><p>' + from + '–' + to + ' %s</p>' +
		'<button aria-label="Go to previous page"' + (page ? '' : ' disabled') + ' onclick="go(page-1)"></button><button aria-label="Go to next page"' + (to < all ? '' : ' disabled') + ' onclick="go(page+1)"></button></div>'`
	// A pager like that of PrimeVue, with three page numbers, none of which is known to be the last.
	windowPager = `const first = Math.max(0, Math.min(page - 1, 2)); foot.innerHTML = '<div class=p-paginator><button aria-label="Previous Page"' + (page ? '' : ' disabled') + ' onclick="go(page-1)"></button>' +
		[0, 1, 2].map(i => first + i).map(i => '<button class="p-paginator-page" onclick="go(' + i + ')"' + (i == page ? ' aria-current=page' : '') + '>' + (i + 1) + '</button>').join('') +
		'<button aria-label="Next Page"' + (to < all ? '' : ' disabled') + ' onclick="go(page+1)"></button></div>'`
	// A pager like that of Naive UI, of elements without roles and ARIA attributes.
	plainPager = `foot.innerHTML = '<div class=n-pagination>' + [0, 1, 2, 3, 4].map(i => '<div class="n-pagination-item' + (i == page ? ' n-pagination-item--active' : '') + '" onclick="go(' + i + ')">' + (i + 1) + '</div>').join('') + '</div>'`
)

// sortable is a script that sorts rows on a press on a header. The first %s is the HTML of a row r,
// the second a script that marks the header.
const sortable = `<script>
	const rows = [[5, 'Ada'], [485, 'Bob'], [245, 'Cy']]; let dir = '';
	function draw() {
		const shown = rows.slice(); if (dir) shown.sort((a, b) => (a[0] - b[0]) * (dir == 'asc' ? 1 : -1));
		document.querySelector('#body').innerHTML = shown.map(r => '%s').join('');
	}
	function turn(head) { dir = {'': 'asc', asc: 'desc', desc: ''}[dir]; setTimeout(() => { draw(); %s; }, 80); }
	draw();
</script>`

func TestPartsWithoutRoles(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	held := func(script string) string {
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}, Cwd: b.cwd})
		return fmt.Sprint(data(t, r)["value"])
	}
	pages := map[string]string{
		"material drawer": `<div class=MuiDrawer-docked><div class="MuiPaper-root MuiDrawer-paper">Menu</div></div><button onclick="d.hidden=false">Filters</button>
			<div id=d hidden role=presentation class="MuiDrawer-root MuiModal-root" style="position:fixed;inset:0"><div class=MuiBackdrop-root></div>
			<div class="MuiPaper-root MuiDrawer-paper" tabindex=-1 style="position:absolute;right:0;width:200px"><h3>Filters</h3><button aria-label=Close onclick="d.hidden=true">×</button></div></div>`,
		"drawer without a cross": `<button onclick="d.className+=' v-navigation-drawer--active';d.hidden=false">Filters</button><nav id=d hidden class="v-navigation-drawer"><div class=v-navigation-drawer__content>Filters</div></nav>
			<script>onkeydown=e=>{if(e.key=='Escape')d.hidden=true}</script>`,
		"offcanvas": `<button onclick="d.hidden=false">Filters</button><div id=d hidden class="offcanvas offcanvas-end show"><div class=offcanvas-header><h5 class=offcanvas-title>Filters</h5>
			<button class=btn-close aria-label=Close onclick="d.hidden=true"></button></div><div class=offcanvas-body>…</div></div>`,

		"cross without a name": `<button onclick="d.hidden=false">Remove</button><section id=d hidden role=dialog class=mantine-Modal-content><header><h2>Delete person</h2><button class="mantine-CloseButton-root mantine-Modal-close"
			onclick="d.hidden=true"><svg></svg></button></header><button>Keep</button><button>Delete</button></section>`,

		"material steps": `<div class="MuiStepper-root">` + strings.Join([]string{
			`<div class="MuiStep-root Mui-completed"><span class="MuiStepLabel-root"><span class="MuiStepLabel-iconContainer Mui-completed"><svg/></span><span class="MuiStepLabel-labelContainer"><span class="MuiStepLabel-label Mui-completed">Cart</span></span></span></div>`,
			`<div class="MuiStep-root"><span class="MuiStepLabel-root"><span class="MuiStepLabel-iconContainer Mui-active">2</span><span class="MuiStepLabel-labelContainer"><span class="MuiStepLabel-label Mui-active">Address</span></span></span></div>`,
			`<div class="MuiStep-root"><span class="MuiStepLabel-root Mui-disabled"><span class="MuiStepLabel-iconContainer Mui-disabled">3</span><span class="MuiStepLabel-labelContainer"><span class="MuiStepLabel-label">Payment</span></span></span></div>`,
		}, `<div class="MuiStepConnector-root Mui-active"><span class="MuiStepConnector-line"></span></div>`) + `</div>`,
		"vuetify steps": `<ul><li>Other</li></ul><div class="v-sheet v-stepper"><div class=v-stepper-header><button class=v-stepper-item disabled><div class=v-stepper-item__avatar>1</div><div class=v-stepper-item__title>Cart</div></button><hr>
			<button class="v-stepper-item v-stepper-item--selected"><div class=v-stepper-item__avatar>2</div><div class=v-stepper-item__title>Address</div></button><hr><button class=v-stepper-item><div class=v-stepper-item__avatar>3</div><div class=v-stepper-item__title>Payment</div></button></div></div>`,
		"quasar steps": `<div class=q-stepper><div class=q-stepper__header><div class=q-stepper__tab><div class=q-stepper__title>Cart</div></div><div class="q-stepper__tab q-stepper__tab--active" aria-current=step><div class=q-stepper__title>Address</div></div>
			<div class=q-stepper__tab><div class=q-stepper__title>Payment</div></div></div></div>`,
		"naive steps": `<div class=n-steps><div class="n-step n-step--finish-status"><div class=n-step-content-header__title>Cart</div></div><div class="n-step n-step--process-status"><div class=n-step-content-header__title>Address</div></div>
			<div class="n-step n-step--wait-status"><div class=n-step-content-header__title>Payment</div></div></div>`,
		"ant steps": `<div class=arco-steps><div class="arco-steps-item arco-steps-item-finish"><div class=arco-steps-item-title>Cart</div></div><div class="arco-steps-item arco-steps-item-active"><div class=arco-steps-item-title>Address</div></div>
			<div class="arco-steps-item"><div class=arco-steps-item-title>Payment</div></div></div>`,
		"list of steps": `<ul><li>Other</li></ul><ol><li><a>Cart</a></li><li><a aria-current=step>Address</a></li><li>Payment</li></ol>`,
		"row of steps":  `<div><a href="#">Cart</a><a href="#" aria-current=step>Address</a><span>Payment</span></div>`,
		"bar of steps":  `<ul class=progressbar><li class=active>Cart</li><li class=active>Address</li><li>Payment</li></ul>`,
		"steps done":    `<ol class=steps><li class=done>Cart</li><li class=done>Address</li><li class=done>Payment</li></ol>`,

		"range pager":   fmt.Sprintf(pagedRows, fmt.Sprintf(rangePager, "of 23")),
		"endless pager": fmt.Sprintf(pagedRows, fmt.Sprintf(rangePager, "of more than 20")),
		"window pager":  fmt.Sprintf(pagedRows, windowPager),
		"plain pager":   fmt.Sprintf(pagedRows, plainPager),

		"grid": `<div><div role=grid><div class=scroller><div role=row><div role=columnheader aria-sort=none onclick="turn(this)"><div>Amount</div><div hidden></div></div><div role=columnheader aria-sort=none>Name</div></div><div id=body></div></div></div></div>` +
			fmt.Sprintf(sortable, `<div role=row><div role=gridcell>'+r[0]+'</div><div role=gridcell>'+r[1]+'</div></div>`, `head.setAttribute('aria-sort', {'': 'none', asc: 'ascending', desc: 'descending'}[dir])`),
		"classes": `<table><thead><tr><th onclick="turn(this)"><div>Amount</div><span class=n-sorter></span></th><th>Name</th></tr></thead><tbody id=body></tbody></table>` +
			fmt.Sprintf(sortable, `<tr><td>'+r[0]+'</td><td>'+r[1]+'</td></tr>`, `head.lastChild.className = 'n-sorter n-sorter--' + dir`),
		"icons": `<table><thead><tr><th onclick="turn(this)"><span>Amount</span><i class=icon><svg class=caret-up></svg></i><i class=icon><svg class=caret-down></svg></i></th><th>Name</th></tr></thead><tbody id=body></tbody></table>` +
			fmt.Sprintf(sortable, `<tr><td>'+r[0]+'</td><td>'+r[1]+'</td></tr>`, `head.children[1].className = dir == 'asc' ? 'icon icon-active' : 'icon'; head.children[2].className = dir == 'desc' ? 'icon icon-active' : 'icon'`),
		"arrows": `<table><thead><tr><th><button onclick="turn(this)">Amount ↕</button></th><th>Name</th></tr></thead><tbody id=body></tbody></table>` +
			fmt.Sprintf(sortable, `<tr><td>'+r[0]+'</td><td>'+r[1]+'</td></tr>`, `head.textContent = 'Amount ' + {'': '↕', asc: '▲', desc: '▼'}[dir]`),
		"both arrows": `<table><thead><tr><th onclick="turn(this)">Amount ▲▼</th><th>Name</th></tr></thead><tbody id=body></tbody></table>` +
			fmt.Sprintf(sortable, `<tr><td>'+r[0]+'</td><td>'+r[1]+'</td></tr>`, ``),
	}
	const gone, bodyText = `String(d.hidden)`, `String(page + 1)`
	type part struct {
		page, action string
		params       object
		script, want string // script that reads the state of the page, and its expected result
		code         diag.Code
	}
	tests := []part{
		{"material drawer", "drawer:open", object{"text": "Filters"}, gone, "false", ""},
		{"", "drawer:close", nil, gone, "true", ""},
		{"", "drawer:open", object{"text": "Filters", "title": "Filters"}, gone, "false", ""},
		{"", "drawer:close", object{"title": "Filters"}, gone, "true", ""},
		{"drawer without a cross", "drawer:open", object{"text": "Filters", "title": "Filters"}, gone, "false", ""},
		{"", "drawer:close", nil, gone, "true", ""},
		{"offcanvas", "drawer:open", object{"text": "Filters", "title": "Filters"}, gone, "false", ""},
		{"", "drawer:close", nil, gone, "true", ""},

		{"cross without a name", "dialog:open", object{"text": "Remove"}, gone, "false", ""},
		{"", "dialog:cancel", nil, gone, "true", ""},

		{"material steps", "steps:current", nil, "", "Address 3", ""},
		{"vuetify steps", "steps:current", nil, "", "Address 3", ""},
		{"quasar steps", "steps:current", nil, "", "Address 3", ""},
		{"naive steps", "steps:current", nil, "", "Address 3", ""},
		{"ant steps", "steps:current", nil, "", "Address 3", ""},
		{"list of steps", "steps:current", nil, "", "Address 3", ""},
		{"row of steps", "steps:current", nil, "", "Address 3", ""},
		{"bar of steps", "steps:current", nil, "", "Address 3", ""},
		{"steps done", "steps:current", nil, "", "<nil> 3", ""},

		{"range pager", "pagination:go", object{"page": 3}, bodyText, "3", ""},
		{"", "pagination:go", object{"page": 3}, bodyText, "3", ""},
		{"", "pagination:go", object{"page": 9}, bodyText, "3", diag.StepFailed},
		{"", "pagination:go", object{"page": 5}, bodyText, "5", ""},
		{"", "pagination:go", object{"page": 5}, bodyText, "5", ""},
		{"", "pagination:go", object{"page": 6}, bodyText, "5", diag.StepFailed},
		{"", "pagination:go", object{"page": 2}, bodyText, "2", ""},
		{"endless pager", "pagination:go", object{"page": 4}, bodyText, "4", ""},
		{"", "pagination:go", object{"page": 9}, bodyText, "4", diag.StepFailed},
		{"window pager", "pagination:go", object{"page": 5}, bodyText, "5", ""},
		{"", "pagination:go", object{"page": 2}, bodyText, "2", ""},
		{"", "pagination:go", object{"page": 9}, bodyText, "2", diag.StepFailed},
		{"plain pager", "pagination:go", object{"page": 4}, bodyText, "4", ""},

		{"grid", "table:sort", object{"column": "Amount", "order": "descending"}, `String(dir)`, "desc", ""},
		{"", "table:sort", object{"column": "Amount"}, `String(dir)`, "asc", ""},
		{"classes", "table:sort", object{"column": "Amount", "order": "descending"}, `String(dir)`, "desc", ""},
		{"", "table:sort", object{"column": "Amount"}, `String(dir)`, "asc", ""},
		{"icons", "table:sort", object{"column": "Amount", "order": "descending"}, `String(dir)`, "desc", ""},
		{"arrows", "table:sort", object{"column": "Amount", "order": "descending"}, `String(dir)`, "desc", ""},
		{"both arrows", "table:sort", object{"column": "Amount"}, `String(dir)`, "asc", diag.StepFailed},
	}
	// The rows of one page stay together.
	var starts []int
	for i, tt := range tests {
		if tt.page != "" {
			starts = append(starts, i)
		}
	}
	var chosen []part
	kind := func(i int) any { return tests[starts[i]].action + string(tests[starts[i]].code) }
	for _, from := range testkit.Kinds(t, "pages of parts", 6, starts, kind) {
		to := from + 1
		for to < len(tests) && tests[to].page == "" {
			to++
		}
		chosen = append(chosen, tests[from:to]...)
	}
	for _, tt := range chosen {
		name := fmt.Sprintf("%s: %s %v", tt.page, tt.action, tt.params)
		if tt.page != "" {
			html = pages[tt.page]
			b.mustRun(t, "web:page:open", object{"url": base})
		}
		r := b.run(t, "components:"+tt.action, tt.params)
		switch {
		case tt.code != "":
			if r.Error == nil || r.Error.Code != tt.code {
				t.Errorf("%s: %v, want %s", name, r.Error, tt.code)
			}
		case r.Error != nil:
			t.Errorf("%s: %v", name, r.Error)
			continue
		}
		got := ""
		if tt.script == "" {
			got = fmt.Sprint(data(t, r)["title"], " ", data(t, r)["count"])
		} else {
			got = held(tt.script)
		}
		if got != tt.want {
			t.Errorf("%s: the page holds %s, want %s", name, got, tt.want)
		}
	}
}
