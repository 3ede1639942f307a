package downloads

import (
	"cmp"
	"path/filepath"
	"strings"
	"unicode"
)

// FileName returns a safe file name for the name that a server suggests. It uses the last element
// of the path, without leading dots and control characters. The result is never empty.
func FileName(suggested string) string {
	name := suggested[strings.LastIndexAny(suggested, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
	const longest = 200 // in bytes: file systems allow 255, and names get suffixes
	if len(name) > longest {
		ending := filepath.Ext(name)
		if len(ending) > 20 {
			ending = ""
		}
		name = strings.ToValidUTF8(name[:longest-len(ending)], "") + ending
	}
	return cmp.Or(name, "download")
}
