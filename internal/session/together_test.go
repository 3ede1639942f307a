package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
)

const togetherPage = `<!doctype html><title>Together</title><main><form>
<fieldset><legend>Days</legend><label><input type=checkbox value=1>Mon</label><label><input type=checkbox value=2>Tue</label><label><input type=checkbox value=3>Wed</label></fieldset>
<fieldset><legend>Tops</legend><label><input type=checkbox>All</label><label><input type=checkbox>Egg</label><label><input type=checkbox>Ham</label></fieldset>
</form></main><script>
const [days, tops] = document.querySelectorAll('fieldset');
days.onchange = (e) => { const on = [...days.querySelectorAll(':checked')]; if (on.length > 2) on.find((n) => n !== e.target).checked = false };
tops.onchange = () => { const [all, ...rest] = tops.querySelectorAll('input'); all.checked = rest.every((n) => n.checked) };
</script>`

// TestHeldTogether checks that all values of a multiple choice field are checked together at the
// end, because a page may remove one option when another is chosen.
func TestHeldTogether(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, togetherPage)
	}))
	b := newBench(t, nil, nil)
	for _, tt := range []struct {
		action string
		params object
		want   string // part of the expected error; "" means success
	}{
		{"components:field:set", object{"label": "Days", "value": []any{"Mon", "Tue"}}, ""},
		{"components:field:set", object{"label": "Days", "value": []any{"Mon", "Tue", "Wed"}}, "Days does not hold Mon together with the others"},
		{"components:field:set", object{"label": "Days", "value": []any{}}, ""},
		{"components:field:set", object{"label": "Tops", "value": []any{"Egg", "Ham"}}, ""},
	} {
		t.Run(fmt.Sprint(tt.action, tt.params), func(t *testing.T) {
			b.open(t, base)
			r := b.run(t, tt.action, tt.params)
			if tt.want == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.StepFailed, tt.want)
		})
	}
}
