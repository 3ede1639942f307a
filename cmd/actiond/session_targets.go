package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
)

type sessionTargetsOptions struct{ *factory }

func newSessionTargetsCmd(f *factory, runF func(context.Context, *sessionTargetsOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:     "targets",
		Short:   "List the tabs of a running browser (--cdp)",
		Example: "action session targets --cdp 9222",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &sessionTargetsOptions{f}, runF, runSessionTargets)
		},
	})
}

// A targetData is the output for one tab of a running browser.
type targetData struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// runSessionTargets lists the tabs of a running browser. It needs no session.
func runSessionTargets(ctx context.Context, o *sessionTargetsOptions) error {
	c := o.call()
	c.CDP = o.globals.CDP
	list, err := o.manager().Targets(ctx, c)
	if err != nil {
		return o.interrupted(ctx, err)
	}
	data, rows := make([]targetData, len(list)), make([][]string, len(list))
	for i, t := range list {
		data[i] = targetData(t)
		rows[i] = []string{t.ID, t.Type, t.URL, t.Title}
	}
	if o.json {
		o.writeJSON(map[string]any{"targets": data})
		return nil
	}
	diag.Table(o.stdout, rows)
	return nil
}
