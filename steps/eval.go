package steps

import (
	"strings"

	"actionregistry/expr"
)

// Eval returns the value as plain data. A selector gives its text with the
// values put in; a condition its truth.
func (x *Expr) Eval(s *expr.Scope) (any, error) {
	switch {
	case x.template != nil:
		return x.template.Eval(s)
	case x.selector != nil:
		return x.selector.Source(s), nil
	case x.condition != nil:
		return x.condition.Eval(s)
	case x.items != nil:
		out := make([]any, len(x.items))
		for i, item := range x.items {
			v, err := item.Eval(s)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case x.fields != nil:
		out := make(map[string]any, len(x.fields))
		for k, f := range x.fields {
			if f == nil {
				continue
			}
			v, err := f.Eval(s)
			if err != nil {
				return nil, err
			}
			out[k] = v
		}
		return out, nil
	}
	return x.literal, nil
}

// Show returns the value as a plan shows it: references for which known is false
// stand as ‹steps.x›.
func (x *Expr) Show(s *expr.Scope, known func(*expr.Ref) bool) any {
	switch {
	case x.template != nil:
		return showTemplate(x.template, s, known)
	case x.selector != nil:
		return x.selector.Show(s, func(r *expr.Ref) string {
			if known(r) || r.Root == expr.RootSelectors {
				return ""
			}
			return ShowRef(r, s, known)
		})
	case x.condition != nil:
		return x.condition.String()
	case x.items != nil:
		out := make([]any, len(x.items))
		for i, item := range x.items {
			out[i] = item.Show(s, known)
		}
		return out
	case x.fields != nil:
		out := make(map[string]any, len(x.fields))
		for k, f := range x.fields {
			if f != nil {
				out[k] = f.Show(s, known)
			}
		}
		return out
	}
	return x.literal
}

func showTemplate(t *expr.Template, s *expr.Scope, known func(*expr.Ref) bool) any {
	if ref, ok := t.Single(); ok && known(&ref) {
		v, _ := ref.Value(s) // a parsed reference has no error
		return v
	}
	var b strings.Builder
	for _, seg := range t.Segments() {
		if seg.Ref == nil {
			b.WriteString(seg.Text)
			continue
		}
		b.WriteString(ShowRef(seg.Ref, s, known))
	}
	return b.String()
}

// ShowRef returns the text of one reference, or ‹root.name› when it is not
// known.
func ShowRef(r *expr.Ref, s *expr.Scope, known func(*expr.Ref) bool) string {
	if !known(r) {
		inner := strings.TrimSuffix(strings.TrimPrefix(r.String(), "${"), "}")
		return "‹" + inner + "›"
	}
	v, _ := r.Value(s) // a parsed reference has no error
	return expr.Text(v)
}

// Refs returns every reference in the value.
func (x *Expr) Refs() []expr.Ref {
	var out []expr.Ref
	if x == nil {
		return nil
	}
	switch {
	case x.template != nil:
		return x.template.Refs()
	case x.selector != nil:
		return x.selector.Refs()
	case x.condition != nil:
		return x.condition.Refs()
	}
	for _, item := range x.items {
		out = append(out, item.Refs()...)
	}
	for _, k := range x.keys {
		out = append(out, x.fields[k].Refs()...)
	}
	if x.keys == nil {
		for _, f := range x.fields {
			out = append(out, f.Refs()...)
		}
	}
	return out
}

func (x *Expr) hasSelector() bool {
	if x == nil {
		return false
	}
	if x.selector != nil {
		return true
	}
	for _, f := range x.fields {
		if f.hasSelector() {
			return true
		}
	}
	return false
}

// literalText is the text of an argument that holds no reference; ok is false
// when its value is only known at run.
func (x *Expr) literalText() (text string, ok bool) {
	if x == nil {
		return "", false
	}
	if x.template != nil {
		return x.template.Literal()
	}
	text, ok = x.literal.(string)
	return text, ok
}
