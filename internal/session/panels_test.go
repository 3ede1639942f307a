package session_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestTabsThatShowNothing: a tab that says which part of the page it shows must show it.
func TestTabsThatShowNothing(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const (
		tabs   = `<div role=tablist><button role=tab id=a aria-selected=true aria-controls=pa>One</button><button role=tab id=b aria-selected=false aria-controls=pb>Two</button></div>`
		panels = `<div role=tabpanel id=pa>first</div><div role=tabpanel id=pb hidden>second</div>`
		plain  = `<div role=tablist><button role=tab id=a aria-selected=true>One</button><button role=tab id=b aria-selected=false>Two</button></div><p>first</p>`
		shown  = "pa.hidden=true;pb.hidden=false;"
		first  = `<div role=tabpanel id=pa>first</div>`
		made   = `pa.outerHTML="<div role=tabpanel id=pb>second</div>"`
	)
	for _, tt := range []struct{ name, html, script, fails string }{
		{"another panel stays", tabs + panels, "", "the part that it controls is not"},
		{"no panel", tabs + panels, "pa.hidden=true", "the part that it controls is not"},
		{"a panel that never comes", tabs + first, "", "the part that it controls is not"},

		{"its panel", tabs + panels, shown, ""},
		{"a panel that comes late", tabs + panels, "setTimeout(()=>{" + shown + "},400)", ""},
		{"a panel that comes with an answer", tabs + panels, "fetch('/late').then(()=>{" + shown + "})", ""},
		{"a panel that is made", tabs + first, made, ""},
		{"a panel that is made late", tabs + first, "setTimeout(()=>{" + made + "},400)", ""},
		{"an empty panel", tabs + `<div role=tabpanel id=pa>first</div><div role=tabpanel id=pb></div>`, "pa.hidden=true", ""},
		{"an empty panel with room", tabs + `<div role=tabpanel id=pa>first</div><div role=tabpanel id=pb style="height:50px" hidden></div>`, shown, ""},
		{"one panel of all", tabs + `<div role=tabpanel id=pa>first</div>`, "b.setAttribute('aria-controls','pa')", ""},
		{"no panels at all", tabs, "", ""},
		{"tabs that control nothing", plain, "", ""},
	} {
		html = tt.html + `<script>b.onclick=()=>{a.ariaSelected='false';b.ariaSelected='true';` + tt.script + `}</script>`
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:tabs:switch", object{"text": "Two"}); tt.fails != "" {
			wantError(t, r, diag.StepFailed, tt.fails)
		} else if r.Error != nil {
			t.Errorf("%s: %s", tt.name, describe(r.Error))
		}
	}

	// A tab that is not there is answered with those that are.
	wantError(t, b.run(t, "components:tabs:switch", object{"text": "Three"}), diag.ElementNotFound, `no tab Three; there are "One", "Two"`)
	html = "<h1>Empty</h1>"
	b.mustRun(t, "web:page:open", object{"url": base})
	wantError(t, b.run(t, "components:tabs:switch", object{"text": "Three"}), diag.ElementNotFound, "no tab Three")
}
