package session_test

import (
	"fmt"
	"testing"
)

// TestFormErrorsReadsRedWords tests pages that mark an error message only by its colour.
func TestFormErrorsReadsRedWords(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range []struct{ html, want string }{
		{`<p><label>Name <input></label> <span class=err style="color:#b00">Name is required</span></p>`, "[map[label:Name message:Name is required]]"},
		{`<div><label for=a>Name</label><input id=a><small style="color:red">Bitte ausfüllen</small></div>`, "[map[label:Name message:Bitte ausfüllen]]"},
		{`<div><p class=error-line style="color:#c00">Ilmoita nimesi</p><label>Name <input></label></div>`, "[map[label:Name message:Ilmoita nimesi]]"},
		{`<div><label>Name</label><div><input></div><div style="color:crimson">Zu kurz</div></div><div><label>Mail</label><div><input></div><div style="color:crimson">Falsch</div></div>`,
			"[map[label:Name message:Zu kurz] map[label:Mail message:Falsch]]"},
		{`<p><label>Name <input aria-invalid=true aria-describedby=m></label> <span id=m style="color:red">Too short</span></p>`, "[map[label:Name message:Too short]]"},

		{`<p><label>Name <b style="color:red">*</b> <input></label> <span>Your first name</span></p>`, "[]"},
		{`<p><label style="color:red">Name</label> <input></p>`, "[]"},
		{`<p><label>Name <input></label> <button style="color:red">Delete</button> <a href=# style="color:red">Remove</a></p>`, "[]"},
		{`<p><label>Name <input></label> <span class=err style="color:red;display:none">Name is required</span></p>`, "[]"},
		{`<h2 style="color:red">Our shop</h2><p><label>Name <input></label></p><small style="color:red">* Required fields</small>`, "[]"},
		{`<p><label>Name <input></label> <span style="color:green">Name is free</span></p>`, "[]"},
	} {
		html = `<h1>Order</h1><form>` + tt.html + `<p>Thanks</p></form>`
		b.mustRun(t, "web:page:open", object{"url": base})
		said := data(t, b.run(t, "components:form:errors", nil))
		if got := fmt.Sprint(said["errors"]); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.html, got, tt.want)
		}
	}
}
