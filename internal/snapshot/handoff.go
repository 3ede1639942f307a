package snapshot

// byPerson is the reason why refs and snapshots from before a handoff are stale.
const byPerson = "a person has used the browser since then"

// mostBefore is how many ids of snapshots from before a handoff are remembered.
const mostBefore = 100

// HandOver records that a person has used the browser. All earlier refs and snapshots become
// stale, because the page may mean something else now, even if it looks the same.
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
