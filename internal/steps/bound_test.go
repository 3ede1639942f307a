package steps_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
)

// bound binds an op's arguments as a run does.
func bound(t *testing.T, op *steps.Op) *steps.Args {
	t.Helper()
	s := new(expr.Scope)
	args, err := op.Bind(s, func(sel *selectors.Selector) driver.Target { return driver.Target{Source: sel.Source(s)} })
	if err != nil {
		t.Fatalf("bind: %v", err)
	}
	return args
}

func TestHandValuesAreData(t *testing.T) {
	type m = map[string]any
	texts := []string{"${params.x}", "$${y}", "${", "' || true", "@e1", "a >> b", "${selectors.ok}"}
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			tests := []struct {
				step string
				args m
				got  func(*steps.Args) any
			}{
				{"fill", m{"selector": "css:#a", "value": text}, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "value")) }},
				{"find", m{"text": text}, func(a *steps.Args) any { return *steps.ValueOf(a, "text").(*string) }},
				{"select", m{"selector": "css:#a", "values": []any{text}}, func(a *steps.Args) any { return steps.ValueOf(a, "values").([]string)[0] }},
				{"eval", m{"script": text}, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "script")) }},
				{"eval", m{"script": "1", "args": m{"a": text}}, func(a *steps.Args) any { return steps.ValueOf(a, "args").(steps.ScriptArgs)["a"] }},
				{"eval", m{"script": "1", "args": m{"a": []any{m{"b": text}}}}, func(a *steps.Args) any {
					return steps.ValueOf(a, "args").(steps.ScriptArgs)["a"].([]any)[0].(m)["b"]
				}},
			}
			for _, tt := range tests {
				op, errs := program.Hand(tt.step, tt.args, false)
				if errs != nil {
					t.Errorf("%s %v: %v", tt.step, tt.args, errs)
					continue
				}
				if got := tt.got(bound(t, op)); got != text {
					t.Errorf("%s %v: got %q, want %q", tt.step, tt.args, got, text)
				}
				for name, x := range op.Args {
					if refs := x.Refs(); len(refs) > 0 {
						t.Errorf("%s of %s has the references %v, want none", name, tt.step, refs)
					}
				}
			}
		})
	}
}

// The written order is kept, except for maps that come as data.
func TestHandPairs(t *testing.T) {
	type m = map[string]any
	const list = `[{"label": "b", "value": 1}, {"label": "a", "value": [true, "x"]}]`
	tests := []struct {
		name     string
		fields   any
		fromText bool
		want     string
	}{
		{"JSON", `{"b": 1.50, "a": {"z": null}, "c": "${x}"}`, true, "[{b 1.5} {a map[z:<nil>]} {c ${x}}]"},
		{"JSON list", list, true, "[{b 1} {a [true x]}]"},
		{"list", []any{m{"label": "b", "value": 1}, m{"label": "a", "value": "x"}}, false, "[{b 1} {a x}]"},
		{"map", m{"b": 1, "a": "x"}, false, "[{a x} {b 1}]"},
		{"empty", `{}`, true, "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, errs := program.Hand("fill_form", m{"fields": tt.fields}, tt.fromText)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if got := fmt.Sprint(steps.ValueOf(bound(t, op), "fields")); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	op, errs := program.Hand("fill_form", m{"fields": []any{m{"label": "a", "value": 1}, m{"label": "a", "value": 2}}}, false)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if _, err := op.Bind(new(expr.Scope), nil); diag.CodeOf(err) != diag.ParamInvalid || !strings.Contains(err.Error(), `the label "a" twice`) {
		t.Errorf("two fields with one label: %v, want PARAM_INVALID", err)
	}
}

func TestHandConverts(t *testing.T) {
	type m = map[string]any
	tests := []struct {
		name     string
		step     string
		args     m
		fromText bool
		got      func(*steps.Args) any
		want     any
	}{
		{"integer", "click", m{"selector": "css:a", "count": "2"}, true, func(a *steps.Args) any { return steps.ValueOf(a, "count") }, 2},
		{"point", "click", m{"selector": "css:a", "position": `{"x": 3, "y": "4"}`}, true, func(a *steps.Args) any { return *steps.ValueOf(a, "position").(*driver.Point) }, driver.Point{X: 3, Y: 4}},
		{"list", "click", m{"selector": "css:a", "modifiers": []any{"Shift", "Alt"}}, true, func(a *steps.Args) any { return strings.Join(steps.ValueOf(a, "modifiers").([]string), " ") }, "Shift Alt"},
		{"boolean", "screenshot", m{"full_page": "true"}, true, func(a *steps.Args) any { return steps.ValueOf(a, "full_page") }, true},
		{"milliseconds", "wait", m{"time": "1500"}, true, func(a *steps.Args) any { return steps.ValueOf(a, "time").(*time.Duration).String() }, "1.5s"},
		{"duration", "wait", m{"time": "2s"}, false, func(a *steps.Args) any { return steps.ValueOf(a, "time").(*time.Duration).String() }, "2s"},
		{"int as text", "fill", m{"selector": "css:a", "value": 5}, false, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "value")) }, "5"},
		{"int64 as text", "fill", m{"selector": "css:a", "value": int64(5)}, false, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "value")) }, "5"},
		{"float as text", "fill", m{"selector": "css:a", "value": 5.0}, false, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "value")) }, "5"},
		{"JSON number as written", "fill", m{"selector": "css:a", "value": json.Number("5.10")}, false, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "value")) }, "5.10"},
		{"map", "extract", m{"rows": "css:tr", "fields": `{"a": "css:td", "b": {"selector": "css:a", "what": "attr", "attr": "href"}}`}, true,
			func(a *steps.Args) any { return steps.ValueOf(a, "fields").(steps.Fields)[1].Attr }, "href"},
		{"text that looks like JSON", "fill", m{"selector": "css:a", "value": `{"a": 1}`}, true, func(a *steps.Args) any { return fmt.Sprint(steps.ValueOf(a, "value")) }, `{"a": 1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, errs := program.Hand(tt.step, tt.args, tt.fromText)
			if errs != nil {
				t.Fatal(errs)
			}
			if got := tt.got(bound(t, op)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPlaceByHand(t *testing.T) {
	tests := []struct {
		name     string
		from     any
		fromText bool
		point    driver.Point
		source   string // of the selector; "" for a point
	}{
		{"selector", "css:#a", false, driver.Point{}, "css:#a"},
		{"map", map[string]any{"x": 1.5, "y": 2}, false, driver.Point{X: 1.5, Y: 2}, ""},
		{"JSON of the command line", `{"x": 1.5, "y": -2}`, true, driver.Point{X: 1.5, Y: -2}, ""},
		{"selector of the command line", "text:A {b}", true, driver.Point{}, "text:A {b}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, errs := program.Hand("drag", map[string]any{"from": tt.from, "to": "css:b"}, tt.fromText)
			if errs != nil {
				t.Fatal(errs)
			}
			got := steps.ValueOf(bound(t, op), "from").(driver.Place)
			switch {
			case tt.source == "" && (got.Target != nil || got.Point != tt.point):
				t.Errorf("got %+v, want the point %+v", got, tt.point)
			case tt.source != "" && (got.Target == nil || got.Target.Source != tt.source):
				t.Errorf("got %+v, want the selector %s", got, tt.source)
			}
		})
	}
	_, errs := program.Hand("drag", map[string]any{"from": map[string]any{"x": "left", "y": 1}, "to": "css:b"}, false)
	if len(errs) != 1 || errs[0].Code != diag.ParamInvalid || !strings.Contains(errs[0].Msg, `from.x is "left"`) {
		t.Errorf("got %v, want one error about from.x", errs)
	}
}
