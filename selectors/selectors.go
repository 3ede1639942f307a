// Package selectors parses the texts that name elements, such as
//
//	css:tr >> has-text:${params.name} >> role:button[name='Edit']
//
// and turns them into queries: plain data that a page evaluates.
//
// A text is parsed once, before any value is known; its references are nodes of the tree.
// [Selector.Bind] puts values in, each escaped for its position, so that a value never
// becomes syntax.
//
// The package uses no pages: it checks CSS and XPath texts only as far as quotes, brackets
// and names go, and the browser decides whether they are valid. It does not know which
// aliases exist, load them, or decide which candidate wins; it only remembers what won
// ([Cache]). The language is described in docs/selectors.md, whose examples a test parses.
package selectors

import (
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// Limits of one selector. Parts in parentheses and of frame count too.
const (
	maxBytes = 4 << 10
	maxDepth = 10
	maxParts = 32
)

// Options say how a text is parsed. The zero value is for a step in a file for which
// nothing is known about aliases and no param is a selector.
type Options struct {
	// Expr is what is known about references, and Pos the position of the text.
	Expr expr.Options
	// Literal disables holes: "${" is text. For selectors from the command line and values
	// of params.
	Literal bool
	// Fragment allows what only makes sense next to other parts: a filter first, a frame
	// last. For aliases and params, whose position is not known yet; Bind checks again.
	Fragment bool
	// Inside says that the selector is looked for in the matches of another one, such as a row
	// of extract: it may begin with a filter, or go on from the row.
	Inside bool
	// Alias says that the text is an alias's, which leaves no scope: it has no document:.
	Alias bool
	// Scope, unless nil, is put before the selector, which may then begin with a filter. A
	// selector that begins with document: or with a ref stands by itself.
	Scope *Selector
	// Code is the code of a bad selector: "" is DEFINITION_INVALID.
	Code diag.Code
	// Aliases reports whether an alias exists. Nil: unknown, nothing is checked.
	Aliases func(name string) bool
	// AliasNames are names that a hint may suggest.
	AliasNames []string
	// IsSelectorParam reports whether a param is of type selector. Nil: none is.
	IsSelectorParam func(name string) bool
}

// A Selector is a parsed text. It is immutable and safe for concurrent use.
type Selector struct {
	scope  *Selector // nil: the document
	narrow any       // of a scope that [Narrowing] made; it has no parts
	parts  []part
	refs   []expr.Ref
	inside bool // it may begin with a filter: see Options.Inside
	pos    diag.Pos
	code   diag.Code
}

// A part is one link of the chain.
type part interface {
	// bind appends the part with its values put in.
	bind(b *binder, to []QueryPart) ([]QueryPart, error)
	write(w *writer)
}

// Parse reads src. The error is a [*diag.Error] with a position and a hint:
// o.Code, or SECURITY_ERROR for a path through a prototype.
func Parse(src string, o Options) (*Selector, error) {
	if o.Code == "" {
		o.Code = diag.DefinitionInvalid
	}
	p, err := newParser(src, &o)
	if err != nil {
		return nil, err
	}
	may := noKind
	if o.Fragment || o.Inside || o.Scope != nil {
		may = anyKind
	}
	parts, err := p.chain(top, may)
	if err != nil {
		return nil, err
	}
	s := &Selector{parts: parts, refs: p.refs, inside: o.Inside, pos: p.pos(0), code: o.Code}
	return s.In(o.Scope), nil
}

// Narrowing returns a scope inside another one, which may be nil: the element whose ref
// [Binding.Narrowed] returns for key, and the outer scope as long as it returns none.
func Narrowing(scope *Selector, key any) *Selector {
	s := &Selector{scope: scope, narrow: key}
	if scope != nil {
		s.refs, s.pos, s.code = scope.refs, scope.pos, scope.code
	}
	return s
}

// In returns s inside a scope, which may be nil: that of s itself stays where it has one.
func (s *Selector) In(scope *Selector) *Selector {
	if scope == nil || s.scope != nil || isDocument(s.parts[0]) {
		return s
	}
	in := *s
	in.scope, in.refs = scope, slices.Concat(scope.refs, s.refs)
	return &in
}

// Refs returns all references in the order of the source, those of its scope first. The
// slice is the caller's; the paths in it are shared and must not be changed.
func (s *Selector) Refs() []expr.Ref { return slices.Clone(s.refs) }

// Aliases returns the names of the aliases that s uses, each once, in order.
func (s *Selector) Aliases() []string {
	var names []string
	for i := range s.refs {
		r := &s.refs[i]
		if r.Root == expr.RootSelectors && !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}
