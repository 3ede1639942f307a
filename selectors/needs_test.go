package selectors

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// needsOf returns the clauses of a pattern.
func needsOf(t testing.TB, source string) [][]string {
	t.Helper()
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	w := jsWriter{fold: foldsAll(source)}
	return needing{letters: w.letters}.of(re)
}

// holds reports whether a text contains a word of each clause.
func holds(needs [][]string, text string) bool {
	return !slices.ContainsFunc(needs, func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	})
}

func TestNeeds(t *testing.T) {
	tests := []struct {
		pattern string
		want    [][]string
	}{
		{`sign in`, [][]string{{"sign in"}}},
		{`(?i)Sign In|Log On`, [][]string{{"log on", "sign in"}}},
		{`(?i)^in(correct|valid)\b`, [][]string{{"correct", "valid"}}},
		{`(?i)(your )?(account|access) (is )?(locked|closed)`, [][]string{{"closed", "locked"}, {"acc"}}},
		{`(password){2,3}`, [][]string{{"password"}}},
		{`(password)*|user`, nil},
		{`pass(word)?`, [][]string{{"pass"}}},
		{`authori[sz]ed`, [][]string{{"authori"}}},
		{`(?i)Straße`, [][]string{{"straße"}}},
		{`错误|失败`, [][]string{{"失败", "错误"}}},
		{`(?i:sign in)`, nil}, // its letters may be in either case
		{`\d+`, nil},
		{`ok|failed`, nil}, // "ok" is too short
		{``, nil},
	}
	for _, tt := range tests {
		if got := needsOf(t, tt.pattern); !slices.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("%s needs %q, want %q", tt.pattern, got, tt.want)
		}
	}
}

// FuzzNeeds checks that a text that a pattern matches has what the pattern needs.
func FuzzNeeds(f *testing.F) {
	f.Add(`(?i)^in(correct|valid) pass(word)?`, "Invalid Password")
	f.Add(`a(bcd|efg)+h?`, "xabcdefgh")
	f.Add(`(?i)Kelvin|Straße`, "\u212Aelvin ſtraße")
	f.Add(`(foo|bar){0,2}baz`, "baz")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return
		}
		fold := foldsAll(pattern)
		if found := re.FindString(text); found != "" || re.MatchString(text) {
			said := text
			if fold {
				said = strings.Map(lower, text)
			}
			if needs := needsOf(t, pattern); !holds(needs, said) {
				t.Errorf("%q matches %q, but needs %q", pattern, text, needs)
			}
		}
	})
}
