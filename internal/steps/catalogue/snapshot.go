package catalogue

import (
	"context"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/steps"
)

// snapshotArgs repeats the defaults and bounds of package snapshot. A test compares them.
type snapshotArgs struct {
	Interactive bool           `arg:"interactive,short=i" default:"false" doc:"only elements to act on, and what distinguishes identical ones"`
	Compact     bool           `arg:"compact" default:"true" doc:"omit elements that only wrap others"`
	MaxDepth    int            `arg:"max_depth" default:"12" min:"1" max:"200" doc:"levels of the tree"`
	MaxNodes    int            `arg:"max_nodes" default:"200" min:"1" max:"10000" doc:"number of elements and texts"`
	MaxChars    int            `arg:"max_chars" default:"12000" min:"300" max:"1000000" doc:"characters of the text, or of the tree as JSON"`
	MaxText     int            `arg:"max_text" default:"200" min:"1" max:"1000000" doc:"characters of one name, text or value"`
	Scope       *driver.Target `arg:"scope" doc:"the element to show with its content; absent: the page"`
	Delta       string         `arg:"delta" doc:"id of an earlier snapshot: show only what has changed since"`
	Format      string         `arg:"format" enum:"text json" default:"text" doc:"text for readers, or the same as data in tree"`
}

type snapshotResult struct {
	Text  *string        `json:"text,omitempty" doc:"the snapshot, with format: text"`
	Tree  any            `json:"tree,omitempty" doc:"the snapshot as nested objects, with format: json"`
	ID    string         "json:\"snapshot_id\" doc:\"its id, for `@ID:e5` and delta\""
	Rev   int            `json:"page_rev" doc:"counts the documents of the page"`
	URL   string         `json:"url" doc:"of the page"`
	Title string         `json:"title" doc:"of the page"`
	Refs  map[string]any `json:"refs" doc:"role, tag, name or text by ref, and nth among those with the same role and name"`
	Stats map[string]any `json:"stats" doc:"nodes_seen, nodes_kept, nodes_hidden, ms in the page; lines, chars, refs, interactive of what is shown"`
	Cut   any            `json:"truncated" doc:"false, or why content is missing, joined by commas: the budgets that cut it, frames that could not be read, loading"`
}

var snapshotStep = steps.Define(steps.Entry{
	Name: "snapshot", Group: steps.GroupRead,
	Summary: "read the page as text, with refs to act on",
	Doc: "Shows what you can read and act on, in document order, including frames and open shadow roots, and gives each element a ref: " +
		"`@e5` is then a selector. The text is never longer than its budget; the header says what was cut. Hidden content and the values of passwords are omitted. " +
		"See docs/page-reading.md.",
	Example: "{snapshot: {interactive: true, scope: role:dialog}, output: page}",
	Shown:   "text",
}, takeSnapshot)

func takeSnapshot(ctx context.Context, env *steps.Env, a *snapshotArgs) (r snapshotResult, err error) {
	o := driver.SnapshotOptions{Scope: a.Scope, Options: snapshot.Options{
		Interactive: a.Interactive, Full: !a.Compact, JSON: a.Format == "json",
		MaxDepth: a.MaxDepth, MaxNodes: a.MaxNodes, MaxChars: a.MaxChars, MaxText: a.MaxText,
		Delta: a.Delta,
	}}
	s, err := env.Page.Snapshot(ctx, o)
	if err != nil {
		return r, err
	}
	r = snapshotResult{
		ID: s.ID, Rev: s.PageRev, URL: s.URL, Title: s.Title, Cut: s.Cut(), Refs: s.Refs(),
		Stats: map[string]any{
			"nodes_seen": float64(s.Stats.Seen), "nodes_kept": float64(s.Stats.Kept), "nodes_hidden": float64(s.Stats.Hidden), "ms": s.Stats.Millis,
			"lines": float64(s.Stats.Lines), "chars": float64(s.Stats.Chars), "refs": float64(s.Stats.Refs), "interactive": float64(s.Stats.Interactive),
		},
	}
	if o.JSON {
		r.Tree = s.Tree()
	} else {
		text := s.Text()
		r.Text = &text
	}
	return r, nil
}
