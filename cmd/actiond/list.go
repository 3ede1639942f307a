package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/registry"
)

type listCmd struct {
	Namespace string `arg:"" optional:"" help:"Only this namespace."`
}

// Run prints the actions, and on standard error what kept others out.
func (c *listCmd) Run(ctx context.Context, a *app) error {
	defs, err := a.load(ctx)
	if err != nil {
		return err
	}
	items, err := defs.Registry.List(c.Namespace)
	if err != nil {
		return err
	}
	if a.json {
		a.writeJSON(map[string]any{"actions": nonNil(items), "problems": nonNil(defs.Problems)})
		return nil
	}
	rows := make([][]string, len(items))
	for i, item := range items {
		rows[i] = []string{item.Name, describeItem(item), item.Source}
	}
	table(a.stdout, rows)
	a.showProblems(defs)
	return nil
}

func describeItem(item registry.Item) string {
	text := item.Description
	if item.AliasOf != "" {
		text = "alias of " + item.AliasOf
	}
	if item.Deprecated {
		text = strings.TrimSpace("deprecated; " + text)
	}
	if len(item.Shadows) > 0 {
		text += fmt.Sprintf(" (replaces %s)", strings.Join(item.Shadows, ", "))
	}
	return text
}

// nonNil makes an empty list an empty JSON array.
func nonNil[S ~[]T, T any](s S) S {
	if s == nil {
		return S{}
	}
	return s
}

// showProblems tells what kept files or actions out of a list.
func (a *app) showProblems(defs *session.Definitions) {
	if len(defs.Problems) == 0 {
		return
	}
	a.printer.Source = func(file string) []byte {
		if slices.Contains(defs.Kept, file) { // what is wrong is in a newer text than that in use
			return readSource(file)
		}
		return defs.Source(file)
	}
	_ = a.printer.Print(a.stderr, defs.Problems)
}
