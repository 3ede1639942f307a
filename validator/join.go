package validator

import "github.com/actionregistry/action/diag"

// Join puts together what is wrong with the structure of files, as decoding them
// told, and what [Check] found in the parts that could be read all the same. Of
// the latter it leaves out what is only a consequence: an error on a line that
// has one already, or without a place. So all problems of a file are told in one
// go, and each once.
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
