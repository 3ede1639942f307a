package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/registry"
)

type describeOptions struct {
	*factory
	Action string // or a namespace
}

func newDescribeCmd(f *factory, runF func(context.Context, *describeOptions) error) *cobra.Command {
	o := &describeOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "describe",
		Short:   "Show an action: params, steps, where each part comes from; or a namespace",
		Example: "action describe web:page:read\naction describe web",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Action = args[0]
			return call(cmd, o, runF, runDescribe)
		},
		ValidArgsFunction: f.completeDescribed,
	}
	return f.takes(cmd, place{name: "action", doc: "Full name of the action, or the name of a namespace."})
}

// runDescribe prints everything there is to say about an action, or a namespace.
func runDescribe(ctx context.Context, o *describeOptions) error {
	defs, err := o.load(ctx)
	if err != nil {
		return err
	}
	if !strings.Contains(o.Action, ":") { // an action's name has three parts
		return showNamespace(o, defs.Registry)
	}
	d, err := defs.Describe(o.Action)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(d)
		return nil
	}
	describe(o.stdout, d)
	return nil
}

func showNamespace(o *describeOptions, r *registry.Registry) error {
	d, err := r.DescribeNamespace(o.Action)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(d)
		return nil
	}
	line := func(format string, args ...any) { fmt.Fprintln(o.stdout, diag.Clean(fmt.Sprintf(format, args...))) }
	line("%s  (%s)", d.Name, strings.TrimSpace(d.Source+" "+d.Version))
	if d.Description != "" {
		line("  %s", d.Description)
	}
	if len(d.Env) > 0 {
		line("  may read %s", strings.Join(d.Env, ", "))
	}
	if len(d.Sources) > 1 {
		line("  merged from %s", strings.Join(d.Sources, ", "))
	}
	line("%s", plural(d.Count, "action"))
	rows := make([][]string, len(d.Actions))
	for i, item := range d.Actions {
		rows[i] = []string{"  " + item.Name, describeItem(item)}
	}
	table(o.stdout, rows)
	return nil
}

func describe(w io.Writer, d *registry.Description) {
	line := func(format string, args ...any) { fmt.Fprintln(w, diag.Clean(fmt.Sprintf(format, args...))) }
	line("%s  (%s %s)", d.Name, d.Source, d.Version)
	if d.Description != "" {
		line("  %s", d.Description)
	}
	if d.AliasOf != "" {
		line("  alias of %s", d.AliasOf)
	}
	if d.Deprecated {
		line("  deprecated: %s", d.DeprecatedMessage)
	}
	if d.MinVersion != "" || d.MaxVersion != "" {
		line("  for versions %s to %s of the page's library", orDash(d.MinVersion), orDash(d.MaxVersion))
	}
	if len(d.Env) > 0 {
		line("  reads %s", strings.Join(d.Env, ", "))
	}
	if len(d.Params) > 0 {
		fmt.Fprintln(w, "params")
		var rows [][]string
		for _, p := range d.Params {
			rows = append(rows, []string{"  --" + strings.ReplaceAll(p.Name, "_", "-"), p.Type, paramNote(p)})
		}
		table(w, rows)
	}
	if len(d.Steps) > 0 {
		fmt.Fprintln(w, "steps")
		describeSteps(w, d.Steps, "  ")
	}
	for _, v := range d.Verify {
		line("verify  %s", v)
	}
	if d.Returns != nil {
		line("returns  %s", jsonText(d.Returns))
	}
	for _, s := range d.Selectors {
		line("selector %s  %s  (%s)", s.Name, strings.Join(append([]string{s.Primary}, s.Fallback...), ", else "), s.Position)
	}
	for _, o := range d.VersionOverrides {
		line("version %s  other %s", o.Pattern, strings.Join(append(o.Selectors, o.Replaces...), ", "))
	}
	fmt.Fprintln(w, "parts")
	var rows [][]string
	for _, p := range d.Parts {
		rows = append(rows, []string{"  " + p.Name, p.Position.String()})
	}
	table(w, rows)
	for _, pos := range d.Shadows {
		line("replaces  %s", pos)
	}
}

func paramNote(p registry.Param) string {
	note := p.Description
	if len(p.Values) > 0 {
		note += " " + jsonText(p.Values)
	}
	if p.Required {
		note += " [required]"
	}
	if p.Default != nil {
		note += " [default " + jsonText(p.Default) + "]"
	}
	if p.Secret {
		note += " [secret]"
	}
	return strings.TrimSpace(note)
}

func describeSteps(w io.Writer, list []registry.Step, indent string) {
	for _, s := range list {
		text := indent + s.Action
		if s.Args != nil {
			text += " " + jsonText(s.Args)
		}
		if s.When != "" {
			text += "  when " + s.When
		}
		if s.Output != "" {
			text += "  → " + s.Output
		}
		fmt.Fprintln(w, diag.Clean(text))
		describeSteps(w, s.Steps, indent+"  ")
		if len(s.Fallback) > 0 {
			fmt.Fprintln(w, indent+"  else")
			describeSteps(w, s.Fallback, indent+"    ")
		}
	}
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
