package session_test

import (
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// drawnControls is a page of controls with a hidden input and a visible part. on(kind, name, draw)
// imitates how a library handles a press; draw updates the visible part, or does nothing.
const drawnControls = `<!doctype html><style>
	.i { position: absolute; opacity: 0; width: 0; height: 0 } .s { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }
	.b { display: inline-block; width: 14px; height: 14px; border: 1px solid; transition: background-color .4s }
	label:hover .b, .i:focus + .b { border-color: blue; background-color: #eef }
	.is-checked .b, .css .i:checked + .b, .far:has(.s:checked) .b { background-color: blue }
	.t::before { content: ''; display: inline-block; width: 12px; height: 12px; border: 1px solid } .not .i:not(:checked) + .b { background-color: red }
	.is-active { background-color: blue }</style><h1>Options</h1><div id=at></div><script>
	const box = (name, cls = '', input = 'class=i') => '<p class="' + cls + '"><label class=c><span class=w><input type=checkbox ' + input + '><span class=b></span></span><span>' + name + '</span></label></p>';
	const radio = (name, cls = '') => '<label class="r ' + cls + '"><input class=i type=radio value="' + name + '"><span>' + name + '</span></label>';
	const state = (name) => '<label data-state=unchecked><input type=checkbox class=s><span data-state=unchecked class=t>' + name + '</span></label>';
	at.innerHTML = box('Refused') + box('Taken') + box('Late') + box('Css', 'css') + box('Not', 'not') + box('Has', 'far', 'class=s') + box('Styled') + box('Row') + box('Words')
		+ state('Mark') + state('State') + '<fieldset><legend>Size</legend>' + radio('Small', 'is-active') + radio('Large') + radio('Medium') + '</fieldset>'
		+ '<p><input type=checkbox id=p class=s><label for=p>Plain words</label></p><div id=panel hidden>More</div>';
	const of = (name) => [...document.querySelectorAll('label')].find((l) => l.textContent === name);
	const on = (name, draw) => { const input = of(name).control; input.onchange = () => draw(of(name), input.checked) };
	const mark = (l, v) => l.firstChild.classList.toggle('is-checked', v);
	on('Refused', (l) => l.firstChild.classList.add('is-focus'));
	on('Taken', mark);
	on('Late', async (l, v) => { await fetch('/slow'); mark(l, v) });
	on('Styled', (l, v) => { l.querySelector('.b').style.background = v ? 'blue' : '' });
	on('Row', (l, v) => l.parentNode.classList.toggle('chosen', v));
	on('Words', (l, v) => { l.lastChild.textContent = v ? 'Words on' : 'Words' });
	on('State', (l, v) => [l, l.lastChild].forEach((n) => n.dataset.state = v ? 'checked' : 'unchecked'));
	on('Mark', (l) => { l.lastChild.className = 't pressed' });
	p.onchange = () => { panel.hidden = !p.checked };
	on('Medium', (l) => { for (const r of document.querySelectorAll('.r')) r.classList.toggle('is-active', r === l) });
</script>`

// TestControlsThatThePageDoesNotDraw tests hidden inputs that the browser checks although the
// application refuses the change: the visible part does not change.
func TestControlsThatThePageDoesNotDraw(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /slow", slowRows)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(drawnControls))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	const stays = "still draws its previous state"
	tests := []struct {
		name, action string
		params       object
		again        object // params of a second run
		failed       string
	}{
		{"refused", "checkbox:set", object{"label": "Refused"}, nil, stays},
		{"refused, by field:set", "field:set", object{"label": "Refused", "value": true}, nil, stays},
		{"refused, twice", "checkbox:set", object{"label": "Refused"}, object{"label": "Refused"}, stays},
		{"a state that stays", "checkbox:set", object{"label": "Mark"}, nil, stays},
		{"another button stays marked", "radio:choose", object{"label": "Size", "option": "Large"}, nil, stays},

		{"taken", "checkbox:set", object{"label": "Taken"}, object{"label": "Taken"}, ""},
		{"taken, and taken back", "checkbox:set", object{"label": "Taken"}, object{"label": "Taken", "checked": false}, ""},
		{"taken after a request", "checkbox:set", object{"label": "Late"}, nil, ""},
		{"drawn by CSS alone", "checkbox:set", object{"label": "Css"}, object{"label": "Css", "checked": false}, ""},
		{"drawn by CSS for the contrary", "checkbox:set", object{"label": "Not"}, nil, ""},
		{"drawn by CSS around it", "checkbox:set", object{"label": "Has"}, nil, ""},
		{"drawn by a style", "checkbox:set", object{"label": "Styled"}, nil, ""},
		{"drawn by its row", "checkbox:set", object{"label": "Row"}, nil, ""},
		{"drawn by its words", "checkbox:set", object{"label": "Words"}, nil, ""},
		{"a state", "checkbox:set", object{"label": "State"}, object{"label": "State", "checked": false}, ""},
		{"nothing drawn at all", "checkbox:set", object{"label": "Plain words"}, nil, ""},
		{"another button", "radio:choose", object{"label": "Size", "option": "Medium"}, object{"label": "Size", "option": "Medium"}, ""},
	}
	for _, tt := range testkit.Kinds(t, "controls", 3, tests, func(i int) any { return tests[i].failed }) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base)
			r := b.run(t, "components:"+tt.action, tt.params)
			for range 2 {
				if tt.failed != "" {
					wantError(t, r, diag.StepFailed, tt.failed)
				} else if r.Error != nil {
					t.Error(describe(r.Error))
				}
				if tt.again == nil {
					break
				}
				r = b.run(t, "components:"+tt.action, tt.again)
			}
		})
	}
}
