package chrome

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/driver"
)

// arrivalBinding is a function of the engine's world, invisible to the page. The engine calls it
// when the page's load event is over. The address and title thus arrive with that event and need
// not be queried while the page draws its first frame.
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
func (t *tree) bindingCalled(v *proto.RuntimeBindingCalled) {
	s := saying{at: time.Now()}
	if v.Name == arrivalBinding && int(v.ExecutionContextID) == t.number && json.Unmarshal([]byte(v.Payload), &s.info) == nil {
		t.doc.said = &s
	}
}

// introduced is [Tab.Document] for a document that has just loaded. It queries a document that
// does not report its load event: one reopened by a script, or one without scripts.
func (ws *Worlds) introduced(ctx context.Context) (driver.Document, error) {
	var doc document
	err := ws.frames.Until(ctx, "the page does not report that it is loaded", func() bool {
		if doc.id == "" {
			doc = ws.frames.doc
		}
		if doc.id != ws.frames.doc.id { // replaced meanwhile
			return true
		}
		doc = ws.frames.doc
		return doc.said != nil || doc.rests
	})
	if err != nil || doc.said == nil {
		return ws.Document(ctx)
	}
	return driver.Document{ID: doc.id, URL: doc.said.URL, Title: doc.said.Title, Status: doc.status}, nil
}

// restTime is how long a document may take from its load event until it has stopped loading. Most
// have stopped by their first frame, unless they are loading something else by then.
const restTime = 200 * time.Millisecond

// rest waits until a document that has just loaded has stopped loading. Reported later, that
// would look like the end of the next navigation. Documents of Page.navigate need no such wait:
// more is known about them.
func (ws *Worlds) rest(ctx context.Context) error {
	return ws.frames.UntilQuiet(ctx, "the page does not come to rest", func() (bool, time.Duration) {
		if ws.frames.doc.rests || ws.frames.doc.said == nil {
			return true, 0
		}
		left := restTime - time.Since(ws.frames.doc.said.at)
		return left <= 0, left
	})
}
