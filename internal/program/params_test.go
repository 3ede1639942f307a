package program

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

func ptr[T any](v T) *T { return &v }

func strNode(s string) *spec.Node { return &spec.Node{Kind: spec.String, Str: s} }

func TestCheckParams(t *testing.T) {
	one := func(p *spec.Param) []*spec.Param { p.Name = "p"; return []*spec.Param{p} }
	object := one(&spec.Param{Type: spec.TypeObject, Properties: []*spec.Param{
		{Name: "id", Type: spec.TypeInteger, Required: true},
		{Name: "note", Type: spec.TypeString, Default: strNode("-")},
	}})
	tests := []struct {
		name     string
		params   []*spec.Param
		given    map[string]any
		fromText bool
		want     map[string]any
		wantErr  string // code and a part of the message of every error, joined by "; "
	}{
		{"string", one(&spec.Param{Type: spec.TypeString}), map[string]any{"p": "x"}, false, map[string]any{"p": "x"}, ""},
		{"number is no string", one(&spec.Param{Type: spec.TypeString}), map[string]any{"p": 5.0}, false, nil, "PARAM_INVALID param p is 5, expected text"},
		{"default", one(&spec.Param{Type: spec.TypeString, Default: strNode("d")}), nil, false, map[string]any{"p": "d"}, ""},
		{"null is absent", one(&spec.Param{Type: spec.TypeString, Default: strNode("d")}), map[string]any{"p": nil}, false, map[string]any{"p": "d"}, ""},
		{"absent", one(&spec.Param{Type: spec.TypeString}), nil, false, map[string]any{}, ""},
		{"required", one(&spec.Param{Type: spec.TypeString, Required: true}), nil, false, nil, "PARAM_REQUIRED needs the param p"},
		{"unknown", one(&spec.Param{Type: spec.TypeString}), map[string]any{"q": "x"}, false, nil, `PARAM_INVALID no param "q"`},
		{"integer from text", one(&spec.Param{Type: spec.TypeInteger}), map[string]any{"p": "12"}, true, map[string]any{"p": int64(12)}, ""},
		{"large integer from text", one(&spec.Param{Type: spec.TypeInteger}), map[string]any{"p": "9007199254740993"}, true, map[string]any{"p": int64(9007199254740993)}, ""},
		{"integer from JSON", one(&spec.Param{Type: spec.TypeInteger}), map[string]any{"p": 12.0}, false, map[string]any{"p": int64(12)}, ""},
		{"text is no integer in JSON", one(&spec.Param{Type: spec.TypeInteger}), map[string]any{"p": "12"}, false, nil, `PARAM_INVALID param p is "12", expected an integer`},
		{"fraction is no integer", one(&spec.Param{Type: spec.TypeInteger}), map[string]any{"p": 1.5}, false, nil, "PARAM_INVALID expected an integer"},
		{"hex is no number", one(&spec.Param{Type: spec.TypeNumber}), map[string]any{"p": "0x10"}, true, nil, "PARAM_INVALID expected a number"},
		{"number NaN", one(&spec.Param{Type: spec.TypeNumber}), map[string]any{"p": "NaN"}, true, nil, "PARAM_INVALID expected a number"},
		{"min", one(&spec.Param{Type: spec.TypeNumber, Min: ptr(2.0)}), map[string]any{"p": 1.0}, false, nil, "PARAM_INVALID expected at least 2"},
		{"max", one(&spec.Param{Type: spec.TypeNumber, Max: ptr(2.0)}), map[string]any{"p": 3.0}, false, nil, "PARAM_INVALID expected at most 2"},
		{"boolean from text", one(&spec.Param{Type: spec.TypeBoolean}), map[string]any{"p": "true"}, true, map[string]any{"p": true}, ""},
		{"yes is no boolean", one(&spec.Param{Type: spec.TypeBoolean}), map[string]any{"p": "yes"}, true, nil, "PARAM_INVALID expected true or false"},
		{"date", one(&spec.Param{Type: spec.TypeDate}), map[string]any{"p": "2024-05-31"}, false, map[string]any{"p": "2024-05-31"}, ""},
		{"date of no calendar", one(&spec.Param{Type: spec.TypeDate}), map[string]any{"p": "2024-02-30"}, true, nil, `PARAM_INVALID param p is "2024-02-30", expected a date such as 2024-05-31`},
		{"date in another form", one(&spec.Param{Type: spec.TypeDate}), map[string]any{"p": "31.05.2024"}, true, nil, "PARAM_INVALID expected a date such as 2024-05-31"},
		{"date that is a number", one(&spec.Param{Type: spec.TypeDate}), map[string]any{"p": 20240531.0}, false, nil, "PARAM_INVALID expected text such as 2024-05-31"},
		{"time", one(&spec.Param{Type: spec.TypeTime}), map[string]any{"p": "2:30 PM"}, true, nil, "PARAM_INVALID expected a time such as 14:30"},
		{"week", one(&spec.Param{Type: spec.TypeWeek}), map[string]any{"p": "2024-W53"}, true, nil, "PARAM_INVALID expected a week such as 2024-W22"},
		{"secret date", one(&spec.Param{Type: spec.TypeDate, Secret: true}), map[string]any{"p": "1975"}, true, nil, "PARAM_INVALID param p is text, expected a date"},
		{"duration", one(&spec.Param{Type: spec.TypeDuration}), map[string]any{"p": "PT1H"}, true, map[string]any{"p": "PT1H"}, ""},
		{"milliseconds from text", one(&spec.Param{Type: spec.TypeDuration}), map[string]any{"p": "500"}, true, map[string]any{"p": "500ms"}, ""},
		{"milliseconds from JSON", one(&spec.Param{Type: spec.TypeDuration}), map[string]any{"p": 500.0}, false, map[string]any{"p": "500ms"}, ""},
		{"no duration", one(&spec.Param{Type: spec.TypeDuration}), map[string]any{"p": -5.0}, false, nil, "PARAM_INVALID param p is -5, expected text such as 1h30m"},
		{"url", one(&spec.Param{Type: spec.TypeURL}), map[string]any{"p": "https://a.example/x?q=1"}, true, map[string]any{"p": "https://a.example/x?q=1"}, ""},
		{"url without a scheme", one(&spec.Param{Type: spec.TypeURL}), map[string]any{"p": "a.example/x"}, true, nil, "PARAM_INVALID expected an absolute URL such as https://"},
		{"url without a host", one(&spec.Param{Type: spec.TypeURL}), map[string]any{"p": "https:///x"}, true, nil, "PARAM_INVALID expected an absolute URL"},
		{"url with white space", one(&spec.Param{Type: spec.TypeURL}), map[string]any{"p": "https://a.example/a b"}, true, nil, "PARAM_INVALID expected an absolute URL"},
		{"dates in a list", one(&spec.Param{Type: spec.TypeArray, Items: &spec.Param{Type: spec.TypeMonth}}), map[string]any{"p": []any{"2024-05", "2024-5"}}, false, nil, `PARAM_INVALID param p[1] is "2024-5", expected a month such as 2024-05`},
		{"enum", one(&spec.Param{Type: spec.TypeEnum, Values: []any{"a", int64(2)}}), map[string]any{"p": "2"}, true, map[string]any{"p": int64(2)}, ""},
		{"enum other", one(&spec.Param{Type: spec.TypeEnum, Values: []any{"text", "testid"}}), map[string]any{"p": "txt"}, true, nil, "PARAM_INVALID expected one of text, testid"},
		{"array of repeated flags", one(&spec.Param{Type: spec.TypeArray, Items: &spec.Param{Type: spec.TypeInteger}}), map[string]any{"p": []any{"1", "2"}}, true, map[string]any{"p": []any{int64(1), int64(2)}}, ""},
		{"array as JSON", one(&spec.Param{Type: spec.TypeArray}), map[string]any{"p": []any{`["a",1]`}}, true, map[string]any{"p": []any{"a", int64(1)}}, ""},
		{"array item", one(&spec.Param{Type: spec.TypeArray, Items: &spec.Param{Type: spec.TypeInteger}}), map[string]any{"p": []any{1.0, "x"}}, false, nil, `PARAM_INVALID param p[1] is "x"`},
		{"array length", one(&spec.Param{Type: spec.TypeArray, MinLength: ptr(1)}), map[string]any{"p": []any{}}, false, nil, "PARAM_INVALID expected at least 1 items"},
		{"object", object, map[string]any{"p": `{"id": 1}`}, true, map[string]any{"p": map[string]any{"id": int64(1), "note": "-"}}, ""},
		{"object property missing", object, map[string]any{"p": map[string]any{}}, false, nil, "PARAM_REQUIRED param p.id is missing"},
		{"object property unknown", object, map[string]any{"p": map[string]any{"id": 1.0, "nte": "x"}}, false, nil, `PARAM_INVALID param p has no property "nte"`},
		{"pattern", one(&spec.Param{Type: spec.TypeString, Pattern: &spec.Text{Value: "^[A-Z]+$"}}), map[string]any{"p": "a"}, false, nil, "PARAM_INVALID expected text that matches ^[A-Z]+$"},
		{"length counts characters", one(&spec.Param{Type: spec.TypeString, MaxLength: ptr(2)}), map[string]any{"p": "新建"}, false, map[string]any{"p": "新建"}, ""},
		{"selector", one(&spec.Param{Type: spec.TypeSelector}), map[string]any{"p": "role:button"}, false, map[string]any{"p": "role:button"}, ""},
		{"bad selector", one(&spec.Param{Type: spec.TypeSelector}), map[string]any{"p": "rol:button"}, false, nil, "PARAM_INVALID expected a selector"},
		{"several problems", []*spec.Param{{Name: "a", Type: spec.TypeString, Required: true}, {Name: "b", Type: spec.TypeNumber}}, map[string]any{"b": true, "c": 1.0}, false, nil,
			"PARAM_REQUIRED needs the param a; PARAM_INVALID param b is true; PARAM_INVALID no param \"c\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := &spec.Action{Namespace: "t", Name: "x:y", Params: tt.params}
			got, errs := CheckParams(a, tt.given, tt.fromText, nil)
			if tt.wantErr == "" {
				if len(errs) > 0 {
					t.Fatalf("CheckParams: unexpected errors: %v", errs)
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("CheckParams (-want +got):\n%s", d)
				}
				return
			}
			want := strings.Split(tt.wantErr, "; ")
			if len(errs) != len(want) {
				t.Fatalf("CheckParams: got %d errors (%v), want %d", len(errs), errs, len(want))
			}
			for i, e := range errs {
				code, part, _ := strings.Cut(want[i], " ")
				if string(e.Code) != code || !strings.Contains(e.Msg, part) {
					t.Errorf("error %d: got %s %q, want %s with %q", i, e.Code, e.Msg, code, part)
				}
				if e.Hint == "" {
					t.Errorf("error %d (%s) has no hint", i, e.Msg)
				}
			}
		})
	}
}

func TestSecretValuesStandInNoMessage(t *testing.T) {
	const secret = "hunter2-hunter2"
	a := &spec.Action{Namespace: "t", Name: "x:y", Params: []*spec.Param{
		{Name: "pin", Type: spec.TypeInteger, Secret: true},
		{Name: "token", Type: spec.TypeString, Secret: true, Pattern: &spec.Text{Value: "^x"}},
		{Name: "o", Type: spec.TypeObject, Properties: []*spec.Param{{Name: "key", Type: spec.TypeNumber, Secret: true}}},
	}}
	_, errs := CheckParams(a, map[string]any{"pin": secret, "token": secret, "o": map[string]any{"key": secret}}, false, nil)
	if len(errs) != 3 {
		t.Fatalf("got %d errors, want 3: %v", len(errs), errs)
	}
	for _, e := range errs {
		if strings.Contains(e.Msg+e.Hint, secret) || e.Code != diag.ParamInvalid {
			t.Errorf("message shows the secret or has another code: %s %q %q", e.Code, e.Msg, e.Hint)
		}
	}
}

// Matching a pattern over a text of some MiB takes minutes. It ends with the run.
func TestPatternsEnd(t *testing.T) {
	a := &spec.Action{Params: []*spec.Param{{
		Name: "text", Type: spec.TypeString, Pattern: &spec.Text{Value: "^" + strings.Repeat("x?", 900) + "x*y$"},
	}}}
	done := make(chan struct{})
	close(done)
	if _, errs := CheckParams(a, map[string]any{"text": strings.Repeat("x", 7<<20)}, false, done); len(errs) > 0 {
		t.Errorf("after the end: %v, want nothing found", errs)
	}
	if _, errs := CheckParams(a, map[string]any{"text": "xxz"}, false, done); len(errs) != 1 {
		t.Errorf("a short text: %v, want that it does not match", errs)
	}
}
