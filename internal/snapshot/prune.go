package snapshot

import "strings"

// The selection of the nodes of a reading to show. The reading's own nodes do not change.

// landmarks are the roles that show which part of a page an element is in. They are shown even
// without a name.
var landmarks = set("navigation", "main", "banner", "contentinfo", "complementary", "search", "form", "region",
	"dialog", "alertdialog", "iframe", "table", "grid", "treegrid", "tablist", "tabpanel", "menu", "menubar", "tree",
	"radiogroup", "listbox", "alert", "status")

// wrappers are the roles of elements that only group others. Such an element without a name is
// replaced by its children, unless Options.Full is set.
var wrappers = set("group", "rowgroup", "generic", "none", "document", "application", "paragraph")

// frames are the roles that are shown around interactive nodes, even if Options.Interactive is set.
var frames = set("iframe", "dialog", "alertdialog")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// A pruner builds the tree to show. Twins are interactive nodes with the same role and name.
type pruner struct {
	o    Options
	cut  reasons
	twin map[*Node]bool // nodes that have twins
	keep map[*Node]bool // nodes that tell twins apart
}

// prune returns the tree of the nodes to show, and the reasons why nodes are missing. The root of
// the tree has no content.
func prune(r *Reading, o Options) (*Node, reasons) {
	p := &pruner{o: o, cut: make(reasons), twin: make(map[*Node]bool), keep: make(map[*Node]bool)}
	for _, reason := range r.Cut {
		p.cut[reason] = true
	}
	root := &Node{Class: Structural, More: r.More, Children: r.Nodes}
	if o.Interactive {
		p.findTwins(root)
	}
	top := &Node{Class: Structural, More: r.More}
	p.children(top, r.Nodes)
	p.deepen(top, 0)
	return top, p.cut
}

// children adds the shown nodes of list to the children of the node "to".
func (p *pruner) children(to *Node, list []*Node) {
	for _, n := range list {
		p.node(to, n)
	}
}

// node adds n to the children of the node "to". If n is not shown, it adds the shown nodes below n.
func (p *pruner) node(to *Node, n *Node) {
	c := *n
	c.Children, c.whole = nil, n.Name
	p.children(&c, n.Children)
	c.fold()
	c.lean()
	if c.Role == "caption" && c.label() == to.Name && len(c.Children) == 0 {
		return // the text is already the name of its parent
	}
	if p.shows(&c, n) {
		p.shorten(&c, n)
		to.Children = append(to.Children, &c)
		return
	}
	if c.Text != "" && !p.o.Interactive { // the text was folded, and its wrapper is not shown
		c.Children = []*Node{{Key: c.Key, Class: Text, Role: "text", Text: c.Text}}
	}
	to.Children = append(to.Children, c.Children...)
	to.More += c.More
}

// fold replaces the only child of n by its text, if that child is a run of text.
func (n *Node) fold() {
	if n.Name != "" || n.Text != "" || n.Class == Structural && !wrappers[n.Role] || n.Class == Text {
		return
	}
	if len(n.Children) == 1 && n.Children[0].Class == Text && n.More == 0 {
		n.Text, n.Children = n.Children[0].Text, nil
	}
}

// holders are the roles of elements whose name comes from their content.
var holders = set("cell", "gridcell", "rowheader", "columnheader", "listitem", "row", "treeitem")

// lean drops a name that only repeats the content below it.
func (n *Node) lean() {
	if n.Class == Content && holders[n.Role] && len(n.Children) > 0 && strings.Contains(words(n.Children), bare(n.Name)) {
		n.Name = ""
	}
}

// words returns the names and texts of list, without white space.
func words(list []*Node) string {
	var b strings.Builder
	for _, n := range list {
		b.WriteString(bare(n.Name) + bare(n.Text) + words(n.Children))
	}
	return b.String()
}

// bare returns s without white space.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }

// shows reports whether c is shown. c is a copy of n with only the shown children.
func (p *pruner) shows(c, n *Node) bool {
	below := len(c.Children) > 0 || c.More > 0
	switch {
	case c.Class == Interactive:
		return true
	case p.o.Interactive:
		return (p.keep[n] || frames[c.Role]) && below
	case c.Class == Text:
		return c.Text != ""
	case c.Role == "iframe":
		return true
	}
	says := c.Name != "" || c.Text != "" || c.Value != nil || len(c.Attrs) > 0
	if c.Class == Structural {
		switch {
		case !below:
			return says && c.Name != "" && landmarks[c.Role]
		case p.o.Full || c.Name != "" || landmarks[c.Role]:
			return true
		}
		return !wrappers[c.Role] && len(c.Children) > 1
	}
	if p.o.Full {
		return true
	}
	if wrappers[c.Role] && len(c.Children) > 0 && c.Name == "" {
		return false
	}
	return says || len(c.Children) > 1 || c.More > 0
}

// shorten removes from c what the options exclude, and cuts its texts to MaxText.
func (p *pruner) shorten(c, n *Node) {
	if p.o.Interactive {
		if c.Class != Interactive {
			c.Text, c.Value, c.Attrs = "", nil, nil
			if c.Name == "" {
				c.Name, _ = clip(c.Hint, hintLength)
			}
		} else if c.Name != "" && !p.twin[n] {
			c.Attrs = without(c.Attrs, "url")
		}
	}
	for _, text := range []*string{&c.Name, &c.Text, c.Value} {
		if text == nil {
			continue
		}
		short, cut := clip(*text, p.o.MaxText)
		if !cut {
			continue
		}
		p.cut[MaxText] = true
		if text == c.Value {
			c.Value = &short
		} else {
			*text = short
		}
	}
}

// hintLength is the maximum length of a hint.
const hintLength = 60

// without returns attrs except for those with that name.
func without(attrs []Attr, name string) []Attr {
	var out []Attr
	for _, a := range attrs {
		if a.Name != name {
			out = append(out, a)
		}
	}
	return out
}

// deepen removes the nodes below MaxDepth. depth is the depth of n.
func (p *pruner) deepen(n *Node, depth int) {
	if depth == p.o.MaxDepth && len(n.Children) > 0 {
		n.More += size(n.Children)
		n.Children = nil
		p.cut[MaxDepth] = true
		return
	}
	for _, c := range n.Children {
		p.deepen(c, depth+1)
	}
}

// size returns the number of nodes in list and below it, including omitted ones.
func size(list []*Node) int {
	n := 0
	for _, c := range list {
		n += 1 + c.More + size(c.Children)
	}
	return n
}

// findTwins finds the twins below root, and marks the nodes that tell them apart.
func (p *pruner) findTwins(root *Node) {
	type sort struct{ role, name string }
	paths := make(map[sort][][]*Node) // each path leads from the node outwards
	var path []*Node
	var walk func(n *Node)
	walk = func(n *Node) {
		path = append(path, n)
		if n.Class == Interactive {
			s := sort{n.Role, n.Name}
			out := make([]*Node, len(path))
			for i, a := range path {
				out[len(path)-1-i] = a
			}
			paths[s] = append(paths[s], out)
		}
		for _, c := range n.Children {
			walk(c)
		}
		path = path[:len(path)-1]
	}
	walk(root)
	for _, equals := range paths {
		if len(equals) > 1 {
			p.nameTwins(equals)
		}
	}
}

// nameTwins marks one ancestor of each twin: the nearest one that has a label and contains no other
// twin. The argument equals has one list for each twin: the twin, its parent, and so on up to the
// root.
func (p *pruner) nameTwins(equals [][]*Node) {
	holds := make(map[*Node]int)
	for _, path := range equals {
		for _, a := range path {
			holds[a]++
		}
	}
	for _, path := range equals {
		p.twin[path[0]] = true
		for _, a := range path[1:] {
			if holds[a] > 1 {
				break
			}
			if a.Class != Interactive && (a.Name != "" || a.Hint != "") {
				p.keep[a] = true
				break
			}
		}
	}
}
