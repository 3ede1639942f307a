package session_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestFormSubmitWithoutForm sends a box of fields that is not a form element. If a field has gone and
// the page shows its typed text elsewhere, that proves that the text was accepted.
func TestFormSubmitWithoutForm(t *testing.T) {
	t.Parallel()
	const gone = "no longer there as it was"
	rows := []struct{ name, head, after, fails string }{
		{"it is hidden", "", `o.textContent = n.value; box.hidden = true`, ""},
		{"it is removed", "", `o.textContent = n.value; box.remove()`, ""},
		{"a form for a search above it", `<header><form role=search><input name=q aria-label=Search></form></header>`, `o.textContent = n.value; box.remove()`, ""},
		{"another address", "", `o.textContent = n.value; box.remove(); history.pushState(0, '', '/customers/7')`, ""},
		{"it is emptied", "", `o.textContent = n.value; n.value = ''`, ""},

		{"what was there before", "", `o.textContent = 'Customer 7'; box.hidden = true`, gone},
		{"a refusal of what was typed", "", `o.textContent = n.value + ' could not be saved'; box.hidden = true`, "could not be saved"},
		{"what another field holds", `<input aria-label=Filter value=Berlin>`, `o.textContent = 'Berlin is on holiday'; box.hidden = true`, gone},
	}
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if i, _ := strconv.Atoi(r.URL.Query().Get("i")); r.Method != http.MethodPost {
			fmt.Fprintf(w, `<!doctype html><html lang=en><title>Page</title>%s<main><h1>Profile</h1><p>Name: <b id=o></b></p><div id=box><label>Display name <input id=n></label>
<button type=button id=s>Save changes</button></div></main><script>s.onclick = async () => { await fetch('/sent', {method: 'POST', body: n.value}); %s }</script>`, rows[i].head, rows[i].after)
		}
	}))
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Kinds(t, "boxes of fields", 4, rows, func(i int) any { return rows[i].fails }) {
		for i := range rows {
			if rows[i].name == tt.name {
				b.open(t, base+"/?i="+strconv.Itoa(i))
			}
		}
		b.mustRun(t, "components:form:fill", object{"values": object{"Display name": "Anna Berg"}})
		r := b.run(t, "components:form:submit", object{"text": "Save changes"})
		switch {
		case tt.fails == "" && r.Error != nil:
			t.Errorf("%s: %s", tt.name, describe(r.Error))
		case tt.fails != "" && r.Error == nil:
			t.Errorf("%s succeeded, expected a failure that says %q", tt.name, tt.fails)
		case tt.fails != "":
			wantError(t, r, diag.StepFailed, tt.fails)
		}
	}
}
