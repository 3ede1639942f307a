package expr

// Templates: texts with references in them.

import (
	"strings"

	"github.com/actionregistry/action/diag"
)

// A Segment is a piece of a template: a reference, or the text between references.
type Segment struct {
	// Text is the text in the result. It is empty for a reference. Each "$${" in the source has its
	// own segment with the text "${". All other texts are as in the source.
	Text string
	// Ref is the reference. It is nil for text. It must not be changed.
	Ref *Ref
	// Start and End are byte offsets in the source.
	Start, End int
}

// A Template is a parsed text. It is immutable and safe for concurrent use.
type Template struct {
	segments []Segment
	refs     []*Ref
	limit    int // maximum length of the result in bytes
}

// ParseTemplate parses src. A text without "${" is valid unless it is too long. The errors are
// those of [ParseCondition].
func ParseTemplate(src string, o Options) (*Template, error) {
	p := newParser(src, &o)
	t := &Template{limit: p.lim.OutputBytes}
	if !strings.Contains(src, "${") {
		if len(src) > t.limit {
			return nil, p.fail(0, diag.LimitExceeded, "found a text of %d bytes, expected at most %d", len(src), t.limit).
				WithHint("split the text")
		}
		if src != "" {
			t.segments = []Segment{{Text: src, End: len(src)}}
		}
		return t, nil
	}
	p.checkSource()
	for p.off < len(src) {
		p.templateSegments(t)
	}
	if p.err != nil {
		return nil, p.err
	}
	t.refs = p.refs
	return t, nil
}

// templateSegments reads the text up to the next "${", and the reference or escape there.
func (p *parser) templateSegments(t *Template) {
	start := p.off
	n := strings.Index(p.src[start:], "${")
	if n < 0 {
		p.off = len(p.src)
		t.addText(p.src[start:], start, p.off)
		return
	}
	at := start + n
	escaped := n > 0 && p.src[at-1] == '$'
	if escaped {
		at--
	}
	t.addText(p.src[start:at], start, at)
	p.off = at
	if escaped {
		p.off += len("$${")
		t.addText("${", at, p.off)
		return
	}
	if r := p.ref(); p.err == nil {
		t.segments = append(t.segments, Segment{Ref: r, Start: r.Start, End: r.End})
	}
}

func (t *Template) addText(s string, start, end int) {
	if s != "" {
		t.segments = append(t.segments, Segment{Text: s, Start: start, End: end})
	}
}

// Eval returns the value of t in s. If t is a single reference, the result is the value of the
// reference, shared with s. Otherwise it is a string. A nil s is an empty scope. The error is
// LIMIT_EXCEEDED for a text that is too long, or an error of [Ref.Value].
func (t *Template) Eval(s *Scope) (any, error) {
	if len(t.segments) == 1 && t.segments[0].Ref != nil {
		if s == nil {
			s = &Scope{}
		}
		return t.segments[0].Ref.value(s)
	}
	return t.Text(s)
}

// Text is like Eval, but always returns a string. A missing value is empty. Arrays and objects are
// compact JSON.
func (t *Template) Text(s *Scope) (string, error) {
	if s == nil {
		s = &Scope{}
	}
	if len(t.segments) == 1 && t.segments[0].Ref == nil {
		return t.segments[0].Text, nil
	}
	var stack [128]byte
	buf := stack[:0]
	for i := range t.segments {
		seg := &t.segments[i]
		if seg.Ref == nil {
			buf = append(buf, seg.Text...)
		} else {
			v, err := seg.Ref.value(s)
			if err != nil {
				return "", err
			}
			buf = appendText(buf, v, t.limit)
		}
		if len(buf) > t.limit {
			return "", t.tooLong(seg)
		}
	}
	return string(buf), nil
}

func (t *Template) tooLong(seg *Segment) error {
	var pos diag.Pos
	if seg.Ref != nil {
		pos = seg.Ref.Pos
	} else if len(t.refs) > 0 {
		pos = t.refs[len(t.refs)-1].Pos
	}
	return diag.At(pos, diag.LimitExceeded, "found a text that is too long after its values were inserted, expected at most %d bytes", t.limit).
		WithHint("insert shorter values, or use one reference without text around it: then this limit does not apply")
}

// Refs returns the references of t in source order. The caller may change the slice, but not the
// paths in it.
func (t *Template) Refs() []Ref { return copyRefs(t.refs) }

// Segments returns the pieces of t in order. The slice is shared and must not
// be changed.
func (t *Template) Segments() []Segment { return t.segments }

// Literal returns the text of t. Ok is false if t has references.
func (t *Template) Literal() (text string, ok bool) {
	if len(t.refs) > 0 {
		return "", false
	}
	if len(t.segments) == 1 {
		return t.segments[0].Text, true
	}
	var b strings.Builder
	for i := range t.segments {
		b.WriteString(t.segments[i].Text)
	}
	return b.String(), true
}

// Single returns the reference if t is one reference without any text around it.
func (t *Template) Single() (Ref, bool) {
	if len(t.segments) == 1 && t.segments[0].Ref != nil {
		return *t.segments[0].Ref, true
	}
	return Ref{}, false
}

// String returns t in its canonical form. Parsing this form with the same locals gives an equal
// template.
func (t *Template) String() string {
	var b strings.Builder
	for _, s := range t.segments {
		switch {
		case s.Ref != nil:
			s.Ref.write(&b)
		case s.Text == "${":
			b.WriteString("$${")
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}
