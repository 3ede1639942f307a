package main

// The commands of steps by name, derived from the catalogue.

import (
	"slices"
	"sync"

	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// A stepCommand is a command that runs a step. A step has a command for its name and for each
// alias.
type stepCommand struct {
	name  string
	alias string // alias of the step; "" means its own name
	entry *steps.Entry
}

// stepCommands lists the commands of all steps in the order of the catalogue.
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

// summary returns one line about the step.
func (c stepCommand) summary() string {
	if c.alias == "" {
		return c.entry.Summary
	}
	return "short for " + c.entry.Unaliased(c.alias)
}
