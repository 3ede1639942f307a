package validator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

// thousand returns 1,000 actions in 100 namespaces: about 650 KB of YAML.
func thousand(b *testing.B) map[string]*spec.Namespace {
	b.Helper()
	texts := make([]string, 100)
	for i := range texts {
		var t strings.Builder
		fmt.Fprintf(&t, "namespace: n%d\nversion: 1.0.0\nselectors:\n  modal: role:dialog\n"+
			"  ok: {primary: \"role:button[name='OK']\", fallback: [\"css:.ant-modal .ant-btn-primary\"]}\nactions:\n", i)
		for j := range 10 {
			fmt.Fprintf(&t, `  dialog:open%d:
    description: Open a dialog by its trigger, and read what it says
    params:
      trigger: {type: string, required: true, description: Text of the button}
      trigger_by: {type: enum, values: [text, testid], default: text}
    steps:
      - action: click
        args: {selector: "text:${params.trigger}"}
        when: ${params.trigger_by} == 'text'
      - action: click
        args: {selector: "testid:${params.trigger}"}
        when: ${params.trigger_by} == 'testid'
      - action: wait
        args: {selector: "${selectors.modal}", state: visible}
        timeout: 5s
        retry: 2
      - action: get
        args: {selector: "${selectors.modal}", what: text}
        output: modal
        fallback:
          - {action: run, args: {action: "n%d:dialog:open%d", params: {trigger: "${params.trigger}"}}}
    verify:
      - {condition: "${steps.modal.text} != ''", message: The dialog is empty}
      - {selector: "${selectors.ok}", state: visible}
    returns: {text: "${steps.modal.text}"}
`, j, (i+1)%100, (j+1)%10)
		}
		texts[i] = t.String()
	}
	all := load(b, texts...)
	// The last action of each namespace would close a cycle: leave it open.
	for _, ns := range all {
		for _, a := range ns.Actions {
			if a.Name == "dialog:open9" || ns.Name == "n99" {
				a.Steps[3].Fallback = nil
			}
		}
	}
	return all
}

func BenchmarkCheck1000(b *testing.B) {
	all := thousand(b)
	if list := validator.Check(all); len(list) > 0 {
		b.Fatal(list)
	}
	b.ReportAllocs()
	for b.Loop() {
		validator.Check(all)
	}
}

func BenchmarkSchema(b *testing.B) {
	for b.Loop() {
		validator.Schema()
	}
}
