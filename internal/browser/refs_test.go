package browser

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
)

// An element that was rendered again is found by its ref, however the ref was assigned, if it is
// certain that it is the same.
func TestRefsRenderedAnew(t *testing.T) {
	const buy = `<div class=b style="cursor:pointer" onclick="out.textContent='bought'">Buy</div>`
	const save = `<button class=b onclick="out.textContent='saved'">Save</button>`
	tests := []struct {
		name, html, change string
		want               string // what the page shows, or stale
	}{
		{"button", save, `box.innerHTML = box.innerHTML`, "saved"},
		{"clickable", buy, `box.innerHTML = box.innerHTML`, "bought"},
		{"clickable in a shadow root", `<x-y></x-y><script>customElements.define('x-y', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = ` + "`" + buy + "`" + ` } })</script>`,
			`document.querySelector('x-y').shadowRoot.innerHTML += ''`, "bought"},
		{"clickable whose words changed", buy, `box.firstChild.textContent = 'Delete'`, "stale"},
		{"clickable with other words", buy, `box.innerHTML = box.innerHTML.replace('Buy', 'Delete')`, "stale"},
		{"no more clickable", buy, `box.innerHTML = '<div class=b>Buy</div>'`, "stale"},
		{"now two", save, `box.innerHTML = box.innerHTML.repeat(2)`, "stale"},
		{"now two clickables", buy, `box.innerHTML = box.innerHTML.repeat(2)`, "stale"},
		{"one of two is left", save + save, `box.lastChild.remove(); box.innerHTML = box.innerHTML`, "stale"},
		{"one of two clickables is left", buy + buy, `box.lastChild.remove(); box.innerHTML = box.innerHTML`, "stale"},
		{"another that was hidden", save + `<div hidden>` + save + `</div>`, `box.firstChild.remove(); box.firstChild.hidden = false`, "stale"},
		{"another tag", save, `box.innerHTML = '<a role=button class=b>Save</a>'`, "stale"},
	}
	for _, way := range []string{"find", "snapshot"} {
		for _, tt := range tests {
			t.Run(way+"/"+tt.name, func(t *testing.T) {
				ctx, p := show(t, `<p id=out>none</p><main id=box>`+tt.html+`</main>`)
				given := refBy(t, ctx, p, way)
				evaluate(t, ctx, p, tt.change+`, 1`)
				again := 0
				target := ref(given)
				target.FoundAgain = func(string) { again++ }
				_, err := p.Press(ctx, target, driver.PressOptions{})
				if tt.want == "stale" {
					wantCode(t, err, diag.StaleRef, "@"+given)
					tt.want = "none"
				} else if err != nil || again != 1 {
					t.Errorf("pressed: %v; found again %d times, want once", err, again)
				}
				if got := evaluate(t, ctx, p, `out.textContent`); got != tt.want {
					t.Errorf("the page shows %v, want %s", got, tt.want)
				}
			})
		}
	}
}

// refBy returns a ref of the first .b, from a find or a snapshot.
func refBy(t *testing.T, ctx context.Context, p *Page, way string) string {
	t.Helper()
	if way == "find" {
		f, err := p.Find(ctx, css(".b"))
		if err != nil || f.Ref == "" {
			t.Fatalf("found %+v, %v", f, err)
		}
		return f.Ref
	}
	s := take(t, ctx, p, snapshot.Options{Interactive: true})
	given := regexp.MustCompile(`ref=(e\d+)`).FindStringSubmatch(s.Text())
	if given == nil {
		t.Fatalf("no ref in\n%s", s.Text())
	}
	return given[1]
}

// An element that the page now uses for another row is not the one that the ref was assigned to.
func TestRefsOfRows(t *testing.T) {
	const buttons = `<button class=b onclick="out.textContent='pressed'">Delete</button>`
	row := func(cells ...string) string {
		return "<tr><td>" + strings.Join(cells, "<td>") + "<td>" + buttons + "</tr>"
	}
	people := `<table>` + row("Ann", "active") + row("Bob", "active") + row("Cy", "locked") + `</table>`
	numbered := `<table>` + row("1", "Ann") + row("2", "Bob") + row("3", "Cy") + `</table>`
	orders := `<table>` + row("Order 1001", "open") + row("Order 1002", "open") + `</table>`
	card := func(name, rest string) string {
		return `<div class=card><div><h3>` + name + `</h3><p>` + rest + `</p></div><div><span>` + buttons + `</span></div></div>`
	}
	cards := card("Ann", "3 minutes ago") + card("Bob", "3 minutes ago") + card("Cy", "just now")
	feed := `<ul><li>Ann — 3 minutes ago ` + buttons + `<li>Bob — 4 minutes ago ` + buttons + `</ul>`
	icons := `<ul><li><b>Ann</b><button class=b onclick="out.textContent='pressed'"><svg width=9 height=9></svg></button><li><b>Bob</b><button><svg width=9 height=9></svg></button></ul>`
	toolbars := `<header>Welcome, Ann ` + buttons + `</header><footer>none today ` + buttons + `</footer>`
	posts := `<table>` + row("Ann", "1", "open") + row("Ann", "2", "open") + `</table>`
	beds := `<table>` + row("11", "x", "open") + row("12", "x", "open") + `</table>`
	rooms := `<table>` + row("Room 11", "free", "a") + row("Room 12", "taken", "b") + `</table>`
	doors := `<table>` + row("101", "free") + row("102", "taken") + row("103", "free") + `</table>`
	votes := `<table>` + row("Votes: 3", "Ann") + row("Votes: 4", "Bob") + `</table>`
	since := `<table>` + row("3 minutes ago", "Ann") + row("4 minutes ago", "Bob") + `</table>`
	goods := `<table>` + row("$ 30", "Ann") + row("$ 40", "Bob") + `</table>`
	slots := `<table>` + row("Ann", "09:00", "open") + row("Ann", "10:00", "open") + row("Bo", "09:00", "open") + row("Bo", "10:00", "open") + `</table>`
	namesakes := `<table>` + row("Ann", "1") + row("Ann", "2") + row("Bo", "1") + row("Cy", "1") + row("Di", "1") + row("Ed", "1") + `</table>`
	long := func(end string) string {
		return strings.Repeat("/srv/data/customers/exports", 2) + strings.Repeat("/2026", 60) + end
	}
	files := `<table>` + row(long("/alpha")) + row(long("/beta")) + row(long("/gamma")) + `</table>`
	bills := `<table>` + row("Invoice for the subscription of the business plan, October 2023") + row("Invoice for the subscription of the business plan, October 2024") + `</table>`
	twins := `<table>` + row("Ann", "x") + row("Ann", "x") + row("Bo", "x") + `</table>`
	flat := func(names ...string) string {
		return `<h3>` + strings.Join(names, `</h3><p>Member</p>`+buttons+`<h3>`) + `</h3><p>Member</p>` + buttons
	}
	defined := `<dl><dt>Ann<dd>` + buttons + `<dt>Bob<dd>` + buttons + `</dl>`
	groups := `<table><tr><th colspan=2>Ann</th></tr>` + row("Total 10") + `<tr><th colspan=2>Bob</th></tr>` + row("Total 10") + `</table>`
	spanning := `<table><tr><td rowspan=2>Ann<td>Net<td></tr>` + row("Gross") + `<tr><td rowspan=2>Bob<td>Net<td></tr>` + row("Gross") + `</table>`
	compared := `<table><tr><th>Ann<th>Bob</tr><tr><td>` + buttons + `<td>` + buttons + `</tr></table>`
	branches := `<ul><li>Ann<ul><li>File.txt ` + buttons + `</ul><li>Bob<ul><li>File.txt ` + buttons + `</ul></ul>`
	accordion := ""
	for _, name := range []string{"Ann", "Bob", "Cy"} {
		accordion += `<div class=head>` + name + `</div><div class=body>Member since May ` + buttons + `</div>`
	}
	// Parts of rows: fixed columns over a table, the panes of a grid, columns of boxes.
	sides := func(left, right string) string {
		return `<style>tr, p { height: 30px }</style><div style="display:flex"><div><div>` + left + `</div></div><div><div>` + right + `</div></div></div>`
	}
	part := func(i int, cells ...string) string {
		return `<div role=row aria-rowindex=` + strconv.Itoa(i) + `><div role=gridcell>` + strings.Join(cells, `</div><div role=gridcell>`) + `</div></div>`
	}
	fixed := sides(`<table><tr><td>Ann<td>open<tr><td>Bob<td>open<tr><td>Cy<td>open</table>`, `<table>`+row()+row()+row()+`</table>`)
	panes := sides(part(1, "Ann")+part(2, "Bob")+part(3, "Cy"), part(1, "open", buttons)+part(2, "open", buttons)+part(3, "open", buttons))
	columns := sides(`<p>Ann</p><p>Bob</p><p>Cy</p>`, strings.Repeat(`<p>`+buttons+`</p>`, 3))
	uneven := sides(`<p style="height:90px">Ann</p><p>Bob</p><p>Cy</p>`, strings.Repeat(`<p>`+buttons+`</p>`, 3))
	const cell = `document.querySelectorAll('td')`
	tests := []struct {
		name, html, change string
		want               string // pressed, or the error of a stale ref
	}{
		{"the same", people, `0`, "pressed"},
		{"the node is used for another row", people, cell + `[0].textContent = 'Dee'`, `it was button "Delete" in "Ann" and is now button "Delete" in "Dee active"`},
		{"the nodes move up", people, `(tds => { tds[0].textContent = 'Bob'; tds[3].textContent = 'Cy' })(` + cell + `)`, `is now button "Delete" in "Bob`},
		{"the row's status changes", people, cell + `[1].textContent = 'locked'`, "pressed"},
		{"the row gets a badge", people, cell + `[0].insertAdjacentHTML('afterbegin', '<i>new</i> ')`, "pressed"},
		{"the row moves", people, `document.querySelector('tbody').append(document.querySelector('tr'))`, "pressed"},
		{"the row before it goes", numbered, cell + `[0].textContent = '7'`, "pressed"},
		{"numbered rows, another one", numbered, cell + `[1].textContent = 'Dee'`, `in "Ann"`},
		{"the number of an order", orders, cell + `[0].textContent = 'Order 1003'`, `in "Order 1001"`},
		{"a number in another column", posts, cell + `[1].textContent = '3'`, `in "1"`},
		{"a status beside it", posts, cell + `[2].textContent = 'done'`, "pressed"},
		{"a short number that counts", beds, cell + `[0].textContent = '21'`, `in "11"`},
		{"a status beside a short number", beds, cell + `[2].textContent = 'done'`, "pressed"},
		{"a numbered name", rooms, cell + `[0].textContent = 'Room 21'`, `in "Room 11"`},
		{"a status beside a numbered name", rooms, cell + `[1].textContent = 'taken'`, "pressed"},
		{"a number alone", doors, cell + `[0].textContent = '201'`, `in "101"`},
		{"a status beside a number alone", doors, cell + `[1].textContent = 'taken'`, "pressed"},
		{"a counter before the name", votes, cell + `[0].textContent = 'Votes: 5'`, "pressed"},
		{"time passes before the name", since, cell + `[0].textContent = '5 minutes ago'`, "pressed"},
		{"a price before the name", goods, cell + `[0].textContent = '$ 50'`, "pressed"},
		{"cards", cards, `document.querySelector('h3').textContent = 'Dee'`, `in "Ann"`},
		{"time passes in a card", cards, `document.querySelector('p').textContent = '4 minutes ago'`, "pressed"},
		{"items", feed, `document.querySelector('li').firstChild.data = 'Dee — 1 minute ago '`, `in "Ann — 3 minutes ago"`},
		{"time passes in an item", feed, `document.querySelector('li').firstChild.data = 'Ann — 4 minutes ago '`, "pressed"},
		{"a button without a name", icons, `document.querySelector('b').textContent = 'Dee'`, `in "Dee"`},
		{"rows that two texts tell apart", slots, cell + `[1].textContent = '10:00'`, `in "Ann 09:00"`},
		{"rows that two texts tell apart, the other", slots, cell + `[0].textContent = 'Bo'`, `in "Ann 09:00"`},
		{"a status beside two texts", slots, cell + `[2].textContent = 'done'`, "pressed"},
		{"namesakes", namesakes, cell + `[1].textContent = '2'`, `in "Ann 1"`},
		{"texts that end differently", files, cell + `[0].textContent = ` + cell + `[2].textContent`, `/alpha`},
		{"long texts that end in another year", bills, cell + `[0].textContent = ` + cell + `[2].textContent`, `October 2023`},
		{"under a heading each", flat("Ann", "Bob"), `document.querySelector('h3').textContent = 'Bob'`, `it was button "Delete" in "Ann" and is now button "Delete" in "Bob"`},
		{"under a heading each, another text", flat("Ann", "Bob"), `document.querySelector('p').textContent = 'Owner'`, "pressed"},
		{"under a heading each, one more before", flat("Ann", "Bob"), `document.querySelector('h3').insertAdjacentHTML('beforebegin', '<h3>Zoe</h3><p>Member</p><button class=c>Delete</button>')`, "pressed"},
		{"a term each", defined, `document.querySelector('dt').firstChild.data = 'Bob'`, `in "Ann"`},
		{"a row with the name before each", groups, `document.querySelector('th').textContent = 'Bob'`, `in "Ann"`},
		{"a row with the name before each, the sum", groups, cell + `[0].textContent = 'Total 20'`, "pressed"},
		{"a name over two rows", spanning, cell + `[0].firstChild.data = 'Bob'`, `in "Ann"`},
		{"a column each", compared, `document.querySelector('th').firstChild.data = 'Bob'`, `in "Ann"`},
		{"a list in each item", branches, `document.querySelector('li').firstChild.data = 'Bob'`, `in "Ann"`},
		{"under a plain text each", accordion, `document.querySelector('.head').textContent = 'Bob'`, `in "Ann"`},
		{"under a plain text each, another text", accordion, `document.querySelector('.body').firstChild.data = 'Owner '`, "pressed"},
		{"fixed columns", fixed, cell + `[0].textContent = 'Dee'`, `it was button "Delete" in "Ann" and is now button "Delete" in "Dee open"`},
		{"fixed columns, the status", fixed, cell + `[1].textContent = 'done'`, "pressed"},
		{"fixed columns, a row is gone", fixed, `(([a, b]) => { a.deleteRow(0); b.deleteRow(2) })(document.querySelectorAll('table'))`, `in "Ann"`},
		{"panes", panes, `document.querySelector('[role=gridcell]').textContent = 'Dee'`, `in "Ann"`},
		{"panes, the status", panes, `document.querySelectorAll('[role=gridcell]')[3].textContent = 'done'`, "pressed"},
		{"columns of boxes", columns, `document.querySelector('main p').textContent = 'Dee'`, `in "Ann"`},
		{"columns that scroll", columns, `document.querySelector('main p').parentNode.style.cssText = 'position: relative; top: 9px', 1`, "pressed"},
		{"lists that only stand beside each other", uneven, `document.querySelector('main p').textContent = 'Dee'`, "pressed"},
		{"twins", twins, cell + `[1].textContent = 'y'`, "pressed"},
		{"what is no row", toolbars, `document.querySelector('header').firstChild.data = 'Hello, Bob '`, "pressed"},
	}
	for _, way := range []string{"find", "snapshot"} {
		for _, tt := range testkit.Kinds(t, "rows", 6, tests, func(i int) any { return tests[i].want == "pressed" }) {
			t.Run(way+"/"+tt.name, func(t *testing.T) {
				ctx, p := show(t, `<p id=out>none</p><main id=box>`+tt.html+`</main>`)
				given := refBy(t, ctx, p, way)
				evaluate(t, ctx, p, tt.change+`, 1`)
				_, err := p.Press(ctx, ref(given), driver.PressOptions{})
				if tt.want != "pressed" {
					wantCode(t, err, diag.StaleRef, tt.want)
				} else if err != nil {
					t.Error(err)
				}
				if got := evaluate(t, ctx, p, `out.textContent`); (got == "pressed") != (tt.want == "pressed") {
					t.Errorf("the page shows %v, want %s", got, tt.want)
				}
			})
		}
	}
}

// A ref that a step has read means the element itself. Another name, or another element in its
// position, does not count, and WaitElement can wait for its end.
func TestRefsOfElements(t *testing.T) {
	ctx, p := show(t, `<main><div role=dialog aria-label=Edit><button onclick="out.textContent='pressed'">OK</button></div></main><p id=out>none</p>`)
	read, err := p.Read(ctx, css("[role=dialog]"), driver.ReadOptions{What: "ref"})
	given, _ := read.Value.(string)
	if err != nil || given == "" {
		t.Fatalf("read %v, %v, want a ref", read.Value, err)
	}
	again, err := p.Find(ctx, css("[role=dialog]"))
	if err != nil || again.Ref == given {
		t.Errorf("find gave @%s, %v, want a ref of its own", again.Ref, err)
	}
	evaluate(t, ctx, p, `document.querySelector('[role=dialog]').ariaLabel = 'Error', 1`)
	if n, err := p.Count(ctx, ref(given)); err != nil || n != 1 {
		t.Errorf("with another name %d match, %v, want one", n, err)
	}
	_, err = p.Press(ctx, ref(again.Ref), driver.PressOptions{})
	wantCode(t, err, diag.StaleRef, "is now dialog")
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_, err = p.WaitElement(short, ref(given), driver.ElementState{State: "hidden"})
	wantCode(t, err, diag.Timeout, "still visible")
	evaluate(t, ctx, p, `const box = document.querySelector('main'); box.innerHTML = box.innerHTML, 1`)
	for _, state := range []string{"hidden", "detached"} {
		if _, err = p.WaitElement(ctx, ref(given), driver.ElementState{State: state}); err != nil {
			t.Errorf("rendered anew it is not %s: %v", state, err)
		}
	}
	_, err = p.Press(ctx, ref(given), driver.PressOptions{})
	wantCode(t, err, diag.StaleRef, "no longer on the page")
	if _, err := p.Reload(ctx, ""); err != nil {
		t.Fatal(err)
	}
	if _, err = p.WaitElement(ctx, ref(given), driver.ElementState{State: "hidden"}); err != nil {
		t.Errorf("in another document it is not hidden: %v", err)
	}
}
