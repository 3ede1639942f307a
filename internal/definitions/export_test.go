package definitions

// NewStoreForTests is [NewStore] with what Load has parsed: under the race detector, the
// builtin files take seconds.
func NewStoreForTests() *Store {
	s := NewStore()
	s.read = ownFiles()
	return s
}
