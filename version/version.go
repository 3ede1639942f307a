// Package version holds the data of version awareness: versions as pages report them, the
// patterns of version overrides, the bounds of a namespace, and version scripts as trees.
//
// It uses no pages, chooses no overrides and produces no VERSION_INCOMPATIBLE: the executor
// detects a document's version with what is parsed here. Pre-releases are dropped
// everywhere, because a page with 5.0.0-beta.1 has the document structure of 5.
package version

import (
	"github.com/Masterminds/semver/v3"

	"github.com/actionregistry/action/diag"
)

// A Version is a release: three numbers. Or it is [Open]: all that is known is how it
// begins. It is immutable.
type Version struct {
	v    *semver.Version
	last *semver.Version // of an open one: the last that it may be
	text string
}

// Open is a version of which only the beginning is known, such as 3.x. What is said of it
// holds for every version that begins so.
func Open(b *Bound) *Version {
	last := triple{maxNumber, maxNumber, maxNumber}
	copy(last[:b.parts], b.first[:b.parts])
	return &Version{v: b.first.version().v, last: last.version().v, text: b.text}
}

// String gives "major.minor.patch", or what an open version was given as.
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

// Limits of node-semver: longer runs of digits are not version numbers, and larger ones
// make the text invalid.
const (
	maxDigits = 16
	maxNumber = 1<<53 - 1
)

// Coerce finds a version in a text reported by a page, like node-semver's coerce: the first
// run of up to three numbers joined by dots. "antd 4.24.1 (prod)" is 4.24.1, "v18.3" is
// 18.3.0, "5.0.0-beta.1" is 5.0.0. Unlike there, a number may have leading zeros, as in
// 2024.01.05. Ok is false if there is none, or a number is beyond 2^53.
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

// digitsEnd returns the end of the digits of s from i on.
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

// place returns the position of a byte offset: by pos, or in line 1 if that is nil.
func place(pos func(offset int) diag.Pos, offset int) diag.Pos {
	if pos == nil {
		return diag.Pos{Line: 1, Column: 1 + offset}
	}
	return pos(offset)
}
