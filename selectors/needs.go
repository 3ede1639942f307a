package selectors

// What a text must contain for a pattern to match it. A page compares a few short texts with most
// patterns, and V8 takes milliseconds to compile a long pattern. So the page engine compiles a
// pattern only once a text contains what the pattern needs.

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/actionregistry/action/expr"
)

const (
	mostClauses = 2   // of a pattern; more of them seldom rule out more texts
	mostWords   = 400 // of a clause
	leastBytes  = 3   // of a word; shorter ones are in nearly every text
	enoughBytes = 6   // a word of this length is rare
)

// A clause is a list of words. A text that a pattern matches contains at least one of them.
type clause []string

// A letterCase is the way to print a letter.
type letterCase int

const (
	asWritten letterCase = iota
	eitherCase
	// lowerCase is for a pattern that ignores case as a whole; see allFold.
	lowerCase
)

// A needing determines the clauses of a pattern with the holes refs. letters returns the way to
// print the letters of a part.
type needing struct {
	refs    map[string]*expr.Ref
	letters func(*syntax.Regexp) letterCase
}

// of returns the clauses of a pattern, all of which hold for every text that it matches. The
// words are in lower case if the pattern ignores case as a whole, and nil means that nothing is
// known. A hole may match anything.
func (w needing) of(re *syntax.Regexp) [][]string {
	all := w.clauses(re)
	slices.SortStableFunc(all, func(a, b clause) int { return b.worth() - a.worth() })
	var best [][]string
	for _, c := range all {
		if len(best) < mostClauses && c.worth() > 0 {
			best = append(best, c)
		}
	}
	return best
}

func (w needing) clauses(re *syntax.Regexp) []clause {
	switch re.Op {
	case syntax.OpLiteral:
		return w.literal(re)
	case syntax.OpCapture:
		if w.refs[re.Name] != nil {
			return nil
		}
		return w.clauses(re.Sub[0])
	case syntax.OpPlus:
		return w.clauses(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return w.clauses(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []clause
		for _, sub := range re.Sub {
			all = append(all, w.clauses(sub)...)
		}
		return all
	case syntax.OpAlternate:
		return w.either(re.Sub)
	}
	return nil
}

// either returns the clause of an alternation: the words of the best clause of each branch.
func (w needing) either(branches []*syntax.Regexp) []clause {
	var all clause
	for _, sub := range branches {
		var best clause
		for _, c := range w.clauses(sub) {
			if c.worth() > best.worth() {
				best = c
			}
		}
		if all = append(all, best...); best == nil || len(all) > mostWords {
			return nil
		}
	}
	slices.Sort(all)
	return []clause{slices.Compact(all)}
}

// literal returns a clause with the longest part of a literal whose characters are written in one
// way only.
func (w needing) literal(re *syntax.Regexp) []clause {
	as := w.letters(re)
	if as == eitherCase {
		return nil
	}
	var best, word []rune
	for _, r := range append(slices.Clone(re.Rune), utf8.RuneError) {
		if r == utf8.RuneError || unicode.Is(unicode.Cf, r) || as == lowerCase && len(lowered(r)) > 1 {
			if len(string(word)) > len(string(best)) {
				best = word
			}
			word = nil
			continue
		}
		if as == lowerCase {
			r = lowered(r)[0]
		}
		word = append(word, r)
	}
	if len(string(best)) < leastBytes || strings.TrimSpace(string(best)) == "" {
		return nil
	}
	return []clause{{string(best)}}
}

// lowered returns the characters in lower case that r and its variants in the other case become.
func lowered(r rune) []rune {
	all := []rune{lower(r)}
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		all = append(all, lower(next))
	}
	if len(all) == 1 {
		return []rune{r} // it has no case
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// lower returns the lower case of r as the page engine turns texts into lower case.
func lower(r rune) rune {
	switch r {
	case 'ſ':
		return 's'
	case 'ς':
		return 'σ'
	case 'µ': // the sign; the letter is another character
		return 'μ'
	}
	return unicode.ToLower(r)
}

// worth says how many texts a clause rules out: the length of its shortest word, and then the number
// of its words, decide. It is 0 for no clause.
func (c clause) worth() int {
	if len(c) == 0 {
		return 0
	}
	short := enoughBytes
	for _, word := range c {
		short = min(short, len(word))
	}
	return short*(mostWords+1) - len(c)
}
