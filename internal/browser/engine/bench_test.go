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

// hiddenPage has lists of hidden options, as component libraries have them.
func hiddenPage(lists, options int) string {
	var b strings.Builder
	b.WriteString("<style>.list{display:none}.list li{display:flex;padding:2px}.list li span{color:#333}</style>")
	for range lists {
		b.WriteString("<div class=list><ul>")
		for i := range options {
			fmt.Fprintf(&b, "<li><span>Option %d</span></li>\n", i)
		}
		b.WriteString("</ul></div>")
	}
	return b.String()
}

// BenchmarkLook measures one query in the page, without the round trip.
func BenchmarkLook(b *testing.B) {
	hidden := strings.Replace(hiddenPage(3, 1000)+readyPage, "<body>", "", 1)
	pages := map[string]string{"small": readyPage, "big": bigPage(520), "hidden": hidden}
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
	for _, page := range []string{"small", "big", "hidden"} {
		p := open(b, pages[page])
		for _, q := range queries {
			if page == "hidden" {
				q.q[page] = q.q["small"]
			}
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
