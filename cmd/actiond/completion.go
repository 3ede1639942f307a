package main

import (
	"context"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

//go:embed completion.bash
var completionBash string

//go:embed completion.zsh
var completionZsh string

//go:embed completion.fish
var completionFish string

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a script that asks the program itself what can follow.
func (c *completionCmd) Run(_ context.Context, a *app) error {
	script := map[string]string{"bash": completionBash, "zsh": completionZsh, "fish": completionFish}[c.Shell]
	if a.json {
		a.writeJSON(map[string]string{"shell": c.Shell, "script": script})
		return nil
	}
	_, err := fmt.Fprint(a.stdout, script)
	return err
}

// completeCmd answers the completion scripts: the words before the cursor, the
// last one unfinished; one candidate a line.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints candidates. It never fails: a shell shows nothing then.
func (c *completeCmd) Run(ctx context.Context, a *app) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	for _, candidate := range a.candidates(ctx, words[:len(words)-1], last) {
		if strings.HasPrefix(candidate, last) {
			fmt.Fprintln(a.stdout, candidate)
		}
	}
	return nil
}

// takesAction are the commands whose first argument is an action.
var takesAction = []string{"run", "dry-run", "debug", "describe"}

// nextWords are what can follow a command that has commands of its own.
var nextWords = map[string][]string{
	"completion": {"bash", "zsh", "fish"},
	"daemon":     commandsIn(reflect.TypeFor[daemonCmd]()),
	"session":    commandsIn(reflect.TypeFor[sessionCmd]()),
}

// handFlags are the flags of a step by hand, nil for what is none.
func handFlags(command string) []string {
	for _, e := range handSteps() {
		if !slices.Contains(e.Commands(), command) {
			continue
		}
		flags := []string{}
		for i := range e.Args {
			if name := e.Args[i].Name; !slices.Contains(e.Hand, name) {
				flags = append(flags, "--"+flagOf(name))
			}
		}
		return flags
	}
	return nil
}

func (a *app) candidates(ctx context.Context, before []string, last string) []string {
	plain := slices.DeleteFunc(slices.Clone(before), func(w string) bool { return strings.HasPrefix(w, "-") })
	if len(plain) == 1 {
		if flags := handFlags(plain[0]); flags != nil && strings.HasPrefix(last, "-") {
			return append(flags, globalFlags()...)
		}
	}
	if strings.HasPrefix(last, "-") && len(plain) < 2 {
		return globalFlags()
	}
	if len(plain) == 0 {
		return commandNames()
	}
	if words, ok := nextWords[plain[0]]; ok && len(plain) == 1 {
		return words
	}
	if !slices.Contains(takesAction, plain[0]) && plain[0] != "list" {
		return nil
	}
	defs, err := a.load(ctx)
	if err != nil {
		return nil
	}
	var out []string
	switch {
	case plain[0] == "list":
		for _, ns := range defs.Registry.Namespaces() {
			out = append(out, ns.Name)
		}
	case len(plain) == 1:
		items, _ := defs.Registry.List("") // "" is never unknown
		for _, item := range items {
			out = append(out, item.Name)
		}
	case strings.HasPrefix(last, "-"):
		if r, err := defs.Registry.Resolve(plain[1]); err == nil {
			for _, p := range r.Action.Params {
				out = append(out, "--"+strings.ReplaceAll(p.Name, "_", "-"))
			}
		}
		out = append(out, globalFlags()...)
	}
	return out
}

func commandNames() []string {
	names := ownCommands()
	for _, e := range handSteps() {
		names = append(names, e.Commands()...)
	}
	return names
}

// ownCommands are those that are no steps.
func ownCommands() []string { return commandsIn(reflect.TypeFor[grammar]()) }

func commandsIn(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		if _, ok := f.Tag.Lookup("cmd"); !ok || strings.Contains(string(f.Tag), "hidden") {
			continue
		}
		names = append(names, flagNameOf(f))
	}
	return names
}

func globalFlags() []string {
	var flags []string
	for _, name := range globalFlagNames() {
		flags = append(flags, "--"+name)
	}
	return flags
}
