package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/wire"
)

type approveOptions struct {
	*factory
	ID     string
	Reason string // why the approval is denied
}

// byCommand is the name of the channel of the commands approve and deny.
const byCommand = "command"

func newApproveCmd(f *factory, runF func(context.Context, *approveOptions) error) *cobra.Command {
	o := &approveOptions{factory: f}
	return f.takes(&cobra.Command{
		Use:     "approve",
		Short:   "Answer an approval with yes, so that the run goes on",
		Example: "action approve qv5rj3n2l4xw7tkc6hz2mb5aye",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ID = args[0]
			return call(cmd, o, runF, runApprove)
		},
	}, approvalID)
}

func runApprove(ctx context.Context, o *approveOptions) error {
	return o.answer(ctx, &wire.ApprovalApproveRequest{Approval: o.ID, Channel: byCommand}, "approved")
}

func newDenyCmd(f *factory, runF func(context.Context, *approveOptions) error) *cobra.Command {
	o := &approveOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "deny",
		Short:   "Answer an approval with no, so that the run fails",
		Example: "action deny qv5rj3n2l4xw7tkc6hz2mb5aye --reason \"wrong customer\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ID = args[0]
			return call(cmd, o, runF, runDeny)
		},
	}
	addText(cmd.Flags(), &o.Reason, "reason", "TEXT", "Why, for the caller of the run.")
	return f.takes(cmd, approvalID)
}

func runDeny(ctx context.Context, o *approveOptions) error {
	return o.answer(ctx, &wire.ApprovalDenyRequest{Approval: o.ID, Channel: byCommand, Reason: o.Reason}, "denied")
}

// answer sends m, which approves or denies the approval, and prints the result. The argument to did
// is "approved" or "denied".
func (o *approveOptions) answer(ctx context.Context, m wire.Message, did string) error {
	raw, err := o.aboutApproval(ctx, o.ID, m)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(raw)
		return nil
	}
	var a approvals.Approval
	if err := json.Unmarshal(raw, &a); err != nil {
		return wire.BadPeer(err)
	}
	fmt.Fprintf(o.stdout, "%s %s\n", did, diag.Clean(a.Name()))
	return nil
}
