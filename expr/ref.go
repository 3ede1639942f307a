package expr

// References: their syntax, their parser, and their values with filters applied.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A Key is one segment of a path: a member by name, or an item by index.
type Key struct {
	Name    string
	Index   int // from 0, negative from the end; meaningful when IsIndex
	IsIndex bool
}

// A Ref is a reference: ${root.name…}.
type Ref struct {
	Root Root
	// Name is the member of the root, such as the name of a param or an output. For RootLocal, it is
	// the name of the local. For RootModifier, it is empty.
	Name string
	// Path is the rest of the path.
	Path []Key
	// Pos is the position of the "$".
	Pos diag.Pos
	// Start and End are byte offsets in the source: of the "$", and just after the "}".
	Start, End int

	filters []call
}

// String returns the reference in its canonical form, with its filters and braces. A short form
// is written in full.
func (r *Ref) String() string {
	var b strings.Builder
	r.write(&b)
	return b.String()
}

func (r *Ref) write(b *strings.Builder) {
	b.WriteString("${")
	switch r.Root {
	case RootLocal:
		b.WriteString(r.Name)
	case RootModifier:
		b.WriteString("modifier")
	default:
		b.WriteString(r.Root.String())
		Key{Name: r.Name}.write(b)
	}
	for _, k := range r.Path {
		k.write(b)
	}
	for i := range r.filters {
		r.filters[i].write(b)
	}
	b.WriteByte('}')
}

func (k Key) write(b *strings.Builder) {
	switch {
	case k.IsIndex:
		b.WriteByte('[')
		b.WriteString(strconv.Itoa(k.Index))
		b.WriteByte(']')
	case isName(k.Name):
		b.WriteByte('.')
		b.WriteString(k.Name)
	default:
		b.WriteByte('[')
		writeQuoted(b, k.Name, '"')
		b.WriteByte(']')
	}
}

// ref reads a reference. The next bytes must be "${". After an error the result is meaningless.
func (p *parser) ref() *Ref {
	r := &Ref{Start: p.off}
	p.off += len("${")
	p.space()
	p.root(r)
	for p.err == nil && (p.peek(0) == '.' || p.peek(0) == '[') {
		p.segment(r)
	}
	if p.err != nil {
		return r
	}
	if name := r.Root.String(); r.Name == "" && r.Root != RootModifier && p.opts.Params[name] {
		// A bare root is not a valid reference, so a param may have the same name.
		r.Root, r.Name = RootParams, name
	}
	if r.Name == "" && r.Root != RootModifier {
		p.fail(r.Start, diag.DefinitionInvalid, "found %s without a member, expected a name after it", r.Root).
			WithHint("name a member: ${%s.NAME}", r.Root)
		return r
	}
	if p.calls(r); p.err != nil {
		return r
	}
	if p.peek(0) != '}' {
		p.unclosed(r)
		return r
	}
	p.off++
	r.Pos, r.End = p.pos(r.Start), p.off
	p.refs = append(p.refs, r)
	return r
}

// root reads the first name and determines the root.
func (p *parser) root(r *Ref) {
	start := p.off
	if !isNameStart(p.peek(0)) {
		p.noRoot(r)
		return
	}
	name := p.name()
	p.guard(start, name)
	r.Root = rootNamed(name)
	switch {
	case r.Root != 0:
	case slices.Contains(p.opts.Locals, name):
		r.Root, r.Name = RootLocal, name
	case p.opts.Params[name]:
		r.Root, r.Name = RootParams, name
	case p.err == nil:
		p.unknownRoot(start, name)
	}
}

// segment reads ".name", "[0]" or "[\"any key\"]".
func (p *parser) segment(r *Ref) {
	start := p.off
	k := p.key()
	switch {
	case p.err != nil:
	case r.Root == RootModifier:
		p.fail(start, diag.DefinitionInvalid, "found a member of `modifier`, expected }").
			WithHint("`modifier` has no members: write ${modifier}, which is Meta or Control")
	case r.Name == "" && k.IsIndex:
		p.fail(start, diag.DefinitionInvalid, "found [%d] after %s, expected a name", k.Index, r.Root).
			WithHint("name a member: ${%s.NAME}", r.Root)
	case r.Name == "" && k.Name == "":
		p.fail(start, diag.DefinitionInvalid, "found an empty name after %s, expected the name of a member", r.Root).
			WithHint("name a member: ${%s.NAME}", r.Root)
	case r.Name == "":
		r.Name = k.Name
	case len(r.Path)+2 > p.lim.Depth:
		p.fail(start, diag.LimitExceeded, "found a path with too many segments, expected at most %d", p.lim.Depth).
			WithHint("compute part of the value in an earlier `set` step")
	default:
		r.Path = append(r.Path, k)
	}
}

func (p *parser) key() Key {
	start := p.off
	p.off++
	if p.src[start] == '.' {
		if !isNameStart(p.peek(0)) {
			p.badSegment(start)
			return Key{}
		}
		name := p.name()
		p.guard(start+1, name)
		return Key{Name: name}
	}
	var k Key
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		at := p.off
		k.Name = p.str("key")
		p.guard(at, k.Name)
	case isDigit(c), c == '-' && isDigit(p.peek(1)):
		at := p.off
		if c == '-' {
			p.off++
		}
		p.digits()
		n, err := strconv.ParseInt(p.src[at:p.off], 10, 32)
		if err != nil {
			p.fail(at, diag.DefinitionInvalid, "found the index %s, expected an index below 2147483648", clip(p.src[at:p.off])).
				WithHint(`to use the number as a key, quote it: ["%s"]`, clip(p.src[at:p.off]))
		}
		k = Key{Index: int(n), IsIndex: true}
	default:
		p.badSegment(start)
	}
	if p.err != nil {
		return k
	}
	if p.peek(0) != ']' {
		p.fail(p.off, diag.DefinitionInvalid, "found %s, expected ]", p.found(p.off)).
			WithHint(`write an index as [0] and a key as ["any key"]`)
		return k
	}
	p.off++
	return k
}

// guard rejects names such as __proto__, by which a script could reach a prototype. Paths are also
// evaluated in pages.
func (p *parser) guard(off int, name string) {
	if isPrototype(name) {
		p.fail(off, diag.SecurityError, "found the forbidden name %s in a path", name).
			WithHint("a path must not contain __proto__, constructor or prototype: rename the member")
	}
}

func isPrototype(name string) bool {
	return name == "__proto__" || name == "constructor" || name == "prototype"
}

// Value returns the value of r in s, after its filters. It is nil if a part of the path is missing.
// The result is shared with s. The error is PARAM_INVALID for a value that a filter does not
// accept, LIMIT_EXCEEDED for a result that is too large, and context.Canceled when s.Done is
// closed. It can be SECURITY_ERROR only for a Ref that was not made by the parser.
func (r *Ref) Value(s *Scope) (any, error) {
	for i := -1; i < len(r.Path); i++ {
		name := r.Name
		if i >= 0 {
			name = r.Path[i].Name
		}
		if isPrototype(name) {
			return nil, diag.At(r.Pos, diag.SecurityError, "found the forbidden name %s in a path", name).
				WithHint("a path must not contain __proto__, constructor or prototype: rename the member")
		}
	}
	return r.value(s)
}

func copyRefs(refs []*Ref) []Ref {
	out := make([]Ref, len(refs))
	for i, r := range refs {
		out[i] = *r
	}
	return out
}
