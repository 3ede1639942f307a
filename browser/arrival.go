package browser

import (
	"context"

	"actionregistry/steps"
)

// An arrival asks a document that is waited for for its address and title before it
// is there, so that the answer comes with the load event, and not behind the frame
// that the browser draws after it.
type arrival struct {
	ctx   context.Context // of whoever waits; nil when nobody does
	world string          // that was asked
	k     *call
	rests chan struct{} // closed when the page has stopped loading
}

// awaitArrival has the next documents asked until the returned function is called.
func (p *Page) awaitArrival(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arrival = arrival{ctx: ctx, rests: make(chan struct{})}
	return func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.arrival = arrival{}
	}
}

// askArrival asks a new document. It runs where the browser's messages are read.
func (p *Page) askArrival() {
	p.mu.Lock()
	a, world := p.arrival, p.world
	p.mu.Unlock()
	if a.ctx == nil || world == "" || world == a.world {
		return
	}
	k := p.b.conn.start(a.ctx, p.session, engineCall(world, "shown", nil))
	k.text = true
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.arrival.ctx == a.ctx {
		p.arrival.world, p.arrival.k = world, k
	}
}

// restLocked notes that the page has stopped loading.
func (a *arrival) restLocked() {
	if a.k == nil {
		return
	}
	select {
	case <-a.rests:
	default:
		close(a.rests)
	}
}

// introduced is [Page.Document] for a document that has arrived.
func (p *Page) introduced(ctx context.Context) (steps.Document, error) {
	p.mu.Lock()
	k, rests, w := p.arrival.k, p.arrival.rests, world{id: p.world, doc: steps.Document{ID: p.doc.id, URL: p.doc.url}}
	known := k != nil && w.id == p.arrival.world
	p.mu.Unlock()
	if !known {
		return p.Document(ctx)
	}
	select {
	case <-k.done:
	case <-ctx.Done():
	case <-rests: // a document that was opened anew by a script does not tell that it is shown
		again := p.call(ctx, w, "info", struct{}{})
		select {
		case <-k.done:
		case <-again.done:
			k = again
		}
	}
	var i info
	if err := p.answer(ctx, k, &i); err != nil || i.URL == "" {
		return p.Document(ctx)
	}
	w.doc.URL, w.doc.Title = i.URL, i.Title
	return w.doc, nil
}
