package selectors

// References that stand for a whole part: refs of earlier steps, and params of type selector.

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

func (b *binder) stepRef(r *expr.Ref) (*refPart, error) {
	v, err := b.value(r)
	if err != nil {
		return nil, err
	}
	if v == nil || v == "" {
		return nil, diag.At(r.Pos, diag.ElementNotFound, "%s is empty, expected a ref", r).
			WithHint("the step that yields the ref found nothing or did not run: skip this step with `when`, or let that step fail")
	}
	s, _ := v.(string)
	m := refPattern().FindStringSubmatch(s)
	if m == nil {
		return nil, diag.At(r.Pos, diag.DefinitionInvalid, "%s is %s, expected a ref such as e5", r, describe(v)).
			WithHint("use the field `ref` of the step `find`, or write a kind before the text, as in text:%s", r)
	}
	return &refPart{snapshot: m[1], ref: m[2]}, nil
}

// param parses the value of a param of type selector. The value contains no references.
func (b *binder) param(r *expr.Ref) (*Selector, error) {
	v, err := b.value(r)
	if err != nil {
		return nil, err
	}
	text, ok := v.(string)
	if !ok || blank(text) {
		return nil, invalid(r, "%s is %s, expected a selector", r, describe(v)).
			WithHint("pass a selector such as css:#save or role:button[name='OK']")
	}
	s, err := Parse(text, Options{Literal: true, Fragment: true, Code: diag.ParamInvalid})
	if e := diag.As(err); e != nil {
		at := e.Clone()
		at.Pos = r.Pos
		at.Msg = "in the value " + describe(v) + " of " + r.String() + ": " + e.Msg
		return nil, at
	}
	return s, err
}
