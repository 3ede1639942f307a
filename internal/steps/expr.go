package steps

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

// An Expr is a compiled value of a definition: an argument, a param of `run` or an entry of
// `returns`. It is immutable and safe for concurrent use.
type Expr struct {
	Pos  diag.Pos
	Type ArgType

	Literal   any // the value, if no other field is set
	Template  *expr.Template
	Condition *expr.Condition
	Selector  *selectors.Selector
	Items     []*Expr
	Keys      []string // of Fields, in file order
	Fields    map[string]*Expr
}

// Eval returns the value as plain data. A selector becomes its text, and a condition becomes a
// boolean. If a list or a map exceeds [expr.MaxValueBytes], the error is LIMIT_EXCEEDED.
func (x *Expr) Eval(s *expr.Scope) (any, error) {
	if x.Items == nil && x.Fields == nil {
		return x.leaf(s)
	}
	return x.tree(s, s.Adder())
}

// leaf is Eval for a value that is neither a list nor a map.
func (x *Expr) leaf(s *expr.Scope) (any, error) {
	switch {
	case x.Template != nil:
		return x.Template.Eval(s)
	case x.Selector != nil:
		return x.Selector.Source(s), nil
	case x.Condition != nil:
		return x.Condition.Eval(s)
	}
	return x.Literal, nil
}

func (x *Expr) tree(s *expr.Scope, size *expr.Adder) (any, error) {
	switch {
	case x.Items != nil:
		out := make([]any, len(x.Items))
		for i, item := range x.Items {
			v, err := item.tree(s, size)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case x.Fields != nil:
		out := make(map[string]any, len(x.Fields))
		for k, f := range x.Fields {
			if f == nil {
				continue
			}
			v, err := f.tree(s, size)
			if err == nil {
				err = size.Add(k, f.Pos)
			}
			if err != nil {
				return nil, err
			}
			out[k] = v
		}
		return out, nil
	}
	v, err := x.leaf(s)
	if err == nil {
		err = size.Add(v, x.Pos)
	}
	return v, err
}

// Show returns the value for a plan. A reference is shown as ‹steps.x› if known returns false for
// it. A value that exceeds [expr.MaxValueBytes] is replaced by [expr.Omitted].
func (x *Expr) Show(s *expr.Scope, known func(*expr.Ref) bool) any {
	return x.show(s, known, s.Adder())
}

func (x *Expr) show(s *expr.Scope, known func(*expr.Ref) bool, size *expr.Adder) any {
	v := x.shown(s, known, size)
	if x.Items == nil && x.Fields == nil && size.Add(v, x.Pos) != nil {
		return expr.Omitted
	}
	return v
}

func (x *Expr) shown(s *expr.Scope, known func(*expr.Ref) bool, size *expr.Adder) any {
	switch {
	case x.Template != nil:
		return showTemplate(x.Template, s, known)
	case x.Selector != nil:
		return x.Selector.Show(s, func(r *expr.Ref) string {
			if known(r) || r.Root == expr.RootSelectors {
				return ""
			}
			return ShowRef(r, s, known)
		})
	case x.Condition != nil:
		return x.Condition.String()
	case x.Items != nil:
		out := make([]any, len(x.Items))
		for i, item := range x.Items {
			out[i] = item.show(s, known, size)
		}
		return out
	case x.Fields != nil:
		out := make(map[string]any, len(x.Fields))
		for k, f := range x.Fields {
			if f != nil {
				out[k] = f.show(s, known, size)
			}
		}
		return out
	}
	return x.Literal
}

func showTemplate(t *expr.Template, s *expr.Scope, known func(*expr.Ref) bool) any {
	if ref, ok := t.Single(); ok && known(&ref) {
		if v, err := ref.Value(s); err == nil {
			return v
		}
	}
	return ShowText(t, s, known)
}

// ShowText returns the text of a template for a plan. If the text is too long, it returns
// [expr.Omitted].
func ShowText(t *expr.Template, s *expr.Scope, known func(*expr.Ref) bool) string {
	var b strings.Builder
	for _, seg := range t.Segments() {
		if seg.Ref == nil {
			b.WriteString(seg.Text)
		} else {
			b.WriteString(ShowRef(seg.Ref, s, known))
		}
		if b.Len() > maxShownBytes {
			return expr.Omitted
		}
	}
	return b.String()
}

// maxShownBytes is the maximum size of the text that ShowText returns.
const maxShownBytes = 1 << 20

// ShowRef returns the text of one reference for a plan. If known returns false, or the value cannot
// be determined, the text is ‹root.name›.
func ShowRef(r *expr.Ref, s *expr.Scope, known func(*expr.Ref) bool) string {
	if known(r) {
		if v, err := r.Value(s); err == nil {
			return expr.Text(v)
		}
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(r.String(), "${"), "}")
	return "‹" + inner + "›"
}

// Refs returns all references in the value.
func (x *Expr) Refs() []expr.Ref {
	var out []expr.Ref
	if x == nil {
		return nil
	}
	switch {
	case x.Template != nil:
		return x.Template.Refs()
	case x.Selector != nil:
		return x.Selector.Refs()
	case x.Condition != nil:
		return x.Condition.Refs()
	}
	for _, item := range x.Items {
		out = append(out, item.Refs()...)
	}
	for _, k := range x.Keys {
		out = append(out, x.Fields[k].Refs()...)
	}
	if x.Keys == nil {
		for _, f := range x.Fields {
			out = append(out, f.Refs()...)
		}
	}
	return out
}

// HasSelector reports whether the value contains a selector.
func (x *Expr) HasSelector() bool {
	if x == nil {
		return false
	}
	if x.Selector != nil {
		return true
	}
	for _, f := range x.Fields {
		if f.HasSelector() {
			return true
		}
	}
	return false
}

// LiteralText returns the text of an argument. ok is false if the argument is absent, is not a
// text, or contains a reference.
func (x *Expr) LiteralText() (text string, ok bool) {
	if x == nil {
		return "", false
	}
	if x.Template != nil {
		return x.Template.Literal()
	}
	text, ok = x.Literal.(string)
	return text, ok
}
