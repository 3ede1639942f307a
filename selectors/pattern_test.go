package selectors_test

import "testing"

// TestPatterns checks the JavaScript that RE2 patterns become.
func TestPatterns(t *testing.T) {
	tests := []struct{ name, re2, js string }{
		{"literal", `a/b-c`, `a\/b-c`},
		{"anchors", `^a$`, `^a$`},
		{"absolute anchors", `\Aa\z`, `^a$`},
		{"line anchors", `(?m)^a$`, `(?:^|(?<=\n))a(?=\n|$)`},
		{"dot", `a.b`, `a[^\n]b`},
		{"dot with flag", `(?s)a.b`, `a[\s\S]b`},
		{"digits", `\d+\D`, `(?:[0-9])+[\u{0}-\u{2f}\u{3a}-\u{10ffff}]`},
		{"white space", `\s`, `[\u{9}-\u{a}\u{c}-\u{d}\u{20}]`},
		{"boundary", `\bx\B`, `\bx\B`},
		{"class", `[]\-^a-c/]`, `[\u{2d}\u{2f}\u{5d}-\u{5e}a-c]`},
		{"posix class", `[[:alpha:]_]`, `[A-Z\u{5f}a-z]`},
		{"case", `(?i)aKéβ`, "(?i)aké[βϐ]"},
		{"case with other flags", `(?i)aKé(?-i)b`, "[Aa][Kk\u212a][Éé]b"},
		{"case in a group", `(?i:a)b`, `[Aa]b`},
		{"groups", `(a|bc)(?:d)(?P<n>e)`, `(?:a|bc)d(?:e)`},
		{"alternatives", `x(?:ab|cd|)`, `x(?:ab|cd|(?:))`},
		{"repeats", `a*b+?c?d{2}e{2,}f{2,3}?`, `(?:a)*(?:b)+?(?:c)?(?:d){2}(?:e){2,}(?:f){2,3}?`},
		{"repeated repeats", `(?:a{2}){3}`, `(?:(?:a){2}){3}`},
		{"swapped greed", `(?U)a+b+?`, `(?:a)+?(?:b)+`},
		{"quoted", `\Qa.b\E+`, `a\.(?:b)+`},
		{"escapes", `\x41\x{1F600}\.\n\101`, `A😀\.\u{a}A`},
		{"one letter property", `\p{Lo}{0}a`, `(?:[\p{Lo}]){0}a`},
		{"properties", `[\pL\pN_-]`, `[\p{L}\p{N}\u{2d}\u{5f}]`},
		{"other than properties", `[^\pL\s]`, `[^\p{L}\u{9}-\u{a}\u{c}-\u{d}\u{20}]`},
		{"other than letters", `\PL`, `[^\p{L}]`},
		{"scripts", `[\p{Han}\p{Hiragana}x]`, `[\p{sc=Han}\p{sc=Hiragana}x]`},
		{"surrogates", `[^\pL\x{d800}-\x{dfff}]`, `[^\p{L}\u{d800}-\u{dfff}]`},
		{"nothing", `[^\x00-\x{10FFFF}]`, `[]`},
		{"value", `a${x}+`, `a(?:(?:1\.5))+`},
		{"value in any case", `(?i)a${item}`, `(?i)a(?:x\s+\*)`},
		{"value in any case, of a part", `a(?i:${item})`, `a(?:[xX]\s+\*)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scope := withX("1.5")
			scope.Locals[1].Value = "x \n *"
			if got := bind(t, "text~:"+tt.re2, scope).Parts[0].Value; got != tt.js {
				t.Errorf("%s is %s in JavaScript, want %s", tt.re2, got, tt.js)
			}
		})
	}
}

// TestPatternValues checks the white space of values.
func TestPatternValues(t *testing.T) {
	tests := []struct{ name, value, js string }{
		{"folded", "a \u00a0\n b", `a\s+b`},
		{"ends", " a ", `(?:^|\s+)a(?:\s+|$)`},
		{"cjk", "新 建 x", `新\s*建\s+x`},
		{"invisible", "a\u200bb", "a\u200b?b"},
		{"blank", " ", `(?:^|\s+)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, want := bind(t, "text~:x${x}", withX(tt.value)).Parts[0].Value, "x(?:"+tt.js+")"; got != want {
				t.Errorf("%q is %s in a pattern, want %s", tt.value, got, want)
			}
		})
	}
}
