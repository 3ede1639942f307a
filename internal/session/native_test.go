package session_test

// Tests of the form actions on native controls. They compare the values on the page.

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

func TestFormFillOfNativeControls(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/native.html"
	b := newBench(t, nil, nil)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	held := func(t *testing.T) object {
		t.Helper()
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "Object.assign(held(), {sent: document.getElementById('sent').textContent})"}, Cwd: b.cwd})
		return data(t, r)["value"].(map[string]any)
	}
	tests := []struct {
		label string
		value any
		key   string
		want  string
	}{
		{"Name", "Ada", "name", "Ada"},
		{"Country", "Norway", "country", "no"},
		{"Tags", []any{"New", "VIP"}, "tags", "n+v"},
		{"Tags", "Old", "tags", "o"},
		{"Tags", []any{}, "tags", "<nil>"},
		{"Fruit", "Lemon", "fruit", "Lemon"},
		{"Rows", "Two", "rows", "2"},
		{"Notes", "two\nlines", "notes", "two\nlines"},
		{"Size", "Medium", "size", "m"},
		{"Channels", []any{"Phone"}, "channels", "p"},
		{"Terms", true, "terms", "on"},
		{"Day", "2026-05-01", "day", "2026-05-01"},
		{"Time", "13:45", "time", "13:45"},
		{"Moment", "2026-05-01T13:45", "moment", "2026-05-01T13:45"},
		{"Month", "2026-05", "month", "2026-05"},
		{"Week", "2026-W18", "week", "2026-W18"},
		{"Colour", "#ff8800", "colour", "#ff8800"},
		{"Level", 75, "level", "75"},
		{"Count", 12, "count", "12"},
		{"Secret", "s3cret", "secret", "s3cret"},
		{"Papers", []any{"a.txt"}, "papers", "a.txt"},
	}
	b.open(t, base+"?submit="+url.QueryEscape("<button>Send</button>"))
	all, wanted := object{}, object{}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.label, " ", tt.value), func(t *testing.T) {
			b.mustRun(t, "components:form:fill", object{"values": object{tt.label: tt.value}})
			got := held(t)
			want(t, got, tt.key, tt.want)
			want(t, got, "sent", "")
		})
		if tt.want != "<nil>" {
			all[tt.label], wanted[tt.key] = tt.value, tt.want
		}
	}
	b.open(t, base+"?submit="+url.QueryEscape("<button>Send</button>"))
	b.mustRun(t, "components:form:fill", object{"values": all})
	for key, value := range wanted {
		want(t, held(t), key, value.(string))
	}
	b.mustRun(t, "components:select:choose", object{"label": "Country", "option": "Sweden"})
	b.mustRun(t, "components:select:choose", object{"label": "Tags", "options": []any{"New"}})
	b.mustRun(t, "components:select:choose", object{"label": "Tags", "option": "VIP"})
	b.mustRun(t, "components:select:choose", object{"label": "Tags", "option": "VIP"})
	want(t, held(t), "country", "se")
	want(t, held(t), "tags", "n+v")
	want(t, b.mustRun(t, "components:select:options", object{"label": "Fruit"}), "options", "[map[text:Apple] map[text:Cherry] map[text:Lemon]]")
	wantError(t, b.run(t, "components:form:fill", object{"values": object{"Country": "Denmark"}}), diag.StepFailed, "Denmark")
	wantError(t, b.run(t, "components:select:choose", object{"label": "Country", "option": "Denmark"}), diag.StepFailed, "Denmark")
}

func TestFormSubmitOfNativeButtons(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/native.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "buttons", 8, []struct{ name, button, place string }{
		{"plain", `<button>Send</button>`, ""},
		{"explicit", `<button type=submit>Send</button>`, ""},
		{"beside one that sends nothing", `<button type=button>Look up</button><button type=submit>Send</button>`, ""},
		{"upper case", `<button type=SUBMIT>Send</button><button type=RESET>Clear</button>`, ""},
		{"input", `<input type=submit value=Send>`, ""},
		{"image", `<input type=image alt=Send src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width=20 height=20>`, ""},
		{"outside", `<button form=order>Send</button>`, "&outside=1"},
		{"input outside", `<input type=submit form=order>`, "&outside=1"},
	}) {
		for name, within := range map[string]string{"": "", " within": "Native fields"} {
			t.Run(tt.name+name, func(t *testing.T) {
				t.Parallel()
				b := b.beside(t)
				b.open(t, base+"?submit="+url.QueryEscape(tt.button)+tt.place)
				b.mustRun(t, "components:form:submit", object{"within": within})
				r := b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "css:#sent", "what": "text"}, Cwd: b.cwd})
				want(t, data(t, r), "text", "sent")
			})
		}
	}
	refusing := newBench(t, nil, nil, shortWait) // each error comes only after the timeout
	type form struct {
		name, html string
		code       diag.Code
	}
	for _, row := range somePairs(t, "forms that are not sent", 5, []form{
		{"no button", `<form></form>`, diag.ElementNotFound},
		{"outside of any form", `<button type=submit>Log out</button><input type=submit value="Sign out"><form><button type=button>Save</button></form>`, diag.ElementNotFound},
		{"it signs out", `<form><button>Log out</button></form><form><input><button type=button>More</button></form>`, diag.ElementNotFound},
		{"it deletes", `<form><input><button>Delete order</button></form>`, diag.ElementNotFound},
		{"two of them, by input", `<form><input type=submit value=Preview><button>Save</button></form>`, diag.ElementAmbiguous},
		{"two of them", `<form><button type=submit>Preview</button><button>Save</button></form>`, diag.ElementAmbiguous},
	}, []string{"components", "antd", "element"}) {
		tt, library := row.a, row.b
		t.Run(tt.name+" "+library, func(t *testing.T) {
			t.Parallel()
			b := refusing.beside(t)
			b.open(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `<!doctype html><p id=out>none</p>`+tt.html+`<script>onclick = (e) => { out.textContent = 'pressed'; e.preventDefault() }</script>`)
			})))
			wantError(t, b.run(t, library+":form:submit", nil), tt.code, "")
			r := b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "css:#out", "what": "text"}, Cwd: b.cwd})
			want(t, data(t, r), "text", "none")
		})
	}
}
