package selectors_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

// hostile are values that would change a selector if they became syntax.
var hostile = []struct{ name, value string }{
	{"plain", "OK"},
	{"single quote", "it's"},
	{"double quote", `say "hi"`},
	{"both quotes", `it's "it"`},
	{"only quotes", `'"'"`},
	{"bracket", `a] [b`},
	{"parenthesis", `a) (b`},
	{"bar", `a | b`},
	{"closes a list", `x) | css:body`},
	{"closes a list without space", `x|)>>(css:body`},
	{"dot", `a.b`},
	{"closes and goes on", `'] >> css:body`},
	{"chain", `a >> b`},
	{"chain alone", ` >> `},
	{"hole", `${x}`},
	{"escaped hole", `$${x}`},
	{"dollar", `$`},
	{"newline", "a\nb\r\nc\fd"},
	{"tab", "a\tb"},
	{"nul", "a\x00b"},
	{"backslash", `a\b`},
	{"backslash at the end", `a\`},
	{"hex escape", `\31 `},
	{"digits", `12ab`},
	{"hyphen", `-`},
	{"hyphen digit", `-1`},
	{"two hyphens", `--x`},
	{"emoji", "👩‍👩‍👧 ok"},
	{"cjk", "新 建"},
	{"rtl", "\u202eabc\u200f"},
	{"pattern", `^.*(a|b)+?[c-d]{2}\d$/i`},
	{"comma", "a, body"},
	{"comment", "/* x */"},
	{"semicolon", "a; b{}"},
	{"kind", "css:body"},
	{"ref", "@e5"},
	{"html", "<b>&amp;"},
	{"delete", "a\x7fb"},
	{"line separator", "a\u2028b"},
	{"lone surrogate", "a\xed\xa0\x80b"},
	{"not UTF-8", "a\xffb"},
	{"xpath", `' or '1'='1`},
	{"long", strings.Repeat(`'"`, 500)},
}

func bind(t *testing.T, src string, scope *expr.Scope) *selectors.Query {
	t.Helper()
	s, err := selectors.Parse(src, options())
	if err != nil {
		t.Fatalf("Parse(%q): %v", src, err)
	}
	q, err := s.Bind(selectors.Binding{Scope: scope})
	if err != nil {
		t.Fatalf("Bind(%q): %v", src, err)
	}
	return q
}

func withX(v any) *expr.Scope {
	return &expr.Scope{
		Params: map[string]any{"x": v, "n": 2},
		Locals: []expr.Local{{Name: "index", Value: 3}, {Name: "item", Value: v}},
	}
}

// seen returns a value as a browser reads it.
func seen(v string) string { return strings.ToValidUTF8(v, "\ufffd") }

// seenCSS is like seen, but also replaces NUL, which CSS cannot represent.
func seenCSS(v string) string { return strings.ReplaceAll(seen(v), "\x00", "\ufffd") }

func TestHostileValues(t *testing.T) {
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			checkHostile(t, tt.value)
		})
	}
}

// checkHostile inserts v at each position where a text is allowed, and reads it back.
func checkHostile(t *testing.T, v string) {
	t.Helper()
	first := func(src string) selectors.QueryPart {
		q := bind(t, src, withX(v))
		if len(q.Parts) != 1 {
			t.Fatalf("%s with %q has %d parts, want 1", src, v, len(q.Parts))
		}
		return q.Parts[0]
	}
	check := func(src, got, want string) {
		if got != want {
			t.Errorf("%s with %q: got %q, want %q", src, v, got, want)
		}
	}
	if strings.TrimSpace(seen(v)) != "" {
		check("text", first(`text:a ${x}`).Value, "a "+seen(v))
		check("text in quotes", first(`text:"${x}\"${x}"`).Value, seen(v)+`"`+seen(v))
		check("testid", first(`testid:${x}`).Value, seen(v))
	}
	check("role name", first(`role:button[name='${x}']`).Attrs[0].Value.(string), seen(v))
	check("role name bare", first(`role:button[name=${x}]`).Attrs[0].Value.(string), seen(v))
	for _, src := range []string{`css:p[a="<${x}>"] b`, `css:p[a='<${x}>'] b`} {
		check(src, cssFrame(t, first(src).Value, `p[a=S] b`), "<"+seenCSS(v)+">")
	}
	check("attribute value", cssFrame(t, first(`css:p[a=${x}] b`).Value, `p[a=S] b`), seenCSS(v))
	check("behind hex", cssFrame(t, first(`css:p[a="\31${x}"]`).Value, `p[a=S]`), "1"+seenCSS(v))
	check("id", cssFrame(t, first(`css:p#a-${x}-b`).Value, `p#I`), "a-"+seenCSS(v)+"-b")
	if v != "" && !strings.ContainsAny(v, " \t\n\r\f") {
		names := first(`class:a.${x}.b-${x}`).Names
		check("names of classes", strings.Join(names, " "), "a "+seen(v)+" b-"+seen(v))
	}
	if strings.TrimSpace(seen(v)) != "" {
		q := bind(t, `css:a >> not:(text:${x}) >> any:(text:${x} | css:b) >> closest:(text:${x} >> css:c) >> next:(any:(css:d | text:${x}))`, withX(v))
		if len(q.Parts) != 5 || len(q.Parts[1].Has.Parts) != 1 || len(q.Parts[2].Alts) != 2 || len(q.Parts[3].Has.Parts) != 2 {
			t.Fatalf("with %q the parts are %+v", v, q.Parts)
		}
		check("not", q.Parts[1].Has.Parts[0].Value, seen(v))
		check("any", q.Parts[2].Alts[0].Parts[0].Value, seen(v))
		check("closest", q.Parts[3].Has.Parts[0].Value, seen(v))
		check("any in next", q.Parts[4].Has.Parts[0].Alts[1].Parts[0].Value, seen(v))
	}
	if v != "" {
		check("class", cssFrame(t, first(`css:p.${x}5 > q`).Value, `p.I > q`), seenCSS(v)+"5")
		check("class behind hyphen", cssFrame(t, first(`css:p.-${x}`).Value, `p.I`), "-"+seenCSS(v))
	}
	check("xpath", xpathString(t, first(`//a[.='<${x}>"']`).Value, "//a[.=", "]"), "<"+seen(v)+`>"`)
	checkPattern(t, first(`text~:^<${x}>$`).Value, v)
}

// cssFrame reads css as a tokenizer does. It replaces each string by S, and each name after "." or
// "#" by I, and compares the result with frame. It returns the last text that it has replaced. The
// names a, b, p and q without a prefix stay.
func cssFrame(t *testing.T, css, frame string) string {
	t.Helper()
	var out strings.Builder
	var last string
	for i := 0; i < len(css); {
		switch c := css[i]; {
		case c == '"' || c == '\'':
			last, i = cssValue(css, i+1, func(b byte) bool { return b != c })
			if i >= len(css) {
				t.Fatalf("string without an end in %q", css)
			}
			i++
			out.WriteByte('S')
		case c == '.' || c == '#':
			out.WriteByte(c)
			if d := strings.TrimPrefix(css[i+1:], "-"); d == "" || '0' <= d[0] && d[0] <= '9' {
				t.Errorf("name begins with a digit in %q", css)
			}
			last, i = cssValue(css, i+1, func(b byte) bool {
				return b >= 0x80 || b == '-' || b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
			})
			out.WriteByte('I')
		default:
			out.WriteByte(c)
			i++
		}
	}
	if out.String() != frame {
		t.Errorf("bound CSS %q is %q, want %q", css, out.String(), frame)
	}
	return last
}

// cssValue reads characters from i on while ok accepts them, and escapes as the CSS standard
// defines them.
func cssValue(css string, i int, ok func(byte) bool) (string, int) {
	var b strings.Builder
	for i < len(css) && (css[i] == '\\' || ok(css[i])) {
		switch {
		case css[i] != '\\':
			if css[i] == '\n' || css[i] == '\r' || css[i] == '\f' || css[i] == 0 {
				return "raw control character", len(css)
			}
			b.WriteByte(css[i])
			i++
		default:
			n := 1
			for n < 7 && i+n < len(css) && strings.IndexByte("0123456789abcdefABCDEF", css[i+n]) >= 0 {
				n++
			}
			if n == 1 {
				b.WriteByte(css[i+1])
				i += 2
				continue
			}
			r, _ := strconv.ParseUint(css[i+1:i+n], 16, 32)
			b.WriteRune(rune(r))
			if i += n; i < len(css) && strings.IndexByte(" \n\t\r\f", css[i]) >= 0 {
				i++
			}
		}
	}
	return b.String(), i
}

var xpathArgs = regexp.MustCompile(`^(?:'([^']*)'|"([^"]*)")(?:, |$)`)

// xpathString reads the string expression between before and after.
func xpathString(t *testing.T, xpath, before, after string) string {
	t.Helper()
	s, ok1 := strings.CutPrefix(xpath, before)
	s, ok2 := strings.CutSuffix(s, after)
	if !ok1 || !ok2 {
		t.Fatalf("bound XPath %q, want %s…%s", xpath, before, after)
	}
	inner, call := strings.CutPrefix(s, "concat(")
	if call {
		inner = strings.TrimSuffix(inner, ")")
	}
	var out string
	for n := 0; inner != ""; n++ {
		m := xpathArgs.FindStringSubmatch(inner)
		if m == nil || n > 0 && !call {
			t.Fatalf("bound XPath %q is no string", xpath)
		}
		out += m[1] + m[2]
		inner = inner[len(m[0]):]
	}
	return out
}

var (
	jsToken = regexp.MustCompile(`\\(?:u\{[0-9a-f]+\}|.)`)
	jsSpace = regexp.MustCompile(`[\s\v\x{a0}\x{feff}\x{2028}\x{2029}\p{Zs}]+`)
)

// checkPattern checks js, which is ^<VALUE>$: no character of the value is special in it, and it
// matches the value, also as a page folds it, and no other text.
func checkPattern(t *testing.T, js, v string) {
	t.Helper()
	inside := strings.TrimSuffix(strings.TrimPrefix(js, "^<(?:"), ")>$")
	rest := strings.NewReplacer(`(?:^|\s+)`, "", `(?:\s+|$)`, "", "\u200b?", "", "\u2060?", "", "\u00ad?", "").Replace(inside)
	rest = jsToken.ReplaceAllString(strings.NewReplacer(`\\`, "", `\s+`, "", `\s*`, "").Replace(rest), "")
	if strings.ContainsAny(rest, `^$\.*+?()[]{}|/`) {
		t.Errorf("pattern %q has special characters in its value: %q", js, rest)
	}
	if len(js) > 2000 {
		return
	}
	re, err := regexp.Compile(jsToken.ReplaceAllStringFunc(js, func(s string) string {
		switch {
		case s == `\s`:
			return strings.TrimSuffix(jsSpace.String(), "+")
		case strings.HasPrefix(s, `\u{`):
			return `\x` + s[2:]
		}
		return s
	}))
	if err != nil {
		t.Fatalf("pattern %q: %v", js, err)
	}
	text := "<" + seen(v) + ">"
	if v = seen(v); strings.TrimFunc(v, func(r rune) bool { return jsSpace.MatchString(string(r)) }) == v && !re.MatchString(text) {
		t.Errorf("pattern %q does not match %q", js, text)
	}
	if folded := jsSpace.ReplaceAllString(text, " "); !re.MatchString(folded) {
		t.Errorf("pattern %q does not match %q", js, folded)
	}
	for _, other := range []string{"<" + v + "x>", "<x" + v + ">", text + "\n", ""} {
		if re.MatchString(other) {
			t.Errorf("pattern %q matches %q", js, other)
		}
	}
}

func TestBind(t *testing.T) {
	scope := withX("A")
	scope.Params["where"] = "css:tr >> nth:1"
	scope.Steps = map[string]any{"found": map[string]any{"ref": "e7", "at": "@snap_ab:e8", "row": map[string]any{"No": 3, "City": "Rome >> x"}}}
	tests := []struct{ name, src, want string }{
		{"css", `#a`, `[{"kind":"css","value":"#a"}]`},
		{"css integers", `tr:nth-child(${n})`, `[{"kind":"css","value":"tr:nth-child(2)"}]`},
		{"xpath integers", `//tr[${n}]`, `[{"kind":"xpath","value":"//tr[2]"}]`},
		{"role", `role:checkbox[name*="b"][checked][pressed=mixed][level=3]`,
			`[{"kind":"role","role":"checkbox","attrs":[{"name":"name","op":"*","value":"b"},{"name":"checked","value":true},{"name":"pressed","value":"mixed"},{"name":"level","value":3}]}]`},
		{"role with an empty name", `role:button[name='']`, `[{"kind":"role","role":"button","attrs":[{"name":"name","value":""}]}]`},
		{"role level hole", `role:heading[level=${n}]`, `[{"kind":"role","role":"heading","attrs":[{"name":"level","value":2}]}]`},
		{"text", `text*:a`, `[{"kind":"text","value":"a","op":"*"}]`},
		{"attributes", `title:a >> placeholder:b >> alt:c >> testid:d`,
			`[{"kind":"title","value":"a","attr":"title"},{"kind":"placeholder","value":"b","attr":"placeholder"},{"kind":"alt","value":"c","attr":"alt"},{"kind":"testid","value":"d","attr":"data-testid"}]`},
		{"nth", `a >> nth:-1 >> nth:${index}`, `[{"kind":"css","value":"a"},{"kind":"nth","index":-1},{"kind":"nth","index":3}]`},
		{"row by a text", `table >> row:${x}`, `[{"kind":"css","value":"table"},{"kind":"row","value":"A"}]`},
		{"row by columns", `table >> row:${steps.found.row}`, `[{"kind":"css","value":"table"},{"kind":"row","attrs":[{"name":"City","value":"Rome \u003e\u003e x"},{"name":"No","value":"3"}]}]`},
		{"a map in a longer text", `table >> row:a ${steps.found.row}`, `[{"kind":"css","value":"table"},{"kind":"row","value":"a {\"City\":\"Rome \u003e\u003e x\",\"No\":3}"}]`},
		{"has", `a >> has:(text:${x} >> b)`, `[{"kind":"css","value":"a"},{"kind":"has","has":{"parts":[{"kind":"text","value":"A"},{"kind":"css","value":"b"}]}}]`},
		{"class", `class:select-dropdown.${x}`, `[{"kind":"class","names":["select-dropdown","A"]}]`},
		{"not", `a >> not:(b)`, `[{"kind":"css","value":"a"},{"kind":"not","has":{"parts":[{"kind":"css","value":"b"}]}}]`},
		{"not filter", `a >> not:(visible: >> b)`, `[{"kind":"css","value":"a"},{"kind":"not","has":{"parts":[{"kind":"these"},{"kind":"visible"},{"kind":"css","value":"b"}]}}]`},
		{"is filter", `a >> is:(has-text:b)`, `[{"kind":"css","value":"a"},{"kind":"is","has":{"parts":[{"kind":"these"},{"kind":"has-text","value":"b"}]}}]`},
		{"under", `a >> under:(b)`, `[{"kind":"css","value":"a"},{"kind":"under","has":{"parts":[{"kind":"css","value":"b"}]}}]`},
		{"not any", `a >> not:(any:(nth:1 | b))`, `[{"kind":"css","value":"a"},{"kind":"not","has":{"parts":[{"kind":"any","alts":[{"parts":[{"kind":"these"},{"kind":"nth","index":1}]},{"parts":[{"kind":"css","value":"b"}]}]}]}}]`},
		{"not param", `a >> not:(${where})`, `[{"kind":"css","value":"a"},{"kind":"not","has":{"parts":[{"kind":"css","value":"tr"},{"kind":"nth","index":1}]}}]`},
		{"closest and next", `a >> closest:(b) >> next:(c)`, `[{"kind":"css","value":"a"},{"kind":"closest","has":{"parts":[{"kind":"css","value":"b"}]}},{"kind":"next","has":{"parts":[{"kind":"css","value":"c"}]}}]`},
		{"any", `any:(a >> b | text:${x})`, `[{"kind":"any","alts":[{"parts":[{"kind":"css","value":"a"},{"kind":"css","value":"b"}]},{"parts":[{"kind":"text","value":"A"}]}]}]`},
		{"none", `none >> a`, `[{"kind":"none"},{"kind":"css","value":"a"}]`},
		{"frame", `frame:#f >> a`, `[{"kind":"frame","frame":{"parts":[{"kind":"css","value":"#f"}]}},{"kind":"css","value":"a"}]`},
		{"ref", `@snap_ab:e5`, `[{"kind":"ref","value":"e5","snapshot":"snap_ab"}]`},
		{"ref of a step", `${steps.found.ref}`, `[{"kind":"ref","value":"e7"}]`},
		{"ref of a snapshot of a step", `${steps.found.at}`, `[{"kind":"ref","value":"e8","snapshot":"snap_ab"}]`},
		{"param", `table >> ${where} >> text:b`, `[{"kind":"css","value":"table"},{"kind":"css","value":"tr"},{"kind":"nth","index":1},{"kind":"text","value":"b"}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := bind(t, tt.src, scope)
			got, err := json.Marshal(q.Parts)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("%s binds to\n%s, want\n%s", tt.src, got, tt.want)
			}
		})
	}
}

func TestBindErrors(t *testing.T) {
	tests := []struct {
		name, src string
		value     any
		want      string
	}{
		{"bare hole with text", `css:tr:nth-child(${x})`, "1) or (2", `1:18: PARAM_INVALID ${params.x} is "1) or (2", expected an integer`},
		{"bare hole with fraction", `css:tr:nth-child(${x})`, 1.5, `1:18: PARAM_INVALID ${params.x} is 1.5, expected an integer`},
		{"bare hole missing", `//tr[${x}]`, nil, `1:6: PARAM_INVALID ${params.x} is missing, expected an integer`},
		{"nth", `a >> nth:${x}`, true, `1:10: PARAM_INVALID ${params.x} is true, expected an integer`},
		{"nth list", `a >> nth:${x}`, []any{1}, `1:10: PARAM_INVALID ${params.x} is [1], expected an integer`},
		{"row list", `a >> row:${x}`, []any{"Ann"}, `1:10: PARAM_INVALID ${params.x} is ["Ann"], expected a text of the row or a map from columns to texts`},
		{"row without columns", `a >> row:${x}`, map[string]any{}, `1:10: PARAM_INVALID ${params.x} is {}, expected a text of the row or a map from columns to texts`},
		{"row without a text", `a >> row:${x}`, "", "1:10: PARAM_INVALID found an empty text for `row:`, which would match anything"},
		{"empty text", `text:${x}`, "", "1:6: PARAM_INVALID found an empty text for `text:`, which would match anything"},
		{"blank text", `text*:${x}`, " \n", "1:7: PARAM_INVALID found an empty text for `text:`, which would match anything"},
		{"empty pattern", `text~:${x}`, nil, "1:7: PARAM_INVALID found an empty text for `text:`, which would match anything"},
		{"empty name", `role:button[name*='${x}']`, "", `1:20: PARAM_INVALID found an empty text for name*=, which every name contains`},
		{"empty class", `css:.${x}`, "", `1:6: PARAM_INVALID ${params.x} is empty, expected a name`},
		{"role", `role:${x}`, "buton", `1:6: PARAM_INVALID ${params.x} is "buton", expected an ARIA role`},
		{"state", `role:checkbox[checked=${x}]`, "maybe", `1:23: PARAM_INVALID ${params.x} is "maybe", expected true or false or mixed`},
		{"ref missing", `${steps.found.ref}`, nil, `1:1: ELEMENT_NOT_FOUND ${steps.found.ref} is empty, expected a ref`},
		{"ref is text", `a >> ${steps.text}`, nil, `1:6: DEFINITION_INVALID ${steps.text} is "Hello", expected a ref such as e5`},
		{"param is bad", `${where}`, "a >> txt:b", `1:1: PARAM_INVALID in the value "a >> txt:b" of ${params.where}: unknown selector kind txt`},
		{"param is no text", `${where}`, 5, `1:1: PARAM_INVALID ${params.where} is 5, expected a selector`},
		{"param has no holes", `${where}`, "${selectors.modal}", `1:1: PARAM_INVALID in the value "${selectors.modal}" of ${params.where}: found $, which is not valid here in a CSS selector`},
		{"param begins with a filter", `${where}`, "nth:0", `1:1: DEFINITION_INVALID found a filter at the beginning, expected another part before it`},
		{"param ends in a frame", `a >> ${where}`, "frame:#x", "1:1: DEFINITION_INVALID found `frame:` as the last part, expected a selector after it"},
		{"value too long", `text:${x}`, strings.Repeat("x", 1<<20+1), `1:6: LIMIT_EXCEEDED found a selector that is too long after its values were inserted, expected at most 1048576 bytes`},
		{"alias without aliases", `${selectors.modal}`, nil, `1:1: DEFINITION_INVALID unknown selector alias modal`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := selectors.Parse(tt.src, options())
			if err != nil {
				t.Fatal(err)
			}
			scope := withX(tt.value)
			scope.Params["where"] = tt.value
			scope.Steps = map[string]any{"text": "Hello"}
			q, err := s.Bind(selectors.Binding{Scope: scope})
			e := diag.As(err)
			if e == nil {
				t.Fatalf("Bind = %+v, want an error", q)
			}
			if got := fmt.Sprintf("%s: %s %s", e.Pos, e.Code, e.Msg); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if e.Hint == "" {
				t.Errorf("no hint for %v", e)
			}
		})
	}
}

// aliases returns a Binding.Alias for aliases with these texts.
func aliases(t *testing.T, texts map[string][]string, prefer int) func(string) ([]*selectors.Selector, int, error) {
	t.Helper()
	return func(name string) ([]*selectors.Selector, int, error) {
		var out []*selectors.Selector
		for _, src := range texts[name] {
			s, err := selectors.Parse(src, selectors.Options{Expr: options().Expr, Fragment: true})
			if err != nil {
				t.Fatalf("alias %s: %v", name, err)
			}
			out = append(out, s)
		}
		if name == "broken" {
			return nil, 0, errors.New("broken")
		}
		return out, prefer, nil
	}
}

func TestBindAliases(t *testing.T) {
	texts := map[string][]string{
		"ok":     {`role:button[name='${x}']`, `${selectors.modal} >> .ok`},
		"modal":  {`role:dialog`},
		"second": {`nth:1`, `nth:2`},
		"pay":    {`frame:#pay`},
		"late":   {`none`, `css:a`},
		"around": {`closest:(css:a)`},
		"a":      {`${selectors.b}`},
		"b":      {`text:x`, `${selectors.a}`},
	}
	for i := range 9 {
		next := fmt.Sprintf("${selectors.d%d}", i+1)
		texts[fmt.Sprintf("d%d", i)] = []string{next, next, next, next}
	}
	texts["d9"] = []string{"a"}
	tests := []struct{ name, src, want string }{
		{"candidates", `${selectors.ok} >> b`, `[{"kind":"alias","alias":"ok","alts":[` +
			`{"parts":[{"kind":"role","role":"button","attrs":[{"name":"name","value":"A"}]}]},` +
			`{"parts":[{"kind":"alias","alias":"modal","alts":[{"parts":[{"kind":"role","role":"dialog"}]}]},{"kind":"css","value":".ok"}]}],"prefer":1},{"kind":"css","value":"b"}]`},
		{"filter behind", `a >> ${selectors.second}`, `[{"kind":"css","value":"a"},{"kind":"alias","alias":"second","alts":[{"parts":[{"kind":"nth","index":1}]},{"parts":[{"kind":"nth","index":2}]}],"prefer":1}]`},
		{"filter first", `${selectors.second}`, `DEFINITION_INVALID found a filter at the beginning, expected another part before it`},
		{"frame last", `${selectors.pay}`, "DEFINITION_INVALID found `frame:` as the last part, expected a selector after it"},
		{"frame in frame", `frame:${selectors.pay} >> a`, "DEFINITION_INVALID found `frame:` as the last part, expected a selector after it"},
		{"none first", `${selectors.late}`, `[{"kind":"alias","alias":"late","alts":[{"parts":[{"kind":"none"}]},{"parts":[{"kind":"css","value":"a"}]}],"prefer":1}]`},
		{"not of an alias that filters", `a >> not:(${selectors.second})`, `[{"kind":"css","value":"a"},{"kind":"not","has":{"parts":[{"kind":"alias","alias":"second","alts":[{"parts":[{"kind":"these"},{"kind":"nth","index":1}]},{"parts":[{"kind":"these"},{"kind":"nth","index":2}]}],"prefer":1}]}}]`},
		{"closest of an alias that filters", `a >> closest:(${selectors.second})`, `DEFINITION_INVALID found a filter at the beginning, expected another part before it`},
		{"an alias that begins with closest", `${selectors.around}`, "DEFINITION_INVALID found `closest:` at the beginning, expected another part before it"},
		{"any of an alias that filters", `any:(a | ${selectors.second})`, `DEFINITION_INVALID found a filter at the beginning, expected another part before it`},
		{"any of an alias that ends in a frame", `any:(a | ${selectors.pay})`, "DEFINITION_INVALID found `frame:` as the last part, expected a selector after it"},
		{"cycle", `${selectors.a}`, `DEFINITION_INVALID the alias a uses itself, or aliases are nested too deeply, expected at most 10 levels`},
		{"unknown", `${selectors.none}`, `DEFINITION_INVALID the alias none has no selector`},
		{"doubling", `${selectors.d0}`, `DEFINITION_INVALID found a selector that is too long after its aliases were expanded, expected at most 1000 parts`},
		{"error of the caller", `${selectors.broken}`, `INTERNAL broken`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := selectors.Parse(tt.src, selectors.Options{Expr: options().Expr})
			if err != nil {
				t.Fatal(err)
			}
			q, err := s.Bind(selectors.Binding{Scope: withX("A"), Alias: aliases(t, texts, 1)})
			var got string
			if err != nil {
				got = string(diag.CodeOf(err)) + " " + errorText(err)
			} else if data, err := json.Marshal(q.Parts); err == nil {
				got = string(data)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func errorText(err error) string {
	if e := diag.As(err); e != nil {
		return e.Msg
	}
	return err.Error()
}

// TestNothing: a selector that can match nothing is recognised before a page is queried.
func TestNothing(t *testing.T) {
	texts := map[string][]string{
		"no": {"none"}, "deep": {"css:a >> ${selectors.no}"}, "both": {"${selectors.no}", "css:a >> none"}, "late": {"none", "css:a"}, "yes": {"css:a"},
	}
	const something = "-"
	for src, want := range map[string]string{
		"none":                                 "",
		"css:a >> none":                        "",
		"none >> css:a":                        "",
		"css:a >> has:(none)":                  "",
		"css:a >> has:(css:b >> none)":         "",
		"css:a >> closest:(none)":              "",
		"css:a >> under:(none)":                "",
		"css:a >> is:(none)":                   "",
		"css:a >> next:(none) >> css:b":        "",
		"frame:none >> css:a":                  "",
		"any:(none | css:a >> none)":           "",
		"${selectors.no}":                      "no",
		"css:a >> ${selectors.no} >> css:b":    "no",
		"${selectors.deep}":                    "no",
		"${selectors.both}":                    "no",
		"css:a >> has:(${selectors.no})":       "no",
		"any:(${selectors.no} | none)":         "no",
		"any:(css:a | none)":                   something,
		"css:a >> not:(none)":                  something,
		"css:a >> not:(${selectors.no})":       something,
		"${selectors.late}":                    something,
		"any:(${selectors.no} | css:a)":        something,
		"css:none":                             something,
		"any:(${selectors.yes} | role:button)": something,
	} {
		s, err := selectors.Parse(src, selectors.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Bind(selectors.Binding{Alias: aliases(t, texts, 0)})
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		got, ok := q.Nothing()
		if !ok {
			got = something
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
	if _, ok := (*selectors.Query)(nil).Nothing(); ok {
		t.Error("no query matches something")
	}
}

func TestSource(t *testing.T) {
	scope := withX(`it's "x" >> y`)
	scope.Params["where"] = "tr >> text:${x}"
	scope.Steps = map[string]any{"found": map[string]any{"ref": "e7"}}
	tests := []struct{ src, want string }{
		{`#a`, `#a`},
		{`css:#a`, `css:#a`},
		{`[title=${x}]`, `[title="it\'s \"x\" >> y"]`},
		{`//a[.='${x}']`, `//a[.=concat('it', "'", 's "x" >> y')]`},
		{`text:${x}`, `text:"it's \"x\" >> y"`},
		{`text:a ${index}`, `text:a 3`},
		{`role:button[name='${x}']`, `role:button[name="it's \"x\" >> y"]`},
		{`role:button[name~=/a${item}/]`, `role:button[name~="ait's \"x\" >> y"]`},
		{`a >> nth:${n}`, `a >> nth:2`},
		{`a >> nth:${x}`, `a >> nth:${params.x}`},
		{`${steps.found.ref}`, `@e7`},
		{`${steps.gone.ref}`, `${steps.gone.ref}`},
		{`${where} >> b`, `tr >> text:"\u0024{x}" >> b`},
		{`${selectors.modal} >> has:(b)`, `${selectors.modal} >> has:(b)`},
	}
	for _, tt := range tests {
		s, err := selectors.Parse(tt.src, options())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Source(scope); got != tt.want {
			t.Errorf("Parse(%q).Source = %s, want %s", tt.src, got, tt.want)
		}
	}
}

// TestQuote inserts hostile values with Quote, in files and on the command line.
func TestQuote(t *testing.T) {
	for _, tt := range hostile {
		for _, literal := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s literal=%v", tt.name, literal), func(t *testing.T) {
				checkQuote(t, tt.value, literal)
			})
		}
	}
}

func checkQuote(t *testing.T, v string, literal bool) {
	t.Helper()
	first := func(src string) selectors.QueryPart {
		s, err := selectors.Parse(src, selectors.Options{Literal: literal})
		if err != nil {
			t.Fatalf("Parse(%q): %v", src, err)
		}
		q, err := s.Bind(selectors.Binding{})
		if err != nil || len(q.Parts) != 1 {
			t.Fatalf("Bind(%q) = %+v, %v, want one part", src, q, err)
		}
		return q.Parts[0]
	}
	want := seen(v)
	if strings.TrimSpace(want) != "" {
		if got := first("text:" + selectors.Quote(selectors.TextKind, v)).Value; got != want {
			t.Errorf("text: got %q, want %q", got, want)
		}
	}
	if len(v) > 500 {
		return
	}
	if got := first("role:button[name=" + selectors.Quote(selectors.Role, v) + "]").Attrs[0].Value; got != want {
		t.Errorf("role: got %q, want %q", got, want)
	}
	if got := cssFrame(t, first("css:[a="+selectors.Quote(selectors.CSS, v)+"]").Value, "[a=S]"); got != seenCSS(v) {
		t.Errorf("css: got %q, want %q", got, seenCSS(v))
	}
	if !strings.Contains(want, "${") {
		if got := xpathString(t, first("//a[.="+selectors.Quote(selectors.XPath, v)+"]").Value, "//a[.=", "]"); got != want {
			t.Errorf("xpath: got %q, want %q", got, want)
		}
	}
}
