package main

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/actionregistry/action/internal/steps"
)

// TestCommandsAreDistinct holds the catalogue against the commands that are no
// steps, and its arguments against the global flags.
func TestCommandsAreDistinct(t *testing.T) {
	taken := ownCommands()
	for _, e := range handSteps() {
		for _, name := range e.Commands() {
			if slices.Contains(taken, name) {
				t.Errorf("the step %s would be the command %s, which there is already: give it a Command", e.Name, name)
			}
			taken = append(taken, name)
		}
		for i := range e.Args {
			name := e.Args[i].Name
			if !slices.Contains(e.Hand, name) && slices.Contains(globalFlagNames(), flagOf(name)) {
				t.Errorf("the argument %s of %s would be a global flag: put it into Hand, or name it otherwise", name, e.Name)
			}
		}
	}
}

// TestEveryStepParses makes the grammar of every step, alone and together with
// all others.
func TestEveryStepParses(t *testing.T) {
	for _, e := range handSteps() {
		for _, name := range e.Commands() {
			if got := handStep([]string{"--session", "x", name}); got != e {
				t.Errorf("the command %s is %v, want the step %s", name, got, e.Name)
			}
		}
	}
	if e := handStep([]string{"--session", "click", "list"}); e != nil {
		t.Errorf("a flag's value was taken for the step %s", e.Name)
	}
}

// TestWordsInPlace: where the first of two arguments may be left out, one word is
// the second.
func TestWordsInPlace(t *testing.T) {
	for _, tt := range []struct {
		name           string
		selector, text string // as they stand
		want           map[string]any
	}{
		{"both", "css:#a", "hello", map[string]any{"selector": "css:#a", "text": "hello"}},
		{"one", "hello", "", map[string]any{"text": "hello"}},
	} {
		c := newHandCommand(steps.Lookup("type"))
		for field, word := range map[string]string{"selector": tt.selector, "text": tt.text} {
			if word != "" {
				c.value.Elem().FieldByName(goName(field)).Set(reflect.ValueOf(&word))
			}
		}
		if got, err := c.args(); err != nil || !maps.Equal(got, tt.want) {
			t.Errorf("%s: got %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}
