package session_test

// Tests of fields of plain HTML: groups and rows without a common label, and values that do not fit
// the kind of a field. They compare the values on the page.

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
	"github.com/actionregistry/action/testdata/pages"
)

func TestFieldsOfPlainHTML(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/groups.html"
	b := newBench(t, nil, nil)
	held := func() string {
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "held()"}, Cwd: b.cwd})
		return fmt.Sprint(data(t, r)["value"])
	}
	b.open(t, base)
	const invalid, missing, required = diag.ParamInvalid, diag.ElementNotFound, diag.ParamRequired
	untouched := held()
	for _, tt := range []struct {
		values object
		code   diag.Code // "" means success
		want   string    // values of the page afterwards, "" if unchanged; for an error, a part of its message
	}{
		{object{"News": 1}, invalid, "true or false"},
		{object{"News": "maybe"}, invalid, "true or false"},
		{object{"News": ""}, invalid, "true or false"},
		{object{"News": nil}, required, "value"},
		{object{"News": object{"a": 1}}, invalid, "one value"},
		{object{"Dark": "nope"}, invalid, "true or false"},
		{object{"Dark": []any{true}}, invalid, "not a list"},
		{object{"Size": []any{"S"}}, invalid, "not a list"},
		{object{"Channels": "Phone"}, invalid, "group of 2 boxes"},
		{object{"Channels": true}, invalid, "group of 2 boxes"},
		{object{"Text": []any{"a"}}, invalid, "not a list"},
		{object{"Text": []any{}}, invalid, "not a list"},
		{object{"Text": object{"a": "b"}}, invalid, "one value"},
		{object{"Country": true}, diag.StepFailed, "available: Norway"},
		{object{"Channels": []any{"Phone", "Fax"}}, missing, ""},

		{object{"News": "yes"}, "", "c c1|t1|||||||Norway|||2023|"},
		{object{"News": "Off", "Terms": "TRUE"}, "", "d c1|t1|||||||Norway|||2023|"},
		{object{"News": true, "Dark": "on"}, "", "c d c1|sw t1|||||||Norway|||2023|"},
		{object{"News": "false", "Dark": false}, "", "d c1|t1|||||||Norway|||2023|"},
		{object{"Terms": []any{}}, "", "c1|t1|||||||Norway|||2023|"},
		{object{"Size": "L"}, "", "s2 c1|t1|||||||Norway|||2023|"},
		{object{"Channels": []any{"Phone"}}, "", "s2 c2|t1|||||||Norway|||2023|"},
		{object{"Channels": []any{}}, "", "s2|t1|||||||Norway|||2023|"},
		{object{"Plan": "Paid"}, "", "s2|pb t1|||||||Norway|||2023|"},
		{object{"Tops": []any{"Egg"}}, "", "s2|pb t2|||||||Norway|||2023|"},
		{object{"Days": []any{"Tue"}}, "", "s2 y2|pb t2|||||||Norway|||2023|"},
		{object{"Street": "st", "Zip": "12", "City": "Oslo", "VIP": true}, "", "s2 y2 vip|pb t2|st|Oslo|12||||Norway|||2023|"},
		{object{"State": "B", "First": "F", "Last": "L"}, "", "s2 y2 vip|pb t2|st|Oslo|12|F|L||Norway|||2023|B"},
		{object{"Password": "s3cret", "Country": "Sweden"}, "", "s2 y2 vip|pb t2|st|Oslo|12|F|L|s3cret|Sweden|||2023|B"},
		{object{"Show": true, "Text": "{x}", "Num": -5, "Year": 2024}, "", "s2 y2 vip show|pb t2|st|Oslo|12|F|L|s3cret|Sweden|{x}|-5|2024|B"},
		{object{"Text": "", "Home Phone nr": "7"}, "", "s2 y2 vip show|pb t2|st|Oslo|12|F|L|s3cret|Sweden|7|-5|2024|B"},
	} {
		t.Run(fmt.Sprint(tt.values), func(t *testing.T) {
			r := b.run(t, "components:form:fill", object{"values": tt.values})
			if tt.code != "" {
				wantError(t, r, tt.code, tt.want)
				if got := held(); got != untouched {
					t.Errorf("the page holds %s, want it untouched: %s", got, untouched)
				}
				return
			}
			if r.Error != nil {
				t.Fatal(r.Error)
			}
			if got := held(); got != tt.want {
				t.Errorf("the page holds %s, want %s", got, tt.want)
			}
		})
	}
	wantError(t, b.run(t, "components:field:set", object{"label": "News", "value": "maybe"}), invalid, "true or false")
	b.mustRun(t, "components:checkbox:set", object{"label": "Ham", "within": "Groups"})
	b.mustRun(t, "components:radio:choose", object{"label": "Plan", "option": "Free"})
}

// TestFieldsReadByKeys tests fields that the page reads only on keyup: date pickers, amount fields
// that restore their last known value when they lose the focus, and search lists.
func TestFieldsReadByKeys(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><form onsubmit="event.preventDefault(); sent.textContent = [due.value, sum.value].join('|'); remove()">
<label>Due <input id=due></label> <label>Sum <input id=sum></label> <label>Find <input id=query></label> <button>Save</button></form><p id=sent></p><p id=hits></p><script>
let date = '', amount = '', typed = false;
due.onkeyup = () => { if (/^\d{4}-\d\d-\d\d$/.test(due.value) || !due.value) date = due.value };
addEventListener('mousedown', (e) => { if (e.target !== due) due.value = date });
sum.onkeydown = () => { typed = true };
sum.onkeyup = () => { if (typed) sum.value = amount = sum.value && Number(sum.value.replace(/,/g, '')).toLocaleString('en'); typed = false };
sum.onblur = () => { sum.value = amount && Number(amount.replace(/,/g, '')).toLocaleString('en', {minimumFractionDigits: 2}) };
let n = 0;
query.onkeyup = () => { hits.textContent = ++n + ' searches: ' + query.value };
</script>`
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) }))
	b := newBench(t, map[string]string{"try.yaml": `
namespace: try
version: 1.0.0
actions:
  sum:fill: {steps: [{action: fill, args: {selector: "label:Sum", value: "1234.5"}}]}
  due:fill: {steps: [{action: fill, args: {selector: "label:Due", value: "2025-03-04"}}, {action: click, args: {selector: "text:Save"}}]}
  due:clear: {steps: [{action: fill, args: {selector: "label:Due", value: "2025-03-04"}}, {action: clear, args: {selector: "label:Due"}}, {action: click, args: {selector: "text:Save"}}]}
`}, nil)
	value := func(script string) string {
		return fmt.Sprint(data(t, b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}}))["value"])
	}
	for _, tt := range []struct {
		action string
		params object
		script string
		want   string
	}{
		{"components:form:fill", object{"values": object{"Sum": "1234.5", "Due": "2025-03-04"}}, "document.querySelector('button').click(); return sent.textContent", "2025-03-04|1,234.50"},
		{"components:input:fill", object{"label": "Due", "value": "2025-03-04"}, "date", "2025-03-04"},
		{"components:input:fill", object{"label": "Find", "value": "Ann"}, "hits.textContent", "1 searches: Ann"},
		{"try:sum:fill", nil, "sum.value", "1,234.50"},
		{"try:due:fill", nil, "sent.textContent", "2025-03-04|"},
		{"try:due:clear", nil, "sent.textContent", "|"},
	} {
		b.open(t, base)
		data(t, b.run(t, tt.action, tt.params))
		if got := value(tt.script); got != tt.want {
			t.Errorf("%s %v: the page holds %q, want %q", tt.action, tt.params, got, tt.want)
		}
	}
}

// TestFieldsOfSeveralKinds tests labelled controls beside unnamed ones, and two fields with the
// same label. The action, and for form:fill the value, determines which field is meant.
func TestFieldsOfSeveralKinds(t *testing.T) {
	t.Parallel()
	const units = `<option>m<option>ft`
	const page = `<!doctype html><meta charset=utf-8><form onsubmit="event.preventDefault()">
<div><label for=a1>Price</label> <input id=a1> <select id=a2><option>EUR<option>USD</select></div>
<div><label for=n1>Count</label> <input id=n1 type=number> <select id=n2><option>piece<option>12</select></div>
<div><label for=b1>Invoice</label> <input id=b1> <input type=file id=b2></div>
<div style="display:flex"><label for=i1>Phone</label> <select id=i2><option>+47<option>+46</select> <input id=i1></div>
<div><label for=j1>Two</label> <input id=j1><select id=j2>` + units + `</select><select id=j3>` + units + `</select></div>
<div style="display:flex"><label for=k1>Left</label> <input id=k1><select id=k2>` + units + `</select><label for=k3>Right</label> <input id=k3><input type=file id=k4></div>
<div style="display:flex"><label for=s1>Search</label> <input id=s1> Unit <select id=s2>` + units + `</select><label for=s3>x</label><input id=s3></div>
<div style="display:flex"><label for=u1>Own</label> <input id=u1><select id=u2 aria-label=Scale>` + units + `</select><label for=u3>y</label><input id=u3></div>
<div role=group aria-label=Volume><input id=m1> <select id=m2>` + units + `</select></div>
<div role=group aria-label=Limits><span>From</span><input id=l1> <span>In</span><select id=l2>` + units + `</select></div>
<div><label>Wrap <input id=p1></label> <select id=p2>` + units + `</select></div>
<div style="display:flex"><div><label for=q1>Cols</label> <input id=q1></div><div><select id=q2>` + units + `</select></div></div>
<div><label for=r1>Far</label> <input id=r1></div><div><select id=r2>` + units + `</select></div>
<table><tr><td>Height</td><td><input id=h1></td><td><select id=h2>` + units + `</select></td></tr></table>
<table><tr><td>Remark</td><td><div contenteditable style="border:1px solid" oninput="nextSibling.value=innerText"></div><input id=z1 tabindex=-1 style="position:absolute;width:1px;height:1px;clip:rect(0,0,0,0)"></td></tr>
<tr><td>Notes</td><td><textarea tabindex=-1 aria-hidden=true style="position:absolute;opacity:0" oninput="z3.value='wrong'"></textarea><input id=z2><input type=hidden id=z3></td></tr>
<tr><td>Both</td><td><input id=z4 tabindex=-1><input id=z5></td></tr></table>
<div><label for=t1>Email</label> <input id=t1></div>
<fieldset><legend>Contact by</legend><label><input type=checkbox id=c1> Email</label> <label><input type=checkbox id=c2> Fax</label></fieldset>
<div><label for=g1>Gift</label> <input id=g1></div><div><label><input type=checkbox id=g2 style="display:none"><i>[ ]</i> Gift</label></div>
<div><label for=t6>Tier</label> <select id=t6><option>A<option>B</select></div><label><input type=checkbox id=c6> Tier</label>
<div><label for=t7>Pets</label> <input id=t7></div><fieldset><legend>Pets</legend><label><input type=checkbox id=c7> Cat</label> <label><input type=checkbox id=c8> Dog</label></fieldset>
<fieldset><legend>Source</legend><label><input type=checkbox id=o1> Web</label> <label><input type=checkbox id=o2> Shop</label> <input id=o3></fieldset>
<div><label for=w1>Twice</label> <input id=w1></div><div><label for=w2>Twice</label> <input id=w2></div>
<div><label for=d1>Country</label> <input id=d1 list=dl1><datalist id=dl1><option value=Norway><option value=se>Sweden</option><option disabled>Mars</option><option>Denmark</option></datalist></div>
<div><label for=d2>City</label> <input id=d2 list=dl2 oninput="setTimeout(() => { dl2.innerHTML = this.value === 'Oslo' ? '<option value=Oslo>' : '' }, 100)"><datalist id=dl2></datalist></div>
</form><script>
const value = (el) => el.type === 'file' ? el.files[0]?.name : el.type === 'checkbox' ? el.checked && 'on' : el.tagName === 'SELECT' ? el.selectedIndex > 0 && el.value : el.value
const held = () => [...document.querySelectorAll('input,select')].filter(value).map((el) => el.id + '=' + value(el)).join(' ')
</script>`
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	b := newBench(t, nil, nil, shortWait)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	const ambiguous, missing = diag.ElementAmbiguous, diag.ElementNotFound
	fill := func(label string, value any) object { return object{"values": object{label: value}} }
	choose := func(label, option string) object { return object{"label": label, "option": option} }
	put := func(label string) object { return object{"label": label, "value": "12"} }
	for _, tt := range testkit.Some(t, "rows", 6, []struct {
		action string
		params object
		want   string // values of the page afterwards
		code   diag.Code
	}{
		{"input:fill", put("Price"), "a1=12", ""},
		{"select:choose", choose("Price", "USD"), "a2=USD", ""},
		{"form:fill", fill("Price", 12), "a1=12", ""},
		{"form:fill", fill("Price", "12"), "a1=12", ""},
		{"form:fill", fill("Price", "USD"), "", ambiguous},
		{"form:fill", fill("Count", 12), "n1=12", ""},
		{"form:fill", fill("Count", "12"), "", ambiguous},
		{"form:fill", fill("Invoice", 12), "b1=12", ""},
		{"form:fill", fill("Invoice", "INV-12"), "b1=INV-12", ""},
		{"form:fill", fill("Invoice", "a.txt"), "", ambiguous},
		{"form:fill", fill("Invoice", []any{"a.txt"}), "b2=a.txt", ""},
		{"upload:files", object{"label": "Invoice", "files": []any{"a.txt"}}, "b2=a.txt", ""},
		{"form:fill", fill("Phone", 12), "i1=12", ""},
		{"select:choose", choose("Phone", "+46"), "i2=+46", ""},
		{"input:fill", put("Two"), "j1=12", ""},
		{"select:choose", choose("Two", "ft"), "", ambiguous},
		{"input:fill", put("Left"), "k1=12", ""},
		{"form:fill", fill("Left", 12), "k1=12", ""},
		{"select:choose", choose("Left", "ft"), "k2=ft", ""},
		{"select:choose", choose("Right", "ft"), "", missing},
		{"input:fill", put("Right"), "k3=12", ""},
		{"upload:files", object{"label": "Right", "files": []any{"a.txt"}}, "k4=a.txt", ""},
		{"upload:files", object{"label": "Left", "files": []any{"a.txt"}}, "", missing},
		{"select:choose", choose("Search", "ft"), "", missing},
		{"form:fill", fill("Search", "ft"), "s1=ft", ""},
		{"select:choose", choose("Own", "ft"), "", missing},
		{"select:choose", choose("Scale", "ft"), "u2=ft", ""},
		{"input:fill", put("Volume"), "m1=12", ""},
		{"select:choose", choose("Volume", "ft"), "m2=ft", ""},
		{"input:fill", put("Limits"), "", missing},
		{"form:fill", fill("Wrap", 12), "p1=12", ""},
		{"select:choose", choose("Wrap", "ft"), "p2=ft", ""},
		{"select:choose", choose("Cols", "ft"), "q2=ft", ""},
		{"select:choose", choose("Far", "ft"), "", missing},
		{"form:fill", fill("Far", "ft"), "r1=ft", ""},
		{"form:fill", fill("Height", 12), "h1=12", ""},
		{"select:choose", choose("Height", "ft"), "h2=ft", ""},
		{"form:fill", fill("Remark", "ring"), "z1=ring", ""},
		{"input:fill", put("Remark"), "z1=12", ""},
		{"form:fill", fill("Notes", "ring"), "z2=ring", ""},
		{"form:fill", fill("Both", "ring"), "", ambiguous},

		{"input:fill", put("Email"), "t1=12", ""},
		{"checkbox:set", object{"label": "Email"}, "c1=on", ""},
		{"form:fill", fill("Email", "a@b"), "t1=a@b", ""},
		{"form:fill", fill("Email", true), "c1=on", ""},
		{"form:fill", fill("Email", "yes"), "", ambiguous},
		{"form:fill", object{"values": object{"Email": "a@b", "Contact by": []any{"Fax"}}}, "t1=a@b c2=on", ""},
		{"form:fill", fill("Gift", "tea"), "g1=tea", ""},
		{"form:fill", fill("Gift", true), "g2=on", ""},
		{"form:fill", fill("Tier", "B"), "t6=B", ""},
		{"form:fill", fill("Tier", true), "c6=on", ""},
		{"form:fill", fill("Pets", "none"), "t7=none", ""},
		{"form:fill", fill("Pets", []any{"Cat"}), "c7=on", ""},
		{"form:fill", fill("Source", "Web"), "", diag.ParamInvalid},
		{"form:fill", fill("Source", []any{"Web"}), "o1=on", ""},
		{"form:fill", fill("Twice", "x"), "", ambiguous},

		{"select:choose", choose("Country", "Norway"), "d1=Norway", ""},
		{"select:choose", choose("Country", "Sweden"), "d1=se", ""},
		{"select:choose", choose("Country", "se"), "d1=se", ""},
		{"select:choose", object{"label": "Country", "options": []any{"Denmark"}}, "d1=Denmark", ""},
		{"select:choose", object{"label": "Country", "options": []any{"Denmark", "Norway"}}, "", diag.StepFailed},
		{"select:choose", choose("Country", "Mars"), "", diag.StepFailed},
		{"select:choose", choose("Country", "Atlantis"), "", diag.StepFailed},
		{"select:choose", choose("City", "Oslo"), "d2=Oslo", ""},
		{"select:choose", choose("City", "Rome"), "", diag.StepFailed},
		{"input:fill", object{"label": "Country", "value": "Atlantis"}, "d1=Atlantis", ""},
		{"form:fill", object{"values": object{"Country": "Norway", "City": "Rome"}}, "d1=Norway d2=Rome", ""},
	}) {
		t.Run(fmt.Sprint(tt.action, tt.params), func(t *testing.T) {
			b.open(t, base)
			wantFields(t, b, b.run(t, "components:"+tt.action, tt.params), tt.want, tt.code)
		})
	}
}

// antdFields and elementFields are pages with a list or an upload beside a text field, and with two
// fields of the same label.
const antdFields = `<!doctype html><html><head><meta charset=utf-8><link rel=stylesheet href=/npm/antd5.css></head><body><div id=app></div>
<script src=/npm/react18.js></script><script src=/npm/react-dom18.js></script><script src=/npm/dayjs.js></script><script src=/npm/antd5-locales.js></script>
<script>
const h=React.createElement, {Form,Input,Select,Space,Upload,Button,Checkbox,InputNumber}=antd;
const state={}; const set=(k)=>(v)=>{state[k]=v&&v.target?(v.target.type=='checkbox'?v.target.checked:v.target.value):v};
const opts=['EUR','USD'].map(v=>({value:v,label:v}));
const sites=['http','https'].map(v=>({value:v,label:v}));
const I=(label,...c)=>h(Form.Item,{label},...c);
ReactDOM.createRoot(app).render(h(Form,{},
 I('Price',h(Space.Compact,{},h(InputNumber,{onChange:set('price')}),h(Select,{options:opts,onChange:set('cur'),defaultValue:'EUR',style:{width:100}}))),
 I('Site',h(Input,{addonBefore:h(Select,{options:sites,defaultValue:'http',onChange:set('scheme'),style:{width:100}}),onChange:set('site')})),
 h(Form.Item,{label:'Email',htmlFor:'em'},h(Input,{id:'em',onChange:set('email')})),
 h(Checkbox,{onChange:set('byMail')},'Email'),
 I('Invoice',h(Space,{},h(Input,{onChange:set('inv')}),h(Upload,{beforeUpload:(f)=>{state.file=f.name;return false}},h(Button,{},'Choose')))),
));
const held = () => Object.entries(state).map(([k, v]) => k + '=' + v).join(' ')
</script></body></html>`

const elementFields = `<!doctype html><html><head><meta charset=utf-8><link rel=stylesheet href=/npm/element-ui.css></head><body><div id=app></div>
<script src=/npm/vue2.js></script><script src=/npm/element-ui.js></script>
<script>
const v=new Vue({el:'#app',data:{price:'',cur:'EUR',site:'',scheme:'http',email:'',byMail:false,inv:'',file:''},template:'<el-form label-width="120px"><el-form-item label="Price"><el-input-number v-model="price" :controls="false"></el-input-number><el-select v-model="cur"><el-option value="EUR"></el-option><el-option value="USD"></el-option></el-select></el-form-item><el-form-item label="Site"><el-input v-model="site"><el-select slot="prepend" v-model="scheme" style="width:100px"><el-option value="http"></el-option><el-option value="https"></el-option></el-select></el-input></el-form-item><el-form-item label="Email"><el-input v-model="email"></el-input></el-form-item><el-checkbox v-model="byMail">Email</el-checkbox><el-form-item label="Invoice"><el-input v-model="inv"></el-input><el-upload action="" :auto-upload="false" :on-change="f=>file=f.name"><el-button>Choose</el-button></el-upload></el-form-item></el-form>'});
const first = {...v.$data}, held = () => Object.entries(v.$data).filter(([k, x]) => x !== first[k]).map(([k, x]) => k + '=' + x).join(' ')
</script></body></html>`

func TestFieldsOfSeveralKindsOfLibraries(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", libraries.Handler(dir))
	for name, page := range map[string]string{"antd": antdFields, "element": elementFields} {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
		})
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	fill := func(label string, value any) object { return object{"values": object{label: value}} }
	choose := func(label, option string) object { return object{"label": label, "option": option} }
	type row struct {
		action string
		params object
		want   string
		code   diag.Code
	}
	for i, library := range []string{"antd", "element"} {
		for _, tt := range testkit.Share(t, "fields", []row{
			{"form:fill", fill("Price", 12), "price=12", ""},
			{"input:fill", object{"label": "Price", "value": "12"}, "price=12", ""},
			{"select:choose", choose("Price", "USD"), "cur=USD", ""},
			{"form:fill", fill("Price", "USD"), "cur=USD", ""},
			{"form:fill", fill("Site", "example.com"), "site=example.com", ""},
			{"select:choose", choose("Site", "https"), "scheme=https", ""},
			{"form:fill", fill("Site", "https"), "", diag.ElementAmbiguous},
			{"form:fill", fill("Email", "a@b"), "email=a@b", ""},
			{"form:fill", fill("Email", true), "byMail=true", ""},
			{"checkbox:set", object{"label": "Email"}, "byMail=true", ""},
			{"form:fill", fill("Invoice", "12"), "inv=12", ""},
			{"form:fill", fill("Invoice", []any{"a.txt"}), "file=a.txt", ""},
		}, i, 2) {
			t.Run(fmt.Sprint(library, tt.action, tt.params), func(t *testing.T) {
				b.open(t, base+"/"+library)
				wantFields(t, b, b.run(t, library+":"+tt.action, tt.params), tt.want, tt.code)
			})
		}
	}
}

// wantFields compares the values on the page and the outcome of a run.
func wantFields(t *testing.T, b *bench, r *executor.Result, want string, wantCode diag.Code) {
	t.Helper()
	code := diag.Code("")
	if r.Error != nil {
		code = r.Error.Code
	}
	look := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "held()"}, Cwd: b.cwd})
	if got := fmt.Sprint(data(t, look)["value"]); got != want || code != wantCode || len(r.Warnings) > 0 || len(r.Degraded) > 0 {
		t.Errorf("the page holds %q, want %q; code %q, want %q: %v, warnings %v, degraded %v", got, want, code, wantCode, r.Error, r.Warnings, r.Degraded)
	}
}
