package version

// Patterns of version overrides, in the syntax of Masterminds/semver.

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/actionregistry/action/diag"
)

// A Pattern selects the versions of an override. It is immutable and safe for concurrent
// use.
type Pattern struct {
	text        string
	constraints *semver.Constraints
}

// ParsePattern parses a pattern such as "4.x", ">=4.2.0 <6", "~4.2.0", "^4.2", "4.0 - 4.24" or
// "3.x || 4.x". A pattern that no version can match is an error. The code of errors is
// DEFINITION_INVALID. The function pos maps a byte offset in s to its position in the file; nil
// means that s is line 1.
func ParsePattern(s string, pos func(offset int) diag.Pos) (*Pattern, error) {
	c, err := semver.NewConstraint(s)
	if err != nil {
		at, part := badPart(s)
		return nil, diag.At(position(pos, at), diag.DefinitionInvalid, "found %s, expected a version pattern", show(part)).
			WithHint("%s", patternHint(s, part)).Because(err)
	}
	p := &Pattern{text: strings.TrimSpace(s), constraints: c}
	if !p.satisfiable() {
		return nil, diag.At(position(pos, 0), diag.DefinitionInvalid, "found the version pattern %s, which no version can match", show(s)).
			WithHint("%s", emptyHint(s))
	}
	return p, nil
}

// String returns the pattern as written.
func (p *Pattern) String() string { return p.text }

// Match reports whether v matches p. An open version matches if its lowest and its highest possible
// version both match. If v is nil, Match returns false.
func (p *Pattern) Match(v *Version) bool {
	return v != nil && p.constraints.Check(v.v) && (v.last == nil || p.constraints.Check(v.last))
}

// Splits reports whether v is an open version and p matches only some of its possible versions.
func (p *Pattern) Splits(v *Version) bool {
	return v.last != nil && p.constraints.Check(v.v) != p.constraints.Check(v.last)
}

var mentioned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+(\.[0-9]+)?(\.[0-9]+)?`) })

// satisfiable reports whether any version matches. It tries 0.0.0, the versions in the pattern, and
// the versions directly after them. If none of them matches, no version does.
func (p *Pattern) satisfiable() bool {
	if p.Match(triple{}.version()) {
		return true
	}
	for _, m := range mentioned().FindAllString(p.text, -1) {
		var t triple
		for i, part := range strings.Split(m, ".") {
			t[i], _ = strconv.ParseUint(part, 10, 64) // NewConstraint has checked the range
		}
		for _, c := range [...]triple{t, {t[0], t[1], t[2] + 1}, {t[0], t[1] + 1, 0}, {t[0] + 1, 0, 0}} {
			if p.Match(c.version()) {
				return true
			}
		}
	}
	return false
}

// badPart finds the first invalid alternative of s, and its offset.
func badPart(s string) (offset int, part string) {
	for _, alternative := range strings.Split(s, "||") {
		if _, err := semver.NewConstraint(alternative); err != nil || strings.TrimSpace(alternative) == "" {
			lead := len(alternative) - len(strings.TrimLeft(alternative, " \t"))
			return min(offset+lead, len(s)), strings.TrimSpace(alternative)
		}
		offset += len(alternative) + len("||")
	}
	return 0, s
}

func patternHint(s, part string) string {
	const examples = "write a pattern such as 4.x, >=4.2.0 <6, ^4.2.0, 4.0 - 4.24 or 3.x || 4.x"
	words := strings.Fields(strings.ToLower(part))
	for _, w := range words {
		switch w {
		case "or", "|":
			return "join alternatives with ||, as in 3.x || 4.x"
		case "and", "&&", "&":
			return "join conditions with a space, as in >=4.2.0 <6"
		case "latest", "next":
			return "a tag is not a version: " + examples
		}
	}
	switch {
	case len(s) > semver.MaxConstraintLen:
		return "a pattern has at most " + strconv.Itoa(semver.MaxConstraintLen) + " bytes"
	case strings.Count(s, "||") >= semver.MaxConstraintGroups:
		return "a pattern has at most " + strconv.Itoa(semver.MaxConstraintGroups) + " alternatives"
	case part == "" && strings.Contains(s, "||"):
		return "write a pattern on both sides of ||"
	case strings.HasSuffix(part, ","):
		return "write a pattern after the comma, or remove the comma"
	}
	return examples
}

func emptyHint(s string) string {
	switch {
	case strings.Contains(s, "||"):
		return "correct the bounds of each alternative"
	case strings.ContainsAny(s, "-+"):
		return "pre-releases and builds are ignored: write a release such as 4.2.0"
	}
	return "conditions separated by a space must all hold; join alternatives with ||, as in 4.x || 5.x"
}

// show quotes and shortens a part of a definition for a message.
func show(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}
