package session_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// TestFormSubmitBesideHints checks that a message about the last field, which appears when the
// field loses the focus, does not count as the answer to the form.
func TestFormSubmitBesideHints(t *testing.T) {
	t.Parallel()
	hints := []struct{ name, shows string }{
		{"at once", `{h.className='valid-feedback';h.textContent='Looks good!'}`},
		{"late", `setTimeout(()=>{h.textContent='Shipping is free from 50 EUR'},120)`},
		{"requested", `fetch('/slow').then(()=>{h.className='hint';h.textContent='This amount needs no approval'})`},
		{"a sum", `{h.textContent='= 1,234.00 EUR net'}`},
	}
	answers := []struct {
		name, script string
		code         diag.Code
		says         string
	}{
		{"plain", "m.textContent='Order saved'", "", ""},
		{"status", "m.role='status';m.textContent='Order saved'", "", ""},
		{"alert", `m.innerHTML='<div class="alert alert-success" role=alert>Order saved</div>'`, "", ""},
		{"a complaint", `h.textContent='Amount is too high'`, diag.StepFailed, "too high"},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	mux.HandleFunc("GET /page/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><h1>Order 7</h1><form id=f novalidate><p><label>Note <input></label></p><p><label>Amount <input id=a></label> <span id=h></span></p><button>Save</button></form><div id=m></div><script>
			a.addEventListener('`+r.FormValue("event")+`',()=>`+r.FormValue("shows")+`);
			f.onsubmit=async(e)=>{e.preventDefault();await fetch('/save',{method:'POST',body:a.value});`+r.FormValue("answer")+`}</script>`)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	type use struct{ hint, answer, event int }
	events := []string{"change", "blur"}
	var uses []use
	for i := range hints {
		for j := range answers {
			for k := range events {
				uses = append(uses, use{i, j, k})
			}
		}
	}
	for _, use := range testkit.Some(t, "hints beside answers", 7, uses) {
		hint, answer, event := hints[use.hint], answers[use.answer], events[use.event]
		t.Run(fmt.Sprintf("%s, %s, %s", hint.name, answer.name, event), func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.mustRun(t, "web:page:open", object{"url": base + "/page/?" + url.Values{"event": {event}, "shows": {hint.shows}, "answer": {answer.script}}.Encode()})
			data(t, b.Step(t.Context(), "fill", session.RunOptions{Params: object{"selector": "label:Amount", "value": "1234"}}))
			r := b.run(t, "components:form:submit", nil)
			if answer.code != "" {
				wantError(t, r, answer.code, answer.says)
			} else {
				data(t, r)
			}
		})
	}
}
