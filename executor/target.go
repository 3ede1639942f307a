package executor

// Targets: selectors on their way to the page. Values and aliases are put in when the page
// requests it, because the document decides which alias applies.

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
)

// targets makes the targets of one attempt.
type targets struct {
	*execution
	wait  time.Duration
	busy  time.Duration // for what is loading to be there
	bound bool          // the written arguments are bound; further targets come from the entry itself
}

func (t *targets) make(sel *selectors.Selector) driver.Target {
	e := t.execution
	source := sel.Source(&e.scope.Scope)
	if t.bound && e.res.Selector == "" {
		e.res.Selector = source
	}
	return driver.Target{
		Source:  source,
		Busy:    t.loading(),
		Calm:    t.calm(),
		Timeout: t.wait,
		Grace:   min(e.opts.FallbackGrace, t.wait/2),
		Bind: func(ctx context.Context, doc driver.Document) (*selectors.Query, error) {
			e.looks.Lock()
			defer e.looks.Unlock()
			return e.bind(ctx, doc, sel)
		},
		Decided: func(doc driver.Document, w driver.Winner) {
			e.looks.Lock()
			defer e.looks.Unlock()
			e.decided(doc, w)
		},
		FoundAgain: func(ref string) {
			e.looks.Lock()
			defer e.looks.Unlock()
			e.warn(WarnFoundAgain, "@%s was rendered anew; the element that took its place was used", ref)
		},
	}
}

// loading is what a step that reads has to wait for; nil: nothing.
func (t *targets) loading() *driver.Busy {
	e := t.execution
	if !e.op.Entry.Reads && !e.verifying || e.op.IgnoresBusy || e.looking {
		return nil
	}
	return t.busySelector()
}

// calm is what shows that the page is not calm, if the step waits no longer than that; nil: it
// waits for all of its time.
func (t *targets) calm() *driver.Busy {
	if !t.execution.op.Calm || t.execution.looking {
		return nil
	}
	return t.busySelector()
}

// busySelector is what the namespace says about what is loading.
func (t *targets) busySelector() *driver.Busy {
	e := t.execution
	b := &driver.Busy{Most: t.busy, Bind: func(context.Context, driver.Document) (*selectors.Query, error) { return nil, nil }}
	if sel := e.prog.Busy; sel != nil {
		b.Bind = func(ctx context.Context, doc driver.Document) (*selectors.Query, error) {
			e.looks.Lock()
			defer e.looks.Unlock()
			return e.bind(ctx, doc, sel)
		}
	}
	return b
}

// choose decides which selector represents the step in the result.
func (t *targets) choose(a *steps.Args) {
	t.bound = true
	if target := a.Subject(); target != nil {
		t.res.Selector = target.Source
	}
}

// bind puts values and aliases into a selector for a document.
func (e *execution) bind(ctx context.Context, doc driver.Document, sel *selectors.Selector) (*selectors.Query, error) {
	d, err := e.document(ctx, doc)
	if err != nil {
		return nil, err
	}
	return sel.Bind(selectors.Binding{
		Scope:      &e.scope.Scope,
		Narrowed:   e.scope.narrowed,
		TestIDAttr: e.opts.TestIDAttribute,
		Alias: func(name string) ([]*selectors.Selector, []string, int, error) {
			return e.alias(d, name)
		},
	})
}

// document returns what the namespace knows about doc, on which the step is about to act.
func (e *execution) document(ctx context.Context, doc driver.Document) (*document, error) {
	if e.looking {
		return e.detect(ctx, e.ns, doc)
	}
	d, err := e.supported(ctx, e.ns, doc)
	if err != nil {
		return nil, err
	}
	return d, e.acts(d)
}

// alias returns the candidates of an alias in a document, and the one that won there
// before.
func (e *execution) alias(d *document, name string) ([]*selectors.Selector, []string, int, error) {
	a := d.view.Aliases[name]
	if a == nil {
		return nil, nil, 0, e.noAlias(d, name)
	}
	if low := d.view.Replaced[name]; low != nil {
		e.warn(WarnShadowed, "the selector %s of %s is that of %s: it replaces %s", name, e.ns.Name, a.Source, low.Pos)
	}
	if d.found == nil && e.ns.HasOverrides(name) {
		e.warn(WarnVersionNotDetected, "the version of %s was not found in the page, and the selector %s depends on it: the plain one was used", e.ns.Name, name)
	}
	var sources []string
	for _, c := range a.Candidates() {
		sources = append(sources, c.Value)
	}
	if e.aliases == nil {
		e.aliases = make(map[string][]*selectors.Selector)
	}
	candidates := e.prog.Alias(a)
	e.aliases[name] = candidates
	prefer := 0
	if e.opts.Cache != nil {
		key := e.cacheKey(d.id, name)
		if prefer, _ = e.opts.Cache.Get(key); prefer > 0 {
			e.preferred = append(e.preferred, key)
		}
	}
	return candidates, sources, prefer, nil
}

// withAliases adds to an error about an element what the aliases of its selector stand for:
// one of them must be changed.
func (e *execution) withAliases(err error) error {
	told := diag.As(err)
	if told == nil || len(e.aliases) == 0 {
		return err
	}
	switch told.Code {
	case diag.ElementNotFound, diag.ElementAmbiguous, diag.ElementNotInteractable:
	default:
		return err
	}
	var words []string
	details := make(map[string]any, len(e.aliases))
	for _, name := range slices.Sorted(maps.Keys(e.aliases)) {
		var filled, written []string
		for _, c := range e.aliases[name] {
			filled, written = append(filled, c.Source(&e.scope.Scope)), append(written, c.String())
		}
		details[name] = written
		if strings.Contains(told.Msg, "${selectors."+name+"}") { // others are parts of these
			words = append(words, name+" is "+strings.Join(filled, ", else "))
		}
	}
	told = told.Clone()
	told.Msg = strings.Join(append([]string{told.Msg}, words...), "; ")
	return told.WithDetail("aliases", details)
}

// forget drops winners that have stopped matching.
func (e *execution) forget(err error) {
	if diag.CodeOf(err) != diag.ElementNotFound {
		return
	}
	for _, key := range e.preferred {
		e.opts.Cache.Remove(key)
	}
}

// noAlias is the error of an alias without candidates. The compiler has seen the name, so
// some version has it.
func (f *frame) noAlias(d *document, name string) error {
	e := diag.New(diag.VersionIncompatible, "the selector %s is defined for other versions of %s only", name, f.ns.Name).
		WithHint("add %s to the plain selectors, or to an override that matches", name)
	if d.found != nil {
		e.WithDetail("found", d.found.String())
	}
	return e
}

func (f *frame) cacheKey(document, alias string) selectors.Key {
	return selectors.Key{Session: f.o.Session, Namespace: f.ns.Name, Action: f.name, Alias: alias, Document: document}
}

// decided remembers and reports which candidate of an alias won.
func (e *execution) decided(doc driver.Document, w driver.Winner) {
	if e.opts.Cache != nil {
		e.opts.Cache.Put(e.cacheKey(doc.ID, w.Alias), w.Index)
	}
	if e.res.Selector != "" {
		e.res.Selector = strings.ReplaceAll(e.res.Selector, "${selectors."+w.Alias+"}", w.Source)
	}
	if w.Index == 0 {
		return
	}
	d := Degraded{Alias: w.Alias, Selector: w.Source, Index: w.Index, Action: e.name, Path: e.op.Spec.Path}
	for _, told := range e.degraded {
		if told == d {
			return
		}
	}
	if len(e.run.degraded) < maxWarnings {
		e.run.degraded = append(e.run.degraded, d)
	}
}
