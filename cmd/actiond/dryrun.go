package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
)

type dryRunCmd struct{ call }

// Run prints the plan of a run. It never touches a browser.
func (c *dryRunCmd) Run(ctx context.Context, a *app) error {
	a.readGlobals()
	defs, err := a.load(ctx)
	if err != nil {
		return err
	}
	a.printer.Source = defs.Source
	d, err := defs.Describe(c.Action)
	if err != nil {
		return err
	}
	params, helped, _, err := a.parseParams(ctx, "dry-run "+c.Action, d, a.rest)
	if helped || err != nil {
		return err
	}
	plan := defs.DryRun(ctx, c.Action, session.RunOptions{
		Params: params, FromText: true, Cwd: a.cwd, Environ: a.environ,
	})
	if a.json {
		a.writeJSON(plan)
	} else {
		if plan.Error == nil {
			showPlan(a.stdout, plan)
		}
		for _, w := range plan.Warnings {
			fmt.Fprintf(a.stderr, "warning: %s\n", diag.Clean(w.Message))
		}
		if plan.Error != nil {
			_ = a.printer.Print(a.stderr, plan.Error)
		}
	}
	if plan.Error != nil {
		return errShown{plan.Error}
	}
	return nil
}

func showPlan(w io.Writer, p *executor.Plan) {
	fmt.Fprintf(w, "%s %s\n", p.Action, diag.Clean(jsonText(p.Params)))
	showPlanSteps(w, p.Steps, "  ")
	for _, c := range p.Verify {
		text := c.Condition
		if text == "" {
			text = "wait " + jsonText(c.Wait)
		}
		fmt.Fprintf(w, "  verify %s\n", diag.Clean(text))
	}
	if p.Returns != nil {
		fmt.Fprintf(w, "  returns %s\n", diag.Clean(jsonText(p.Returns)))
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
			text += " " + jsonText(s.Input)
		}
		if s.When != "" {
			text += "  when " + s.When
		}
		if s.Output != "" {
			text += "  → " + s.Output
		}
		fmt.Fprintln(w, diag.Clean(text))
		showPlanSteps(w, s.Steps, indent+"  ")
		if len(s.Fallback) > 0 {
			fmt.Fprintln(w, indent+strings.Repeat(" ", 2)+"else")
			showPlanSteps(w, s.Fallback, indent+"    ")
		}
	}
}
