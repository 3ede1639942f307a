// Package actions holds the builtin definitions, embedded. It has no logic:
// package loader reads the files as its lowest source, so that a user's or a
// project's files can replace any part of them.
package actions

import "embed"

// FS holds the builtin definition files. A file belongs to one namespace; a namespace may have several.
//
//go:embed *.yaml
var FS embed.FS
