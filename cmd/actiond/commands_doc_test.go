package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite docs/commands.md")

const commandsHead = `# Commands

This page is generated from the tables that ` + "`action --help`" + ` is printed from: do not edit it, run
` + "`make docs`" + `. ` + "`action COMMAND --help`" + ` explains the arguments and flags of a command; [command
line](cli.md) says how they are written, and [steps](steps.md) what a manual step does and returns.
` + "`run`, `dry-run` and `debug`" + ` also take the params of the action: each as a flag, or all of them as
the JSON of ` + "`--params`" + `.
`

// TestCommandsPage compares docs/commands.md with the help.
func TestCommandsPage(t *testing.T) {
	const page = "../../docs/commands.md"
	want := commandsPage()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/commands.md differs from the help; run `make docs`")
	}
}

func commandsPage() string {
	f := &factory{stdout: io.Discard, stderr: io.Discard}
	var b strings.Builder
	b.WriteString(commandsHead)
	b.WriteString("\n## Global flags\n\nEvery command takes these, and `-h` or `--help`.\n\n| flag | |\n| --- | --- |\n")
	for _, row := range flagRows(globalSet()) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", cell(row[0]), cell(row[1]))
	}
	b.WriteString("\n## Commands\n\n| command | | flags |\n| --- | --- | --- |\n")
	for _, c := range ownCommands() {
		root := newRootCmd(f)
		cmd := c.new(f)
		root.AddCommand(cmd)
		if !cmd.HasSubCommands() {
			commandRow(&b, cmd)
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				commandRow(&b, sub)
			}
		}
	}
	b.WriteString("\n## Manual steps\n\n| command | | flags |\n| --- | --- | --- |\n")
	for _, c := range stepCommands() {
		root := newRootCmd(f)
		cmd := newStepCmd(f, c, nil)
		root.AddCommand(cmd)
		commandRow(&b, cmd)
	}
	return b.String()
}

// commandRow writes one line about a command: how it is called, what it does, its flags.
func commandRow(b *strings.Builder, cmd *cobra.Command) {
	var flags []string
	for _, row := range ownFlagRows(cmd) {
		flags = append(flags, "`"+cell(row[0])+"`")
	}
	usage := cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
	row := fmt.Sprintf("| `%s` | %s | %s", cell(usage), cell(sentenceOf(cmd.Short)), strings.Join(flags, " "))
	b.WriteString(strings.TrimRight(row, " ") + " |\n")
}

// cell escapes what would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
