package session_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

const orderActions = `
namespace: order
version: 1.0.0
actions:
  map:fill:
    steps: [{action: fill_form, args: {fields: {Country: Norway, City: Bergen}}, output: form}]
    returns: {form: "${steps.form.fields}"}
  list:fill:
    steps: [{action: fill_form, args: {fields: [{label: Country, value: Norway}, {label: City, value: Bergen}]}, output: form}]
    returns: {form: "${steps.form.fields}"}
  param:fill:
    params: {fields: {type: array, items: {type: object, properties: {label: {type: string}, value: {type: string}}}}}
    steps: [{action: fill_form, args: {fields: "${fields}"}, output: form}]
    returns: {form: "${steps.form.fields}"}
  object:fill:
    params: {fields: {type: object}}
    steps: [{action: fill_form, args: {fields: "${fields}"}, timeout: 10s}]
`

// TestFillFormInTheOrderWritten fills fields in the written order. The order matters because the
// country determines the list of cities, and the alphabetical order is wrong.
func TestFillFormInTheOrderWritten(t *testing.T) {
	t.Parallel()
	url := serve(t, pages.Handler()) + "/steps.html"
	b := newBench(t, map[string]string{"order.yaml": orderActions}, nil)
	list := []any{object{"label": "Country", "value": "Norway"}, object{"label": "City", "value": "Bergen"}}
	const written = `{"Country": "Norway", "City": "Bergen"}`
	tests := []struct {
		name, action string
		o            session.RunOptions
	}{
		{"a map in a file", "order:map:fill", session.RunOptions{}},
		{"a list in a file", "order:list:fill", session.RunOptions{}},
		{"a list from a param", "order:param:fill", session.RunOptions{Params: object{"fields": list}}},
		{"JSON of the command line", "", session.RunOptions{Params: object{"fields": written}, FromText: true}},
		{"a list of the command line", "", session.RunOptions{Params: object{"fields": `[{"label": "Country", "value": "Norway"}, {"label": "City", "value": "Bergen"}]`}, FromText: true}},
		{"a list by hand", "", session.RunOptions{Params: object{"fields": list}}},
	}
	for _, tt := range testkit.Some(t, "ways to write a form", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			got, field := b.fill(t, url, tt.action, tt.o)
			want(t, got, field, "map[City:[Bergen] Country:[no]]")
		})
	}
	t.Run("a map from a param has no order", func(t *testing.T) {
		b.open(t, url)
		r := b.run(t, "order:object:fill", object{"fields": object{"Country": "Norway", "City": "Bergen"}})
		wantError(t, r, diag.ElementNotInteractable, `the field "City"`)
	})
}

// open opens a page with a long timeout, because the page of a library may take longer than the
// default timeout on a busy machine.
func (b *bench) open(t *testing.T, url string) {
	t.Helper()
	data(t, b.Step(t.Context(), "open", session.RunOptions{Params: object{"url": url}, Timeout: runTime}))
}

// fill fills the form with an action, or with a manual step if action is "". It returns the data of
// the result, and the name of the entry that lists the fields.
func (b *bench) fill(t *testing.T, url, action string, o session.RunOptions) (got object, field string) {
	t.Helper()
	b.open(t, url)
	if action == "" {
		return data(t, b.Step(t.Context(), "fill_form", o)), "fields"
	}
	return data(t, b.runWith(t, action, o)), "form"
}

const heldActions = `
namespace: held
version: 1.0.0
actions:
  keys:leave:
    steps:
      - {action: hover, args: {selector: "css:#go"}}
      - {action: key_down, args: {key: Shift}}
      - {action: mouse_down}
  keys:fail:
    steps:
      - {action: key_down, args: {key: Alt}}
      - {action: fail, args: {message: stop}}
  page:click:
    steps: [{action: click, args: {selector: "css:#go"}}]
`

// TestHeldKeysEndWithARun checks that a held key or button stays down across manual steps, but not
// beyond the end of a run.
func TestHeldKeysEndWithARun(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"held.yaml": heldActions}, nil)
	b.open(t, serve(t, pages.Handler())+"/steps.html")
	log := func(script, text string) {
		t.Helper()
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}})
		want(t, data(t, r), "value", text)
	}
	const ups = "log.splice(0).filter((s) => /up|click/.test(s)).join()"

	r := b.run(t, "held:keys:leave", nil)
	wantWarnings(t, r, "released")
	log(ups, "mouseup go 0 shift,click go 0 shift,keyup go Shift")

	r = b.run(t, "held:keys:fail", nil)
	wantError(t, r, diag.StepFailed, "stop")
	wantWarnings(t, r, "released")
	log(ups, "keyup go Alt")

	hand := func(step string, args object) object {
		t.Helper()
		return data(t, b.Step(t.Context(), step, session.RunOptions{Params: args}))
	}
	want(t, hand("key_down", object{"key": "Shift"}), "held", "[Shift]")
	hand("click", object{"selector": "css:#go"})
	log(ups, "mouseup go 0 shift,click go 0 shift")
	r = b.run(t, "held:page:click", nil)
	wantWarnings(t, r, "released")
	log(ups, "keyup go Shift,mouseup go 0,click go 0")
	wantWarnings(t, b.run(t, "held:page:click", nil))
}
