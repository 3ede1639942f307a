package trace

// Finding a secret in a text whatever way it is written there.
//
// A secret is a list of characters, and each character has several spellings: as
// it is, percent-encoded (also more than once), JSON- and HTML-escaped. Listing
// the encoded forms of whole secrets would miss mixtures, such as a URL in a
// JSON string in an attribute, so the text is read with a small automaton: the
// set of places at which the text may go on after the first n characters. A set
// cannot grow faster than the text, which keeps hostile input linear in the
// length of both.

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A secret is a text to find. A run of white space counts as one space, which
// matches any run of it: pages fold it.
type secret struct {
	text   string
	runes  []rune
	forms  [][]rune  // runes, and where it is long those of a page that shows it in one case
	begins [256]bool // the bytes with which it may begin in a text
}

// longRunes is the length from which a secret is also found where it is written in upper
// or lower case, or broken by white space, as a page shows it in capitals or over several
// lines. In shorter ones too many plain words would be hits.
const longRunes = 8

func newSecret(s string) secret {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " ")
	out := secret{text: text, runes: []rune(text)}
	out.forms = [][]rune{out.runes}
	if out.long() {
		for _, form := range []string{strings.ToUpper(text), strings.ToLower(text)} {
			if runes := []rune(form); form != text && len(runes) == len(out.runes) {
				out.forms = append(out.forms, runes)
			}
		}
	}
	for _, c := range `%\&` {
		out.begins[c] = true
	}
	for _, form := range out.forms {
		if len(form) > 0 {
			out.begins[string(form[0])[0]] = true
		}
	}
	return out
}

func (s *secret) long() bool { return len(s.runes) >= longRunes }

// A span is a part of a text.
type span struct{ start, end int }

// find adds every occurrence in text. When p is stopped, the result counts for nothing.
func (s *secret) find(spans []span, text string, p *Pass) []span {
	var scratch [2][]int
	for i := 0; i < len(text) && !p.stopped; {
		p.spend(1)
		if !s.begins[text[i]] {
			i++
			continue
		}
		end := s.match(text, i, &scratch, p)
		if end < 0 || len(s.text) < shortBytes && !standsAlone(text, i, end) {
			i++
			continue
		}
		spans = append(spans, span{i, end})
		i = end
	}
	return spans
}

// match returns the end of the longest occurrence at i, or -1.
func (s *secret) match(text string, i int, scratch *[2][]int, pass *Pass) int {
	end := s.read(text, i, 0, s.forms, scratch, pass)
	if end < 0 || len(s.forms) == 1 {
		return end
	}
	// The forms were read as one: a text of mixed case is none of them.
	end = -1
	for n := range s.forms {
		end = max(end, s.read(text, i, 0, s.forms[n:n+1], scratch, pass))
	}
	return end
}

// reaches reports whether text ends with a beginning of the secret that stands at i, of at
// least shortBytes characters.
func (s *secret) reaches(text string, i int, scratch *[2][]int, pass *Pass) bool {
	if s.read(text, i, shortBytes, s.forms, scratch, pass) < 0 {
		return false
	}
	for n := range s.forms {
		if len(s.forms) == 1 || s.read(text, i, shortBytes, s.forms[n:n+1], scratch, pass) >= 0 {
			return true
		}
	}
	return false
}

// read reads the secret from i, each character as it is in any of forms, and returns the
// longest end, or -1. With a least, what is read may also be cut: the text may end after
// that many characters, or within an escape that follows them.
func (s *secret) read(text string, i, least int, forms [][]rune, scratch *[2][]int, pass *Pass) int {
	at := append(scratch[0][:0], i)
	next := scratch[1][:0]
	defer func() { scratch[0], scratch[1] = at, next }()
	for n := range s.runes {
		if least > 0 && n >= least {
			for _, p := range at {
				if p == len(text) || isHalfEscape(text[p:]) {
					return len(text)
				}
			}
		}
		next = s.step(next[:0], text, at, n, forms, pass)
		pass.spend(1 + len(at) + len(next))
		if len(next) == 0 || pass.stopped {
			return -1
		}
		slices.Sort(next)
		at, next = slices.Compact(next), at
	}
	if end := at[len(at)-1]; least == 0 || end == len(text) {
		return end
	}
	return -1
}

// step adds the ends of the n-th character of the secret, read from each of the places at,
// which are in order.
func (s *secret) step(ends []int, text string, at []int, n int, forms [][]rune, pass *Pass) []int {
	broken := n > 0 && s.long()
	looked := 0 // up to where white space that breaks the secret has been read
	for _, p := range at {
		if s.runes[n] == ' ' {
			if ends = spaces(ends, text, p); broken {
				ends = append(ends, p)
			}
			continue
		}
		ends = spellings(ends, text, p, n, forms)
		for q := p; broken && q >= looked; {
			width := spaceAt(text, q, false)
			if width == 0 {
				break
			}
			q += width
			pass.spend(1)
			looked = q
			ends = spellings(ends, text, q, n, forms)
		}
	}
	return ends
}

// ellipsis stands where a text was cut.
const ellipsis = "…"

// findCut adds what cuts have left of the secret: its beginning, of shortBytes characters or
// more, just before an ellipsis. When p is stopped, the result counts for nothing.
func (s *secret) findCut(spans []span, text string, p *Pass) []span {
	if len(s.runes) <= shortBytes {
		return spans
	}
	var scratch [2][]int
	own := strings.Contains(s.text, ellipsis)
	for from := 0; !p.stopped; {
		n := strings.Index(text[from:], ellipsis)
		if n < 0 {
			break
		}
		end := from + n
		head := strings.TrimRightFunc(text[:end], unicode.IsSpace)
		start := max(0, len(head)-s.widest())
		if !own {
			start = max(start, from)
		}
		for ; start < len(head) && !p.stopped; start++ {
			p.spend(1)
			if s.begins[head[start]] && s.reaches(head, start, &scratch, p) {
				spans = append(spans, span{start, len(head)})
				break
			}
		}
		from = end + len(ellipsis)
	}
	return spans
}

// widest is how many bytes the beginning of the secret may take in a text: each of its bytes
// escaped over, and white space that breaks it.
func (s *secret) widest() int { return len(s.text) * 2 * len("%252525ff") }

// isHalfEscape reports whether text is the beginning of one escaped character.
func isHalfEscape(text string) bool {
	if text == "" || len(text) > len("&amp;amp;#x10ffff") {
		return false
	}
	switch text[0] {
	case '%':
		return strings.Trim(text, "%0123456789abcdefABCDEF") == ""
	case '\\':
		return strings.Trim(strings.TrimLeft(text, "\\"), "u0123456789abcdefABCDEF") == ""
	case '&':
		return !strings.HasSuffix(text, ";") && !strings.ContainsFunc(text[1:], func(r rune) bool { return r != ';' && r != '#' && !wordRune(r) })
	}
	return false
}

// spaces adds the ends of the runs of white space that begin at p. A "+" is a
// space in a query and may be the next character of the secret, so the longest
// run is not the only one to go on from.
func spaces(ends []int, text string, p int) []int {
	for {
		n := spaceAt(text, p, true)
		if n == 0 {
			return ends
		}
		p += n
		ends = append(ends, p)
	}
}

// spaceAt returns the width of the white space at p; with plus, a "+" is one.
func spaceAt(text string, p int, plus bool) int {
	if p >= len(text) {
		return 0
	}
	r, n := utf8.DecodeRuneInString(text[p:])
	if unicode.IsSpace(r) || plus && r == '+' {
		return n
	}
	longest := 0
	escapes(text, p, func(r rune, end int) {
		if unicode.IsSpace(r) || plus && r == '+' {
			longest = max(longest, end-p)
		}
	})
	return longest
}

// spellings adds the end of every spelling at p of the n-th character of any of forms.
func spellings(ends []int, text string, p, n int, forms [][]rune) []int {
	if p >= len(text) {
		return ends
	}
	is := func(r rune) bool {
		for _, form := range forms {
			if form[n] == r {
				return true
			}
		}
		return false
	}
	if got, n := utf8.DecodeRuneInString(text[p:]); is(got) && (n > 1 || got != utf8.RuneError) {
		ends = append(ends, p+n)
	}
	escapes(text, p, func(got rune, end int) {
		if is(got) {
			ends = append(ends, end)
		}
	})
	return ends
}

// maxNesting is how often a text may have been encoded over.
const maxNesting = 3

// escapes calls yield for each way to read one escaped character at p, with its
// end: %XX…, \n, \uXXXX, &lt;, &#39;, and the same encoded again.
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

// percentAt reads the percent-encoded bytes of one character that was encoded
// level more times: %41, %2541, %252541.
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

// backslashAt reads the escape whose backslash stands at p.
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

func hex4(text string, p int) (rune, bool) {
	if p+6 > len(text) || text[p] != '\\' || text[p+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[p+2:p+6], 16, 16)
	return rune(n), err == nil
}

// entities are those that programs write; a person's &eacute; does not come from
// escaping a value.
var entities = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\'', "nbsp": '\u00a0'}

// entityAt reads the entity of which the name begins at q and which replaces what
// begins at p.
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

// standsAlone reports whether text[start:end] has no letter or digit beside it;
// one that is part of an escape is none.
func standsAlone(text string, start, end int) bool {
	after, _ := utf8.DecodeRuneInString(text[end:])
	if wordRune(after) {
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

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
