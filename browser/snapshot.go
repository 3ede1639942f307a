package browser

// Snapshots: the engine walks the document of each world, the trees are put
// together here, and package snapshot makes of them what readers see.

import (
	"context"
	"sync"
	"time"

	"actionregistry/diag"
	"actionregistry/snapshot"
	"actionregistry/steps"
)

const (
	// deepestFrame is how many frames of other origins are walked inside of each
	// other; mostFrames is how many in one document.
	deepestFrame = 10
	mostFrames   = 50
	// deepestRoot is how many closed shadow roots are opened inside of each other.
	deepestRoot = 5
)

var _ steps.Snapshotter = (*Page)(nil)

// A walk is what the engine is asked for a tree; without a query it is that of the
// whole document.
type walk struct {
	lookup
	Interactive bool `json:"interactive"`
	Nodes       int  `json:"nodes"`
	Text        int  `json:"text"`
}

// A tree is the engine's answer.
type tree struct {
	URL   string            `json:"url"`
	Title string            `json:"title"`
	Nodes []treeNode        `json:"nodes"`
	More  int               `json:"more"`
	Cut   []snapshot.Reason `json:"cut"`
	Stats snapshot.Stats    `json:"stats"`
	// Sealed are the numbers of elements that may have a closed shadow root.
	Sealed []int `json:"sealed"`
}

// A treeNode stands behind the one that it is in.
type treeNode struct {
	In     int         `json:"p"` // index; -1 at the top
	Number int         `json:"k"`
	Class  int         `json:"c"`
	Role   string      `json:"r"`
	Name   string      `json:"n"`
	Text   string      `json:"t"`
	Hint   string      `json:"h"`
	Attrs  [][3]string `json:"a"` // name, value, "1" for a state
	Value  *string     `json:"v"`
	More   int         `json:"m"`
	Frame  int         `json:"f"` // key of a frame that the engine cannot enter
}

var classes = [...]snapshot.Class{snapshot.Interactive, snapshot.Content, snapshot.Structural, snapshot.Text}

// Snapshot implements [steps.Snapshotter].
func (p *Page) Snapshot(ctx context.Context, o steps.SnapshotOptions) (*snapshot.Snapshot, error) {
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
		if isGone(err) {
			if err := p.afterWorld(ctx, r.w); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		in.Document = p.documentOf(r.w)
		return p.book().Take(&in.Reading, o.Options)
	}
}

// walkAll walks once more as long as closed shadow roots come to light.
func (p *Page) walkAll(ctx context.Context, scope *steps.Target, ask walk) (*acted, error) {
	for left := deepestRoot; ; left-- {
		r, err := p.walk(ctx, scope, ask)
		if err != nil || left == 0 || !p.unseal(ctx, r) {
			return r, err
		}
	}
}

// unseal opens the closed shadow roots that a walk met, and reports whether there were
// any.
func (p *Page) unseal(ctx context.Context, r *acted) bool {
	return r.Tree != nil && len(r.Tree.Sealed) > 0 && p.openRoots(ctx, r.w, r.Tree.Sealed)
}

// walk walks the page, or what scope names once that is there.
func (p *Page) walk(ctx context.Context, scope *steps.Target, ask walk) (*acted, error) {
	s := p.seek(ctx, steps.Target{Source: "the page"})
	w, err := p.currentWorld(ctx)
	if err != nil {
		return nil, err
	}
	if scope != nil {
		s = p.seek(ctx, *scope)
		found, err := s.act(ctx, act{Need: attached, Strict: true, Op: op{Name: "none"}})
		if err != nil {
			return nil, err
		}
		w = found.w
	}
	p.keepAX(ctx, w)
	r, err := s.look(ctx, "tree", func(l lookup) any {
		ask.lookup = l
		return ask
	})
	if err == nil && !r.OK {
		err = s.failure(ctx, r)
	}
	return r, err
}

// A placed is a reading, and where the frames stand in it that are still to be
// walked.
type placed struct {
	snapshot.Reading
	frames map[int]*snapshot.Node // by key
	keys   []int                  // in document order
}

// place makes the tree of what was walked in r's world, with the frames of other
// origins in it: each is walked in its own world, all at the same time. Where a
// frame goes away meanwhile or does not answer, its place stays empty, which is told.
func (p *Page) place(ctx context.Context, r *acted, ask walk, depth int) (*placed, error) {
	if r.Tree == nil {
		return nil, diag.New(diag.Internal, "reading the page failed: there is no tree").
			WithHint("this is a fault of ours: please report it with the page")
	}
	in := r.Tree.placed(r.w)
	if len(in.keys) == 0 {
		return in, nil
	}
	keys := in.keys[:min(len(in.keys), mostFrames)]
	if depth >= deepestFrame {
		keys = nil
	}
	read := 0
	worlds, err := p.frameWorlds(ctx, r.w, keys)
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
func (p *Page) walkFrame(ctx context.Context, w world, ask walk, depth int) *placed {
	p.keepAX(ctx, w)
	var r *acted
	for left := deepestRoot; ; left-- {
		var err error
		r, err = p.sure(ctx, w, time.Time{}, func(asks bool) (*acted, error) {
			ask.lookup = lookup{Asks: asks}
			r := acted{w: w}
			return &r, p.answer(ctx, p.call(ctx, w, "tree", ask), &r)
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

// put puts what a frame shows below its element. The frames were walked at the
// same time: of their times the longest counts.
func (in *placed) put(n *snapshot.Node, inner *placed) {
	n.Children, n.More = inner.Nodes, n.More+inner.More
	in.Cut = append(in.Cut, inner.Cut...)
	in.Stats.Seen += inner.Stats.Seen
	in.Stats.Hidden += inner.Stats.Hidden
	in.Stats.Millis = max(in.Stats.Millis, inner.Stats.Millis)
}

// placed makes nodes of t, which was walked in w.
func (t *tree) placed(w world) *placed {
	in := &placed{frames: make(map[int]*snapshot.Node)}
	in.Title, in.More, in.Cut, in.Stats = t.Title, t.More, t.Cut, t.Stats
	nodes := make([]*snapshot.Node, len(t.Nodes))
	for i := range t.Nodes {
		from := &t.Nodes[i]
		n := from.node(w)
		nodes[i] = n
		if from.In >= 0 && from.In < i {
			around := nodes[from.In]
			around.Children = append(around.Children, n)
		} else {
			in.Nodes = append(in.Nodes, n)
		}
		if from.Frame > 0 {
			in.frames[from.Frame] = n
			in.keys = append(in.keys, from.Frame)
		}
	}
	return in
}

func (t *treeNode) node(w world) *snapshot.Node {
	n := &snapshot.Node{
		Key: snapshot.Key{Document: w.id, Local: t.Number}, Class: snapshot.Structural,
		Role: t.Role, Name: t.Name, Text: t.Text, Hint: t.Hint, Value: t.Value, More: t.More,
	}
	if t.Class >= 0 && t.Class < len(classes) {
		n.Class = classes[t.Class]
	}
	for _, a := range t.Attrs {
		n.Attrs = append(n.Attrs, snapshot.Attr{Name: a[0], Value: a[1], State: a[2] != ""})
	}
	return n
}
