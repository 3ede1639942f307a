package trace

// The masking of values of each type.

import (
	"encoding/json"
	"sort"
	"strconv"

	"github.com/actionregistry/action/diag"
)

// String is [Masker.String].
func (p *Pass) String(s string) string { return p.text(s) }

// Value is [Masker.Value].
func (p *Pass) Value(v any) any {
	if len(p.secrets) == 0 {
		return v
	}
	return p.value(v)
}

// Map is [Masker.Map].
func (p *Pass) Map(v map[string]any) map[string]any {
	if len(p.secrets) == 0 || v == nil {
		return v
	}
	return p.entries(v)
}

// Error is [Masker.Error].
func (p *Pass) Error(e *diag.Error) *diag.Error {
	if len(p.secrets) == 0 || e == nil {
		return e
	}
	c := e.Clone()
	c.Msg = p.text(c.Msg)
	c.Hint = p.text(c.Hint)
	for i := range c.Notes {
		c.Notes[i].Msg = p.text(c.Notes[i].Msg)
	}
	if c.Details != nil {
		c.Details = p.entries(c.Details)
	}
	c.Err = nil
	return c
}

// text replaces every occurrence, the longest secret first.
func (p *Pass) text(text string) string {
	for i := range p.secrets {
		text = p.secrets[i].mask(text, p)
		if p.stopped {
			return Mask
		}
	}
	return text
}

// value does the work of Value. It is called only if there are secrets.
func (p *Pass) value(v any) any {
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return p.text(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = p.value(item)
		}
		return out
	case []string:
		out := make([]string, len(v))
		for i, item := range v {
			out[i] = p.text(item)
		}
		return out
	case map[string]any:
		return p.entries(v)
	}
	if text, ok := numberText(v); ok {
		if masked := p.text(text); masked != text {
			return masked
		}
		return v
	}
	if plain, ok := asJSON(v); ok {
		return p.value(plain)
	}
	return Mask // the value cannot be inspected, so it is not shown
}

// entries masks the keys and values of a map. Keys that masking makes equal get a number, in the
// order of the original keys.
func (p *Pass) entries(v map[string]any) map[string]any {
	if v == nil {
		return nil
	}
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := make(map[string]any, len(v))
	for _, k := range keys {
		masked := p.text(k)
		name := masked
		for n := 2; name != k; n++ {
			_, taken := out[name]
			_, other := v[name]
			if !taken && !other {
				break
			}
			name = masked + "#" + strconv.Itoa(n)
		}
		out[name] = p.value(v[k])
	}
	return out
}

// numberText returns a number as JSON writes it. It returns false for other values.
func numberText(v any) (string, bool) {
	switch v.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, json.Number:
		b, err := json.Marshal(v)
		return string(b), err == nil
	}
	return "", false
}

// asJSON converts v into plain data. It is for types that the method value does not handle.
func asJSON(v any) (any, bool) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, false
	}
	var plain any
	if json.Unmarshal(b, &plain) != nil {
		return nil, false
	}
	return plain, true
}
