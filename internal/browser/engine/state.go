package engine

import _ "embed"

//go:embed state/storage.js
var storage string

// Storage returns the source of a function that reads or writes the storage of an origin. The
// function runs in any document of that origin. It takes the name of a method and its argument, and
// returns the JSON of {ok} or {error}.
func Storage() string { return storage }
