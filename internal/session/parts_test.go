package session_test

// Tests of components of the real libraries in states that testdata/libraries does not have: failed
// uploads, similar or old notices and messages, dates over several years, calendars that another
// script changes, and menus that are hidden in the document.

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// partsStart is a script that gives both libraries the same functions: draw shows components, and
// said logs an event.
const partsStart = `
const log = [], said = (x) => { log.push(x); };
const query = new URLSearchParams(location.search);
const old = !!(window.antd ? antd.version < "4" : window.ELEMENT);
const h = window.React && React.createElement;
const notice = (title, text, more) => window.antd
  ? antd.notification.open({ [antd.version < "6" ? "message" : "title"]: title, description: text, duration: 0, ...more })
  : (window.ELEMENT ? ELEMENT.Notification : ElementPlus.ElNotification)({ title, message: text, duration: 0, ...more });
const message = (kind, text, seconds) => window.antd ? antd.message[kind](text, seconds)
  : (window.ELEMENT ? ELEMENT.Message : ElementPlus.ElMessage)[kind]({ message: text, duration: seconds * 1000 });
function draw(node, template, data = {}) {
  if (window.antd) {
    if (window.ReactDOM.createRoot) ReactDOM.createRoot(document.getElementById("app")).render(h("div", null, ...node(h, antd)));
    else ReactDOM.render(h("div", null, ...node(h, antd)), document.getElementById("app"));
  } else if (old) new Vue({ data: () => data, template: "<div>" + template + "</div>" }).$mount("#app");
  else Vue.createApp({ data: () => data, template: "<div>" + template + "</div>" }).use(ElementPlus).mount("#app");
}
`

var partsPage = template.Must(template.New("parts").Parse(`<!doctype html><meta charset=utf-8><title>Parts</title>
{{range .Style}}<link rel=stylesheet href="{{.}}">{{end}}<body style="margin: 24px"><div id=app></div>
{{range .Scripts}}<script src="{{.}}"></script>{{end}}<script>{{.Start}}{{.Draw}}</script>`))

// partsOf calls the function each for one page of each library. script draws the page, and url is its
// address.
func partsOf(t *testing.T, script string, each func(t *testing.T, b *bench, page libraries.Page, url string)) {
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /npm/", npm.Handler(modules))
	mux.HandleFunc("POST /up/ok", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"code":0}`) })
	mux.HandleFunc("POST /up/500", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "disk full", http.StatusInternalServerError)
	})
	mux.HandleFunc("POST /up/refused", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	for _, p := range libraries.Pages() {
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_ = partsPage.Execute(w, map[string]any{"Style": p.Style, "Scripts": p.Scripts[:len(p.Scripts)-1],
				"Start": template.JS(partsStart), "Draw": template.JS(script)})
		})
	}
	base := serve(t, mux)
	for _, p := range somePages(t, libraries.Pages()) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=4s")
			each(t, b, p, base+"/"+p.Name)
		})
	}
}

// happened returns the log of the page.
func (b *bench) happened(t *testing.T) string {
	t.Helper()
	r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "log.join()"}, Cwd: b.cwd})
	return fmt.Sprint(data(t, r)["value"])
}

const partsUpload = `
const to = query.get("to");
const fails = ({ onError, onSuccess }) => { setTimeout(() => to === "custom" ? onError(new Error("no room")) : onSuccess({}), 900); };
const custom = to === "custom" || to === "customok";
const props = { name: "file", action: "/up/" + to, multiple: true };
draw((h, antd) => [h(antd.Upload, { ...props, ...(custom ? { customRequest: fails } : {}), ...(to === "plain" ? { beforeUpload: () => false } : {}),
  ...(query.has("quiet") ? { showUploadList: false } : {}),
  onChange: ({ file }) => { said(file.status); if (query.has("say") && file.status === "error") message("error", "The file was refused", 3); if (query.has("say") && file.status === "done") message("success", "The file has come", 3); } },
  h(antd.Button, null, "Choose files"))],
 '<el-upload ref="u" name="file" action="/up/' + to + '" multiple ' + (custom ? ':http-request="fails" ' : '') + (to === "plain" ? ':auto-upload="false" ' : '') + (query.has("quiet") ? ':show-file-list="false" ' : '') +
 ':on-success="good" :on-error="bad"><el-button>Choose files</el-button></el-upload>',
 { fails, good() { said("done"); if (query.has("say")) message("success", "The file has come", 3); }, bad() { said("error"); if (query.has("say")) message("error", "The file was refused", 3); } });
`

func TestUploadsThatFail(t *testing.T) {
	partsOf(t, partsUpload, func(t *testing.T, b *bench, page libraries.Page, url string) {
		if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
			t.Fatal(err)
		}
		type row struct{ to, log, antd, element string }
		for _, tt := range shareOf(t, "uploads", page, []row{
			{"ok&say", "done", "", ""},
			{"plain", "", "", ""},
			{"customok", "done", "", ""},
			{"500", "error", `marks as failed "a.txt" | HTTP 500`, "HTTP 500"},
			{"500&quiet", "error", "HTTP 500", "HTTP 500"},
			{"500&say", "error", `The file was refused | HTTP 500 | marks as failed "a.txt"`, "The file was refused | HTTP 500"},
			{"refused", "error", `marks as failed "a.txt" | ERR_EMPTY_RESPONSE`, "ERR_EMPTY_RESPONSE"},
			{"custom", "error", `marks as failed "a.txt"`, "removed a.txt from its list | neither shows the files nor sends them"},
		}) {
			b.open(t, url+"?to="+tt.to)
			r := b.run(t, page.Library+":upload:files", object{"label": "Choose files", "files": []any{"a.txt"}})
			says := map[string]string{"antd": tt.antd, "element": tt.element}[page.Library]
			if says != "" {
				either := strings.Split(says, " | ")
				i := slices.IndexFunc(either, func(one string) bool { return r.Error != nil && strings.Contains(r.Error.Msg, one) })
				wantError(t, r, diag.StepFailed, either[max(0, i)]) // either error may come first
			} else if r.Error != nil {
				t.Errorf("%s: %s", tt.to, describe(r.Error))
			}
			if got := b.happened(t); !strings.HasSuffix(got, tt.log) {
				t.Errorf("%s: the page says %q, want %q", tt.to, got, tt.log)
			}
		}
	})
}

const partsNotices = `
function act(what) {
  if (what === "two") { notice("Sync", "About the Backup"); setTimeout(() => notice("Backup", "It is done"), 50); }
  if (what === "same") { notice("Backup", "It is done"); setTimeout(() => notice("Backup", "It is done too"), 50); }
  if (what === "again") notice("Backup", "It is done", { onClose: () => { said("closed"); notice("Backup", "It comes again"); } });
  if (what === "old") message("error", "Old error", 0);
  if (what === "Save") setTimeout(() => message("success", "Saved", 0), 400);
  if (what === "quick") message("success", "Quick", 3);
}
const whats = ["two", "same", "again", "old", "Save", "quick"];
draw((h, antd) => [h("h3", null, "Backup"), h("button", null, "Close"), ...whats.map((w) => h(antd.Button, { key: w, onClick: () => act(w) }, w))],
  "<h3>Backup</h3>" + whats.map((w) => '<el-button @click="act(\'' + w + '\')">' + w + "</el-button>").join(""), { act });
`

// TestNotices checks that a notice is closed by its title, and that an earlier message does not
// count as the answer to the last action.
func TestNotices(t *testing.T) {
	const titles = "Array.from(document.querySelectorAll('[class*=-notification__title], [class*=notification-notice-message], [class*=notification-notice-title]'), n => n.innerText.trim()).join()"
	partsOf(t, partsNotices, func(t *testing.T, b *bench, page libraries.Page, url string) {
		type row struct {
			pressed, title, left string
			code                 diag.Code
		}
		for _, tt := range shareOf(t, "notices", page, []row{
			{"two", "Backup", "Sync", ""},
			{"two", "Sync", "Backup", ""},
			{"two", "Nothing", "Sync,Backup", diag.ElementNotFound},
			{"two", "", "Sync,Backup", diag.ElementAmbiguous},
			{"same", "Backup", "Backup,Backup", diag.ElementAmbiguous},
			{"again", "Backup", "closed", ""},
		}) {
			b.open(t, url)
			b.mustRun(t, page.Library+":button:click", object{"text": tt.pressed})
			if tt.pressed != "again" { // the second notice appears a little later
				last := map[string]string{"same": "It is done too"}[tt.pressed]
				b.Step(t.Context(), "wait", session.RunOptions{Params: object{"selector": "css:body >> has-text:" + cmp.Or(last, "It is done"), "state": "visible"}, Cwd: b.cwd})
			}
			r := b.run(t, page.Library+":notification:close", object{"title": tt.title})
			if tt.code != "" {
				wantError(t, r, tt.code, "")
			} else if r.Error != nil {
				t.Errorf("%s %s: %s", tt.pressed, tt.title, describe(r.Error))
			}
			script := titles
			if tt.pressed == "again" {
				script = "log.join()"
			}
			look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}, Cwd: b.cwd})
			if got := fmt.Sprint(data(t, look)["value"]); got != tt.left {
				t.Errorf("%s %q: %q is there, want %q", tt.pressed, tt.title, got, tt.left)
			}
		}
		type message struct{ pressed, want string }
		for _, tt := range shareOf(t, "messages", page, []message{{"old Save", "Saved"}, {"quick", "Quick"}, {"old", "Old error"}}) {
			b.open(t, url)
			for _, button := range strings.Fields(tt.pressed) {
				b.mustRun(t, page.Library+":button:click", object{"text": button})
			}
			want(t, b.mustRun(t, page.Library+":message:read", nil), "text", tt.want)
		}
	})
}

const partsMenus = `
const items = { A: ["Copy", "Delete"], B: ["Delete", "Print"], C: ["Delete", "Share"] };
function menus() {
  const q = query.get("a") || "click", open = q === "fixed";
  const drop = (name, props) => {
    const menu = antd.version < "4" ? { overlay: h(antd.Menu, { onClick: (x) => said(name + " " + x.key) }, items[name].map((i) => h(antd.Menu.Item, { key: i }, i))) }
      : { menu: { onClick: (x) => said(name + " " + x.key), items: items[name].map((i) => ({ key: i, label: i })) } };
    return h(antd.Dropdown, { key: name, ...menu, ...props }, h(antd.Button, { style: { margin: "0 100px 150px 0" } }, "Menu " + name));
  };
  return [drop("A", { trigger: [open ? "click" : q], ...(open ? { [antd.version < "5" ? "visible" : "open"]: true } : {}) }), drop("B", { trigger: ["click"] }), drop("C", { trigger: ["hover"] })];
}
const entry = (name, trigger) => '<el-dropdown trigger="' + trigger + '" style="margin: 0 100px 150px 0" @command="(x) => said(\'' + name + ' \' + x)"><el-button>Menu ' + name + '</el-button>' +
  (old ? '<el-dropdown-menu slot="dropdown">' : '<template #dropdown><el-dropdown-menu>') + items[name].map((i) => '<el-dropdown-item command="' + i + '">' + i + '</el-dropdown-item>').join("") + '</el-dropdown-menu>' + (old ? '' : '</template>') + '</el-dropdown>';
draw(menus, entry("A", query.get("a") || "click") + entry("B", "click") + entry("C", "hover"), { said });
`

// TestMenusInTurn checks that the chosen item is in the menu of the named button, or that nothing
// is chosen.
func TestMenusInTurn(t *testing.T) {
	testkit.Long(t)
	partsOf(t, partsMenus, func(t *testing.T, b *bench, page libraries.Page, url string) {
		type row struct {
			query, pressed, chosen, want string
			only                         string
			code                         diag.Code
		}
		for _, tt := range shareOf(t, "menus", page, []row{
			{"", "", "A>Copy B>Delete A>Delete", "A Copy,B Delete,A Delete", "", ""},
			{"", "A", "B>Delete", "B Delete", "", ""},
			{"", "A", "B>Copy", "", "", diag.StepFailed},
			{"", "B", "B>Delete", "B Delete", "antd", ""},
			{"a=hover", "A", "B>Delete", "B Delete", "", ""},
			{"a=fixed", "", "B>Delete", "", "antd", diag.ElementAmbiguous},
			{"a=fixed", "", "B>Copy", "", "antd", diag.ElementAmbiguous},
		}) {
			if tt.only != "" && tt.only != page.Library {
				continue
			}
			b.open(t, url+"?"+tt.query)
			if tt.pressed != "" {
				b.mustRun(t, page.Library+":button:click", object{"text": "Menu " + tt.pressed})
			}
			for _, c := range strings.Fields(tt.chosen) {
				text, option, _ := strings.Cut(c, ">")
				r := b.run(t, page.Library+":dropdown:choose", object{"text": "Menu " + text, "option": option})
				if code := codeOf(r.Error); code != tt.code {
					t.Errorf("%s [%s] %s: %v, want code %q", tt.query, tt.pressed, c, r.Error, tt.code)
				}
			}
			if got := b.happened(t); got != tt.want {
				t.Errorf("%s [%s] %s: %q happened, want %q", tt.query, tt.pressed, tt.chosen, got, tt.want)
			}
		}
	})
}

const partsDates = `
const preset = query.get("preset");
const format = query.get("format") || "YYYY-MM-DD";
const make = (s) => (antd.version < "5" ? moment : dayjs)(s);
const show = (v) => Array.isArray(v) ? v.map(show).join("..") : v && v.format ? v.format("YYYY-MM-DD") : String(v);
const turn = query.get("turn");
function fields() {
  const start = preset && preset.split("..");
  const field = (label, control) => h("div", { key: label }, h(antd.Form.Item, { label }, control));
  return [field("Period", h(antd.DatePicker.RangePicker, { format, onChange: (v) => said(show(v)), ...(start ? { defaultValue: start.map(make) } : {}) })),
    field("Day", h(antd.DatePicker, { format, onChange: (v) => said(show(v)), ...(start ? { defaultValue: make(start[0]) } : {}) })),
    ...(antd.version < "4" ? [] : [field("Year", h(antd.DatePicker, { picker: "year", onChange: (v) => said(show(v)) }))])];
}
const shown = old ? format.replace("YYYY", "yyyy").replace("DD", "dd") : format, kept = old ? "yyyy-MM-dd" : "YYYY-MM-DD";
const start = preset ? preset.split("..") : undefined;
const item = (label, model, type, more) => '<el-form-item label="' + label + '"><el-date-picker v-model="' + model + '" type="' + type + '" ' + more + ' @change="(v) => said(Array.isArray(v) ? v.join(\'..\') : v)"></el-date-picker></el-form-item>';
const both = 'format="' + shown + '" value-format="' + kept + '"';
draw(fields, "<el-form>" + item("Period", "period", "daterange", both) + item("Day", "day", "date", both) + item("Year", "year", "year", 'value-format="' + (old ? "yyyy" : "YYYY") + '"') + "</el-form>",
  { said, period: start || [], day: start ? start[0] : "", year: "" });
if (turn) { // another script turns the calendar of a day after it was opened at a month
  let done = 0;
  document.addEventListener("click", (e) => {
    const cell = e.target.closest("[class*=month-table] td, [class*=month-panel] td");
    if (cell && done++ < Number(turn)) setTimeout(() => { const b = document.querySelector(".el-date-picker__next-btn .el-icon-arrow-right, .el-date-picker__next-btn [class*=arrow-right]:not([class*=d-arrow]), .el-date-picker [class*=el-icon-arrow-right], .ant-calendar-next-month-btn, .ant-picker-header-next-btn"); said("turned"); b && b.click(); }, 0);
  }, true);
}
`

// TestDatesOverYears sets dates across years and decades, in several formats, and compares the
// final value of the field. If another script changes the calendar, the action must fail or set the
// right date.
func TestDatesOverYears(t *testing.T) {
	testkit.Long(t)
	partsOf(t, partsDates, func(t *testing.T, b *bench, page libraries.Page, url string) {
		period := func(from, to string) object { return object{"label": "Period", "from": from, "to": to} }
		day := func(v string) object { return object{"label": "Day", "value": v} }
		year := func(v string) object { return object{"label": "Year", "value": v} }
		type row struct {
			query  string
			params []object
			want   []string // last value that the application got, for each of params
		}
		for _, tt := range shareOf(t, "dates", page, []row{
			{"", []object{period("2024-12-28", "2026-02-03"), period("2019-12-31", "2020-01-01")}, []string{"2024-12-28..2026-02-03", "2019-12-31..2020-01-01"}},
			{"", []object{year("2029"), year("2030"), year("2019")}, []string{"2029", "2030", "2019"}},
			{"preset=2030-05-05..2030-06-06", []object{period("2024-12-28", "2026-02-03"), period("2031-03-01", "2031-03-20")}, []string{"2024-12-28..2026-02-03", "2031-03-01..2031-03-20"}},
			{"preset=1999-05-05..2001-06-06&format=DD/MM/YYYY", []object{period("2029-12-31", "2030-01-01")}, []string{"2029-12-31..2030-01-01"}},
			{"preset=2020-05-05..2020-06-06&format=DD/MM/YYYY", []object{day("2029-12-31"), day("2024-02-29")}, []string{"2029-12-31", "2024-02-29"}},
		}) {
			b.open(t, url+"?"+tt.query)
			for i, p := range tt.params {
				action := ":date:pick"
				if p["from"] != nil {
					action = ":date:range"
				}
				if page.Name == "antd3" && p["label"] == "Year" {
					continue // it has no such field
				}
				r := b.run(t, page.Library+action, p)
				if r.Error != nil {
					t.Errorf("%s %v: %s", tt.query, p, describe(r.Error))
				}
				log := strings.Split(b.happened(t), ",")
				if got := log[len(log)-1]; !strings.HasPrefix(got, tt.want[i]) {
					t.Errorf("%s %v: the page holds %q of %q, want %q", tt.query, p, got, log, tt.want[i])
				}
			}
		}
		if page.Library == "element" { // Element turns an invalid day into another day
			wantError(t, b.run(t, "element:date:pick", day("2023-02-29")), diag.StepFailed, "there is no 2023-02-29")
		}
		b.open(t, url+"?turn=1&format=DD/MM/YYYY")
		r := b.run(t, page.Library+":date:pick", day("2026-03-02"))
		if got := b.happened(t); (r.Error == nil) != strings.HasSuffix(got, "2026-03-02") || !strings.Contains(got, "turned") {
			t.Errorf("a calendar that was turned: %v, and the page got %q", r.Error, got)
		}
	})
}

const partsBoxes = `
const below = (...list) => list.map(([value, ...children]) => ({ value, label: value, ...(children.length ? { children: below(...children) } : {}) }));
const options = below(["Europe", ["Norway", ["Bergen"], ["Oslo"]], ["Spain", ["Madrid"]]], ["Asia", ["Japan", ["Tokyo"]]]);
const chosen = (value) => said(JSON.stringify(value).replace(/.*"([A-Z][a-z]+)".*/, "$1"));
draw((h, antd) => [h(antd.Form, null, h(antd.Form.Item, { label: "Areas" }, h(antd.Cascader, { options, multiple: true, style: { width: 300 }, onChange: chosen })))],
 '<el-form label-width="90px"><el-form-item label="Areas"><el-cascader v-model="value" :options="options" :props="{ multiple: true }" @change="chosen"></el-cascader></el-form-item></el-form>',
 { options, chosen, value: [] });
`

// TestCascadersWithBoxes tests multiple choice cascaders, in which each option of the last level
// has a checkbox.
func TestCascadersWithBoxes(t *testing.T) {
	partsOf(t, partsBoxes, func(t *testing.T, b *bench, page libraries.Page, url string) {
		b.open(t, url)
		b.mustRun(t, page.Library+":cascader:choose", object{"label": "Areas", "path": []any{"Europe", "Norway", "Bergen"}})
		if got := b.happened(t); !strings.HasSuffix(got, "Bergen") {
			t.Errorf("the page says %q, want Bergen", got)
		}
	})
}
