package browser

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/steps"
)

// arrivalBinding is a function of the engine's world, which nothing of the page sees. The
// engine calls it when the load event of the page is over: so that address and title
// come with that event, and are not asked of a page that draws its first frame by then.
const arrivalBinding = "__arrived"

func bindArrival() proto.RuntimeAddBinding {
	return proto.RuntimeAddBinding{Name: arrivalBinding, ExecutionContextName: worldName}
}

// bindingCalled keeps what the current document has said of itself.
func (p *Page) bindingCalled(v *proto.RuntimeBindingCalled) {
	var i info
	if v.Name == arrivalBinding && int(v.ExecutionContextID) == p.number && json.Unmarshal([]byte(v.Payload), &i) == nil {
		p.doc.said = &i
	}
}

// restTime is how long after it has said so a page may go on with its load event before
// it is asked all the same.
const restTime = 20 * time.Millisecond

// introduced is [Page.Document] for a document that has just arrived. It waits until the
// page has stopped loading, which follows the load event at once: told later, it would be
// taken for the end of the navigation that comes next. Where it does not follow, for the
// page has begun to load something else with the event, the page is asked; and so is one
// that a script has opened anew, and one without scripts, which do not say that they are
// there.
func (p *Page) introduced(ctx context.Context) (steps.Document, error) {
	var doc document
	var since time.Time // when it was found to have said so
	err := p.untilQuiet(ctx, "the page does not say that it is loaded", func() (bool, time.Duration) {
		switch {
		case doc.id == "":
			doc = p.doc
		case doc.id != p.doc.id: // it has been replaced
			doc.said = nil
			return true, 0
		}
		doc = p.doc
		if doc.rests || doc.said == nil {
			return doc.rests, 0
		}
		if since.IsZero() {
			since = time.Now()
		}
		left := restTime - time.Since(since)
		return left <= 0, left
	})
	if err != nil || doc.said == nil || !doc.rests {
		return p.Document(ctx)
	}
	return steps.Document{ID: doc.id, URL: doc.said.URL, Title: doc.said.Title}, nil
}
