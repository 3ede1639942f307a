package expr_test

import (
	"errors"
	"flag"
	"math"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// filterTable holds references with filters, which are evaluated in filterScope.
var filterTable = []struct {
	src  string
	want any
}{
	{"${s | lower}", "ann lee"},
	{"${s | upper}", "ANN LEE"},
	{"${n | lower}", "7"},
	{"${t | upper}", "TRUE"},
	{"${cjk | upper}", "日本語 É"},
	{"${blank | trim}", "a b"},
	{"${empty | trim}", ""},

	{"${s | slice 0, 3}", "Ann"},
	{"${s | slice 4}", "Lee"},
	{"${s | slice -3}", "Lee"},
	{"${s | slice 0, -4}", "Ann"},
	{"${s | slice -3, -1}", "Le"},
	{"${s | slice 5, 2}", ""},
	{"${s | slice 99}", ""},
	{"${s | slice -99, 99}", "Ann Lee"},
	{"${s | slice -9223372036854775808, 9223372036854775807}", "Ann Lee"},
	{"${cjk | slice 1, 3}", "本語"},
	{"${bad | slice 1, 2}", "\xfe"},
	{"${n | slice 0, 1}", "7"},
	{"${list | slice 1}", []any{"b", int64(3)}},
	{"${list | slice -1}", []any{int64(3)}},
	{"${list | slice 2, 1}", []any{}},

	{"${numtext | number}", -1.5},
	{"${zeros | number}", int64(7)},
	{"${exp | number}", int64(1000)},
	{"${n | number}", int64(7)},
	{"${f | number}", 0.5},
	{"${id | number}", int64(9007199254740993)},

	{"${n | pad 2}", "07"},
	{"${n | pad 1}", "7"},
	{"${zeros | pad 2}", "007"},
	{"${minus | pad 4}", "-005"},
	{"${minus | pad 4, ' '}", "  -5"},
	{"${dashed | pad 3}", "0-x"},
	{"${cjk | pad 6, '語'}", "語日本語 é"},

	{"${params.nope | default 'none'}", "none"},
	{"${params.nope.deep[3] | default 0}", int64(0)},
	{"${nil | default true}", true},
	{"${empty | default 'none'}", "none"},
	{"${none | default 'none'}", "none"},
	{"${noobj | default 1.5}", 1.5},
	{"${zero | default 1}", int64(0)},
	{"${no | default 1}", false},
	{"${blank | default 'x'}", " a b\u00a0"},
	{"${steps.later | default 'none' | upper}", "NONE"},
	{"${params.nope | upper | default 'none'}", "none"},
	{"${params.nope | default null}", nil},
	{"${opaque | default 'none'}", "none"},

	{"${s | json}", `"Ann Lee"`},
	{"${nil | json}", "null"},
	{"${params.nope | json}", "null"},
	{"${obj | json}", `{"a":[1,null],"b":"\"x\""}`},
	{"${nan | json}", "null"},
	{"${opaque | json}", "null"},

	{"${day | date 'DD/MM/YYYY'}", "05/03/2024"},
	{"${day | date 'D.M.YY'}", "5.3.24"},
	{"${day | date 'YYYYMMDD'}", "20240305"},
	{"${day | date 'YYYY年M月D日'}", "2024年3月5日"},
	{"${day | date 'Q WW [of] YYYY'}", "1 10 of 2024"},
	{"${moment | date 'YYYY-MM-DDTHH:mm:ss'}", "2024-12-30T00:05:09"},
	{"${moment | date 'hh:mm A'}", "12:05 AM"},
	{"${moment | date 'H h m s'}", "0 12 5 9"},
	{"${moment | date 'YYYY-[W]WW'}", "2025-W01"},
	{"${moment | date 'DD.MM.YYYY'}", "30.12.2024"},
	{"${zoned | date 'YYYY-MM-DD HH:mm'}", "2024-12-31 23:30"},
	{"${clock | date 'h:mm A'}", "2:30 PM"},
	{"${clock | date 'HH:mm:ss'}", "14:30:00"},
	{"${month | date 'MM/YYYY Q'}", "05/2024 2"},
	{"${week | date 'WW/YYYY'}", "07/2024"},
	{"${quarter | date '[Q]Q YYYY'}", "Q3 2024"},
	{"${empty | default '2024-02-29' | date 'DD.MM.'}", "29.02."},

	{"${s | length}", int64(7)},
	{"${cjk | length}", int64(5)},
	{"${list | length}", int64(3)},
	{"${obj | length}", int64(2)},
	{"${params.nope | length}", int64(0)},
	{"${list | first}", "a"},
	{"${list | last}", int64(3)},
	{"${none | first}", nil},
	{"${none | last | default 'x'}", "x"},
	{"${cjk | first}", "日"},
	{"${cjk | last}", "é"},
	{"${empty | last}", nil},
	{"${obj | keys}", []any{"a", "b"}},
	{"${noobj | keys}", []any{}},
	{"${list | join ', '}", "a, b, 3"},
	{"${mixed | join ';'}", `;true;[1];{"a":1}`},
	{"${none | join ','}", ""},
	{"${s | split ' '}", []any{"Ann", "Lee"}},
	{"${s | split 'x'}", []any{"Ann Lee"}},
	{"${empty | split ','}", []any{""}},
	{"${cjk | slice 0, 2 | split ''}", []any{"日", "本"}},
	{"${s | split ' ' | last | lower | slice 0, 1}", "l"},
	{"${s | replace 'n', 'm'}", "Amm Lee"},
	{"${s | replace '.', '!'}", "Ann Lee"},
	{"${s | replace ' ', ''}", "AnnLee"},
	{"${s | replace 'Ann', '$0 ${x} }'}", "$0 ${x} } Lee"},

	// Without default a missing value stays missing.
	{"${params.nope | lower | slice 0, 3 | number | pad 2}", nil},
	{"${params.nope | date 'YYYY'}", nil},
	{"${params.nope | first | keys}", nil},
	{"${params.nope | join ','}", nil},

	// Spaces, and texts around.
	{"${s|lower|slice 0,3}", "ann"},
	{"${ s  |\n lower |slice\t0 , 3 }", "ann"},
	{"${s | default \"a}b\"} $${x | lower}", "Ann Lee ${x | lower}"},
	{"n=${n | pad 3}, ${params.nope | default '-'}", "n=007, -"},
}

var update = flag.Bool("update", false, "rewrite the table of filters in docs/expressions.md")

// opaque is a Go value whose content no filter may read.
type opaque struct{ Secret string }

func filterScope() *expr.Scope {
	return &expr.Scope{Params: map[string]any{
		"s": "Ann Lee", "n": 7, "t": true, "no": false, "f": 0.5, "cjk": "日本語 é", "blank": " a b\u00a0", "empty": "",
		"zero": 0, "nil": nil, "none": []any{}, "noobj": map[string]any{}, "list": []any{"a", "b", int64(3)},
		"mixed": []any{nil, true, []any{1}, map[string]any{"a": 1}}, "obj": map[string]any{"b": `"x"`, "a": []any{1, nil}},
		"numtext": " -1.50 ", "zeros": "007", "exp": "1e3", "minus": -5, "dashed": "-x", "id": "9007199254740993", "nan": math.NaN(),
		"bad": "a\xfe\xffb", "opaque": opaque{"s3cret"}, "day": "2024-03-05", "moment": "2024-12-30T00:05:09.123Z",
		"zoned": "2024-12-31 23:30-05:00", "clock": "14:30", "month": "2024-05", "week": "2024-W07", "quarter": "2024-Q3",
	}}
}

func TestFilters(t *testing.T) {
	s := filterScope()
	o := optionsOf(s)
	for _, c := range filterTable {
		t.Run(c.src, func(t *testing.T) {
			tmpl, err := expr.ParseTemplate(c.src, o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := tmpl.Eval(s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			again, err := expr.ParseTemplate(tmpl.String(), o)
			if err != nil || !sameTemplate(tmpl, again) {
				t.Errorf("prints as %s, which gives %v, %v", tmpl, again, err)
			}
		})
	}
}

// TestFiltersInConditions: filters bind tighter than operators, and change nothing else.
func TestFiltersInConditions(t *testing.T) {
	s := filterScope()
	for _, c := range []struct {
		src  string
		want bool
	}{
		{"${s | lower} == 'ann lee'", true},
		{"!${s | lower} == false", true},
		{"${s | upper} contains 'ANN' && ${list | length} > 2", true},
		{"${params.nope | default 'x'} == 'x' || false", true},
		{"${no}||${s|lower}=='ann lee'", true},
		{"${params.nope | lower} == null", true},
		{"${params.nope | length} == 0", true},
		{"'b' in ${list | slice 1}", true},
		{"${s | split ' '} contains 'Lee'", true},
		{"${day | date 'YYYY' | number} >= 2024", true},
		{"${s | slice 0, 3} matches '^[A-Z]nn$'", true},
		{"'Ann' matches ${s | slice 0, 3}", true},
		{"${empty | default false}", false},
	} {
		got, err := evalCondition(c.src, s, optionsOf(s))
		if got != c.want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", c.src, got, err, c.want)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	for _, b := range readErrorBlocks(t, "testdata/filter.errors") {
		t.Run(b.name, func(t *testing.T) {
			_, err := expr.ParseTemplate(b.src, errorOptions)
			b.check(t, err)
		})
	}
}

// TestFilterMisfits: a value that a filter does not accept is PARAM_INVALID at the filter's name,
// in templates and conditions, and the message does not show the value.
func TestFilterMisfits(t *testing.T) {
	s := filterScope()
	s.Params["words"] = "hunter two"
	for _, c := range []struct{ src, msg string }{
		{"${list | lower}", "`lower` found an array, expected a text"},
		{"${obj | trim}", "`trim` found an object"},
		{"${obj | slice 0}", "`slice` found an object, expected a text or an array"},
		{"${list | pad 2}", "`pad` found an array"},
		{"${obj | split ','}", "`split` found an object"},
		{"${list | replace 'a', 'b'}", "`replace` found an array"},
		{"${s | join ','}", "`join` found a text, expected an array"},
		{"${list | keys}", "`keys` found an array, expected an object"},
		{"${n | length}", "`length` found a number"},
		{"${t | first}", "`first` found a boolean"},
		{"${t | last}", "`last` found a boolean"},
		{"${list | number}", "`number` found an array"},
		{"${t | number}", "`number` found a boolean"},
		{"${words | number}", "`number` found a text of the form \"xxxxxx xxx\""},
		{"${empty | number}", "`number` found an empty text"},
		{"${n | date 'YYYY'}", "`date` found a number"},
		{"${words | date 'YYYY'}", "`date` found a text of the form \"xxxxxx xxx\""},
		{"${day | date 'HH:mm'}", "`date` found a date without a time, expected a time for HH"},
		{"${month | date 'D'}", "`date` found a month, expected a date for D"},
		{"${week | date 'MM'}", "`date` found a week, expected a date for MM"},
		{"${quarter | date 'HH'}", "`date` found a quarter, expected a time for HH"},
		{"${clock | date 'h:mm D'}", "`date` found a time without a date, expected a date for D"},
		{"${s | lower | keys}", "`keys` found a text"},
	} {
		for _, eval := range []func(string, *expr.Scope, expr.Options) (any, error){evalTemplate, evalCondition} {
			got, err := eval(c.src, s, optionsOf(s))
			e := diag.As(err)
			if e == nil || e.Code != diag.ParamInvalid || !strings.Contains(e.Msg, c.msg) || e.Hint == "" {
				t.Errorf("%s: got %v, %v; want PARAM_INVALID with %q and a hint", c.src, got, err, c.msg)
				continue
			}
			if want := strings.LastIndex(c.src, "| ") + 3; e.Pos.Column != want {
				t.Errorf("%s: got column %d, want %d", c.src, e.Pos.Column, want)
			}
			if strings.Contains(e.Msg+e.Hint, "hunter") {
				t.Errorf("%s: the message shows the value: %v", c.src, e)
			}
		}
	}
}

func TestDateValues(t *testing.T) {
	for _, c := range []struct {
		value string
		want  string // as YYYY-MM-DD HH:mm:ss; "" if refused
	}{
		{"2024-02-29T01:02:03", "2024-02-29 01:02:03"},
		{"2024-02-29 01:02", "2024-02-29 01:02:00"},
		{"2024-02-29t23:59:59z", "2024-02-29 23:59:59"},
		{"2024-02-29T23:59:59.999999999+05:30", "2024-02-29 23:59:59"},
		{"2024-02-29T23:59:59,5-0800", "2024-02-29 23:59:59"},
		{"2024-02-29T23:59+09", "2024-02-29 23:59:00"},
		{"0001-01-01T00:00", "0001-01-01 00:00:00"},
		{"2023-02-29T00:00", ""}, {"0000-01-01T00:00", ""}, {"2024-13-01T00:00", ""}, {"2024-00-01T00:00", ""},
		{"2024-01-32T00:00", ""}, {"2024-01-00T00:00", ""}, {"2024-04-31T00:00", ""}, {"2024-1-1T00:00", ""},
		{"2024-01-01T24:00", ""}, {"2024-01-01T00:60", ""}, {"2024-01-01T00:00:60", ""}, {"2024-01-01T0:00", ""},
		{"2024-01-01T", ""}, {"2024-01-01T00", ""}, {"2024-01-01T00:00:", ""}, {"2024-01-01T00:00:00.", ""},
		{"2024-01-01T00:00+", ""}, {"2024-01-01T00:00+1", ""}, {"2024-01-01T00:00+24:00", ""}, {"2024-01-01T00:00+01-00", ""},
		{"2024-01-01T00:00 UTC", ""}, {"2024-01-01 ", ""}, {" 2024-01-01", ""}, {"2024/01/01T00:00", ""}, {"2024-01-01x00:00", ""},
		{"01/02/2024 10:00", ""}, {"20240101T0000", ""}, {"-024-01-01T00:00", ""}, {"２024-01-01T00:00", ""}, {"1704067200", ""},
		{"yesterday", ""}, {"\xff\xff\xff\xff-01-01T00:00", ""}, {"2024-01-01\x00", ""},
	} {
		s := &expr.Scope{Params: map[string]any{"v": c.value}}
		got, err := evalTemplate("${v | date 'YYYY-MM-DD HH:mm:ss'}", s, optionsOf(s))
		if c.want == "" {
			if diag.CodeOf(err) != diag.ParamInvalid {
				t.Errorf("%q: got %v, %v; want PARAM_INVALID", c.value, got, err)
			}
		} else if got != c.want || err != nil {
			t.Errorf("%q: got %v, %v; want %s", c.value, got, err, c.want)
		}
	}
}

// TestFilterLimits: no filter reads or creates a value above the limits.
func TestFilterLimits(t *testing.T) {
	var doubled, nested any = []any{"x"}, "x"
	for range 60 {
		doubled = []any{doubled, doubled}
	}
	for range 100_000 {
		nested = []any{nested}
	}
	s := &expr.Scope{Params: map[string]any{
		"a": strings.Repeat("a", 1<<20), "most": strings.Repeat("a", expr.MaxValueBytes), "more": strings.Repeat("a", expr.MaxValueBytes+1),
		"doubled": doubled, "nested": nested, "wide": strings.Repeat("ȿ", expr.MaxValueBytes/2),
	}}
	for _, c := range []struct {
		src string
		ok  bool
	}{
		{"${most | lower}", true},
		{"${more | lower}", false},
		{"${more | length}", false},
		{"${wide | upper}", false}, // a capital of three bytes
		{"${a | replace 'a', 'aaaaaaaa'}", true},
		{"${a | replace 'a', 'aaaaaaaaa'}", false},
		{"${a | replace 'a', '" + strings.Repeat("b", 4000) + "'}", false},
		{"${a | split ''}", true},
		{"${most | split 'a'}", false},
		{"${most | json}", false},
		{"${most | pad 1000}", true},
		{"${doubled | json}", false},
		{"${doubled | join ''}", false},
		{"${doubled | first | first | length}", true},
		{"${nested | json}", false},
		{"${nested | join ''}", false},
	} {
		_, err := evalTemplate(c.src, s, optionsOf(s))
		if e := diag.As(err); c.ok && err != nil || !c.ok && (e == nil || e.Code != diag.LimitExceeded || !e.Pos.IsValid() || e.Hint == "") {
			t.Errorf("%.60s: got error %v, want ok %v", c.src, err, c.ok)
		}
	}
	// A text with values in it has its own limit.
	if _, err := evalTemplate("x${most | lower}", s, optionsOf(s)); diag.CodeOf(err) != diag.LimitExceeded {
		t.Errorf("a long text in a text: got %v, want LIMIT_EXCEEDED", err)
	}
	o := optionsOf(s)
	if _, err := expr.ParseTemplate("${a"+strings.Repeat("|trim", 50)+"}", o); err != nil {
		t.Errorf("50 filters: %v", err)
	}
	_, err := expr.ParseTemplate("${a"+strings.Repeat("|trim", 51)+"}", o)
	checkLimit(t, err, 4+50*5, "at most 50")
}

func TestFiltersStop(t *testing.T) {
	done := make(chan struct{})
	s := &expr.Scope{Done: done, Params: map[string]any{"a": "A"}}
	for i, eval := range []func(string, *expr.Scope, expr.Options) (any, error){evalTemplate, evalCondition, evalTemplate, evalCondition} {
		if i == 2 {
			close(done)
		}
		if _, err := eval("${a | lower}", s, optionsOf(s)); (err != nil) != (i >= 2) || i >= 2 && diag.As(err) != nil {
			t.Errorf("evaluation %d: got %v", i, err)
		}
	}
}

// TestDerived: the scope receives the texts that filters make of others, and can refuse them.
func TestDerived(t *testing.T) {
	type pair struct{ From, To any }
	var got []pair
	s := filterScope()
	s.Derived = func(from, to any) error {
		got = append(got, pair{from, to})
		return nil
	}
	for _, src := range []string{
		"${s | lower | length}", "${s | split ' ' | first}", "${s | default 'x'}", "${list | slice 1 | join '+'}", "${obj | json}", "${n | pad 2}",
	} {
		if _, err := evalTemplate(src, s, optionsOf(s)); err != nil {
			t.Fatal(err)
		}
	}
	want := []pair{
		{"Ann Lee", "ann lee"}, {"Ann Lee", []any{"Ann", "Lee"}}, {[]any{"b", int64(3)}, "b+3"}, {int64(7), "07"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("derived (-want +got):\n%s", diff)
	}
	refused := errors.New("no")
	s.Derived = func(any, any) error { return refused }
	if _, err := evalTemplate("a ${s | lower}", s, optionsOf(s)); !errors.Is(err, refused) {
		t.Errorf("got %v, want the error of Derived", err)
	}
}

func TestRefFilters(t *testing.T) {
	o := expr.Options{Params: map[string]bool{"a": true}}
	tmpl, err := expr.ParseTemplate("${a | slice 0,-1|lower}${a}", o)
	if err != nil {
		t.Fatal(err)
	}
	refs := tmpl.Refs()
	if diff := cmp.Diff([][]string{{"slice", "lower"}, nil}, [][]string{refs[0].Filters(), refs[1].Filters()}); diff != "" {
		t.Errorf("filters (-want +got):\n%s", diff)
	}
	if got, want := refs[0].String(), "${params.a | slice 0, -1 | lower}"; got != want || refs[0].End != 23 {
		t.Errorf("got %s, ending at %d; want %s at 23", got, refs[0].End, want)
	}
	c, err := expr.ParseCondition("${a | lower} == 'x'", o)
	if err != nil {
		t.Fatal(err)
	}
	_, decided, err := c.Decide(&expr.Scope{}, func(r *expr.Ref) bool { return r.Name == "a" })
	if decided || err != nil {
		t.Errorf("an unknown value with a filter: decided %v, %v", decided, err)
	}
}

// TestEveryFilter goes through the table: each filter of the specification exists, its example
// parses and prints as itself, it does not fail on null, and for any input it neither panics nor
// changes the input.
func TestEveryFilter(t *testing.T) {
	var names []string
	o := expr.Options{Params: map[string]bool{"name": true, "count": true, "n": true, "x": true, "value": true, "list": true}}
	for _, f := range expr.Filters() {
		names = append(names, f.Name)
		tmpl, err := expr.ParseTemplate(f.Example, o)
		if err != nil {
			t.Errorf("%s: %v", f.Example, err)
			continue
		}
		ref, single := tmpl.Single()
		if !single || cmp.Diff([]string{f.Name}, ref.Filters()) != "" || strings.Replace(tmpl.String(), "params.", "", 1) != f.Example {
			t.Errorf("%s prints as %s", f.Example, tmpl)
		}
		if f.Doc == "" || !strings.HasPrefix(f.Usage, f.Name) {
			t.Errorf("%+v is not described", f)
		}
		if _, err := tmpl.Eval(&expr.Scope{}); err != nil {
			t.Errorf("%s of a missing value: %v", f.Example, err)
		}
		rapid.Check(t, func(t *rapid.T) {
			v := anyValue(t, 3)
			before := expr.Text(v)
			got, err := ref.Value(&expr.Scope{Params: map[string]any{ref.Name: v}})
			if code := diag.CodeOf(err); err != nil && code != diag.ParamInvalid {
				t.Fatalf("%s of %#v: %v", f.Example, v, err)
			}
			switch got.(type) {
			case nil, bool, string, int64, float64, []any, map[string]any:
			default:
				t.Fatalf("%s of %#v gives %T", f.Example, v, got)
			}
			if expr.Text(v) != before {
				t.Fatalf("%s changed its input %s to %s", f.Example, before, expr.Text(v))
			}
		})
	}
	want := "lower upper trim slice number pad default json date length first last keys join split replace pager"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got the filters  %s\nwant the filters %s", got, want)
	}
}

func anyValue(t *rapid.T, depth int) any {
	kinds := 9
	if depth == 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	case 3:
		return rapid.StringMatching(`[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9:]{0,6})?)?`).Draw(t, "date")
	case 4:
		return rapid.Float64().Draw(t, "float")
	case 5:
		return rapid.Int64().Draw(t, "int")
	case 6:
		return rapid.SampledFrom([]any{opaque{"x"}, []string{"a"}, &opaque{}, uint64(math.MaxUint64), func() {}}).Draw(t, "opaque")
	case 7:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, anyValue(t, depth-1))
		}
		return list
	}
	m := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		m[rapid.String().Draw(t, "key")] = anyValue(t, depth-1)
	}
	return m
}

// TestFilterPage compares the table of docs/expressions.md with the filters; -update rewrites it.
func TestFilterPage(t *testing.T) {
	const page = "../docs/expressions.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| filter | result | example |\n|---|---|---|\n")
	for _, f := range expr.Filters() {
		want.WriteString("| `" + f.Usage + "` | " + f.Doc + " | `" + strings.ReplaceAll(f.Example, "|", `\|`) + "` |\n")
	}
	table := regexp.MustCompile(`(?m)^\| filter \| result .*\n(\|.*\n)+`)
	got := table.FindString(string(data))
	if *update && got != want.String() {
		text := strings.Replace(string(data), got, want.String(), 1)
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got = want.String()
	}
	if got != want.String() {
		t.Errorf("the table of filters in docs/expressions.md differs from package expr; run `make docs`")
	}
}

// TestFiltersConcurrently is for the race detector.
func TestFiltersConcurrently(t *testing.T) {
	s := filterScope()
	tmpl, err := expr.ParseTemplate("${s | lower | split ' ' | join '-'} ${list | slice 1 | json} ${day | date 'DD/MM/YYYY'}", optionsOf(s))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got, err := tmpl.Text(s); got != `ann-lee ["b",3] 05/03/2024` || err != nil {
					t.Errorf("got %q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}
