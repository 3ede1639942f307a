package chrome

// Refuses what pages do by themselves if a policy requires an approval for it. The requests of
// documents are paused, and refused unless a consent covers them. The executor gives the consent
// before a step that a person has approved.

import (
	"net/http"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/rules"
)

// unapproved returns an error if the paused request loads a document that needs an approval and has
// none.
func (p *Tab) unapproved(v *proto.FetchRequestPaused) error {
	if v.ResourceType != proto.NetworkResourceTypeDocument {
		return nil
	}
	from := p.Frames.ShownURL()
	if opener := p.opener; opener != nil && (from == "" || from == "about:blank") {
		from = opener.Frames.ShownURL()
	}
	return p.gate.consents.Document(rules.Move{
		From: from, To: v.Request.URL, Main: v.FrameID == p.Link.Frame,
		Form: rules.SendsForm(v, p.Moves.ByForm(v.FrameID)), Redirect: v.RedirectedRequestID != "",
		Post: v.Request.Method == http.MethodPost,
	})
}

// refused returns the call that refuses a paused request for an unapproved document. It returns nil
// if the request may continue.
func (p *Tab) refused(v *proto.FetchRequestPaused) proto.Request {
	err := p.unapproved(v)
	if err == nil {
		return nil
	}
	p.Moves.Deny(err)
	return rules.Fail(v, proto.NetworkErrorReasonAborted)
}
