package engine

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/actionregistry/action/selectors"
)

// TestClassesMatchTheSameCharacters compares the patterns that the page gets with what Go matches, for
// all characters that Go's version of Unicode has assigned. The browser may know more of them.
func TestClassesMatchTheSameCharacters(t *testing.T) {
	p := open(t, "")
	last := rune(0x323af)
	for _, re2 := range []string{
		`\pL`, `\PL`, `\pN`, `[\pP\pS\s]`, `[^\pL\pN]`, `[^\pL\pM\d_-]`, `\p{Lu}`, `(?i)[\p{Lm}x]`, `[\p{Han}\p{Hiragana}\p{Katakana}々]`,
		`[\p{Cyrillic}\p{Greek}\p{Latin}]`, `[^\p{Hangul}\p{Thai}]`, `(?i)a(?-i)|[^\p{So}]`, `(?i)[k-sß](?-i)`,
	} {
		q := bound(t, "text~:"+re2)
		var matched []rune // first and last of each range
		whole := regexp.MustCompile(re2)
		for r := rune(0); r <= last; r++ {
			switch n := len(matched); {
			case r >= 0xd800 && r <= 0xdfff || !whole.MatchString(string(r)):
			case n > 0 && matched[n-1] == r-1:
				matched[n-1] = r
			default:
				matched = append(matched, r, r)
			}
		}
		want, _ := json.Marshal(matched)
		source, _ := json.Marshal(q.Parts[0].Value)
		other := p.eval(fmt.Sprintf(`((source, want, last) => {
			const re = new RegExp(source.replace('(?i)', ''), 'u'), other = [];
			for (let r = 0, i = 0; r <= last; r++) {
				while (i < want.length && want[i + 1] < r) i += 2;
				if ((r < 0xd800 || r > 0xdfff) && re.test(String.fromCodePoint(r)) !== (i < want.length && want[i] <= r)) other.push(r);
			}
			return other;
		})(%s, %s, %d)`, source, want, last))
		for _, r := range other.([]any) {
			if r := rune(r.(float64)); unicode.IsGraphic(r) || unicode.IsControl(r) {
				t.Errorf("%s and %.80s differ for %U", re2, source, r)
			}
		}
	}
}

// TestPatternsInAnyCase compares (?i) in the page with what Go matches, for letters with unusual
// cases.
func TestPatternsInAnyCase(t *testing.T) {
	letters := []rune("KkKSsſΣσςΜμµΒβϐÅåÅßẞİiıIǄǅǆᎠꭰВвᲀÉéѣѢΙιͅιṡẛéAa1中")
	var html strings.Builder
	for _, r := range letters {
		fmt.Fprintf(&html, "<p>x%cy</p>", r)
	}
	p := open(t, html.String())
	for _, form := range []string{"(?i)^x%cy$", "(?i)^x[%c]Y$", "(?i)^x[^%c]Y$", "^X?(?i:x%cY)$", "(?i)^\\pL+%c.$"} {
		for _, r := range letters {
			re2 := fmt.Sprintf(form, r)
			re := regexp.MustCompile(re2)
			want := 0
			for _, other := range letters {
				if re.MatchString("x" + string(other) + "y") {
					want++
				}
			}
			if got, _ := p.call("find", object{"query": bound(t, "css:p >> has-text~:"+re2)})["count"].(float64); int(got) != want {
				t.Errorf("%s matches %v texts, want %d", re2, got, want)
			}
		}
	}
}

// bound returns the query of a selector without references.
func bound(t *testing.T, selector string) *selectors.Query {
	t.Helper()
	s, err := selectors.Parse(selector, selectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Bind(selectors.Binding{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}
