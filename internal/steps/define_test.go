package steps

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/driver"
)

type shared struct {
	Area string `arg:"area" enum:"local session" default:"local" doc:"where"`
}

// The address of a field of Args identifies the argument.
func TestWrittenArgumentsHaveNames(t *testing.T) {
	e := Define(Entry{Name: "probe"}, func(context.Context, *Env, *shared) (struct{}, error) { return struct{}{}, nil })
	w, ok := WrittenIn[shared](e)
	if !ok {
		t.Fatal("the entry has other arguments")
	}
	if got := w.name(&w.Args.Area); got != "area" {
		t.Errorf("got %q, want area", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field of something else is accepted")
		}
	}()
	w.name(new(string))
}

type resultPart1 struct {
	Role string `json:"role" doc:"of it"`
}

func TestResultIsPlainData(t *testing.T) {
	type inner struct {
		Status int `json:"status"`
	}
	type all struct {
		resultPart1
		Names  []string         `json:"names" doc:"all"`
		Frame  *inner           `json:"frame" doc:"null without one"`
		URL    *string          `json:"url,omitempty" doc:"absent without one"`
		Rows   []map[string]any `json:"rows" doc:"all"`
		Row    map[string]any   `json:"row" doc:"the first, or null"`
		Value  *any             `json:"value,omitempty" doc:"anything"`
		Count  int              `json:"count" doc:"how many"`
		Until  driver.LoadState `json:"until" doc:"a text"`
		Inners []inner          `json:"inners" doc:"all"`
	}
	r := resultOf(reflect.TypeFor[all]())
	var names []string
	for _, f := range r.fields {
		names = append(names, f.Name+": "+f.Doc)
	}
	if got := strings.Join(names, "; "); got != "role: of it; names: all; frame: null without one; url: absent without one; rows: all; row: the first, or null; value: anything; count: how many; until: a text; inners: all" {
		t.Errorf("got %s", got)
	}
	for _, tt := range []struct {
		in   all
		want Result
	}{
		{all{}, Result{"role": "", "names": []any{}, "frame": nil, "rows": []any{}, "row": nil, "count": 0, "until": "", "inners": []any{}}},
		{all{resultPart1{"r"}, []string{"a"}, &inner{5}, new(string), []map[string]any{{"x": 1}}, map[string]any{}, new(any), 2, driver.Load, []inner{{1}}},
			Result{"role": "r", "names": []any{"a"}, "frame": map[string]any{"status": 5}, "url": "", "rows": []any{map[string]any{"x": 1}}, "row": map[string]any{}, "value": nil,
				"count": 2, "until": "load", "inners": []any{map[string]any{"status": 1}}}},
	} {
		if got := r.plain(reflect.ValueOf(tt.in)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("got  %#v\nwant %#v", got, tt.want)
		}
	}
}

// An invalid struct ends the program when it starts, and the panic says why.
func TestMalformedStructs(t *testing.T) {
	plan := func(t reflect.Type) func() { return func() { planOf(t).finish() } }
	result := func(t reflect.Type) func() { return func() { resultOf(t) } }
	verbOf := func(v Verb) func() { return func() { DefineVerbs(Entry{Name: "probe"}, v) } }
	nothing := func(context.Context, *Env, *shared) (struct{}, error) { return struct{}{}, nil }
	for _, tt := range []struct {
		says string
		make func()
	}{
		{"not a struct", plan(reflect.TypeFor[string]())},
		{"A: it has no tag", plan(reflect.TypeFor[struct{ A string }]())},
		{"a: it is not exported", plan(reflect.TypeFor[struct {
			a string `arg:"a" doc:"x"`
		}]())},
		{"unknown tag defualt", plan(reflect.TypeFor[struct {
			A int `arg:"a" doc:"x" defualt:"1"`
		}]())},
		{`unknown or repeated option "requird"`, plan(reflect.TypeFor[struct {
			A string `arg:"a,requird" doc:"x"`
		}]())},
		{"no argument has the type uint8", plan(reflect.TypeFor[struct {
			A uint8 `arg:"a" doc:"x"`
		}]())},
		{`"a" is empty or taken`, plan(reflect.TypeFor[struct {
			A string `arg:"a" doc:"x"`
			B string `arg:"a" doc:"x"`
		}]())},
		{"it has no doc", plan(reflect.TypeFor[struct {
			A string `arg:"a"`
		}]())},
		{"a value if it is required, otherwise a pointer", plan(reflect.TypeFor[struct {
			A driver.Target `arg:"a" doc:"x"`
		}]())},
		{"expected a value for a required argument", plan(reflect.TypeFor[struct {
			A *string `arg:"a,required" doc:"x"`
		}]())},
		{`the default "x" does not fit`, plan(reflect.TypeFor[struct {
			A int `arg:"a" doc:"x" default:"x"`
		}]())},
		{`the default "9" does not fit`, plan(reflect.TypeFor[struct {
			A int `arg:"a" doc:"x" default:"9" max:"3"`
		}]())},
		{`the default "c" does not fit`, plan(reflect.TypeFor[struct {
			A string `arg:"a" doc:"x" enum:"a b" default:"c"`
		}]())},
		{`min is "1", expected a number, for a numeric argument`, plan(reflect.TypeFor[struct {
			A string `arg:"a" doc:"x" min:"1"`
		}]())},
		{`no field has pos:"1"`, plan(reflect.TypeFor[struct {
			A string `arg:"a" doc:"x" pos:"2"`
		}]())},
		{"a requires b, which is not an argument", plan(reflect.TypeFor[struct {
			A string `arg:"a" doc:"x" with:"b"`
		}]())},
		{"it may replace b", plan(reflect.TypeFor[struct {
			A string `arg:"a" doc:"x" instead:"b"`
		}]())},
		{"the result string is not a struct", result(reflect.TypeFor[string]())},
		{"A: must be exported, with a json tag", result(reflect.TypeFor[struct{ A string }]())},
		{`B: the name "role" is taken`, result(reflect.TypeFor[struct {
			resultPart1
			B string `json:"role"`
		}]())},
		{"the entry probe sets", func() { Define(Entry{Name: "probe", Hand: []string{"area"}}, nothing) }},
		{"lists the fields of struct {}", func() { Define(Entry{Name: "probe", Result: []Field{{Name: "a", Doc: "b"}}}, nothing) }},
		{"no verb of probe describes it", verbOf(NewVerb(Verb{Name: "a"}, func(context.Context, *Env, *struct {
			A string `arg:"a"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}))},
	} {
		t.Run(tt.says, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "steps: ") || !strings.Contains(got, tt.says) {
					t.Errorf("got %q, want it to say %q", got, tt.says)
				}
			}()
			tt.make()
		})
	}
}
