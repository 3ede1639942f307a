package browser

// Snapshots: the engine walks the document of each world, the trees are combined here, and
// package snapshot turns them into text for readers.

import (
	"context"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// deepestRoot bounds the nesting of closed shadow roots that are opened.
const deepestRoot = 5

var _ driver.Snapshotter = (*Page)(nil)

// A walk is the engine's query for a tree; without a query it is that of the whole
// document.
type walk struct {
	lookup
	Interactive bool `json:"interactive"`
	Nodes       int  `json:"nodes"`
	Text        int  `json:"text"`
	Inner       bool `json:"inner"` // of a frame: the reading continues around it
}

// A tree is the engine's answer.
type tree struct {
	URL   string            `json:"url"`
	Title string            `json:"title"`
	Nodes columns           `json:"nodes"`
	More  int               `json:"more"`
	Cut   []snapshot.Reason `json:"cut"`
	Stats snapshot.Stats    `json:"stats"`
	// Sealed are the numbers of elements that may have a closed shadow root.
	Sealed []int `json:"sealed"`
}

// columns are the nodes by their fields, so that the names of fields are not repeated for
// each. A node comes after its parent. Rare fields are maps from the index of the node.
type columns struct {
	In     []int               `json:"p"` // index; -1 at the top
	Number []int               `json:"k"`
	Class  []int               `json:"c"`
	Role   []int               `json:"r"` // index of Roles
	Roles  []string            `json:"roles"`
	Name   []string            `json:"n"`
	Text   map[int]string      `json:"t"`
	Hint   map[int]string      `json:"h"`
	Attrs  map[int][][3]string `json:"a"` // name, value, "1" for a state
	Value  map[int]string      `json:"v"`
	More   map[int]int         `json:"m"`
	Frame  map[int]int         `json:"f"` // key of a frame that the engine cannot enter
	// Context is what distinguishes an element from others of its role and name.
	Context map[int]*snapshot.Context `json:"x"`
}

// whole reports whether every node has all required fields.
func (c *columns) whole() bool {
	n := len(c.In)
	for _, role := range c.Role {
		if role < 0 || role >= len(c.Roles) {
			return false
		}
	}
	return len(c.Number) == n && len(c.Class) == n && len(c.Role) == n && len(c.Name) == n
}

var classes = [...]snapshot.Class{snapshot.Interactive, snapshot.Content, snapshot.Structural, snapshot.Text}

// Snapshot implements [driver.Snapshotter].
func (p *printer) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*snapshot.Snapshot, error) {
	budget := o.Options.WithDefaults()
	// A node takes more characters than this, in a line and as data.
	nodes := min(budget.MaxNodes, budget.MaxChars/8+1)
	ask := walk{Interactive: budget.Interactive, Nodes: nodes, Text: budget.MaxText}
	for {
		r, err := p.walkAll(ctx, o.Scope, ask)
		if err != nil {
			return nil, err
		}
		in, err := p.place(ctx, r, ask, 0)
		if cdp.IsGone(err) {
			if err := p.Frames.AfterWorld(ctx, r.w); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		in.Document = p.Frames.DocumentOf(r.w)
		return p.Frames.Book().Take(&in.Reading, o.Options)
	}
}

// walkAll walks again as long as closed shadow roots are found.
func (p *printer) walkAll(ctx context.Context, scope *driver.Target, ask walk) (*acted, error) {
	for left := deepestRoot; ; left-- {
		r, err := p.walk(ctx, scope, ask)
		if err != nil || left == 0 || !p.unseal(ctx, r) {
			return r, err
		}
	}
}

// unseal opens the closed shadow roots that a walk met, and reports whether there were any.
func (p *printer) unseal(ctx context.Context, r *acted) bool {
	return r.Tree != nil && len(r.Tree.Sealed) > 0 && p.finder.openRoots(ctx, r.w, r.Tree.Sealed)
}

// walk walks the page, or the element of scope once it exists.
func (p *printer) walk(ctx context.Context, scope *driver.Target, ask walk) (*acted, error) {
	s := p.finder.seek(ctx, driver.Target{Source: "the page"})
	if scope != nil {
		s = p.finder.seek(ctx, *scope)
		if _, err := s.act(ctx, act{Need: attached, Strict: true, Op: op{Name: "none"}}); err != nil {
			return nil, err
		}
	}
	r, err := s.look(ctx, "tree", func(l lookup) any {
		ask.lookup = l
		return ask
	})
	if err == nil && !r.OK {
		err = s.failure(ctx, r)
	}
	return r, err
}

// A placed is a reading, with the positions of the frames that are still to be walked.
type placed struct {
	snapshot.Reading
	frames map[int]*snapshot.Node // by key
	keys   []int                  // in document order
}

// place makes the tree of what was walked in r's world, with the frames of other origins in
// it: each is walked in its own world, all concurrently. If a frame goes away meanwhile or
// does not answer, its position stays empty, which is reported.
func (p *printer) place(ctx context.Context, r *acted, ask walk, depth int) (*placed, error) {
	if r.Tree == nil || !r.Tree.Nodes.whole() {
		return nil, diag.New(diag.Internal, "reading the page failed: there is no whole tree").
			WithHint("this is a fault of ours: please report it with the page")
	}
	in := r.Tree.placed(r.w)
	if len(in.keys) == 0 {
		return in, nil
	}
	keys := in.keys[:min(len(in.keys), documents.MostFrames)]
	if depth >= documents.DeepestFrame {
		keys = nil
	}
	read := 0
	worlds, err := p.FrameWorlds(ctx, r.w, keys)
	if err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	inner := make([]*placed, len(keys))
	for i, key := range keys {
		if w, ok := worlds[key]; ok {
			wg.Go(func() { inner[i] = p.walkFrame(ctx, w, ask, depth+1) })
		}
	}
	wg.Wait()
	for i, key := range keys {
		if inner[i] != nil {
			in.put(in.frames[key], inner[i])
			read++
		}
	}
	if read < len(in.keys) {
		in.Cut = append(in.Cut, snapshot.Frames)
	}
	return in, ctx.Err()
}

// walkFrame is nil when the frame cannot be walked.
func (p *printer) walkFrame(ctx context.Context, w documents.World, ask walk, depth int) *placed {
	var r *acted
	for left := deepestRoot; ; left-- {
		var err error
		r, err = p.finder.sure(ctx, w, time.Time{}, func(asks, kept bool) (*acted, error) {
			ask.lookup, ask.Inner = lookup{Asks: asks, Kept: kept}, true
			r := acted{w: w}
			return &r, p.Answer(ctx, p.Call(ctx, w, "tree", ask), &r)
		})
		if err != nil || !r.OK {
			return nil
		}
		if left == 0 || !p.unseal(ctx, r) {
			break
		}
	}
	in, err := p.place(ctx, r, ask, depth)
	if err != nil {
		return nil
	}
	return in
}

// put puts the content of a frame below its element. The frames were walked concurrently:
// the longest of their times counts.
func (in *placed) put(n *snapshot.Node, inner *placed) {
	n.Children, n.More = inner.Nodes, n.More+inner.More
	in.Cut = append(in.Cut, inner.Cut...)
	in.Stats.Seen += inner.Stats.Seen
	in.Stats.Hidden += inner.Stats.Hidden
	in.Stats.Millis = max(in.Stats.Millis, inner.Stats.Millis)
}

// placed makes nodes of t, which was walked in w.
func (t *tree) placed(w documents.World) *placed {
	in := &placed{frames: make(map[int]*snapshot.Node)}
	in.Title, in.More, in.Cut, in.Stats = t.Title, t.More, t.Cut, t.Stats
	c := &t.Nodes
	nodes := make([]snapshot.Node, len(c.In))
	for i, at := range c.In {
		n := &nodes[i]
		c.fill(n, i, w)
		if at >= 0 && at < i {
			nodes[at].Children = append(nodes[at].Children, n)
		} else {
			in.Nodes = append(in.Nodes, n)
		}
		if key := c.Frame[i]; key > 0 {
			in.frames[key] = n
			in.keys = append(in.keys, key)
		}
	}
	return in
}

// fill fills n from the columns of the node i.
func (c *columns) fill(n *snapshot.Node, i int, w documents.World) {
	*n = snapshot.Node{
		Key: snapshot.Key{Document: w.ID, Local: c.Number[i]}, Class: snapshot.Structural,
		Role: c.Roles[c.Role[i]], Name: c.Name[i], Text: c.Text[i], Hint: c.Hint[i], More: c.More[i], Context: c.Context[i],
	}
	if class := c.Class[i]; class >= 0 && class < len(classes) {
		n.Class = classes[class]
	}
	if value, ok := c.Value[i]; ok {
		n.Value = &value
	}
	for _, a := range c.Attrs[i] {
		n.Attrs = append(n.Attrs, snapshot.Attr{Name: a[0], Value: a[1], State: a[2] != ""})
	}
}
