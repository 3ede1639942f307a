package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// An ownCommand is a command that is not a step.
type ownCommand struct {
	name  string
	route wire.Route // the process that runs it
	new   func(f *factory) *cobra.Command
}

// ownCommands lists the commands in the order of the help. To add a command, write its file, add
// a row here, and add its name to internal/daemon/wire/words.go unless its route is DaemonAlways.
// The client finds the route in that list, and a test compares the two.
func ownCommands() []ownCommand {
	return []ownCommand{
		{"list", wire.DaemonIfRunning, constructor(newListCmd)},
		{"describe", wire.DaemonIfRunning, constructor(newDescribeCmd)},
		{"search", wire.DaemonIfRunning, constructor(newSearchCmd)},
		{"run", wire.DaemonAlways, constructor(newRunCmd)},
		{"dry-run", wire.DaemonIfRunning, constructor(newDryRunCmd)},
		{"debug", wire.DaemonAlways, constructor(newDebugCmd)},
		{"validate", wire.OwnProcess, constructor(newValidateCmd)},
		{"fmt", wire.OwnProcess, constructor(newFmtCmd)},
		{"schema", wire.OwnProcess, constructor(newSchemaCmd)},
		{"reload", wire.OwnProcess, constructor(newReloadCmd)},
		{"session", wire.OwnProcess, newSessionCmd},
		{"daemon", wire.OwnProcess, newDaemonCmd},
		{"expr", wire.OwnProcess, constructor(newExprCmd)},
		{"completion", wire.OwnProcess, constructor(newCompletionCmd)},
		{"version", wire.OwnProcess, constructor(newVersionCmd)},
	}
}

// constructor adapts a constructor of a command. The command runs its own function; tests pass
// runF instead to see the options.
func constructor[O any](makeCmd func(f *factory, runF func(context.Context, *O) error) *cobra.Command) func(*factory) *cobra.Command {
	return func(f *factory) *cobra.Command { return makeCmd(f, nil) }
}

// A stepCommand is one of the names under which a step is available as a command.
type stepCommand struct {
	name  string
	alias string // alias of the step; "" means its own name
	entry *steps.Entry
}

// stepCommands lists the names of steps in the order of the catalogue.
var stepCommands = sync.OnceValue(func() []stepCommand {
	var list []stepCommand
	for _, e := range catalogue.Entries() {
		for i, name := range e.Commands() {
			c := stepCommand{name: name, entry: e}
			if i > 0 {
				c.alias = e.Aliases[i-1]
			}
			list = append(list, c)
		}
	}
	return list
})

// stepNamed finds a step by the name of its command.
func stepNamed(name string) (c stepCommand, ok bool) {
	list := stepCommands()
	i := slices.IndexFunc(list, func(c stepCommand) bool { return c.name == name })
	if i < 0 {
		return c, false
	}
	return list[i], true
}

func commandNamed(name string) (c ownCommand, ok bool) {
	list := ownCommands()
	i := slices.IndexFunc(list, func(c ownCommand) bool { return c.name == name })
	if i < 0 {
		return c, false
	}
	return list[i], true
}

// commandNames returns the names of all commands, including steps.
func commandNames() []string {
	var names []string
	for _, c := range ownCommands() {
		names = append(names, c.name)
	}
	for _, c := range stepCommands() {
		names = append(names, c.name)
	}
	return names
}

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

// helpCommand is the name of cobra's help command. It cannot be called, because dispatch does not
// know it.
const helpCommand = "__help"

// dispatch parses a command line and runs it. It builds only the named command, because building
// all of them would take longer than running a step.
func (f *factory) dispatch(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		return f.complete(ctx, args[1:])
	}
	return f.dispatchTo(ctx, newRootCmd(f), args, func(c stepCommand) *cobra.Command { return newStepCmd(f, c, nil) })
}

// dispatchTo parses a command line and runs it, with its commands added to root. makeStep creates
// the commands of steps.
func (f *factory) dispatchTo(ctx context.Context, root *cobra.Command, args []string, makeStep func(stepCommand) *cobra.Command) error {
	cmd, rest, err := f.find(root, numbered(args), makeStep)
	if err != nil {
		return err
	}
	return f.execute(ctx, root, cmd, rest)
}

// execute runs cmd, a command below root. words are the words that are not the names of commands.
func (f *factory) execute(ctx context.Context, root, cmd *cobra.Command, words []word) error {
	s, err := f.scan(cmd, words)
	if err != nil {
		return err
	}
	f.inPlace = s.args
	var line []string
	for c := cmd; c.HasParent(); c = c.Parent() {
		line = slices.Insert(line, 0, c.Name())
	}
	root.SetArgs(slices.Concat(line, s.flags, []string{"--"}, texts(s.args)))
	return root.ExecuteContext(ctx)
}

// find adds the command that words name to root and returns it, with the remaining words.
func (f *factory) find(root *cobra.Command, words []word, makeStep func(stepCommand) *cobra.Command) (cmd *cobra.Command, rest []word, err error) {
	i := commandWord(words)
	if i < 0 {
		return root, words, nil
	}
	name := words[i]
	rest = slices.Delete(slices.Clone(words), i, i+1)
	if step, ok := stepNamed(name.text); ok {
		cmd = makeStep(step)
	} else if own, ok := commandNamed(name.text); !ok {
		return nil, nil, f.unknownCommand(name, texts(rest))
	} else if f.remote != nil && own.route == wire.OwnProcess {
		return nil, nil, diag.New(diag.InvalidRequest, "found the command %s in a request to the daemon, expected one that the daemon runs", own.name).
			WithHint("run it with: action %s. If you did, its name is missing in OwnCommands (internal/daemon/wire/words.go), or the daemon has another build (action daemon stop)", own.name)
	} else {
		cmd = own.new(f)
	}
	root.AddCommand(cmd)
	for cmd.HasSubCommands() {
		i := commandWord(rest)
		if i < 0 {
			break
		}
		at := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == rest[i].text })
		if at < 0 {
			return nil, nil, f.unknownSubcommand(cmd, rest[i])
		}
		cmd, rest = cmd.Commands()[at], slices.Delete(rest, i, i+1)
	}
	return cmd, rest, nil
}

// parent returns a command that only has subcommands.
func (f *factory) parent(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(children...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return diag.New(diag.InvalidRequest, "found no subcommand, expected one of %s", strings.Join(childNames(cmd), ", ")).WithHint("%s", f.seeHelp(cmd))
	}
	return cmd
}

func childNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

const seeHelp = "see: action --help"

// seeHelp returns a hint that refers to the help of a command.
func (f *factory) seeHelp(cmd *cobra.Command) string { return "see: " + cmd.CommandPath() + " --help" }

// badFlag returns the error for a flag with an invalid value.
func (f *factory) badFlag(cmd *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) { // scan rejects everything else
		return diag.New(diag.InvalidRequest, "the flags could not be read").WithHint("%s", f.seeHelp(cmd)).Because(err)
	}
	return diag.New(diag.InvalidRequest, "--%s: %v", bad.GetFlag().Name, bad.Unwrap()).WithHint("%s", f.seeHelp(cmd)).Because(bad.Unwrap())
}

// unknownFlag reports a flag that a command does not have, and suggests the nearest one. It shows
// the flag only if it looks like a name, because anything else may be a secret.
func (f *factory) unknownFlag(cmd *cobra.Command, name string, at word) error {
	e := diag.New(diag.InvalidRequest, "unknown flag %s", shortened(name)).WithHint("%s", f.seeHelp(cmd))
	if !isPlainName(name) {
		e = diag.New(diag.InvalidRequest, "unknown flag: word %d of the command line", at.at).WithHint("%s", f.seeHelp(cmd))
	}
	if hint := foreignHint(foreignFlags, cmd.Name(), name); hint != "" {
		return e.WithHint("%s", hint)
	}
	if !strings.HasPrefix(name, "--") {
		if _, step := stepNamed(cmd.Name()); step {
			e.WithHint("write a value that begins with - after --, as in: %s … -- -x; see: %[1]s --help", cmd.CommandPath())
		}
		return e
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	if meant := diag.Nearest(strings.TrimPrefix(name, "--"), names); meant != "" {
		e.WithHint("did you mean --%s?", meant)
	}
	return e
}

// unknownCommand reports a word that is not a command. It shows the word only if it resembles a
// command, because otherwise it may be a secret.
func (f *factory) unknownCommand(w word, rest []string) error {
	if hint := foreignHint(foreignCommands, append([]string{w.text}, rest...)...); hint != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s", w.text).WithHint("%s", hint)
	}
	if e := catalogue.Lookup(w.text); e != nil && e.Instead != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s", e.Name).WithHint("%s is a step of actions only: %s", e.Name, e.Instead)
	}
	if meant := diag.Nearest(w.text, commandNames()); meant != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s", shortened(w.text)).WithHint("did you mean %s?", meant)
	}
	if strings.Count(w.text, ":") == 2 && isPlainName(strings.ReplaceAll(w.text, ":", "")) {
		return diag.New(diag.InvalidRequest, "unknown command %s", shortened(w.text)).WithHint("run an action with: action run %s", shortened(w.text))
	}
	return diag.New(diag.InvalidRequest, "unknown command: word %d of the command line", w.at).WithHint(seeHelp)
}

func (f *factory) unknownSubcommand(cmd *cobra.Command, w word) error {
	names := childNames(cmd)
	if meant := diag.Nearest(w.text, names); meant != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s %s", cmd.Name(), shortened(w.text)).WithHint("did you mean %s?", meant)
	}
	return diag.New(diag.InvalidRequest, "unknown command: word %d of the command line, expected one of %s", w.at, strings.Join(names, ", ")).
		WithHint("%s", f.seeHelp(cmd))
}

// unexpected reports a surplus positional argument.
func (f *factory) unexpected(cmd *cobra.Command, i int) error {
	e := unexpectedWord(f.inPlace[i]).WithHint("%s", f.seeHelp(cmd))
	if hint := foreignHint(foreignArguments, append([]string{cmd.Name()}, texts(f.inPlace)...)...); hint != "" {
		e.WithHint("%s", hint)
	}
	return e
}

// call runs a command: runF if a test passed one, otherwise do.
func call[O any](cmd *cobra.Command, o *O, runF, do func(context.Context, *O) error) error {
	if runF != nil {
		do = runF
	}
	return do(cmd.Context(), o)
}
