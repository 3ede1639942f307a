package engine

import (
	"strings"
	"testing"
)

const nearPage = `<h1>Orders</h1>
<form><label>City <input></label><label>Max price <i>?</i> <input></label><label>Remark <textarea></textarea></label>
<input placeholder="Search rooms"><input aria-label="Postal code"><label hidden>Max <input></label></form>
<button>Book now</button><button>Book later</button><button>Print</button>
<a href=#x>1</a><div style="display:none">Book nuw</div><p>Delivered <b>yesterday</b></p>`

// A failure lists what is similar to the missing element, the most similar first.
func TestNear(t *testing.T) {
	p := open(t, nearPage)
	for _, tt := range []struct {
		name  string
		query object
		want  []string // in this order, among the first; empty if nothing is reported
	}{
		{"field with a mark", query(part{"kind": "field", "value": "Max price"}), []string{`"Max price ?"`}},
		{"field by another case", query(part{"kind": "field", "value": "max PRICE ?"}), []string{`"Max price ?"`}},
		{"field by what names it", query(part{"kind": "field", "value": "Postcode"}), []string{`"Postal code"`}},
		{"label", query(label("Remarks")), []string{`"Remark"`}},
		{"all labels", query(label("xyz")), []string{`"City"`, `"Max price ?"`, `"Remark"`}},
		{"text that lacks a letter", query(text("Book nw")), []string{`"Book now"`}},
		{"text in another case", query(text("BOOK")), []string{`"Book now"`, `"Book later"`}},
		{"text in parts", query(text("delivered YESTERDAY")), []string{`"Delivered yesterday"`}},
		{"title", query(part{"kind": "within", "value": "Order"}, css("button")), []string{`"Orders"`}},
		{"role", query(role("button", named("Printer"))), []string{`"Print"`}},
		{"placeholder", query(part{"kind": "placeholder", "value": "Search room"}), []string{`"Search rooms"`}},
		{"nothing like it", query(text("Zulu")), nil},
	} {
		res := p.call("act", request("none", tt.query, "need", []string{"attached"}))
		seen, _ := res["seen"].(string)
		lines := strings.Split(seen, "\n")
		if res["ok"] != false || tt.want == nil && seen != "" || len(lines) < len(tt.want) {
			t.Errorf("%s: %v", tt.name, res)
			continue
		}
		for i, want := range tt.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: %q at %d, want %s", tt.name, lines, i, want)
			}
		}
	}
}

func TestNearNothing(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		empty      bool
	}{
		{"no application", `<div id=app></div><noscript>Needs scripts</noscript><img src="data:," hidden><script>throw 0</script>`, true},
		{"text", `<p>Hello</p>`, false},
		{"hidden text", `<p hidden>Hello</p> <span>&nbsp;</span>`, true},
		{"text in a shadow root", `<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = 'Hello'</script>`, false},
		{"a field", `<input>`, false},
		{"a picture", `<svg width=10 height=10></svg>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, tt.body)
			res := p.call("act", request("none", query(text("Zulu")), "need", []string{"attached"}))
			if res["ok"] != false || res["empty"] != tt.empty {
				t.Errorf("%v, want empty %v", res, tt.empty)
			}
		})
	}
}
