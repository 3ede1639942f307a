package main

// The answer to a completion script.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// complete prints the completions of a command line, one per line, then a directive for the shell.
// The last word is unfinished. complete never fails, because after an error the shell would show
// nothing.
func (f *factory) complete(ctx context.Context, words []string) error {
	f.completing, f.json = true, false
	if len(words) == 0 {
		words = []string{""}
	}
	root := newRootCmd(f)
	for _, c := range ownCommands() {
		root.AddCommand(c.new(f))
	}
	for _, c := range stepCommands() {
		root.AddCommand(newStepCmd(f, c, nil))
	}
	f.completeFlag(root, "session", f.completeSessions)
	f.addParams(ctx, root, words)
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, forCobra(words)...))
	_ = root.ExecuteContext(ctx) // it never fails
	for _, line := range strings.Split(strings.TrimRight(out.String(), "\n"), "\n") {
		if name, about, _ := strings.Cut(line, "\t"); name != helpCommand {
			fmt.Fprintln(f.stdout, candidate(name, about))
		}
	}
	return nil
}

// forCobra returns words in a form that cobra can complete. It removes the values of switches
// before the command, which cobra would take for the command. It replaces negative numbers, which
// cobra would take for flags.
func forCobra(words []string) (line []string) {
	last := len(words) - 1
	command := commandWord(numbered(words[:last]))
	for i, w := range numbered(words) {
		switch {
		case i < last && (i < command || command < 0) && isTruth(w.text):
			continue
		case w.isNegative():
			w.text = "0"
		}
		line = append(line, w.text)
	}
	return line
}

// addParams adds the flags of the named action to the command that runs it.
func (f *factory) addParams(ctx context.Context, root *cobra.Command, words []string) {
	list := numbered(words[:len(words)-1])
	at := commandWord(list)
	if at < 0 || !slices.Contains([]string{"run", "debug", "dry-run"}, list[at].text) {
		return
	}
	verb := list[at].text
	list = slices.Delete(list, at, at+1)
	if at = commandWord(list); at < 0 {
		return
	}
	defs, err := f.load(ctx)
	if err != nil {
		return
	}
	d, err := defs.Describe(list[at].text)
	if err != nil {
		return
	}
	cmd, _, err := root.Find([]string{verb})
	if err != nil {
		return
	}
	a := newActionCmd(f, verb, d)
	cmd.Flags().AddFlagSet(a.cmd.Flags())
	for i := range a.values {
		var values []string
		for _, v := range a.values[i].param.Values {
			values = append(values, fmt.Sprint(v))
		}
		f.completeFlag(cmd, flagOf(a.values[i].param.Name), oneOf(values))
	}
}
