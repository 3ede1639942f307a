package program

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

type common struct {
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
	CSS       *steps.CSS        `arg:"css" doc:"which"`
	common
	Make steps.TargetMaker
}

// entryOf returns the entry of a step that returns its arguments, and the arguments of its last
// run.
func entryOf[A any](more ...steps.Option[A]) (*steps.Entry, *A) {
	got := new(A)
	return steps.Define(steps.Entry{Name: "probe"}, func(_ context.Context, _ *steps.Env, a *A) (struct{}, error) {
		*got = *a
		return struct{}{}, nil
	}, more...), got
}

// opOf compiles the op of a manual step of e.
func opOf(t *testing.T, e *steps.Entry, args map[string]any) *steps.Op {
	t.Helper()
	c := &compiler{hand: true}
	op := &steps.Op{Spec: &spec.Step{Args: c.handArgs(e, args)}, Entry: e}
	if c.args(op, op.Spec.Args, diag.Pos{}); len(c.errs) > 0 {
		t.Fatal(c.errs)
	}
	return op
}

func run(t *testing.T, op *steps.Op) steps.Result {
	t.Helper()
	a, err := op.Bind(new(expr.Scope), func(sel *selectors.Selector) driver.Target { return driver.Target{Source: sel.String()} })
	if err != nil {
		t.Fatal(err)
	}
	r, err := op.Entry.Run(t.Context(), &steps.Env{}, a)
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
	e, _ := entryOf(steps.Checks(func(w *steps.Written[allArgs]) diag.List {
		seen = append(seen, fmt.Sprintf("%t %t %s %s", w.Has(&w.Args.Selector), w.Has(&w.Args.Delay), w.Text(&w.Args.Text), w.Text(&w.Args.Area)))
		return nil
	}))
	opOf(t, e, map[string]any{"text": "x", "area": "session"})
	if got := strings.Join(seen, "\n"); got != "false false x session" {
		t.Errorf("got %s", got)
	}
}
