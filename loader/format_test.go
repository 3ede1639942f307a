package loader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// Every definition of the project has a canonical form, which is its own canonical form and means
// the same.
func TestFormatOfEveryDefinition(t *testing.T) {
	for path, text := range definitionFiles(t) {
		out, problems := Format(path, text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", path, problems)
			continue
		}
		again, problems := Format(path, out)
		if diff := cmp.Diff(string(out), string(again)); diff != "" || len(problems) > 0 {
			t.Errorf("%s: the form has another form (-first +second): %v\n%s", path, problems, diff)
		}
		if a, b := strings.Count(string(text), "# "), strings.Count(string(out), "# "); a != b {
			t.Errorf("%s: of %d comments %d are left", path, a, b)
		}
	}
}

// The builtin definitions are in their canonical form: write it with action fmt actions/*.yaml.
func TestBuiltinDefinitionsAreFormatted(t *testing.T) {
	for path, text := range definitionFiles(t) {
		if !strings.HasPrefix(path, "../actions/") {
			continue
		}
		if out, _ := Format(path, text); string(out) != string(text) {
			t.Errorf("%s is not in its canonical form: action fmt %s", path, strings.TrimPrefix(path, "../"))
		}
	}
}

const unformatted = `# The head of the file.
namespace:   app
version: 1.0.0
# About the selectors.
selectors: # behind a key
    ok:   "css:.ok"     # behind a value

    # above an entry
    cancel: {primary: "css:.cancel",   fallback: ["css:.no"]}
    # after the last entry
actions:


  dialog:open:
    params: {name: {type: string}, by: {type: string, description: "a description so long that it does not fit on one line of the file together with the rest"}}
    steps:
    - action: click # what is pressed
      args: {selector: "${selectors.ok}"}
      timeout: 5s
      when: "1 == 1"
    # above a step
    - action: fill
      # above its arguments
      args:
        selector: label:Name # the field
        value: >-
            several
              lines

            of text

      output: filled
    - {action: press, args: {key: Enter}}
    - {action: reload}
    - {action: wait, args: {text: Done}, timeout: 5s, description: "a description that is too long to stand in braces on the line of the step itself, with all the rest"}

    - action: foreach
      args: {items: [a, b], as: one}
      steps:
        - click: 'text:it''s ${one}'
        - action: choose
          cases:
          - {when: "1 == 1", steps: [{action: back}]}
          else: []
    - action: fail
      args:
        message: a plain text
          of two lines
        hint: "a quoted \"text\"
          of two lines"
    verify: [{text: Done}]
    returns: {a: , b: null, c: ~}
  # at the end of the actions
# At the end of the file.
`

const formatted = `# The head of the file.
namespace: app
version: 1.0.0
# About the selectors.
selectors: # behind a key
  ok: "css:.ok" # behind a value

  # above an entry
  cancel: {primary: "css:.cancel", fallback: ["css:.no"]}
  # after the last entry
actions:

  dialog:open:
    params:
      name: {type: string}
      by: {type: string, description: "a description so long that it does not fit on one line of the file together with the rest"}
    steps:
      - click: "${selectors.ok}" # what is pressed
        when: "1 == 1"
        timeout: 5s
      # above a step
      # above its arguments
      - fill:
          selector: label:Name # the field
          value: >-
            several
              lines

            of text
        output: filled
      - press: Enter
      - reload:
      - wait: {text: Done}
        description: "a description that is too long to stand in braces on the line of the step itself, with all the rest"
        timeout: 5s

      - foreach: {items: [a, b], as: one}
        steps:
          - click: 'text:it''s ${one}'
          - choose:
            cases:
              - {when: "1 == 1", steps: [{back: }]}
            else: []
      - fail:
          message: a plain text
            of two lines
          hint: "a quoted \"text\"
            of two lines"
    verify: [{text: Done}]
    returns: {a: , b: null, c: ~}
  # at the end of the actions
# At the end of the file.
`

func TestFormat(t *testing.T) {
	out, problems := Format("f.yaml", []byte(unformatted))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(formatted, string(out)); diff != "" {
		t.Errorf("the form differs (-want +got):\n%s", diff)
	}
	again, _ := Format("f.yaml", out)
	if diff := cmp.Diff(formatted, string(again)); diff != "" {
		t.Errorf("the form of the form differs (-want +got):\n%s", diff)
	}
}

func TestFormatOfParts(t *testing.T) {
	const head = "namespace: app\nversion: 1.0.0\n"
	for _, c := range []struct{ name, in, want string }{
		{"no line break at the end", "namespace: app\nversion: 1.0.0", head},
		{"line breaks of Windows", "namespace: app\r\nversion: 1.0.0\r\n", head},
		{"a byte order mark", "\ufeff" + head, head},
		{"empty lines", "\n\n\nnamespace: app\n\n\n\nversion: 1.0.0\n\n\n", "namespace: app\n\nversion: 1.0.0\n"},
		{"a comment in braces", head + "env: [A, # first\n  B]\n", head + "env:\n  - A # first\n  - B\n"},
		{"a block scalar with a number", head + "description: |2\n    two\n  none\n", head + "description: |2\n    two\n  none\n"},
		{"a block scalar in a step", head + "actions:\n  a:b:\n    steps:\n    - action: eval\n      args:\n        script: |\n          one\n           two\n", head + "actions:\n  a:b:\n    steps:\n      - eval: |\n          one\n           two\n"},
		{"a value of its own key", head + "actions: {\"a:b\": {steps: [{action: set, args: {values: {action: open, args: {a: 1}}}}]}}\n", head + "actions: {\"a:b\": {steps: [{set: {values: {action: open, args: {a: 1}}}}]}}\n"},
		{"arguments that are empty", head + "actions: {\"a:b\": {steps: [{action: back, args: {}}]}}\n", head + "actions: {\"a:b\": {steps: [{back: }]}}\n"},
		{"steps in brackets that are too wide", head + "actions: {\"a:b\": {steps: [{wait: \"css:#a\", fallback: [{fail: {message: " + strings.Repeat("x", 110) + "}}]}]}}\n",
			head + "actions:\n  \"a:b\":\n    steps:\n      - wait: \"css:#a\"\n        fallback:\n          - fail: {message: " + strings.Repeat("x", 110) + "}\n"},
		{"an unknown step", head + "actions: {\"a:b\": {steps: [{action: fly, args: {a: 1}}]}}\n", head + "actions: {\"a:b\": {steps: [{action: fly, args: {a: 1}}]}}\n"},
		{"a main argument that is a map", head + "actions: {\"a:b\": {steps: [{action: fill_form, args: {fields: {A: 1}}}]}}\n", head + "actions: {\"a:b\": {steps: [{fill_form: {fields: {A: 1}}}]}}\n"},
		{"comments between a key and its value", head + "selectors:\n  ok: # one\n    # two\n    \"css:.ok\"\n  no: css:.no\n", head + "selectors:\n  ok: \"css:.ok\"\n  # one\n  # two\n  no: css:.no\n"},
		{"a comment in empty arguments", head + "actions:\n  a:b:\n    steps:\n      - action: back # one\n        args: {} # two\n", head + "actions:\n  a:b:\n    steps:\n      # two\n      - back: # one\n"},
		{"a hash in a text", head + "description: 'a # b' # c\n", head + "description: 'a # b' # c\n"},
		{"tabs behind a value", head + "description: a\t# c\n", head + "description: a # c\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, problems := Format("f.yaml", []byte(c.in))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if diff := cmp.Diff(c.want, string(out)); diff != "" {
				t.Errorf("the form differs (-want +got):\n%s", diff)
			}
			if again, _ := Format("f.yaml", out); string(again) != string(out) {
				t.Errorf("the form of the form differs:\n%s", again)
			}
		})
	}
	for name, text := range map[string]string{"bad YAML": "namespace: [", "a bad step": head + "actions: {\"a:b\": {steps: [{acton: back}, {}]}}", "empty": "", "no definition": "[1]", "two ways": head + "actions: {\"a:b\": {steps: [{action: back, args: 5}]}}"} {
		if out, problems := Format("f.yaml", []byte(text)); out != nil || len(problems) == 0 || problems[0].Code != diag.DefinitionInvalid {
			t.Errorf("%s: %q, %v; want problems alone", name, out, problems)
		}
	}
}

// FuzzFormat checks that a file that loads has a canonical form that loads, means the same, and is
// its own canonical form.
func FuzzFormat(f *testing.F) {
	f.Add(unformatted)
	f.Add(formatted)
	for _, text := range []string{base, withSets} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, problems := ParseFile("f.yaml", []byte(text))
		if len(problems) > 0 {
			return
		}
		if _, problems := spec.Decode(root, spec.Source{}, catalogue.MainArg); len(problems) > 0 {
			return
		}
		out, problems := Format("f.yaml", []byte(text))
		if len(problems) > 0 {
			t.Fatalf("no form: %v\n%s", problems, text)
		}
		again, problems := Format("f.yaml", out)
		if len(problems) > 0 || string(again) != string(out) {
			t.Fatalf("the form of the form differs: %v\n%s\n---\n%s", problems, out, again)
		}
	})
}
