package selectors

// role:button[name='OK'][checked]

import (
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

type rolePart struct {
	role    string
	roleRef *expr.Ref // if nil, role is used
	attrs   []roleAttr
}

// A roleAttr is one condition of a role, such as [name='OK']. Only conditions on "name" use op,
// body and pattern. Other conditions use value or ref.
type roleAttr struct {
	name    string
	op      Op
	body    pieces
	pattern *pattern
	value   any // bool, "mixed" or int
	ref     *expr.Ref
}

// roles lists the ARIA roles, and other roles that browsers compute. It also lists "clickable", the
// role in snapshots of an element that reacts to clicks but has no role.
var roles = strings.Fields(`
alert alertdialog application article associationlist associationlistitemkey associationlistitemvalue
banner blockquote button caption cell checkbox clickable code columnheader combobox comment complementary
contentinfo definition deletion dialog directory document emphasis feed figure form generic
graphics-document graphics-object graphics-symbol grid gridcell group heading image img insertion
link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider
spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term
textbox time timer toolbar tooltip tree treegrid treeitem
doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry
doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit
doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example
doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice
doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue
doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`)

// Roles returns the ARIA roles that role: accepts. The caller owns the slice.
func Roles() []string { return slices.Clone(roles) }

// roleSlips maps names that people write by mistake, such as names of elements, to roles.
var roleSlips = map[string]string{
	"a": "link", "anchor": "link", "input": "textbox", "textarea": "textbox", "text": "textbox",
	"select": "combobox", "dropdown": "combobox", "modal": "dialog", "ul": "list", "ol": "list",
	"li": "listitem", "tr": "row", "td": "cell", "th": "columnheader", "h1": "heading", "h2": "heading",
	"h3": "heading", "nav": "navigation", "header": "banner", "footer": "contentinfo", "toggle": "switch",
	"submit": "button", "number": "spinbutton", "range": "slider", "progress": "progressbar",
}

func roleHint(role string) string {
	if r := roleSlips[strings.ToLower(role)]; r != "" {
		return "did you mean " + r + "?"
	}
	if hint := diag.DidYouMean(role, roles); hint != "" {
		return hint
	}
	return "use a role of WAI-ARIA such as button, link, textbox, combobox or dialog"
}

func (p *parser) role(in around) (part, error) {
	p.space()
	if p.ends(p.i, in) {
		return nil, p.emptyBody(Role)
	}
	x := &rolePart{}
	if err := p.roleName(x, in); err != nil {
		return nil, err
	}
	for p.space(); p.peek(0) == '['; p.space() {
		a, err := p.roleAttr()
		if err != nil {
			return nil, err
		}
		x.attrs = append(x.attrs, a)
	}
	if !p.ends(p.i, in) {
		return nil, p.fail(p.i, "found %s after the role, expected [, >> or the end", p.found(p.i)).
			WithHint("write the name in brackets: role:button[name='OK']")
	}
	return x, nil
}

func (p *parser) roleName(x *rolePart, in around) error {
	start := p.i
	if p.isHole(p.i) {
		r, err := p.hole(p.i)
		x.roleRef = r
		p.i++
		return err
	}
	for p.i < len(p.buf) && (isAlnum(p.buf[p.i]) || p.buf[p.i] == '-' || p.buf[p.i] == '_') {
		p.i++
	}
	x.role = p.buf[start:p.i]
	switch {
	case x.role == "":
		return p.fail(start, "found %s after role:, expected an ARIA role", p.found(start)).
			WithHint("write a role such as role:button[name='OK']")
	case p.isHole(p.i):
		return p.fail(p.i, "found %s after %s, expected [, >> or the end", p.found(p.i), x.role).
			WithHint("write the role itself, or one reference as the whole role, as in role:${params.role}")
	case !slices.Contains(roles, x.role):
		return p.fail(start, "unknown ARIA role %s", x.role).WithHint("%s", roleHint(x.role))
	}
	return nil
}

var roleAttrNames = []string{"name", "checked", "disabled", "expanded", "selected", "pressed", "level"}

// roleAttr reads [name='OK']. The current byte must be the bracket.
func (p *parser) roleAttr() (roleAttr, error) {
	open := p.i
	p.i++
	p.space()
	start := p.i
	for p.i < len(p.buf) && (isAlnum(p.buf[p.i]) || p.buf[p.i] == '-' || p.buf[p.i] == '_') {
		p.i++
	}
	a := roleAttr{name: p.buf[start:p.i]}
	if !slices.Contains(roleAttrNames, a.name) {
		if a.name == "" {
			return a, p.fail(start, "found %s, expected the name of an attribute", p.found(start)).
				WithHint("use one of: %s", strings.Join(roleAttrNames, ", "))
		}
		return a, p.fail(start, "unknown attribute %s of a role, expected one of: %s", a.name, strings.Join(roleAttrNames, ", ")).
			WithHint("%s", diag.DidYouMean(strings.TrimPrefix(a.name, "aria-"), roleAttrNames))
	}
	p.space()
	has, err := p.roleOp(&a)
	if err != nil {
		return a, err
	}
	p.space()
	if a.name == "name" {
		err = p.roleNameValue(&a)
	} else {
		err = p.roleState(&a, has)
	}
	if err != nil {
		return a, err
	}
	p.space()
	if p.peek(0) != ']' {
		if p.i >= len(p.buf) {
			return a, p.fail(open, "found an unclosed [, expected ]").WithHint("close the bracket with ]")
		}
		return a, p.fail(p.i, "found %s, expected ]", p.found(p.i)).
			WithHint(`put the value in quotes; inside them write \' and \\`)
	}
	p.i++
	return a, nil
}

// roleOp reads the operator, if any.
func (p *parser) roleOp(a *roleAttr) (bool, error) {
	c := p.peek(0)
	switch {
	case c == '=':
		p.i++
		return true, nil
	case strings.IndexByte("*~^$|!", c) >= 0 && c != 0 && p.peek(1) == '=':
		if c != '*' && c != '~' || a.name != "name" {
			return false, p.fail(p.i, "found %c= after %s, expected =", c, a.name).
				WithHint("name takes =, *= (contains) and ~=/pattern/; other attributes take only =")
		}
		a.op = Op(c)
		p.i += 2
		return true, nil
	case a.name == "name":
		return false, p.fail(p.i, "found %s after name, expected =", p.found(p.i)).
			WithHint("write [name='OK'], [name*='part'] or [name~=/pattern/]")
	}
	return false, nil
}

func (p *parser) roleNameValue(a *roleAttr) error {
	at := p.i
	var err error
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		a.body, err = p.quoted()
	case c == '/' && a.op == Matches:
		a.body, err = p.slashed()
	case a.op == Matches && !p.isHole(p.i):
		return p.fail(at, "found %s after name~=, expected /", p.found(at)).
			WithHint("write [name~=/pattern/]")
	default:
		end := strings.IndexByte(p.buf[p.i:], ']')
		if end < 0 {
			return p.fail(at, "found an unclosed name, expected ]").WithHint("close the bracket with ]")
		}
		start, stop := p.trim(p.i, p.i+end)
		p.i += end
		if start == stop {
			return p.fail(at, "found nothing after name%s=, expected a value", a.op).WithHint("write [name='OK'], or [name=''] for an empty name")
		}
		a.body, err = p.data(start, stop)
	}
	if err != nil {
		return err
	}
	if s, ok := a.body.literal(); ok && a.op != Equals && s == "" {
		return p.fail(at, "found an empty text after name%s=, which every name contains", a.op).
			WithHint("omit the attribute, or write [name=''] for elements without a name")
	}
	if a.op == Matches {
		a.pattern, err = p.compile(a.body, at)
	}
	return err
}

// slashed reads /pattern/flags. The current byte must be the first slash. The flags i and s
// become (?i) and (?s) in the pattern.
func (p *parser) slashed() (pieces, error) {
	start := p.i
	class := false
	for p.i++; p.i < len(p.buf); p.i++ {
		switch c := p.buf[p.i]; {
		case c == '\\':
			p.i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			body, err := p.data(start+1, p.i)
			if err != nil {
				return nil, err
			}
			flags := p.i + 1
			for p.i++; p.i < len(p.buf) && isAlnum(p.buf[p.i]); p.i++ {
				if c := p.buf[p.i]; c != 'i' && c != 's' {
					return nil, p.fail(p.i, "found the flag %c of a pattern, expected i or s", c).
						WithHint("remove the flag: patterns match anywhere in the text and support Unicode")
				}
			}
			if flags < p.i && len(body) > 0 {
				body = append(pieces{}.text("(?"+p.buf[flags:p.i]+")"), body...).joined()
			}
			return body, nil
		}
	}
	return nil, p.fail(start, "found an unclosed pattern, expected / at its end").WithHint(`close the pattern with /; write \/ for a slash inside`)
}

// joined merges neighbouring texts.
func (ps pieces) joined() pieces {
	var out pieces
	for _, x := range ps {
		if x.ref == nil && x.group == nil {
			out = out.text(x.lit)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// roleState reads the value of a state such as "checked", or of "level".
func (p *parser) roleState(a *roleAttr, has bool) error {
	if !has {
		if a.name == "level" {
			return p.fail(p.i, "found level without a value, expected a number").WithHint("write [level=1]")
		}
		a.value = true
		return nil
	}
	at := p.i
	if p.isHole(p.i) {
		r, err := p.hole(p.i)
		a.ref = r
		p.i++
		return err
	}
	var s string
	if c := p.peek(0); c == '"' || c == '\'' {
		body, err := p.quoted()
		if err != nil {
			return err
		}
		if len(body) == 1 && body[0].ref != nil {
			a.ref = body[0].ref
			return nil
		}
		s, _ = body.literal()
	} else {
		for p.i < len(p.buf) && (isAlnum(p.buf[p.i]) || p.buf[p.i] == '-') {
			p.i++
		}
		s = p.buf[at:p.i]
	}
	var ok bool
	if a.value, ok = stateValue(a.name, s); !ok {
		return p.fail(at, "found %s as the value of the attribute %s, expected %s", strconv.Quote(clip(s)), a.name, stateValues(a.name)).
			WithHint("write [%s=%s]", a.name, strings.Fields(stateValues(a.name))[0])
	}
	return nil
}

// stateValue converts a text to the value of the attribute with that name, such as "checked" or
// "level". It returns false if the text does not fit the attribute.
func stateValue(name, s string) (any, bool) {
	switch {
	case name == "level":
		n, err := strconv.Atoi(s)
		return n, err == nil && integerText().MatchString(s) && n > 0
	case s == "true" || s == "false":
		return s == "true", true
	case s == "mixed" && (name == "checked" || name == "pressed"):
		return s, true
	}
	return nil, false
}

func stateValues(name string) string {
	switch name {
	case "level":
		return "1 or more"
	case "checked", "pressed":
		return "true or false or mixed"
	}
	return "true or false"
}
