package validator

import "github.com/actionregistry/action/diag"

// Join combines the structural problems of files, found by decoding, with those that [Check] found
// in the readable parts. It omits those of Check that are probably consequences: errors on a line
// that already has one, and errors without a position. So all problems of a file are reported at
// once, and each only once.
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
