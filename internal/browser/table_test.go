package browser

// Tables: what their header is, and rows that a selector finds by what they show.

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Of the rows of header cells, those above the data are the header of a table. Others name groups of
// rows, or repeat the header.
func TestTableHeader(t *testing.T) {
	const head, ann, bob = `<tr><th>No</th><th>Name</th></tr>`, `<tr><td>1</td><td>Ann</td></tr>`, `<tr><td>2</td><td>Bob</td></tr>`
	const group = `<tr><th colspan=2>Group</th></tr>`
	const both = "map[columns:[No Name] rows:[map[at:%d cells:map[Name:Ann No:1]] map[at:%d cells:map[Name:Bob No:2]]]]"
	tests := []struct{ name, html, want string }{
		{"groups behind a thead", `<thead>` + head + `</thead><tbody>` + group + ann + group + bob + `</tbody>`, fmt.Sprintf(both, 2, 4)},
		{"groups without a span", `<thead>` + head + `</thead><tbody><tr><th>Group</th></tr>` + ann + `<tr><th>Group</th></tr>` + bob + `</tbody>`, fmt.Sprintf(both, 2, 4)},
		{"groups without a thead", head + group + ann + group + bob, fmt.Sprintf(both, 3, 5)},
		{"the header again", head + ann + head + bob, fmt.Sprintf(both, 2, 4)},
		{"the header again behind a thead", `<thead>` + head + `</thead><tbody>` + ann + head + bob + `</tbody>`, fmt.Sprintf(both, 1, 3)},
		{"a title over the header", `<tr><th colspan=2>People</th></tr>` + head + ann + bob, fmt.Sprintf(both, 3, 4)},
		{"a title in the thead", `<thead><tr><th colspan=2>People</th></tr>` + head + `</thead><tbody>` + ann + bob + `</tbody>`, fmt.Sprintf(both, 1, 2)},
		{"a header in two rows", `<tr><th rowspan=2>No</th><th colspan=2>Name</th></tr><tr><th>First</th><th>Last</th></tr><tr><td>1</td><td>Ann</td><td>Lee</td></tr>`,
			"map[columns:[No First Last] rows:[map[at:3 cells:map[First:Ann Last:Lee No:1]]]]"},
		{"nothing but a title", `<tr><th colspan=2>People</th></tr>` + ann, "map[columns:[People People (2)] rows:[map[at:2 cells:map[People:1 People (2):Ann]]]]"},
		{"rows with a name of their own", `<thead><tr><th>Name</th><th>No</th></tr></thead><tbody><tr><th scope=row>Ann</th><td>1</td></tr></tbody>`,
			"map[columns:[Name No] rows:[map[at:1 cells:map[Name:Ann No:1]]]]"},
		{"sums", `<thead>` + head + `</thead><tbody>` + ann + `</tbody><tfoot><tr><th>1</th><th>Sum</th></tr></tfoot>`,
			"map[columns:[No Name] rows:[map[at:1 cells:map[Name:Ann No:1]] map[at:1 cells:map[Name:Sum No:1]]]]"},
		{"no header", ann + bob, "map[columns:[1 2] rows:[map[at:1 cells:map[1:1 2:Ann]] map[at:2 cells:map[1:2 2:Bob]]]]"},
		{"headers of rows alone", `<tr><th>No</th><td>1</td></tr><tr><th>Name</th><td>Ann</td><td>Lee</td></tr>`, "map[columns:[1 2 3] rows:[map[at:1 cells:map[1:No 2:1]] map[at:2 cells:map[1:Name 2:Ann 3:Lee]]]]"},
		{"nothing in one column", `<thead><tr><th>Name</th></tr></thead><tbody><tr class=ant-table-placeholder><td>No data</td></tr></tbody>`, "map[columns:[Name] rows:[]]"},
		{"marks of the order", `<thead><tr><th>No ↕</th><th>Name<i aria-hidden=true class=material-icons>arrow_upward</i></th></tr></thead>` + ann + bob, fmt.Sprintf(both, 1, 2)},
		{"one column", `<thead><tr><th>Name</th></tr></thead><tbody><tr><th>Ann</th></tr></tbody>`, "map[columns:[Name] rows:[map[at:1 cells:map[Name:Ann]]]]"},
	}
	const titles, ab, one = `<tr><th>A<th>B</tr>`, "map[columns:[A B] rows:[map[at:1 cells:map[A:1 B:2]]]]", `<tbody><tr><td>1<td>2</tbody>`
	const hidden = `<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">sort ascending</span>`
	for _, filters := range []string{`<th><input value=f><th><input>`, `<td><input><td><input>`, `<th><th>`, `<th><input><th><select><option>All<option>x</select>`,
		`<th><input><th><button>Clear</button>`, `<th><th><button>Clear</button>`, `<th><div><input><button>Go</button></div><th><textarea>All</textarea>`} {
		tests = append(tests, struct{ name, html, want string }{"a row of filters " + filters, `<thead>` + titles + `<tr>` + filters + `</thead>` + one, ab})
	}
	tests = append(tests, []struct{ name, html, want string }{
		{"a list in the header", `<thead><tr><th>A<th>B <select><option>All<option>x</select></thead>` + one, ab},
		{"buttons under a title of several", `<thead><tr><th colspan=2>Both<tr><th><button>A</button><th><button>B</button></thead>` + one, ab},
		{"buttons as titles", `<thead><tr><th><button>A</button><th><button>B</button></thead>` + one, ab},
		{"filters under a header in two rows", `<thead><tr><th rowspan=2>No<th colspan=2>Name<tr><th>First<th>Last<tr><th><input><th><th><input></thead><tbody><tr><td>1<td>Ann<td>Lee</tbody>`,
			"map[columns:[No First Last] rows:[map[at:1 cells:map[First:Ann Last:Lee No:1]]]]"},
		{"no title over what holds something", `<thead><tr><th><th>A<th></thead><tbody><tr><td><input type=checkbox><td>1<td>2</tbody>`, "map[columns:[A 3] rows:[map[at:1 cells:map[3:2 A:1]]]]"},
		{"a header too short", `<thead><tr><th>A</thead>` + one, "map[columns:[A 2] rows:[map[at:1 cells:map[2:2 A:1]]]]"},
		{"the header again over filters", `<thead>` + titles + `<tr><th><input><th></thead><tbody><tr><td>1<td>2` + titles + `</tbody>`, ab},
		{"a hidden column under a title", `<thead><tr><th colspan=2>Both<tr><th>A<th style="display:none">H</thead><tbody><tr><td>1<td style="display:none">2</tbody>`, "map[columns:[A] rows:[map[at:1 cells:map[A:1]]]]"},
		{"words for screen readers", `<thead><tr><th>A ` + hidden + `<th><b>B</b></thead>` + one, "map[also:map[A sort ascending:A] columns:[A B] rows:[map[at:1 cells:map[A:1 B:2]]]]"},
		{"nothing but words for screen readers", `<thead><tr><th>A<th>` + hidden + `</thead>` + one, "map[columns:[A sort ascending] rows:[map[at:1 cells:map[A:1 sort ascending:2]]]]"},
	}...)
	html := ""
	for i, tt := range tests {
		html += fmt.Sprintf("<table id=t%d>%s</table>", i, tt.html)
	}
	html += `<div id=aria role=grid><div role=row><span role=columnheader>No</span><span role=columnheader>Name</span></div>
		<div role=rowgroup><div role=row><span role=columnheader aria-colspan=2>Group</span></div>
		<div role=row><span role=gridcell>1</span><span role=gridcell>Ann</span></div><div role=row><span role=gridcell>2</span><span role=gridcell>Bob</span></div></div></div>`
	grids := []struct{ name, html, want string }{
		{"some columns", row("columnheader", "A 1", "B 3") + row("gridcell", "2 3"), "map[columns:[A B] rows:[map[at:2 cells:map[B:2]]]]"},
		{"a cell without a name above what selects a row", `<div role=row><span role=gridcell></span> <span role=columnheader>A</span> <span role=columnheader>B</span></div>` +
			`<div role=row><span role=gridcell><input type=checkbox></span> <span role=gridcell>1</span> <span role=gridcell>2</span></div>`,
			"map[columns:[A B] rows:[map[at:2 cells:map[A:1 B:2]]]]"},
		{"another order", row("columnheader", "A 1", "B 2") + row("gridcell", "2 2", "1 1"), "map[columns:[A B] rows:[map[at:2 cells:map[A:1 B:2]]]]"},
		{"from 0", row("columnheader", "A 0", "B 1") + row("gridcell", "2 1", "1 0"), "map[columns:[A B] rows:[map[at:2 cells:map[A:1 B:2]]]]"},
		{"a header in another order", row("columnheader", "B 2", "A 1") + row("gridcell", "1 1", "2 2"), "map[columns:[B A] rows:[map[at:2 cells:map[A:1 B:2]]]]"},
		{"numbers in the body alone", row("columnheader", "A", "B", "C") + row("gridcell", "3 3", "2 2"), "map[columns:[A B C] rows:[map[at:2 cells:map[B:2 C:3]]]]"},
		{"numbers in the body alone, of columns that are not drawn", row("columnheader", "A", "B") + row("gridcell", "1 5", "2 6"), "map[columns:[A B] rows:[map[at:2 cells:map[A:1 B:2]]]]"},
		{"numbers in the header alone", row("columnheader", "A 5", "B 6") + row("gridcell", "1", "2"), "map[columns:[A B] rows:[map[at:2 cells:map[A:1 B:2]]]]"},
		{"the number on the row", `<div role=row aria-colindex=4><span role=columnheader>A</span> <span role=columnheader>B</span></div><div role=row aria-colindex=5><span role=gridcell>2</span></div>`,
			"map[columns:[A B] rows:[map[at:2 cells:map[B:2]]]]"},
		{"a cell over two", row("columnheader", "A 1", "B 2", "C 3") + `<div role=row><span role=gridcell aria-colspan=2>x</span> <span role=gridcell>3</span></div>`,
			"map[columns:[A B C] rows:[map[at:2 cells:map[A:x B:x C:3]]]]"},
	}
	for i, tt := range grids {
		html += fmt.Sprintf("<div role=grid id=g%d>%s</div>", i, tt.html)
	}
	ctx, p := show(t, html)
	want := func(name, selector, want string) {
		t.Helper()
		got, err := p.Read(ctx, css(selector), driver.ReadOptions{What: "table"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if text := fmt.Sprint(got.Value); text != want {
			t.Errorf("%s is read as\n%s, want\n%s", name, text, want)
		}
	}
	for i, tt := range tests {
		want(tt.name, fmt.Sprintf("#t%d", i), tt.want)
	}
	for i, tt := range grids {
		want("a grid with "+tt.name, fmt.Sprintf("#g%d", i), tt.want)
	}
	want("by roles", "#aria", fmt.Sprintf(both, 2, 3))
}

// row returns a row of a grid. The text of each cell is followed by a space and the cell's number.
func row(role string, cells ...string) string {
	html := "<div role=row>"
	for _, cell := range cells {
		text, number, ok := strings.Cut(cell, " ")
		if ok {
			number = "aria-colindex=" + number
		}
		html += fmt.Sprintf("<span role=%s %s>%s</span> ", role, number, text)
	}
	return html + "</div>"
}

func TestRowSelector(t *testing.T) {
	ctx, p := show(t, `<table id=plain><thead><tr><th>Name<th>City<th>Do<tbody>
		<tr><td>Ann<td><input value=Oslo><td><button onclick="log.push('Ann')">Press</button>
		<tr><td>Anna<td><input value=Rome><td><button onclick="log.push('Anna')">Press</button>
		<tr style="display:none"><td>Bob<td>Rome<td><button onclick="log.push('hidden')">Press</button>
		<tr><td>Bob<td>Oslo<td><table><tr><td>Zoe<tr><td><button onclick="log.push('Bob')">Press</button></table>
		<tr><td>Two  words<td>-<td><button onclick="log.push('Two')">Press</button></table>
	<table id=readers><tr><th>Name <span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">sort ascending</span><th>Do
		<tr><td>Ann<td><button onclick="log.push('readers Ann')">Press</button></table>
	<div id=split><div><table><thead><tr><th>No<th>Name</table></div><div><table><tbody><tr><td>1<td>Ann<tr><td>2<td>Bob</table></div>
		<div><table><thead><tr><th>Do</table><table><tbody><tr><td><button onclick="log.push('1')">Press</button><tr><td><button onclick="log.push('2')">Press</button></table></div></div>
	<div id=aria role=grid><div role=row><b role=columnheader>Name</b><b role=columnheader>Do</b></div>
		<div role=row><i role=gridcell>Ann</i><i role=gridcell><button onclick="log.push('aria Ann')">Press</button></i></div>
		<div role=row><i role=gridcell>Bob</i><i role=gridcell><button onclick="log.push('aria Bob')">Press</button></i></div></div>
	<script>var log = []</script>`)
	press := func(table string, row selectors.QueryPart) error {
		row.Kind = selectors.Row
		target := within(query(row), 500*time.Millisecond)
		target.Bind = func(context.Context, driver.Document) (*selectors.Query, error) {
			return &selectors.Query{Parts: []selectors.QueryPart{cssPart(table), row, textPart("Press")}}, nil
		}
		_, err := p.Press(ctx, target, driver.PressOptions{})
		return err
	}
	by := func(cells ...string) (q selectors.QueryPart) {
		for i := 0; i < len(cells); i += 2 {
			q.Attrs = append(q.Attrs, selectors.QueryAttr{Name: cells[i], Value: cells[i+1]})
		}
		return q
	}
	for _, tt := range []struct {
		table string
		row   selectors.QueryPart
		want  string
		code  diag.Code
	}{
		{"#plain", by("Name", "Ann"), "Ann", ""},
		{"#plain", by("Name", "Anna"), "Anna", ""},
		{"#plain", by("Name", "Bob", "City", "Oslo"), "Bob", ""},
		{"#plain", by("City", "Rome"), "Anna", ""},
		{"#plain", by("Name", " Two words"), "Two", ""},
		{"#plain", selectors.QueryPart{Value: "Zoe"}, "Bob", ""},
		{"#plain", selectors.QueryPart{Value: "Rome"}, "Anna", ""},
		{"#plain", selectors.QueryPart{Value: "Ann"}, "", diag.ElementAmbiguous},
		{"#plain", by("City", "Oslo"), "", diag.ElementAmbiguous},
		{"#plain", by("Name", "An"), "", diag.ElementNotFound},
		{"#plain", by("Nome", "Ann"), "", diag.ElementNotFound},
		{"#plain", by("toString", "Ann"), "", diag.ElementNotFound},
		{"#plain", selectors.QueryPart{Value: "Nobody"}, "", diag.ElementNotFound},
		{"button", selectors.QueryPart{Value: "Press"}, "", diag.ElementNotFound},
		{"#split", by("Name", "Bob"), "2", ""},
		{"#split", selectors.QueryPart{Value: "Ann"}, "1", ""},
		{"#aria", by("Name", "Bob"), "aria Bob", ""},
		{"#readers", by("Name", "Ann"), "readers Ann", ""},
		{"#readers", by("Name sort ascending", "Ann"), "readers Ann", ""},
	} {
		evaluate(t, ctx, p, "log.length = 0")
		err := press(tt.table, tt.row)
		if diag.CodeOf(err) != tt.code {
			t.Errorf("%s, row %v: %v, want code %q", tt.table, tt.row, err, tt.code)
		}
		if got := evaluate(t, ctx, p, "log.join()"); got != tt.want {
			t.Errorf("%s, row %v: pressed %q, want %q", tt.table, tt.row, got, tt.want)
		}
	}
}

// A table that says that it is loading is read once it has loaded. A loading sign that concerns
// something else does not delay a table with texts.
func TestTableLoading(t *testing.T) {
	const head, row, spin = `<thead><tr><th>A<th>B</thead>`, `<tr><td>1<td>2`, `<div class=spinner style="width:20px;height:20px">`
	late := []string{
		`<table aria-busy=true>` + head + `<tbody></table>`,
		`<div aria-busy=true><table>` + head + `<tbody></table></div>`,
		`<table>` + head + `<tbody><tr><td colspan=2>Loading…</table>`,
		`<table>` + head + `<tbody><tr><td colspan=2>正在加载</table>`,
		`<table>` + head + `<tbody><tr><td colspan=2>` + spin + `</div></table>`,
		`<table>` + head + `<tbody><tr><td><i class=my-skeleton style="display:block;width:9px;height:9px"></i><td></table>`,
		`<div style="position:relative"><table>` + head + `<tbody></table><div class=spinner style="position:absolute;inset:0"></div></div>`,
		`<div style="position:relative"><table>` + head + `<tbody><tr><td>old<td>rows</table><div style="position:absolute;inset:0;background:#fff8"><div role=progressbar style="width:100%;height:100%"></div></div></div>`,
	}
	now := []string{
		`<div style="position:relative"><table>` + head + `<tbody>` + row + `</table><div class=spinner style="position:absolute;inset:0;display:none"></div></div>`,
		`<div style="position:relative"><table>` + head + `<tbody>` + row + `</table><div style="position:absolute;inset:0;opacity:0;pointer-events:none"><div class=spinner style="height:100%"></div></div></div>`,
		`<table>` + head + `<tbody><tr><td>1<td>2 <progress></progress></table>`,
		`<table>` + head + `<tbody><tr><td>1<td><div class=spinner style="width:9px;height:9px"></div>2</table>`,
		`<div class=spinner style="width:9px;height:9px"></div><table>` + head + `<tbody>` + row + `</table>`,
		`<div class="box loading"><table>` + head + `<tbody>` + row + `</table></div>`,
		`<table>` + head + `<tbody>` + row + `<tr><td colspan=2>Loading more…</table>`,
		`<table aria-busy=false>` + head + `<tbody>` + row + `</table>`,
	}
	html := ""
	for i, table := range append(append([]string{}, late...), now...) {
		html += fmt.Sprintf("<div id=b%d style='margin:9px'>%s</div>", i, table)
	}
	ctx, p := show(t, html+`<table id=failed>`+head+`<tbody><tr><td colspan=2>Loading failed</table><table id=ever aria-busy=true>`+head+`<tbody>`+row+`</table>`)
	const want = "map[columns:[A B] rows:[map[at:1 cells:map[A:1 B:2]]]]"
	for i := range late {
		selector := fmt.Sprintf("#b%d", i)
		evaluate(t, ctx, p, fmt.Sprintf(`(setTimeout(() => { document.querySelector(%q).innerHTML = %q }, 150), 1)`, selector, `<table>`+head+`<tbody>`+row+`</table>`))
		got, err := p.Read(ctx, css(selector), driver.ReadOptions{What: "table"})
		if text := fmt.Sprint(got.Value); err != nil || text != want {
			t.Errorf("%s is read as\n%s, %v, want\n%s", late[i], text, err, want)
		}
	}
	for i := range now {
		got, err := p.Read(ctx, within(query(cssPart(fmt.Sprintf("#b%d", len(late)+i))), 300*time.Millisecond), driver.ReadOptions{What: "table"})
		if text := fmt.Sprint(got.Value); err != nil || text != want {
			t.Errorf("%s is read as\n%s, %v, want\n%s", now[i], text, err, want)
		}
	}
	if got, err := p.Read(ctx, within(query(cssPart("#failed")), 300*time.Millisecond), driver.ReadOptions{What: "table"}); err != nil {
		t.Errorf("a table that has failed: %v, %v", got.Value, err)
	}
	if _, err := p.Read(ctx, within(query(cssPart("#ever")), 300*time.Millisecond), driver.ReadOptions{What: "table"}); diag.CodeOf(err) != diag.StepFailed || !strings.Contains(fmt.Sprint(err), "loading") {
		t.Errorf("a table that loads for ever: %v, want %s", err, diag.StepFailed)
	}
}
