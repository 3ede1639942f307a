// Package catalogue has the steps, each declared once: its name, docs, arguments, result and the
// function that runs it on a [driver.Page]. Everything else derives from the catalogue: the names
// and argument types that the validator knows, the executor's dispatch, manual steps, the JSON
// Schema and the reference page. It compiles nothing and knows nothing of the order of steps.
//
// To add a step, declare a struct of its arguments, a struct of its result and the function that
// runs it, call [steps.Define] in the list of the file of its subject, and add a test.
//
// Files, bottom to top: navigate, sorted, table, flow, snapshot, unlike, extract, look, download,
// picture, pointer, route, refusal, requests, read, calendar, script, pagetools, upload, wait, cookies, dialog, forms,
// mouse, scroll, tabs, fillform, storage, collect, lists, handoff, catalogue, purpose, risk.
package catalogue

import (
	"sort"

	"github.com/actionregistry/action/internal/steps"
)

// MainArg returns the name of the main argument of a step. A definition may write the value of this
// argument without its name, as in `- click: text:Save`. The command line may omit the name too.
// The step is given by its name or an alias. If it has no main argument, arg is "". known is false
// if there is no such step.
func MainArg(step string) (arg string, known bool) {
	e := Lookup(step)
	if e == nil {
		return "", false
	}
	alias := ""
	if step != e.Name {
		alias = step
	}
	switch hand := e.InPlace(alias); {
	case e.Main != "":
		return e.Main, true
	case len(e.Verbs) > 0:
		return steps.VerbArg, true
	case len(hand) > 0:
		return hand[0], true
	}
	return "", true
}

// Entries returns the catalogue in the order of the reference page. The caller owns the slice. The
// entries are read-only.
func Entries() []*steps.Entry { return append([]*steps.Entry(nil), entries...) }

// Lookup returns the entry with that name or alias, or nil.
func Lookup(name string) *steps.Entry { return byName[name] }

// Names returns every name and alias, sorted.
func Names() []string {
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

var (
	entries = concat(navigateSteps, pointerSteps, mouseSteps, scrollSteps, formSteps, keySteps, fillFormSteps, uploadSteps, waitSteps, readSteps, tableSteps, calendarSteps, listSteps, scriptSteps, pageToolSteps, tabSteps, dialogSteps, cookieSteps, storageSteps, handoffSteps, downloadSteps, routeSteps, requestSteps, flowSteps)
	byName  = index(entries)
)

func concat(groups ...[]*steps.Entry) []*steps.Entry {
	var all []*steps.Entry
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func index(all []*steps.Entry) map[string]*steps.Entry {
	m := make(map[string]*steps.Entry, len(all)+8)
	for _, e := range all {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if m[name] != nil {
				panic("steps: two entries are named " + name)
			}
			m[name] = e
		}
	}
	return m
}
