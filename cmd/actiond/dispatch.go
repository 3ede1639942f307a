package main

// From a command line to the command that runs it.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// runHandover runs the command line that a client has handed over. It rejects a client of another
// release, because the two releases may interpret the same command line differently.
func runHandover(ctx context.Context, given endpoint.Handover, stdin io.Reader, stdout, stderr io.Writer) int {
	if mine := endpoint.Version(); given.Version != mine {
		f := newFactory(given.Words, stdin, stdout, stderr)
		return f.end(ctx, diag.New(diag.InvalidRequest, "found action %s and actiond %s, expected the same version of both", given.Version, mine).
			WithHint("install action and actiond from the same release; in a source checkout, run: make build"))
	}
	return run(ctx, given.Words, stdin, stdout, stderr)
}

// run runs a command line in this process and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := newFactory(args, stdin, stdout, stderr)
	var err error
	if f.cwd, err = os.Getwd(); err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	err = f.dispatch(ctx, args)
	return f.end(ctx, errors.Join(err, f.close(ctx)))
}

// dispatch parses a command line and runs it. It creates only the command that the line names,
// because creating all commands would take longer than running a step.
func (f *factory) dispatch(ctx context.Context, args []string) error {
	f.overview = f.listCommands
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		return f.complete(ctx, args[1:])
	}
	return f.dispatchTo(ctx, newRootCmd(f), args, func(c stepCommand) *cobra.Command { return newStepCmd(f, c, nil) })
}

// dispatchTo parses a command line, adds its command to root, and runs it. makeStep creates the
// command of a step.
func (f *factory) dispatchTo(ctx context.Context, root *cobra.Command, args []string, makeStep func(stepCommand) *cobra.Command) error {
	cmd, rest, err := f.find(root, numbered(args), makeStep)
	if err != nil {
		return err
	}
	return f.execute(ctx, root, cmd, rest)
}

// execute runs cmd, a descendant of root. words is the command line without the names of commands.
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

// find creates the command that words names, and adds it to root. It returns the command or its
// subcommand, and the other words. If words names no command, it returns root.
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
		return nil, nil, diag.New(diag.InvalidRequest, "found the command %s in a request to the daemon, which does not run this command", own.name).
			WithHint("run the command in a terminal: action %s; if this error appears there too, the daemon may be another build: run `action daemon stop`; if you changed the code, check OwnCommands in internal/daemon/wire/words.go", own.name)
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

// unknownCommand reports a word that is not a command. It shows the word only if it resembles a
// command, because otherwise it may be a secret.
func (f *factory) unknownCommand(w word, rest []string) error {
	if hint := foreignHint(foreignCommands, append([]string{w.text}, rest...)...); hint != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s", w.text).WithHint("%s", hint)
	}
	if e := catalogue.Lookup(w.text); e != nil && e.Instead != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s", e.Name).WithHint("the step %s can be used only in actions: %s", e.Name, e.Instead)
	}
	if meant := diag.Nearest(w.text, commandNames()); meant != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s", shortened(w.text)).WithHint("did you mean %s?", meant)
	}
	if strings.Count(w.text, ":") == 2 && isPlainName(strings.ReplaceAll(w.text, ":", "")) {
		return diag.New(diag.InvalidRequest, "unknown command %s", shortened(w.text)).WithHint("run an action with: action run %s", shortened(w.text))
	}
	return diag.New(diag.InvalidRequest, "unknown command: word %d of the command line", w.at).WithHint(seeHelp)
}
