package expr

// Evaluation of conditions: a tree walk that allocates nothing.

import (
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/actionregistry/action/diag"
)

// maxPatternBytes bounds a pattern that is known only at run time. A literal pattern is bounded
// by the length of the source.
const maxPatternBytes = 4 << 10

// Eval evaluates c in s. A nil s is an empty scope. The error is a [*diag.Error]: PARAM_INVALID
// if a pattern from a value is invalid, or an error of [Ref.Value].
func (c *Condition) Eval(s *Scope) (bool, error) {
	if s == nil {
		s = &Scope{}
	}
	return truth(c.root, s)
}

func truth(n node, s *Scope) (bool, error) {
	switch n := n.(type) {
	case *logic:
		x, err := truth(n.x, s)
		if err != nil || x == n.or {
			return x, err
		}
		return truth(n.y, s)
	case *not:
		x, err := truth(n.x, s)
		return !x, err
	case *comparison:
		return n.decide(s)
	case *match:
		return n.decide(s)
	case *literal:
		return Truth(n.v), nil
	case *Ref:
		v, err := n.value(s)
		return err == nil && Truth(v), err
	}
	panic("expr: unknown node")
}

func value(n node, s *Scope) (any, error) {
	switch n := n.(type) {
	case *literal:
		return n.v, nil
	case *Ref:
		return n.value(s)
	}
	return truth(n, s)
}

func (n *comparison) decide(s *Scope) (bool, error) {
	x, err := value(n.x, s)
	if err != nil {
		return false, err
	}
	y, err := value(n.y, s)
	if err != nil {
		return false, err
	}
	return compare(n.op, x, y), nil
}

func compare(op op, x, y any) bool {
	switch op {
	case opEqual:
		return Equal(x, y)
	case opNotEqual:
		return !Equal(x, y)
	case opContains:
		return contains(x, y)
	case opIn:
		return in(x, y)
	case opStartsWith, opEndsWith:
		s, ok1 := x.(string)
		part, ok2 := y.(string)
		if !ok1 || !ok2 {
			return false
		}
		if op == opStartsWith {
			return strings.HasPrefix(s, part)
		}
		return strings.HasSuffix(s, part)
	}
	order, ok := Compare(x, y)
	if !ok {
		return false
	}
	switch op {
	case opGreater:
		return order > 0
	case opLess:
		return order < 0
	case opGreaterEqual:
		return order >= 0
	}
	return order <= 0
}

func contains(x, y any) bool {
	switch x := x.(type) {
	case string:
		part, ok := y.(string)
		return ok && strings.Contains(x, part)
	case []any:
		for _, v := range x {
			if Equal(v, y) {
				return true
			}
		}
	}
	return false
}

func in(x, y any) bool {
	switch y := y.(type) {
	case []any:
		return contains(y, x)
	case map[string]any:
		if key, ok := x.(string); ok {
			_, found := y[key]
			return found
		}
	}
	return false
}

// decide evaluates m. It compiles a pattern that is known only at run time.
func (m *match) decide(s *Scope) (bool, error) {
	x, err := value(m.x, s)
	if err != nil {
		return false, err
	}
	re := m.re
	if re == nil {
		y, err := value(m.y, s)
		if err != nil {
			return false, err
		}
		if re, err = m.compile(y); err != nil {
			return false, err
		}
	}
	text, ok := x.(string)
	if !ok {
		return false, nil
	}
	return Matches(re, text, s.Done)
}

// Matches reports whether re matches text. A match in a long text can take minutes. If done is
// closed meanwhile, the error is context.Canceled. A nil done is never closed.
func Matches(re *regexp.Regexp, text string, done <-chan struct{}) (bool, error) {
	if len(text) <= longText || done == nil {
		return re.MatchString(text), nil
	}
	in := &stoppable{r: strings.NewReader(text), done: done}
	ok := re.MatchReader(in)
	if in.stopped {
		return false, context.Canceled
	}
	return ok, nil
}

// longText is the length of a text above which Matches checks done. The checks make matching
// slower.
const longText = 64 << 10

// stoppable is a reader that ends the text early when the channel done is closed.
type stoppable struct {
	r       *strings.Reader
	done    <-chan struct{}
	n       int
	stopped bool
}

func (s *stoppable) ReadRune() (r rune, size int, err error) {
	if s.n++; s.n%256 == 0 {
		select {
		case <-s.done:
			s.stopped = true
			return 0, 0, io.EOF
		default:
		}
	}
	return s.r.ReadRune()
}

func (m *match) compile(y any) (*regexp.Regexp, error) {
	pattern, ok := y.(string)
	if !ok {
		return nil, diag.At(m.pos, diag.ParamInvalid, "found %s after the operator `matches`, expected a pattern as a text", kindOf(y)).
			WithHint("pass the pattern as a text")
	}
	if len(pattern) > maxPatternBytes {
		return nil, diag.At(m.pos, diag.ParamInvalid, "found a pattern of %d bytes, expected at most %d", len(pattern), maxPatternBytes).
			WithHint("shorten the pattern; to search for plain text, use the operator `contains`")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, diag.At(m.pos, diag.ParamInvalid, "found an invalid pattern after the operator `matches`, expected RE2 syntax: %s", patternReason(err)).
			WithHint("%s", patternHint(err))
	}
	return re, nil
}

// Decide is like Eval, for a dry run in which some values are not known yet. The function "unknown"
// reports whether the value of a reference is not known. It must not be nil. decided is false if
// the result depends on such a value.
func (c *Condition) Decide(s *Scope, unknown func(*Ref) bool) (result, decided bool, err error) {
	if s == nil {
		s = &Scope{}
	}
	return decide(c.root, s, unknown)
}

func decide(n node, s *Scope, unknown func(*Ref) bool) (result, decided bool, err error) {
	switch n := n.(type) {
	case *logic:
		x, known, err := decide(n.x, s, unknown)
		if err != nil || known && x == n.or {
			return x, known, err
		}
		y, knownY, err := decide(n.y, s, unknown)
		if knownY && (known || y == n.or) {
			return y, true, err
		}
		return false, false, err
	case *not:
		x, known, err := decide(n.x, s, unknown)
		return known && !x, known, err
	case *comparison:
		if known, err := decidable(n.x, n.y, s, unknown); !known || err != nil {
			return false, false, err
		}
	case *match:
		if known, err := decidable(n.x, n.y, s, unknown); !known || err != nil {
			return false, false, err
		}
	case *Ref:
		if unknown(n) {
			return false, false, nil
		}
	}
	result, err = truth(n, s)
	return result, err == nil, err
}

// decidable reports whether the values of both operands of a comparison are known.
func decidable(x, y node, s *Scope, unknown func(*Ref) bool) (bool, error) {
	if _, known, err := decide(x, s, unknown); !known || err != nil {
		return false, err
	}
	_, known, err := decide(y, s, unknown)
	return known, err
}
