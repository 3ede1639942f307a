package steps

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

type shared struct {
	Area string `arg:"area" enum:"local session" default:"local" doc:"where"`
}

type allArgs struct {
	Selector  *driver.Target    `arg:"selector,one" pos:"1" doc:"the element"`
	Text      *string           `arg:"text,one,short=t" pos:"2" with:"selector" doc:"its text"`
	Count     int               `arg:"count" default:"3" min:"1" max:"9" doc:"how many"`
	Ratio     float64           `arg:"ratio" doc:"how much"`
	On        bool              `arg:"on" default:"true" with:"text" doc:"whether"`
	Delay     time.Duration     `arg:"delay" default:"200ms" instead:"selector" doc:"how long"`
	Keys      []string          `arg:"keys" doc:"which"`
	Headers   map[string]string `arg:"headers" doc:"which"`
	Values    map[string]any    `arg:"values" doc:"which"`
	Value     *any              `arg:"value" doc:"which"`
	At        *driver.Point     `arg:"at" doc:"where"`
	Direction driver.Direction  `arg:"direction" doc:"which way"`
	CSS       *CSS              `arg:"css" doc:"which"`
	shared
	Make TargetMaker
}

// entryOf declares a step that returns its arguments.
func entryOf[A any](more ...option[A]) (*Entry, *A) {
	got := new(A)
	return define(Entry{Name: "probe"}, func(_ context.Context, _ *Env, a *A) (struct{}, error) {
		*got = *a
		return struct{}{}, nil
	}, more...), got
}

// opOf compiles the op of a manual step of e.
func opOf(t *testing.T, e *Entry, args map[string]any) *Op {
	t.Helper()
	c := &compiler{hand: true}
	op := &Op{Spec: &spec.Step{Args: c.handArgs(e, args)}, Entry: e}
	if c.args(op, op.Spec.Args, diag.Pos{}); len(c.errs) > 0 {
		t.Fatal(c.errs)
	}
	return op
}

func run(t *testing.T, op *Op) Result {
	t.Helper()
	a, err := op.Bind(new(expr.Scope), func(sel *selectors.Selector) driver.Target { return driver.Target{Source: sel.String()} })
	if err != nil {
		t.Fatal(err)
	}
	r, err := op.Entry.Run(t.Context(), &Env{}, a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestArgumentsComeFromTheStruct(t *testing.T) {
	e, _ := entryOf[allArgs]()
	var lines []string
	for _, a := range e.Args {
		lines = append(lines, fmt.Sprintf("%s %s %v %v", a.Name, a.Type, a.Default, a.Values))
	}
	want := `selector selector <nil> []
text text <nil> []
count integer 3 []
ratio number <nil> []
on boolean true []
delay duration 200ms []
keys text or list of texts <nil> []
headers map of texts <nil> []
values map of values <nil> []
value any value <nil> []
at map of x and y <nil> []
direction enum <nil> [up down left right]
css css selector <nil> []
area enum local [local session]`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprintf("%v %v %v %s %s %g %g", e.Hand, e.OneOf, e.With, e.Arg("text").Short, e.Arg("delay").InPlaceOf, *e.Arg("count").Min, *e.Arg("count").Max); got != "[selector text] [selector text] map[on:text text:selector] t selector 1 9" {
		t.Errorf("got %s", got)
	}
}

func TestArgumentsAreBound(t *testing.T) {
	type m = map[string]any
	e, got := entryOf[allArgs]()
	run(t, opOf(t, e, m{"text": "x"}))
	if *got.Text != "x" || got.Selector != nil || got.Count != 3 || !got.On || got.Delay != 200*time.Millisecond || got.Area != "local" ||
		got.Keys != nil || got.Headers != nil || got.Values != nil || got.Value != nil || got.At != nil || got.Direction != "" || got.Make == nil {
		t.Errorf("with the defaults: %+v", got)
	}
	run(t, opOf(t, e, m{"selector": "css:a", "count": 4, "ratio": 1.5, "on": false, "text": "y", "delay": "1s", "keys": "a", "headers": m{"a": 1},
		"values": m{"b": true}, "value": nil, "at": m{"x": 1, "y": 2}, "direction": "up", "css": "p", "area": "session"}))
	if got.Selector.Source != "css:a" || got.Count != 4 || got.Ratio != 1.5 || got.On || got.Delay != time.Second || got.Keys[0] != "a" || got.Headers["a"] != "1" ||
		got.Values["b"] != true || got.Value == nil || *got.Value != nil || *got.At != (driver.Point{X: 1, Y: 2}) || got.Direction != driver.Up || got.CSS.Source != "css:p" || got.Area != "session" {
		t.Errorf("with all of them: %+v", got)
	}
	run(t, opOf(t, e, m{"text": "x"}))
	if got.Values != nil || got.Count != 3 {
		t.Errorf("values of another run: %+v", got)
	}
}

func TestWrittenArguments(t *testing.T) {
	var seen []string
	e, _ := entryOf(checks(func(w *written[allArgs]) diag.List {
		seen = append(seen, fmt.Sprintf("%t %t %s %s %s", w.has(&w.Args.Selector), w.has(&w.Args.Delay), w.name(&w.Args.Area), w.text(&w.Args.Text), w.text(&w.Args.Area)))
		return nil
	}))
	opOf(t, e, map[string]any{"text": "x", "area": "session"})
	if got := strings.Join(seen, "\n"); got != "false false area x session" {
		t.Errorf("got %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field of something else is accepted")
		}
	}()
	w := &written[allArgs]{plan: e.plan}
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
	verbOf := func(v Verb) func() { return func() { defineVerbs(Entry{Name: "probe"}, v) } }
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
		{"the entry probe sets", func() { define(Entry{Name: "probe", Hand: []string{"area"}}, nothing) }},
		{"lists the fields of struct {}", func() { define(Entry{Name: "probe", Result: []Field{{"a", "b"}}}, nothing) }},
		{"no verb of probe describes it", verbOf(verb(Verb{Name: "a"}, func(context.Context, *Env, *struct {
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
