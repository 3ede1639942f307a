package selectors

// The parts of a selector that contain no other selector: their kinds and their bodies.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// reference reads a part that consists of one reference.
func (p *parser) reference() (part, error) {
	r := p.holes[p.i]
	at := p.i
	p.i++
	switch {
	case r.Root == expr.RootSelectors && len(r.Path) > 0:
		return nil, p.fail(at, "found a path after the alias %s, expected none", r.Name).
			WithHint("write ${selectors.%s}", r.Name)
	case r.Root == expr.RootSelectors && len(r.Filters()) > 0:
		return nil, p.fail(at, "found a filter after the alias %s, expected none", r.Name).
			WithHint("write ${selectors.%s}: filters apply to texts, and an alias is not a text", r.Name)
	case r.Root == expr.RootSelectors:
		if p.o.Aliases != nil && !p.o.Aliases(r.Name) {
			return nil, p.unknownAlias(at, r.Name)
		}
		return &aliasPart{r}, nil
	case r.Root == expr.RootSteps:
		return &stepPart{r}, nil
	case r.Root == expr.RootParams && len(r.Path) == 0 && p.isSelectorParam(r.Name):
		// The value of the param was checked together with the other params. A filter would change
		// it into a selector that nobody has checked.
		if i := slices.IndexFunc(r.Filters(), func(name string) bool { return name != "default" }); i >= 0 {
			return nil, p.fail(at, "found the filter %s after the selector param %s, expected none", r.Filters()[i], r.Name).
				WithHint("remove the filter: the only filter allowed here is default, as in ${%s | default 'css:body'}", r.Name)
		}
		return &paramPart{r}, nil
	}
	e := p.fail(at, "found %s as a whole selector, expected an alias, a ref from a step, or a param of type selector", r)
	if r.Root == expr.RootParams {
		return nil, e.WithHint("declare the param with type: selector, or write a kind before the value, as in text:%s", r)
	}
	return nil, e.WithHint("write a kind before the value, as in text:%s", r)
}

func (p *parser) unknownAlias(at int, name string) error {
	e := p.fail(at, "unknown selector alias %s", name)
	if hint := diag.DidYouMean(name, p.o.AliasNames); hint != "" {
		return e.WithHint("%s", hint)
	}
	return e.WithHint("define %s under selectors", name)
}

var (
	kindPattern = lazy(`^([A-Za-z][A-Za-z0-9_-]*)([*~^$|]?):`)
	pseudoName  = lazy(`^:?(-?[A-Za-z][A-Za-z0-9-]*)`)
)

// kind reads the kind and the operator of a part, such as "text*:". It returns their length, with
// the colon. For CSS without a kind, the length is 0.
func (p *parser) kind() (Kind, Op, int, error) {
	m := kindPattern().FindStringSubmatch(p.buf[p.i:])
	if m == nil {
		return p.word()
	}
	kind, op, n := Kind(m[1]), Op(m[2]), len(m[0])
	x := infoOf(kind)
	switch {
	case x == nil:
		rest := p.buf[p.i+n:]
		if op == "" && isPseudo(rest) {
			return CSS, Equals, 0, nil
		}
		return "", "", 0, p.unknownKind(m[1], rest)
	case x.form == wordForm:
		return "", "", 0, p.fail(p.i+len(kind), "found %s after `%s`, expected nothing", m[0][len(kind):], kind).
			WithHint("write %s without a colon; for CSS write css:%s:…", kind, kind)
	case op != "" && !slices.Contains(x.ops, op):
		e := p.fail(p.i+len(kind), "found %s after %s, expected :", op, kind)
		if len(x.ops) == 0 {
			return "", "", 0, e.WithHint("write `%s:` without an operator", kind)
		}
		return "", "", 0, e.WithHint("write `%s:…`, or one of the forms %s", kind, x.opForms())
	}
	return kind, op, n, nil
}

var (
	firstWord = lazy(`^[A-Za-z][A-Za-z0-9_-]*`)
	refWord   = lazy(`^e[0-9]{1,9}$`)
)

// word is like kind, for a part without a colon. It returns an error if the part looks like a kind
// without its colon.
func (p *parser) word() (Kind, Op, int, error) {
	word := firstWord().FindString(p.buf[p.i:])
	x, end := infoOf(Kind(word)), p.i+len(word)
	alone := end == len(p.buf) || isSpace(p.buf[end]) || p.buf[end] == ')'
	switch {
	case (alone || strings.HasPrefix(p.buf[end:], ">>")) && refWord().MatchString(word): // no element has such a name
		return "", "", 0, p.fail(p.i, "found %s, expected @%[1]s", word).
			WithHint("a ref begins with @: write @%s; for elements with that name write css:%[1]s", word)
	case x == nil:
		return CSS, Equals, 0, nil
	case x.form == wordForm && alone:
		return x.kind, Equals, len(word), nil
	case x.form == emptyForm && alone, (x.form == insideForm || x.form == listForm) && p.byteAt(end) == '(':
		return "", "", 0, p.fail(end, "found %s after %s, expected :", p.found(end), word).
			WithHint("write %s:%s", word, x.short)
	}
	return CSS, Equals, 0, nil
}

func (x *kindInfo) opForms() string {
	var forms []string
	for _, op := range x.ops {
		forms = append(forms, string(x.kind)+string(op)+":")
	}
	return strings.Join(forms, " and ")
}

func (p *parser) unknownKind(name, rest string) error {
	e := p.fail(p.i, "unknown selector kind %s", name)
	if m := pseudoName().FindStringSubmatch(rest); m != nil && notCSS[m[1]] != "" && !strings.HasPrefix(rest, ":") {
		return e.WithHint("CSS has no :%s; %s", m[1], notCSS[m[1]])
	}
	if text := "@" + name + ":" + firstWord().FindString(rest); refPattern().MatchString(text) {
		return e.WithHint("a ref begins with @: write %s", text)
	}
	if k := diag.Nearest(name, kindNames()); k != "" {
		return e.WithHint("did you mean %s? For CSS write css:%s:…", infoOf(Kind(k)).usage(), name)
	}
	return e.WithHint("use one of: %s; for CSS write css:%s:…", strings.Join(kindNames(), ", "), name)
}

func kindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return names
}

func (p *parser) code(kind Kind, in around, prefix bool) (part, error) {
	end, err := p.codeEnd(in, kind == CSS)
	if err != nil {
		return nil, err
	}
	start, stop := p.trim(p.i, end)
	if kind == CSS && stop < end && escapedAt(p.buf[start:stop]) {
		stop++ // the backslash escapes the white space
	}
	if start >= stop {
		return nil, p.emptyBody(kind)
	}
	var body pieces
	if kind == CSS {
		body, err = p.css(start, stop)
	} else {
		body, err = p.xpath(start, stop)
	}
	p.i = end
	return &codePart{kind: kind, body: body, prefix: prefix}, err
}

func (p *parser) emptyBody(kind Kind) error {
	x := infoOf(kind)
	return p.fail(p.i, "found nothing after `%s:`, expected %s", kind, x.body).
		WithHint("write %s:%s", kind, x.short)
}

// text reads the body of a kind that compares text: plain text, or one string in double quotes.
func (p *parser) text(kind Kind, op Op, in around) (part, error) {
	p.space()
	at := p.i
	if p.ends(p.i, in) {
		return nil, p.emptyBody(kind)
	}
	body, err := p.textBody(in)
	if err != nil {
		return nil, err
	}
	if s, ok := body.literal(); ok && blank(s) {
		return nil, p.fail(at, "found an empty text after `%s:`, expected %s", kind, infoOf(kind).body).
			WithHint("an empty text would match anything; for an empty attribute write css:[%s='']", attrOf(kind, "alt"))
	}
	x := &textPart{kind: kind, op: op, body: body}
	if op == Matches {
		x.pattern, err = p.compile(body, at)
	}
	return x, err
}

func (p *parser) textBody(in around) (pieces, error) {
	if p.buf[p.i] == '"' {
		if end := p.stringEnd(p.i, true); end >= 0 && p.ends(end+1, in) {
			return p.quoted()
		}
	}
	end := p.textEnd(in)
	start, stop := p.trim(p.i, end)
	p.i = end
	return p.data(start, stop)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func (p *parser) nth(in around) (part, error) {
	p.space()
	start := p.i
	if p.isHole(p.i) && p.ends(p.i+1, in) {
		r, err := p.hole(p.i)
		p.i++
		return &nthPart{ref: r}, err
	}
	if p.ends(p.i, in) {
		return nil, p.emptyBody(Nth)
	}
	_, end := p.trim(p.i, p.textEnd(in))
	s := p.buf[start:end]
	p.i = end
	if !integerText().MatchString(s) {
		return nil, p.fail(start, "found nth:%s, expected an integer", p.show(start, end)).
			WithHint("the first match is nth:0, the last is nth:-1; nothing may stand beside a reference, as in nth:${index}")
	}
	n, err := strconv.Atoi(s)
	return &nthPart{index: n}, err
}

var refPattern = lazy(`^@?(?:(snap_[A-Za-z0-9]+):)?(e[0-9]{1,9})$`)

func (p *parser) ref(in around) (part, error) {
	start := p.i
	for p.i < len(p.buf) && !isSpace(p.buf[p.i]) && p.buf[p.i] != ')' {
		p.i++
	}
	m := refPattern().FindStringSubmatch(p.buf[start:p.i])
	if m == nil {
		return nil, p.fail(start, "found %s, expected a ref such as @e5 or @snap_ab12cd:e5", p.show(start, p.i)).
			WithHint("write a ref from a snapshot, as in @e5; a ref from a step is a part of its own, as in ${steps.found.ref}")
	}
	return &refPart{snapshot: m[1], ref: m[2]}, p.noMore("the ref", in)
}

// nest limits the depth of parentheses and frames.
func (p *parser) nest(at int) error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(at, "found selectors nested too deeply, expected at most %d levels", maxDepth).
			WithHint("define the inner part as an alias under selectors")
	}
	return nil
}

// noMore returns an error unless the part ends here. what names the body that it has read, for the
// message.
func (p *parser) noMore(what string, in around) error {
	if p.ends(p.i, in) {
		return nil
	}
	p.space()
	return p.fail(p.i, "found %s after %s, expected >> or the end", p.found(p.i), what).
		WithHint("separate parts with >> and a space on each side")
}
