package ops

// The operations about approvals.

import (
	"cmp"
	"context"
	"encoding/base64"
	"os"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/wire"
)

const approvalPath = "/api/v1/approvals"

func approvalOps() []*Operation {
	return []*Operation{
		Define(Operation{
			Doc:   "Lists the approvals that runs wait for; with `all`, also those that ended in the last 5 minutes.",
			Scope: Read, Class: Instant, HTTP: Route{Method: "GET", Path: approvalPath},
		}, func(_ context.Context, c *Call, m *wire.ApprovalListRequest) (*Approvals, error) {
			return &Approvals{nonNil(c.Backend.Approvals().List(m.All))}, nil
		}),
		Define(Operation{
			Doc:   "Describes an approval.",
			More:  "Approvals that have ended are kept for 5 minutes.",
			Scope: Read, Class: Instant, HTTP: Route{Method: "GET", Path: approvalPath + "/{approval}"},
		}, func(_ context.Context, c *Call, m *wire.ApprovalGetRequest) (*Approval, error) {
			a, err := c.Backend.Approvals().Get(m.Approval)
			if err != nil {
				return nil, err
			}
			one := &Approval{Approval: a}
			if m.Picture {
				one.Picture = base64.StdEncoding.EncodeToString(c.Backend.Approvals().Picture(m.Approval))
			}
			return one, nil
		}),
		Define(Operation{
			Doc:   "Answers an approval with yes: the run that waits for it goes on.",
			More:  answerMore,
			Scope: Admin, Class: Instant, Effects: true, HTTP: Route{Method: "POST", Path: approvalPath + "/{approval}/approve"},
		}, func(_ context.Context, c *Call, m *wire.ApprovalApproveRequest) (*approvals.Approval, error) {
			return c.answer(m.Approval, m.Channel, approvals.Reply{Yes: true})
		}),
		Define(Operation{
			Doc:   "Answers an approval with no: the run that waits for it fails with `POLICY_DENIED`.",
			More:  answerMore,
			Scope: Admin, Class: Instant, Effects: true, HTTP: Route{Method: "POST", Path: approvalPath + "/{approval}/deny"},
		}, func(_ context.Context, c *Call, m *wire.ApprovalDenyRequest) (*approvals.Approval, error) {
			return c.answer(m.Approval, m.Channel, approvals.Reply{Reason: m.Reason})
		}),
	}
}

const answerMore = "An approval is answered once; later answers are `INVALID_REQUEST`. The connection of the run cannot answer, " +
	"except for its user at a terminal."

// Approvals is the result of approval.list.
type Approvals struct {
	Approvals []approvals.Approval `json:"approvals"`
}

// Approval is the result of approval.get.
type Approval struct {
	approvals.Approval
	Picture string `json:"picture,omitempty"` // base64; only if the request wants it
}

// answer answers an approval. channel is the channel of the answer; "" means the socket.
func (c *Call) answer(id, channel string, r approvals.Reply) (*approvals.Approval, error) {
	r.Channel, r.UID, r.From = cmp.Or(channel, approvals.BySocket), os.Geteuid(), c.Host.Caller()
	if r.Channel == approvals.ByTerminal && !c.Host.AtTerminal() {
		return nil, diag.New(diag.PolicyDenied, "found an answer over the channel \"terminal\" from a client that has no terminal").WithDetail("reason", "channel").
			WithHint("answer with: action approve %s", diag.Clip(id, 60))
	}
	a, err := c.Backend.Approvals().Answer(id, r)
	if err != nil {
		return nil, err
	}
	return &a, nil
}
