package session_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// calmForm is a page with disabled controls. load is a script that may enable them.
const calmForm = `<!doctype html><title>Form</title><h1>Form</h1><form onsubmit="return false"><fieldset><legend>Frequency</legend>
<label><input type=radio name=f> Daily</label> <label><input type=radio name=f disabled> Weekly</label></fieldset>
<p><label><input type=checkbox disabled> Fax</label></p><p><label>Phone <input readonly value=1></label></p>
<p><label for=d>Department</label> <select id=d><option>Sales<option disabled>Legal</select></p>
<p><span id=b>Beta</span> <button type=button role=switch aria-checked=false aria-labelledby=b disabled onclick="ariaChecked=true"> </button></p>
<p><button type=button disabled onclick="this.textContent='Sent'">Send</button></p></form>
<p><button aria-haspopup=menu aria-expanded=false aria-controls=m onclick="m.hidden=false;ariaExpanded=true">Export</button></p>
<div role=menu id=m hidden><div role=menuitem aria-disabled=true onclick="m.hidden=true">As XML</div></div>
<h2>Orders</h2><section aria-labelledby=o><h2 id=o>People</h2><table><tr><th>Name</th></tr><tr><td id=who>P1</td></tr></table>
<nav aria-label=Pages><button onclick="go(-1)" id=back disabled>Previous</button> <button aria-current=page id=now onclick="">1</button> <button onclick="go(1)" id=next>Next</button></nav></section>
<script>let n = 1; function go(by) { n += by; now.textContent = n; who.textContent = 'P' + n; back.disabled = n < 2; next.disabled = n > 2 }
function free() { document.querySelectorAll('form [disabled], form option[disabled]').forEach((el) => { el.disabled = false }); document.querySelectorAll('[readonly]').forEach((el) => { el.readOnly = false }); document.querySelector('[aria-disabled]').ariaDisabled = 'false' }
if (location.pathname.length > 1) fetch('/slow' + location.pathname).then(free)</script>`

// TestCalmRefusalsOfPlainControls checks that a disabled or missing control is an error as soon as
// the page is calm. The page is not calm while an answer of the server may still change the control.
func TestCalmRefusalsOfPlainControls(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/slow/", func(http.ResponseWriter, *http.Request) { time.Sleep(2 * time.Second) })
	html := calmForm
	mux.Handle("/", muxShowing(&html))
	base := serve(t, mux)
	b := newBench(t, nil, nil, longWait)
	tests := []struct {
		action string
		params object
		code   diag.Code
		says   string
	}{
		{"checkbox:set", object{"label": "Fax"}, diag.ElementNotInteractable, "disabled"},
		{"checkbox:set", object{"label": "Post"}, diag.ElementNotFound, "nothing matches"},
		{"radio:choose", object{"label": "Frequency", "option": "Weekly"}, diag.ElementNotInteractable, "disabled"},
		{"radio:choose", object{"label": "Frequency", "option": "Monthly"}, diag.ElementNotFound, "nothing matches"},
		{"switch:set", object{"label": "Beta"}, diag.ElementNotInteractable, "disabled"},
		{"input:fill", object{"label": "Phone", "value": "2"}, diag.ElementNotInteractable, "readonly"},
		{"input:fill", object{"label": "Shoe size", "value": "2"}, diag.ElementNotFound, "nothing matches"},
		{"form:fill", object{"values": object{"Shoe size": "44"}}, diag.ElementNotFound, "nothing matches"},
		{"select:choose", object{"label": "Department", "option": "Legal"}, diag.StepFailed, "disabled"},
		{"dropdown:choose", object{"text": "Export", "option": "As XML"}, diag.ElementNotInteractable, "aria-disabled"},
		{"pagination:go", object{"within": "People", "page": 9}, diag.StepFailed, "no page 9; the last one is 3"},
		{"popconfirm:accept", object{}, diag.ElementNotFound, "nothing matches"},
	}
	for _, tt := range testkit.Kinds(t, "refusals", len(tests), tests, func(i int) any { return string(tests[i].code) + tests[i].says }) {
		b.mustRun(t, "web:page:open", object{"url": base})
		from := time.Now()
		wantError(t, b.run(t, "components:"+tt.action, tt.params), tt.code, tt.says)
		if took := time.Since(from); took > calmWithin {
			t.Errorf("%s %v came after %s", tt.action, tt.params, took)
		}
		if tt.action == "popconfirm:accept" || tt.action == "pagination:go" || strings.Contains(tt.says, "nothing") {
			continue
		}
		b.mustRun(t, "web:page:open", object{"url": base + "/" + strings.NewReplacer(":", "").Replace(tt.action)})
		b.mustRun(t, "components:"+tt.action, tt.params)
	}
	// A page does not show what will enable a button. A timer may enable it, so the step waits.
	html = strings.Replace(calmForm, "if (location", "setTimeout(free, 3000); if (location", 1)
	b.mustRun(t, "web:page:open", object{"url": base})
	b.mustRun(t, "components:button:click", object{"text": "Send"})
}
