package diag

import "strings"

// Clip shortens s for a message. It keeps at most limit bytes, never splits a character, and
// appends "…" when it cuts.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
