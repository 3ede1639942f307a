package network

import (
	"slices"
	"strings"
	"time"
)

// A Kind is the method and the address of a request, without the query.
type Kind struct{ method, address string }

// KindOf returns the kind of a request.
func KindOf(method, address string) Kind {
	address, _, _ = strings.Cut(address, "?")
	return Kind{method, address}
}

// A Background records the open requests of a page at one moment. It omits requests that an input
// has caused.
type Background struct {
	sent  int             // number of requests up to that moment
	polls map[Kind]bool   // kinds with an open request and an earlier, ended one
	open  map[string]bool // addresses of open requests
}

// Polls reports whether the page repeats requests of kind k without input. It returns false if b is
// nil.
func (b *Background) Polls(k Kind) bool { return b != nil && b.polls[k] }

// Background records the requests that are open now, except those that an input has caused. If an
// earlier request of the same kind has ended, the page polls.
func (t *Traffic) Background() *Background {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := &Background{sent: t.sent}
	for _, r := range t.log.open {
		if r.caused {
			continue
		}
		if b.open == nil {
			b.open = make(map[string]bool)
		}
		b.open[r.url] = true
		k := KindOf(r.method, r.url)
		before := func(other *Request) bool {
			return other.done > 0 && !other.caused && KindOf(other.method, other.url) == k
		}
		if slices.ContainsFunc(t.log.list, before) {
			if b.polls == nil {
				b.polls = make(map[Kind]bool)
			}
			b.polls[k] = true
		}
	}
	return b
}

// OpenSince returns the addresses of unanswered data requests that have begun since b. It omits
// polls, and repetitions of a request that was open in b and has ended. For a request that is no
// longer in the log, the address is "".
func (t *Traffic) OpenSince(b *Background) (open []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	earlier := func(address string) bool { // whether a request with this address from before b is still open
		for id, by := range t.open {
			if r := t.log.open[id]; r != nil && r.url == address && by.number <= b.sent {
				return true
			}
		}
		return false
	}
	for id, by := range t.open {
		if by.number <= b.sent || !by.data || by.isUnread() {
			continue
		}
		r := t.log.open[id]
		if r == nil {
			open = append(open, "")
		} else if !b.polls[KindOf(r.method, r.url)] && !(b.open[r.url] && !earlier(r.url)) {
			open = append(open, r.url)
		}
	}
	slices.Sort(open)
	return open
}

// UnreadAgain returns the time until the next response counts as complete although the page has not
// read it. It returns 0 if there is no such response.
func (t *Traffic) UnreadAgain() (again time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.open {
		if left := time.Until(r.unread); !r.unread.IsZero() && left > 0 && (again == 0 || left < again) {
			again = left
		}
	}
	return again
}

// longestFetch is how long a step waits for the data of an open request. fetchedShown is how long
// the page may take to show the data of the last request.
const (
	longestFetch = 10 * time.Second
	fetchedShown = 500 * time.Millisecond
)

// Fetches reports whether the page may soon show new data, because requests are pending or have
// just ended. It ignores the polls in b, which may be nil.
func (t *Traffic) Fetches(b *Background) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, by := range t.open {
		if !by.data || time.Since(by.began) > longestFetch || by.isUnread() && time.Since(by.unread) > fetchedShown {
			continue
		}
		if r := t.log.open[id]; r == nil || !b.Polls(KindOf(r.method, r.url)) {
			return true
		}
	}
	return time.Since(t.quiet) < fetchedShown
}
