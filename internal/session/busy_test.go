package session_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// busyPage has a list that a button reloads. The old rows stay until then, and the script SIGN
// shows that the list is loading; DONE ends that. Beside the list is an element whose own indicator
// never ends.
const busyPage = `<!DOCTYPE html><title>Busy</title>
<style>#box { position: relative; width: 300px } .mask { position: absolute; inset: 0; background: #fff8 } #beside { margin-top: 300px; width: 50px; height: 20px }</style>
<h1>Orders</h1><button id=reload>Reload</button>
<div id=box><ul id=list><li>old 1</li><li>old 2</li></ul><table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>old</td></tr></tbody></table><p id=note>old</p><input id=total value=old></div>
<div id=beside class=mask2>beside</div><p id=far>calm</p>
<script>
const box = document.getElementById('box');
document.getElementById('reload').onclick = () => {
	SIGN;
	setTimeout(() => {
		document.getElementById('list').innerHTML = '<li>new 1</li><li>new 2</li><li>new 3</li>';
		document.querySelector('td').textContent = document.getElementById('note').textContent = document.getElementById('total').value = 'new';
		DONE;
	}, WAIT);
};
</script>`

// busySigns are the ways in which a page shows that a part of it is loading.
var busySigns = map[string][2]string{
	"named over it":   {"box.insertAdjacentHTML('beforeend', '<div class=mask></div>')", "document.querySelector('.mask').remove()"},
	"named around it": {"box.classList.add('loading')", "box.classList.remove('loading')"},
	"aria-busy":       {"box.setAttribute('aria-busy', 'true')", "box.removeAttribute('aria-busy')"},
	"aria-busy on it": {"for (const el of box.children) el.setAttribute('aria-busy', 'true')", "for (const el of box.children) el.removeAttribute('aria-busy')"},
}

const busyActions = `
namespace: orders
version: 1.0.0
busy: "${selectors.loading}"
selectors: {loading: {primary: "class:mask", fallback: ["css:.loading"]}}
actions:
  list:read:
    steps:
      - click: "text:Reload"
      - get: {selector: "css:#note", what: text}
        output: note
      - get: {selector: "css:#total", what: value}
        output: total
      - extract: {rows: "css:#list li", fields: {text: {what: text}}}
        output: rows
      - look: {is: {items: "css:#list li"}, texts: {first: "css:#list li >> nth:0"}}
        output: look
      - table: {selector: "css:table"}
        output: table
      - collect: {rows: "css:#list li", fields: {text: {what: text}}}
        output: all
    returns: {note: "${steps.note.text}", total: "${steps.total.value}", rows: "${steps.rows.count}", items: "${steps.look.items}", first: "${steps.look.first}", table: "${steps.table.row.Name}", all: "${steps.all.count}"}
  one:get: {steps: [{click: "text:Reload"}, {get: {selector: "css:#note", what: text}, output: x}], returns: {x: "${steps.x.text}"}}
  one:value: {steps: [{click: "text:Reload"}, {get: {selector: "css:#total", what: value}, output: x}], returns: {x: "${steps.x.value}"}}
  one:extract: {steps: [{click: "text:Reload"}, {extract: {rows: "css:#list li", fields: {t: {what: text}}}, output: x}], returns: {x: "${steps.x.rows[0].t}"}}
  one:look: {steps: [{click: "text:Reload"}, {look: {texts: {t: "css:#list li >> nth:0"}}, output: x}], returns: {x: "${steps.x.t}"}}
  one:table: {steps: [{click: "text:Reload"}, {table: {selector: "css:table"}, output: x}], returns: {x: "${steps.x.row.Name}"}}
  one:find: {steps: [{click: "text:Reload"}, {find: {css: "#list li"}, output: x}], returns: {x: "${steps.x.text}"}}
  one:absent: {steps: [{click: "text:Reload"}, {look: {is: {t: "css:#box >> text:new 3"}}, output: x}], returns: {x: "${steps.x.t}"}}
  one:verify: {steps: [{click: "text:Reload"}], verify: [{selector: "css:#note", text: new}], returns: {x: new}}
  one:ignore: {steps: [{click: "text:Reload"}, {get: {selector: "css:#note", what: text}, busy: ignore, output: x}], returns: {x: "${steps.x.text}"}}
  one:inside: {steps: [{click: "text:Reload"}, {repeat: {max: 1}, busy: ignore, steps: [{get: {selector: "css:#note", what: text}, output: x}], output: all}], returns: {x: "${steps.all.items[0].x.text}"}}
  one:far: {steps: [{click: "text:Reload"}, {get: {selector: "css:#far", what: text}, output: x}, {look: {is: {mark: "css:#far"}}, output: y}], returns: {x: "${steps.x.text}"}}
`

func serveBusy(t *testing.T) string {
	t.Helper()
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sign := busySigns[r.FormValue("sign")]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page := strings.NewReplacer("SIGN;", sign[0]+";", "DONE;", sign[1]+";", "WAIT", r.FormValue("wait")).Replace(busyPage)
		fmt.Fprint(w, page)
	}))
}

func TestBusy(t *testing.T) {
	t.Parallel()
	base := serveBusy(t)
	b := newBench(t, map[string]string{"orders.yaml": busyActions}, nil)
	for _, sign := range testkit.Some(t, "signs", 2, slices.Sorted(maps.Keys(busySigns))) {
		b.open(t, base+"/?wait=700&sign="+strings.ReplaceAll(sign, " ", "+"))
		r := data(t, b.run(t, "orders:list:read", nil))
		if got := fmt.Sprint(r); got != "map[all:3 first:new 1 items:3 note:new rows:3 table:new total:new]" {
			t.Errorf("%s: %s", sign, got)
		}
	}
	reads := [][2]string{
		{"one:get", "new"}, {"one:value", "new"}, {"one:extract", "new 1"}, {"one:look", "new 1"}, {"one:table", "new"}, {"one:find", "new 1"},
		{"one:absent", "1"}, {"one:verify", "new"}, {"one:ignore", "old"}, {"one:inside", "old"}, {"one:far", "calm"},
	}
	for _, tt := range testkit.Kinds(t, "steps that read", 3, reads, func(i int) any { return reads[i][1] }) {
		action, said := tt[0], tt[1]
		b.open(t, base+"/?wait=700&sign=named+over+it")
		if x := data(t, b.run(t, "orders:"+action, nil))["x"]; fmt.Sprint(x) != said {
			t.Errorf("%s: read %v, expected %s", action, x, said)
		}
	}
}

// TestBusyForGood checks that a part of the page that never stops loading is not read.
func TestBusyForGood(t *testing.T) {
	t.Parallel()
	base := serveBusy(t)
	b := newBench(t, map[string]string{"orders.yaml": busyActions}, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=600ms")
	for _, action := range []string{"one:get", "one:value", "one:extract", "one:look", "one:find", "one:absent"} {
		b.open(t, base+"/?wait=60000&sign=named+over+it")
		r := b.run(t, "orders:"+action, nil)
		wantError(t, r, diag.Timeout, "is still loading: <div.mask>")
		if r.Error.Details["busy"] != "<div.mask>" {
			t.Errorf("%s: the details are %v", action, r.Error.Details)
		}
	}
	b.open(t, base+"/?wait=60000&sign=named+over+it")
	want(t, data(t, b.run(t, "orders:one:far", nil)), "x", "calm")
}
