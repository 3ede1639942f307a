package main

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps"
)

// We use our own scripts because cobra's evaluate the words of the command line as shell code.
// The scripts use cobra's protocol.

//go:embed completion.bash
var completionBash string

//go:embed completion.zsh
var completionZsh string

//go:embed completion.fish
var completionFish string

var shells = []string{"bash", "zsh", "fish"}

type completionOptions struct {
	*factory
	Shell string
}

func newCompletionCmd(f *factory, runF func(context.Context, *completionOptions) error) *cobra.Command {
	o := &completionOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "completion",
		Short:   "Print the completion script for a shell",
		Example: "source <(action completion bash)",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Shell = args[0]
			return call(cmd, o, runF, runCompletion)
		},
		ValidArgs: shells,
	}
	return f.takes(cmd, positional{name: "shell", doc: "bash, zsh or fish.", never: true})
}

// runCompletion prints the completion script of a shell.
func runCompletion(_ context.Context, o *completionOptions) error {
	script, ok := map[string]string{"bash": completionBash, "zsh": completionZsh, "fish": completionFish}[o.Shell]
	if !ok {
		return diag.New(diag.InvalidRequest, "found an unknown <shell>, expected one of %s", strings.Join(shells, ", ")).WithHint("see: action completion --help")
	}
	if o.json {
		o.writeJSON(map[string]string{"shell": o.Shell, "script": script})
		return nil
	}
	_, err := fmt.Fprint(o.stdout, script)
	return err
}

// candidate formats a completion and its description.
func candidate(name, about string) string {
	about, _, _ = strings.Cut(about, "\n")
	if about = diag.Clean(strings.ReplaceAll(about, "\t", " ")); about != "" {
		about = "\t" + about
	}
	return diag.Clean(name) + about
}

// completeFlag sets the function that completes the value of a flag. It must not be called in the
// daemon, because cobra keeps the function until the process ends.
func (f *factory) completeFlag(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(name, complete) // it fails only for an unknown flag or a second registration
}

// oneOf returns a completion from a list. If the list is empty, it completes file names.
func oneOf(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(values) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return beginning(values, last), cobra.ShellCompDirectiveNoFileComp
	}
}

// beginning returns the candidates that begin with the typed text.
func beginning(candidates []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return !strings.HasPrefix(c, typed) })
}

// completeStep completes the arguments of a step: verbs, the values of a fixed set, and file names.
func completeStep(f *factory, cmd *cobra.Command, c stepCommand, inPlace []string) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if v, ok := flag.Value.(*argValue); ok {
			f.completeFlag(cmd, flag.Name, oneOf(v.arg.Values))
		}
	})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(inPlace) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var candidates []string
		arg := c.entry.Arg(inPlace[len(args)])
		if arg.Name == steps.VerbArg {
			for _, v := range c.entry.Verbs {
				candidates = append(candidates, candidate(v.Name, v.Doc))
			}
		} else {
			candidates = arg.Values
		}
		if slices.Contains([]string{"path", "files"}, arg.Name) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return beginning(candidates, last), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeActions completes the name of an action.
func (f *factory) completeActions(cmd *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defs, err := f.load(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	items, _ := defs.Registry.List("") // "" cannot be unknown
	var candidates []string
	for _, item := range items {
		candidates = append(candidates, candidate(item.Name, item.Description))
	}
	return beginning(candidates, last), cobra.ShellCompDirectiveNoFileComp
}

// completeNamespaces completes the name of a namespace.
func (f *factory) completeNamespaces(cmd *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defs, err := f.load(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var candidates []string
	for _, ns := range defs.Registry.Namespaces() {
		candidates = append(candidates, candidate(ns.Name, ns.Description))
	}
	return beginning(candidates, last), cobra.ShellCompDirectiveNoFileComp
}

// completeDescribed completes the name of an action or a namespace.
func (f *factory) completeDescribed(cmd *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
	actions, directive := f.completeActions(cmd, args, last)
	namespaces, _ := f.completeNamespaces(cmd, args, last)
	return append(actions, namespaces...), directive
}

// completionTime is how long completion waits for the daemon to list its sessions. It is short,
// because the user is waiting.
const completionTime = time.Second

// completeSessions completes the name of a session. It does not start a daemon.
func (f *factory) completeSessions(cmd *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	daemon, err := f.dial(ctx)
	if err != nil || daemon == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer daemon.Close()
	var list struct {
		Sessions []wire.Session `json:"sessions"`
	}
	reply, err := daemon.Call(ctx, &wire.SessionListRequest{})
	if err != nil || reply.Decode(&list) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var candidates []string
	for _, s := range list.Sessions {
		candidates = append(candidates, candidate(s.Name, s.URL))
	}
	return beginning(candidates, last), cobra.ShellCompDirectiveNoFileComp
}
