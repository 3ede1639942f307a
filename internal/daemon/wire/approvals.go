package wire

import "encoding/json"

// The messages about approvals.

// An ApprovalListRequest lists the approvals. Its reply is Approvals.
type ApprovalListRequest struct {
	All bool `json:"all,omitempty"`
}

// An ApprovalGetRequest describes one approval. Its reply is an approvals.Approval, which has a
// picture only if Picture is set.
type ApprovalGetRequest struct {
	Approval string `json:"approval" wire:"required"`
	Picture  bool   `json:"picture,omitempty"`
}

// An ApprovalApproveRequest allows an action that waits for a person's approval.
type ApprovalApproveRequest struct {
	Approval string `json:"approval" wire:"required"`
	Channel  string `json:"channel,omitempty" wire:"one-of=socket|command|terminal|http|console|mcp"`
}

// An ApprovalDenyRequest refuses an action that waits for a person's approval.
type ApprovalDenyRequest struct {
	Approval string `json:"approval" wire:"required"`
	Channel  string `json:"channel,omitempty" wire:"one-of=socket|command|terminal|http|console|mcp"`
	Reason   string `json:"reason,omitempty"`
}

func (*ApprovalListRequest) Type() string    { return "approval.list" }
func (*ApprovalGetRequest) Type() string     { return "approval.get" }
func (*ApprovalApproveRequest) Type() string { return "approval.approve" }
func (*ApprovalDenyRequest) Type() string    { return "approval.deny" }

// Approvals is the data of the reply to approval.list.
type Approvals struct {
	Approvals []json.RawMessage `json:"approvals"`
}

// Names of the events about approvals. The daemon sends them to every client of a run.
const (
	EventApproval      = "approval_required" // data is an ApprovalEvent, with all fields of the approval
	EventApprovalEnded = "approval_ended"    // likewise
)

// An ApprovalEvent is the data of an event about an approval. It omits the fields that clients do
// not need.
type ApprovalEvent struct {
	ID    string `json:"id"`
	State string `json:"state"`
	Text  string `json:"text"` // for people
	// Terminal is set if a person may answer at the terminal of the client.
	Terminal bool `json:"terminal"`
}
