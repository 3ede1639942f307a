package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
)

// newRootCmd returns the parent of all other commands.
func newRootCmd(f *factory) *cobra.Command {
	root := &cobra.Command{
		Use:           "action",
		Long:          "Run web actions by name in a real Chromium, the same way every time.",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return diag.New(diag.InvalidRequest, "found no command, expected one").WithHint(seeHelp)
		},
	}
	root.PersistentPreRun = func(*cobra.Command, []string) { f.json = f.globals.JSON }
	root.SetOut(f.stdout)
	root.SetErr(f.stderr)
	root.SetHelpFunc(f.showHelp)
	root.SetHelpCommand(&cobra.Command{Use: helpCommand, Hidden: true}) // --help replaces it
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return f.badFlag(cmd, err) })
	f.globals.addTo(root.PersistentFlags())
	return root
}

// helpCommand is the name of cobra's help command. Users cannot call it.
const helpCommand = "__help"

// parent returns a command that only has subcommands.
func (f *factory) parent(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(children...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return diag.New(diag.InvalidRequest, "found no subcommand, expected one of %s", strings.Join(childNames(cmd), ", ")).WithHint("%s", f.seeHelp(cmd))
	}
	return cmd
}

// call runs a command by calling the function do with its options. If runF is not nil, it calls
// runF instead, for tests.
func call[O any](cmd *cobra.Command, o *O, runF, do func(context.Context, *O) error) error {
	if runF != nil {
		do = runF
	}
	return do(cmd.Context(), o)
}
