package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"
)

//go:embed skill.md
var skillText string

type skillOptions struct{ *factory }

func newSkillCmd(f *factory, runF func(context.Context, *skillOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:     "skill",
		Short:   "Print a SKILL.md for agents that use the command line",
		Example: "action skill > .claude/skills/action/SKILL.md",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &skillOptions{f}, runF, runSkill)
		},
	})
}

// runSkill prints the text that teaches an agent the command line.
func runSkill(_ context.Context, o *skillOptions) error {
	if o.json {
		o.writeJSON(map[string]string{"skill": skillText})
		return nil
	}
	fmt.Fprint(o.stdout, skillText)
	return nil
}
