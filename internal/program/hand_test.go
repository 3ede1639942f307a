package program_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/selectors"
)

func TestHandRefuses(t *testing.T) {
	type m = map[string]any
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	tests := []struct {
		name     string
		step     string
		args     m
		fromText bool
		code     diag.Code
		says     string // part of the message
		hint     string
	}{
		{"unknown step", "clik", nil, false, diag.InvalidRequest, `unknown step "clik"`, "did you mean click?"},
		{"unknown step like nothing", "frobnicate", nil, false, diag.InvalidRequest, "unknown step", "docs/steps.md"},
		{"an action's name", "shop:order:create", nil, false, diag.InvalidRequest, "expected a step", "action run shop:order:create"},
		{"run", "run", m{"action": "a:b:c"}, false, diag.InvalidRequest, "only be used inside an action", "action run"},
		{"foreach", "foreach", m{"items": []any{}}, false, diag.InvalidRequest, "only be used inside an action", ""},
		{"repeat", "repeat", nil, false, diag.InvalidRequest, "only be used inside an action", ""},
		{"set", "set", m{"values": m{}}, false, diag.InvalidRequest, "only be used inside an action", ""},
		{"assert", "assert", m{"condition": "true"}, false, diag.InvalidRequest, "only be used inside an action", ""},
		{"unknown argument", "fill", m{"selectr": "css:a", "value": "x", "selector": "css:b"}, false, diag.ParamInvalid, `no argument "selectr"`, "did you mean selector?"},
		{"missing argument", "fill", m{"selector": "css:b"}, false, diag.ParamRequired, "needs the argument value", "add value"},
		{"none of one", "wait", nil, false, diag.ParamRequired, "needs one of", ""},
		{"two of one", "wait", m{"url": "x", "text": "y"}, false, diag.ParamInvalid, "takes one of", ""},
		{"stands without", "wait", m{"text": "a", "state": "hidden"}, false, diag.ParamInvalid, "found `state` without `selector`", ""},
		{"check of the entry", "click", m{"x": 1.0}, false, diag.ParamInvalid, "found `x` without `y`", ""},
		{"check of get", "get", m{"what": "value"}, false, diag.ParamInvalid, "needs a selector", ""},
		{"bad selector", "click", m{"selector": "role:button["}, false, diag.ParamInvalid, `selector "role:button[": `, ""},
		{"unknown kind", "click", m{"selector": "txt:Save"}, false, diag.ParamInvalid, "selector", "text"},
		{"selector is a number", "click", m{"selector": 5.0}, false, diag.ParamInvalid, "expected a selector", ""},
		{"enum", "is", m{"selector": "css:a", "state": "visble"}, false, diag.ParamInvalid, "expected one of", "did you mean visible?"},
		{"number in text", "click", m{"selector": "css:a", "count": "2"}, false, diag.ParamInvalid, `count is "2"`, ""},
		{"no number", "click", m{"selector": "css:a", "count": "two"}, true, diag.ParamInvalid, `count is "two"`, ""},
		{"out of bounds", "click", m{"selector": "css:a", "count": "9"}, true, diag.ParamInvalid, "at most 3", ""},
		{"a reference is no number", "click", m{"selector": "css:a", "count": "${params.n}"}, true, diag.ParamInvalid, "expected integer", ""},
		{"condition", "wait", m{"condition": "true"}, false, diag.ParamInvalid, "in a manual step", "`wait` with `url`"},
		{"bad url pattern", "wait", m{"url": "/(/"}, false, diag.ParamInvalid, "found the invalid pattern", ""},
		{"bad duration", "wait", m{"time": "soon"}, true, diag.ParamInvalid, "time is", ""},
		{"too deep", "eval", m{"script": "1", "args": m{"a": deep}}, false, diag.ParamInvalid, "at most 64 levels", ""},
		{"no plain data", "fill", m{"selector": "css:a", "value": struct{}{}}, false, diag.ParamInvalid, "expected plain data", ""},
		{"null", "fill", m{"selector": "css:a", "value": nil}, false, diag.ParamInvalid, "expected text", ""},
		{"script argument", "eval", m{"script": "1", "args": m{"1a": 1}}, false, diag.ParamInvalid, "a name that a script can use", ""},
		{"no map", "eval", m{"script": "1", "args": "[1]"}, true, diag.ParamInvalid, "expected a map", ""},
		{"no JSON", "fill_form", m{"fields": "{Name: Ada}"}, true, diag.ParamInvalid, "fields is not JSON: invalid character 'N'", "a JSON value"},
		{"half JSON", "fill_form", m{"fields": `{"Name": ["Ada"`}, true, diag.ParamInvalid, "fields is not JSON: unexpected EOF", "a JSON value"},
		{"more than JSON", "fill_form", m{"fields": `{"Name": "Ada"} {}`}, true, diag.ParamInvalid, "found text after its end", "a JSON value"},
		{"twice in JSON", "fill_form", m{"fields": `{"Name": "Ada", "Name": "Eve"}`}, true, diag.ParamInvalid, `fields contains "Name" twice`, "a JSON value"},
		{"deep JSON", "fill_form", m{"fields": strings.Repeat("[", 100)}, true, diag.ParamInvalid, "at most 64 levels", ""},
		{"text for fields", "fill_form", m{"fields": "Name"}, true, diag.ParamInvalid, "expected a map, or a list of {label, value}", "{label: Name, value: Ada}"},
		{"item without a value", "fill_form", m{"fields": []any{m{"label": "Name"}}}, false, diag.ParamInvalid, "expected {label: …, value: …}", "{label: Name, value: Ada}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, errs := program.Hand(tt.step, tt.args, tt.fromText)
			if op != nil || len(errs) == 0 {
				t.Fatalf("got an op %v and errors %v, want errors only", op != nil, errs)
			}
			e := errs[0]
			if e.Code != tt.code || !strings.Contains(e.Msg, tt.says) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("got %s: %s (%s), want %s: …%s… (…%s…)", e.Code, e.Msg, e.Hint, tt.code, tt.says, tt.hint)
			}
			for _, e := range errs {
				if e.Pos != (diag.Pos{}) || e.Hint == "" {
					t.Errorf("position %v and hint %q of %q, want none and one", e.Pos, e.Hint, e.Msg)
				}
			}
		})
	}
}

func TestHandSelectorHasNoHoles(t *testing.T) {
	op, errs := program.Hand("click", map[string]any{"selector": "text:${params.x}"}, false)
	if errs != nil {
		t.Fatal(errs)
	}
	if refs := op.Args["selector"].Refs(); len(refs) > 0 {
		t.Errorf("the selector has the references %v, want none", refs)
	}
	if !op.NeedsElement {
		t.Error("NeedsElement is not set")
	}
}

// Every step of the catalogue either runs manually or says what to do instead.
func TestHandKnowsEveryStep(t *testing.T) {
	for _, name := range catalogue.Names() {
		_, errs := program.Hand(name, nil, false)
		refused := len(errs) == 1 && errs[0].Code == diag.InvalidRequest
		if instead := catalogue.Lookup(name).Instead != ""; instead != refused {
			t.Errorf("%s: refused by hand is %t, want %t; errors are %v", name, refused, instead, errs)
		}
	}
}

func FuzzHand(f *testing.F) {
	f.Add("click", `{"selector": "css:a", "count": 2}`, true)
	f.Add("wait", `{"url": "/(/"}`, false)
	f.Add("eval", `{"script": "1", "args": {"a": [1, {"b": null}]}}`, false)
	f.Add("extract", `{"rows": "css:tr", "fields": {"a": {"what": "x", "all": 1}}}`, true)
	f.Add("find", `{"css": "a[", "xpath": ""}`, true)
	f.Fuzz(func(t *testing.T, step, args string, fromText bool) {
		var m map[string]any
		if json.Unmarshal([]byte(args), &m) != nil {
			return
		}
		op, errs := program.Hand(step, m, fromText)
		if (op == nil) != (len(errs) > 0) {
			t.Fatalf("an op is %t beside the errors %v", op != nil, errs)
		}
		for _, e := range errs {
			switch e.Code {
			case diag.InvalidRequest, diag.ParamInvalid, diag.ParamRequired:
			default:
				t.Errorf("%s: %s, want the code of a bad request", e.Code, e.Msg)
			}
		}
		if op != nil {
			_, _ = op.Bind(new(expr.Scope), func(*selectors.Selector) driver.Target { return driver.Target{} })
		}
	})
}

// A row of a table is a text or a map. The command line passes it as JSON.
func TestHandMapOrText(t *testing.T) {
	tests := []struct{ row, want string }{
		{`{"Qty": "2"}`, "map[Qty:2]"}, {"Ada", "Ada"}, {"{x}", "{x}"}, {"[1]", "[1]"}, {"{", "{"}, {`{"Qty": `, ""},
	}
	for _, tt := range tests {
		op, errs := program.Hand("table", map[string]any{"selector": "css:table", "row": tt.row}, true)
		if (errs != nil) != (tt.want == "") {
			t.Errorf("%s: %v, want %q", tt.row, errs, tt.want)
		}
		if errs != nil {
			continue
		}
		if got, err := op.Args["row"].Eval(new(expr.Scope)); err != nil || fmt.Sprint(got) != tt.want {
			t.Errorf("%s is %v, %v; want %s", tt.row, got, err, tt.want)
		}
	}
}
