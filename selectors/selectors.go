// Package selectors parses the texts that name elements, such as
//
//	css:tr >> has-text:${params.name} >> role:button[name='Edit']
//
// and turns them into queries: plain data that the page engine evaluates.
//
// A text is parsed once, before any value is known; its references are nodes of the tree.
// [Selector.Bind] inserts the values and escapes each for its position, so that a value never
// becomes syntax.
//
// The package does not use pages. It checks only the quotes, brackets and names of CSS and XPath
// texts; the browser decides whether they are valid. It does not load aliases, know which exist,
// or decide which candidate wins; it only remembers the winners ([Cache]). docs/selectors.md
// describes the language, and a test parses its examples.
//
// Files, bottom to top: cache, pieces, query, kinds, scan, value, pseudo, css, class, needs,
// pattern, parts, role, parse, selectors, refs, print, bind, nested.
package selectors

import (
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// Limits of one selector. Parts inside parentheses and frames count too.
const (
	maxBytes = 4 << 10
	maxDepth = 10
	maxParts = 32
)

// Options configures parsing. The zero value is for a selector in a definition.
type Options struct {
	// Expr configures the parsing of references, and maps positions.
	Expr expr.Options
	// Literal disables references: "${" is then plain text. It is for selectors from the command
	// line and for values of params.
	Literal bool
	// Fragment allows a selector that begins with a filter or ends with a frame. It is for aliases
	// and params, which are parts of other selectors.
	Fragment bool
	// Inside is set for a selector that is searched inside an element, such as inside a row of the
	// step extract. It may begin with a filter.
	Inside bool
	// Alias is set for a selector of an alias. It must not contain document:.
	Alias bool
	// Scope, if not nil, is put before the selector. The selector may then begin with a filter. A
	// selector that begins with document: or with a ref ignores the scope.
	Scope *Selector
	// Code is the code of errors about a bad selector. "" means DEFINITION_INVALID.
	Code diag.Code
	// Aliases reports whether an alias exists. If it is nil, aliases are not checked.
	Aliases func(name string) bool
	// AliasNames are names that a hint may suggest.
	AliasNames []string
	// IsSelectorParam reports whether a param is of type selector. Nil means that no param is.
	IsSelectorParam func(name string) bool
}

// A Selector is a parsed text. It is immutable and safe for concurrent use.
type Selector struct {
	scope  *Selector // nil means the document
	narrow any       // key of a scope that [Narrowing] has made; such a scope has no parts
	parts  []part
	refs   []expr.Ref
	inside bool // see Options.Inside
	pos    diag.Pos
	code   diag.Code
}

// A part is one part of a selector, as in part >> part.
type part interface {
	// bind appends the query part, with the values of references inserted.
	bind(b *binder, to []QueryPart) ([]QueryPart, error)
	write(w *writer)
}

// Parse parses a selector. The error is a [*diag.Error] with a position and a hint. Its code is
// o.Code, or SECURITY_ERROR for a reference with a member such as __proto__.
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

// Narrowing returns a scope that a run can replace with an element. While [Binding.Narrowed]
// returns a ref for key, the element with this ref is the scope. Otherwise, the scope is the
// argument scope, which may be nil.
func Narrowing(scope *Selector, key any) *Selector {
	s := &Selector{scope: scope, narrow: key}
	if scope != nil {
		s.refs, s.pos, s.code = scope.refs, scope.pos, scope.code
	}
	return s
}

// In returns a copy of s with a scope. If scope is nil, In returns s. It also returns s if s
// already has a scope or begins with document:.
func (s *Selector) In(scope *Selector) *Selector {
	if scope == nil || s.scope != nil || isDocument(s.parts[0]) {
		return s
	}
	in := *s
	in.scope, in.refs = scope, slices.Concat(scope.refs, s.refs)
	return &in
}

// Refs returns all references, those of the scope first. The caller owns the slice, but must not
// change the paths of the references.
func (s *Selector) Refs() []expr.Ref { return slices.Clone(s.refs) }

// Aliases returns the names of the aliases that s uses, in order and without duplicates.
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
