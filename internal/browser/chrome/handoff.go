package chrome

// Handoffs: a person uses the browser for some time. During that time nothing is recorded, and
// dialogs are left to the person. The rule for hosts and the routes stay in force.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// HandOver begins a handoff. It brings the active tab to the front if the user may see its window.
// Requests, console messages, dialogs, downloads and changes of tabs are not recorded until
// TakeBack. Dialogs stay open until the person answers them.
func (b *Browser) HandOver(ctx context.Context) {
	b.host.private.Store(true)
	b.asks.dialogs.Private(true)
	b.saves.downloads.Private(true)
	b.roster.mu.Lock()
	p := b.roster.active
	b.roster.mu.Unlock()
	if p != nil && b.host.visible() {
		b.host.conn.Start(ctx, p.Link.Session, proto.PageBringToFront{}) // it may have a dialog, and answer late
	}
}

// TakeBack ends the handoff. It makes all earlier refs stale, because the person may have changed
// any element. Console messages of the handoff may still be on their way.
func (b *Browser) TakeBack() {
	b.host.opts.Refs.HandOver()
	b.roster.mu.Lock()
	for _, p := range b.roster.pages {
		p.console.Skip()
	}
	b.roster.mu.Unlock()
	b.saves.downloads.Private(false)
	b.asks.dialogs.Private(false)
	b.host.private.Store(false)
}
