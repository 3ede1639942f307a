package main

import (
	"context"
	"fmt"
	"strings"
)

type searchCmd struct {
	Words []string `arg:"" help:"Words to look for in names, descriptions and params."`
	Limit int      `default:"20" help:"Show at most so many; 0 shows all."`
}

// Run prints the matching actions, best first.
func (c *searchCmd) Run(ctx context.Context, a *app) error {
	defs, err := a.load(ctx)
	if err != nil {
		return err
	}
	hits := defs.Registry.Search(strings.Join(c.Words, " "), c.Limit)
	if a.json {
		a.writeJSON(map[string]any{"actions": nonNil(hits)})
		return nil
	}
	if len(hits) == 0 {
		fmt.Fprintln(a.stderr, "no action matches; see all with: action list")
	}
	rows := make([][]string, len(hits))
	for i, h := range hits {
		rows[i] = []string{h.Name, describeItem(h.Item), h.Source}
	}
	table(a.stdout, rows)
	return nil
}
