package trace

import (
	"slices"
	"sync"
)

// Limits of a [Memory].
const (
	memoryTexts = 300
	memoryBytes = 64 << 10
)

// A Memory holds the secrets of the earlier runs of a session, so that later calls can mask them.
// It keeps at most 300 secrets of at most 64 KiB together, and forgets the least recently used ones
// first. It always keeps the newest secret.
//
// The zero value is empty. A nil *Memory remembers nothing. A Memory is safe for concurrent use.
type Memory struct {
	mu     sync.Mutex
	used   []secret        // oldest first
	sorted []secret        // longest first, read-only once published
	known  map[string]bool // ids of used
	bytes  int             // total length of the texts
}

// Masker returns a new Masker with the secrets in m. A secret added to the Masker is also added to
// m.
func (m *Memory) Masker() *Masker {
	if m == nil {
		return new(Masker)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	out := &Masker{memory: m, secrets: m.sorted}
	if len(m.sorted) > 0 {
		out.known = make(map[string]bool, len(m.sorted))
		for i := range m.sorted {
			out.known[m.sorted[i].id()] = true
		}
	}
	return out
}

// String returns s with every remembered secret masked.
func (m *Memory) String(s string) string {
	if m == nil {
		return s
	}
	m.mu.Lock()
	secrets := m.sorted
	m.mu.Unlock()
	return (&Pass{secrets: secrets}).text(s)
}

// add records secrets as the most recently used ones, and forgets the oldest beyond the limits.
func (m *Memory) add(found []secret) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = make(map[string]bool)
	}
	for _, s := range found {
		id := s.id()
		if m.known[id] {
			m.used = slices.DeleteFunc(m.used, func(old secret) bool { return old.id() == id })
		} else {
			m.bytes += len(s.text)
		}
		m.known[id] = true
		m.used = append(m.used, s)
	}
	for len(m.used) > memoryTexts || len(m.used) > 1 && m.bytes > memoryBytes {
		m.bytes -= len(m.used[0].text)
		delete(m.known, m.used[0].id())
		m.used = slices.Delete(m.used, 0, 1)
	}
	m.sorted = longestFirst(slices.Clone(m.used))
}

// longestFirst sorts secrets by descending length.
func longestFirst(list []secret) []secret {
	slices.SortStableFunc(list, func(a, b secret) int { return len(b.text) - len(a.text) })
	return list
}
