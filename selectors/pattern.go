package selectors

// Patterns are written in RE2 and run as JavaScript in the page. The two differ in many details
// ("." and \s, (?i:…), \z, [[:alpha:]], \pL). A translation of the source piece by piece would get
// these details wrong. So regexp/syntax parses the source, and the tree is printed as equivalent
// JavaScript that needs only the flag u.

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// maxPatternBytes is the maximum length of the JavaScript of one pattern.
const maxPatternBytes = 64 << 10

// A pattern is JavaScript with holes in it.
type pattern struct {
	js    []jsPiece
	needs [][]string // see [QueryPart.Needs]
}

type jsPiece struct {
	text string
	ref  *expr.Ref
	as   letterCase // for the value of ref
}

var quantifierBefore = lazy(`\{[0-9]*,?$`)

// compile checks a pattern in RE2 syntax and translates it to JavaScript. If a hole is in a
// position where no value is allowed, it returns an error.
func (p *parser) compile(body pieces, at int) (*pattern, error) {
	prefix := "h"
	for _, x := range body {
		for strings.Contains(x.lit, prefix) {
			prefix += "_"
		}
	}
	var src strings.Builder
	refs := map[string]*expr.Ref{}
	var names []string // group names of refs, in order
	for _, x := range body {
		if x.ref == nil {
			src.WriteString(x.lit)
			continue
		}
		if quantifierBefore().MatchString(src.String()) || escapedAt(src.String()) {
			return nil, p.holeInPattern(at, x.ref)
		}
		name := prefix + strconv.Itoa(len(names))
		refs[name] = x.ref
		names = append(names, name)
		src.WriteString("(?P<" + name + ">)")
	}
	re, err := syntax.Parse(src.String(), syntax.Perl)
	if err != nil {
		return nil, p.badPattern(at, body, err, refs)
	}
	w := jsWriter{refs: refs, fold: foldsAll(src.String())}
	if w.fold {
		w.write(allFold)
	}
	w.node(re)
	for _, name := range names {
		if !w.seen[name] && w.size <= maxPatternBytes {
			return nil, p.holeInPattern(at, refs[name])
		}
	}
	if w.size > maxPatternBytes {
		return nil, p.fail(at, "found a pattern that becomes %d bytes of JavaScript, expected at most %d", w.size, maxPatternBytes).
			WithHint("write a shorter pattern")
	}
	w.flush()
	return &pattern{js: w.out, needs: needing{refs, w.letters}.of(re)}, nil
}

// allFold begins the source of a pattern that ignores case as a whole. Its letters are in lower case,
// and the page engine compares it with texts in lower case. Written in both cases, a pattern would be
// several times as long. With the flag i of JavaScript, V8 takes several times as long to compile it.
const allFold = "(?i)"

var otherFlags = lazy(`\(\?[^:P]`)

// foldsAll reports whether a pattern begins with (?i) and has no other flags.
func foldsAll(src string) bool {
	rest, ok := strings.CutPrefix(src, allFold)
	return ok && !otherFlags().MatchString(rest)
}

func (p *parser) holeInPattern(at int, r *expr.Ref) error {
	return p.fail(at, "found %s where a pattern cannot contain a reference", r).
		WithHint(`move the reference out of [ ], { } and group names, and remove a \ before the reference: values match literally`)
}

func (p *parser) badPattern(at int, body pieces, err error, refs map[string]*expr.Ref) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return p.fail(at, "found an invalid pattern, expected RE2 syntax: %v", err).WithHint("write the pattern in RE2 syntax")
	}
	found := se.Expr
	for name, r := range refs {
		found = strings.ReplaceAll(found, "(?P<"+name+">)", r.String())
	}
	e := p.fail(at, "found an invalid pattern, expected RE2 syntax: %s %s", se.Code, clip(found))
	for _, start := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(se.Expr, start) {
			return e.WithHint("RE2 has no look-around: write two parts separated by >>, or use has-text:")
		}
	}
	if se.Code == syntax.ErrInvalidEscape {
		return e.WithHint(`RE2 has no back-references; write a literal backslash as \\`)
	}
	return e.WithHint(`use RE2 syntax; to match a special character literally, put \ before it`)
}

// source returns the JavaScript with the values of its holes inserted. Each value is escaped and in
// a group.
func (pt *pattern) source(b *binder) (string, error) {
	var out strings.Builder
	for _, x := range pt.js {
		if x.ref == nil {
			out.WriteString(x.text)
			continue
		}
		s, err := b.text(x.ref)
		if err != nil {
			return "", err
		}
		out.WriteString("(?:" + jsValue(s, x.as) + ")")
		if out.Len() > maxValueBytes {
			return "", diag.At(x.ref.Pos, diag.LimitExceeded, "found a pattern that is too long after its values were inserted, expected at most %d bytes", maxValueBytes).
				WithHint("use a shorter value")
		}
	}
	return out.String(), nil
}

// jsValue returns a pattern that matches s literally. White space is compared as on a page: it is
// collapsed, trimmed, and optional between two CJK characters.
func jsValue(s string, as letterCase) string {
	runes := []rune(s)
	var b strings.Builder
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && isPageSpace(runes[end]) {
			end++
		}
		switch {
		case end == i:
			b.WriteString(jsRune(runes[i], as))
			if isInvisible(runes[i]) {
				b.WriteByte('?')
			}
			end++
		case i == 0:
			b.WriteString(`(?:^|\s+)`)
		case end == len(runes):
			b.WriteString(`(?:\s+|$)`)
		case isCJK(runes[i-1]) && isCJK(runes[end]):
			b.WriteString(`\s*`)
		default:
			b.WriteString(`\s+`)
		}
		i = end
	}
	return b.String()
}

// isPageSpace reports whether r is in \s of JavaScript.
func isPageSpace(r rune) bool { return unicode.IsSpace(r) && r != '\u0085' || r == '\ufeff' }

// isInvisible reports whether r is a character that a page ignores in comparisons.
func isInvisible(r rune) bool { return r == '\u200b' || r == '\u2060' || r == '\u00ad' }

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		0x3000 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xffef
}

// A jsWriter writes a parsed pattern as JavaScript.
type jsWriter struct {
	refs map[string]*expr.Ref
	fold bool // the whole pattern ignores case
	seen map[string]bool
	out  []jsPiece
	text strings.Builder
	size int
}

func (w *jsWriter) write(s string) {
	if w.size += len(s); w.size <= maxPatternBytes {
		w.text.WriteString(s)
	}
}

func (w *jsWriter) flush() {
	if w.text.Len() > 0 {
		w.out = append(w.out, jsPiece{text: w.text.String()})
		w.text.Reset()
	}
}

var jsFixed = map[syntax.Op]string{
	syntax.OpNoMatch:        `[]`,
	syntax.OpEmptyMatch:     `(?:)`,
	syntax.OpAnyCharNotNL:   `[^\n]`,
	syntax.OpAnyChar:        `[\s\S]`,
	syntax.OpBeginLine:      `(?:^|(?<=\n))`,
	syntax.OpEndLine:        `(?=\n|$)`,
	syntax.OpBeginText:      `^`,
	syntax.OpEndText:        `$`,
	syntax.OpWordBoundary:   `\b`,
	syntax.OpNoWordBoundary: `\B`,
}

func (w *jsWriter) node(re *syntax.Regexp) {
	if w.size > maxPatternBytes {
		return
	}
	if s, ok := jsFixed[re.Op]; ok {
		w.write(s)
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.write(jsRune(r, w.letters(re)))
		}
	case syntax.OpCharClass:
		w.write(jsClass(re.Rune))
	case syntax.OpCapture:
		w.capture(re)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if sub.Op == syntax.OpAlternate {
				w.group(sub)
			} else {
				w.node(sub)
			}
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			if i > 0 {
				w.write("|")
			}
			w.node(sub)
		}
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		w.group(re.Sub[0])
		w.write(quantifier(re))
		if re.Flags&syntax.NonGreedy != 0 {
			w.write("?")
		}
	}
}

func quantifier(re *syntax.Regexp) string {
	switch {
	case re.Op == syntax.OpStar:
		return "*"
	case re.Op == syntax.OpPlus:
		return "+"
	case re.Op == syntax.OpQuest:
		return "?"
	case re.Max < 0:
		return fmt.Sprintf("{%d,}", re.Min)
	case re.Max == re.Min:
		return fmt.Sprintf("{%d}", re.Min)
	}
	return fmt.Sprintf("{%d,%d}", re.Min, re.Max)
}

func (w *jsWriter) group(re *syntax.Regexp) {
	w.write("(?:")
	w.node(re)
	w.write(")")
}

// capture writes a hole, or a group that captures nothing.
func (w *jsWriter) capture(re *syntax.Regexp) {
	r := w.refs[re.Name]
	if re.Name == "" || r == nil {
		w.group(re.Sub[0])
		return
	}
	if w.seen == nil {
		w.seen = make(map[string]bool)
	}
	w.seen[re.Name] = true
	w.flush()
	w.out = append(w.out, jsPiece{ref: r, as: w.letters(re)})
}

// letters returns the way to print the letters of re.
func (w *jsWriter) letters(re *syntax.Regexp) letterCase {
	switch {
	case w.fold:
		return lowerCase
	case re.Flags&syntax.FoldCase != 0:
		return eitherCase
	}
	return asWritten
}

// jsRune returns a pattern for one character, and for the characters that differ from it only in
// case, unless it is printed as it is written.
func jsRune(r rune, as letterCase) string {
	if as != asWritten {
		same := lowered(r)
		if as == eitherCase {
			same = []rune{r}
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				same = append(same, next)
			}
		}
		if len(same) > 1 {
			var class []rune
			for _, c := range same {
				class = append(class, c, c)
			}
			return jsClass(class)
		}
		r = same[0]
	}
	switch {
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		return `\` + string(r)
	case r < 0x20 || r == 0x7f || r == '\u2028' || r == '\u2029':
		return jsCode(r)
	}
	return string(r)
}

// escapedAt reports whether s ends with a backslash that escapes the next character.
func escapedAt(s string) bool {
	return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1
}
