package session_test

import (
	"strings"
	"testing"
)

// TestPartsOfOtherKinds tests components as some libraries draw them: a slider with a hidden input,
// a checkbox with its text beside it, a button with the words of another field, a dialog without
// buttons, and messages without a role.
func TestPartsOfOtherKinds(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const (
		slider = `<label for=i>Firmness</label><div><input id=i style="display:none" value=2><span role=slider tabindex=0 aria-valuemin=0 aria-valuemax=10 aria-valuenow=2
			style="display:inline-block;width:20px;height:20px;background:red"></span></div><script>window.v={}; const s=document.querySelector('[role=slider]');
			s.onkeydown=(e)=>{ const d={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key]; if(d){ s.ariaValueNow=Number(s.ariaValueNow)+d; v.n=s.ariaValueNow } }</script>`
		beside = `<h2>Groups</h2><ul><li><label><input type=checkbox onchange="v.on='Sales'"></label><span>Sales</span></li><li><label><input type=checkbox onchange="v.on='Stock'"></label>
			<span>Stock</span></li><li><label><input type=checkbox disabled></label><span>Legal</span></li></ul><script>window.v={}</script>`
		segmented = `<div><label id=q>Scale</label><div role=radiogroup aria-labelledby=q><label><input type=radio name=s onchange="v.s=1">Day</label><label><input type=radio name=s
			onchange="v.s=2">Year</label></div></div><div><label for=y>Year</label><div><input id=y oninput="v.y=value"></div></div><script>window.v={}</script>`
		dialog = `<button onclick="d.style.display=''">Rules</button><div id=d class=t-dialog style="display:none;position:fixed;top:9px;left:99px;width:200px;height:99px;background:white"><div
			class=t-dialog__header>Rules of the house<span class=t-dialog__close style="display:inline-block;width:9px;height:9px"
			onclick="d.remove();v.closed=1"></span></div><div>No shoes.</div></div><script>window.v={}</script>`
		toast = `<h1>Orders</h1><div id=app></div><script>window.v={}; setTimeout(()=>{ app.innerHTML=%s },100)</script>`
	)
	for _, tt := range someForeign(t, []foreignCase{
		{"slider with a hidden input", slider, "field:set", object{"label": "Firmness", "value": 8}, `{"n":"8"}`, "", ""},
		{"box with its text beside it", beside, "checkbox:set", object{"label": "Stock", "within": "Groups"}, `{"on":"Stock"}`, "", ""},
		{"box with its text beside it, disabled", beside, "checkbox:set", object{"label": "Legal", "within": "Groups"}, `{}`, "ELEMENT_NOT_INTERACTABLE", "disabled"},
		{"box with its text beside it, of none", beside, "checkbox:set", object{"label": "Board", "within": "Groups"}, `{}`, "ELEMENT_NOT_FOUND", ""},
		{"field with the words of a button", segmented, "field:set", object{"label": "Year", "value": "1999"}, `{"y":"1999"}`, "", ""},
		{"button with the words of a field", segmented, "radio:choose", object{"label": "Scale", "option": "Year"}, `{"s":2}`, "", ""},
		{"dialog without buttons", dialog, "dialog:open", object{"text": "Rules", "title": "Rules of the house"}, `{}`, "", ""},
	}) {
		b.foreign(t, &html, base, tt)
	}

	if r := b.run(t, "components:dialog:cancel", object{"title": "Rules of the house"}); r.Error != nil {
		t.Error("dialog without buttons, closed:", describe(r.Error))
	}
	for _, says := range []string{
		`'<div role=list><div role=listitem><div class=fui-Toast><div class=fui-ToastTitle>Checked in</div></div></div></div>'`,
		`'<div role=region aria-label=Notifications><ol><li tabindex=0 data-state=open data-swipe-direction=right><div>Checked in</div></li></ol></div>'`,
	} {
		html = strings.Replace(toast, "%s", says, 1)
		b.open(t, base)
		want(t, b.mustRun(t, "components:message:read", nil), "text", "Checked in")
	}
}
