package selectors_test

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

func TestFiltersInSelectors(t *testing.T) {
	o := selectors.Options{
		Expr:            expr.Options{Params: map[string]bool{"x": true, "within": true}},
		IsSelectorParam: func(name string) bool { return name == "within" },
	}
	scope := &expr.Scope{
		Params: map[string]any{"x": "ADA"},
		Steps:  map[string]any{"found": []any{"e5", "e6"}},
	}
	for _, c := range []struct{ src, want, shown string }{
		{"text:${x | lower}", "text:${params.x | lower}", "text:ada"},
		{"${within | default 'css:main'} >> text:a", "${params.within | default 'css:main'} >> text:a", "css:main >> text:a"},
		{`css:[id="${x | slice 0, 1}]"]`, `css:[id="${params.x | slice 0, 1}]"]`, `css:[id="A]"]`},
		{`text:"a ${x | replace '"', ' >> '}"`, `text:a ${params.x | replace '"', ' >> '}`, "text:a ADA"},
		{"${steps.found | last}", "${steps.found | last}", "@e6"},
	} {
		s, err := selectors.Parse(c.src, o)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := s.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.src, got, c.want)
		}
		if got := s.Source(scope); got != c.shown {
			t.Errorf("%s shows as %s, want %s", c.src, got, c.shown)
		}
		if _, err := s.Bind(selectors.Binding{Scope: scope}); err != nil {
			t.Errorf("%s: %v", c.src, err)
		}
	}
	for _, c := range []struct{ src, msg string }{
		{"${selectors.ok | lower}", "found a filter after the alias ok"},
		{"${within | lower}", "found the filter lower after the selector param within"},
		{"${within | default 'css:a' | replace 'a', 'b'}", "found the filter replace after the selector param within"},
		{"text:${x | lowr}", "found the unknown filter lowr"},
	} {
		_, err := selectors.Parse(c.src, o)
		if e := diag.As(err); e == nil || !strings.Contains(e.Msg, c.msg) || e.Hint == "" || !e.Pos.IsValid() {
			t.Errorf("%s: got %v, want %q with a position and a hint", c.src, err, c.msg)
		}
	}
	s, err := selectors.Parse("text:${x | date 'YYYY'}", o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bind(selectors.Binding{Scope: scope}); diag.CodeOf(err) != diag.ParamInvalid {
		t.Errorf("got %v, want PARAM_INVALID", err)
	}
}
