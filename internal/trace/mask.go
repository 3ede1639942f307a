// Package trace makes the reports of a run safe and readable. A [Masker] removes secrets from
// every value before it is encoded, a [Memory] holds the secrets of earlier runs of a session,
// and a [Recorder] writes what each step did as JSON lines.
//
// It does not decide which values are secret or which steps to report; package executor does. It
// opens no files.
package trace

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"sync"

	"github.com/actionregistry/action/diag"
)

// Mask replaces a secret.
const Mask = "***"

// shortBytes is the minimum length of a secret that is masked wherever it occurs. A shorter one
// would also mask parts of ordinary words and numbers.
const shortBytes = 4

// A Masker replaces secrets with [Mask]. It finds a secret as it is, URL-encoded,
// JSON-escaped or HTML-escaped, in mixtures of these, and with its white space collapsed as in
// pages. A secret of 8 bytes or more is also found in upper and lower case. A secret under 4 bytes
// is masked only as a separate word: as a whole value, or between characters that are neither
// letters nor digits.
//
// The zero value has no secrets and changes nothing, and so does a nil *Masker. A Masker is safe
// for concurrent use.
type Masker struct {
	mu      sync.RWMutex
	secrets []secret // longest first, read-only once published
	known   map[string]bool
	memory  *Memory // receives added secrets; may be nil
}

// Add makes the values secret, including texts and numbers inside lists and maps. It ignores map
// keys, booleans and null, which nobody could recognise.
func (m *Masker) Add(values ...any) {
	var found []string
	for _, v := range values {
		found = texts(found, v)
	}
	if len(found) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = make(map[string]bool)
	}
	next := slices.Clone(m.secrets)
	used := make([]secret, 0, len(found))
	for _, text := range found {
		s := newSecret(text)
		if len(s.forms) == 0 {
			continue
		}
		used = append(used, s)
		if !m.known[s.text] {
			m.known[s.text] = true
			next = append(next, s)
		}
	}
	m.secrets = longestFirst(next)
	m.memory.add(used)
}

// texts collects the texts and numbers of v.
func texts(out []string, v any) []string {
	switch v := v.(type) {
	case nil, bool:
	case string:
		out = append(out, v)
	case []any:
		for _, item := range v {
			out = texts(out, item)
		}
	case []string:
		out = append(out, v...)
	case map[string]any:
		for _, item := range v {
			out = texts(out, item)
		}
	default:
		if text, ok := numberText(v); ok {
			return append(out, text)
		}
		if plain, ok := asJSON(v); ok {
			return texts(out, plain)
		}
	}
	return out
}

// Len returns the number of secrets.
func (m *Masker) Len() int { return len(m.list()) }

// list returns the secrets, longest first. The caller must not change them.
func (m *Masker) list() []secret {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.secrets
}

// String returns s with every secret masked.
func (m *Masker) String(s string) string { return m.Until(nil).String(s) }

// Value returns v with every secret masked, in texts, numbers and map keys at any depth. v is
// JSON-like data; a value of any other type is converted through JSON. v is not changed, but the
// result may share parts with it.
func (m *Masker) Value(v any) any { return m.Until(nil).Value(v) }

// Map is [Masker.Value] for a map. It returns nil for nil.
func (m *Masker) Map(v map[string]any) map[string]any { return m.Until(nil).Map(v) }

// Error returns a copy of e with every secret masked in its message, hint, notes and details. It
// returns nil for nil. It drops the cause, whose text is not masked. Positions and names come
// from definitions and are not masked.
func (m *Masker) Error(e *diag.Error) *diag.Error { return m.Until(nil).Error(e) }

// value is Value if there are secrets.
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

// entries visits the keys in order, so that keys that become equal are always distinguished in
// the same way.
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

// asJSON converts a value of any other type into plain data.
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
