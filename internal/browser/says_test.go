package browser

import (
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// One word of a phrase does not count as the phrase. Punctuation around it does not matter.
func TestSays(t *testing.T) {
	const none = ""
	tests := []struct{ html, text, want string }{
		{"<button id=a>Delete</button><button id=b><b>Delete</b> all orders</button>", "Delete", "a"},
		{"<button id=b><b>Delete</b> all orders</button>", "Delete", none},
		{"<button id=b><b>Delete</b> all orders</button>", "Delete all orders", "b"},
		{"<button id=b style='display:flex;gap:4px'><b>Delete</b> all orders</button>", "Delete", none},
		{"<button id=b style='display:flex;gap:4px'>Delete <b>all orders</b></button>", "Delete", none},
		{"<button id=b><span>Delete</span> <span>all orders</span></button>", "Delete", none},
		{"<button id=b><b style='display:inline-block'>Delete</b> all</button>", "Delete", none},
		{"<button id=b>Orders<span>12</span></button>", "Orders", "b"},
		{"<button id=b>Orders <span>(1,204)</span></button><button id=c>Order</button>", "Orders", "b"},
		{"<button id=b style='display:flex'><span>Orders</span><span>New</span></button>", "Orders", "b"},
		{"<button id=b>Id <span aria-hidden=true>\u25b2</span></button>", "Id", "b"},
		{"<button id=b>Save <kbd>Ctrl+S</kbd></button><button id=c>Save as</button>", "Save", "b"},
		{"<button id=b><i class=material-icons>save</i><span>Save</span></button>", "Save", "b"},
		{"<button id=b><span>Inbox</span><span class=badge>New</span></button>", "Inbox", "b"},
		{"<button id=b><span>Edit</span><kbd>Ctrl+E</kbd></button>", "Edit", "b"},
		{"<button id=b><span>Edit</span> <span class=text>everything</span></button>", "Edit", none},
		{"<button id=b>\u00d7 Close</button>", "Close", "b"},
		{"<button id=b style='text-transform:uppercase'>Save <i>3</i></button>", "Save", "b"},
		{"<button id=b style='text-transform:capitalize'><b>save</b> all</button>", "save", none},
		{"<button id=b>Close Tab</button>", "Close", none},
		{"<button id=b>Delete option all</button>", "Delete", none},
		{"<button id=b>Delete <span class=with-icon>all</span></button>", "Delete", none},
		{"<button id=b>Item 10</button>", "Item 1", none},
		{"<button id=b>C++</button>", "C", none},
		{"<button id=b>C#</button><button id=a>C</button>", "C", "a"},
		{"<button id=b>-5</button>", "5", none},
		{"<button id=b>1 000</button>", "1", none},
		{"<button id=b>Orders 3</button><button id=a>Orders</button>", "Orders", "a"},
		{"<button id=b aria-label=Delete><i>x</i></button>", "Delete", "b"},
		{"<button id=b aria-label='Delete all'>Delete</button>", "Delete", "b"},
		{"<button id=b><svg width=9 height=9><title>bin</title></svg> Delete</button>", "Delete", "b"},
		{"<button id=b><i aria-hidden=true>delete</i><span>Delete</span></button>", "Delete", "b"},
		{"<a id=b href='#'><h3>Title</h3><p>A text about it</p></a>", "Title", "b"},
		{"<a id=b href='#' style='display:flex'><div><h4>Title</h4><p>more</p></div><div>Open</div></a>", "Title", "b"},
		{"<input type=submit id=b value=Send><input type=submit id=c value='Send all'>", "Send", "b"},
		{"<button id=b>\u65b0 \u5efa</button><button id=c>\u65b0\u5efa\u8ba2\u5355</button>", "\u65b0\u5efa", "b"},
		{"<button id=b>Don\u2019t save</button>", "Don", none},
		{"<button id=b>Save</button><div>Save the <button id=c>rest</button></div>", "Save", "b"},
	}
	ctx, p := show(t, "<body>")
	for _, tt := range tests {
		if _, err := p.Eval(ctx, `document.body.innerHTML = html; window.hit = ''; document.onclick = (e) => { hit = e.target.closest('[id]').id; e.preventDefault() }`, map[string]any{"html": tt.html}); err != nil {
			t.Fatal(err)
		}
		target := chain(cssPart("button, a, input"), selectors.QueryPart{Kind: selectors.Says, Value: tt.text})
		target.Timeout = 100 * time.Millisecond
		_, err := p.Press(ctx, target, driver.PressOptions{})
		if tt.want == none {
			if diag.CodeOf(err) != diag.ElementNotFound {
				t.Errorf("%s says %s: %v, want none", tt.html, tt.text, err)
			}
			continue
		}
		if got := evaluate(t, ctx, p, "hit"); err != nil || got != tt.want {
			t.Errorf("%s says %s: %v, %v, want %s", tt.html, tt.text, got, err, tt.want)
		}
	}
}
