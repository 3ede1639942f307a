package session_test

// Tests of dialogs and signed-in states in whole runs.

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
	"github.com/actionregistry/action/testdata/shop"
)

// TestSignedInStateIsTaken signs in once with an action, and runs other actions with the saved
// state.
func TestSignedInStateIsTaken(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	base := serve(t, shop.Handler(shop.Options{Delay: -1}))
	const take = `
namespace: take
version: 1.0.0
actions:
  state:save:
    steps: [{action: storage, args: {do: export, path: state.json}, output: s}]
    returns: {cookies: "${steps.s.cookies}"}
  state:load:
    steps: [{action: storage, args: {do: import, path: state.json}, output: s}]
    returns: {cookies: "${steps.s.cookies}"}
`
	open := func() *bench {
		return newBench(t, map[string]string{"take.yaml": take}, []string{"../../testdata/shop/actions"}, "BASE_URL="+base, "SHOP_PASSWORD=wrong")
	}
	a := open()
	a.mustRun(t, "shop:session:login", object{"password": shop.DefaultPassword})
	want(t, a.mustRun(t, "take:state:save", nil), "cookies", "1")
	b := open()
	b.cwd = a.cwd
	order := object{"customer": "Grace"}
	if r := b.run(t, "shop:order:create", order); r.Error == nil {
		t.Fatal("without the state nobody is signed in")
	}
	want(t, b.mustRun(t, "take:state:load", nil), "cookies", "1")
	b.mustRun(t, "shop:order:create", order)
}

func TestDialogsOfARun(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	const ask = `
namespace: ask
version: 1.0.0
env: [{name: BASE, secret: false}]
actions:
  name:give:
    params: {name: {type: string}}
    steps:
      - {action: open, args: {url: "${env.BASE}/steps.html"}}
      - {action: dialog, args: {do: accept, text: "${params.name}"}}
      - {action: eval, args: {script: "prompt('Name?')"}, output: got}
    returns: {name: "${steps.got.value}"}
  name:unused:
    steps: [{action: dialog, args: {do: accept}}]
  many:ask:
    steps:
      - {action: open, args: {url: "${env.BASE}/steps.html"}}
      - {action: eval, args: {script: "for (let i = 0; i < 125; i++) confirm('n' + i)"}}
  left:ask:
    steps:
      - {action: open, args: {url: "${env.BASE}/steps.html"}}
      - {action: eval, args: {script: "setTimeout(() => { document.title = String(prompt('Left?', 'x')) })"}}
      - {action: wait, args: {text: never to be seen}, on_error: continue, output: w}
      - {action: dialog, args: {do: accept, text: here}, output: d}
      - {action: get, args: {what: title}, output: t}
    returns: {kind: "${steps.d.kind}", answer: "${steps.d.answer}", title: "${steps.t.title}"}
  left:open:
    steps:
      - {action: open, args: {url: "${env.BASE}/steps.html"}}
      - {action: eval, args: {script: "setTimeout(() => confirm('Stays'))"}}
      - {action: wait, args: {text: never to be seen}}
`
	b := newBench(t, map[string]string{"ask.yaml": ask}, nil, "BASE="+base)
	r := b.run(t, "ask:name:give", object{"name": "Ada\n漢"})
	want(t, data(t, r), "name", "Ada\n漢")
	wantWarnings(t, r, "dialog")
	r = b.run(t, "ask:name:unused", nil)
	wantWarnings(t, r, "dialog_unused")
	r = b.run(t, "ask:many:ask", nil)
	wantWarnings(t, r, "dialog", "dialog", "dialog", "dialog", "dialog", "dialog")
	if last := r.Warnings[len(r.Warnings)-1].Message; !strings.HasPrefix(last, "… and 120 more") {
		t.Errorf("the last warning is %q", last)
	}

	b = newBench(t, map[string]string{"ask.yaml": ask}, nil, "BASE="+base, "ACTION_POLICY_DIALOGS=leave")
	got := b.mustRun(t, "ask:left:ask", nil)
	want(t, got, "kind", "prompt")
	want(t, got, "answer", "accepted")
	want(t, got, "title", "here")
	r = b.run(t, "ask:left:open", nil)
	wantError(t, r, diag.StepFailed, `an open dialog (confirm "Stays")`)
	if r.Error.Hint != "answer the dialog with `action dialog accept [TEXT]` or `action dialog dismiss`" {
		t.Errorf("the way out is %q", r.Error.Hint)
	}
	wantWarnings(t, r, "dialog")
	for step, args := range map[string]object{"tab": {"do": "list"}, "cookies": {"do": "list"}, "dialog": {"do": "history"}} {
		if r := b.Step(t.Context(), step, session.RunOptions{Params: args, Cwd: b.cwd, Environ: b.environ}); r.Error != nil {
			t.Errorf("%s while a dialog is open: %s", step, describe(r.Error))
		}
	}
	if r := b.Step(t.Context(), "dialog", session.RunOptions{Params: object{"do": "dismiss"}, Cwd: b.cwd}); r.Error != nil {
		t.Error(describe(r.Error))
	}
	if r := b.Step(t.Context(), "get", session.RunOptions{Params: object{"what": "title"}, Cwd: b.cwd}); r.Error != nil {
		t.Error(describe(r.Error))
	}
}
