// Package version parses the data of version awareness: versions as pages report them, the
// patterns of version overrides, the bounds of a namespace, and version scripts as trees.
//
// It reads no pages, selects no overrides and returns no VERSION_INCOMPATIBLE: the executor does
// that with the values parsed here. Pre-releases are always dropped, because a page with
// 5.0.0-beta.1 has the document structure of version 5.
//
// Files, bottom to top: version, pattern, bound, script.
package version

import (
	"github.com/Masterminds/semver/v3"

	"github.com/actionregistry/action/diag"
)

// A Version has three numbers, such as 4.24.1. An open version, such as 3.x, stands for all
// versions that begin with its numbers: see [Open]. A Version is immutable.
type Version struct {
	v    *semver.Version
	last *semver.Version // highest possible version of an open version
	text string
}

// Open returns an open version, which stands for all versions that b covers.
func Open(b *Bound) *Version {
	last := triple{maxNumber, maxNumber, maxNumber}
	copy(last[:b.parts], b.first[:b.parts])
	return &Version{v: b.first.version().v, last: last.version().v, text: b.text}
}

// String returns "major.minor.patch", or the original text of an open version.
func (v *Version) String() string {
	if v.text != "" {
		return v.text
	}
	return v.v.String()
}

// compare compares v with a triple.
func (v *Version) compare(t triple) int {
	return triple{v.v.Major(), v.v.Minor(), v.v.Patch()}.compare(t)
}

// Limits of [Coerce], as in node-semver.
const (
	maxDigits = 16        // a longer run of digits is skipped
	maxNumber = 1<<53 - 1 // a text with a larger number has no version
)

// Coerce finds a version in a text from a page: the first one to three numbers joined by dots. For
// "antd 4.24.1 (prod)", it returns 4.24.1; for "v18.3", 18.3.0; and for "5.0.0-beta.1", 5.0.0.
// Unlike coerce of node-semver, it accepts leading zeros, as in 2024.01.05. Ok is false if there is
// no version, or if a number is 2^53 or more.
func Coerce(text string) (v *Version, ok bool) {
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		end := digitsEnd(text, i)
		if end-i <= maxDigits {
			return coerceAt(text, i)
		}
		i = end
	}
	return nil, false
}

// coerceAt reads the version that begins at i.
func coerceAt(text string, i int) (*Version, bool) {
	var numbers triple
	for n := range numbers {
		end := digitsEnd(text, i)
		if end == i || end-i > maxDigits {
			break
		}
		for ; i < end; i++ {
			numbers[n] = numbers[n]*10 + uint64(text[i]-'0')
		}
		if numbers[n] > maxNumber {
			return nil, false
		}
		if i == len(text) || text[i] != '.' {
			break
		}
		i++
	}
	return numbers.version(), true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digitsEnd returns the offset of the first non-digit in s at or after i.
func digitsEnd(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// A triple is major, minor and patch.
type triple [3]uint64

func (t triple) compare(u triple) int {
	for i := range t {
		switch {
		case t[i] < u[i]:
			return -1
		case t[i] > u[i]:
			return 1
		}
	}
	return 0
}

func (t triple) version() *Version {
	return &Version{v: semver.New(t[0], t[1], t[2], "", "")}
}

// position returns the position of a byte offset: pos(offset), or a position in line 1 if pos is
// nil.
func position(pos func(offset int) diag.Pos, offset int) diag.Pos {
	if pos == nil {
		return diag.Pos{Line: 1, Column: 1 + offset}
	}
	return pos(offset)
}
