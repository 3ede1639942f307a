package network

import (
	"math"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// A Mark records what a page was waiting for when a step pressed for a download. The file of an
// earlier press may arrive later.
type Mark struct {
	traffic *Traffic
	open    map[proto.NetworkRequestID]bool // requests pending then: whether their answers had begun
	known   map[*Request]bool
}

// A Fit reports whether a file belongs to the requests since a mark.
type Fit int

const (
	Fits Fit = iota
	FitsMaybe
	FitsNot
)

// Mark records what the page is waiting for now.
func (t *Traffic) Mark() *Mark {
	m := &Mark{traffic: t, open: make(map[proto.NetworkRequestID]bool), known: make(map[*Request]bool)}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.log.list {
		m.known[r] = true
		if r.done == 0 {
			m.open[r.hop.id] = r.status != 0
		}
	}
	return m
}

// Fit reports whether a file from address belongs to the requests since the mark. A file that a
// page creates (its address has no host) is made from the answer that ended last.
func (m *Mark) Fit(address string) Fit {
	m.traffic.mu.Lock()
	defer m.traffic.mu.Unlock()
	list := m.traffic.log.list
	if strings.HasPrefix(address, "http") {
		for _, r := range slices.Backward(list) {
			if r.url == address {
				if _, earlier := m.open[r.hop.id]; earlier {
					return FitsNot
				}
				break
			}
		}
		return Fits
	}
	var before, since float64
	waits := false // for requests since the mark
	for _, r := range list {
		if r.kind != "fetch" && r.kind != "xhr" {
			continue
		}
		_, earlier := m.open[r.hop.id]
		switch at := m.ended(r); {
		case earlier:
			before = max(before, at)
		case m.known[r]:
		case at == 0:
			waits = true
		default:
			since = max(since, at)
		}
	}
	switch {
	case before == 0, since > before:
		return Fits
	case waits:
		return FitsNot
	}
	return FitsMaybe
}

// ended returns when a request has ended, or 0. A request whose answer has begun since the mark
// counts as ended, in the future.
func (m *Mark) ended(r *Request) float64 {
	answered, earlier := m.open[r.hop.id]
	if r.done == 0 && r.status != 0 && (!earlier || !answered) {
		return math.Inf(1)
	}
	return r.done
}
