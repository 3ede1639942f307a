package steps

import (
	"testing"

	"github.com/actionregistry/action/expr"
)

func TestAValueInAURLPatternMeansItself(t *testing.T) {
	tests := []struct {
		template, value, url string
		want                 bool
	}{
		{"${v}", "*", "https://x.test/", false},
		{"${v}", "*", "https://x.test/*", true},
		{"${v}", "/./", "https://x.test/a", false},
		{"${v}", "/./", "https://x.test/./", true},
		{"*/o/${v}", "*", "https://x.test/o/7", false},
		{"*/o/${v}", "a.b", "https://x.test/o/a.b", true},
		{"*/o/${v}", "a.b", "https://x.test/o/axb", false},
		{"//o/${v}$/", ".*", "https://x.test/o/7", false},
		{"//o/${v}$/", "7", "https://x.test/o/7", true},
	}
	for _, tt := range tests {
		tmpl, err := expr.ParseTemplate(tt.template, expr.Options{Params: map[string]bool{"v": true}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := bindURL(tmpl, &expr.Scope{Params: map[string]any{"v": tt.value}})
		if err != nil {
			t.Errorf("%s with %q: %v", tt.template, tt.value, err)
		} else if got := p.Match(tt.url); got != tt.want {
			t.Errorf("%s with %q matches %s: %v, want %v", tt.template, tt.value, tt.url, got, tt.want)
		}
	}
}
