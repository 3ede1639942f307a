package session_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// TestRowActionWhileTheTableChanges tests a table whose rows change while a loading overlay covers
// it. The pressed button is in the requested row, or none is pressed.
func TestRowActionWhileTheTableChanges(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><h2>Orders</h2><div style="position:relative"><table><thead><tr><th>No</th><th>Name</th><th>x</th></tr></thead><tbody id=tb></tbody></table>
<div id=cover style="position:absolute;inset:0;background:#fff8">loading</div></div><script>
var log = []
const row = (i, n) => '<tr><td>' + i + '</td><td>' + n + '</td><td><button onclick="log.push(\'' + i + ' ' + n + '\')">Delete</button></td></tr>'
const field = (i, n) => row(i, '<input value=' + n + '>').replace(/push\(.*?\)/, "push('" + i + ' ' + n + "')")
tb.innerHTML = row(1, 'Ann') + row(2, 'Bob') + field(4, 'Dan')
setTimeout(() => { %s; cover.remove() }, 500)
</script>`, map[string]string{
			"/top":   `tb.innerHTML = row(3, 'Cy') + row(1, 'Ann') + row(2, 'Bob') + field(4, 'Dan')`,
			"/moved": `tb.prepend(tb.rows[1])`,
			"/used":  `tb.rows[0].cells[1].textContent = 'Bob'; tb.rows[0].querySelector('button').onclick = () => log.push('2 Bob'); tb.rows[1].cells[1].textContent = 'Ann'; tb.rows[1].querySelector('button').onclick = () => log.push('1 Ann')`,
			"/gone":  `tb.innerHTML = row(1, 'Ann') + row(3, 'Cy')`,
			"/twice": `tb.innerHTML = row(1, 'Bob') + row(2, 'Bob')`,
			"/same":  ``,
			"/come":  `tb.innerHTML += row(5, 'Zed')`,
		}[r.URL.Path])
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	bob := object{"Name": "Bob"}
	tests := []struct {
		page string
		row  any
		want string
		code diag.Code
	}{
		{"/top", bob, "2 Bob", ""},
		{"/top", "Bob", "2 Bob", ""},
		{"/top", object{"Name": "Dan", "No": "4"}, "4 Dan", ""},
		{"/moved", bob, "2 Bob", ""},
		{"/used", bob, "2 Bob", ""},
		{"/same", bob, "2 Bob", ""},
		{"/gone", bob, "", diag.ElementNotFound},
		{"/come", object{"Name": "Zed"}, "5 Zed", ""},
		{"/come", "Nobody", "", diag.ElementNotFound},
		{"/twice", bob, "", diag.ElementAmbiguous},
	}
	for _, tt := range testkit.Kinds(t, "rows", 3, tests, func(i int) any { return tests[i].code }) {
		b.open(t, base+tt.page)
		r := b.run(t, "components:table:row-action", object{"row": tt.row, "text": "Delete", "within": "Orders"})
		code := diag.Code("")
		if r.Error != nil {
			code = r.Error.Code
		}
		if code != tt.code {
			t.Errorf("%s, row %v: %v, want code %q", tt.page, tt.row, r.Error, tt.code)
		}
		look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "log.join()"}, Cwd: b.cwd})
		if got := fmt.Sprint(data(t, look)["value"]); got != tt.want {
			t.Errorf("%s, row %v: pressed %q, want %q", tt.page, tt.row, got, tt.want)
		}
	}
}

// TestTableInACell checks that the text of a table in a cell belongs to the row around it, and that
// the inner table is found by its title. A layout table has no rows.
func TestTableInACell(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		button := func(name string) string { return `<button onclick="log.push('` + name + `')">Delete</button>` }
		orders := `<table><thead><tr><th>Name</th><th>Items</th><th>x</th></tr></thead><tbody><tr><td>Ann</td><td>-</td><td>` + button("Ann") + `</td></tr><tr><td>Bob</td><td><h4>Parts</h4>
			<table><tr><th>Part</th><th>Number</th></tr><tr><td>Bolt</td><td>3</td></tr></table></td><td>` + button("Bob") + `</td></tr></tbody></table>`
		if r.URL.Path == "/layout" {
			orders = `<table><tr><td>Menu</td><td><h2>Orders</h2>` + orders + `</td></tr></table>`
		}
		fmt.Fprint(w, `<!doctype html><script>var log = []</script>`+orders)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	pressed := func(want string) {
		t.Helper()
		look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "log.join()"}, Cwd: b.cwd})
		if got := fmt.Sprint(data(t, look)["value"]); got != want {
			t.Errorf("pressed %q, want %q", got, want)
		}
	}
	b.open(t, base+"/")
	b.mustRun(t, "components:table:row-action", object{"row": object{"Name": "Bob"}, "text": "Delete"})
	pressed("Bob")
	want(t, b.mustRun(t, "components:table:read", object{"within": "Parts"}), "rows", "[map[Number:3 Part:Bolt]]")
	b.open(t, base+"/layout")
	b.mustRun(t, "components:table:row-action", object{"row": object{"Name": "Bob"}, "text": "Delete", "within": "Orders"})
	pressed("Bob")
	wantError(t, b.run(t, "components:table:row-action", object{"row": "Bob", "text": "Delete"}), diag.ElementAmbiguous, "matches 2")
}

// TestTableByItsOwnName checks that the param within selects a table by its caption or its ARIA
// name.
func TestTableByItsOwnName(t *testing.T) {
	t.Parallel()
	rows := func(button string) string {
		return `<thead><tr><th>Book</th><th>x</th></tr></thead><tbody><tr><td>Dune</td><td>` + button + `</td></tr><tr><td>Emma</td><td></td></tr></tbody></table>`
	}
	html := `<!doctype html><div><table><caption>Loans of today</caption>` + rows(`<button onclick="document.title='lent'">Release</button>`) +
		`<table aria-label=Holds>` + rows(`<button onclick="document.title='held'">Release</button>`) + `</div>`
	b := newBench(t, nil, nil, shortWait)
	b.open(t, serve(t, muxShowing(&html))+"/")
	wantError(t, b.run(t, "components:table:read", nil), diag.ElementAmbiguous, "matches 2")
	want(t, b.mustRun(t, "components:table:read", object{"within": "Loans of today"}), "count", "2")
	want(t, b.mustRun(t, "components:table:find", object{"within": "Holds", "row": object{"Book": "Emma"}}), "count", "1")
	b.mustRun(t, "components:table:row-action", object{"within": "Holds", "row": "Dune", "text": "Release"})
	look := b.Step(t.Context(), "get", session.RunOptions{Params: object{"what": "title"}, Cwd: b.cwd})
	if got := fmt.Sprint(data(t, look)); !strings.Contains(got, "held") {
		t.Errorf("the title is %s, want held: the button of the other table was pressed", got)
	}
}

// TestTableThatDrawsWhatIsInView tests tables that contain only the visible rows. The error for a
// missing row must not say that the table lacks it.
func TestTableThatDrawsWhatIsInView(t *testing.T) {
	t.Parallel()
	// The grid draws the rows from the first visible one. Its aria-rowcount is the total number of
	// rows.
	const grid = `<!doctype html><div role=grid aria-rowcount=%d><div role=row><span role=columnheader>Name</span><span role=columnheader>x</span></div>
		<div id=box style="height:%s;overflow:auto;position:relative"><div id=all style="height:%dpx"></div></div></div><script>
		const draw = () => { const from = Math.floor(box.scrollTop / 20); box.querySelectorAll('[role=row]').forEach((r) => r.remove());
			for (let i = from; i < Math.min(from + 6, %[4]d); i++) box.insertAdjacentHTML('beforeend', '<div role=row style="position:absolute;height:20px;top:' + i * 20 +
				'px"><span role=gridcell>Row ' + i + '</span><span role=gridcell><button onclick="this.textContent=1">Open</button></span></div>') };
		box.onscroll = draw; draw();</script>`
	var html string
	b := newBench(t, nil, nil, shortWait)
	base := serve(t, muxShowing(&html))
	for _, tt := range []struct {
		name, html, action string
		params             object
		warns              int
		says               string // part of the expected error
	}{
		{"all are read", fmt.Sprintf(grid, 6, "100px", 100, 5), "table:find", object{"row": "Row 9"}, 0, ""},
		{"a page of them", fmt.Sprintf(grid, 62, "auto", 120, 6), "table:find", object{"row": "Row 9"}, 0, ""},
		{"a page of them in a box", fmt.Sprintf(grid, 62, "90px", 120, 6), "table:find", object{"row": "Row 9"}, 0, ""},
		{"one that is drawn", fmt.Sprintf(grid, 41, "100px", 800, 40), "table:find", object{"row": "Row 2"}, 1, ""},
		{"one that is not", fmt.Sprintf(grid, 41, "100px", 800, 40), "table:find", object{"row": "Row 9"}, 1, "it draws only when they are scrolled into view"},
		{"their number is not known", fmt.Sprintf(grid, -1, "100px", 800, 40), "table:find", object{"row": "Row 9"}, 1, "scrolled into view"},
		{"a button of it", fmt.Sprintf(grid, 41, "100px", 800, 40), "table:row-action", object{"row": "Row 9", "text": "Open"}, 1, "scrolled into view"},
		{"a single one less", fmt.Sprintf(grid, 8, "100px", 140, 7), "table:read", nil, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			html = tt.html
			b.open(t, base+"/")
			r := b.run(t, "components:"+tt.action, tt.params)
			n := len(slices.DeleteFunc(slices.Clone(r.Warnings), func(w executor.Warning) bool { return w.Code != "rows_not_drawn" }))
			if n < tt.warns || tt.warns == 0 && n > 0 {
				t.Errorf("the warnings are %v, want %d rows_not_drawn", r.Warnings, tt.warns)
			}
			if tt.says == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.ElementNotFound, tt.says)
		})
	}
}

// TestColumnsOfOneName checks that a name that several columns have means the first of them, and that
// the result then has a warning.
func TestColumnsOfOneName(t *testing.T) {
	t.Parallel()
	html := `<!doctype html><script>var log = []</script><table><thead><tr><th>Date</th><th>Date</th><th>x</th></tr></thead><tbody>` +
		`<tr><td>May</td><td>June</td><td><button onclick="log.push(1)">Delete</button></td></tr>` +
		`<tr><td>June</td><td>May</td><td><button onclick="log.push(2)">Delete</button></td></tr></tbody></table>`
	b := newBench(t, nil, nil, shortWait)
	b.open(t, serve(t, muxShowing(&html))+"/")
	del := func(row object) *executor.Result {
		return b.run(t, "components:table:row-action", object{"row": row, "text": "Delete"})
	}
	for _, tt := range []struct {
		column string
		warns  int
	}{{"Date", 1}, {"Date (1)", 0}, {"Date (2)", 0}} {
		r := del(object{tt.column: "June"})
		data(t, r)
		n := len(slices.DeleteFunc(slices.Clone(r.Warnings), func(w executor.Warning) bool { return w.Code != "equal_columns" }))
		if n < tt.warns || tt.warns == 0 && n > 0 {
			t.Errorf("%s: the warnings are %v, want %d equal_columns", tt.column, r.Warnings, tt.warns)
		}
	}
	look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "log.join()"}, Cwd: b.cwd})
	if got := data(t, look)["value"]; got != "2,2,1" {
		t.Errorf("pressed %v, want 2,2,1", got)
	}
}

// TestTableFilterLate checks that table:read after a filter reads the filtered rows, however late
// the page shows them.
func TestTableFilterLate(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><table><thead><tr><th>Status <button onclick="m.hidden=!m.hidden"><svg width=9 height=9></svg></button></th><th>No</th></tr></thead><tbody id=tb></tbody></table>
<div id=m role=menu hidden><div role=menuitemcheckbox><label><input type=checkbox value=Paid>%[1]sPaid</label></div><div role=menuitemcheckbox><label><input type=checkbox value=Open>%[1]sOpen</label></div><button onclick="m.hidden=true; press()">OK</button></div><script>
const rows = [['Paid', 1], ['Open', 2], ['Paid', 3]]
const show = (list) => { tb.innerHTML = list.map((row) => '<tr><td>' + row.join('</td><td>') + '</td></tr>').join('') }
const next = () => { const on = [...m.querySelectorAll('input:checked')].map((n) => n.value); show(rows.filter(([s]) => !on.length || on.includes(s))) }
const press = () => { %[2]s }
show(rows)
</script>`, map[bool]string{true: " "}[r.URL.Path == "/space"], map[string]string{
			"/now":   `next()`,
			"/space": `next()`,
			"/timer": `setTimeout(next, 700)`,
			"/fetch": `fetch('/rows').then(next)`,
			"/both":  `fetch('/rows').then(() => setTimeout(next, 600))`,
			"/frame": `fetch('/rows').then(() => requestAnimationFrame(next))`,
		}[r.URL.Path])
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, page := range testkit.Some(t, "tables", 2, []string{"/now", "/space", "/timer", "/fetch", "/both", "/frame"}) {
		b.mustRun(t, "web:page:open", object{"url": base + page})
		for _, tt := range []struct {
			options []any
			rows    string
		}{
			{[]any{"Open"}, "[map[No:2 Status:Open]]"},
			{[]any{"Paid", "Open"}, "[map[No:1 Status:Paid] map[No:2 Status:Open] map[No:3 Status:Paid]]"},
			{[]any{}, "[map[No:1 Status:Paid] map[No:2 Status:Open] map[No:3 Status:Paid]]"}, // all rows again
		} {
			b.mustRun(t, "components:table:filter", object{"column": "Status", "options": tt.options})
			want(t, b.mustRun(t, "components:table:read", nil), "rows", tt.rows)
		}
	}
}

// TestTableSortLate checks that a press that takes effect late is not repeated, and that the order
// is right once the page is at rest.
func TestTableSortLate(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/rows" {
			time.Sleep(800 * time.Millisecond) // the server sorts
			return
		}
		fmt.Fprintf(w, `<!doctype html><table><thead><tr><th id=h aria-sort=none><button onclick="presses++; press()">Id</button></th><th>Name</th></tr></thead><tbody id=tb></tbody></table><script>
var presses = 0, state = 'none'
const orders = %s
const show = () => { h.setAttribute('aria-sort', state); tb.innerHTML = '<tr><td>' + state + '</td><td>x</td></tr>' }
const next = () => { state = orders[(orders.indexOf(state) + 1) %% orders.length]; show() }
const press = () => { %s }
show()
</script>`, map[bool]string{true: `['none', 'descending', 'ascending']`, false: `['none', 'ascending', 'descending']`}[r.URL.Query().Has("down")], map[string]string{
			"/now":   `next()`,
			"/timer": `setTimeout(next, 700)`,
			"/blank": `h.setAttribute('aria-sort', 'none'); setTimeout(next, 700)`,
			"/fetch": `h.setAttribute('aria-sort', 'none'); fetch('/rows').then(next)`,
			"/never": ``,
		}[r.URL.Path])
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range []struct {
		page, order string
		presses     int
		code        diag.Code
	}{
		{"/now", "ascending", 1, ""},
		{"/now", "descending", 2, ""},
		{"/now?down", "ascending", 2, ""},
		{"/timer", "ascending", 1, ""},
		{"/timer", "descending", 2, ""},
		{"/blank", "descending", 2, ""},
		{"/fetch", "descending", 2, ""},
		{"/never", "ascending", 1, diag.StepFailed},
	} {
		b.open(t, base+tt.page)
		r := b.run(t, "components:table:sort", object{"column": "Id", "order": tt.order})
		code := diag.Code("")
		if r.Error != nil {
			code = r.Error.Code
		}
		if code != tt.code {
			t.Errorf("%s, %s: %v, want code %q", tt.page, tt.order, r.Error, tt.code)
		}
		if tt.code != "" {
			continue
		}
		b.Step(t.Context(), "wait", session.RunOptions{Params: object{"stable": true}, Cwd: b.cwd})
		look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "state + ' ' + presses"}, Cwd: b.cwd})
		if got, want := fmt.Sprint(data(t, look)["value"]), fmt.Sprintf("%s %d", tt.order, tt.presses); got != want {
			t.Errorf("%s: the table is in the order %s after these presses, want %s", tt.page, got, want)
		}
	}
}

// lateRows is a sortable table of two pages. The path of its address determines how the rows
// arrive.
const lateRows = `<!doctype html><main><table><thead><tr><th id=h aria-sort=none><button onclick="sort()">Id</button></th><th>Name</th></tr></thead><tbody id=tb></tbody></table>
<nav aria-label=Pages id=nav></nav></main><script>
var presses = 0
let page = 1, order = 'none'
const how = location.pathname.slice(1)
const orders = ['none', 'ascending', 'descending']
const draw = () => { tb.innerHTML = (order === 'descending' ? [3, 2, 1] : [1, 2, 3]).map((i) => '<tr><td>' + page + i + '</td><td>' + order + '</td></tr>').join('') }
const marks = () => {
	h.setAttribute('aria-sort', order)
	nav.innerHTML = [1, 2].map((n) => '<button onclick="go(' + n + ')"' + (n === page ? ' aria-current=page' : '') + '>' + n + '</button>').join(' ')
}
const come = {
	now: () => draw(),
	timer300: () => setTimeout(draw, 300),
	timer800: () => setTimeout(draw, 800),
	fetch: () => fetch('/rows').then((r) => r.text()).then(draw),
	framed: () => fetch('/rows').then((r) => r.text()).then(() => requestAnimationFrame(draw)),
	debounced: () => setTimeout(() => fetch('/rows').then((r) => r.text()).then(draw), 300),
	emptied: () => { tb.innerHTML = '<tr><td colspan=2>No data</td></tr>'; setTimeout(draw, 600) },
	first: () => { tb.rows[0].cells[1].textContent = '…'; fetch('/rows').then((r) => r.text()).then(draw) },
	same: () => fetch('/rows').then((r) => r.text()),
	never: () => {},
	http500: () => fetch('/rows-fail').then((r) => r.ok && draw()),
	refused: () => fetch('/rows-refused').then(draw, () => {}),
	said: () => fetch('/rows').then((r) => r.text()).then(() => nav.insertAdjacentHTML('afterend', '<div class="alert alert-danger">Locked by Ada</div>')),
	beside: () => fetch('/rows-fail').then(() => fetch('/rows')).then((r) => r.text()),
}[how]
const go = (n) => { presses++; page = n; marks(); come() }
const sort = () => { presses++; order = orders[(orders.indexOf(order) + 1) % 3]; marks(); come() }
marks(); draw()
</script>`

// TestRowsThatComeLate reads rows after a press on a page number or a header. They must be the new
// rows, however these arrive, or the result must warn that the rows may be old.
func TestRowsThatComeLate(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/rows":
			time.Sleep(700 * time.Millisecond) // a slow server
		case "/rows-fail":
			w.WriteHeader(http.StatusInternalServerError)
		case "/rows-refused":
			panic(http.ErrAbortHandler)
		default:
			fmt.Fprint(w, lateRows)
		}
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	type row struct {
		action  string
		params  object
		presses string
		path    string // path in the data of the next table:read
		want    string
	}
	for i, how := range []string{"now", "timer300", "timer800", "fetch", "framed", "debounced", "emptied", "first", "same", "never", "http500", "refused", "beside", "said"} {
		for _, tt := range testkit.Share(t, "presses", []row{ // with -short one of them for each way in which rows arrive
			{"components:pagination:go", object{"page": 2}, "1", "rows.0.Id", "21"},
			{"components:table:sort", object{"column": "Id"}, "1", "rows.0.Name", "ascending"},
			{"components:table:sort", object{"column": "Id", "order": "descending"}, "2", "rows.2.Name", "descending"},
		}, i%3, 3) {
			name := fmt.Sprint(how, " ", tt.action, " ", tt.params["order"])
			b.open(t, base+"/"+how)
			r := b.run(t, tt.action, tt.params)
			said := fmt.Sprint(r.Warnings)
			read := b.mustRun(t, "components:table:read", nil)
			switch {
			case how == "http500" || how == "refused":
				says := map[string]string{"http500": "failed: HTTP 500", "refused": "failed: ERR_EMPTY_RESPONSE"}[how]
				if tt.action == "components:table:sort" {
					says = "is not sorted"
				}
				wantError(t, r, diag.StepFailed, says)
				continue
			case how == "said":
				wantError(t, r, diag.StepFailed, "Locked by Ada")
				continue
			case tt.params["order"] == "descending" && (how == "same" || how == "never" || how == "beside"):
				wantError(t, r, diag.VerifyFailed, "the rows are in the opposite order: 11, 12, 13")
				continue
			case r.Error != nil:
				t.Errorf("%s: %v", name, r.Error)
			case (how == "never" || how == "beside") && !strings.Contains(said, "not_renewed"):
				t.Errorf("%s: warnings %s, want that the rows may be old", name, said)
			case how != "never" && how != "beside" && len(r.Warnings) > 0:
				t.Errorf("%s: warnings %s, want none", name, said)
			case how != "never" && how != "beside" && how != "same" && lookup(read, tt.path) != tt.want:
				t.Errorf("%s: the rows are %v, want %s = %s", name, read["rows"], tt.path, tt.want)
			}
			look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "presses"}, Cwd: b.cwd})
			if got := fmt.Sprint(data(t, look)["value"]); got != tt.presses {
				t.Errorf("%s: %s presses, want %s", name, got, tt.presses)
			}
		}
	}
}
