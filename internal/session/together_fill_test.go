package session_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// holdingForm has fields that a script in its address may change.
const holdingForm = `<!doctype html><title>Form</title><form onsubmit="return false">
<p><label for=city>City</label> <input id=city></p>
<p><label for=country>Country</label> <select id=country><option><option>Norway<option>Italy</select></p>
<p><label for=zip>Zip</label> <input id=zip></p>
<p><label><input type=checkbox id=news> News</label></p>
<p><label for=mail>Mail</label> <input id=mail></p>
</form><script>
const log = [];
for (const n of document.querySelectorAll('input, select')) n.addEventListener('change', () => log.push(n.id));
const late = (ms) => new Promise((r) => setTimeout(r, ms)), slow = (ms) => fetch('/slow?ms=' + ms);
%s</script>`

// TestFormFillHoldsTogether checks that all fields of one form:fill have their values at its end,
// even if one field has changed another.
func TestFormFillHoldsTogether(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		fails        string // the field that the error names; "" means success
	}{
		{"none", "", ""},
		{"a field above is emptied at once", "country.onchange = () => { city.value = '' }", ""},
		{"a field above is emptied at once, each time", "country.onchange = () => { city.value = '' }; city.onblur = () => { city.value = '' }", "City"},
		{"a field above is emptied later", "country.onchange = async () => { await late(300); city.value = '' }", ""},
		{"a field above is emptied after 700 ms", "country.onchange = async () => { await late(700); city.value = '' }", ""},
		{"a field above is emptied by an answer", "country.onchange = async () => { await slow(700); city.value = '' }", ""},
		{"a field above is emptied by an answer to a timer", "country.onchange = async () => { await late(200); await slow(900); city.value = '' }", ""},
		{"a field above is drawn anew", "country.onchange = () => { city.outerHTML = '<input id=city>' }", ""},
		{"a field above is drawn anew by an answer", "country.onchange = async () => { await slow(700); city.outerHTML = '<input id=city>' }", ""},
		{"a field above becomes a list", "country.onchange = () => { city.outerHTML = '<select id=city><option>Rome<option>Oslo</select>' }", ""},
		{"a field above becomes a list without it", "country.onchange = () => { city.outerHTML = '<select id=city><option>Rome</select>' }", "Oslo"},
		{"a field below is emptied, and refused", "mail.oninput = () => setInterval(() => { zip.value = '' }, 50)", "Zip"},
		{"a box is unchecked by a later field", "let done = false; mail.oninput = () => { if (!done) news.checked = false; done = true }", ""},
		{"a list is put back by a later field", "let done = false; mail.oninput = () => { if (!done) country.value = ''; done = true }", ""},
		{"a value is written in other words", "mail.oninput = () => { city.value = ' OSLO ' }", ""},
		{"a unit is added by a later field", "mail.oninput = () => { zip.value = '0150 NO' }", ""},
		{"a field goes with another", "mail.oninput = () => { zip.parentNode.remove() }", ""},
		{"a field changes back", "country.onchange = async () => { const v = city.value; city.value = ''; await late(100); city.value = v }", ""},
		{"each field is drawn anew with its value", "for (const n of [city, zip]) n.onblur = () => { const c = n.cloneNode(); c.value = n.value; n.replaceWith(c) }", ""},
	}
	base := serveHoldingForm(t)
	b := newBench(t, nil, nil)
	const holds = `['city', 'country', 'zip', 'news', 'mail'].map((id) => document.getElementById(id)).map((n) => n ? n.id === 'news' ? n.checked : n.value.trim().toLowerCase() : 'gone').join()`
	for _, tt := range testkit.Some(t, "forms", 8, tests) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"?script="+url.QueryEscape(tt.script))
			r := b.run(t, "components:form:fill", object{"values": object{"City": "Oslo", "Country": "Norway", "Zip": "0150", "News": true, "Mail": "a@b.c"}})
			if tt.fails != "" {
				if r.Error == nil || !strings.Contains(r.Error.Msg, tt.fails) || r.Error.Code != diag.VerifyFailed && r.Error.Code != diag.StepFailed {
					t.Errorf("got %v, want a failure that names %s", r.Error, tt.fails)
				}
				return
			}
			data(t, r)
			got := data(t, b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": holds}}))["value"]
			want := "oslo,norway,0150,true,a@b.c"
			switch tt.name {
			case "a unit is added by a later field":
				want = "oslo,norway,0150 no,true,a@b.c"
			case "a field goes with another":
				want = "oslo,norway,gone,true,a@b.c"
			}
			if got != want {
				t.Errorf("the form holds %v, want %s", got, want)
			}
		})
	}
}

// serveHoldingForm serves the form with the script of its address, and slow answers at /slow.
func serveHoldingForm(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, holdingForm, r.URL.Query().Get("script"))
	})
	mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.URL.Query().Get("ms") + "ms")
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	})
	return serve(t, mux)
}

// TestRevertedByAnAnswer checks that a run, at its end, waits for the answer to a request that the
// page sends because of a field, even long after the input. The run does not wait for requests that
// the page sends continuously.
func TestRevertedByAnAnswer(t *testing.T) {
	t.Parallel()
	base := serveHoldingForm(t)
	b := newBench(t, nil, nil)
	for _, tt := range []struct {
		name, script string
		reverted     bool
	}{
		{"emptied by an answer", "city.oninput = async () => { await slow(900); city.value = '' }", true},
		{"emptied by the answer to a timer, which takes a timer", "city.oninput = async () => { await late(200); await slow(900); await late(100); city.value = '' }", true},
		{"kept by an answer", "city.oninput = async () => { await slow(900); country.value = 'Italy' }", false},
		{"a page that waits for messages", "slow(600000)", false},
		{"a page that asks again and again", "setInterval(() => slow(150), 100)", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.open(t, base+"?script="+url.QueryEscape(tt.script))
			r := b.run(t, "components:input:fill", object{"label": "City", "value": "Oslo"})
			if !tt.reverted {
				data(t, r)
				return
			}
			wantError(t, r, diag.VerifyFailed, "the page changed the value afterwards, by itself")
		})
	}
}
