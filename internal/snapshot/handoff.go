package snapshot

// byPerson is the reason in errors about refs and snapshots from before a handoff.
const byPerson = "a person has used the browser since then"

// mostBefore is the maximum number of snapshot ids in Book.before.
const mostBefore = 100

// HandOver records that a person has used the browser. All earlier refs and snapshots become stale.
func (b *Book) HandOver() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, k := range b.kept {
		b.drop(k)
		b.before = append(b.before, k.id)
	}
	b.before = b.before[max(0, len(b.before)-mostBefore):]
	for n, e := range b.given {
		b.stub(n, e)
	}
	b.handed = b.last
	b.kept, b.given, b.numbers, b.docs = nil, nil, nil, nil
}
