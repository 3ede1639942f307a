package snapshot

// Quoting of the page's texts, so that a text cannot imitate other parts of a snapshot.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote returns s in quotes, with at most limit characters. "…" marks a cut. limit must be at least
// 2.
func quote(s string, limit int) string {
	var b strings.Builder
	writeQuoted(&b, s, limit)
	return b.String()
}

// writeQuoted is like quote, but writes to b.
func writeQuoted(b *strings.Builder, s string, limit int) {
	b.WriteByte('"')
	size := 2
	for i, r := range s {
		piece, n := "", 1
		if !readable(r) {
			piece = escape(r)
			n = len(piece) // ASCII
		}
		room := limit - size - n
		if room < 0 || (room < 1 && i+utf8.RuneLen(r) < len(s)) {
			if size < limit {
				b.WriteString("…")
			}
			break
		}
		if piece == "" {
			b.WriteRune(r)
		} else {
			b.WriteString(piece)
		}
		size += n
	}
	b.WriteByte('"')
}

// readable reports whether r is written unchanged. Line breaks, control characters, bidirectional
// marks and invisible characters are escaped, so that a name cannot imitate other parts of a
// snapshot.
func readable(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != '"' && r != '\\' && r != 0x7f
	case r == '\u200c' || r == '\u200d': // these join letters and emoji
		return true
	case r == '\ufe0f' || r == '\ufe0e':
		return true
	}
	return r != utf8.RuneError && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}

// escape returns r as an escape sequence.
func escape(r rune) string {
	switch r {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r > 0xffff {
		return fmt.Sprintf(`\u{%x}`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// plain reports whether s can be written without quotes.
func plain(s string) bool {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		case strings.ContainsRune("/._~:?#@!$&'()*+,;=%-", r):
		default:
			return false
		}
	}
	return s != ""
}

// writeWord writes s without quotes if s is plain and not longer than limit. Otherwise it writes s
// in quotes.
func writeWord(b *strings.Builder, s string, limit int) {
	if plain(s) && len(s) <= limit {
		b.WriteString(s)
	} else {
		writeQuoted(b, s, limit)
	}
}

// clip cuts s to n characters, of which the last is then "…". It reports whether it has cut s.
func clip(s string, n int) (string, bool) {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s, false
	}
	count := 0
	for i := range s {
		if count++; count == n {
			return s[:i] + "…", true
		}
	}
	return s, false
}

// roleName returns role if it is a plain word, and "generic" otherwise.
func roleName(role string) string {
	if role == "" {
		return "generic"
	}
	for _, r := range role {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return "generic"
		}
	}
	name, _ := clip(role, 40)
	return name
}
