package snapshot

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

const (
	keptSnapshots   = 5
	mostGiven       = 1_000  // refs assigned outside a snapshot
	mostStubs       = 2_000  // descriptions of refs of dropped snapshots
	mostDropped     = 1_000  // ids of dropped snapshots
	mostDocuments   = 64     // documents whose refs are kept
	mostPerDocument = 50_000 // refs of one document
)

// A Book records which element each ref of a session names. The zero value is an empty book. A Book
// is safe for concurrent use, and its memory is bounded.
type Book struct {
	mu      sync.Mutex             // guards the fields below
	last    int                    // last number assigned; numbers are not reused
	handed  int                    // last number before a person used the browser; it and lower ones are stale
	before  []string               // ids of the snapshots that were kept at that time
	pages   int                    // number of main-frame documents so far
	tabs    int                    // number of tabs so far
	windows int                    // number of windows so far
	numbers map[string]map[Key]int // numbers of the elements of each main-frame document
	docs    []string               // keys of numbers, most recently used last
	kept    []*kept                // most recently used last
	given   map[int]*Entry         // refs assigned outside a snapshot
	stubs   map[int]*Entry         // refs of dropped snapshots
	dropped []string               // ids of dropped snapshots
	taken   uint32                 // number of snapshots so far
	seed    uint32
}

// kept is a snapshot to which refs and deltas may refer.
type kept struct {
	id    string
	taken uint32
	doc   Document
	refs  map[int]*Entry // refs of the shown elements
	items []item         // items that the snapshot would show without a budget
}

// An Entry describes the element that a ref names, as it was when the ref was assigned. It is
// read-only.
type Entry struct {
	Ref      string // without "@"
	Key      Key
	Role     string
	Name     string
	Equals   int // number of elements in its frame with its role and name, including itself
	Context  *Context
	Document Document
}

// NewBook returns an empty Book. Its ref numbers begin above the argument "last".
func NewBook(last int) *Book { return &Book{last: max(last, 0)} }

// Last returns the highest ref number that has been assigned, or 0 if none has been.
func (b *Book) Last() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

// NextPage counts a new main-frame document and returns its page_rev, from 1.
func (b *Book) NextPage() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages++
	return b.pages
}

// NextTab returns the name of a new tab: t1, t2, … Names are not reused.
func (b *Book) NextTab() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tabs++
	return "t" + strconv.Itoa(b.tabs)
}

// NextWindow returns the name of a new window: w1, w2, …
func (b *Book) NextWindow() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.windows++
	return "w" + strconv.Itoa(b.windows)
}

// Take makes a snapshot of r and keeps it. Each shown element keeps its ref number or gets a new
// one. If o.Delta names a snapshot that is no longer kept, the error is STALE_REF.
func (b *Book) Take(r *Reading, o Options) (*Snapshot, error) {
	o = o.WithDefaults()
	top, cut := prune(r, o)
	k := &kept{doc: r.Document, items: flatten(top), refs: make(map[int]*Entry)}
	b.mu.Lock()
	defer b.mu.Unlock()
	items, delta, more := k.items, "", top.More
	if o.Delta != "" {
		since, err := b.since(o.Delta)
		if err != nil {
			return nil, err
		}
		items, delta, more = changes(since, k, more)
	}
	k.id, k.taken = b.nextID()
	head := header{id: k.id, url: r.URL, title: r.Title, rev: r.PageRev, delta: delta, limit: o.MaxChars}
	v := b.cut(head, r.ID, items, more, cut, o)
	b.record(k, v)
	b.keep(k)
	s := &Snapshot{ID: k.id, URL: r.URL, Title: r.Title, PageRev: r.PageRev, Nodes: v.n,
		Truncated: cut.sorted(), Stats: r.Stats, refs: v.refs()}
	if o.JSON {
		s.tree = v.tree()
		s.Stats.Chars = length(s.tree)
	} else {
		s.text = v.text(s.Truncated)
		s.Stats.Lines, s.Stats.Chars = strings.Count(s.text, "\n"), utf8.RuneCountInString(s.text)
	}
	s.Stats.Kept, s.Stats.Refs, s.Stats.Interactive = v.n, len(s.refs), v.interactive()
	return s, nil
}

// since returns the snapshot from which a delta starts. It marks the snapshot as used.
func (b *Book) since(id string) (*kept, error) {
	if k := b.find(id); k != nil {
		b.use(k)
		return k, nil
	}
	if slices.Contains(b.before, id) {
		return nil, diag.New(diag.StaleRef, "the snapshot %s is stale: %s", id, byPerson).WithHint("take a snapshot without delta")
	}
	id, _ = clip(id, 40)
	return nil, diag.New(diag.StaleRef, "found the unknown snapshot %q for delta, expected one of the last %d", id, keptSnapshots).
		WithHint("take a snapshot without delta")
}

// cut numbers the items, and shows as many of them as the budget allows.
func (b *Book) cut(head header, doc string, items []item, more int, cut reasons, o Options) *view {
	items = b.number(doc, items, o)
	n := len(items)
	if n > o.MaxNodes {
		n, cut[MaxNodes] = o.MaxNodes, true
	}
	longest := reasons{MaxChars: true} // reserve space in the header for every reason
	for reason := range cut {
		longest[reason] = true
	}
	words := longest.sorted()
	var v *view
	fits := fit(n, o.MaxChars, func(n int) int {
		v = first(head, items, n, more)
		if o.JSON {
			return length(v.tree())
		}
		return utf8.RuneCountInString(v.text(words))
	})
	if fits < n {
		cut[MaxChars] = true
	}
	if v.n != fits { // v is the last size tried, not the best
		v = first(head, items, fits, more)
	}
	return v
}

// number returns a copy of items with ref numbers. Elements that have a number keep it. The others
// get new numbers, which [Book.record] must assign.
func (b *Book) number(doc string, items []item, o Options) []item {
	items = slices.Clone(items)
	known, fresh, next := b.numbers[doc], make(map[Key]int), b.last
	for i := range items {
		it := &items[i]
		if !hasRef(it.node, o) {
			continue
		}
		n, ok := known[it.node.Key]
		if !ok {
			n, ok = fresh[it.node.Key]
		}
		if !ok && it.group == removed { // the element was never shown
			continue
		}
		if !ok {
			next++
			n, fresh[it.node.Key] = next, next
		}
		it.number = n
	}
	return items
}

// hasRef reports whether a snapshot with these options shows a ref for n.
func hasRef(n *Node, o Options) bool {
	return n.Key != Key{} && (n.Class == Interactive || n.Class == Content && !o.Interactive)
}

// record assigns the numbers of the shown items. It adds their refs to k.
func (b *Book) record(k *kept, v *view) {
	equals := make(map[likeness]int)
	for i := range k.items {
		equals[likenessOf(k.items[i].node)]++
	}
	for i := range v.n {
		it := &v.items[i]
		if it.number == 0 || it.group == removed {
			continue
		}
		b.assign(k.doc.ID, it.node.Key, it.number)
		k.refs[it.number] = &Entry{
			Ref: refOf(it.number), Key: it.node.Key, Role: it.node.Role, Name: it.node.whole,
			Equals: equals[likenessOf(it.node)], Context: it.node.Context, Document: k.doc,
		}
	}
}

// A likeness is a set of elements: those of a frame that have the same role and name.
// [Entry.Equals] counts them.
type likeness struct{ frame, role, name string }

func likenessOf(n *Node) likeness { return likeness{n.Key.Document, n.Role, n.whole} }

// assign records the number of an element. It keeps the numbers of at most mostDocuments documents.
// If a document has mostPerDocument numbers, it forgets them first.
func (b *Book) assign(doc string, key Key, n int) {
	b.last = max(b.last, n)
	if b.numbers == nil {
		b.numbers = make(map[string]map[Key]int)
	}
	if i := slices.Index(b.docs, doc); i < 0 || i < len(b.docs)-1 {
		if i >= 0 {
			b.docs = slices.Delete(b.docs, i, i+1)
		}
		b.docs = append(b.docs, doc)
	}
	if len(b.docs) > mostDocuments {
		delete(b.numbers, b.docs[0])
		b.docs = slices.Delete(b.docs, 0, 1)
	}
	m := b.numbers[doc]
	if m == nil || len(m) >= mostPerDocument {
		m = make(map[Key]int)
		b.numbers[doc] = m
	}
	m[key] = n
}

// keep adds k to the kept snapshots. If there are too many, it drops the least recently used one.
func (b *Book) keep(k *kept) {
	b.kept = append(b.kept, k)
	if len(b.kept) <= keptSnapshots {
		return
	}
	old := b.kept[0]
	b.kept = slices.Delete(b.kept, 0, 1)
	b.drop(old)
}

// drop forgets a snapshot. It keeps the descriptions of its refs.
func (b *Book) drop(old *kept) {
	b.dropped = append(b.dropped, old.id)
	if len(b.dropped) > mostDropped {
		b.dropped = slices.Delete(b.dropped, 0, len(b.dropped)-mostDropped)
	}
	for n, e := range old.refs {
		b.stub(n, e)
	}
}

// stub keeps the description of a ref whose snapshot was dropped. Errors about stale refs contain
// it.
func (b *Book) stub(n int, e *Entry) {
	if b.stubs == nil {
		b.stubs = make(map[int]*Entry)
	}
	b.stubs[n] = e
	halve(b.stubs, mostStubs, nil)
}

// halve drops the older half of m if m has more than "most" entries. If drop is not nil, halve
// calls it for each dropped entry.
func halve(m map[int]*Entry, most int, drop func(int, *Entry)) {
	if len(m) <= most {
		return
	}
	numbers := make([]int, 0, len(m))
	for n := range m {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers[:len(numbers)/2] {
		if drop != nil {
			drop(n, m[n])
		}
		delete(m, n)
	}
}

// find returns the kept snapshot with that id, or nil.
func (b *Book) find(id string) *kept {
	for _, k := range b.kept {
		if k.id == id {
			return k
		}
	}
	return nil
}

// use marks k as most recently used.
func (b *Book) use(k *kept) {
	if i := slices.Index(b.kept, k); i >= 0 {
		b.kept = append(slices.Delete(b.kept, i, i+1), k)
	}
}

const (
	idPrefix = "snap_"
	idDigits = "abcdefghijklmnopqrstuvwxyz0123456789"
	idSpace  = 36 * 36 * 36 * 36 * 36 * 36
	idStep   = 1_357_924_691 // coprime to idSpace
)

// nextID returns the id and the number of a new snapshot. Ids repeat only after two billion
// snapshots.
func (b *Book) nextID() (string, uint32) {
	if b.taken == 0 {
		b.seed = rand.Uint32()
	}
	b.taken++
	n := (uint64(b.seed) + uint64(b.taken)*idStep) % idSpace
	id := make([]byte, 6)
	for i := range id {
		id[i] = idDigits[n%36]
		n /= 36
	}
	return idPrefix + string(id), b.taken
}

// refs describes the shown refs; see [Snapshot.Refs].
func (v *view) refs() map[string]any {
	m := make(map[string]any, v.n)
	equals := make(map[likeness][]map[string]any)
	for i := range v.n {
		it := &v.items[i]
		if it.number == 0 || it.group == removed {
			continue
		}
		shown := map[string]any{"role": roleName(it.node.Role), "tag": it.node.Tag}
		if it.node.Name != "" {
			shown["name"] = it.node.Name
		} else if it.node.Text != "" {
			shown["text"] = it.node.Text
		}
		m[refOf(it.number)] = shown
		like := likenessOf(it.node)
		equals[like] = append(equals[like], shown)
	}
	for _, list := range equals {
		if len(list) > 1 {
			for nth, shown := range list {
				shown["nth"] = float64(nth)
			}
		}
	}
	return m
}

// interactive returns the number of shown elements that can be acted on.
func (v *view) interactive() int {
	n := 0
	for i := range v.n {
		if it := &v.items[i]; it.node.Class == Interactive && it.group != removed {
			n++
		}
	}
	return n
}
