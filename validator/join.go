package validator

import "github.com/actionregistry/action/diag"

// Join returns the problems of decoding and the problems that [Check] has found afterwards, sorted
// by position. If there are problems of decoding, Join omits problems of Check that they probably
// have caused: those on the same line, and those without a position.
func Join(structure, meaning diag.List) diag.List {
	type line struct {
		file string
		line int
	}
	told := make(map[line]bool, len(structure))
	for _, e := range structure {
		told[line{e.Pos.File, e.Pos.Line}] = true
	}
	all := append(diag.List(nil), structure...)
	for _, e := range meaning {
		if len(structure) == 0 || e.Pos.IsValid() && !told[line{e.Pos.File, e.Pos.Line}] {
			all.Add(e)
		}
	}
	return all.Sorted()
}
