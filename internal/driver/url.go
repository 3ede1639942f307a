package driver

import (
	"regexp"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A URLPattern matches URLs. Text between slashes is a regular expression (RE2). Other text with a
// "*" is a glob for the whole URL. Any other text matches the URLs that contain it. The zero value
// matches nothing.
type URLPattern struct {
	text  string
	match func(url string) bool
	path  bool // a part of a path
}

// ParseURLPattern parses a pattern. If the pattern is invalid, the error is PARAM_INVALID.
func ParseURLPattern(text string) (URLPattern, error) {
	return NewURLPattern([]URLPiece{{Text: text}})
}

// Match reports whether url matches.
func (p URLPattern) Match(url string) bool { return p.match != nil && p.match(url) }

// MatchPage reports whether the address of a page matches. If the pattern is a part of a path, it
// ignores the query. For example, /orders does not match /login?next=/orders.
func (p URLPattern) MatchPage(url string) bool {
	if p.path {
		url = queries.ReplaceAllString(url, "")
	}
	return p.Match(url)
}

// queries matches the queries in an address and in its fragment.
var queries = regexp.MustCompile(`\?[^#]*`)

// String returns the text of the pattern, for messages.
func (p URLPattern) String() string { return p.text }

// A URLPiece is one part of a pattern.
type URLPiece struct {
	Text  string
	Value bool // an inserted value, all of whose characters are literal
}

// NewURLPattern joins the pieces of a pattern. All characters of inserted values are literal, even
// slashes and "*". If the pattern is invalid, the error is PARAM_INVALID.
func NewURLPattern(pieces []URLPiece) (URLPattern, error) {
	var text strings.Builder
	written := "" // with a letter for each value
	for _, p := range pieces {
		text.WriteString(p.Text)
		if p.Value {
			written += "x"
		} else {
			written += p.Text
		}
	}
	p := URLPattern{text: text.String()}
	var source string
	switch {
	case p.text == "":
		return p, diag.New(diag.ParamInvalid, "the URL pattern is empty").WithHint("write a part of the URL")
	case len(written) > 2 && strings.HasPrefix(written, "/") && strings.HasSuffix(written, "/"):
		source = regexpSource(pieces)
	case strings.Contains(written, "*"):
		source = globSource(pieces)
	default:
		p.match = func(url string) bool { return strings.Contains(url, p.text) }
		p.path = (strings.HasPrefix(p.text, "/") || strings.Contains(p.text, "://")) && !strings.Contains(p.text, "?")
		return p, nil
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return p, diag.New(diag.ParamInvalid, "found the invalid pattern %s, expected a regular expression (RE2): %v", p.text, err).
			WithHint("correct the pattern; or write a part of the URL, with no slash at the start and at the end").Because(err)
	}
	p.match = re.MatchString
	return p, nil
}

// regexpSource returns the regular expression between the slashes. Values are quoted.
func regexpSource(pieces []URLPiece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Value {
			b.WriteString(regexp.QuoteMeta(p.Text))
		} else {
			b.WriteString(p.Text)
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), "/"), "/")
}

// globSource converts a glob to a regular expression for a whole URL. ** matches any text. *
// matches any text without a slash; as the first or the last character, it matches any text.
func globSource(pieces []URLPiece) string {
	var b strings.Builder
	b.WriteString("^")
	for n, p := range pieces {
		if p.Value {
			b.WriteString(regexp.QuoteMeta(p.Text))
			continue
		}
		rest := p.Text
		for rest != "" {
			i := strings.IndexByte(rest, '*')
			if i < 0 {
				i = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:i]))
			first := n == 0 && i == 0 && rest == p.Text
			rest = rest[i:]
			stars := len(rest) - len(strings.TrimLeft(rest, "*"))
			rest = rest[stars:]
			switch last := n == len(pieces)-1 && rest == ""; {
			case stars == 0:
			case stars > 1, first, last:
				b.WriteString(".*")
			default:
				b.WriteString("[^/]*")
			}
		}
	}
	return b.String() + "$"
}
