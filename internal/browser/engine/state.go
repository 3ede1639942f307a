package engine

import _ "embed"

//go:embed state/storage.js
var storage string

// Storage returns the source of a function that reads or writes the storage of an origin. The
// function runs in any world of a document of that origin. It takes the name of a method and the
// argument of the method, and returns the JSON of {ok} or {error}. It is not part of [Source]: few
// documents need it.
func Storage() string { return storage }
