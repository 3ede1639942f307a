package eval

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

func answer(t *testing.T, text string) *Evaluated {
	t.Helper()
	r := new(Evaluated)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestValue(t *testing.T) {
	for _, tt := range []struct {
		result string
		want   string
		truthy bool
	}{
		{`{"type":"undefined"}`, "<nil>", false},
		{`{"type":"object","value":null}`, "<nil>", false},
		{`{"type":"object","value":{"a":[1,"x"]}}`, "map[a:[1 x]]", true},
		{`{"type":"string","value":""}`, "", false},
		{`{"type":"string","value":"0"}`, "0", true},
		{`{"type":"number","value":0}`, "0", false},
		{`{"type":"number","unserializableValue":"NaN"}`, "NaN", false},
		{`{"type":"number","unserializableValue":"-0"}`, "-0", false},
		{`{"type":"number","unserializableValue":"Infinity"}`, "Infinity", true},
		{`{"type":"bigint","unserializableValue":"0n"}`, "0n", false},
		{`{"type":"bigint","unserializableValue":"1n"}`, "1n", true},
		{`{"type":"boolean","value":false}`, "false", false},
		{`{"type":"function","description":"()=>1"}`, "<nil>", true},
	} {
		r := answer(t, `{"result":`+tt.result+`}`)
		v, err := r.Value()
		if err != nil || fmt.Sprint(v) != tt.want || r.Truthy() != tt.truthy {
			t.Errorf("%s is %v, %v, truthy %v; want %s, %v", tt.result, v, err, r.Truthy(), tt.want, tt.truthy)
		}
	}
}

func TestOrDecode(t *testing.T) {
	thrown := func(text string) *Thrown {
		return answer(t, `{"exceptionDetails":{"text":"Uncaught","exception":{"description":`+text+`}}}`).ExceptionDetails
	}
	var got int
	var none *Thrown
	if err := none.OrDecode([]byte("7"), &got); err != nil || got != 7 {
		t.Errorf("decoded %d, %v", got, err)
	}
	if err := none.OrDecode(nil, &got); err != nil {
		t.Errorf("no result gave %v", err)
	}
	for _, tt := range []struct {
		err  error
		code diag.Code
		says string
	}{
		{none.OrDecode([]byte(`"x"`), &got), diag.Internal, "reading the page failed"},
		{thrown(`"TypeError: x\n    at y"`).OrDecode(nil, &got), diag.Internal, "TypeError: x"},
		{thrown(`"RangeError: `+TooLarge+`"`).OrDecode(nil, &got), diag.LimitExceeded, "too large"},
	} {
		if e := diag.As(tt.err); e == nil || e.Code != tt.code || !strings.Contains(e.Msg, tt.says) || strings.Contains(e.Msg, "\n") {
			t.Errorf("%v, want %s with %q on one line", tt.err, tt.code, tt.says)
		}
	}
}

// An error says where in the script it was thrown, by the innermost frame of the script, or where
// the parser stopped. The line before the script does not count.
func TestErrorSaysWhere(t *testing.T) {
	for _, tt := range []struct{ details, want string }{
		{`{"lineNumber":9,"exception":{"description":"Error: no\n    at f (page.js:3:4)\n    at action-script:3:5\n    at action-script:2:1"}}`, "the script failed: Error: no (line 2, column 5 of the script)"},
		{`{"text":"Uncaught","lineNumber":1,"columnNumber":4,"exception":{"description":"SyntaxError: Unexpected token"}}`, "the script failed: SyntaxError: Unexpected token (line 1, column 5 of the script)"},
		{`{"lineNumber":5,"exception":{"description":"Error: of the page"}}`, "the script failed: Error: of the page"},
		{`{"lineNumber":5,"exception":{"value":"no"}}`, `the script failed: "no"`},
		{`{"text":"Uncaught (in promise)"}`, "the script failed: (in promise)"},
	} {
		err := Error(answer(t, `{"exceptionDetails":`+tt.details+`}`).ExceptionDetails)
		if e := diag.As(err); e == nil || e.Code != diag.StepFailed || e.Msg != tt.want {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

func TestNamed(t *testing.T) {
	names, values, err := Named(map[string]any{"b": []any{1, "x"}, "$a": nil})
	if err != nil || strings.Join(names, " ") != "$a b" || fmt.Sprintf("%s %s", values[0].Value, values[1].Value) != `null [1,"x"]` {
		t.Errorf("got %q, %v, %v", names, values, err)
	}
	for _, args := range []map[string]any{{"": 1}, {"1a": 1}, {"a b": 1}, {"a){": 1}, {"ä": 1}, {"a": make(chan int)}} {
		if _, _, err := Named(args); diag.As(err) == nil || diag.As(err).Code != diag.ParamInvalid {
			t.Errorf("%v gave %v, want %s", args, err, diag.ParamInvalid)
		}
	}
}

// A script may be an expression or a body, and cannot leave the brackets around it unnoticed: each
// interpretation has a second source with other brackets.
func TestPrograms(t *testing.T) {
	list := Programs("return x // why", []string{"x", "y"})
	if len(list) != 2 {
		t.Fatalf("%d interpretations, want 2", len(list))
	}
	for i, opens := range []string{"=> (\n", "=> {\n"} {
		p := list[i]
		if !strings.Contains(p.function, "(x, y) "+opens+"return x // why\n") || len(p.Checks) != 2 || p.Checks[0] == p.Checks[1] {
			t.Errorf("interpretation %d is %q, checked by %q", i, p.function, p.Checks)
		}
		if call := p.Invocation(true); !strings.HasSuffix(call, "//# sourceURL="+Name+"\n") || !strings.Contains(call, "(true)") {
			t.Errorf("it is run by %q", call)
		}
	}
}

func TestCache(t *testing.T) {
	var c Cache
	if _, ok := c.Get("a"); ok {
		t.Error("a new cache has something")
	}
	c.Add("a", Program{function: "f"})
	c.Add(strings.Repeat("k", maxRemembered+1), Program{})
	if p, ok := c.Get("a"); !ok || p.function != "f" {
		t.Errorf("got %v, %v", p, ok)
	}
	if _, ok := c.Get(strings.Repeat("k", maxRemembered+1)); ok {
		t.Error("a long script is remembered")
	}
	for i := range maxPrograms {
		c.Add(fmt.Sprint(i), Program{})
	}
	if _, ok := c.Get("a"); ok {
		t.Error("the oldest is still there")
	}
}
