package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
)

type searchOptions struct {
	*factory
	Words []string
	Limit int // 0 means no limit
}

func newSearchCmd(f *factory, runF func(context.Context, *searchOptions) error) *cobra.Command {
	o := &searchOptions{factory: f, Limit: 20}
	cmd := &cobra.Command{
		Use:     "search",
		Short:   "Search for actions",
		Example: "action search sign in --limit 5",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Words = args
			return call(cmd, o, runF, runSearch)
		},
	}
	cmd.Flags().Var((*countValue)(&o.Limit), "limit", "Maximum number of results; 0 shows all; default 20.")
	return f.takes(cmd, positional{name: "words", doc: "Words to search for in names, descriptions and params.", many: true})
}

// runSearch prints the matching actions, best first.
func runSearch(ctx context.Context, o *searchOptions) error {
	defs, err := o.load(ctx)
	if err != nil {
		return err
	}
	hits := defs.Registry.Search(strings.Join(o.Words, " "), o.Limit)
	if o.json {
		o.writeJSON(map[string]any{"actions": nonNil(hits)})
		return nil
	}
	if len(hits) == 0 {
		fmt.Fprintln(o.stderr, "no action matches; list all with: action list")
	}
	rows := make([][]string, len(hits))
	for i, h := range hits {
		rows[i] = []string{h.Name, h.About(), h.Source}
	}
	diag.Table(o.stdout, rows)
	return nil
}
