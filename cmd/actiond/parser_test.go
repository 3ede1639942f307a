package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/steps"
)

// A parser that has been used parses every command line as a new one does, whatever
// it was used for.
func TestParserIsAsNew(t *testing.T) {
	commands := [][][]string{
		{{"list"}, {"list", "web"}, {"list", "--json", "--strict"}, {"list", "a", "b"}, {"list", "--no-such"}},
		{{"search", "a"}, {"search"}, {"search", "a", "b", "--limit", "3"}, {"search", "--limit=x", "a"}},
		{{"run", "a:b"}, {"run", "--session", "s", "--timeout", "90s", "--trace", "f", "a:b"}, {"run"}, {"--headed", "run", "a:b"}},
	}
	for _, e := range handSteps() {
		commands = append(commands, linesOf(e))
	}
	for _, lines := range commands {
		t.Run(lines[0][0], func(t *testing.T) {
			kept := newParsers()
			reused := 0
			// Each line behind itself, and behind its neighbours on both sides.
			order := slices.Concat(lines, lines)
			for _, line := range slices.Backward(lines) {
				order = append(order, line, line)
			}
			for _, line := range order {
				fresh, err := newParser(line)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := parsedBy(fresh, line)
				p, err := kept.take(line)
				if err != nil {
					t.Fatal(err)
				}
				if p.Model.Name != fresh.Model.Name || p.Kong == fresh.Kong {
					t.Fatalf("parser of %q: got one of %q, want its own of %q", line, p.Model.Name, fresh.Model.Name)
				}
				if got, ok := parsedBy(p, line); got != want {
					t.Fatalf("%q: got\n%s\nwant\n%s", line, got, want)
				} else if ok {
					kept.put(p)
					reused++
					for _, c := range p.hand {
						if !c.value.Elem().IsZero() || !p.target.IsZero() {
							t.Fatalf("kept of %q: got %+v and %+v, want nothing", line, c.value.Elem(), p.target)
						}
					}
				}
			}
			if n := kept.idle.Len(); n != 1 || reused < 2 {
				t.Errorf("parsers: got %d kept, put back %d times, want 1 and more than one time", n, reused)
			}
		})
	}
}

// A command that no grammar of its own has is parsed by the whole, which is not kept.
func TestParserOfAllIsNotKept(t *testing.T) {
	kept := newParsers()
	for _, line := range [][]string{{"--help"}, {"no-such"}, {}} {
		p, err := kept.take(line)
		if err != nil {
			t.Fatal(err)
		}
		kept.put(p)
	}
	if n := kept.idle.Len(); n != 0 {
		t.Errorf("parsers kept: got %d, want 0", n)
	}
}

// linesOf are command lines of a step, good and bad ones, with each of its flags.
func linesOf(e *steps.Entry) [][]string {
	name := e.Commands()[0]
	full := []string{name}
	for range e.Hand {
		full = append(full, "1")
	}
	lines := [][]string{full, {name}, append(slices.Clone(full), "one", "more"), {name, "--help"}, {name, "--no-such"}}
	for _, flag := range []string{"--json", "--json=false", "--headed", "--timeout=1s", "--timeout=no", "--session=x", "--steps"} {
		lines = append(lines, append(slices.Clone(full), flag))
	}
	for i := range e.Args {
		a := &e.Args[i]
		if slices.Contains(e.Hand, a.Name) {
			continue
		}
		flag := "--" + flagOf(a.Name)
		if a.Type == steps.ArgBoolean {
			lines = append(lines, append(slices.Clone(full), flag), append(slices.Clone(full), "--no-"+flag[2:]), append(slices.Clone(full), flag+"=false"))
			continue
		}
		lines = append(lines, append(slices.Clone(full), flag, "a value"), append(slices.Clone(full), flag+"=1", flag+"=2"))
	}
	return lines
}

// parsedBy tells what a parser makes of a command line; ok is whether it could be run.
func parsedBy(p *parser, line []string) (told string, ok bool) {
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs}
	selected, err := a.parse(p.Kong, line)
	switch {
	case err != nil:
		return fmt.Sprintf("error: %v\n%s%s", err, &out, &errs), false
	case selected == nil:
		return "help: " + out.String() + errs.String(), false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "command %s, flags %+v\n", selected.Command(), *p.flags)
	if c := p.hand[selected.Selected().Name]; c != nil {
		args, err := c.args()
		fmt.Fprintf(&b, "args %#v, error %v\n", args, err)
	} else {
		fmt.Fprintf(&b, "grammar %+v\n", p.target)
	}
	return b.String(), true
}
