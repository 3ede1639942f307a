package version_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/version"
)

func TestConformance(t *testing.T) {
	data, err := os.ReadFile("testdata/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Pattern, Version string
		Match            bool
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		t.Run(c.Pattern+" "+c.Version, func(t *testing.T) {
			v, ok := version.Coerce(c.Version)
			if !ok {
				t.Fatalf("Coerce(%q) found nothing", c.Version)
			}
			p, err := version.ParsePattern(c.Pattern, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Match(v); got != c.Match {
				t.Errorf("%s matches %s: got %v, want %v", c.Pattern, v, got, c.Match)
			}
		})
	}
}

var coerceTable = []struct{ name, in, want string }{
	{"plain", "1.2.3", "1.2.3"},
	{"two numbers", "4.16", "4.16.0"},
	{"one number", "4", "4.0.0"},
	{"zero", "0", "0.0.0"},
	{"v", "v4.16.13", "4.16.13"},
	{"capital v", "V4.2.0", "4.2.0"},
	{"name before", "antd 4.24.1", "4.24.1"},
	{"spaces", "  4.2.1\n", "4.2.1"},
	{"four numbers", "4.2.1.5", "4.2.1"},
	{"letters behind", "4.2.1beta", "4.2.1"},
	{"pre-release", "5.0.0-beta.1", "5.0.0"},
	{"build", "5.0.0+build.7", "5.0.0"},
	{"text behind", "18.3.1 (prod)", "18.3.1"},
	{"first of two", "v3.4 replaces v3.3.1", "3.4.0"},
	{"dot first", ".1.1", "1.1.0"},
	{"dots first", "..1", "1.0.0"},
	{"dot last", "1.", "1.0.0"},
	{"digit in a word", "vue3", "3.0.0"},
	{"leading zeros", "2024.01.05", "2024.1.5"},
	{"too long is skipped", strings.Repeat("1", 17) + ".2.3", "2.3.0"},
	{"too long ends it", "1.2." + strings.Repeat("3", 17), "1.2.0"},
	{"sixteen digits", strings.Repeat("1", 16) + ".2", "1111111111111111.2.0"},
	{"beyond 2^53", strings.Repeat("9", 16), ""},
	{"beyond 2^53 in the middle", "1." + strings.Repeat("9", 16) + ".3", ""},
	{"only too long", strings.Repeat("1", 400), ""},
	{"empty", "", ""},
	{"no digit", "version one", ""},
	{"other digits", "٣.١", ""},
	{"CJK around", "版本4.2版", "4.2.0"},
}

func TestCoerce(t *testing.T) {
	for _, c := range coerceTable {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if v, ok := version.Coerce(c.in); ok {
				got = v.String()
			}
			if got != c.want {
				t.Errorf("Coerce(%q): got %q, want %q", c.in, got, c.want)
			}
		})
	}
}

var patternTable = []struct {
	name, pattern string
	in, out       string // versions, separated by spaces
}{
	{"x", "4.x", "4.0.0 4.99.1", "3.9.9 5.0.0"},
	{"bare major", "4", "4.0.0 4.99.1", "3.9.9 5.0.0"},
	{"minor x", "4.2.x", "4.2.0 4.2.9", "4.1.9 4.3.0"},
	{"exact", "4.2.1", "4.2.1", "4.2.0 4.2.2"},
	{"and by blank", ">=4.2.0 <6", "4.2.0 5.9.9", "4.1.0 6.0.0"},
	{"and by comma", ">=4.2.0, <6", "4.2.0 5.9.9", "4.1.0 6.0.0"},
	{"tilde", "~4.2.0", "4.2.5", "4.3.0"},
	{"caret below 1", "^0.2.3", "0.2.4", "0.3.0 0.2.2"},
	{"or", "3.x || 4.x", "3.0.0 4.1.0", "2.0.0 5.0.0"},
	{"hyphen", "4.0 - 4.24", "4.0.0 4.24.9", "3.9.9 4.25.0"},
	{"not", "!=4.x", "3.0.0 5.0.0", "4.1.0"},
	{"all but one", ">=4.0.0 !=4.0.0 <4.0.2", "4.0.1", "4.0.0 4.0.2"},
	{"all but a minor", "4.x !=4.0.x", "4.1.0", "4.0.5"},
	{"above a major", ">4", "5.0.0", "4.9.9"},
	{"zero", "<0.0.1", "0.0.0", "0.0.1"},
	{"pre-release bound", ">=4.2.0-beta", "4.2.0 5.0.0", "4.1.9"},
}

func TestPattern(t *testing.T) {
	for _, c := range patternTable {
		t.Run(c.name, func(t *testing.T) {
			p, err := version.ParsePattern(c.pattern, nil)
			if err != nil {
				t.Fatal(err)
			}
			if p.String() != c.pattern {
				t.Errorf("String: got %q, want %q", p, c.pattern)
			}
			for want, list := range map[bool]string{true: c.in, false: c.out} {
				for _, text := range strings.Fields(list) {
					if got := p.Match(coerce(t, text)); got != want {
						t.Errorf("%s matches %s: got %v, want %v", c.pattern, text, got, want)
					}
				}
			}
			if p.Match(nil) {
				t.Error("a pattern matched no version")
			}
		})
	}
}

func coerce(t testing.TB, text string) *version.Version {
	t.Helper()
	v, ok := version.Coerce(text)
	if !ok {
		t.Fatalf("Coerce(%q) found nothing", text)
	}
	return v
}

// An errorCase is an invalid source with the expected error: its column, its code, and parts of its
// message and hint.
type errorCase struct {
	name, src string
	column    int
	code      diag.Code
	msg, hint string
}

func (c errorCase) check(t *testing.T, err error) {
	t.Helper()
	e := diag.As(err)
	if e == nil {
		t.Fatalf("%q: got error %v, want a coded one", c.src, err)
	}
	if e.Code != c.code || e.Pos.Line != 1 || e.Pos.Column != c.column {
		t.Errorf("%q: got %s at %v, want %s at 1:%d (%s)", c.src, e.Code, e.Pos, c.code, c.column, e.Msg)
	}
	if !strings.Contains(e.Msg, c.msg) {
		t.Errorf("%q: message %q, want it to contain %q", c.src, e.Msg, c.msg)
	}
	if e.Hint == "" || !strings.Contains(e.Hint, c.hint) {
		t.Errorf("%q: hint %q, want it to contain %q", c.src, e.Hint, c.hint)
	}
}

var patternErrors = []errorCase{
	{"empty", "", 1, diag.DefinitionInvalid, `found ""`, "4.x"},
	{"tag", "latest", 1, diag.DefinitionInvalid, "latest", "tag"},
	{"nothing before or", "|| 4", 1, diag.DefinitionInvalid, "", "both sides"},
	{"nothing behind or", "4.x ||", 7, diag.DefinitionInvalid, "", "both sides"},
	{"trailing comma", "3.x || >=4,", 8, diag.DefinitionInvalid, ">=4,", "comma"},
	{"second alternative", "3.x || four", 8, diag.DefinitionInvalid, "four", "4.x"},
	{"word or", "3.x or 4.x", 1, diag.DefinitionInvalid, "3.x or 4.x", "||"},
	{"word and", "3.x and 4.x", 1, diag.DefinitionInvalid, "", "space"},
	{"no blank", "^4^5", 1, diag.DefinitionInvalid, "^4^5", ""},
	{"overflow", "99999999999999999999.x", 1, diag.DefinitionInvalid, "9999", ""},
	{"too long", strings.Repeat("4.x ", 300), 1, diag.DefinitionInvalid, "", "bytes"},
	{"too many", strings.Repeat("4.x||", 40) + "5", 1, diag.DefinitionInvalid, "", "alternatives"},
	{"two majors", "4.x,5.x", 1, diag.DefinitionInvalid, "no version can match", "4.x || 5.x"},
	{"two carets", "^4 ^5", 1, diag.DefinitionInvalid, "no version can match", "||"},
	{"crossed bounds", ">5 <4", 1, diag.DefinitionInvalid, "no version can match", ""},
	{"touching bounds", ">4.2.0 <4.2.1", 1, diag.DefinitionInvalid, "no version can match", ""},
	{"below zero", "<0.0.0", 1, diag.DefinitionInvalid, "no version can match", ""},
	{"pre-release only", "=4.2.0-beta", 1, diag.DefinitionInvalid, "no version can match", "pre-release"},
	{"both empty", ">5 <4 || ^1 ^2", 1, diag.DefinitionInvalid, "no version can match", "alternative"},
}

func TestPatternErrors(t *testing.T) {
	for _, c := range patternErrors {
		t.Run(c.name, func(t *testing.T) {
			_, err := version.ParsePattern(c.src, nil)
			c.check(t, err)
		})
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		min, max, in, out, text string
	}{
		{"3.0.0", "6.x", "3.0.0 6.99.9", "2.9.9 7.0.0", "3.0.0 to 6.x"},
		{"3", "6", "3.0.0 6.99.9", "2.9.9 7.0.0", "3 to 6"},
		{"", "6.2", "0.0.0 6.2.99", "6.3.0", "at most 6.2"},
		{"", "6.2.x", "6.2.99", "6.3.0", "at most 6.2.x"},
		{"", "6.2.1", "6.2.1", "6.2.2", "at most 6.2.1"},
		{"v3.2", "", "3.2.0 99.0.0", "3.1.9", "v3.2 or later"},
		{"", "", "0.0.0 99.0.0", "", "any version"},
	} {
		t.Run(c.text, func(t *testing.T) {
			r := version.Range{Min: bound(t, c.min), Max: bound(t, c.max)}
			if got := r.String(); got != c.text {
				t.Errorf("String: got %q, want %q", got, c.text)
			}
			if r.Empty() {
				t.Error("Empty: got true, want false")
			}
			for want, list := range map[bool]string{true: c.in, false: c.out} {
				for _, text := range strings.Fields(list) {
					if got := r.Contains(coerce(t, text)); got != want {
						t.Errorf("contains %s: got %v, want %v", text, got, want)
					}
				}
			}
		})
	}
	if r := (version.Range{Min: bound(t, "7.0.0"), Max: bound(t, "6.x")}); !r.Empty() {
		t.Errorf("Empty of %s: got false, want true", r)
	}
}

func bound(t *testing.T, s string) *version.Bound {
	t.Helper()
	if s == "" {
		return nil
	}
	b, err := version.ParseBound(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != s {
		t.Errorf("String: got %q, want %q", b, s)
	}
	return b
}

func TestBoundErrors(t *testing.T) {
	for _, c := range []errorCase{
		{"empty", "", 1, diag.DefinitionInvalid, "6.x", ""},
		{"operator", "<7", 1, diag.DefinitionInvalid, "<7", "operators"},
		{"pre-release", "6.0.0-beta", 1, diag.DefinitionInvalid, "", "pre-releases"},
		{"word", "six", 1, diag.DefinitionInvalid, "six", "numbers"},
		{"any", "*", 1, diag.DefinitionInvalid, "", "omit the key"},
		{"number behind x", "6.x.1", 1, diag.DefinitionInvalid, "", ""},
		{"four", "6.1.1.1", 1, diag.DefinitionInvalid, "", "three"},
		{"empty part", "6..1", 1, diag.DefinitionInvalid, "", ""},
		{"sign", "+6", 1, diag.DefinitionInvalid, "", ""},
		{"overflow", "99999999999999999999", 1, diag.DefinitionInvalid, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := version.ParseBound(c.src, nil)
			c.check(t, err)
		})
	}
}

func TestPositions(t *testing.T) {
	pos := func(off int) diag.Pos { return diag.Pos{File: "a.yaml", Line: 7, Column: 20 + off} }
	_, err1 := version.ParsePattern("3.x || four", pos)
	_, err2 := version.ParseBound("six", pos)
	_, err3 := version.ParseScript("antd.version()", pos)
	for i, want := range []int{27, 20, 32} {
		e := diag.As([]error{err1, err2, err3}[i])
		if e == nil || e.Pos != (diag.Pos{File: "a.yaml", Line: 7, Column: want}) {
			t.Errorf("error %d: got %v, want it at a.yaml:7:%d", i, e, want)
		}
	}
}

func FuzzCoerce(f *testing.F) {
	for _, c := range coerceTable {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := version.Coerce(text)
		if !ok {
			return
		}
		again, ok := version.Coerce(v.String())
		if !ok || again.String() != v.String() {
			t.Errorf("Coerce(%q) is %s, but that is coerced to %v", text, v, again)
		}
	})
}

func FuzzPattern(f *testing.F) {
	for _, c := range patternTable {
		f.Add(c.pattern)
	}
	for _, c := range patternErrors {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := version.ParsePattern(src, nil)
		if err != nil {
			if e := diag.As(err); e == nil || e.Hint == "" || !e.Pos.IsValid() {
				t.Errorf("%q: error %#v lacks code, hint or position", src, err)
			}
			return
		}
		if _, err := version.ParsePattern(p.String(), nil); err != nil {
			t.Errorf("%q is a pattern, but printed it is not: %v", src, err)
		}
	})
}

func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		text, pattern string
		match, splits bool
	}{
		{"3.x", "3.x", true, false}, {"3", ">=3 <4", true, false}, {"3.x", ">=3.5 <4", false, true}, {"3.x", "<3.5", false, true}, {"3.x", "4.x", false, false},
		{"3.26", "3.x", true, false}, {"3.26.x", "~3.26.0", true, false}, {"3.26.1", "3.26.1", true, false}, {"3.x", "3.x || 4.x", true, false}, {"3.x", "3.26.1", false, false},
	} {
		b, err := version.ParseBound(tt.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := version.ParsePattern(tt.pattern, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := version.Open(b)
		if v.String() != tt.text || p.Match(v) != tt.match || p.Splits(v) != tt.splits {
			t.Errorf("%s: %s matches: %t, splits it: %t; want %t, %t", v, p, p.Match(v), p.Splits(v), tt.match, tt.splits)
		}
	}
	bound := func(s string) *version.Bound {
		b, err := version.ParseBound(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	r := version.Range{Min: bound("3.5"), Max: bound("5.2")}
	for text, want := range map[string]bool{"2.x": false, "3.x": true, "3.4": false, "4.x": true, "5.x": true, "5.3": false, "6.x": false} {
		if got := r.Contains(version.Open(bound(text))); got != want {
			t.Errorf("%s is in %s: %t, want %t", text, r, got, want)
		}
	}
}
