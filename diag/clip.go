package diag

import "strings"

// Clip returns s for a message: at most its first most bytes, cut at the end of a character
// and followed by "…" if there were more.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
