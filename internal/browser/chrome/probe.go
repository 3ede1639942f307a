package chrome

import (
	"maps"
	"slices"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/egress"
)

// A Probe gives tests access to the internals of a browser.
type Probe struct {
	Conn    *cdp.Conn
	Process *process.Process // nil for a browser that was not started here
	Egress  *egress.Proxy    // nil without a guard
	Options startup.Options
	Workers int
}

// Probe returns the internals of b.
func (b *Browser) Probe() Probe {
	return Probe{b.host.conn, b.host.process, b.host.egress, b.host.opts, len(b.attachedTo.all())}
}

// A TabProbe gives tests the internals of a tab.
type TabProbe struct {
	ID       string   // such as t1
	Window   string   // id
	Session  string   // of the connection
	Sessions []string // of the tab and of its frames, sorted
	Frames   int      // below the main frame
	Contexts int      // of frames with sessions of their own
	// Plain reports whether the tab answers, is alone in its window, and has opened no dialog.
	Plain bool
}

// Probe returns the internals of the tab.
func (p *Tab) Probe() TabProbe {
	p.roster.mu.Lock()
	alone := len(p.window.tabs) == 1 && !p.closing
	own := maps.Clone(p.roster.pages)
	maps.DeleteFunc(own, func(_ string, of *Tab) bool { return of != p })
	p.roster.mu.Unlock()
	frames, contexts := p.Frames.Counts()
	return TabProbe{
		ID: p.id, Window: p.window.id, Session: p.Link.Session, Sessions: slices.Sorted(maps.Keys(own)),
		Frames: frames, Contexts: contexts,
		Plain: alone && p.Link.Lost() == nil && !p.Link.IsStuck() && p.asked.Load() == 0 && p.Handed.DragData() == nil,
	}
}
