package chrome

// Tabs that have opened each other.

import (
	"slices"
)

// linked returns p, followed by the tabs of its window that p opened, the tab that opened p, and in
// turn the same tabs for each of them. These tabs can address each other by name.
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

// sharing returns p, followed by the tabs that may share its renderer: the tabs that linked
// returns, except those that show a page of another host. A blank document has no host, so it may
// share any renderer.
func (r *roster) sharing(p *Tab) []*Tab {
	host := p.Frames.Host()
	return slices.DeleteFunc(r.linked(p), func(other *Tab) bool {
		at := other.Frames.Host()
		return other != p && at != host && at != "" && host != ""
	})
}

// BeginInput marks the moment at which the input of a step begins. Later navigations of the page's
// frames, and of tabs that the page can address by name, count as caused by that input.
func (p *Tab) BeginInput() {
	p.Step.Begin(true)
	for _, other := range p.roster.linked(p)[1:] {
		other.Moves.ForgetMove()
	}
}
