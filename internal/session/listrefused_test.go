package session_test

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// listInField returns a list whose options are inside its field, hidden while the list is closed.
// opener is the control that opens the list, with #v as the element that shows the value. take is a
// script that runs on a press; x is the pressed option.
func listInField(opener, more, take string) string {
	return fmt.Sprintf(`<p><label>Name <input id=n></label></p><div id=w>%s<ul role=listbox id=lb hidden aria-labelledby=lab tabindex=-1></ul>%s</div><script>
let val = 'Red'; const draw = () => { v.textContent = val; lb.innerHTML = ['Red', 'Green', 'Blue'].map((x) => '<li role=option aria-selected=' + (x === val) + '>' + x).join('') }; draw()
const opens = w.querySelector('button, [role=combobox]'), show = (on) => { lb.hidden = !on; opens.ariaExpanded = on }
opens.onclick = () => show(lb.hidden); lb.onclick = (e) => { const x = e.target.closest('li').textContent; show(false); %s }</script>`, opener, more, take)
}

// TestListsOfButtonsThatRefuse tests lists whose options are inside their field. An option with the
// expected text in the field proves nothing; only the shown value does.
func TestListsOfButtonsThatRefuse(t *testing.T) {
	t.Parallel()
	const two = `<span id=lab>Colour</span> <button type=button aria-haspopup=listbox aria-expanded=false aria-labelledby="lab v"><span id=v></span></button>`
	openers := []string{
		two,
		`<span id=lab>Colour</span> <button type=button aria-haspopup=listbox aria-expanded=false aria-labelledby=lab id=v></button>`,
		`<label id=lab for=v>Colour</label> <button type=button aria-haspopup=listbox aria-expanded=false id=v></button>`,
		`<span id=lab>Colour</span> <button type=button aria-haspopup=listbox aria-controls=lb aria-expanded=false aria-labelledby="lab v"><span id=v></span></button>`,
		`<span id=lab>Colour</span> <div role=combobox tabindex=0 aria-controls=lb aria-expanded=false aria-labelledby=lab id=v></div>`,
	}
	const native = `<select aria-hidden=true tabindex=-1 style="position:absolute;opacity:0;width:1px;height:1px"><option>Red<option>Green</select>`
	takes := []struct{ name, more, take, truth string }{
		{"taken", "", `val = x; draw()`, `v.textContent === 'Green'`},
		{"taken late", "", `setTimeout(() => { val = x; draw() }, 150)`, `v.textContent === 'Green'`},
		{"taken beside a list of the browser", native, `val = x; draw()`, `v.textContent === 'Green'`},
		{"refused", "", `draw()`, ""},
		{"refused late", "", `setTimeout(draw, 100)`, ""},
		{"another one", "", `val = 'Blue'; draw()`, ""},
		{"taken back", "", `v.textContent = x; setTimeout(draw, 80)`, ""},
		{"refused with words", "", `draw(); w.insertAdjacentHTML('beforeend', '<p role=alert>Green is sold out</p>')`, ""},
		{"refused beside a list of the browser", native, `draw()`, ""},
	}
	calls := []struct {
		action string
		params object
	}{
		{"select:choose", object{"label": "Colour", "option": "Green"}},
		{"field:set", object{"label": "Colour", "value": "Green"}},
		{"form:fill", object{"values": object{"Name": "Eva", "Colour": "Green"}}},
	}
	var rows []shownBy
	for i, take := range takes {
		for j, opener := range openers {
			call := calls[(i+j)%len(calls)]
			rows = append(rows, shownBy{fmt.Sprintf("%s, opener %d", take.name, j), listInField(opener, take.more, take.take), call.action, call.params, take.truth})
		}
	}
	// Some fields show their value as the only option of another list.
	value := listInField(`<span id=lab>Colour</span> <div role=combobox tabindex=0 aria-expanded=false aria-labelledby=lab><div role=listbox><div role=option aria-selected=true id=v></div></div></div>`, "", `val = x; draw()`)
	rows = append(rows, shownBy{"a value that is an option", value, "select:choose", calls[0].params, `v.textContent === 'Green'`})
	runShown(t, testkit.Kinds(t, "lists", 4, rows, func(i int) any { return i == len(rows)-1 }))
}
