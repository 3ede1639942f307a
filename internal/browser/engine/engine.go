// Package engine holds the page side of the browser layer: JavaScript that runs in an isolated
// world of each document. It finds elements, waits until they are ready, guards presses and reads
// results. It understands the JSON of selectors.Query and of package browser's requests. It sends
// no input events, knows nothing of the browser's protocol, and writes nothing into the page.
//
// The modules are in page. Package bundle builds engine.js from them.
package engine

import _ "embed"

//go:embed engine.js
var source string

// World names the isolated world in which the engine runs.
const World = "action"

// Source returns the script to run in the isolated world of every new document. It defines
// the global __action, and does nothing if that already exists for the same document.
func Source() string { return source }
