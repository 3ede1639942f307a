package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// Give assigns a number to an element outside a snapshot. If the element has a number, Give returns
// that one. equals and context are those of [Entry]. The ref works like a ref of a snapshot. It is
// forgotten after many others have been assigned outside snapshots.
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

// Resolve returns the target of ref, which is written without "@". snapshot is the snapshot of
// the ref; "" means the newest that shows it. now is the document to act on.
//
// The error is ELEMENT_NOT_FOUND if the number was never assigned, or not by that snapshot. It is
// STALE_REF if the ref belongs to another document, or to a snapshot that is no longer kept. The
// caller checks whether the element has changed; see [Entry.Stale].
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

// elsewhere returns the error for a ref that belongs to a different tab than the document now.
func (e *Entry) elsewhere(now Document) *diag.Error {
	return e.Stale(now, "", fmt.Sprintf("it belongs to the tab %s (%s), and the active tab is %s", e.Document.Tab, e.Document.short(), now.Tab)).
		WithDetail("tab", e.Document.Tab).
		WithHint("switch to its tab (action tab switch %s), or take a new snapshot of the active tab", e.Document.Tab)
}

// entry returns the entry of a number in a snapshot, or nil if the snapshot is no longer kept. ""
// means the newest snapshot that shows the number.
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
	e := b.stubs[n]
	if e == nil {
		e = &Entry{Ref: ref}
	}
	return e.Stale(now, "", fmt.Sprintf("its snapshot is not one of the last %d", keptSnapshots))
}

// short returns the URL, cut for messages.
func (d Document) short() string {
	url, _ := clip(d.URL, 200)
	return url
}

// Stale returns the STALE_REF error for e in the document now. The argument "is" describes what the
// page now has in place of that element, in the format of [Label]; "" means nothing. why is the
// reason.
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

// Label describes the element as a snapshot shows it, such as button "Save", or with its context
// button "Delete" in "Ann".
func (e *Entry) Label() string {
	if e.Context == nil {
		return Label(e.Role, e.Name)
	}
	return LabelIn(e.Role, e.Name, e.Context.Words)
}

// LabelIn is like [Label], and adds the texts of the element's row.
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

// mostOfRow is the maximum number of characters of a text of a row.
const mostOfRow = 80

// withEnds shortens a text in its middle, because the texts of rows often begin alike.
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
