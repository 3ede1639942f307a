package snapshot

// The changes between two snapshots of one document.

import (
	"fmt"
	"slices"
)

// Groups of a delta, in their order.
const (
	added   = "added"
	changed = "changed"
	removed = "removed"
)

// A mark identifies an item in two snapshots. If the item has no ref, the mark includes its order
// among items with the same key.
type mark struct {
	key   Key
	class Class
	role  string
	order int
}

// changes compares two snapshots. It returns the items of "now" that were added or changed, and
// then the items of "since" that were removed. delta is the end of the header, and left is the
// number of omitted elements. If "now" shows another document than "since", all items of "now" are
// returned.
func changes(since, now *kept, more int) (items []item, delta string, left int) {
	if since.doc.ID != now.doc.ID {
		return now.items, " delta=new_document", more
	}
	before, after := marks(since.items), marks(now.items)
	old := make(map[mark]*Node, len(before))
	for i, m := range before {
		old[m] = since.items[i].node
	}
	groups := make(map[string][]item)
	put := func(group string, n *Node) {
		if n.Class == Structural && n.Name == "" {
			return
		}
		lone := *n
		lone.Children, lone.More = nil, 0
		groups[group] = append(groups[group], item{node: &lone, parent: -1, group: group})
	}
	for i, m := range after {
		n, was := now.items[i].node, old[m]
		delete(old, m)
		switch {
		case was == nil:
			put(added, n)
		case !same(was, n):
			put(changed, n)
		}
	}
	for i, m := range before {
		if old[m] != nil {
			put(removed, since.items[i].node)
		}
	}
	delta = fmt.Sprintf(" delta=%s added=%d changed=%d removed=%d", since.id, len(groups[added]), len(groups[changed]), len(groups[removed]))
	return slices.Concat(groups[added], groups[changed], groups[removed]), delta, 0
}

// marks returns the mark of each item.
func marks(items []item) []mark {
	list := make([]mark, len(items))
	count := make(map[mark]int)
	for i := range items {
		n := items[i].node
		m := mark{key: n.Key, class: n.Class}
		if n.Class != Interactive && n.Class != Content || n.Key == (Key{}) {
			m.role = n.Role
			m.order = count[m]
			count[m]++
		}
		list[i] = m
	}
	return list
}

// same reports whether two nodes are shown in the same way.
func same(a, b *Node) bool {
	value := func(n *Node) string {
		if n.Value == nil {
			return ""
		}
		return "=" + *n.Value
	}
	return a.Role == b.Role && a.Name == b.Name && a.Text == b.Text && value(a) == value(b) && slices.Equal(a.Attrs, b.Attrs)
}
