package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestTabsThatShowNothing checks that a tab with aria-controls must show that part of the page.
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
	tests := []struct{ name, html, script, fails string }{
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
	}
	for _, tt := range testkit.Kinds(t, "tabs", 3, tests, func(i int) any { return tests[i].fails }) {
		html = tt.html + `<script>b.onclick=()=>{a.ariaSelected='false';b.ariaSelected='true';` + tt.script + `}</script>`
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:tabs:switch", object{"text": "Two"}); tt.fails != "" {
			wantError(t, r, diag.StepFailed, tt.fails)
		} else if r.Error != nil {
			t.Errorf("%s: %s", tt.name, describe(r.Error))
		}
	}

	// The error for a missing tab lists the existing tabs.
	wantError(t, b.run(t, "components:tabs:switch", object{"text": "Three"}), diag.ElementNotFound, `no tab Three; there are "One", "Two"`)
	html = "<h1>Empty</h1>"
	b.mustRun(t, "web:page:open", object{"url": base})
	wantError(t, b.run(t, "components:tabs:switch", object{"text": "Three"}), diag.ElementNotFound, "no tab Three")
}

// TestTabsThatShowARefusal tests tabs whose content arrives with status 200, but only says that the
// content is forbidden or could not be loaded, or asks for a sign-in. Content that only mentions a
// refusal is not one. A message that was on the page before is not one either.
func TestTabsThatShowARefusal(t *testing.T) {
	t.Parallel()
	const form = `<form><h2>Sign in</h2><label>Email <input type=email></label><label>Password <input type=password></label><button>Sign in</button></form>`
	rows := []struct{ tab, shows, fails string }{
		{"Files", "You do not have permission to see the files.", "do not have permission"},
		{"Files", "<div role=alert>Files could not be loaded</div>", "could not be loaded"},
		{"Files", "<h3>Files</h3><p>Access denied</p>", "Access denied"},
		{"Files", "<p>Failed to load files. <button>Try again</button></p>", "Failed to load files"},
		{"Files", "<p>Your session has expired.</p>", "session has expired"},
		{"Dateien", "<p>Sie haben keine Berechtigung, die Dateien zu sehen.</p>", "keine Berechtigung"},
		{"Dateien", "<p>Die Dateien konnten nicht geladen werden.</p>", "nicht geladen"},
		{"Fichiers", "<p>Vous n’avez pas accès à ces fichiers.</p>", "pas accès"},
		{"Archivos", "<p>No se pudieron cargar los archivos</p>", "No se pudieron cargar"},
		{"文件", "<p>您没有查看文件的权限</p>", "权限"},
		{"ファイル", "<p>ファイルを読み込めませんでした。アクセス権限がありません</p>", "権限"},
		{"Files", form, "asks for a sign-in"},

		{"Sign in", form, ""},
		{"Files", "<p>No files yet</p>", ""},
		{"Files", "<p>You do not have any files.</p>", ""},
		{"Files", "<p>There is no access log for this project.</p>", ""},
		{"Files", "<h3>Permissions</h3><p>Members can see the files. Guests are not allowed to change them. You can set who has access below.</p>", ""},
		{"Log", "<ul><li>Access denied for Eva</li><li>Failed to load invoice 4</li></ul>", ""},
		{"Log", "<table><tr><td>Error<td>Permission denied</table>", ""},
		{"Help", "<p>Access denied is what people see who may not open a folder. " + strings.Repeat("Ask its owner, who can share it with you. ", 6) + "</p>", ""},
		{"Errors", "<p>0 errors</p>", ""},
		{"Files", "", ""},
		{"Files", "<form><label>Find a file <input></label><button>Search</button></form>", ""},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /panel/{n}", func(w http.ResponseWriter, r *http.Request) {
		var i int
		fmt.Sscan(r.PathValue("n"), &i)
		fmt.Fprint(w, rows[i].shows)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var i int
		fmt.Sscan(r.URL.Query().Get("i"), &i)
		was, get := "", fmt.Sprintf("p.innerHTML = await (await fetch('/panel/%d')).text()", i)
		if r.URL.Query().Has("there") {
			was, get = rows[i].shows, ""
		}
		fmt.Fprintf(w, `<!doctype html><h1>Project</h1><div role=tablist><button role=tab id=a aria-selected=true aria-controls=o>Info</button><button role=tab id=b aria-selected=false aria-controls=p>%s</button></div>
			<div role=tabpanel id=o>About it</div><div role=tabpanel id=p hidden>%s</div><script>b.onclick = async () => { a.ariaSelected = 'false'; b.ariaSelected = 'true'; o.hidden = true; p.hidden = false; %s }</script>`, rows[i].tab, was, get)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	list := make([]int, len(rows))
	for i := range list {
		list[i] = i
	}
	for _, i := range testkit.Kinds(t, "panels", 3, list, func(i int) any { return rows[i].shows == form }) {
		tt := rows[i]
		for _, there := range testkit.Share(t, "panels that were there", []string{"", "&there"}, (i+1)/3%2, 2) {
			t.Run(tt.tab+"/"+tt.shows+there, func(t *testing.T) {
				t.Parallel()
				b := b.beside(t)
				b.open(t, fmt.Sprintf("%s/?i=%d%s", base, i, there))
				r := b.run(t, "components:tabs:switch", object{"text": tt.tab})
				if tt.fails != "" && there == "" {
					wantError(t, r, diag.StepFailed, tt.fails)
				} else if r.Error != nil {
					t.Error(describe(r.Error))
				}
			})
		}
	}
}
