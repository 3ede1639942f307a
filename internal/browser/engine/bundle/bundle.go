// Package bundle makes the script of package engine from its modules. It is called when the modules
// change, and engine embeds the result. It checks neither names nor types (make lint does), and is
// not part of the product.
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

// frame is the script around the two bundles, boot and the engine. boot runs at once. The engine is
// the body of the function make, which boot calls when it first needs the engine. The parentheses
// around make cause the browser to compile it in advance.
const frame = `// Code generated from the modules in page; make engine writes it. DO NOT EDIT.
(() => {
'use strict';
if (Object.hasOwn(globalThis, '__action') && __action.document === document) return;
const make = (function (boot) {
%sreturn engine;
});
%s})();
`

// Build bundles the modules in the folder dir into one ASCII script. main.js is the engine. boot.js
// is what a document runs at its start. The error lists what esbuild reports, with file and line.
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

// bundled bundles the module at the path entry with its imports. The script defines a variable with
// the name in global, unless global is empty.
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

// inASCII escapes the non-ASCII characters that esbuild leaves in regular expressions.
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
