package chrome

// Tabs that have opened each other.

import (
	"net/url"
	"slices"
)

// linked returns p and the tabs of its window that are connected with it by having opened each
// other: they can address each other by name.
func (b *Browser) linked(p *Tab) []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
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

// sharing returns p and the tabs that share its renderer: those that are linked with it and show
// the same host.
func (b *Browser) sharing(p *Tab) []*Tab {
	host := p.Frames.host()
	return slices.DeleteFunc(b.linked(p), func(other *Tab) bool {
		at := other.Frames.host()
		return other != p && at != host && at != "" && host != ""
	})
}

// host returns the host of the document; "" for a blank one, which has its opener's.
func (fs *Frames) host() string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	u, err := url.Parse(fs.doc.url)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
