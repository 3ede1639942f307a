package diag

import (
	"strings"
	"unicode"
)

// Nearest returns the candidate that is most similar to name. It returns "" if every candidate
// differs in more than one letter and in more than a third of the letters. Case, "_" and "-" are
// ignored. Among equally similar candidates, the one with the longest common prefix wins, then the
// first one.
func Nearest(name string, candidates []string) string {
	x := foldName(name)
	limit := max(1, len(x)/3)
	best, bestDistance, bestShared := "", limit+1, 0
	for _, c := range candidates {
		y := foldName(c)
		if len(y)-len(x) > limit || len(x)-len(y) > limit {
			continue
		}
		d, shared := editDistance(x, y), sharedPrefix(x, y)
		if d < bestDistance || d == bestDistance && best != "" && shared > bestShared {
			best, bestDistance, bestShared = c, d, shared
		}
	}
	return best
}

// DidYouMean returns a hint that names the nearest candidate. If none is near, the hint lists all
// candidates. If there are no candidates or too many, the hint is empty.
func DidYouMean(name string, candidates []string) string {
	if c := Nearest(name, candidates); c != "" {
		return "did you mean " + c + "?"
	}
	if n := len(candidates); n > 0 && n <= 16 {
		return "use one of: " + strings.Join(candidates, ", ")
	}
	return ""
}

func foldName(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r != '_' && r != '-' {
			out = append(out, unicode.ToLower(r))
		}
	}
	return out
}

// sharedPrefix returns the length of the common prefix of a and b.
func sharedPrefix(a, b []rune) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// editDistance returns the number of insertions, deletions, replacements and swaps of neighbours
// that turn one word into the other.
func editDistance(a, b []rune) int {
	prev2 := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
