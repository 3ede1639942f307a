package browser

// Snapshots: the engine walks the document of each world, the trees are combined here, and
// package snapshot turns them into text for readers.

import (
	"context"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/devtools"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// deepestRoot limits how deeply nested closed shadow roots are opened.
const deepestRoot = 5

var _ driver.Snapshotter = (*Page)(nil)

// A walk is a request for the tree of the element that the query matches, or of the whole document
// if there is no query.
type walk struct {
	lookup
	Interactive bool `json:"interactive"`
	Nodes       int  `json:"nodes"`
	Text        int  `json:"text"`
	Inner       bool `json:"inner"` // the document is that of a frame
}

// A tree is the engine's answer to a walk.
type tree struct {
	URL   string            `json:"url"`
	Title string            `json:"title"`
	Nodes columns           `json:"nodes"`
	More  int               `json:"more"`
	Cut   []snapshot.Reason `json:"cut"`
	Stats snapshot.Stats    `json:"stats"`
	// Sealed lists the numbers of elements that may have a closed shadow root.
	Sealed []int `json:"sealed"`
}

// columns holds the nodes of a tree field by field. A node comes after its parent. A field that few
// nodes have is a map from the index of a node to the value.
type columns struct {
	In     []int               `json:"p"` // index; -1 at the top
	Number []int               `json:"k"`
	Class  []int               `json:"c"`
	Role   []int               `json:"r"` // index of Roles
	Roles  []string            `json:"roles"`
	Tag    []int               `json:"g"` // index of Tags
	Tags   []string            `json:"tags"`
	Name   []string            `json:"n"`
	Text   map[int]string      `json:"t"`
	Hint   map[int]string      `json:"h"`
	Attrs  map[int][][3]string `json:"a"` // name, value, "1" for a state
	Value  map[int]string      `json:"v"`
	More   map[int]int         `json:"m"`
	Frame  map[int]int         `json:"f"` // key of a frame that the engine cannot enter
	// Context distinguishes an element from others of its role and name.
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
	for _, tag := range c.Tag {
		if tag < 0 || tag >= len(c.Tags) {
			return false
		}
	}
	return len(c.Tag) == n && len(c.Number) == n && len(c.Class) == n && len(c.Role) == n && len(c.Name) == n
}

// classes maps the numbers in columns.Class to classes.
var classes = [...]snapshot.Class{snapshot.Interactive, snapshot.Content, snapshot.Structural, snapshot.Text}

// Snapshot implements [driver.Snapshotter].
func (p *printer) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*snapshot.Snapshot, error) {
	budget := o.Options.WithDefaults()
	// A node takes more than 8 characters, as a line and as data. More nodes would not fit.
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

// walkAll walks the page. If the walk finds closed shadow roots, walkAll opens them and walks the
// page again, at most deepestRoot times.
func (p *printer) walkAll(ctx context.Context, scope *driver.Target, ask walk) (*acted, error) {
	for left := deepestRoot; ; left-- {
		r, err := p.walk(ctx, scope, ask)
		if err != nil || left == 0 || !p.unseal(ctx, r) {
			return r, err
		}
	}
}

// unseal opens the closed shadow roots that a walk has met, and reports whether there were any.
func (p *printer) unseal(ctx context.Context, r *acted) bool {
	return r.Tree != nil && len(r.Tree.Sealed) > 0 && devtools.OpenRoots(ctx, p.Tab, r.w, r.Tree.Sealed)
}

// walk walks the page or, if scope is set, waits for that element and walks it.
func (p *printer) walk(ctx context.Context, scope *driver.Target, ask walk) (*acted, error) {
	s := p.finder.seek(ctx, driver.Target{Source: "the page"})
	if scope != nil {
		s = p.finder.seek(ctx, *scope)
		if _, err := s.act(ctx, act{Need: attached, Strict: true, Op: op{Name: "none"}}); err != nil {
			return nil, err
		}
	}
	r, err := s.queryNow(ctx, "tree", func(l lookup) any {
		ask.lookup = l
		return ask
	})
	if err == nil && !r.OK {
		err = s.failure(ctx, r)
	}
	return r, err
}

// placed is the reading of one document. At first, the nodes of frames that the engine cannot enter
// are empty. Their contents are read separately.
type placed struct {
	snapshot.Reading
	frames map[int]*snapshot.Node // by key
	keys   []int                  // in document order
}

// place returns the reading of the tree in r and of its frames. Frames that the engine cannot enter
// are walked concurrently, each in its own world. depth is the number of frames around r. If a
// frame goes away or does not answer, its node stays empty, and the reading is marked as
// incomplete.
func (p *printer) place(ctx context.Context, r *acted, ask walk, depth int) (*placed, error) {
	if r.Tree == nil || !r.Tree.Nodes.whole() {
		return nil, diag.New(diag.Internal, "reading the page failed: the page engine sent an incomplete tree").
			WithHint("report this as a bug, with the page")
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

// walkFrame returns the reading of a frame, or nil if the frame cannot be walked.
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

// put adds the reading of a frame below n, the node of its element. The time of the result is the
// longer of both times, because frames are walked concurrently.
func (in *placed) put(n *snapshot.Node, inner *placed) {
	n.Children, n.More = inner.Nodes, n.More+inner.More
	in.Cut = append(in.Cut, inner.Cut...)
	in.Stats.Seen += inner.Stats.Seen
	in.Stats.Hidden += inner.Stats.Hidden
	in.Stats.Millis = max(in.Stats.Millis, inner.Stats.Millis)
}

// placed returns the reading of t, which was walked in w.
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

// fill sets n to the node with the index i.
func (c *columns) fill(n *snapshot.Node, i int, w documents.World) {
	*n = snapshot.Node{
		Key: snapshot.Key{Document: w.ID, Local: c.Number[i]}, Class: snapshot.Structural,
		Role: c.Roles[c.Role[i]], Tag: c.Tags[c.Tag[i]], Name: c.Name[i], Text: c.Text[i], Hint: c.Hint[i], More: c.More[i], Context: c.Context[i],
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
