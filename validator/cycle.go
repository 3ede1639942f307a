package validator

// Cycles of actions that call each other forever, by `run` or by alias_of.
//
// The calls of all namespaces are one graph. A depth-first walk over the graph, in a fixed order,
// finds a cycle whenever a call leads to an action that is still on the path. So it finds each cycle
// once, except for cycles that are composed of others. Each cycle is reported once, at its first
// `run` in file order. A `run` with a `when` counts too, because nobody can know before the run
// whether its condition ends the cycle.

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A call is one call of an action by another action.
type call struct {
	from, to string // full names
	pos      diag.Pos
	alias    bool // the call is an alias_of
}

type tracer struct {
	calls map[string][]call
	state map[string]visit
	path  []call
	found map[diag.Pos][]call // by the position at which the cycle is reported
}

type visit uint8

const (
	unseen visit = iota
	onPath
	done
)

// cycles returns an error for each cycle. If namespace is not empty, cycles returns only the errors
// whose position is in this namespace.
func (c *catalog) cycles(namespace string) diag.List {
	t := &tracer{calls: make(map[string][]call), state: make(map[string]visit), found: make(map[diag.Pos][]call)}
	var names []string
	for _, ns := range c.order {
		for _, a := range actions(ns) {
			if calls := c.callsOf(ns, a); len(calls) > 0 {
				t.calls[a.FullName()] = calls
				names = append(names, a.FullName())
			}
		}
	}
	for _, name := range names {
		t.visit(name)
	}
	var list diag.List
	for _, cycle := range t.found {
		if owner, _, _ := strings.Cut(cycle[0].from, ":"); namespace == "" || owner == namespace {
			list.Add(cycleError(cycle))
		}
	}
	return list
}

// callsOf returns the calls of an action in any version of the page's library.
func (c *catalog) callsOf(ns *spec.Namespace, a *spec.Action) []call {
	var calls []call
	if a.AliasOf != nil {
		if to := c.find(ns.Name, a.AliasOf.Value); to != nil {
			calls = append(calls, call{from: a.FullName(), to: to.FullName(), pos: a.AliasOf.Pos(), alias: true})
		}
	}
	eachActionStep(ns, a, func(s *spec.Step) {
		target, ok := runTarget(s)
		if !ok {
			return
		}
		if to := c.find(ns.Name, target.Value); to != nil {
			calls = append(calls, call{from: a.FullName(), to: to.FullName(), pos: s.Pos})
		}
	})
	return calls
}

func (t *tracer) visit(name string) {
	if t.state[name] != unseen {
		return
	}
	t.state[name] = onPath
	for _, next := range t.calls[name] {
		t.path = append(t.path, next)
		if t.state[next.to] == onPath {
			t.keep(next.to)
		} else {
			t.visit(next.to)
		}
		t.path = t.path[:len(t.path)-1]
	}
	t.state[name] = done
}

// keep records a cycle: the end of t.path, from the call by the action "start". The recorded cycle
// begins with the call at which it is reported. If several cycles are reported at one position,
// keep records only the shortest.
func (t *tracer) keep(start string) {
	i := len(t.path) - 1
	for t.path[i].from != start {
		i--
	}
	cycle := t.path[i:]
	first := 0
	for j := range cycle {
		if tellsBetter(cycle[j], cycle[first]) {
			first = j
		}
	}
	pos := cycle[first].pos
	if known, ok := t.found[pos]; ok && len(known) <= len(cycle) {
		return
	}
	t.found[pos] = append(append([]call(nil), cycle[first:]...), cycle[:first]...)
}

// tellsBetter reports whether a cycle should be reported at call a rather than at call b. A `run`
// is better than an alias. Among calls of the same kind, the earlier position is better.
func tellsBetter(a, b call) bool {
	if a.alias != b.alias {
		return b.alias
	}
	return a.pos.Before(b.pos)
}

// cycleError reports a cycle at its first call. The other calls are notes.
func cycleError(cycle []call) *diag.Error {
	chain := make([]string, 0, len(cycle)+1)
	for _, c := range cycle {
		chain = append(chain, c.from)
	}
	chain = append(chain, cycle[0].from)
	text := strings.Join(shorten(chain), " → ")
	var err *diag.Error
	if cycle[0].alias {
		err = diag.At(cycle[0].pos, diag.DefinitionInvalid, "found a cycle of alias_of: %s", text).
			WithHint("write steps in one of the actions instead of alias_of")
	} else {
		err = diag.At(cycle[0].pos, diag.DefinitionInvalid, "found a cycle of `run`: %s", text).
			WithHint("remove one of these calls, or use `repeat` or `foreach` to repeat steps")
	}
	err.Action = cycle[0].from
	for i, c := range cycle[1:] {
		if i == mostNotes {
			break
		}
		word := "runs"
		if c.alias {
			word = "is an alias of"
		}
		err.WithNote(c.pos, "%s %s %s", c.from, word, c.to)
	}
	return err
}

// Limits of the error for a cycle.
const (
	mostNames = 20 // names in the message; the middle of a longer cycle is omitted
	mostNotes = 9
)

func shorten(chain []string) []string {
	if len(chain) <= mostNames {
		return chain
	}
	half := mostNames / 2
	short := append([]string(nil), chain[:half]...)
	short = append(short, "…")
	return append(short, chain[len(chain)-half:]...)
}
