package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible makes a text of a page safe for a message. It replaces control characters, line
// separators, and characters that change the direction of text by escapes such as \u202e.
func Visible(text string) string {
	steers := func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
	}
	if strings.IndexFunc(text, steers) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
