package session_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"testing"
)

// TestLabelMarks checks that form:fill ignores colons and stars at the ends of a label.
func TestLabelMarks(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		label := func(tag, id, name string) string {
			return fmt.Sprintf("<%s for=%s>%s</%[1]s>", tag, id, fmt.Sprintf(r.FormValue("label"), html.EscapeString(name)))
		}
		tag := r.FormValue("tag")
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>Marks</title><main><form><p>%s <select id=c name=c><option value="">Select…<option value=de>Germany</select></p>
<p>%s <input id=n name=n></p></form></main>`, label(tag, "c", "Country"), label(tag, "n", "Name"))
	}))
	b := newBench(t, nil, nil)
	for _, tag := range []string{"label", "span"} {
		for _, label := range []string{"%s: <em>*</em>", "%s : <b>*</b>", "%s:*", "%s *:", "%s： *", "%s*"} {
			t.Run(tag+" "+label, func(t *testing.T) {
				b.open(t, base+"/?"+url.Values{"label": {label}, "tag": {tag}}.Encode())
				data(t, b.run(t, "components:form:fill", object{"values": object{"Country": "Germany", "Name": "Ada"}}))
			})
		}
	}
	t.Run("label * : before", func(t *testing.T) {
		b.open(t, base+"/?"+url.Values{"label": {"* %s:"}, "tag": {"label"}}.Encode())
		data(t, b.run(t, "components:form:fill", object{"values": object{"Country": "Germany", "Name": "Ada"}}))
	})
}
