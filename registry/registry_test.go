package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/spec"
)

// files is a source for tests.
type files map[string]string

func (files) Origin() spec.Source { return spec.Source{Kind: spec.Project, Name: "test"} }

func (f files) Open() (*loader.Tree, error) {
	fsys := fstest.MapFS{}
	for name, text := range f {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return &loader.Tree{FS: fsys}, nil
}

func newRegistry(t testing.TB, f files) *registry.Registry {
	t.Helper()
	set, err := loader.Load(context.Background(), loader.Options{Sources: []loader.Source{f}, NoBuiltin: true, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return registry.New(set.Namespaces)
}

var shop = files{
	"shop.yaml": `
namespace: shop
version: 1.2.0
description: A web shop
env: [TOKEN]
compatibility:
  min_version: "2.0.0"
  version_overrides:
    "2.x":
      selectors: {button: css:.old}
      actions: {"order:create": {returns: {id: old}}}
    "3.x":
      selectors: {unused: css:.x}
selectors:
  button: {primary: "${selectors.inner}", fallback: ["css:.b"]}
  inner: css:.i
  unused: css:.u
actions:
  order:create:
    description: Create an order for a customer
    params:
      customer: {type: string, required: true, description: Name of the buyer}
      password: {type: string, secret: true, default: hunter2}
      login: {type: object, default: {user: a, pin: hunter2}, properties: {user: {type: string}, pin: {type: string, secret: true}}}
    steps:
      - action: click
        args: {selector: "${selectors.button}"}
        when: ${env.TOKEN} != ''
    verify:
      - {condition: "1 == 1"}
      - {selector: css:.done, state: visible}
    returns: {id: "1"}
  order:list: {description: List orders, steps: [{action: back}]}
  order:new: {deprecated: true, alias_of: order:create}
  order:make: {deprecated: true, deprecated_message: use order:new instead, alias_of: shop:order:new}
  loop:a: {alias_of: loop:b}
  loop:b: {alias_of: loop:a}
  gone:away: {alias_of: order:crate}
`,
	"antd.yaml": `
namespace: antd
version: 1.0.0
description: 组件库
actions:
  select:choose: {description: 选择一个选项, steps: [{action: back}]}
  dialog:open: {description: Open a dialog with boxes, steps: [{action: back}]}
`,
}

func TestLookup(t *testing.T) {
	r := newRegistry(t, shop)
	ns, a, err := r.Lookup("shop:order:create")
	if err != nil || ns.Name != "shop" || a.FullName() != "shop:order:create" {
		t.Fatalf("got %v, %v", a, err)
	}
	tests := []struct{ name, want string }{
		{"order:create", "did you mean shop:order:create?"},
		{"shop:order:crate", "did you mean shop:order:create"},
		{"order:creat", "did you mean shop:order:create?"},
		{"shp:order:create", "did you mean shop:order:create"},
		{"shop:zzzzzzzz:yyyyyyyyyy", "action list shop"},
		{"", "action list"},
		{strings.Repeat("x", 10_000), "action search"},
	}
	for _, tt := range tests {
		_, _, err := r.Lookup(tt.name)
		if e := diag.As(err); diag.CodeOf(err) != diag.ActionNotFound || !strings.Contains(e.Hint, tt.want) {
			t.Errorf("%.30q: got %v, want ACTION_NOT_FOUND with %q in the hint", tt.name, err, tt.want)
		}
	}
	if _, _, err := registry.New(nil).Lookup("a:b:c"); !strings.Contains(diag.As(err).Hint, "add a definition file") {
		t.Errorf("empty registry: got %v", err)
	}
}

func TestResolve(t *testing.T) {
	r := newRegistry(t, shop)
	got, err := r.Resolve("shop:order:make")
	if err != nil {
		t.Fatal(err)
	}
	if want := "shop:order:make shop:order:new shop:order:create"; strings.Join(got.Names, " ") != want {
		t.Errorf("names = %v, want %s", got.Names, want)
	}
	want := []string{"shop:order:make is deprecated: use order:new instead", "shop:order:new is deprecated: use shop:order:create"}
	if strings.Join(got.Warnings, "\n") != strings.Join(want, "\n") {
		t.Errorf("warnings = %q, want %q", got.Warnings, want)
	}
	if _, err := r.Resolve("shop:loop:a"); diag.CodeOf(err) != diag.DefinitionInvalid || !strings.Contains(err.Error(), "found a cycle of alias_of: shop:loop:a -> shop:loop:b") {
		t.Errorf("cycle: got %v", err)
	}
	if _, err := r.Resolve("shop:gone:away"); !strings.Contains(err.Error(), "shop:gone:away is an alias of shop:order:crate, which does not exist") {
		t.Errorf("target that is not there: got %v", err)
	}
}

func TestList(t *testing.T) {
	r := newRegistry(t, shop)
	all, err := r.List("")
	if err != nil || len(all) != r.Len() || all[0].Name != "antd:dialog:open" {
		t.Errorf("got %v, %v", all, err)
	}
	items, err := r.List("shop")
	if err != nil || len(items) != 7 {
		t.Fatalf("got %v, %v", items, err)
	}
	for _, it := range items {
		if it.Name == "shop:order:new" && (it.AliasOf != "shop:order:create" || !it.Deprecated || it.Source != "project test") {
			t.Errorf("got %+v", it)
		}
	}
	if _, err := r.List("shp"); diag.CodeOf(err) != diag.ActionNotFound || diag.As(err).Hint != "did you mean shop?" {
		t.Errorf("unknown namespace: got %v", err)
	}
}

func TestNamespaces(t *testing.T) {
	r := newRegistry(t, shop)
	actions := 0
	for _, s := range r.Summaries() {
		items, err := r.List(s.Name)
		if err != nil || len(items) != s.Count || s.Source != "project test" {
			t.Errorf("%+v: %d actions, %v", s, len(items), err)
		}
		actions += s.Count
		d, err := r.DescribeNamespace(s.Name)
		if err != nil || d.Summary != s || len(d.Actions) != s.Count || len(d.Sources) != 1 || len(d.Files) == 0 {
			t.Errorf("DescribeNamespace(%s) = %+v, %v", s.Name, d, err)
		}
	}
	if actions != r.Len() {
		t.Errorf("the namespaces have %d actions, want %d", actions, r.Len())
	}
	if _, err := r.DescribeNamespace("shp"); diag.CodeOf(err) != diag.ActionNotFound || diag.As(err).Hint != "did you mean shop?" {
		t.Errorf("unknown namespace: got %v", err)
	}
}

func TestSearch(t *testing.T) {
	r := newRegistry(t, shop)
	tests := []struct{ name, query, want string }{
		{"prefix", "custom", "shop:order:create"},
		{"case", "CUSTOMER", "shop:order:create"},
		{"plural of the query", "customers", "shop:order:create"},
		{"plural in the text", "box", "antd:dialog:open"},
		{"singular of -es", "dialogs", "antd:dialog:open"},
		{"param", "password", "shop:order:create"},
		{"description of a param", "buyer", "shop:order:create"},
		{"more words rank higher", "list order", "shop:order:list shop:order:create shop:order:make shop:order:new"},
		{"description of the namespace", "web", "shop:gone:away shop:loop:a shop:loop:b shop:order:create shop:order:list shop:order:make shop:order:new"},
		{"CJK pair", "选项", "antd:select:choose"},
		{"CJK run", "请选择", "antd:select:choose"},
		{"CJK of one", "库", "antd:dialog:open antd:select:choose"},
		{"CJK pair that is not there", "项选", ""},
		{"punctuation", "order:list", "shop:order:list shop:order:create shop:order:make shop:order:new"},
		{"not inside a word", "ustomer", ""},
		{"nothing", " ,. ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range r.Search(tt.query, 0) {
				got = append(got, h.Name)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("search %q: got %v, want %s", tt.query, got, tt.want)
			}
		})
	}
	all := r.Search("order web", 0)
	for limit := 1; limit < len(all); limit++ {
		if got := r.Search("order web", limit); fmt.Sprint(got) != fmt.Sprint(all[:limit]) {
			t.Errorf("limit %d: got %v, want the first of %v", limit, got, all)
		}
	}
}

// A whole word ranks before the beginning of one, and a short word matches nothing else.
func TestSearchPrefersWholeWords(t *testing.T) {
	r := newRegistry(t, files{"web.yaml": `
namespace: web
version: 1.0.0
actions:
  boxer:pick: {description: Pick one, steps: [{action: back}]}
  input:check: {description: Tick a box in a form, steps: [{action: back}]}
  list:boxes: {description: Count them, steps: [{action: back}]}
`})
	for _, tt := range []struct{ name, query, want string }{
		{"whole, plural, beginning", "box", "web:list:boxes web:input:check web:boxer:pick"},
		{"a short word alone", "in", "web:input:check"},
		{"a short word that no text has", "bo", "web:boxer:pick web:list:boxes web:input:check"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range r.Search(tt.query, 0) {
				got = append(got, h.Name)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("search %q: got %v, want %s", tt.query, got, tt.want)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	r := newRegistry(t, shop)
	d, err := r.Describe("shop:order:create")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "hunter2") {
		t.Errorf("a secret default is shown: %s", text)
	}
	if d.Params[1].Default != "***" || d.Params[2].Default != "***" || !d.Params[0].Required {
		t.Errorf("params = %+v", d.Params)
	}
	var aliases []string
	for _, s := range d.Selectors {
		aliases = append(aliases, s.Name)
	}
	if strings.Join(aliases, " ") != "button inner" || strings.Join(d.Env, " ") != "TOKEN" {
		t.Errorf("selectors = %v env = %v, want button, inner and TOKEN", aliases, d.Env)
	}
	if len(d.VersionOverrides) != 1 || fmt.Sprint(d.VersionOverrides[0].Selectors, d.VersionOverrides[0].Replaces) != "[button] [returns]" {
		t.Errorf("overrides = %+v", d.VersionOverrides)
	}
	if strings.Join(d.Verify, "; ") != "1 == 1; selector css:.done, state visible" || d.MinVersion != "2.0.0" || d.Version != "1.2.0" {
		t.Errorf("got %+v", d)
	}
	var parts []string
	for _, p := range d.Parts {
		parts = append(parts, p.Name+"@"+p.Position.String())
	}
	if got := strings.Join(parts, " "); !strings.Contains(got, "params.customer@shop.yaml:22:7") || !strings.Contains(got, "steps@shop.yaml:25:5") {
		t.Errorf("parts = %s", got)
	}
	if d, err := r.Describe("shop:order:new"); err != nil || d.AliasOf != "shop:order:create" || len(d.Params) != 3 {
		t.Errorf("alias: got %+v, %v, want the params of what it names", d, err)
	}
	if _, err := r.Describe("nope"); diag.CodeOf(err) != diag.ActionNotFound {
		t.Errorf("unknown: got %v", err)
	}
}

func BenchmarkSearch(b *testing.B) {
	words := []string{"open", "close", "choose", "create", "delete", "order", "customer", "invoice", "dialog", "table", "row", "filter"}
	ns := map[string]*spec.Namespace{}
	for i := range 1000 {
		n := &spec.Namespace{Name: fmt.Sprintf("ns%d", i), Description: "Actions of an application", Actions: map[string]*spec.Action{}}
		for j := range 100 {
			name := fmt.Sprintf("%s-%d:%s", words[j%12], j, words[(i+j)%12])
			n.Actions[name] = &spec.Action{Namespace: n.Name, Name: name, Description: fmt.Sprintf("%s the %s number %d", words[(i+j)%12], words[j%12], i)}
		}
		ns[n.Name] = n
	}
	r := registry.New(ns)
	r.Search("warm up", 1)
	for _, query := range []string{"invoice 77", "create order", "o", "application"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(r.Search(query, 20)) == 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}
