package expr_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/expr"
)

// templateTable adds to the conformance cases, with the values of tableScope.
var templateTable = []struct {
	name, src string
	want      any
}{
	{"empty", "", ""},
	{"text", "plain $ {} $5", "plain $ {} $5"},
	{"escape", "$${x}", "${x}"},
	{"escape behind a dollar", "$$${x}", "$${x}"},
	{"escape at the end", "a$${", "a${"},
	{"two escapes", "$${$${", "${${"},
	{"dollars", "$$ $$$", "$$ $$$"},
	{"alone keeps a boolean", "${params.one}", 1},
	{"alone with blanks inside", "${ text }", "abc"},
	{"blanks around make a text", " ${one} ", " 1 "},
	{"null in a list", "${params.nulls}!", "[null,true]!"},
	{"object with sorted keys", "=${params.mixed}", `={"a":"<&>\"\\\n\u0001","b":[1.5,null]}`},
	{"NaN", "${nan} ${inf}", "NaN Infinity"},
	{"NaN in a list", "=${params.odd}", "=[null,null]"},
	{"locals", "${index}:${row.id}", "4:8"},
	{"modifier", "${modifier}+A", "Meta+A"},
	{"missing", "a${steps.no.thing[3]}b", "ab"},
	{"brace in a key", `${params["}"]}`, "brace"},
	{"brace behind", "${one}}", "1}"},
	{"JSON around", `{"a": ${one}}`, `{"a": 1}`},
}

func templateScope() *expr.Scope {
	s := tableScope()
	s.Params["nulls"] = []any{nil, true}
	s.Params["mixed"] = map[string]any{"b": []any{1.5, nil}, "a": "<&>\"\\\n\x01"}
	s.Params["odd"] = []any{math.NaN(), math.Inf(-1)}
	s.Params["}"] = "brace"
	return s
}

func TestTemplate(t *testing.T) {
	s := templateScope()
	for _, c := range templateTable {
		t.Run(c.name, func(t *testing.T) {
			tmpl, err := expr.ParseTemplate(c.src, optionsOf(s))
			if err != nil {
				t.Fatal(err)
			}
			checkSegments(t, c.src, tmpl)
			got, err := tmpl.Eval(s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			text, err := tmpl.Text(s)
			if want := expr.Text(c.want); text != want || err != nil {
				t.Errorf("text: got %q, %v; want %q", text, err, want)
			}
		})
	}
}

func TestTemplateParts(t *testing.T) {
	for _, c := range []struct {
		name, src string
		segments  []expr.Segment // without references
		literal   string
		isLiteral bool
		isSingle  bool
	}{
		{"empty", "", nil, "", true, false},
		{"text", "a b", []expr.Segment{{Text: "a b", End: 3}}, "a b", true, false},
		{"escape", "a$${b", []expr.Segment{{Text: "a", End: 1}, {Text: "${", Start: 1, End: 4}, {Text: "b", Start: 4, End: 5}}, "a${b", true, false},
		{"reference", "${page.url}", []expr.Segment{{End: 11}}, "", false, true},
		{"reference in text", "a${page.url}b", []expr.Segment{{Text: "a", End: 1}, {Start: 1, End: 12}, {Text: "b", Start: 12, End: 13}}, "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmpl, err := expr.ParseTemplate(c.src, expr.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var segments []expr.Segment
			for _, s := range tmpl.Segments() {
				if s.Ref != nil && s.Ref.String() != "${page.url}" {
					t.Errorf("reference: got %s, want ${page.url}", s.Ref)
				}
				s.Ref = nil
				segments = append(segments, s)
			}
			if diff := cmp.Diff(c.segments, segments); diff != "" {
				t.Errorf("segments (-want +got):\n%s", diff)
			}
			if text, ok := tmpl.Literal(); text != c.literal || ok != c.isLiteral {
				t.Errorf("Literal: got %q, %v; want %q, %v", text, ok, c.literal, c.isLiteral)
			}
			if r, ok := tmpl.Single(); ok != c.isSingle || ok && r.Name != "url" {
				t.Errorf("Single: got %v, %v; want %v", r, ok, c.isSingle)
			}
		})
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, ""}, {true, "true"}, {"", ""}, {5, "5"}, {int64(-7), "-7"}, {uint64(math.MaxUint64), "18446744073709552000"},
		{0.1, "0.1"}, {12345678901.0, "12345678901"}, {math.Copysign(0, -1), "0"},
		{1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1.5e300, "1.5e+300"}, {1e-6, "0.000001"}, {1e-7, "1e-7"},
		{1.25e-10, "1.25e-10"}, {-2e-7, "-2e-7"}, {math.MaxFloat64, "1.7976931348623157e+308"}, {5e-324, "5e-324"},
		{[]any{}, "[]"}, {map[string]any{}, "{}"}, {[]any{"\xff\u2028"}, "[\"\ufffd\u2028\"]"},
		{struct{}{}, "null"},
	} {
		if got := expr.Text(c.value); got != c.want {
			t.Errorf("Text(%#v): got %s, want %s", c.value, got, c.want)
		}
	}
}

func TestAParamMayHaveTheNameOfARoot(t *testing.T) {
	o := expr.Options{Params: map[string]bool{"page": true}}
	s := &expr.Scope{Params: map[string]any{"page": 3}, Page: map[string]any{"url": "https://x.test/"}}
	tests := []struct{ src, want string }{
		{"${page}", "3"},
		{"${ page }", "3"},
		{"${params.page}", "3"},
		{"${page.url}", "https://x.test/"},
	}
	for _, tt := range tests {
		tmpl, err := expr.ParseTemplate(tt.src, o)
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if got, err := tmpl.Text(s); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.src, got, err, tt.want)
		}
	}
	if _, err := expr.ParseTemplate("${steps}", o); err == nil {
		t.Error("${steps} alone was taken although no param has that name")
	}
}
