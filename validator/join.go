package validator

import "github.com/actionregistry/action/diag"

// Join combines the structural problems of files, which decoding has found, with the problems that
// [Check] has found in the readable parts. It omits problems of Check that are probably
// consequences of structural ones: errors on a line that already has an error, and errors without a
// position. So all problems of a file are reported at once, and each only once.
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
