package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/snapshot"
)

// BenchmarkSnapshot measures the time in the browser for a page of 1,000 rows, and the number of
// characters of the form with 200 links.
func BenchmarkSnapshot(b *testing.B) {
	var rows strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&rows, "<tr><td>%d</td><td><a href=#r%d>Item %d</a></td><td>open</td><td><button>Edit</button><button aria-label='Delete item %d'>Delete</button></td></tr>", i, i, i, i)
	}
	for _, page := range []struct{ name, html string }{{"rows", "<table><tbody>" + rows.String() + "</table>"}, {"links", linksPage()}} {
		for name, o := range map[string]snapshot.Options{
			"by hand": {}, "interactive": {Interactive: true}, "interactive, 500 nodes": {Interactive: true, MaxNodes: 500},
			"all": {MaxNodes: 10_000, MaxChars: 1_000_000},
		} {
			b.Run(page.name+"/"+name, func(b *testing.B) {
				ctx, p := show(b, page.html)
				for b.Loop() {
					s := take(b, ctx, p, o)
					b.ReportMetric(s.Stats.Millis, "ms-in-page")
					b.ReportMetric(float64(len([]rune(s.Text()))), "chars")
					b.ReportMetric(float64(s.Nodes), "nodes")
				}
			})
		}
	}
}
