package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

type describeOptions struct {
	*factory
	Action string // or a namespace
}

func newDescribeCmd(f *factory, runF func(context.Context, *describeOptions) error) *cobra.Command {
	o := &describeOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "describe",
		Short:   "Show the params, steps and sources of an action, or a namespace",
		Example: "action describe web:page:read\naction describe web",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Action = args[0]
			return call(cmd, o, runF, runDescribe)
		},
		ValidArgsFunction: f.completeDescribed,
	}
	return f.takes(cmd, positional{name: "action", doc: "Full name of the action, or the name of a namespace."})
}

// runDescribe describes an action, or a namespace.
func runDescribe(ctx context.Context, o *describeOptions) error {
	defs, err := o.load(ctx)
	if err != nil {
		return err
	}
	var d interface{ Text() string }
	if strings.Contains(o.Action, ":") { // only the name of an action contains a colon
		d, err = defs.Describe(o.Action)
	} else {
		d, err = defs.Registry.DescribeNamespace(o.Action)
	}
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(d)
		return nil
	}
	_, _ = io.WriteString(o.stdout, d.Text()) // the client or the reader may have exited
	return nil
}
