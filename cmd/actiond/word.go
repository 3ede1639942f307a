package main

// Words of a command line: which of them are flags, and which may be shown in messages.

import "strings"

// A word is a word of the command line with its position, counted from 1.
type word struct {
	text string
	at   int
}

func numbered(args []string) []word {
	words := make([]word, len(args))
	for i, arg := range args {
		words[i] = word{arg, i + 1}
	}
	return words
}

func texts(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// isFlag reports whether a word is a flag: it begins with a hyphen and is not a number.
func (w word) isFlag() bool { return len(w.text) > 1 && w.text[0] == '-' && !w.isNegative() }

// isNegative reports whether a word begins like a negative number.
func (w word) isNegative() bool {
	text, ok := strings.CutPrefix(w.text, "-")
	if ok && text != "" && (text[0] == '.' || text[0] == ',') {
		text = text[1:]
	}
	return ok && text != "" && text[0] >= '0' && text[0] <= '9'
}

func isTruth(text string) bool { return text == "true" || text == "false" }

func isPlainName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	})
}

// shortened shortens a name of more than 42 characters.
func shortened(name string) string {
	if chars := []rune(name); len(chars) > 42 {
		return string(chars[:42]) + "…"
	}
	return name
}
