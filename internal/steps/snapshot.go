package steps

import (
	"context"

	"github.com/actionregistry/action/internal/snapshot"
)

// SnapshotOptions are the options of a snapshot, and its scope.
type SnapshotOptions struct {
	snapshot.Options
	// Scope is the element to show with its content; nil is the page.
	Scope *Target
}

// Snapshotter shows the page as text for readers.
type Snapshotter interface {
	// Snapshot waits for the scope, if there is one, and reads the page once.
	Snapshot(ctx context.Context, o SnapshotOptions) (*snapshot.Snapshot, error)
}

var snapshotStep = &Entry{
	Name: "snapshot", Group: GroupRead,
	Summary: "read the page as text, with refs to act on",
	Doc: "Shows what you can read and act on, in document order, including frames and open shadow roots, and gives each element a ref: " +
		"`@e5` is then a selector. Never longer than its budget; the header says what was cut. Hidden content and the values of passwords are left out. " +
		"See docs/page-reading.md.",
	Example: "{snapshot: {interactive: true, scope: role:dialog}, output: page}",
	Args: []Arg{
		{Name: "interactive", Short: "i", Type: ArgBoolean, Default: false, Doc: "only elements to act on, and what distinguishes equal ones"},
		{Name: "compact", Type: ArgBoolean, Default: true, Doc: "omit elements that only wrap others"},
		{Name: "max_depth", Type: ArgInteger, Default: snapshot.DefaultDepth, Min: num(1), Max: num(snapshot.MostDepth), Doc: "levels of the tree"},
		{Name: "max_nodes", Type: ArgInteger, Default: snapshot.DefaultNodes, Min: num(1), Max: num(snapshot.MostNodes), Doc: "number of elements and texts"},
		{Name: "max_chars", Type: ArgInteger, Default: snapshot.DefaultChars, Min: num(snapshot.LeastChars), Max: num(snapshot.MostChars), Doc: "characters of the text, or of the tree as JSON"},
		{Name: "max_text", Type: ArgInteger, Default: snapshot.DefaultText, Min: num(1), Max: num(snapshot.MostChars), Doc: "characters of one name, text or value"},
		{Name: "scope", Type: ArgSelector, Doc: "the element to show with its content; absent: the page"},
		{Name: "delta", Type: ArgText, Doc: "id of an earlier snapshot: show only what has changed since"},
		{Name: "format", Type: ArgEnum, Values: []string{"text", "json"}, Default: "text", Doc: "text for readers, or the same as data in tree"},
	},
	Result: []Field{{"text", "the snapshot, with format: text"}, {"tree", "the snapshot as nested objects, with format: json"},
		{"snapshot_id", "its id, for `@ID:e5` and delta"}, {"page_rev", "counts the documents of the page"}, {"url", "of the page"},
		{"title", "of the page"}, {"refs", "role and name by ref"}, {"stats", "nodes_seen, nodes_kept, nodes_hidden, ms in the page"},
		{"truncated", "false, or the budgets that cut it, joined by commas"}},
	Shown: "text", Run: takeSnapshot,
}

func takeSnapshot(ctx context.Context, env *Env, a *Args) (Result, error) {
	o := SnapshotOptions{Scope: a.Target("scope"), Options: snapshot.Options{
		Interactive: a.Bool("interactive"), Full: a.Has("compact") && !a.Bool("compact"), JSON: a.Text("format") == "json",
		MaxDepth: a.Int("max_depth", 0), MaxNodes: a.Int("max_nodes", 0), MaxChars: a.Int("max_chars", 0), MaxText: a.Int("max_text", 0),
		Delta: a.Text("delta"),
	}}
	s, err := env.Page.Snapshot(ctx, o)
	if err != nil {
		return nil, err
	}
	r := Result{
		"snapshot_id": s.ID, "page_rev": s.PageRev, "url": s.URL, "title": s.Title, "truncated": s.Cut(), "refs": s.Refs(),
		"stats": map[string]any{
			"nodes_seen": float64(s.Stats.Seen), "nodes_kept": float64(s.Stats.Kept), "nodes_hidden": float64(s.Stats.Hidden), "ms": s.Stats.Millis,
		},
	}
	if o.JSON {
		r["tree"] = s.Tree()
	} else {
		r["text"] = s.Text()
	}
	return r, nil
}
