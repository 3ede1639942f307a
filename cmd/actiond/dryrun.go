package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
)

func newDryRunCmd(f *factory, runF func(context.Context, *runOptions) error) *cobra.Command {
	return f.takesAction(&cobra.Command{
		Use:     "dry-run",
		Short:   "Show what a run would do, without a browser",
		Example: "action dry-run web:page:read --url http://example.test",
	}, &runOptions{factory: f}, runF, dryRunAction)
}

// dryRunAction prints the plan of a run. It uses no browser.
func dryRunAction(ctx context.Context, o *runOptions) error {
	const verb = "dry-run"
	o.readGlobals(o.Words)
	if wantsHelp(o.Words) {
		return helpOf(ctx, verb, o)
	}
	defs, err := o.load(ctx)
	if err != nil {
		return err
	}
	o.printer.Source = defs.Source
	d, err := defs.Describe(o.Action)
	if err != nil {
		return err
	}
	params, missing, err := o.complete(ctx, verb, d)
	if err != nil || missing != nil {
		o.missing = missing
		return err
	}
	plan := session.DryRun(ctx, defs, o.Action, session.RunOptions{
		Params: params, FromText: true, Cwd: o.cwd, Environ: o.environ,
	})
	if o.json {
		o.writeJSON(plan)
	} else {
		if plan.Error == nil {
			showPlan(o.stdout, plan)
		}
		for _, w := range plan.Warnings {
			fmt.Fprintf(o.stderr, "warning: %s\n", diag.Clean(w.Message))
		}
		if plan.Error != nil {
			_ = o.printer.Print(o.stderr, plan.Error)
		}
	}
	if plan.Error != nil {
		return errShown{plan.Error}
	}
	return nil
}

func showPlan(w io.Writer, p *executor.Plan) {
	fmt.Fprintf(w, "%s %s\n", p.Action, diag.Clean(diag.JSONText(p.Params)))
	if p.Approval != "" {
		fmt.Fprintf(w, "  approval %s\n", p.Approval)
	}
	showPlanSteps(w, p.Steps, "  ")
	for _, c := range p.Verify {
		text := c.Condition
		if text == "" {
			text = "wait " + diag.JSONText(c.Wait)
		}
		fmt.Fprintf(w, "  verify %s\n", diag.Clean(text))
	}
	if p.Returns != nil {
		fmt.Fprintf(w, "  returns %s\n", diag.Clean(diag.JSONText(p.Returns)))
	}
}

func showPlanSteps(w io.Writer, list []*executor.PlanStep, indent string) {
	for _, s := range list {
		text := fmt.Sprintf("%s%d %s", indent, s.Index, s.Action)
		if s.Decision != executor.WillRun {
			text += " [" + s.Decision + "]"
		}
		if s.Iteration != nil {
			text += fmt.Sprintf(" round %d", *s.Iteration)
		}
		if s.Run != "" {
			text += " " + s.Run
		}
		if len(s.Input) > 0 {
			text += " " + diag.JSONText(s.Input)
		}
		if s.Settle != "" {
			text += "  settles within " + s.Settle
		}
		if s.Expect != "" {
			text += "  expects " + s.Expect
		}
		if s.Approval != "" {
			text += "  approval " + s.Approval
		}
		if s.Busy != "" {
			text += "  busy: " + s.Busy
		}
		if s.When != "" {
			text += "  when " + s.When
		}
		if s.Output != "" {
			text += "  → " + s.Output
		}
		fmt.Fprintln(w, diag.Clean(text))
		showPlanSteps(w, s.Steps, indent+"  ")
		showPlanCases(w, s.Cases, indent+"  ")
		if len(s.Fallback) > 0 {
			fmt.Fprintln(w, indent+strings.Repeat(" ", 2)+"else")
			showPlanSteps(w, s.Fallback, indent+"    ")
		}
	}
}

func showPlanCases(w io.Writer, cases []*executor.PlanCase, indent string) {
	for _, c := range cases {
		text := indent + "if " + c.When
		if c.When == "" {
			text = indent + "otherwise"
		}
		if c.Decision != executor.WillRun {
			text += " [" + c.Decision + "]"
		}
		fmt.Fprintln(w, diag.Clean(text))
		showPlanSteps(w, c.Steps, indent+"  ")
	}
}
