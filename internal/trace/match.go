package trace

// The search for a secret in a text, in all its spellings.
//
// A secret is a list of characters. Each character has several spellings: literal, percent-encoded
// (also more than once), JSON-escaped and HTML-escaped. A list of the encoded forms of whole
// secrets would miss mixtures, such as a URL in a JSON string in an attribute. So the text is read
// with a small automaton: the set of offsets at which the text may continue after the first n
// characters. A set has at most one entry for each offset, so even for hostile input the cost is
// linear in the length of the text and of the secret.

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A secret is a text to find. A run of white space in it matches any run of white space.
type secret struct {
	text  string   // with the lead
	lead  string   // what must precede the secret, and is shown; usually empty
	forms [][]rune // the unchanged text, then in upper case and lower case
	first string   // first bytes of the forms
}

// id distinguishes the secrets of a list.
func (s *secret) id() string { return s.lead + "\x00" + s.text }

// casedBytes is the minimum length of a secret that is also found in upper case and in lower case.
// Searching for shorter secrets, or for mixed case, would also mask ordinary words.
const casedBytes = 8

// newSecret returns the secret for s. It has no forms if s contains only white space.
func newSecret(s string) secret {
	out := secret{text: strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " ")}
	forms := []string{out.text}
	if len(out.text) >= casedBytes {
		forms = append(forms, strings.ToUpper(out.text), strings.ToLower(out.text))
	}
	out.find(forms)
	return out
}

// newLedSecret returns the secret for s where it directly follows lead. Its end must be the end of
// a word, and it is found in no other case.
func newLedSecret(lead, s string) secret {
	out := secret{text: lead + s, lead: lead}
	out.find([]string{out.text})
	return out
}

// find sets the forms of s.
func (s *secret) find(forms []string) {
	for i, form := range forms {
		if form != "" && !slices.Contains(forms[:i], form) {
			s.forms = append(s.forms, []rune(form))
			s.first += form[:1]
		}
	}
}

// mask returns text with every occurrence of s replaced. If p has stopped, the result is
// meaningless.
func (s *secret) mask(text string, p *Pass) string {
	var out strings.Builder
	done := 0
	var scratch [2][]int
	for i := 0; i < len(text) && !p.stopped; {
		p.spend(1)
		if end := s.endAt(text, i, &scratch, p); end > i {
			out.WriteString(text[done:i])
			out.WriteString(s.lead)
			out.WriteString(Mask)
			i, done = end, end
			continue
		}
		if from := ellipsisAt(text, i); from > i {
			if end := s.matchEnd(text, from, &scratch, p); end > from {
				out.WriteString(text[done:from])
				out.WriteString(Mask)
				i, done = end, end
				continue
			}
		}
		i++
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// endAt returns the end of an occurrence at i that is to be masked, or -1.
func (s *secret) endAt(text string, i int, scratch *[2][]int, p *Pass) int {
	if !s.mayBegin(text, i) {
		return -1
	}
	end := s.match(text, i, scratch, p)
	switch {
	case end <= i:
	case s.lead != "" && startsWord(text[end:]), len(s.text) < shortBytes && !isSeparate(text, i, end):
		return -1
	}
	return end
}

// mayBegin reports whether an occurrence may begin at i. It is faster than match.
func (s *secret) mayBegin(text string, i int) bool {
	switch c := text[i]; c {
	case '%', '\\', '&':
		return true
	default:
		return strings.IndexByte(s.first, c) >= 0
	}
}

// match returns the end of the longest occurrence at i, or -1.
func (s *secret) match(text string, i int, scratch *[2][]int, pass *Pass) int {
	longest := -1
	for _, form := range s.forms {
		longest = max(longest, match(form, text, i, scratch, pass))
	}
	return longest
}

// The page engine shortens long texts with an ellipsis, which may cut a secret in two. So do pages,
// with one of several characters, with dots, with spaces and brackets around them. The part before or
// after the ellipsis is masked too if it has at least shortBytes characters.
const (
	ellipsis = "…" // of the page engine
	// longestEnd is the maximum length of a part after an ellipsis, in characters.
	longestEnd = 4096
	mostDots   = 12
)

// ellipsisAt returns the end of an ellipsis at p, with what is around it. If there is none, it
// returns p.
func ellipsisAt(text string, p int) int {
	i := p
	for _, open := range []string{" ", "\u00a0", "[", "("} {
		if strings.HasPrefix(text[i:], open) {
			i += len(open)
		}
	}
	dots := i
	for range mostDots {
		r, n := utf8.DecodeRuneInString(text[i:])
		if n == 0 || !strings.ContainsRune("….⋯‥", r) {
			break
		}
		i += n
	}
	if i-dots < len("...") {
		return p
	}
	for _, end := range []string{"]", ")", "\u00a0", " "} {
		if strings.HasPrefix(text[i:], end) {
			i += len(end)
		}
	}
	return i
}

// matchEnd looks at i for the longest suffix of the secret. It returns the offset after the suffix,
// or -1 if there is none.
func (s *secret) matchEnd(text string, i int, scratch *[2][]int, pass *Pass) int {
	for _, form := range s.forms {
		for k := max(1, len(form)-longestEnd); k+shortBytes <= len(form); k++ {
			if end := match(form[k:], text, i, scratch, pass); end > i {
				return end
			}
		}
	}
	return -1
}

// match returns the end of an occurrence of form at i, or -1 if there is none. An ellipsis may cut
// off the occurrence.
func match(form []rune, text string, i int, scratch *[2][]int, pass *Pass) int {
	at := append(scratch[0][:0], i)
	next := scratch[1][:0]
	defer func() { scratch[0], scratch[1] = at, next }()
	cut := -1
	for n, r := range form {
		next = next[:0]
		for _, p := range at {
			if r == ' ' {
				next = spaces(next, text, p)
				continue
			}
			next = spellings(next, text, p, r)
		}
		pass.spend(1 + len(at) + len(next))
		if n >= shortBytes {
			for _, p := range at {
				if end := cutAt(text, p); end > p || ellipsisAt(text, p) > p {
					cut = max(cut, end)
				}
			}
		}
		if len(next) == 0 || pass.stopped {
			return cut
		}
		slices.Sort(next)
		at, next = slices.Compact(next), at
	}
	return max(cut, at[len(at)-1]) // the end of a secret may look like the beginning of an escape
}

// cutAt returns the offset of the ellipsis in an incomplete escape at p, such as "%4…". If there is
// no incomplete escape, cutAt returns p.
func cutAt(text string, p int) int {
	const longest = 12 // \\uXXXX\\uXXX
	if p >= len(text) || !strings.ContainsRune(`%\&`, rune(text[p])) {
		return p
	}
	if n := strings.Index(text[p:min(len(text), p+longest+len(ellipsis))], ellipsis); n > 0 && !strings.ContainsFunc(text[p:p+n], unicode.IsSpace) {
		return p + n
	}
	return p
}

// spaces appends to ends the end of each run of white space that begins at p, however short. A "+"
// counts as a space, but may also be the next character of the secret.
func spaces(ends []int, text string, p int) []int {
	for {
		n := spaceAt(text, p)
		if n == 0 {
			return ends
		}
		p += n
		ends = append(ends, p)
	}
}

// spaceAt returns the length of one space at p, which may be escaped, as in "%20". If there is no
// space, it returns 0.
func spaceAt(text string, p int) int {
	if p >= len(text) {
		return 0
	}
	r, n := utf8.DecodeRuneInString(text[p:])
	if unicode.IsSpace(r) || r == '+' {
		return n
	}
	longest := 0
	escapes(text, p, func(r rune, end int) {
		if unicode.IsSpace(r) || r == '+' {
			longest = max(longest, end-p)
		}
	})
	return longest
}

// spellings appends to ends the end of every spelling of r at p.
func spellings(ends []int, text string, p int, r rune) []int {
	if p >= len(text) {
		return ends
	}
	got, n := utf8.DecodeRuneInString(text[p:])
	if got == r && (n > 1 || got != utf8.RuneError) {
		ends = append(ends, p+n)
	}
	if r == '+' && got == ' ' { // forms decode + as a space
		ends = append(ends, p+n)
	}
	escapes(text, p, func(got rune, end int) {
		if got == r {
			ends = append(ends, end)
		}
	})
	return ends
}

// maxNesting is the maximum number of times that a text may have been encoded.
const maxNesting = 3

// escapes calls yield for each way to read an escape at p, with the character and the end of the
// escape. It reads escapes such as %XX, \n, \uXXXX, &lt; and &#39;, which may be encoded again.
func escapes(text string, p int, yield func(r rune, end int)) {
	switch text[p] {
	case '%':
		for level := range maxNesting {
			if r, end := percentAt(text, p, level); end > p {
				yield(r, end)
			}
		}
	case '\\':
		q := p
		for q < len(text) && text[q] == '\\' && q-p < 1<<maxNesting {
			q++
		}
		if r, end := backslashAt(text, q-1); end > q {
			yield(r, end)
		}
		for n := 2; n <= q-p; n *= 2 {
			yield('\\', p+n)
		}
	case '&':
		q := p + 1
		for range maxNesting {
			if r, end := entityAt(text, p, q); end > p {
				yield(r, end)
			}
			if !strings.HasPrefix(text[q:], "amp;") {
				break
			}
			q += len("amp;")
		}
	}
}

// percentAt decodes one percent-encoded character. The argument level is the number of additional
// encodings: %41 has level 0, %2541 has level 1, and %252541 has level 2.
func percentAt(text string, p, level int) (rune, int) {
	var buf [utf8.UTFMax]byte
	end := p
	for n := 0; n < len(buf); {
		b, next := percentByte(text, end, level)
		if next == end {
			break
		}
		buf[n] = b
		n, end = n+1, next
		if utf8.FullRune(buf[:n]) {
			r, _ := utf8.DecodeRune(buf[:n])
			return r, end
		}
	}
	return 0, p
}

// percentByte reads one percent-encoded byte at p; see percentAt. If there is none, the end is p.
func percentByte(text string, p, level int) (byte, int) {
	if p >= len(text) || text[p] != '%' {
		return 0, p
	}
	q := p + 1
	for range level {
		if !strings.HasPrefix(text[q:], "25") {
			return 0, p
		}
		q += 2
	}
	if q+2 > len(text) || !isHex(text[q]) || !isHex(text[q+1]) {
		return 0, p
	}
	n, _ := strconv.ParseUint(text[q:q+2], 16, 8)
	return byte(n), q + 2
}

// backslashAt reads the escape whose backslash is at p.
func backslashAt(text string, p int) (rune, int) {
	if p+1 >= len(text) {
		return 0, p
	}
	if i := strings.IndexByte("ntrbf", text[p+1]); i >= 0 {
		return rune("\n\t\r\b\f"[i]), p + 2
	}
	switch c := text[p+1]; c {
	case '"', '\'', '/', '`':
		return rune(c), p + 2
	case 'u':
		return unicodeAt(text, p)
	}
	return 0, p
}

// unicodeAt reads \uXXXX, or two of them for a character above U+FFFF.
func unicodeAt(text string, p int) (rune, int) {
	hi, ok := hex4(text, p)
	if !ok {
		return 0, p
	}
	if hi < 0xd800 || hi >= 0xdc00 {
		return hi, p + 6
	}
	lo, ok := hex4(text, p+6)
	if !ok || lo < 0xdc00 || lo >= 0xe000 {
		return 0, p
	}
	return (hi-0xd800)<<10 + (lo - 0xdc00) + 0x10000, p + 12
}

// hex4 reads \uXXXX at p.
func hex4(text string, p int) (rune, bool) {
	if p+6 > len(text) || text[p] != '\\' || text[p+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[p+2:p+6], 16, 16)
	return rune(n), err == nil
}

// entities lists the HTML entities that programs write when they escape a value.
var entities = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\'', "nbsp": '\u00a0'}

// entityAt reads an entity. p is the offset at which the escape begins, and q the offset of the
// name of the entity. If there is no entity, the end is p.
func entityAt(text string, p, q int) (rune, int) {
	const longest = 9 // #x10FFFF;
	semi := strings.IndexByte(text[q:min(len(text), q+longest)], ';')
	if semi < 1 {
		return 0, p
	}
	name, end := text[q:q+semi], q+semi+1
	if name[0] != '#' {
		if r, ok := entities[name]; ok {
			return r, end
		}
		return 0, p
	}
	digits, base := name[1:], 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > unicode.MaxRune {
		return 0, p
	}
	return rune(n), end
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// isSeparate reports whether no letter or digit precedes or follows text[start:end]. Letters and
// digits of an escape such as \n do not count.
func isSeparate(text string, start, end int) bool {
	if startsWord(text[end:]) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	if !wordRune(before) {
		return true
	}
	for p := max(0, start-len(`\u0000`)); p < start; p++ {
		ends := false
		escapes(text[:start], p, func(r rune, end int) { ends = ends || end == start && !wordRune(r) })
		if ends {
			return true
		}
	}
	return false
}

func startsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return wordRune(r)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
