package version

// The bounds of a namespace: min_version and max_version.

import (
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A Bound is a version with one to three numbers, such as "6.2.1", "6.2", "6.x" or "6". It covers
// all versions that begin with these numbers. It is immutable.
type Bound struct {
	text  string
	parts int // how many numbers are given: 1 to 3
	first triple
}

// ParseBound parses a min_version or max_version. The error is a DEFINITION_INVALID. The function
// pos maps a byte offset in s to its position in the file; nil means that s is line 1.
func ParseBound(s string, pos func(offset int) diag.Pos) (*Bound, error) {
	b := &Bound{text: strings.TrimSpace(s)}
	bad := func(hint string) (*Bound, error) {
		return nil, diag.At(position(pos, 0), diag.DefinitionInvalid, "found %s, expected a version such as 6.2.1, 6.2 or 6.x", show(s)).
			WithHint("%s", hint)
	}
	parts := strings.Split(strings.TrimPrefix(b.text, "v"), ".")
	if len(parts) > 3 {
		return bad("give at most three numbers: major.minor.patch")
	}
	open := false
	for i, part := range parts {
		if part == "x" || part == "X" || part == "*" {
			open = true
			continue
		}
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || !isDigit(part[0]) || n > maxNumber || open {
			return bad(boundHint(b.text))
		}
		b.first[i] = n
		b.parts = i + 1
	}
	if b.parts == 0 {
		return bad("omit the key if there is no bound")
	}
	return b, nil
}

func boundHint(s string) string {
	switch {
	case strings.ContainsAny(s, "<>=~^| "):
		return "write a bound without operators: max_version 6.x means below 7.0.0, max_version 6.2.1 includes 6.2.1"
	case strings.ContainsAny(s, "-+"):
		return "pre-releases and builds are ignored: write only the release"
	}
	return "write numbers joined by dots; the last ones may be x or omitted"
}

// String returns the bound as written.
func (b *Bound) String() string { return b.text }

// end returns the lowest version above those that b covers.
func (b *Bound) end() triple {
	t := b.first
	t[b.parts-1]++
	return t
}

// A Range is the range of versions that a namespace supports. The zero Range contains every
// version.
type Range struct {
	// Min and Max are inclusive: if Max is 6.x, the range contains 6.9.0. Nil means that there is
	// no limit.
	Min, Max *Bound
}

// Contains reports whether v is in the range. For an open version, it reports whether at least one
// of its possible versions is.
func (r Range) Contains(v *Version) bool {
	last := v
	if v.last != nil {
		last = &Version{v: v.last}
	}
	if r.Min != nil && last.compare(r.Min.first) < 0 {
		return false
	}
	return r.Max == nil || v.compare(r.Max.end()) < 0
}

// Empty reports whether the range contains no version because Min is above Max.
func (r Range) Empty() bool {
	return r.Min != nil && r.Max != nil && r.Min.first.compare(r.Max.end()) >= 0
}

// String describes the range in an error message.
func (r Range) String() string {
	switch {
	case r.Min != nil && r.Max != nil:
		return r.Min.text + " to " + r.Max.text
	case r.Min != nil:
		return r.Min.text + " or later"
	case r.Max != nil:
		return "at most " + r.Max.text
	}
	return "any version"
}
