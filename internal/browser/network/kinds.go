package network

import (
	"slices"
	"strings"
	"time"
)

// A Kind of requests is their method and their address without the query.
type Kind struct{ method, address string }

// KindOf is the kind of a request.
func KindOf(method, address string) Kind {
	address, _, _ = strings.Cut(address, "?")
	return Kind{method, address}
}

// A Background is what goes on by itself at one moment.
type Background struct {
	sent  int             // requests before it
	polls map[Kind]bool   // of which one is open, and one before it has ended
	open  map[string]bool // addresses of requests that are open
}

// Polls reports whether requests of a kind go on all the time. b may be nil: then none do.
func (b *Background) Polls(k Kind) bool { return b != nil && b.polls[k] }

// Background returns what goes on now: the requests that are open without an input that has
// caused them, and the kinds of requests of which one is open so, and one before it has ended.
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

// OpenSince lists the addresses of the requests that bring data, have begun since b, and are not
// answered: without polls, and without those that go on with one of the same address that was
// open then and has ended. The address of one that is not in the log is "".
func (t *Traffic) OpenSince(b *Background) (open []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	earlier := func(address string) bool { // one that was open then is so still
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

// UnreadAgain is after how long to check again requests whose answers wait for the page to read
// them; 0: not before one of them ends.
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

// How long a request that is open may still bring what is to be read of a page: one that is open
// longer waits for news, which the server sends when there are some. And how long the page may
// take to show what the last one has brought.
const (
	longestFetch = 10 * time.Second
	fetchedShown = 500 * time.Millisecond
)

// Fetches reports whether requests are under way, or ended a moment ago, that may bring what the
// page does not show yet. b may be nil.
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
