package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/registry"
)

type listOptions struct {
	*factory
	Namespace  string // "" means all
	Namespaces bool   // list namespaces instead of actions
}

func newListCmd(f *factory, runF func(context.Context, *listOptions) error) *cobra.Command {
	o := &listOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the available actions",
		Example: "action list\naction list web --json\naction list --namespaces",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Namespace = args[0]
			}
			return call(cmd, o, runF, runList)
		},
		ValidArgsFunction: f.completeNamespaces,
	}
	addBool(cmd.Flags(), &o.Namespaces, "namespaces", "List namespaces instead, with version, number of actions, description and source.")
	return f.takes(cmd, positional{name: "namespace", doc: "Only this namespace.", optional: true})
}

// runList prints the actions. Problems that keep files or actions out of the list are printed on
// standard error.
func runList(ctx context.Context, o *listOptions) error {
	defs, err := o.load(ctx)
	if err != nil {
		return err
	}
	if o.Namespaces {
		return listNamespaces(o, defs)
	}
	items, err := defs.Registry.List(o.Namespace)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(map[string]any{"actions": nonNil(items), "problems": nonNil(defs.Problems)})
		return nil
	}
	rows := make([][]string, len(items))
	for i, item := range items {
		rows[i] = []string{item.Name, item.About(), item.Source}
	}
	diag.Table(o.stdout, rows)
	o.showProblems(defs)
	return nil
}

// listNamespaces prints all namespaces, or the named one.
func listNamespaces(o *listOptions, defs *definitions.Set) error {
	items := defs.Registry.Summaries()
	if o.Namespace != "" {
		d, err := defs.Registry.DescribeNamespace(o.Namespace)
		if err != nil {
			return err
		}
		items = []registry.Summary{d.Summary}
	}
	if o.json {
		o.writeJSON(map[string]any{"namespaces": items, "problems": nonNil(defs.Problems)})
		return nil
	}
	rows := make([][]string, len(items))
	for i, ns := range items {
		rows[i] = []string{ns.Name, cmp.Or(ns.Version, "–"), diag.Plural(ns.Count, "action"), ns.Description, ns.Source}
	}
	diag.Table(o.stdout, rows)
	o.showProblems(defs)
	return nil
}

// nonNil returns list, or an empty list instead of nil, so that its JSON is an array.
func nonNil[S ~[]T, T any](s S) S {
	if s == nil {
		return S{}
	}
	return s
}

// showProblems prints the problems that keep files or actions out of a list.
func (f *factory) showProblems(defs *definitions.Set) {
	if len(defs.Problems) == 0 {
		return
	}
	f.printer.Source = func(file string) []byte {
		if slices.Contains(defs.Kept, file) { // the problem is in a newer version of the file than the one in use
			return readSource(file)
		}
		return defs.Source(file)
	}
	_ = f.printer.Print(f.stderr, defs.Problems)
}
