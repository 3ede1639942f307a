// Package trace makes the reports of a run safe and readable. A [Masker] removes secrets from
// every value before it is encoded, a [Memory] holds the secrets of earlier runs of a session,
// and a [Recorder] writes what each step did as JSON lines.
//
// It does not decide which values are secret or which steps to report; package executor does. It
// opens no files.
//
// Files, bottom to top: pass, match, values, record, memory, mask, address.
package trace

import (
	"slices"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
)

// Mask replaces a secret.
const Mask = "***"

// shortBytes is the minimum length of a secret that is also masked inside a word. Shorter secrets
// are often parts of ordinary words and numbers.
const shortBytes = 4

// A Masker replaces secrets with [Mask]. It also finds a secret that is URL-encoded, JSON-escaped
// or HTML-escaped, or whose white space a page has collapsed. A secret of 8 bytes or more is also
// found in upper case and in lower case. A secret under 4 bytes is masked only if no letter or
// digit precedes or follows it. Each line of at least 12 bytes of a secret is masked too, and so is
// each such part before or after a "#", because browsers send no fragments.
//
// The zero value has no secrets and changes nothing. The same is true for a nil *Masker. A Masker is
// safe for concurrent use.
type Masker struct {
	mu      sync.RWMutex
	secrets []secret // longest first, read-only once published
	known   map[string]bool
	memory  *Memory // receives added secrets; may be nil
}

// Add makes texts and numbers secret, including those inside lists and maps. It ignores map keys,
// booleans and nil.
func (m *Masker) Add(values ...any) {
	var found []string
	for _, v := range values {
		found = texts(found, v)
	}
	list := make([]secret, len(found))
	for i, text := range found {
		list[i] = newSecret(text)
	}
	m.add(list)
}

// add adds secrets, also to the memory.
func (m *Masker) add(found []secret) {
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
	for _, s := range found {
		if len(s.forms) == 0 {
			continue
		}
		used = append(used, s)
		if id := s.id(); !m.known[id] {
			m.known[id] = true
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
		out = withLines(out, v)
	case []any:
		for _, item := range v {
			out = texts(out, item)
		}
	case []string:
		for _, item := range v {
			out = withLines(out, item)
		}
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

// Limits for the lines of a secret that are secrets as well.
const (
	minLineBytes = 12
	maxLines     = 64
)

// withLines appends a text and its long lines, also divided at "#". A page can show each line of a
// key in an element of its own, and a script can put a secret into an address, of which a request
// shows only what precedes the "#". Lines such as -----BEGIN PRIVATE KEY----- are not secret.
func withLines(out []string, text string) []string {
	out = append(out, text)
	const breaks = "\r\n#"
	if !strings.ContainsAny(strings.TrimSpace(text), breaks) {
		return out
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(breaks, r) })
	for _, line := range lines[:min(len(lines), maxLines)] {
		if line = strings.TrimSpace(line); len(line) >= minLineBytes && !strings.HasPrefix(line, "-----") {
			out = append(out, line)
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
// A value that is not JSON-like data is first converted to JSON. The copy may share parts with v.
func (m *Masker) Value(v any) any { return m.Until(nil).Value(v) }

// Map does for a map what [Masker.Value] does for any value. It returns nil for nil.
func (m *Masker) Map(v map[string]any) map[string]any { return m.Until(nil).Map(v) }

// Error returns a copy of e with every secret masked in its message, hint, notes and details. The
// copy has no cause. Positions and names are not masked. For nil, Error returns nil.
func (m *Masker) Error(e *diag.Error) *diag.Error { return m.Until(nil).Error(e) }

// Until returns a Pass that stops soon after done is closed. If done is nil, the Pass does not stop
// early.
func (m *Masker) Until(done <-chan struct{}) *Pass {
	return &Pass{secrets: m.list(), done: done, left: passSteps}
}
