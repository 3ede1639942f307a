package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestControlsThatTheServerRefuses tests controls that keep their new value although the server has
// refused their request. Requests that only report what users do are not requests of the control.
func TestControlsThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for path, status := range map[string]int{"/refused": http.StatusForbidden, "/broken": http.StatusInternalServerError, "/taken": http.StatusOK, "/collect": http.StatusForbidden} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) })
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		q := r.URL.Query()
		fmt.Fprintf(w, `<!doctype html><h1>Settings</h1>
			<span id=n>Newsletter</span> <button role=switch aria-checked=false aria-labelledby=n id=s>.</button>
			<p><label><input type=checkbox id=c> Reports</label></p>
			<fieldset><legend>Plan</legend><label><input type=radio name=p id=r> Large</label><label><input type=radio name=p> Small</label></fieldset>
			<p><label>City <select id=o><option>York<option>Bonn</select></label></p>
			<p><label>Due <input type=date id=d></label></p><p><label>Until <input type=date id=u></label></p><p><label>Title <input id=i></label></p><p><label>Note <input id=l></label></p><p><label>Quiet <input></label></p>
			<p><label>Amount <input inputmode=decimal id=a></label></p><p><label>Count <input type=number id=k></label></p><p><label>Share <input id=h></label></p><p id=m></p><script>
			const says = async () => {
				const res = await fetch('%s', {method: '%s', body: 'x'});
				if ('%s') m.outerHTML = '%s';
			};
			s.onclick = () => { s.ariaChecked = String(s.ariaChecked !== 'true'); says() };
			let late;
			l.oninput = u.onchange = () => { clearTimeout(late); late = setTimeout(says, 250) };
			c.onchange = r.onchange = o.onchange = d.onchange = i.oninput = a.onchange = k.onchange = h.onblur = says</script>`, q.Get("to"), q.Get("as"), q.Get("says"), q.Get("says"))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	const alert, plain = "%3Cp role=alert%3ENot stored: you may not%3C/p%3E", "%3Cp%3EYour change could not be saved%3C/p%3E"
	uses := []struct {
		action string
		params object
	}{
		{"components:switch:set", object{"label": "Newsletter"}},
		{"components:checkbox:set", object{"label": "Reports"}},
		{"components:radio:choose", object{"label": "Plan", "option": "Large"}},
		{"components:select:choose", object{"label": "City", "option": "Bonn"}},
		{"components:date:pick", object{"label": "Due", "value": "2026-12-05"}},
		{"components:input:fill", object{"label": "Title", "value": "New"}},
		{"components:form:fill", object{"values": object{"Note": "New"}}},
		{"components:form:fill", object{"values": object{"Due": "2026-12-05", "Quiet": "New"}}}, // the second field sends no request
		{"components:field:set", object{"label": "Note", "value": "New"}},
		{"components:input:fill", object{"label": "Note", "value": "New"}}, // the request is sent a little later
		{"components:date:pick", object{"label": "Until", "value": "2026-12-05"}},
		{"components:field:set", object{"label": "Until", "value": "2026-12-05"}},

		// These fields send their request when they lose the focus.
		{"components:input:fill", object{"label": "Amount", "value": "100.5"}},
		{"components:input:fill", object{"label": "Count", "value": "100"}},
		{"components:field:set", object{"label": "Share", "value": "100"}},
		{"components:form:fill", object{"values": object{"Count": "100"}}},
		{"components:form:fill", object{"values": object{"Quiet": "New", "Share": "100"}}},
	}
	answers := []struct{ name, query, failed string }{
		{"refused", "?to=/refused&as=PATCH&says=" + alert, "you may not"},
		{"broken", "?to=/broken&as=POST&says=" + alert, "the server refused POST"},
		{"said plainly", "?to=/refused&as=PUT&says=" + plain, "could not be saved"},

		{"taken", "?to=/taken&as=PATCH&says=%3Cp role=status%3EStored%3C/p%3E", ""},
		{"telemetry", "?to=/collect&as=POST&says=%3Cp role=status%3EStored%3C/p%3E", ""},
		{"refused without words", "?to=/refused&as=PATCH", "the server refused PATCH"},
		{"refused in unknown words", "?to=/refused&as=PATCH&says=%3Cp role=status%3ESolo para otros%3C/p%3E", "the server refused PATCH"},
		{"refused, and stored all the same", "?to=/refused&as=PATCH&says=%3Cp role=status%3EStored%3C/p%3E", ""},
	}
	for _, row := range somePairs(t, "controls", 15, answers, uses) {
		tt, use := row.a, row.b
		t.Run(fmt.Sprint(tt.name, "/", use.action, use.params), func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/"+tt.query)
			r := b.run(t, use.action, use.params)
			if tt.failed != "" {
				wantError(t, r, diag.StepFailed, tt.failed)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
