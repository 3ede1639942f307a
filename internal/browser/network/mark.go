package network

import (
	"math"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// A Mark records the open requests of a page before a step presses something that starts a
// download. It serves to recognize a file that an earlier press has caused.
type Mark struct {
	traffic *Traffic
	open    map[proto.NetworkRequestID]bool // the requests that were open; true if the response had begun
	known   map[*Request]bool
}

// A Fit is the result of [Mark.Fit].
type Fit int

const (
	Fits Fit = iota
	FitsMaybe
	FitsNot
)

// Mark records the requests that the page has open now.
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

// Fit decides whether the file at address belongs to the requests after the mark. If address has no
// host, the page has created the file. Such a file belongs to the last request that has ended.
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
	waits := false // whether requests since the mark are still open
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

// ended returns the time when a request ended, or 0 if it is open. For an open request whose
// response has begun since the mark, it returns +Inf.
func (m *Mark) ended(r *Request) float64 {
	answered, earlier := m.open[r.hop.id]
	if r.done == 0 && r.status != 0 && (!earlier || !answered) {
		return math.Inf(1)
	}
	return r.done
}
