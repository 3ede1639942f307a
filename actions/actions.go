// Package actions holds the builtin definitions, embedded. It has no logic:
// package loader reads the files as its lowest source, so that a user's or a
// project's files can replace any part of them.
package actions

import "embed"

// FS holds the builtin definition files, one namespace each.
//
//go:embed *.yaml
var FS embed.FS
