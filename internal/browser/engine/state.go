package engine

import _ "embed"

//go:embed state/storage.js
var storage string

// Storage returns a function of a method's name and its argument that reads or writes the
// storage of an origin, in any world of a document there. It returns the JSON of {ok} or
// {error}. It is not part of [Source]: few documents need it.
func Storage() string { return storage }
