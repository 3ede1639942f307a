package session_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/pages"
)

// typedLists has the HTML and the scripts of libraries that draw a list over a <select>. ID is
// replaced by the id of the <select>.
var typedLists = map[string]string{
	"Choices":    `<link rel=stylesheet href=/npm/choices.css><script src=/npm/choices.js></script>|new Choices('#ID')`,
	"Chosen":     `<link rel=stylesheet href=/npm/chosen.css><script src=/npm/jquery3.js></script><script src=/npm/chosen.js></script>|$('#ID').chosen({width:'200px'})`,
	"Multiple":   `<link rel=stylesheet href=/npm/multiple-select.css><script src=/npm/jquery3.js></script><script src=/npm/multiple-select.js></script>|$('#ID').multipleSelect({width:'200px',single:ID==s,filter:ID==s})`,
	"Nice":       `<link rel=stylesheet href=/npm/nice-select.css><script src=/npm/jquery3.js></script><script src=/npm/nice-select.js></script>|ID==s&&$('#ID').niceSelect()`,
	"Select2":    `<link rel=stylesheet href=/npm/select2.css><script src=/npm/jquery3.js></script><script src=/npm/select2.js></script>|$('#ID').select2({width:'200px'})`,
	"Selectize":  drawnLists["selectize"],
	"Slim":       `<link rel=stylesheet href=/npm/slim-select.css><script src=/npm/slim-select.js></script>|new SlimSelect({select:'#ID'})`,
	"Tom Select": `<link rel=stylesheet href=/npm/tom-select.css><script src=/npm/tom-select.js></script>|new TomSelect('#ID')`,
}

// typedListPage returns a page with a single choice list (Color) and a multiple choice list (Tags, in
// which Red and Green are chosen).
func typedListPage(library string) string {
	head, draw, _ := strings.Cut(typedLists[library], "|")
	const more = `<option value=c>Blue<option value=d>Dark Red</select></div>`
	return head + `<form id=f><div><label for=n>Name</label> <input id=n></div><div><label for=s>Color</label> <select id=s name=s><option value="">Pick<option value=a>Red<option value=b>Green` + more +
		`<div><label for=t>Tags</label> <select id=t name=t multiple><option value=a selected>Red<option value=b selected>Green` + more + `</form><script>` +
		strings.ReplaceAll(draw, "ID", "s") + `;` + strings.ReplaceAll(draw, "ID", "t") +
		`;Object.defineProperty(window,'v',{get:()=>[s,t].map(l=>[...l.selectedOptions].filter(o=>o.value).map(o=>o.text).sort().join('+'))})</script>`
}

// TestListsOfDrawnSelectsThatAreTypedIn checks that a text in the search field of a list does not
// count as a choice. An action either chooses the option or fails.
func TestListsOfDrawnSelectsThatAreTypedIn(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	const held = `["","Green+Red"]`
	type fill struct {
		action string
		params object
		want   string
	}
	for _, row := range somePairs(t, "texts in search fields", 3, slices.Sorted(maps.Keys(typedLists)), []fill{
		{"web:form:fill", object{"fields": []any{object{"label": "Color", "value": "Blue"}}}, `["Blue","Green+Red"]`},
		{"web:form:fill", object{"fields": []any{object{"label": "Color", "value": "Blue", "kind": "text"}}}, `["Blue","Green+Red"]`},
		{"components:input:fill", object{"label": "Color", "value": "Blue"}, `["Blue","Green+Red"]`},
		{"components:form:fill", object{"values": object{"Color": "Blue"}}, `["Blue","Green+Red"]`},
	}) {
		library, tt := row.a, row.b
		html = typedListPage(library)
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, tt.action, tt.params)
		got := b.holds(t, "JSON.stringify(window.v)")
		switch {
		case r.Error == nil && got != tt.want:
			t.Errorf("%s: %s is ok, and the page holds %s", library, tt.action, got)
		case r.Error != nil && got != held:
			t.Errorf("%s: %s fails, and the page holds %s: %s", library, tt.action, got, describe(r.Error))
		case r.Error != nil && tt.action == "components:form:fill":
			t.Errorf("%s: %s", library, describe(r.Error))
		}
	}

	html = typedListPage("Selectize")
	b.mustRun(t, "web:page:open", object{"url": base})
	r := b.run(t, "web:form:fill", object{"fields": []any{object{"label": "Color", "value": "Blue"}}})
	wantError(t, r, diag.StepFailed, "drawn by the page over a hidden field")
	if r.Error != nil && !strings.Contains(r.Error.Hint, "components:form:fill") {
		t.Errorf("the hint is %q, expected components:form:fill", r.Error.Hint)
	}
}

// TestListsOfDrawnSelectsWithoutCrosses checks that a multiple choice list can be emptied even if its
// tags have no button for that.
func TestListsOfDrawnSelectsWithoutCrosses(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, row := range somePairs(t, "lists that are emptied", 4, slices.Sorted(maps.Keys(typedLists)), []foreignCase{
		{action: "select:choose", params: object{"label": "Tags", "options": []any{}}, want: `["",""]`},
		{action: "field:set", params: object{"label": "Tags", "value": []any{"Green"}}, want: `["","Green"]`},
		{action: "field:set", params: object{"label": "Tags", "value": []any{"Blue", "Red"}}, want: `["","Blue+Red"]`},
	}) {
		library, tt := row.a, row.b
		tt.name, tt.html = library+" "+tt.action, typedListPage(library)
		b.foreign(t, &html, base, tt)
	}
}

// TestListsOfDrawnSelectsThatStandAlone: no element but the form is around a label, its hidden
// <select>, and what is drawn for that; the label before them is around its field.
func TestListsOfDrawnSelectsThatStandAlone(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, row := range somePairs(t, "lists that stand alone", 11, slices.Sorted(maps.Keys(typedLists)), []foreignCase{
		{action: "select:choose", params: object{"label": "Color", "option": "Blue"}, want: `["Blue","Green+Red"]`},
		{action: "field:set", params: object{"label": "Color", "value": "Dark Red"}, want: `["Dark Red","Green+Red"]`},
		{action: "form:fill", params: object{"values": object{"Name": "Ann", "Color": "Green", "Tags": []any{"Blue"}}}, want: `["Green","Blue"]`},
		{action: "select:choose", params: object{"label": "Tags", "option": "Blue"}, want: `["","Blue+Green+Red"]`},
		{action: "field:set", params: object{"label": "Tags", "value": []any{}}, want: `["",""]`},
		{action: "select:choose", params: object{"label": "Color", "option": "Violet"}, want: `["","Green+Red"]`, code: diag.StepFailed, says: "no option Violet in Color"},
	}) {
		library, tt := row.a, row.b
		tt.name, tt.html = library+" "+tt.action, strings.NewReplacer("<div>", "", "</div>", "", "Name</label> <input id=n>", "Name <input id=n></label>").Replace(typedListPage(library))
		b.foreign(t, &html, base, tt)
	}
}

// tagFields are fields for several free texts, which a library draws over an <input>. They hold the
// tags x and y.
var tagFields = map[string]string{
	"Choices":            `<link rel=stylesheet href=/npm/choices.css><script src=/npm/choices.js></script>|new Choices(t)`,
	"Choices with a x":   `<link rel=stylesheet href=/npm/choices.css><script src=/npm/choices.js></script>|new Choices(t,{removeItemButton:true})`,
	"Selectize":          `<link rel=stylesheet href=/npm/selectize.css><script src=/npm/jquery3.js></script><script src=/npm/selectize.js></script>|$(t).selectize({create:true,delimiter:','})`,
	"Tagify":             `<link rel=stylesheet href=/npm/tagify.css><script src=/npm/tagify.js></script>|new Tagify(t,{originalInputValueFormat:(all)=>all.map((x)=>x.value).join(',')})`,
	"Tagify of a list":   `<link rel=stylesheet href=/npm/tagify.css><script src=/npm/tagify.js></script>|new Tagify(t,{enforceWhitelist:true,whitelist:['a','apple','b','x','y'],dropdown:{enabled:0},originalInputValueFormat:(all)=>all.map((x)=>x.value).join(',')})`,
	"Tom Select":         `<link rel=stylesheet href=/npm/tom-select.css><script src=/npm/tom-select.js></script>|new TomSelect(t,{create:true})`,
	"Tom Select of list": `<link rel=stylesheet href=/npm/tom-select.css><script src=/npm/tom-select.js></script>|new TomSelect(t,{options:[{value:'apple',text:'apple'},{value:'a',text:'a'},{value:'b',text:'b'},{value:'x',text:'x'},{value:'y',text:'y'}]})`,
}

func tagFieldPage(library string) string {
	head, draw, _ := strings.Cut(tagFields[library], "|")
	return head + `<form><div><label for=t>Tags</label> <input id=t name=t value="x,y"></div><div><label for=n>Name</label> <input id=n></div></form><script>` + draw +
		`;Object.defineProperty(window,'v',{get:()=>[t.value.split(',').sort().join(),n.value]})</script>`
}

// TestFieldsOfTags checks that a field for several texts then holds each of the given texts as a tag.
func TestFieldsOfTags(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	fields := slices.Sorted(maps.Keys(tagFields))
	for _, row := range somePairs(t, "tags", 11, fields, []foreignCase{
		{action: "form:fill", params: object{"values": object{"Tags": []any{"a", "b"}, "Name": "Eva"}}, want: `["a,b","Eva"]`},
		{action: "select:choose", params: object{"label": "Tags", "options": []any{"a", "x"}}, want: `["a,x",""]`},
		{action: "select:choose", params: object{"label": "Tags", "option": "b"}, want: `["b,x,y",""]`},
		{action: "field:set", params: object{"label": "Tags", "value": []any{}}, want: `["",""]`},
		{action: "field:set", params: object{"label": "Tags", "value": "a"}, want: `["a,x,y",""]`},
		{action: "input:fill", params: object{"label": "Tags", "value": "a"}, want: `["a,x,y",""]`},
	}) {
		library, tt := row.a, row.b
		tt.name, tt.html = library+" "+tt.action, tagFieldPage(library)
		b.foreign(t, &html, base, tt)
	}
	for _, library := range fields {
		if strings.Contains(library, "list") {
			b.foreign(t, &html, base, foreignCase{name: library, html: tagFieldPage(library), action: "field:set", params: object{"label": "Tags", "value": []any{"x", "y", "Rome"}},
				want: `["x,y",""]`, code: diag.StepFailed, says: "did not take Rome"})
		}
	}
}
