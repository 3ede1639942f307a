package chrome

// Tabs that have opened each other.

import (
	"slices"
)

// linked returns p, followed by the tabs of its window that are linked to it. A tab is linked to
// the tabs that it opened, to the tab that opened it, and to all tabs linked to these. Linked tabs
// can address each other by name.
func (r *roster) linked(p *Tab) []*Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	linked := []*Tab{p}
	for i := 0; i < len(linked); i++ {
		for _, other := range p.window.tabs {
			if (other.opener == linked[i] || linked[i].opener == other) && !slices.Contains(linked, other) {
				linked = append(linked, other)
			}
		}
	}
	return linked
}

// sharing returns p, followed by the other tabs that may share its renderer. These are the tabs
// linked to p that show the same host. A blank document has no host, so it may share any renderer.
func (r *roster) sharing(p *Tab) []*Tab {
	host := p.Frames.Host()
	return slices.DeleteFunc(r.linked(p), func(other *Tab) bool {
		at := other.Frames.Host()
		return other != p && at != host && at != "" && host != ""
	})
}

// BeginInput records that the input of a step begins now. Later navigations count as caused by that
// input if they are in the page, or in a tab that the page can address by name.
func (p *Tab) BeginInput() {
	p.Step.Begin(true)
	for _, other := range p.roster.linked(p)[1:] {
		other.Moves.ForgetMove()
	}
}
