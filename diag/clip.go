package diag

import "strings"

// Clip shortens s for a message. It keeps at most the first most bytes, never splits a character,
// and appends "…" when it cuts.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
