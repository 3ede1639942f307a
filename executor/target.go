package executor

// Targets of steps. Values and aliases are inserted when the page requests the query, because the
// aliases depend on the document.

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
)

// targets makes the targets of one attempt.
type targets struct {
	*execution
	wait  time.Duration
	busy  time.Duration // how long to wait for loading to finish
	bound bool          // the arguments are bound; later targets are made by the entry's own code
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
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.bind(ctx, doc, sel)
		},
		Decided: func(doc driver.Document, w driver.Winner) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.decided(doc, w)
		},
		FoundAgain: func(ref string) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.warn(WarnFoundAgain, "the element of @%s was rendered again; its replacement was used", ref)
		},
	}
}

// loading returns the indicators of loading content that must be gone before the step or the check
// reads. It is nil for a step that does not wait for that.
func (t *targets) loading() *driver.Busy {
	e := t.execution
	if !e.op.Entry.Reads && !e.verifying || e.op.IgnoresBusy || e.looking {
		return nil
	}
	return t.busySelector()
}

// calm returns the indicators of loading content for a step whose wait ends when they are gone. It
// is nil for a step that waits for its full time.
func (t *targets) calm() *driver.Busy {
	if !t.execution.op.Calm || t.execution.looking {
		return nil
	}
	return t.busySelector()
}

// busySelector returns the namespace's selector for loading content. If there is none, Bind of the
// result returns nil.
func (t *targets) busySelector() *driver.Busy {
	e := t.execution
	b := &driver.Busy{Most: t.busy, Bind: func(context.Context, driver.Document) (*selectors.Query, error) { return nil, nil }}
	if sel := e.prog.Busy; sel != nil {
		b.Bind = func(ctx context.Context, doc driver.Document) (*selectors.Query, error) {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.bind(ctx, doc, sel)
		}
	}
	return b
}

// choose sets the selector that the result shows for the step.
func (t *targets) choose(a *steps.Args) {
	t.bound = true
	if target := a.Subject(); target != nil {
		t.res.Selector = target.Source
	}
}

// bind inserts values and aliases into a selector for a document.
func (e *execution) bind(ctx context.Context, doc driver.Document, sel *selectors.Selector) (*selectors.Query, error) {
	d, err := e.document(ctx, doc)
	if err != nil {
		return nil, err
	}
	return sel.Bind(selectors.Binding{
		Scope:      &e.scope.Scope,
		Narrowed:   e.scope.narrowed,
		TestIDAttr: e.opts.TestIDAttribute,
		Alias: func(name string) ([]*selectors.Selector, int, error) {
			return e.alias(d, name)
		},
	})
}

// document returns what the namespace knows about doc. It is called before the step acts on doc.
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

// alias returns the candidates of an alias in a document, and the index of the candidate that
// matched there last.
func (e *execution) alias(d *document, name string) ([]*selectors.Selector, int, error) {
	a := d.view.Aliases[name]
	if a == nil {
		return nil, 0, e.noAlias(d, name)
	}
	if low := d.view.Replaced[name]; low != nil {
		e.warn(WarnShadowed, "the selector %s of %s comes from %s, which replaces %s", name, e.ns.Name, a.Source, low.Pos)
	}
	if d.found == nil && e.ns.HasOverrides(name) {
		e.warn(WarnVersionNotDetected, "the page's version of %s was not detected, and the selector %s depends on it: the plain selector was used", e.ns.Name, name)
	}
	if e.aliases == nil {
		e.aliases, e.written = make(map[string][]*selectors.Selector), make(map[selectors.Key][]string)
	}
	candidates, key := e.prog.Alias(a), e.cacheKey(d.id, name)
	e.aliases[name] = candidates
	if e.written[key] == nil {
		for _, c := range a.Candidates() {
			e.written[key] = append(e.written[key], c.Value)
		}
	}
	prefer := 0
	if e.opts.Cache != nil {
		if prefer, _ = e.opts.Cache.Get(key); prefer > 0 {
			e.preferred = append(e.preferred, key)
		}
	}
	return candidates, prefer, nil
}

// withAliases adds the candidates of the step's aliases to an error about an element.
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
		if strings.Contains(told.Msg, "${selectors."+name+"}") { // other aliases are parts of these
			words = append(words, name+" is "+strings.Join(filled, ", else "))
		}
	}
	told = told.Clone()
	told.Msg = strings.Join(append([]string{told.Msg}, words...), "; ")
	return told.WithDetail("aliases", details)
}

// forget removes from the cache the candidates that no longer match.
func (e *execution) forget(err error) {
	if diag.CodeOf(err) != diag.ElementNotFound {
		return
	}
	for _, key := range e.preferred {
		e.opts.Cache.Remove(key)
	}
}

// noAlias returns the error for an alias that has no candidates in the version of the document.
func (f *frame) noAlias(d *document, name string) error {
	e := diag.New(diag.VersionIncompatible, "found the selector %s only for other versions of %s", name, f.ns.Name).
		WithHint("define %s in `selectors` at the top of the file, or in an override that matches the version", name)
	if d.found != nil {
		e.WithDetail("found", d.found.String())
	}
	return e
}

func (f *frame) cacheKey(document, alias string) selectors.Key {
	return selectors.Key{Session: f.o.Session, Namespace: f.ns.Name, Action: f.name, Alias: alias, Document: document}
}

// decided records which candidate of an alias matched.
func (e *execution) decided(doc driver.Document, w driver.Winner) {
	key := e.cacheKey(doc.ID, w.Alias)
	if e.opts.Cache != nil {
		e.opts.Cache.Put(key, w.Index)
	}
	written := e.written[key]
	if w.Index < 0 || w.Index >= len(written) {
		return // only if the page lies
	}
	if e.res.Selector != "" {
		e.res.Selector = strings.ReplaceAll(e.res.Selector, "${selectors."+w.Alias+"}", written[w.Index])
	}
	if w.Index == 0 {
		return
	}
	d := Degraded{Alias: w.Alias, Selector: written[w.Index], Index: w.Index, Action: e.name, Path: e.op.Spec.Path}
	for _, told := range e.degraded {
		if told == d {
			return
		}
	}
	if len(e.run.degraded) < maxWarnings {
		e.run.degraded = append(e.run.degraded, d)
	}
}

// input returns the arguments with their values inserted.
func (e *execution) input() map[string]any {
	return showArgs(e.op, &e.scope.Scope, func(*expr.Ref) bool { return true })
}

func showArgs(op *steps.Op, s *expr.Scope, known func(*expr.Ref) bool) map[string]any {
	if len(op.Args) == 0 {
		return nil
	}
	in := make(map[string]any, len(op.Args))
	for name, x := range op.Args {
		v := x.Show(s, known)
		if d, ok := v.(time.Duration); ok {
			v = d.String()
		}
		in[name] = v
	}
	return in
}
