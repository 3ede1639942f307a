package session_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/pages"
)

// alikeCities are options of which two have the label Springfield, flat and in groups. The label of
// one is the beginning of another's, that of another is the heading of a group, and one option with
// one value is in both groups.
var alikeCities = map[bool]string{
	false: `<option value=il>Springfield<option value=ma>Springfield<option value=se>Springfield East<option value=ch>Chicago<option value=bo>Boston<option value=qu>Quincy<option value=qb>Quincy Bay`,
	true: `<optgroup label=Illinois><option value=il>Springfield<option value=se>Springfield East<option value=ch>Chicago</optgroup>
<optgroup label=Quincy><option value=ma>Springfield<option value=bo>Boston<option value=qb>Quincy Bay<option value=qu>Quincy<option value=ch>Chicago</optgroup>`,
}

// alikePage returns a page with a single choice list (City) and a multiple choice list (Stops, in
// which Boston is chosen) of these options, drawn by a library.
func alikePage(library string, groups bool) string {
	head, draw, _ := strings.Cut(typedLists[library], "|")
	all := alikeCities[groups] + `</select></div>`
	return head + `<form id=f><div><label for=n>Name</label> <input id=n></div><div><label for=s>City</label> <select id=s name=s><option value="">Choose` + all +
		`<div><label for=t>Stops</label> <select id=t name=t multiple>` + strings.Replace(all, "value=bo", "value=bo selected", 1) + `</form><script>` +
		strings.ReplaceAll(draw, "ID", "s") + `;` + strings.ReplaceAll(draw, "ID", "t") +
		`;Object.defineProperty(window,'v',{get:()=>[s,t].map(l=>[...new Set([...l.selectedOptions].map(o=>o.value))].filter(Boolean).sort().join('+'))})</script>`
}

// TestListsOfDrawnSelectsWithEqualLabels checks that nothing is chosen if two options have the label
// that is asked for, and that a label which only one option has is still enough.
func TestListsOfDrawnSelectsWithEqualLabels(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	const none, ambiguous, says = `["","bo"]`, diag.ElementAmbiguous, `2 options Springfield are in`
	type row struct {
		groups bool
		foreignCase
	}
	var rows []row
	for _, groups := range []bool{false, true} {
		for _, tt := range []foreignCase{
			{action: "select:choose", params: object{"label": "City", "option": "Springfield"}, want: none, code: ambiguous, says: says},
			{action: "field:set", params: object{"label": "City", "value": "Springfield"}, want: none, code: ambiguous, says: says},
			{action: "form:fill", params: object{"values": object{"City": "Springfield"}}, want: none, code: ambiguous, says: says},
			{action: "select:choose", params: object{"label": "City", "option": "Springfield East"}, want: `["se","bo"]`},
			{action: "field:set", params: object{"label": "City", "value": "Quincy"}, want: `["qu","bo"]`},
			{action: "form:fill", params: object{"values": object{"Name": "Eva", "City": "Boston", "Stops": []any{"Springfield East", "Quincy"}}}, want: `["bo","qu+se"]`},
			{action: "select:choose", params: object{"label": "Stops", "options": []any{"Boston", "Springfield"}}, want: none, code: ambiguous, says: says},
			{action: "field:set", params: object{"label": "Stops", "value": []any{"Springfield", "Quincy"}}, want: none, code: ambiguous, says: says},
			{action: "form:fill", params: object{"values": object{"Stops": []any{"Springfield"}}}, want: none, code: ambiguous, says: says},
			{action: "select:choose", params: object{"label": "Stops", "option": "Quincy"}, want: `["","bo+qu"]`},
			{action: "select:choose", params: object{"label": "City", "option": "Chicago"}, want: `["ch","bo"]`},
		} {
			rows = append(rows, row{groups, tt})
		}
	}
	libraries := slices.DeleteFunc(slices.Sorted(maps.Keys(typedLists)), func(library string) bool { return library == "Nice" })
	for _, row := range somePairs(t, "lists with equal labels", 12, libraries, rows) {
		library, tt := row.a, row.b.foreignCase
		tt.name, tt.html = library+" "+tt.action, alikePage(library, row.b.groups)
		if row.b.groups {
			tt.name += " in groups"
		}
		b.foreign(t, &html, base, tt)
	}
}

// TestListsOfDrawnSelectsWithEqualLabelsOutside tests lists whose <select> does not have the options:
// a script or a server gives them. One option in two groups may be drawn twice.
func TestListsOfDrawnSelectsWithEqualLabelsOutside(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	const all = `[{value:'il',id:'il',text:'Springfield',label:'Springfield'},{value:'ma',id:'ma',text:'Springfield',label:'Springfield'},{value:'bo',id:'bo',text:'Boston',label:'Boston',group:['a','b']}]`
	page := func(library, draw string, options string) string {
		head, _, _ := strings.Cut(typedLists[library], "|")
		return head + `<form><div><label for=n>Name</label> <input id=n></div><div><label for=s>City</label> <select id=s><option value="">Choose` + options + `</select></div></form><script>const all=` + all + `;` +
			draw + `;Object.defineProperty(window,'v',{get:()=>s.value})</script>`
	}
	const near = `<option value=se>Springfield East<option value=sw>Springfield West<option value=bo>Boston`
	const alike = `<option value=il>Springfield<option value=ma>Springfield<option value=bo>Boston`
	lists := []struct{ name, html string }{
		{"Tom Select, options", page("Tom Select", `new TomSelect('#s',{options:all,optgroupField:'group',optgroups:[{value:'a',label:'Springfield'},{value:'b',label:'Boston'}]})`, "")},
		{"Tom Select, server", page("Tom Select", `new TomSelect('#s',{load:(q,found)=>setTimeout(()=>found(all),100)})`, "")},
		{"Select2, server", page("Select2", `$('#s').select2({width:'200px',ajax:{transport:(p,found)=>{setTimeout(()=>found({results:all.filter(o=>o.text.includes(p.data.q||''))}),100)}}})`, "")},
		{"Select2, marked up", page("Select2", `$('#s').select2({width:'200px',templateResult:(o)=>$('<span><b>'+o.text+'</b> <i>'+o.id+'</i></span>')})`, alike)},
		{"Choices, options", page("Choices", `new Choices('#s',{choices:all})`, "")},
	}
	for _, list := range lists {
		for _, tt := range []foreignCase{
			{action: "field:set", params: object{"label": "City", "value": "Springfield"}, want: `""`, code: diag.ElementAmbiguous, says: "2 options Springfield are in City"},
			{action: "form:fill", params: object{"values": object{"Name": "Eva", "City": "Boston"}}, want: `"bo"`},
		} {
			tt.name, tt.html = list.name+" "+tt.action, list.html
			b.foreign(t, &html, base, tt)
		}
	}
	typed := object{"label": "City", "value": "Springfield"}
	b.foreign(t, &html, base, foreignCase{"typed", page("Tom Select", `new TomSelect('#s')`, alike), "input:fill", typed, `""`, diag.ElementAmbiguous, "2 options Springfield are in City"})
	for _, library := range []string{"Choices", "Select2", "Tom Select"} {
		_, draw, _ := strings.Cut(typedLists[library], "|")
		b.foreign(t, &html, base, foreignCase{library + ", only longer ones", page(library, strings.ReplaceAll(draw, "ID", "s"), near), "field:set", typed, `""`, diag.StepFailed, "no option Springfield in City"})
	}
}
