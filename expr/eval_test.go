package expr_test

import (
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/actionregistry/action/expr"
)

// conditionTable adds to the conformance cases. The values are those of
// tableScope; a missing one is null.
var conditionTable = []struct {
	name, src string
	want      bool
}{
	{"literals", "true && !false && !null && 1 && 'a' && !0 && !''", true},
	{"NaN is false", "${params.nan} || false", false},
	{"NaN equals nothing", "${params.nan} == ${params.nan}", false},
	{"NaN has no order", "${params.nan} >= 0 || ${params.nan} < 0", false},
	{"infinite", "${params.inf} > 1e300", true},
	{"empty array is true", "${params.none} && true", true},
	{"empty object is true", "${params.empty} && true", true},
	{"zero equals minus zero", "0 == -0", true},
	{"int equals float", "${params.one} == 1.0", true},
	{"long ids compare exactly", "${params.id} == 9007199254740993", true},
	{"long ids differ", "${params.id} == 9007199254740992", false},
	{"long ids order", "${params.id} > 9007199254740992", true},
	{"long id and float", "${params.id} > 9007199254740992.5", true},
	{"true is not 1", "true == 1", false},
	{"empty text is not null", "'' == null", false},
	{"zero is not null", "0 == null", false},
	{"false is not null", "false == null", false},
	{"arrays by content", "${params.list} == ${params.list2}", true},
	{"arrays in order", "${params.list} == ${params.reversed}", false},
	{"objects by content", "${params.obj} == ${params.obj2}", true},
	{"object with a null", "${params.obj} == ${params.objNull}", false},
	{"array is no object", "${params.none} == ${params.empty}", false},
	{"order by white space and prefix", "' \\t-1.5e1x' == ' ' || ' -1.5e1x' < -14", true},
	{"order of Infinity", "'Infinity' > 1e308 && '-Infinityx' < -1e308", true},
	{"order of hex is 0", "'0x10' < 1", true},
	{"order of a dot", "'.5' > 0.4 && '.' < 1 && '5.' > 4 && '.' > -1", true},
	{"order of an open exponent", "'1e' > 0 && '1e' < 2 && '1e+' < 2", true},
	{"order of a no-break space", "'\\u00a0\\ufeff7' > 6", true},
	{"order of null", "null >= 0 && null <= 0", true},
	{"order of arrays", "${params.list} < 1", true},
	{"order of a huge text", "'1e999' > 1e308", true},
	{"contains needs text", "'a1' contains 1", false},
	{"contains is strict", "${params.list} contains '1'", false},
	{"contains a number", "${params.list} contains 1", true},
	{"contains null", "${params.list} contains null", false},
	{"contains an empty text", "'' contains ''", true},
	{"contains of null", "null contains 'a'", false},
	{"contains of an object", "${params.obj} contains 'a'", false},
	{"in an array", "1 in ${params.list}", true},
	{"in an object", "'a' in ${params.obj}", true},
	{"in an object with a null", "'b' in ${params.objNull}", true},
	{"number is no key", "1 in ${params.obj}", false},
	{"in a missing value", "'a' in ${params.missing}", false},
	{"in a text", "'a' in ${params.text}", false},
	{"startsWith of a number", "5 startsWith '5'", false},
	{"endsWith of a number", "'a5' endsWith 5", false},
	{"matches anywhere", "${params.text} matches 'b'", true},
	{"matches needs text", "5 matches '5'", false},
	{"matches a missing value", "${params.missing} matches ''", false},
	{"matches escapes", `'a1' matches '^\\w\\d$'`, true},
	{"matches of a condition", "(1 == 1) matches 'true'", false},
	{"condition as a value", "(1 == 1) == true", true},
	{"short circuit of and", "false && 'a' matches ${params.bad}", false},
	{"short circuit of or", "true || 'a' matches ${params.bad}", true},
	{"double negation", "!!${params.text} == true", true},
	{"not of a comparison", "!(1 == 2)", true},
	{"line breaks", "true\n&&\r\n\ttrue", true},
	{"no blanks", "1==1&&!false||2<1", true},
	{"escapes", `'\n\t\\\/\"\u0041\ud83d\ude00' == "\n\t\\/\"A😀"`, true},
	{"line break in a text", "'a\nb' == 'a\\nb'", true},
	{"member with a hyphen", "${params.a-b} == 1", true},
	{"single-quoted key", "${params['any key']} == 2", true},
	{"escaped key", `${params["q\"\u0041"]} == 3`, true},
	{"index on an object", "${params.obj[0]} == null", true},
	{"name on an array", "${params.list.a} == null", true},
	{"index on a text", "${params.text[0]} == null", true},
	{"nested arrays", "${params.deep[0][1].x} == 'y'", true},
	{"local", "${row.id} == 8 && ${index} == 4", true},
	{"inner local wins", "${index} == 4", true},
	{"modifier", "${modifier} == 'Meta'", true},
	{"selectors", "${selectors.ok} contains 'button'", true},
	{"root wins over param", "${page.url} == 'u'", true},
	{"missing root member", "${env.NOPE} == null && ${steps.nope.x[1]} == null", true},
}

func tableScope() *expr.Scope {
	return &expr.Scope{
		Params: map[string]any{
			"nan": math.NaN(), "inf": math.Inf(1), "none": []any{}, "empty": map[string]any{},
			"one": 1, "id": int64(9007199254740993), "text": "abc", "bad": "(",
			"list": []any{1, "b"}, "list2": []any{1.0, "b"}, "reversed": []any{"b", 1},
			"obj": map[string]any{"a": 1}, "obj2": map[string]any{"a": int64(1)},
			"objNull": map[string]any{"a": 1, "b": nil},
			"a-b":     1, "any key": 2, `q"A`: 3, "page": map[string]any{"url": "of the param"},
			"deep": []any{[]any{0, map[string]any{"x": "y"}}},
		},
		Selectors: map[string]any{"ok": "role:button"},
		Page:      map[string]any{"url": "u"},
		Modifier:  "Meta",
		Locals: []expr.Local{
			{Name: "index", Value: 1}, {Name: "row", Value: map[string]any{"id": 8}}, {Name: "index", Value: 4},
		},
	}
}

func TestCondition(t *testing.T) {
	s := tableScope()
	for _, c := range conditionTable {
		t.Run(c.name, func(t *testing.T) {
			got, err := evalCondition(c.src, s, optionsOf(s))
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%s: got %v, want %v", c.src, got, c.want)
			}
		})
	}
}

var printTable = []struct{ name, src, want string }{
	{"short form", "${method}", "${params.method}"},
	{"blanks", " ${ x }==1&&true ", "${params.x} == 1 && true"},
	{"needless parentheses", "((1) == (2)) && (true)", "1 == 2 && true"},
	{"or in and", "(true || false) && true", "(true || false) && true"},
	{"and on the right", "true && (false && true)", "true && (false && true)"},
	{"and on the left", "(true && false) && true", "true && false && true"},
	{"not", "!(1 == 2) == !true", "!(1 == 2) == !true"},
	{"comparison in a comparison", "(1 == 2) == (3 < 4)", "(1 == 2) == 3 < 4"},
	{"relation in a relation", "(1 < 2) < (3 == 4)", "(1 < 2) < (3 == 4)"},
	{"match in a match", "('a' matches 'b') matches ${x}", "('a' matches 'b') matches ${params.x}"},
	{"numbers", "1.50 == 1e3 || -0 < 1e19 || 0.0000001 < 123456789012345678", "1.5 == 1000 || 0 < 10000000000000000000 || 1e-7 < 123456789012345678"},
	{"texts", `"it's" == '\u000a\u0001"\\'`, `'it\'s' == '\n\u0001"\\'`},
	{"path", `${item["a b"]['c'][0].d-e}`, `${item["a b"].c[0].d-e}`},
	{"modifier", "${modifier}", "${modifier}"},
	{"quoted name", `${steps["a.b"]}`, `${steps["a.b"]}`},
	{"filters", `${x|slice 0,-1|default "it's"|lower}==1`, `${params.x | slice 0, -1 | default 'it\'s' | lower} == 1`},
	{"arguments of a filter", `${ x | default "}\n" | default -1.50 | default null}`, `${params.x | default '}\n' | default -1.5 | default null}`},
}

func TestPrint(t *testing.T) {
	for _, c := range printTable {
		t.Run(c.name, func(t *testing.T) {
			cond, err := expr.ParseCondition(c.src, fuzzOptions)
			if err != nil {
				t.Fatal(err)
			}
			if got := cond.String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestLiteralOfAnyText: the printed literal of any text equals the text, and a text that is a value
// changes nothing else in the condition.
func TestLiteralOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := expr.ParseCondition(string(quoted)+" == ${params.text}", expr.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := expr.ParseCondition(c.String(), expr.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := &expr.Scope{Params: map[string]any{"text": text}}
		if ok, err := again.Eval(s); !ok || err != nil {
			t.Errorf("%s: got %v, %v; want true", again, ok, err)
		}
	})
}

func TestRefs(t *testing.T) {
	const src = "${row.id} == 1 && ${method} in ${steps.list} || !${modifier}"
	c, err := expr.ParseCondition(src, errorOptions)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range c.Refs() {
		got = append(got, r.Root.String()+" "+r.Name+" "+src[r.Start:r.End])
	}
	want := []string{"local row ${row.id}", "params method ${method}", "steps list ${steps.list}", "modifier  ${modifier}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
}

func TestDecide(t *testing.T) {
	s := &expr.Scope{Params: map[string]any{"a": true, "b": false, "bad": "("}}
	unknown := func(r *expr.Ref) bool { return r.Root == expr.RootSteps }
	for _, c := range []struct {
		src             string
		result, decided bool
	}{
		{"${params.a}", true, true},
		{"${steps.x}", false, false},
		{"!${steps.x}", false, false},
		{"${params.b} && ${steps.x}", false, true},
		{"${steps.x} && ${params.b}", false, true},
		{"${params.a} && ${steps.x}", false, false},
		{"${params.a} || ${steps.x}", true, true},
		{"${steps.x} || ${params.a}", true, true},
		{"${params.b} || ${steps.x}", false, false},
		{"${steps.x} == 1", false, false},
		{"1 == (${steps.x} || true)", false, true},
		{"(${steps.x} || true) == true", true, true},
		{"'a' matches ${steps.x}", false, false},
		{"!(${params.b} && ${steps.x} > 1)", true, true},
	} {
		t.Run(c.src, func(t *testing.T) {
			cond, err := expr.ParseCondition(c.src, expr.Options{})
			if err != nil {
				t.Fatal(err)
			}
			result, decided, err := cond.Decide(s, unknown)
			if result != c.result || decided != c.decided || err != nil {
				t.Errorf("got %v, %v, %v; want %v, %v", result, decided, err, c.result, c.decided)
			}
		})
	}
	cond, err := expr.ParseCondition("${steps.x} && 'a' matches ${params.bad}", expr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, decided, err := cond.Decide(s, unknown); decided || err == nil {
		t.Errorf("bad pattern: got decided %v, error %v; want an error", decided, err)
	}
}

func TestNilScope(t *testing.T) {
	if got, err := evalCondition("${params.a} == null", nil, expr.Options{}); got != true || err != nil {
		t.Errorf("condition: got %v, %v; want true", got, err)
	}
	if got, err := evalTemplate("a${params.a}", nil, expr.Options{}); got != "a" || err != nil {
		t.Errorf("template: got %v, %v; want a", got, err)
	}
	if got, err := evalTemplate("${params.a}", nil, expr.Options{}); got != nil || err != nil {
		t.Errorf("reference: got %v, %v; want nil", got, err)
	}
}

func TestEvalAllocatesNothing(t *testing.T) {
	s := tableScope()
	for _, src := range []string{
		benchSource,
		"${row.id} == 8 || !${index} && 'b' in ${list}",
		"${text} contains 'b' && ${text} matches '^a' && ${one} >= '1px'",
	} {
		c, err := expr.ParseCondition(src, optionsOf(s))
		if err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(100, func() {
			if _, err := c.Eval(s); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: got %v allocations, want 0", src, n)
		}
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	s := tableScope()
	c, err := expr.ParseCondition("${text} matches ${text} && ${list} contains 1", optionsOf(s))
	if err != nil {
		t.Fatal(err)
	}
	tmpl, err := expr.ParseTemplate("${text} ${list} ${obj}", optionsOf(s))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if ok, err := c.Eval(s); !ok || err != nil {
					t.Errorf("condition: got %v, %v; want true", ok, err)
				}
				if got, err := tmpl.Text(s); !strings.HasPrefix(got, "abc [") || err != nil {
					t.Errorf("template: got %q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}
