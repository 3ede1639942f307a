package browser

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/driver"
)

// arrivalBinding is a function of the engine's world, invisible to the page. The engine
// calls it when the page's load event is over, so that address and title come with that
// event and need not be queried from a page that is drawing its first frame then.
const arrivalBinding = "__arrived"

func bindArrival() proto.RuntimeAddBinding {
	return proto.RuntimeAddBinding{Name: arrivalBinding, ExecutionContextName: engine.World}
}

// A saying is what a document has reported about itself with its load event.
type saying struct {
	info
	at time.Time
}

// bindingCalled stores what the current document reports about itself.
func (p *Tab) bindingCalled(v *proto.RuntimeBindingCalled) {
	s := saying{at: time.Now()}
	if v.Name == arrivalBinding && int(v.ExecutionContextID) == p.number && json.Unmarshal([]byte(v.Payload), &s.info) == nil {
		p.doc.said = &s
	}
}

// introduced is [Page.Document] for a document that has just arrived. One that a script has
// reopened does not report its arrival, nor does one without scripts: they are queried.
func (p *Tab) introduced(ctx context.Context) (driver.Document, error) {
	var doc document
	err := p.until(ctx, "the page does not say that it is loaded", func() bool {
		if doc.id == "" {
			doc = p.doc
		}
		if doc.id != p.doc.id { // it has been replaced
			return true
		}
		doc = p.doc
		return doc.said != nil || doc.rests
	})
	if err != nil || doc.said == nil {
		return p.Document(ctx)
	}
	return driver.Document{ID: doc.id, URL: doc.said.URL, Title: doc.said.Title, Status: doc.status}, nil
}

// restTime is how long a document may take from its load event until it has stopped
// loading. Most have stopped when they have drawn their first frame, but not one that is
// loading something else by then.
const restTime = 200 * time.Millisecond

// rest waits until a document that has just arrived has stopped loading. If that were
// reported later, it would look like the end of the next navigation. For documents of
// Page.navigate more is known.
func (p *Tab) rest(ctx context.Context) error {
	return p.untilQuiet(ctx, "the page does not come to rest", func() (bool, time.Duration) {
		if p.doc.rests || p.doc.said == nil {
			return true, 0
		}
		left := restTime - time.Since(p.doc.said.at)
		return left <= 0, left
	})
}
