package engine

import (
	"fmt"
	"strings"
	"testing"
)

// bigPage has about n*7 elements: rows with texts, links and buttons.
func bigPage(n int) string {
	var b strings.Builder
	b.WriteString("<h1>Big</h1><input id=q aria-label=Search><button id=top>Top action</button><table><caption>Rows</caption>")
	for i := range n {
		fmt.Fprintf(&b, "<tr id=r%d class=row><td><span>Row %d</span></td><td><a href=#%d>Open %d</a></td><td><button>Edit %d</button></td></tr>\n", i, i, i, i, i)
	}
	b.WriteString("</table><label for=last>Last field</label><input id=last>")
	return b.String()
}

// BenchmarkLook tells what one look costs in the page, without the round trip.
func BenchmarkLook(b *testing.B) {
	pages := map[string]string{"small": readyPage, "big": bigPage(520)}
	queries := []struct {
		name string
		q    map[string]object // by page
	}{
		{"css", map[string]object{"small": query(css("#ok")), "big": query(css("#r500 button"))}},
		{"text", map[string]object{"small": query(text("OK")), "big": query(text("Row 500"))}},
		{"label", map[string]object{"small": query(label("terms accept")), "big": query(label("Last field"))}},
		{"role", map[string]object{"small": query(role("button", named("OK"))), "big": query(role("button", named("Edit 500")))}},
		{"role absent", map[string]object{"small": query(role("button", named("No"))), "big": query(role("button", named("No")))}},
		{"filter", map[string]object{"small": query(css("button"), part{"kind": "has-text", "value": "OK"}),
			"big": query(css("tr"), part{"kind": "has-text", "value": "Row 500"}, role("button"))}},
	}
	for _, page := range []string{"small", "big"} {
		p := open(b, pages[page])
		for _, q := range queries {
			b.Run(page+"/"+q.name, func(b *testing.B) {
				p := p.sub(b)
				for unit, change := range map[string]string{"ms/look": "", "ms/changed": `document.body.style.paddingTop = i % 2 + 'px'`} {
					ms := p.engineEval(fmt.Sprintf(`(async () => {
						const req = %s, times = [];
						for (let i = 0; i < 30; i++) {
							%s;
							document.body.getBoundingClientRect();
							const from = performance.now();
							await __action.act(req);
							times.push(performance.now() - from);
						}
						return times.sort((a, b) => a - b)[15];
					})()`, str(request("none", q.q[page], "need", []string{"visible", "stable", "enabled"})), change))
					b.ReportMetric(ms.(float64), unit)
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
