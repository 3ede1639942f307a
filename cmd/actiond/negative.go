package main

import (
	"regexp"
	"slices"
	"strings"
)

// A word such as -5 is a value: no flag is a digit. The library takes every word with a
// hyphen in front for a flag, so such words are marked before it reads them, and the mark
// is taken off what it has read. No argument of a process holds the mark.

const valueMark = "\x00"

var negative = regexp.MustCompile(`^-[.,]?[0-9]`)

// markNumbers returns args with the words marked that begin as a negative number does. The
// values of global flags are read by the library itself.
func markNumbers(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if negative.MatchString(arg) && (i == 0 || !slices.Contains(globalsWithValue(), strings.TrimPrefix(args[i-1], "--"))) {
			out[i] = valueMark + arg
		}
	}
	return out
}

// unmarked is what was typed, without the mark.
func unmarked(v any) any {
	if text, ok := v.(string); ok {
		return strings.TrimPrefix(text, valueMark)
	}
	return v
}
