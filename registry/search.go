package registry

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/actionregistry/action/spec"
)

// Search works on words. A word of the query matches every indexed word that begins with it, and
// its own singular. A match of a whole word, in singular or plural, counts more. Chinese, Japanese
// and Korean text has no spaces, so it is indexed by pairs of characters (and by single ones, for
// queries of one character), and so is such text in a query. One match is enough. Actions that match
// more words of the query come first. If they match as many, the higher weight of the parts with
// the matches decides, and then the name.

// The weights of a word in the parts of an action.
const (
	inName             = 8
	inNamespace        = 5
	inDescription      = 4
	inParam            = 3
	inParamDescription = 2
	inNamespaceAbout   = 1
)

// wholeWord is added to the score of a word that matches completely, not only at its beginning.
const wholeWord = 2 * inName

// shortWord is the maximum length of a short query word, in bytes. A short word that is in the
// index does not match longer words: "in" does not match "input".
const shortWord = 2

// perWord is added to the score for each query word that matches.
const perWord = 64

// A Hit is one action that a search found.
type Hit struct {
	Item
	Score int `json:"score"` // higher is better; comparable only within one search
}

// An index maps words to the actions that contain them.
type index struct {
	words    []string // sorted
	postings [][]posting
}

// A posting records that an action contains a word. It has the highest weight of the word there.
type posting struct {
	entry  int32
	weight int32
}

// Search returns the actions that match the words of a query, best first. If limit is above 0,
// Search returns at most limit actions. An empty query finds nothing.
func (r *Registry) Search(query string, limit int) []Hit {
	r.once.Do(func() { r.index = buildIndex(r.entries) })
	scores := make([]int32, len(r.entries))
	best := make([]int32, len(r.entries)) // best weight of the current word
	var touched []int32                   // entries with a score
	for _, word := range queryWords(query) {
		var seen []int32
		r.index.each(word, func(p posting, whole bool) {
			weight := p.weight
			if whole {
				weight += wholeWord
			}
			if best[p.entry] == 0 {
				seen = append(seen, p.entry)
			}
			best[p.entry] = max(best[p.entry], weight)
		})
		for _, i := range seen {
			if scores[i] == 0 {
				touched = append(touched, i)
			}
			scores[i] += perWord + best[i]
			best[i] = 0
		}
	}
	return r.hits(touched, scores, limit)
}

// hits returns the results, best first. If limit is above 0, it returns at most limit results.
func (r *Registry) hits(touched, scores []int32, limit int) []Hit {
	if limit > 0 && len(touched) > 4*limit {
		all := make([]int32, len(touched))
		for i, t := range touched {
			all[i] = scores[t]
		}
		least := nthLargest(all, limit)
		touched = slices.DeleteFunc(touched, func(i int32) bool { return scores[i] < least })
	}
	// Entries are sorted by name, so their indexes order them too.
	slices.SortFunc(touched, func(a, b int32) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	if limit > 0 && len(touched) > limit {
		touched = touched[:limit]
	}
	out := make([]Hit, len(touched))
	for i, t := range touched {
		out[i] = Hit{Item: item(r.entries[t]), Score: int(scores[t])}
	}
	return out
}

// nthLargest returns the n-th largest score. Its running time grows with the largest score.
func nthLargest(scores []int32, n int) int32 {
	counts := make([]int, slices.Max(scores)+1)
	for _, s := range scores {
		counts[s]++
	}
	for s := len(counts) - 1; s > 0; s-- {
		if n -= counts[s]; n <= 0 {
			return int32(s)
		}
	}
	return 0
}

// each calls f for every posting whose word begins with the query word. It also calls f for the
// singular and plural forms of the query word. whole is false if only the beginning matches.
func (x *index) each(word string, f func(p posting, whole bool)) {
	i := sort.SearchStrings(x.words, word)
	short := len(word) <= shortWord && i < len(x.words) && x.words[i] == word
	for ; i < len(x.words) && strings.HasPrefix(x.words[i], word); i++ {
		whole := x.words[i] == word || slices.Contains(singulars(x.words[i]), word)
		if short && !whole {
			continue
		}
		for _, p := range x.postings[i] {
			f(p, whole)
		}
	}
	for _, s := range singulars(word) {
		if i := sort.SearchStrings(x.words, s); i < len(x.words) && x.words[i] == s {
			for _, p := range x.postings[i] {
				f(p, true)
			}
		}
	}
}

// singulars returns the possible singular forms of an English word.
func singulars(word string) []string {
	var out []string
	if s, ok := strings.CutSuffix(word, "ies"); ok && len(s) > 1 {
		out = append(out, s+"y")
	}
	if s, ok := strings.CutSuffix(word, "es"); ok && len(s) > 1 {
		out = append(out, s)
	}
	if s, ok := strings.CutSuffix(word, "s"); ok && len(s) > 1 && !strings.HasSuffix(s, "s") {
		out = append(out, s)
	}
	return out
}

func buildIndex(entries []entry) *index {
	byWord := make(map[string][]posting)
	about := make(map[*spec.Namespace]map[string]int32) // words of each namespace, split only once
	for i, e := range entries {
		if e.action.Internal {
			continue
		}
		words := make(map[string]int32)
		add := func(text string, weight int32) {
			for _, w := range indexWords(text) {
				words[w] = max(words[w], weight)
			}
		}
		ns := about[e.ns]
		if ns == nil {
			ns = make(map[string]int32)
			for _, w := range indexWords(e.ns.Description) {
				ns[w] = inNamespaceAbout
			}
			for _, w := range indexWords(e.ns.Name) {
				ns[w] = inNamespace
			}
			about[e.ns] = ns
		}
		for w, weight := range ns {
			words[w] = weight
		}
		add(e.action.Name, inName)
		add(e.action.Description, inDescription)
		for _, p := range e.action.Params {
			add(p.Name, inParam)
			add(p.Description, inParamDescription)
		}
		for w, weight := range words {
			byWord[w] = append(byWord[w], posting{int32(i), weight})
		}
	}
	x := &index{words: make([]string, 0, len(byWord)), postings: make([][]posting, 0, len(byWord))}
	for w := range byWord {
		x.words = append(x.words, w)
	}
	sort.Strings(x.words)
	for _, w := range x.words {
		x.postings = append(x.postings, byWord[w])
	}
	return x
}

// indexWords splits text for the index, and queryWords for a query. They differ only for CJK text.
func indexWords(text string) []string {
	var out []string
	splitWords(text, func(word []rune, cjk bool) {
		if !cjk {
			out = append(out, string(word))
			return
		}
		for i := range word {
			out = append(out, string(word[i]))
			if i > 0 {
				out = append(out, string(word[i-1:i+1]))
			}
		}
	})
	return out
}

func queryWords(text string) []string {
	var out []string
	splitWords(text, func(word []rune, cjk bool) {
		if !cjk || len(word) == 1 {
			out = append(out, string(word))
			return
		}
		for i := range word[1:] {
			out = append(out, string(word[i:i+2]))
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// splitWords calls f for each run of letters and digits, in lower case, and for each run of CJK
// characters.
func splitWords(text string, f func(word []rune, cjk bool)) {
	var run []rune
	runCJK := false
	flush := func() {
		if len(run) > 0 {
			f(run, runCJK)
			run = run[:0]
		}
	}
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) {
			flush()
			continue
		}
		if cjk := isCJK(c); cjk != runCJK {
			flush()
			runCJK = cjk
		}
		run = append(run, fold(c))
	}
	flush()
}

func isCJK(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// fold maps a letter to lower case, and its variants to the same letter. The Kelvin sign, for
// example, becomes "k".
func fold(c rune) rune {
	if c < unicode.MaxASCII {
		return unicode.ToLower(c)
	}
	least := c
	for next := unicode.SimpleFold(c); next != c; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}
