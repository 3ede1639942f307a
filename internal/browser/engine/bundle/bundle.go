// Package bundle makes the script of package engine from its modules. It checks neither names nor
// types (make lint does), and is not part of the product. It runs when the modules change: engine
// embeds the last result of Build.
package bundle

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
)

// frame is the script around the two bundles: the engine, which boot creates by calling the
// function make when it first needs it, and boot itself. The parentheses around the function make the browser compile it eagerly.
const frame = `// Code generated from the modules in page; make engine writes it. DO NOT EDIT.
(() => {
'use strict';
if (Object.hasOwn(globalThis, '__action') && __action.document === document) return;
const make = (function (boot) {
%sreturn engine;
});
%s})();
`

// Build returns the script made from the modules in folder dir: main.js, the engine, and boot.js,
// what a document gets at its start. The script is ASCII: the browser stores a script with any
// other character in two bytes a character, and passes it to each document. The error lists what
// esbuild reports, with file and line.
func Build(dir string) ([]byte, error) {
	engine, err := bundled(filepath.Join(dir, "main.js"), "engine")
	if err != nil {
		return nil, err
	}
	boot, err := bundled(filepath.Join(dir, "boot.js"), "")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, frame, engine, boot), nil
}

// bundled returns the bundle of the module entry and its imports, as a script that defines the
// variable global. It keeps the names of functions, for the stacks of errors.
func bundled(entry, global string) (string, error) {
	res := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Format: api.FormatIIFE, GlobalName: global,
		Target: api.ES2022, MinifyWhitespace: true,
	})
	var errs []error
	for _, m := range append(res.Errors, res.Warnings...) {
		if m.Location == nil {
			errs = append(errs, errors.New(m.Text))
			continue
		}
		errs = append(errs, fmt.Errorf("%s:%d:%d: %s", m.Location.File, m.Location.Line, m.Location.Column+1, m.Text))
	}
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	return inASCII(string(res.OutputFiles[0].Contents)), nil
}

// inASCII escapes the non-ASCII characters that esbuild leaves, which are in regular expressions.
func inASCII(script string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(script)) {
		if unit < utf8.RuneSelf {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
