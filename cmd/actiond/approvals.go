package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

type approvalsOptions struct {
	*factory
	ID  string // "" lists them
	All bool
}

// approvalID is the id of an approval as an argument.
var approvalID = positional{name: "id", doc: "Id of the approval, as printed by: action approvals."}

func newApprovalsCmd(f *factory, runF func(context.Context, *approvalsOptions) error) *cobra.Command {
	o := &approvalsOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "approvals",
		Short:   "List the approvals that runs wait for, or show one",
		Example: "action approvals\naction approvals --all --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.ID = args[0]
			}
			return call(cmd, o, runF, runApprovals)
		},
	}
	addBool(cmd.Flags(), &o.All, "all", "Include approvals that ended in the last 5 minutes, with the results of their runs.")
	id := approvalID
	id.optional = true
	return f.takes(cmd, id)
}

// runApprovals lists the approvals of all processes of this user, or prints one approval.
func runApprovals(ctx context.Context, o *approvalsOptions) error {
	if o.ID != "" {
		raw, err := o.aboutApproval(ctx, o.ID, &wire.ApprovalGetRequest{Approval: o.ID, Picture: o.json})
		if err != nil {
			return err
		}
		return o.showApprovals([]json.RawMessage{raw}, raw)
	}
	list := []json.RawMessage{}
	err := o.eachServer(ctx, func(c *client.Client) error {
		var more wire.Approvals
		reply, err := c.Call(ctx, &wire.ApprovalListRequest{All: o.All})
		if err == nil {
			err = reply.Decode(&more)
		}
		list = append(list, more.Approvals...)
		return err
	})
	if err != nil {
		return o.interrupted(ctx, err)
	}
	return o.showApprovals(list, map[string]any{"approvals": list})
}

// showApprovals prints a list of approvals as text. With --json, it prints the value of whole
// instead.
func (f *factory) showApprovals(list []json.RawMessage, whole any) error {
	if f.json {
		f.writeJSON(whole)
		return nil
	}
	for _, raw := range list {
		var a approvals.Approval
		if err := json.Unmarshal(raw, &a); err != nil {
			return wire.BadPeer(err)
		}
		fmt.Fprint(f.stdout, a.Text())
	}
	return nil
}

// aboutApproval sends the request m to the process that has the approval, and returns the answer.
func (f *factory) aboutApproval(ctx context.Context, id string, m wire.Message) (answer json.RawMessage, err error) {
	var last error = approvals.Unknown(id)
	err = f.eachServer(ctx, func(c *client.Client) error {
		if answer != nil {
			return nil
		}
		reply, err := c.Call(ctx, m)
		switch e := diag.As(err); {
		case err == nil:
			answer = reply.Data
		case e != nil && e.Details["state"] == "unknown":
		case e != nil && e.Code == diag.InvalidRequest, diag.CodeOf(err) == diag.PolicyDenied:
			last = err
		default:
			return err
		}
		return nil
	})
	if err == nil && answer == nil {
		err = last
	}
	return answer, f.interrupted(ctx, err)
}

// eachServer connects to each process of this user that may have sessions or approvals, and calls
// the function do. These processes are the daemon, mcp, serve --no-daemon, and other commands with
// --no-daemon that wait for an approval. Processes that have ended are skipped.
func (f *factory) eachServer(ctx context.Context, do func(*client.Client) error) error {
	shared := endpoint.Path(nil)
	paths := []string{shared}
	for _, pattern := range []string{filepath.Join("mcp-*", "socket"), filepath.Join("serve-*", "socket"), approvalSockets} {
		more, _ := filepath.Glob(filepath.Join(filepath.Dir(shared), pattern)) // fails only for a bad pattern
		paths = append(paths, more...)
	}
	for _, path := range paths {
		c, err := client.Dial(ctx, path)
		if wire.IsNoDaemon(err) {
			continue
		}
		if err != nil {
			return err
		}
		c.Bound(f.patience())
		err = do(c)
		_ = c.Close()
		if err != nil && diag.CodeOf(err) == diag.BrowserUnavailable && !listens(ctx, path) {
			continue // it has just ended
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listens reports whether a process still accepts connections at a path.
func listens(ctx context.Context, path string) bool {
	c, err := client.Dial(ctx, path)
	if err == nil {
		_ = c.Close()
	}
	return !wire.IsNoDaemon(err)
}
