package selectors_test

import (
	"encoding/json"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

// FuzzParse checks that printing and parsing again gives an equal selector, in its form and in its
// query, and that every error has a code, a position and a hint.
func FuzzParse(f *testing.F) {
	for _, tt := range good {
		f.Add(tt.src, false)
	}
	for _, tt := range bad {
		f.Add(tt.src, true)
	}
	f.Fuzz(func(t *testing.T, src string, literal bool) {
		o := options()
		o.Literal = literal
		s, err := selectors.Parse(src, o)
		if err != nil {
			if e := diag.As(err); e == nil || e.Hint == "" || !e.Pos.IsValid() {
				t.Fatalf("Parse(%q): error without code, place or hint: %#v", src, err)
			}
			return
		}
		printed := s.String()
		if len(printed) > 4<<10 {
			return // escapes made it longer than a source may be
		}
		again, err := selectors.Parse(printed, options())
		if err != nil {
			t.Fatalf("Parse(%q) of the form of %q: %v", printed, src, err)
		}
		if got := again.String(); got != printed {
			t.Fatalf("%q prints as %q, and that as %q", src, printed, got)
		}
		if got, want := boundText(again), boundText(s); got != want {
			t.Fatalf("%q binds to\n%s, but printed as %q to\n%s", src, want, printed, got)
		}
		s.Source(nil)
	})
}

// boundText returns the query as JSON, or the error without its position.
func boundText(s *selectors.Selector) string {
	scope := withX("1")
	scope.Params["where"] = "css:b >> nth:0"
	q, err := s.Bind(selectors.Binding{Scope: scope, Alias: func(string) ([]*selectors.Selector, int, error) {
		a, err := selectors.Parse("text:alias", selectors.Options{})
		return []*selectors.Selector{a}, 0, err
	}})
	if err != nil {
		return errorText(err)
	}
	data, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// FuzzBind checks that any value stays a value at any position.
func FuzzBind(f *testing.F) {
	for _, tt := range hostile {
		f.Add(tt.value)
	}
	f.Fuzz(func(t *testing.T, v string) {
		if len(v) > 64<<10 {
			return
		}
		checkHostile(t, v)
		checkBare(t, v)
		if len(v) < 200 {
			checkQuote(t, v, false)
			checkQuote(t, v, true)
		}
	})
}

// checkBare inserts v where only an integer is allowed.
func checkBare(t *testing.T, v string) {
	t.Helper()
	for _, src := range []string{`css:tr:nth-child(${x})`, `//tr[${x}]`, `a >> nth:${x}`} {
		s, err := selectors.Parse(src, options())
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Bind(selectors.Binding{Scope: &expr.Scope{Params: map[string]any{"x": v}}})
		if err != nil {
			if diag.CodeOf(err) != diag.ParamInvalid {
				t.Errorf("%s with %q: %v, want PARAM_INVALID", src, v, err)
			}
			continue
		}
		for i, c := range []byte(v) {
			if (c < '0' || c > '9') && (c != '-' || i > 0) {
				t.Errorf("%s with %q binds to %+v, want PARAM_INVALID", src, v, q)
			}
		}
	}
}
