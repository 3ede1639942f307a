package main

// The pages of all measurements.

import (
	"fmt"
	"html"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// links is the number of links below the form.
const links = 200

// formPage has a control of each measured kind. Pressing Save increments a counter and shows the
// form's values in #said.
func formPage() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang=en><meta charset=utf-8><title>Form</title>
<h1>Form</h1>
<form id=form onsubmit="return false">
<label>Name <input id=name></label>
<label>Mail <input id=mail type=email></label>
<label>Plan <select id=plan><option value=a>Alpha</option><option value=b>Beta</option></select></label>
<label><input id=agree type=checkbox> I agree</label>
<button id=save type=button>Save</button>
<output id=said></output>
</form>
<script>
window.saves = 0;
const $ = id => document.getElementById(id);
$('save').onclick = () => {
  window.saves++;
  $('said').textContent = [window.saves, $('name').value, $('plan').value, $('agree').checked].join(' ');
};
</script>
<nav><ul>
`)
	for i := range links {
		fmt.Fprintf(&b, "<li><a href=\"#part-%d\">Part %d of the manual</a></li>\n", i, i)
	}
	b.WriteString("</ul></nav></html>\n")
	return b.String()
}

// rowsPage returns a page with a table of n rows. Each has five cells, with a link and two buttons.
func rowsPage(n int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><meta charset=utf-8><title>Rows</title><h1>Rows</h1><table><tbody>\n")
	for i := range n {
		fmt.Fprintf(&b, "<tr><td>%d</td><td><a href=\"#row-%d\">Item %d</a></td><td>open</td><td><button>Edit</button></td><td><button aria-label=\"Delete item %d\">Delete</button></td></tr>\n", i, i, i, i)
	}
	b.WriteString("</tbody></table></html>\n")
	return b.String()
}

// nodesPage returns a page with n elements in sections of 20. One element of each section can be
// pressed.
func nodesPage(n int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><meta charset=utf-8><title>Nodes</title><h1>Nodes</h1><button id=save type=button onclick=\"this.value=1\">Save</button>\n")
	for i := 0; i < n; i += 20 {
		fmt.Fprintf(&b, "<section><h2>Section %d</h2><div>", i/20)
		for j := range 8 {
			fmt.Fprintf(&b, "<p>Text <b>%d</b></p>", i+j)
		}
		fmt.Fprintf(&b, "<a href=\"#node-%d\">More of %d</a></div></section>\n", i, i)
	}
	b.WriteString("</html>\n")
	return b.String()
}

// pageServer serves the pages on the loopback interface.
type pageServer struct {
	server *http.Server
	base   string // http://127.0.0.1:PORT
}

func servePages() (*pageServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	form := formPage()
	mux := http.NewServeMux()
	show := func(pattern string, page func(n int) string) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
			n, err := strconv.Atoi(r.URL.Query().Get("n"))
			if err != nil && r.URL.Query().Has("n") {
				http.Error(w, html.EscapeString(err.Error()), http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page(n))
		})
	}
	show("/form", func(int) string { return form })
	show("/rows", rowsPage)
	show("/nodes", nodesPage)
	s := &pageServer{server: &http.Server{Handler: mux}, base: "http://" + listener.Addr().String()}
	go s.server.Serve(listener) //nolint:errcheck // always ErrServerClosed
	return s, nil
}

func (s *pageServer) close() { s.server.Close() }
