package files

// Names are compared as the most permissive file systems do: ignoring case, compatibility forms
// and invisible characters, whatever the current system does. The refusals by name are here too.

import (
	"path/filepath"
	"strings"
	"unicode"

	"github.com/actionregistry/action/diag"
)

func folded(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[foldName(name)] = true
	}
	return set
}

// foldName returns a form of a name for comparison. It is the same for all names that any file
// system treats as equal.
func foldName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			continue // HFS+ and case-folding ext4 ignore them
		case r == 'ß' || r == 'ẞ':
			b.WriteString(foldName("ss"))
			continue
		case 'ﬀ' <= r && r <= 'ﬆ':
			b.WriteString(foldName([]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-'ﬀ']))
			continue
		case '！' <= r && r <= '～':
			r -= '！' - '!'
		case r == '․' || r == '﹒':
			r = '.'
		case r == '﹣' || r == '‐' || r == '‑':
			r = '-'
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		b.WriteRune(least)
	}
	folded := b.String()
	if stream := strings.IndexByte(folded, ':'); stream > 0 {
		folded = folded[:stream] // NTFS
	}
	return strings.TrimRight(folded, ". ")
}

// readings returns the folded forms of a name. There may be two if the name contains a colon: NTFS
// ignores the text after it, but other file systems do not.
func readings(name string) []string {
	whole := foldName(strings.ReplaceAll(name, ":", colon))
	if stripped := foldName(name); stripped != whole {
		return []string{whole, stripped}
	}
	return []string{whole}
}

// colon replaces a colon in a name. It occurs in none of the lists of names.
const colon = "\x00"

func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == filepath.Separator })
}

func closed(path, why string) error {
	return diag.New(diag.PolicyDenied, "a step may not write %s: %s", path, why).
		WithDetail("path", path).WithDetail("reason", why).
		WithHint("give a path in another folder; to change definitions or configuration, use an editor")
}

func closedToPackage(verb, path, why string) *diag.Error {
	return diag.New(diag.PolicyDenied, "an action of a package may not %s %s: %s", verb, path, why).
		WithDetail("path", path).WithDetail("reason", why).
		WithHint("give a path in another folder, which is not hidden; or use this step in your own action, not in a package")
}
