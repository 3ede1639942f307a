package expr

// The roots of references.

import (
	"slices"
	"strconv"
)

// A Root is the first part of a reference. The zero Root means no root.
type Root uint8

const (
	RootParams    Root = iota + 1 // ${params.x}, or ${x} if x is declared
	RootEnv                       // ${env.X}
	RootSelectors                 // ${selectors.alias}
	RootSteps                     // ${steps.output}
	RootPage                      // ${page.url}
	RootModifier                  // ${modifier}
	RootLocal                     // ${item}, ${index}, or the name of an enclosing foreach
)

var rootNames = [...]string{
	RootParams: "params", RootEnv: "env", RootSelectors: "selectors", RootSteps: "steps",
	RootPage: "page", RootModifier: "modifier", RootLocal: "local",
}

// String returns the name as written in a reference, or "local".
func (r Root) String() string {
	if int(r) < len(rootNames) {
		return rootNames[r]
	}
	return "Root(" + strconv.Itoa(int(r)) + ")"
}

// Roots returns the names of the fixed roots. The caller owns the slice.
func Roots() []string { return slices.Clone(rootNames[RootParams:RootLocal]) }

func rootNamed(name string) Root {
	switch name {
	case "params":
		return RootParams
	case "env":
		return RootEnv
	case "selectors":
		return RootSelectors
	case "steps":
		return RootSteps
	case "page":
		return RootPage
	case "modifier":
		return RootModifier
	}
	return 0
}
