package snapshot

// Rendering of the shown tree as text and as data, within a budget.

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// attrLength is the maximum length of an attribute's value.
const attrLength = 150

// An item is a node with its depth. Items are in document order.
type item struct {
	node   *Node
	parent int    // index of the parent item; -1 at the top
	depth  int    // 0 at the top
	number int    // number of its ref; 0 means none
	group  string // group of a delta: added, changed, removed
}

// A view is the first n items of a snapshot, with the number of omitted items.
type view struct {
	head  header
	items []item
	n     int
	more  []int // number of omitted items below each item
	top   int   // number of omitted items at the top

	body string // cached result of lines
}

// flatten returns the nodes below top in document order.
func flatten(top *Node) []item {
	var items []item
	var walk func(list []*Node, parent, depth int)
	walk = func(list []*Node, parent, depth int) {
		for _, n := range list {
			items = append(items, item{node: n, parent: parent, depth: depth})
			walk(n.Children, len(items)-1, depth+1)
		}
	}
	walk(top.Children, -1, 0)
	return items
}

// first returns a view of the first n items. An omitted item is counted at its nearest shown
// ancestor.
func first(head header, items []item, n, more int) *view {
	v := &view{head: head, items: items, n: n, more: make([]int, n), top: more}
	for i := range items {
		at, left := i, items[i].node.More
		if i >= n {
			left++
		}
		for at >= n {
			at = items[at].parent
		}
		switch {
		case left == 0:
		case at < 0:
			v.top += left
		default:
			v.more[at] += left
		}
	}
	return v
}

// fit returns how many of n items fit into limit characters. size returns the length of a view with
// n items.
func fit(n, limit int, size func(n int) int) int {
	if size(n) <= limit {
		return n
	}
	low, high := 0, n-1 // low fits, because a header always does
	for low < high {
		middle := (low + high + 1) / 2
		if size(middle) <= limit {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// A header is the first line of a snapshot.
type header struct {
	id, url, title string
	rev            int
	delta          string // end of the line: the comparison with an earlier snapshot
	limit          int    // maximum number of characters of the whole text
}

// fixedHeader is an upper bound for the length of a header without URL and title.
const fixedHeader = 230

// line returns the text of the header. nodes is the number of shown nodes, and cut holds the
// reasons why other nodes are missing.
func (h *header) line(nodes int, cut []Reason) string {
	room := max(h.limit-fixedHeader, 20)
	var b strings.Builder
	b.WriteString("[snapshot " + h.id + "] url=")
	writeWord(&b, h.url, min(300, room/2))
	b.WriteString(" title=")
	writeQuoted(&b, h.title, min(150, room/3))
	b.WriteString(" page_rev=" + strconv.Itoa(h.rev) + " nodes=" + strconv.Itoa(nodes) + " truncated=" + truncated(cut) + h.delta + "\n")
	return b.String()
}

// truncated returns the reasons as the header shows them.
func truncated(cut []Reason) string {
	if len(cut) == 0 {
		return "false"
	}
	words := make([]string, len(cut))
	for i, r := range cut {
		words[i] = string(r)
	}
	return strings.Join(words, ",")
}

// text renders the view for readers.
func (v *view) text(cut []Reason) string { return v.head.line(v.n, cut) + v.lines() }

// lines returns the text without its header.
func (v *view) lines() string {
	if v.body != "" {
		return v.body
	}
	var b strings.Builder
	var open []int // items whose children are currently written
	closeTo := func(depth int) {
		for len(open) > 0 && len(open) > depth {
			writeMore(&b, len(open), v.more[open[len(open)-1]])
			open = open[:len(open)-1]
		}
	}
	group := ""
	for i := range v.n {
		it := &v.items[i]
		if it.group != group {
			closeTo(0)
			group = it.group
			b.WriteString("- " + group + ":\n")
		}
		closeTo(it.depth)
		parent := i+1 < len(v.items) && i+1 < v.n && v.items[i+1].parent == i || v.more[i] > 0
		b.WriteString(strings.Repeat("  ", it.depth+indent(group)))
		writeLine(&b, it)
		if parent {
			b.WriteByte(':')
		}
		b.WriteByte('\n')
		open = append(open, i)
	}
	closeTo(0)
	writeMore(&b, 0, v.top)
	v.body = b.String()
	return v.body
}

// indent returns the additional depth of an item. It is 1 in a delta, where items are below the
// name of their group, and otherwise 0.
func indent(group string) int {
	if group == "" {
		return 0
	}
	return 1
}

// writeMore writes the number of omitted items, if there are any.
func writeMore(b *strings.Builder, depth, more int) {
	if more > 0 {
		b.WriteString(strings.Repeat("  ", depth) + "- … " + strconv.Itoa(more) + " more\n")
	}
}

// writeLine writes the line of an item without its indent and line break.
func writeLine(b *strings.Builder, it *item) {
	n := it.node
	b.WriteString("- " + roleName(n.Role))
	if label := n.label(); label != "" {
		b.WriteByte(' ')
		writeQuoted(b, label, unlimited)
	}
	for _, a := range n.Attrs {
		if a.State {
			writeAttr(b, a)
		}
	}
	if it.number > 0 {
		b.WriteString(" [ref=" + refOf(it.number) + "]")
	}
	for _, a := range n.Attrs {
		if !a.State {
			writeAttr(b, a)
		}
	}
	if n.Value != nil {
		b.WriteString(" value=")
		writeQuoted(b, *n.Value, unlimited)
	}
}

// unlimited is the limit for texts that have already been cut.
const unlimited = 1 << 30

// label returns the name, or the text of a node without a name.
func (n *Node) label() string {
	if n.Name != "" {
		return n.Name
	}
	return n.Text
}

func writeAttr(b *strings.Builder, a Attr) {
	if a.State && a.Value == "true" {
		b.WriteString(" [" + roleName(a.Name) + "]")
		return
	}
	value, _ := clip(a.Value, attrLength)
	b.WriteString(" [" + roleName(a.Name) + "=")
	writeWord(b, value, unlimited)
	b.WriteByte(']')
}

// tree renders the view for programs, as JSON data.
func (v *view) tree() []any {
	made := make([]map[string]any, v.n)
	top := []any{}
	for i := range v.n {
		it := &v.items[i]
		made[i] = data(it, v.more[i])
		if it.parent < 0 {
			top = append(top, made[i])
			continue
		}
		in := made[it.parent]
		list, _ := in["children"].([]any)
		in["children"] = append(list, made[i])
	}
	if v.top > 0 {
		top = append(top, map[string]any{"more": v.top})
	}
	return top
}

// data returns an item as JSON data. more is the number of omitted items below it.
func data(it *item, more int) map[string]any {
	n := it.node
	m := map[string]any{"role": roleName(n.Role)}
	put := func(key, value string) {
		if value != "" {
			m[key] = value
		}
	}
	if it.number > 0 {
		m["ref"] = refOf(it.number)
	}
	put("name", n.Name)
	put("change", it.group)
	if n.Name == "" {
		put("text", n.Text)
	}
	if n.Value != nil {
		m["value"] = *n.Value
	}
	if len(n.Attrs) > 0 {
		attrs := make(map[string]any, len(n.Attrs))
		for _, a := range n.Attrs {
			value, _ := clip(a.Value, attrLength)
			if attrs[a.Name] = value; a.State && (value == "true" || value == "false") {
				attrs[a.Name] = value == "true"
			}
		}
		m["attrs"] = attrs
	}
	if more > 0 {
		m["more"] = more
	}
	return m
}

// length returns the length of a tree as JSON, in characters.
func length(tree []any) int {
	text, err := json.Marshal(tree)
	if err != nil {
		return unlimited // cannot fail: the tree contains only texts, numbers and booleans
	}
	return utf8.RuneCount(text)
}

// refOf returns the ref with that number, without "@".
func refOf(n int) string { return "e" + strconv.Itoa(n) }
