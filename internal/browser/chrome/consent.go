package chrome

// What pages do by themselves while a policy requires approvals for it. Requests of documents are
// paused, and refused unless a consent covers them. The executor gives the consent before a step
// that a person has approved.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/driver"
)

// Guard sets what pages may not do from now on without a consent. Setting the same guard again
// sends nothing.
func (g *gate) Guard(ctx context.Context, guard rules.Guard) error {
	if !g.consents.Set(guard) || !g.rules.HoldDocuments(guard.LeaveOrigin || guard.Submit) {
		return nil
	}
	return g.holdRequests(ctx)
}

// Permit implements [driver.Consenter].
func (g *gate) Permit(_ context.Context, c driver.Consent) error {
	g.consents.Permit(c)
	return nil
}

// TakeUnapproved returns what pages have tried by themselves since the last call, and was refused.
func (g *gate) TakeUnapproved() []error { return g.consents.TakeUnapproved() }

// unapproved returns an error for the paused request of a document that nobody has approved.
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
		Form: rules.SendsForm(v, p.Moves.ByForm(v.FrameID)),
	})
}

// refuseUnapproved makes a document that nobody has approved fail. It reports whether it did.
func (p *Tab) refuseUnapproved(session string, v *proto.FetchRequestPaused) bool {
	err := p.unapproved(v)
	if err == nil {
		return false
	}
	if v.FrameID == p.Link.Frame {
		p.Moves.Deny(err)
	}
	p.gate.answer(session, v, rules.Fail(v, proto.NetworkErrorReasonAborted))
	return true
}
