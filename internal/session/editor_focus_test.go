package session_test

// Tests of editors that discard the typed text when the focus leaves them, and of buttons that change
// when the focus leaves a field.

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// editors are pages with an editor whose values are sent to /save. They discard the values when the
// focus leaves the editor.
var editors = map[string]string{
	"/form":    `<p><button id=e>Edit</button><form id=ed hidden><label>Qty <input id=f type=number value=1></label><button>Save</button><button type=button>Cancel</button></form>`,
	"/row":     `<p><button id=e>Edit</button><table><tr><td>Ann<td>1<td><button>Delete</button><tr id=ed hidden><td>Bob<td><input id=f aria-label=Qty value=1><td><button id=s>Save</button></table>`,
	"/checked": `<p><button id=e>Edit</button><form id=ed hidden><label>Qty <input id=f value=1 oninput="s.disabled=true;clearTimeout(window.t);window.t=setTimeout(async()=>{await fetch('/check');s.disabled=false},400)"></label><button id=s disabled>Save</button><button type=button>Cancel</button></form>`,
}

const editing = `<p role=status id=m></p><script>
	e.onclick = () => { ed.hidden = false; f.focus(); };
	ed.addEventListener('focusout', (x) => { if (!ed.hidden && !ed.contains(x.relatedTarget)) { ed.hidden = true; f.value = '1'; m.textContent = 'Discarded'; } });
	const save = async (x) => { x.preventDefault(); await fetch('/save', { method: 'POST', body: f.value }); m.textContent = 'Saved ' + f.value; ed.hidden = true; };
	if (ed.localName === 'form') ed.onsubmit = save; else s.onclick = save;</script>`

func TestFormFillInAnEditorThatDiscards(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><h1>Stock</h1>", editors[r.URL.Path], editing)
	})
	mux.HandleFunc("/save", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/check", func(http.ResponseWriter, *http.Request) {})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	fills := map[string]object{
		"components:form:fill":  {"values": object{"Qty": "5"}},
		"components:field:set":  {"label": "Qty", "value": "5"},
		"components:input:fill": {"label": "Qty", "value": "5"},
		"web:form:fill":         {"fields": []any{object{"label": "Qty", "value": "5"}}},
	}
	presses := map[string]object{"components:form:submit": nil, "components:button:click": {"text": "Save"}}
	type use struct{ path, fill, press string }
	var uses []use
	for _, path := range slices.Sorted(maps.Keys(editors)) {
		for _, fill := range slices.Sorted(maps.Keys(fills)) {
			for _, press := range slices.Sorted(maps.Keys(presses)) {
				if path != "/row" || press != "components:form:submit" {
					uses = append(uses, use{path, fill, press})
				}
			}
		}
	}
	for _, use := range testkit.Some(t, "editors", 5, uses) {
		path, fill, press := use.path, use.fill, use.press
		params, how := fills[fill], presses[press]
		t.Run(path+", "+fill+", "+press, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.mustRun(t, "web:page:open", object{"url": base + path})
			b.mustRun(t, "components:button:click", object{"text": "Edit"})
			data(t, b.run(t, fill, params))
			data(t, b.run(t, press, how))
			// The page shows the text once its request is answered.
			data(t, b.Step(t.Context(), "wait", session.RunOptions{Params: object{"selector": "css:#m", "text": "Saved 5"}}))
		})
	}
}

// TestFormSubmitAfterItsButtonHasChanged tests a page that changes the words of its button when the
// field loses the focus. If the button now removes something, form:submit does not press it, because
// the caller has not given its text.
func TestFormSubmitAfterItsButtonHasChanged(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><h1>Cart</h1><form id=f><label>Quantity <input id=q value=1></label><button id=b>Update</button></form><p role=status id=m></p><script>
			q.onblur = () => { b.textContent = q.value === '0' ? 'Remove item' : 'Update cart'; };
			f.onsubmit = (e) => { e.preventDefault(); m.textContent = b.textContent + ' done'; };</script>`)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for value, code := range map[string]diag.Code{"0": diag.ElementNotFound, "2": ""} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.mustRun(t, "web:page:open", object{"url": base})
			data(t, b.Step(t.Context(), "fill", session.RunOptions{Params: object{"selector": "label:Quantity", "value": value}}))
			r := b.run(t, "components:form:submit", nil)
			if code != "" {
				wantError(t, r, code, "Remove item")
			} else {
				data(t, r)
			}
		})
	}
}
