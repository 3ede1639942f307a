package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestMenusThatRefuseAnItem tests a menu that marks the current item. The page refuses one item,
// with or without a message.
func TestMenusThatRefuseAnItem(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /slow", slowRows)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><ul role=menu class=x-menu><li role=menuitem class="x-menu-item x-menu-item-selected">Home</li>
			<li role=menuitem class=x-menu-item>Sales</li><li role=menuitem class=x-menu-item>Export</li></ul><h1 id=h>Home</h1><div id=at></div><script>
			const items = [...document.querySelectorAll('li')], sales = items[1], note = (says, kind) => { at.innerHTML = '<div role=alert class="x-message-notice x-' + kind + '">' + says + '</div>' };
			const mark = (item) => { for (const n of items) n.classList.toggle('x-menu-item-selected', n === item) };
			for (const n of items) n.onclick = async () => { %s };
			</script>`, r.URL.Query().Get("on"))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	tests := []struct{ name, on, item, failed string }{
		{"with a warning", `note('No access', 'warning')`, "Sales", "marks another item than Sales, and the page says \"No access\""},
		{"with an error", `note('Nope', 'error')`, "Sales", "Nope"},
		{"with words of refusal, unmarked", `note('You are not allowed to see this', 'info')`, "Sales", "not allowed"},
		{"without a word", ``, "Sales", "nothing else has changed"},
		{"after a request", `await fetch('/slow'); note('Locked', 'warning')`, "Sales", "Locked"},

		{"taken", `mark(n); h.textContent = n.textContent`, "Sales", ""},
		{"taken after a request", `await fetch('/slow'); mark(n); h.textContent = n.textContent`, "Sales", ""},
		{"taken with a message", `mark(n); note('3 items found', 'info')`, "Sales", ""},
		{"the one that is chosen", ``, "Home", ""},
		{"an item that only acts", `h.textContent = 'Exporting'`, "Export", ""},
		{"an item that only acts, and says so", `note('Export has begun', 'info')`, "Export", ""},
		{"an item that leads on", `location.hash = 'export'`, "Export", ""},
		{"a menu that marks nothing", `mark(); n.dataset.pressed = 1`, "Sales", ""},
	}
	for _, tt := range testkit.Kinds(t, "menus", 4, tests, func(i int) any { return tests[i].failed }) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/?on="+strings.NewReplacer(" ", "%20", ";", "%3B", "+", "%2B", "#", "%23").Replace(tt.on))
			r := b.run(t, "components:menu:select", object{"path": []any{tt.item}})
			if tt.failed != "" {
				wantError(t, r, diag.StepFailed, tt.failed)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}

// TestTableFilterRefused tests a table whose application ignores a filter. The filter button shows
// whether a filter is set. A filter that matches all rows is a success.
func TestTableFilterRefused(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><table class=ant-table><thead class=ant-table-thead><tr><th>No<th>Mark <span role=button class=ant-table-filter-trigger
			onclick="d.hidden=!d.hidden"><svg width=9 height=9></svg></span></thead><tbody id=tb></tbody></table><div id=d class=ant-table-filter-dropdown hidden><ul><li><input type=checkbox>Bad</li>
			<li><input type=checkbox>Good</li></ul><div class=ant-table-filter-dropdown-btns><button>Reset</button><button class=ant-btn-primary onclick="press()">OK</button></div></div><script>
			let rows = [[1, 'Bad'], [2, 'Good']];
			const trigger = document.querySelector('span'), show = (on) => { tb.innerHTML = rows.filter(([, m]) => !on.length || on.includes(m)).map((r) => '<tr><td>' + r.join('<td>')).join('') };
			const press = () => { d.hidden = true; const on = [...d.querySelectorAll('li')].filter((n) => n.firstChild.checked).map((n) => n.textContent.trim()); %s };
			show([])</script>`, map[string]string{
			"taken":   `trigger.classList.toggle('active', on.length > 0); show(on)`,
			"late":    `setTimeout(() => { trigger.classList.toggle('active', on.length > 0); show(on) }, 300)`,
			"refused": ``,
		}[r.URL.Query().Get("as")])
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range []struct {
		as      string
		options []any
		failed  string
	}{
		{"refused", []any{"Bad"}, "has not applied the filter of Mark"},
		{"taken", []any{"Bad"}, ""},
		{"late", []any{"Bad"}, ""},
		{"taken", []any{"Bad", "Good"}, ""}, // matches all rows
		{"taken", []any{}, ""},
	} {
		b.open(t, base+"/?as="+tt.as)
		r := b.run(t, "antd:table:filter", object{"column": "Mark", "options": tt.options})
		if tt.failed != "" {
			wantError(t, r, diag.StepFailed, tt.failed)
		} else if r.Error != nil {
			t.Error(tt.as, describe(r.Error))
		}
	}
}

func slowRows(http.ResponseWriter, *http.Request) { time.Sleep(900 * time.Millisecond) }
