package browser

import (
	"context"
	"encoding/json"

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

// introduced is [Page.Document] for a document that has just arrived. It waits until the
// page has stopped loading, which follows the load event at once: told later, it would be
// taken for the end of the navigation that comes next. A document that a script has
// opened anew does not say that it is there, nor does one without scripts.
func (p *Page) introduced(ctx context.Context) (steps.Document, error) {
	var doc steps.Document
	var said *info
	err := p.until(ctx, "the page does not say that it is loaded", func() bool {
		doc, said = steps.Document{ID: p.doc.id}, p.doc.said
		return p.doc.rests
	})
	if err != nil || said == nil {
		return p.Document(ctx)
	}
	doc.URL, doc.Title = said.URL, said.Title
	return doc, nil
}
