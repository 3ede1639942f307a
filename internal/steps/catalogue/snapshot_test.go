package catalogue_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/steps"
)

// A picturePage takes snapshots of one button and records the requested options.
type picturePage struct {
	driver.Page
	book  snapshot.Book
	asked driver.SnapshotOptions
}

func (p *picturePage) Snapshot(_ context.Context, o driver.SnapshotOptions) (*snapshot.Snapshot, error) {
	p.asked = o
	r := &snapshot.Reading{Document: snapshot.Document{ID: "d", PageRev: 2, URL: "https://example.test/"}, Title: "T", Stats: snapshot.Stats{Seen: 4},
		Nodes: []*snapshot.Node{{Key: snapshot.Key{Document: "d", Local: 1}, Class: snapshot.Interactive, Role: "button", Tag: "button", Name: "Go"}}}
	return p.book.Take(r, o.Options)
}

func TestSnapshotStep(t *testing.T) {
	tests := []struct {
		name string
		args map[string]any
		want snapshot.Options
	}{
		{"defaults", nil, snapshot.Options{}.WithDefaults()},
		{"all", map[string]any{"interactive": true, "compact": false, "max_depth": 3.0, "max_nodes": 4.0, "max_chars": 500.0, "max_text": 6.0, "format": "json"},
			snapshot.Options{Interactive: true, Full: true, MaxDepth: 3, MaxNodes: 4, MaxChars: 500, MaxText: 6, JSON: true}},
		{"compact", map[string]any{"compact": true}, snapshot.Options{}.WithDefaults()},
		{"least", map[string]any{"max_depth": 1, "max_nodes": 1, "max_chars": snapshot.LeastChars, "max_text": 2},
			snapshot.Options{MaxDepth: 1, MaxNodes: 1, MaxChars: snapshot.LeastChars, MaxText: 2}},
		{"most", map[string]any{"max_depth": snapshot.MostDepth, "max_nodes": snapshot.MostNodes, "max_chars": snapshot.MostChars, "max_text": snapshot.MostChars},
			snapshot.Options{MaxDepth: snapshot.MostDepth, MaxNodes: snapshot.MostNodes, MaxChars: snapshot.MostChars, MaxText: snapshot.MostChars}},
	}
	for _, tt := range tests {
		page := &picturePage{}
		op, errs := program.Hand("snapshot", tt.args, false)
		if errs != nil {
			t.Errorf("%s: %v", tt.name, errs)
			continue
		}
		args, err := op.Bind(new(expr.Scope), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := op.Entry.Run(t.Context(), &steps.Env{Page: page}, args)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if page.asked.Options != tt.want || page.asked.Scope != nil {
			t.Errorf("%s: asked %+v, want %+v", tt.name, page.asked.Options, tt.want)
		}
		for name, want := range map[string]any{
			"page_rev": 2, "url": "https://example.test/", "title": "T", "truncated": false,
			"refs": map[string]any{"e1": map[string]any{"role": "button", "tag": "button", "name": "Go"}},
		} {
			if !reflect.DeepEqual(r[name], want) {
				t.Errorf("%s: %s is %v, want %v", tt.name, name, r[name], want)
			}
		}
		stats, _ := r["stats"].(map[string]any)
		lines, chars := 0.0, utf8.RuneCountInString(diag.JSONText(r["tree"]))
		if text, ok := r["text"].(string); ok {
			lines, chars = float64(strings.Count(text, "\n")), utf8.RuneCountInString(text)
		}
		wantStats := map[string]any{
			"nodes_seen": 4.0, "nodes_kept": 1.0, "nodes_hidden": 0.0, "ms": 0.0, "refs": 1.0, "interactive": 1.0, "lines": lines, "chars": float64(chars),
		}
		if !reflect.DeepEqual(stats, wantStats) {
			t.Errorf("%s: stats is %v, want %v", tt.name, stats, wantStats)
		}
		if (r["tree"] != nil) != tt.want.JSON || (r["text"] != nil) == tt.want.JSON {
			t.Errorf("%s: got %v", tt.name, r)
		}
	}
}
