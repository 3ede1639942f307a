package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// TestPlainParts tests messages, checkboxes and file fields of pages without a library.
func TestPlainParts(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	show := func(s string) {
		html = s
		b.mustRun(t, "web:page:open", object{"url": base})
	}
	held := func(script string) string {
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}, Cwd: b.cwd})
		return fmt.Sprint(data(t, r)["value"])
	}

	// A text that is always on the page does not count as a message, even if it has the role status
	// and the real message appears late: after the click of a busy machine has ended.
	const late = `setTimeout(()=>document.body.insertAdjacentHTML('afterbegin','<div role=%s>Saved</div>'),1000)`
	status, alert := fmt.Sprintf(late, "status"), fmt.Sprintf(late, "alert")
	for _, tt := range testkit.Some(t, "messages", 2, []struct{ html, press string }{
		{`<footer role=status>3 items</footer>`, alert},
		{`<footer><p role=status>3 items</p></footer>`, status},
		{`<p role=status>3 results</p>`, status},
		{`<p role=status>3 results</p>`, alert},
		{`<div class="list-pagination"><span role=status>1 of 3</span></div>`, status},
		{`<p role=status id=s></p><p role=status>3 results</p>`, `setTimeout(()=>s.textContent='Saved',1000)`},
		{`<p role=status id=s></p><footer role=status>3 items</footer>`, `s.textContent='Saved'`},
		{`<footer role=status>3 items</footer>`, `document.body.insertAdjacentHTML('beforeend','<div class=toast role=status>Saved</div>')`},
		{``, status},
	}) {
		show(tt.html + `<button onclick="` + tt.press + `">Save</button>`)
		b.mustRun(t, "components:button:click", object{"text": "Save"})
		r := b.run(t, "components:message:read", nil)
		if r.Error != nil || len(r.Warnings) > 0 || len(r.Degraded) > 0 {
			t.Errorf("%s, %s: %v, warnings %v, degraded %v", tt.html, tt.press, r.Error, r.Warnings, r.Degraded)
			continue
		}
		if got := fmt.Sprint(data(t, r)["text"]); got != "Saved" {
			t.Errorf("%s, %s: the message is %q", tt.html, tt.press, got)
		}
	}
	show(`<footer role=status>3 items</footer>`)
	wantError(t, b.run(t, "components:message:read", nil), diag.ElementNotFound, "")

	// Checkboxes that CSS draws.
	show(`<style>input{display:none}</style><label><input type=checkbox><i>[ ]</i> News</label><p><label><input type=checkbox><i>☐</i>Mail</label>
		<p><input type=checkbox id=k><label for=k><b></b>Post</label><p><label><input type=checkbox disabled><b></b>Fax</label><p><label><input type=checkbox><b></b>No Fax</label>`)
	const boxes = `Array.from(document.querySelectorAll('input'), n => Number(n.checked)).join('')`
	for _, tt := range []struct {
		action string
		params object
		want   string
	}{
		{"checkbox:set", object{"label": "News"}, "10000"},
		{"form:fill", object{"values": object{"News": false, "Mail": true, "Post": "yes"}}, "01100"},
		{"checkbox:set", object{"label": "Mail", "checked": false}, "00100"},
		{"field:set", object{"label": "Post", "value": "off"}, "00000"},
	} {
		b.mustRun(t, "components:"+tt.action, tt.params)
		if got := held(boxes); got != tt.want {
			t.Errorf("%s %v: the page holds %s, want %s", tt.action, tt.params, got, tt.want)
		}
	}
	wantError(t, b.run(t, "components:field:set", object{"label": "Mail", "value": "maybe"}), diag.ParamInvalid, "true or false")
	wantError(t, b.run(t, "components:field:set", object{"label": "Fax", "value": true}), diag.ElementNotInteractable, "disabled")
	if got := held(boxes); got != "00000" {
		t.Errorf("the page holds %s after what failed", got)
	}

	// Only one tab of a tablist may be selected, unless the tablist has aria-multiselectable.
	const tabs = `<div role=tablist %s>%s<button role=tab aria-selected=true>One</button><button role=tab aria-selected=false onclick="ariaSelected=true;%s">Two</button></div>`
	const other = `<div role=tablist><button role=tab aria-selected=true>Three</button></div>`
	for _, tt := range []struct {
		html string
		code diag.Code
	}{
		{fmt.Sprintf(tabs, "", "", ""), diag.StepFailed},
		{fmt.Sprintf(tabs, "aria-multiselectable=true", "", ""), ""},
		{fmt.Sprintf(tabs, "", "", "setTimeout(()=>previousSibling.ariaSelected=false,300)") + other, ""},
		{fmt.Sprintf(tabs, "", "<button hidden role=tab aria-selected=true>Two</button>", "previousSibling.ariaSelected=false"), ""},
	} {
		show(tt.html)
		if r := b.run(t, "components:tabs:switch", object{"text": "Two"}); tt.code != "" {
			wantError(t, r, tt.code, "another tab stays marked as shown")
		} else {
			data(t, r)
		}
	}

	// A button or link that opens the file chooser of a hidden input.
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	show(`<input type=file id=i hidden><button onclick="i.click()">Choose file</button><input type=file id=j style="display:none"><a href="#" onclick="j.click();return false"><svg></svg> Add picture</a><button>Nothing</button>`)
	for _, label := range []string{"Choose file", "Add picture"} {
		b.mustRun(t, "components:upload:files", object{"label": label, "files": []any{"a.txt"}})
	}
	wantError(t, b.run(t, "components:upload:files", object{"label": "Nothing", "files": []any{"a.txt"}}), diag.StepFailed, "opens no file dialog")
	if got := held(`i.files[0].name + j.files[0].name`); got != "a.txta.txt" {
		t.Errorf("the page holds %s", got)
	}
}
