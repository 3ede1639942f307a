// Package engine holds the page side of the browser layer: the JavaScript that
// finds elements, waits until they are ready, guards presses and reads back, in an
// isolated world of each document. It speaks the JSON of selectors.Query and of
// package browser's requests. It sends no input events, knows nothing of the
// protocol that carries it, and writes nothing into the page.
package engine

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

//go:embed *.js
var files embed.FS

// Source returns the script to run in the isolated world of every new document. It defines
// the global __action, and does nothing if that already exists for the same document.
func Source() string { return source() }

// The files share one strict scope, in the order of their names, inside that of boot.js,
// which creates their content on first use; the brackets make the browser compile it with
// the rest.
var source = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\nif (Object.hasOwn(globalThis, '__action') && __action.document === document) return;\nconst make = (function () {\n")
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, e := range entries {
		if e.Name() != boot {
			add(&b, e.Name())
		}
	}
	b.WriteString("});\n")
	add(&b, boot)
	b.WriteString("})()")
	return b.String()
})

const boot = "boot.js"

// add writes a file without its comments and indentation, and in ASCII: the browser hands
// the script to each document anew, with two bytes a character where any of them needs
// that. No literal of ours goes over the end of a line, and letters that are not ASCII
// stand in literals alone.
func add(b *strings.Builder, name string) {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the files are embedded
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		b.WriteString(inASCII(line))
		b.WriteByte('\n')
	}
}

// inASCII escapes non-ASCII characters as in JavaScript strings and patterns.
func inASCII(line string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(line)) {
		if unit < utf8.RuneSelf {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
