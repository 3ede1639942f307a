// Package actions holds the builtin definitions, embedded. It has no logic:
// package loader reads the files as its lowest source.
package actions

import "embed"

// FS holds the builtin definition files, one namespace each.
//
//go:embed *.yaml
var FS embed.FS
