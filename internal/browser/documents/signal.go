package documents

import "sync"

// A signal wakes the goroutines that wait for a change. The zero value is ready for use.
type signal struct {
	mu      sync.Mutex
	n       int           // number of changes
	changed chan struct{} // closed at the next change; nil when nothing waits
}

// now returns the number of changes so far.
func (s *signal) now() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func (s *signal) notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// after returns a channel that is closed once there have been more than n changes.
func (s *signal) after(n int) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n > n {
		return over
	}
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

var over = func() chan struct{} { c := make(chan struct{}); close(c); return c }()
