package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// Give assigns a ref to an element that is in no snapshot. If the element already has a number, it
// keeps it. equals and context are those of [Entry]. The ref is forgotten after many more calls of
// Give.
func (b *Book) Give(doc Document, key Key, role, name string, equals int, context *Context) Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.numbers[doc.ID][key]
	if !ok {
		n = b.last + 1
	}
	b.assign(doc.ID, key, n)
	if b.given == nil {
		b.given = make(map[int]*Entry)
	}
	e := &Entry{Ref: refOf(n), Key: key, Role: role, Name: name, Equals: equals, Context: context, Document: doc}
	b.given[n] = e
	halve(b.given, mostGiven, b.stub)
	return *e
}

// Resolve returns the target of a ref such as "e3". The argument snapshot is the id of a snapshot
// that shows the ref; "" means the newest one. The argument "now" is the document in which the
// caller wants to act.
//
// The error is ELEMENT_NOT_FOUND if the ref or the snapshot is unknown, or if the snapshot does not
// show the ref. The error is STALE_REF if the ref belongs to another document, to a snapshot that
// is no longer kept, or to the time before a handoff. The caller must check whether the element has
// changed since then; see [Entry.Stale].
func (b *Book) Resolve(ref, snapshot string, now Document) (Entry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := strconv.Atoi(strings.TrimPrefix(ref, "e"))
	if err != nil || n < 1 || n > b.last {
		ref, _ = clip(ref, 40)
		return Entry{}, diag.New(diag.ElementNotFound, "found the unknown ref @%s, expected a ref of a snapshot", ref).
			WithDetail("ref", ref).WithHint("take a snapshot and use a ref that it shows")
	}
	ref = refOf(n)
	if n <= b.handed {
		return Entry{}, b.describe(ref, n).Stale(now, "", byPerson)
	}
	e, err := b.entry(n, snapshot)
	switch {
	case err != nil:
		return Entry{}, err
	case e == nil:
		return Entry{}, b.forgotten(ref, n, now)
	case e.Document.Tab != now.Tab && e.Document.PageRev > 0:
		return Entry{}, e.elsewhere(now)
	case e.Document.ID != now.ID:
		return Entry{}, e.Stale(now, "", "it belongs to another document, "+e.Document.short())
	}
	return *e, nil
}

// elsewhere returns the error for a ref of another tab. The argument "now" is the document of the
// active tab.
func (e *Entry) elsewhere(now Document) *diag.Error {
	return e.Stale(now, "", fmt.Sprintf("it belongs to the tab %s (%s), and the active tab is %s", e.Document.Tab, e.Document.short(), now.Tab)).
		WithDetail("tab", e.Document.Tab).
		WithHint("switch to the tab of the ref (action tab switch %s), or take a new snapshot of the active tab", e.Document.Tab)
}

// entry returns the entry of a number in the snapshot with this id. If the id is "", it uses the
// newest snapshot that shows the number. If that snapshot is no longer kept, the entry is nil.
func (b *Book) entry(n int, snapshot string) (*Entry, error) {
	if snapshot != "" {
		k := b.find(snapshot)
		switch {
		case k == nil && slices.Contains(b.dropped, snapshot):
			return nil, nil
		case k == nil:
			snapshot, _ = clip(snapshot, 40)
			return nil, diag.New(diag.ElementNotFound, "found the unknown snapshot %q, expected a snapshot of this session", snapshot).
				WithDetail("ref", refOf(n)).WithHint("take a snapshot and use a ref that it shows")
		case k.refs[n] == nil:
			return nil, diag.New(diag.ElementNotFound, "found @%[2]s, which the snapshot %[1]s does not show", snapshot, refOf(n)).
				WithDetail("ref", refOf(n)).WithHint("use a snapshot that shows the ref, or take a new one")
		}
		b.use(k)
		return k.refs[n], nil
	}
	var newest *kept
	for _, k := range b.kept {
		if k.refs[n] != nil && (newest == nil || k.taken > newest.taken) {
			newest = k
		}
	}
	if newest == nil {
		return b.given[n], nil
	}
	b.use(newest)
	return newest.refs[n], nil
}

// forgotten returns the error for a number whose snapshots have been dropped.
func (b *Book) forgotten(ref string, n int, now Document) error {
	return b.describe(ref, n).Stale(now, "", fmt.Sprintf("its snapshot is not one of the last %d", keptSnapshots))
}

// describe returns what is known of a number whose snapshots have been dropped.
func (b *Book) describe(ref string, n int) *Entry {
	if e := b.stubs[n]; e != nil {
		return e
	}
	return &Entry{Ref: ref}
}

// short returns the URL, cut for messages.
func (d Document) short() string {
	url, _ := clip(d.URL, 200)
	return url
}

// Stale returns the STALE_REF error for e. The argument "now" is the document in which the caller
// wants to act. The argument "is" is the [Label] of the element that has replaced the old one, or
// "". The argument "why" is the end of the message.
func (e *Entry) Stale(now Document, is, why string) *diag.Error {
	err := diag.New(diag.StaleRef, "@%s is stale: %s", e.Ref, why).
		WithDetail("ref", e.Ref).WithDetail("current_page_rev", now.PageRev).WithDetail("url", now.URL).
		WithHint("take a new snapshot")
	err.WithDetail("snapshot_page_rev", nil).WithDetail("was", nil).WithDetail("is", nil)
	if e.Document.PageRev > 0 {
		err.WithDetail("snapshot_page_rev", e.Document.PageRev).WithDetail("was", e.Label())
	}
	if is != "" {
		err.WithDetail("is", is)
	}
	return err
}

// Label describes the element as a snapshot shows it, such as `button "Save"`. If the element has a
// context, its row is added, as in `button "Delete" in "Ann"`.
func (e *Entry) Label() string {
	if e.Context == nil {
		return Label(e.Role, e.Name)
	}
	return LabelIn(e.Role, e.Name, e.Context.Words)
}

// LabelIn is like [Label], but adds the texts of the element's row.
func LabelIn(role, name string, row []string) string {
	label := Label(role, name)
	if len(row) == 0 {
		return label
	}
	shown := make([]string, len(row))
	for i, text := range row {
		shown[i] = withEnds(text)
	}
	return label + " in " + quote(strings.Join(shown, " "), DefaultText)
}

// mostOfRow is the maximum number of characters of each text of a row.
const mostOfRow = 80

// withEnds shortens a text to mostOfRow characters. It cuts the middle, because the texts of rows
// often begin alike.
func withEnds(text string) string {
	r := []rune(text)
	if len(r) <= mostOfRow {
		return text
	}
	return string(r[:mostOfRow/2]) + "…" + string(r[len(r)-mostOfRow/2+1:])
}

// Label formats a role and a name as a snapshot shows them.
func Label(role, name string) string {
	if name == "" {
		return roleName(role)
	}
	return roleName(role) + " " + quote(name, DefaultText)
}
