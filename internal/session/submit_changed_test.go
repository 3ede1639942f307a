package session_test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// changingButtons are forms whose only button gets other words when the field loses the focus, or
// later. pressed has the words of the button when it is pressed; "" means that it must not be
// pressed.
var changingButtons = []struct{ name, form, pressed string }{
	{"removes on change", `<input id=q value=1 onchange="b.textContent='Remove item'"><button id=b>Update</button>`, ""},
	{"deletes on blur", `<input id=q value=1 onblur="b.textContent='Delete account'"><button id=b>Update</button>`, ""},
	{"cancels on blur", `<input id=q value=1 onblur="b.textContent='Cancel order'"><button id=b>Go on</button>`, ""},
	{"removes in German", `<input id=q value=1 onblur="b.textContent='Artikel entfernen'"><button id=b>Aktualisieren</button>`, ""},
	{"removes by its value", `<input id=q value=1 onchange="b.value='Remove'"><input id=b type=submit value=Update>`, ""},
	{"removes by its name", `<input id=q value=1 onchange="b.ariaLabel='Remove item'"><button id=b aria-label=Update>OK</button>`, ""},
	{"removes by a script of its own", `<input id=q value=1 onchange="b.textContent='Remove item'"><button type=button id=b onclick="f.requestSubmit()">Save</button>`, ""},
	{"removes once enabled", `<input id=q value=1 onchange="b.disabled=false;b.textContent='Remove item'"><button id=b disabled>Update</button>`, ""},
	{"removes after a while", `<input id=q value=1 onchange="setTimeout(()=>b.textContent='Remove item',40)"><button id=b>Update</button>`, ""},
	{"another one removes", `<input id=q value=1 onchange="b.remove();c.hidden=false"><button id=b>Update</button><button id=c hidden>Remove item</button>`, ""},

	{"saves in other words", `<input id=q value=1 onchange="b.textContent='Save changes'"><button id=b>Update</button>`, "Save changes"},
	{"counts", `<input id=q value=1 onchange="b.textContent='Update (1)'"><button id=b>Update</button>`, "Update (1)"},
	{"is enabled", `<input id=q value=1 onchange="b.disabled=false"><button id=b disabled>Update</button>`, "Update"},
	{"stays", `<input id=q value=1><button id=b>Update</button>`, "Update"},
	{"stays beside one that removes", `<input id=q value=1 onchange="c.hidden=false"><button id=b>Update</button><button id=c hidden>Remove item</button>`, "Update"},
}

// TestFormSubmitWhoseButtonChanges checks that form:submit without a text does not press a button that
// the page has turned into one that deletes or cancels.
func TestFormSubmitWhoseButtonChanges(t *testing.T) {
	t.Parallel()
	var pressed sync.Map
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/c" {
			pressed.Store(r.URL.Query().Get("i"), r.URL.Query().Get("w"))
			return
		}
		i, _ := strconv.Atoi(r.URL.Query().Get("i"))
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>Page</title><h1>Cart</h1><form id=f><label for=q>Quantity</label>%s</form><p id=m role=status></p>
<script>f.onsubmit=async(e)=>{e.preventDefault();const s=e.submitter??b,w=s.ariaLabel||s.value||s.textContent;await fetch('/c?i=%d&w='+encodeURIComponent(w),{method:'POST'});m.textContent='Cart updated'}</script>`, changingButtons[i].form, i)
	}))
	b := newBench(t, nil, nil)
	all := make([]int, len(changingButtons))
	for i := range all {
		all[i] = i
	}
	for _, i := range testkit.Some(t, "buttons that change", 8, all) {
		tt := changingButtons[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/?i="+strconv.Itoa(i))
			data(t, b.Step(t.Context(), "fill", session.RunOptions{Params: object{"selector": "label:Quantity", "value": "0"}, Cwd: b.cwd}))
			r := b.run(t, "components:form:submit", nil)
			got, _ := pressed.LoadAndDelete(strconv.Itoa(i))
			if tt.pressed == "" {
				wantError(t, r, diag.ElementNotFound, "")
				if got != nil {
					t.Errorf("%q was pressed", got)
				}
				return
			}
			data(t, r)
			if got != tt.pressed {
				t.Errorf("%q was pressed, not %q", got, tt.pressed)
			}
		})
	}
}
