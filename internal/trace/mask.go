// Package trace makes the reports of a run safe and readable. A [Masker] removes secrets from
// every value before it is encoded, a [Memory] holds the secrets of earlier runs of a session,
// and a [Recorder] writes what each step did as JSON lines.
//
// It does not decide which values are secret or which steps to report; package executor does. It
// opens no files.
//
// Files, bottom to top: pass, match, values, record, memory, mask.
package trace

import (
	"slices"
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
// The zero value has no secrets and changes nothing. The same is true for a nil *Masker. A Masker is
// safe for concurrent use.
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

// Value returns a copy of v with every secret masked, in texts, numbers and map keys at any depth.
// v is JSON-like data; a value of any other type is converted through JSON. Value does not change
// v, but the copy may share parts with v.
func (m *Masker) Value(v any) any { return m.Until(nil).Value(v) }

// Map does for a map what [Masker.Value] does for any value. It returns nil for nil.
func (m *Masker) Map(v map[string]any) map[string]any { return m.Until(nil).Map(v) }

// Error returns a copy of e with every secret masked in its message, hint, notes and details. It
// returns nil for nil. It drops the cause, whose text is not masked. Positions and names come
// from definitions and are not masked.
func (m *Masker) Error(e *diag.Error) *diag.Error { return m.Until(nil).Error(e) }

// Until returns a Pass that stops working soon after done is closed. If done is nil, the Pass never
// stops early.
func (m *Masker) Until(done <-chan struct{}) *Pass {
	return &Pass{secrets: m.list(), done: done, left: passSteps}
}
