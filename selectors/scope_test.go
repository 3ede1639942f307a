package selectors_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

func TestScope(t *testing.T) {
	isSelector := func(name string) bool { return name == "target" }
	scope := &expr.Scope{
		Params: map[string]any{"target": "css:b >> css:i", "title": "Orders", "blank": ""},
		Steps:  map[string]any{"found": map[string]any{"ref": "e7"}},
	}
	alias := func(string) ([]*selectors.Selector, int, error) {
		ok, err := selectors.Parse("css:ok", selectors.Options{Fragment: true})
		return []*selectors.Selector{ok}, 0, err
	}
	for _, tt := range []struct {
		name   string
		scopes []string // outermost first
		src    string
		target string // value of the param
		parts  string // of the query
		source string // "": the scopes and src
		code   diag.Code
	}{
		{name: "no scope", src: "css:a", parts: "css a"},
		{name: "no scope to leave", src: "document: >> css:a", parts: "css a"},
		{name: "before it", scopes: []string{"within:Orders"}, src: "css:a >> css:b", parts: "within Orders, css a, css b"},
		{name: "in a scope", scopes: []string{"css:form", "css:fieldset"}, src: "css:a", parts: "css form, css fieldset, css a"},
		{name: "left", scopes: []string{"css:form", "css:fieldset"}, src: "document: >> css:a", parts: "css a", source: "document: >> css:a"},
		{name: "left by a scope", scopes: []string{"css:form", "document: >> css:dialog"}, src: "css:a", parts: "css dialog, css a", source: "document: >> css:dialog >> css:a"},
		{name: "values in a scope", scopes: []string{"within:${title}"}, src: "css:a", parts: "within Orders, css a", source: "within:Orders >> css:a"},
		{name: "an alias in a scope", scopes: []string{"${selectors.ok}"}, src: "${selectors.ok}", parts: "alias , alias "},
		{name: "a filter first", scopes: []string{"css:li"}, src: "nth:1", parts: "css li, nth "},
		{name: "a filter in the whole page", scopes: []string{"within:${blank}"}, src: "nth:1", parts: "css :root, nth ", source: `within:"" >> nth:1`},
		{name: "a scope that is a frame", scopes: []string{"frame:#x"}, src: "css:a", parts: "frame , css a"},
		{name: "nothing but a frame", scopes: []string{"frame:#x"}, src: "frame:#y", code: diag.DefinitionInvalid},
		{name: "a ref stands by itself", scopes: []string{"css:form"}, src: "@e5", parts: "ref e5", source: "@e5"},
		{name: "so does that of a step", scopes: []string{"css:form"}, src: "${steps.found.ref} >> css:a", parts: "ref e7, css a", source: "@e7 >> css:a"},
		{name: "a param", scopes: []string{"css:form"}, src: "${target}", parts: "css form, css b, css i", source: "css:form >> css:b >> css:i"},
		{name: "a param that leaves", scopes: []string{"css:form"}, src: "${target}", target: "document: >> css:b", parts: "css b", source: "css:form >> document: >> css:b"},
		{name: "a param that is a ref", scopes: []string{"css:form"}, src: "${target}", target: "@e9", parts: "ref e9", source: "css:form >> @e9"},
		{name: "a param that may not leave", scopes: []string{"css:form"}, src: "css:a >> ${target}", target: "document: >> css:b", code: diag.ParamInvalid},
		{name: "nor inside of has", scopes: []string{"css:form"}, src: "css:a >> has:(${target})", target: "document: >> css:b", code: diag.ParamInvalid},
		{name: "nor without a scope", src: "css:a >> has:(${target})", target: "document: >> css:b", code: diag.ParamInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			scope.Params["target"] = "css:b >> css:i"
			if tt.target != "" {
				scope.Params["target"] = tt.target
			}
			o := selectors.Options{IsSelectorParam: isSelector}
			o.Expr.Params = map[string]bool{"title": true, "target": true, "blank": true}
			whole := ""
			for _, src := range tt.scopes {
				around := o
				around.Fragment = true
				s, err := selectors.Parse(src, around)
				if err != nil {
					t.Fatal(err)
				}
				o.Scope = s
				whole += src + " >> "
			}
			s, err := selectors.Parse(tt.src, o)
			if err == nil {
				var q *selectors.Query
				if q, err = s.Bind(selectors.Binding{Scope: scope, Alias: alias}); err == nil {
					if got := shape(q); got != tt.parts {
						t.Errorf("the query is %s, want %s", got, tt.parts)
					}
					want := tt.source
					if want == "" {
						want = whole + tt.src
					}
					if got := s.Source(scope); got != want {
						t.Errorf("it is shown as %s, want %s", got, want)
					}
				}
			}
			if diag.CodeOf(err) != tt.code {
				t.Errorf("got %v, want the code %q", err, tt.code)
			}
		})
	}
}

// The selector of a field starts from its row, also if it is an alias.
func TestInside(t *testing.T) {
	for _, tt := range []struct{ alias, src, parts string }{
		{src: "closest:(css:tr)", parts: "closest "},
		{src: "nth:0", parts: "nth "},
		{alias: "closest:(css:tr)", src: "${selectors.around} >> css:td", parts: "alias , css td"},
	} {
		alias := func(string) ([]*selectors.Selector, int, error) {
			s, err := selectors.Parse(tt.alias, selectors.Options{Fragment: true, Alias: true})
			return []*selectors.Selector{s}, 0, err
		}
		s, err := selectors.Parse(tt.src, selectors.Options{Inside: true})
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Bind(selectors.Binding{Alias: alias, Scope: &expr.Scope{}})
		if err != nil {
			t.Fatalf("%s: %v", tt.src, err)
		}
		if got := shape(q); got != tt.parts {
			t.Errorf("%s: the query is %s, want %s", tt.src, got, tt.parts)
		}
	}
	if _, err := selectors.Parse("css:tr >> frame:css:iframe", selectors.Options{Inside: true}); err == nil {
		t.Error("a field may end in a frame")
	}
}

// shape lists the kinds and values of a query.
func shape(q *selectors.Query) string {
	var out []string
	for _, p := range q.Parts {
		out = append(out, string(p.Kind)+" "+p.Value)
	}
	return strings.Join(out, ", ")
}

func TestDocumentStandsFirst(t *testing.T) {
	for _, src := range []string{"css:a >> document: >> css:b", "css:a >> has:(document: >> css:b)", "any:(document: >> css:a | css:b)", "frame:document: >> css:a", "document:", "document: >> document: >> css:a", "document:x >> css:a"} {
		if _, err := selectors.Parse(src, selectors.Options{}); err == nil {
			t.Errorf("%s is accepted", src)
		} else if e := diag.As(err); e.Hint == "" {
			t.Errorf("%s: %v has no hint", src, err)
		}
	}
	if _, err := selectors.Parse("document: >> css:a", selectors.Options{Fragment: true, Alias: true}); err == nil {
		t.Error("an alias may leave a scope")
	}
}

// The query of a selector with a scope shares nothing with other queries.
func TestScopeIsNotShared(t *testing.T) {
	around, err := selectors.Parse("css:form", selectors.Options{Fragment: true})
	if err != nil {
		t.Fatal(err)
	}
	first, err := selectors.Parse("css:a >> css:b", selectors.Options{Scope: around})
	if err != nil {
		t.Fatal(err)
	}
	q, err := first.Bind(selectors.Binding{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.In(around).Bind(selectors.Binding{}); err != nil {
		t.Fatal(err)
	}
	again, err := first.Bind(selectors.Binding{})
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(again); string(before) != string(after) {
		t.Errorf("the query was %s, and is %s", before, after)
	}
}
