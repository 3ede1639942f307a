package version_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/version"
)

var scriptTable = []struct{ name, src, tree, printed string }{
	{"member", "antd.version",
		`{"keys":["version"],"op":"path","root":"antd"}`, "antd.version"},
	{"root alone", "VERSION",
		`{"keys":[],"op":"path","root":"VERSION"}`, "VERSION"},
	{"and", "window.antd && antd.version",
		`{"a":{"keys":["antd"],"op":"path","root":"window"},"b":{"keys":["version"],"op":"path","root":"antd"},"op":"and"}`,
		"window.antd && antd.version"},
	{"optional, quoted", `Vue?.['a-b']?.x [ "y" ] . z`,
		`{"keys":["a-b","x","y","z"],"op":"path","root":"Vue"}`, `Vue["a-b"].x.y.z`},
	{"and binds tighter", "a || b && c",
		`{"a":{"keys":[],"op":"path","root":"a"},"b":{"a":{"keys":[],"op":"path","root":"b"},"b":{"keys":[],"op":"path","root":"c"},"op":"and"},"op":"or"}`,
		"a || b && c"},
	{"parentheses", "(a || b) && c",
		`{"a":{"a":{"keys":[],"op":"path","root":"a"},"b":{"keys":[],"op":"path","root":"b"},"op":"or"},"b":{"keys":[],"op":"path","root":"c"},"op":"and"}`,
		"(a || b) && c"},
	{"grouped to the right", "a || (b || c)",
		`{"a":{"keys":[],"op":"path","root":"a"},"b":{"a":{"keys":[],"op":"path","root":"b"},"b":{"keys":[],"op":"path","root":"c"},"op":"or"},"op":"or"}`,
		"a || (b || c)"},
	{"escapes", `a["q\"\\"]`, `{"keys":["q\"\\"],"op":"path","root":"a"}`, `a["q\"\\"]`},
	{"other names", "$._vue3", `{"keys":["_vue3"],"op":"path","root":"$"}`, "$._vue3"},
	{"CJK name", "版本.号", `{"keys":["号"],"op":"path","root":"版本"}`, "版本.号"},
}

func TestScript(t *testing.T) {
	for _, c := range scriptTable {
		t.Run(c.name, func(t *testing.T) {
			s, err := version.ParseScript(c.src, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := treeJSON(t, s); got != c.tree {
				t.Errorf("tree:\ngot  %s\nwant %s", got, c.tree)
			}
			if got := s.String(); got != c.printed {
				t.Errorf("printed: got %s, want %s", got, c.printed)
			}
		})
	}
}

func treeJSON(t *testing.T, s *version.Script) string {
	t.Helper()
	data, err := json.Marshal(s.Tree())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var scriptErrors = []errorCase{
	{"empty", " ", 2, diag.DefinitionInvalid, "the end", "antd.version"},
	{"call", "antd.version()", 13, diag.DefinitionInvalid, "found (", "call"},
	{"optional call", "antd?.()", 7, diag.DefinitionInvalid, "found (", "call"},
	{"root call", "fetch('x')", 6, diag.DefinitionInvalid, "found (", "call"},
	{"assignment", "a.b = c", 5, diag.DefinitionInvalid, "found =", "assign"},
	{"two expressions", "a.b; c", 4, diag.DefinitionInvalid, "found ;", "one expression"},
	{"text", "'4.0'", 1, diag.DefinitionInvalid, "found '", "only reads members"},
	{"computed key", "a[b]", 3, diag.DefinitionInvalid, "found b", ""},
	{"number key", "a[0]", 3, diag.DefinitionInvalid, "found 0", `["0"]`},
	{"object", "(window.antd || {}).version", 17, diag.DefinitionInvalid, "found {", ""},
	{"member of a group", "(a || b).c", 9, diag.DefinitionInvalid, "found .", ""},
	{"dangling", "a &&", 5, diag.DefinitionInvalid, "the end", "complete"},
	{"dangling dot", "a.", 3, diag.DefinitionInvalid, "the end", "complete"},
	{"single and", "a & b", 3, diag.DefinitionInvalid, "found &", "&&"},
	{"single or", "a | b", 3, diag.DefinitionInvalid, "found |", "||"},
	{"nullish", "a ?? b", 3, diag.DefinitionInvalid, "found ?", "||"},
	{"not", "!a", 1, diag.DefinitionInvalid, "found !", "remove the !"},
	{"typeof", "typeof a", 1, diag.DefinitionInvalid, "found typeof", "omit typeof"},
	{"this", "this.a", 1, diag.DefinitionInvalid, "found this", "window"},
	{"new", "new Foo", 1, diag.DefinitionInvalid, "found new", ""},
	{"unclosed group", "(a", 3, diag.DefinitionInvalid, "expected &&, || or )", ""},
	{"unclosed key", "a['b", 3, diag.DefinitionInvalid, "unclosed", "close the key"},
	{"unclosed bracket", "a['b'", 6, diag.DefinitionInvalid, "expected ]", ""},
	{"escape", `a['\n']`, 4, diag.DefinitionInvalid, "escape", `\\`},
	{"template literal", "a`x`", 2, diag.DefinitionInvalid, "found `", ""},
	{"prototype", "a.__proto__.b", 3, diag.SecurityError, "__proto__", "another member"},
	{"prototype root", "constructor", 1, diag.SecurityError, "constructor", ""},
	{"prototype quoted", "a['prototype']", 3, diag.SecurityError, "prototype", ""},
	{"depth", strings.Repeat("(", 60) + "a" + strings.Repeat(")", 60), 51, diag.LimitExceeded, "50", ""},
	{"length", strings.Repeat("a||", 2000) + "a", 1, diag.LimitExceeded, "6001", ""},
	{"not UTF-8", "a\xff", 1, diag.DefinitionInvalid, "UTF-8", "UTF-8"},
}

func TestScriptErrors(t *testing.T) {
	for _, c := range scriptErrors {
		t.Run(c.name, func(t *testing.T) {
			_, err := version.ParseScript(c.src, nil)
			c.check(t, err)
		})
	}
}

func FuzzScript(f *testing.F) {
	for _, c := range scriptTable {
		f.Add(c.src)
	}
	for _, c := range scriptErrors {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s, err := version.ParseScript(src, nil)
		if err != nil {
			if e := diag.As(err); e == nil || e.Hint == "" || !e.Pos.IsValid() {
				t.Errorf("%q: error %#v lacks code, hint or position", src, err)
			}
			return
		}
		if len(s.String()) > 4<<10 {
			return // printing adds spaces, which may exceed the size limit
		}
		again, err := version.ParseScript(s.String(), nil)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", src, s, err)
		}
		if got, want := treeJSON(t, again), treeJSON(t, s); got != want {
			t.Errorf("%q prints as %q: tree %s, want %s", src, s, got, want)
		}
	})
}
