package main

// The table of the commands that are not steps.

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// An ownCommand is a command that is not a step.
type ownCommand struct {
	name  string
	route wire.Route // the process that runs it
	new   func(f *factory) *cobra.Command
}

// ownCommands lists the commands in the order of the help. To add a command, write its file, add a
// row here, and add its name to internal/daemon/wire/words.go unless its route is DaemonAlways. A
// test checks that both lists agree.
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
		{"approvals", wire.OwnProcess, constructor(newApprovalsCmd)},
		{"approve", wire.OwnProcess, constructor(newApproveCmd)},
		{"deny", wire.OwnProcess, constructor(newDenyCmd)},
		{"daemon", wire.OwnProcess, newDaemonCmd},
		{"mcp", wire.OwnProcess, constructor(newMCPCmd)},
		{"serve", wire.OwnProcess, constructor(newServeCmd)},
		{"skill", wire.OwnProcess, constructor(newSkillCmd)},
		{"expr", wire.OwnProcess, constructor(newExprCmd)},
		{"completion", wire.OwnProcess, constructor(newCompletionCmd)},
		{"version", wire.OwnProcess, constructor(newVersionCmd)},
	}
}

// constructor returns makeCmd with a nil runF. Only tests pass a runF: it receives the options, and
// the command does not run.
func constructor[O any](makeCmd func(f *factory, runF func(context.Context, *O) error) *cobra.Command) func(*factory) *cobra.Command {
	return func(f *factory) *cobra.Command { return makeCmd(f, nil) }
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

// listCommands lists all commands and steps.
func (f *factory) listCommands(b *strings.Builder) {
	var rows [][2]string
	for _, c := range ownCommands() {
		rows = append(rows, [2]string{c.name, sentenceOf(c.new(f).Short)})
	}
	section(b, "Commands:", rows)
	rows = nil
	for _, c := range stepCommands() {
		rows = append(rows, [2]string{c.name, sentenceOf(c.summary())})
	}
	section(b, "Manual steps:", rows)
}
