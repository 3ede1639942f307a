package session_test

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// TestFormSubmitThatShowsManyTexts checks that a page that shows thousands of texts after a submit is
// read completely, without a timeout of a step.
func TestFormSubmitThatShowsManyTexts(t *testing.T) {
	t.Parallel()
	texts := 10000
	if testing.Short() {
		texts = 2500
	}
	html := fmt.Sprintf(`<form onsubmit="event.preventDefault();show()"><label>Name <input id=n></label><button>Go</button></form><div id=o></div><script>
const show = () => { let s = '<h2>Order saved</h2>'; for (let i = 0; i < %d; i++) s += '<p>Line ' + i + ' of the text'; o.innerHTML = s }</script>`, texts)
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=60s")
	b.mustRun(t, "web:page:open", object{"url": base})
	b.mustRun(t, "components:form:submit", object{"text": "Go"})
	if got := b.holds(t, "document.querySelectorAll('#o p').length"); got != fmt.Sprint(texts) {
		t.Errorf("the page shows %s texts, expected %d", got, texts)
	}
}

// TestFormSubmitOfManyFields checks that a form with thousands of fields that keep their values is
// judged within the limit of steps.
func TestFormSubmitOfManyFields(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	html := `<form onsubmit="event.preventDefault();fetch('/x',{method:'POST'}).then(()=>o.textContent='Saved')"><script>
for (let i = 0; i < 3000; i++) document.write('<input name=f' + i + ' value="text ' + i + '">')</script><button>Save</button></form><p id=o></p>`
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=60s")
	b.mustRun(t, "web:page:open", object{"url": base})
	b.mustRun(t, "components:form:submit", nil)
}

// TestFormSubmitBesideALargeTable checks that a form on a page with a table of 20,000 cells, before
// it, after it or in it, is judged within the limit of the looks.
func TestFormSubmitBesideALargeTable(t *testing.T) {
	t.Parallel()
	rows, places := 2000, []string{"before", "after", "inside"}
	if testing.Short() {
		rows, places = 400, places[:1]
	}
	for _, place := range places {
		html := fmt.Sprintf(`<h1>Items</h1><div id=before></div><form onsubmit="event.preventDefault();o.textContent='Saved'"><label>Name <input id=n></label>
<button>Go</button><div id=inside></div></form><p id=o></p><div id=after></div><script>{
let s = ''
for (let r = 0; r < %d; r++) { s += '<tr>'; for (let c = 0; c < 10; c++) s += '<td>Item ' + r + '-' + c }
document.getElementById('%s').innerHTML = '<table><thead><tr><th>A<th>B<tbody>' + s + '</table>'
}</script>`, rows, place)
		base := serve(t, muxShowing(&html))
		b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=60s")
		b.mustRun(t, "web:page:open", object{"url": base})
		b.mustRun(t, "components:form:submit", nil)
		if got := b.holds(t, "document.querySelectorAll('td').length"); got != fmt.Sprint(10*rows) {
			t.Errorf("the page with a table %s the form has %s cells, want %d", place, got, 10*rows)
		}
	}
}
