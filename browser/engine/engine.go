// Package engine holds the page side of the browser layer: the JavaScript that
// finds elements, waits until they are ready, guards presses and reads back, in an
// isolated world of each document. It speaks the JSON of selectors.Query and of
// package browser's requests. It sends no input events, knows nothing of the
// protocol that carries it, and writes nothing into the page.
package engine

import (
	"embed"
	"strings"
	"sync"
)

//go:embed *.js
var files embed.FS

// Source returns the script to run in the isolated world of every new document. It
// defines the global __action, and does nothing where that is there already for the
// same document.
func Source() string { return source() }

// The files share one strict scope, in the order of their names.
var source = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\nif (Object.hasOwn(globalThis, '__action') && __action.document === document) return;\n")
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	b.WriteString("})()")
	return b.String()
})
