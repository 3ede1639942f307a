package engine

import "testing"

const barPage = `<div>
<div id=s1 class=sel><div><span><input role=combobox id=i1 readonly></span><span id=ph1>Any status</span></div><svg width=8 height=8></svg></div>
<div id=s2 class=sel><div><span><input role=combobox id=i2></span><span id=ph2>Any tag</span></div></div>
<span id=s3 class=sel><span id=ph3></span><span><input id=i3 readonly placeholder="Any place"></span></span>
<div id=s4 class=sel><div role=combobox id=i4 tabindex=0><div id=ph4>Any team</div></div></div>
<span id=s5><input id=i5 placeholder=Keyword></span>
</div>`

// A list without a label is named by its text while it is empty, and is found by that text for a
// while afterwards.
func TestFieldOfList(t *testing.T) {
	field := func(s string) object { return query(part{"kind": "field", "value": s}) }
	inside := func(s, selector string) object { return query(part{"kind": "field", "value": s}, css(selector)) }
	chosen := `ph1.textContent = 'Open'; ph2.remove(); ph3.textContent = 'Oslo'; i3.removeAttribute('placeholder'); ph4.textContent = 'Sales'; i5.removeAttribute('placeholder')`
	p := open(t, barPage)
	tests := []struct {
		name string
		find object
		want string // before something is chosen
		then string // and after that
	}{
		{"a list", field("Any status"), "s1", "s1"},
		{"the whole of it", inside("Any status", ".sel"), "s1", "s1"},
		{"its control", inside("Any status", "input"), "i1", "i1"},
		{"a list of which nothing is left to read", field("Any tag"), "s2", "s2"},
		{"a list by its placeholder", inside("Any place", ".sel"), "s3", "s3"},
		{"a list that is no input", inside("Any team", "[role=combobox]"), "i4", "i4"},
		{"by what is chosen", field("Open"), "", "s1"},
		{"a field to type in", field("Keyword"), "s5", ""},
	}
	check := func(when string, want func(int) string) {
		t.Helper()
		for i, tt := range tests {
			if got := ids(p, tt.find); got != want(i) {
				t.Errorf("%s %s: matched %q, want %q", tt.name, when, got, want(i))
			}
		}
	}
	check("at first", func(i int) string { return tests[i].want })
	p.eval(chosen)
	check("when something is chosen", func(i int) string { return tests[i].then })
	p.eval(`const row = s2.cloneNode(true); row.id = 's6'; row.firstElementChild.insertAdjacentHTML('beforeend', '<span>Any tag</span>'); s2.after(row)`)
	for _, when := range []string{"shows it", "has shown it last"} {
		if got := ids(p, field("Any tag")); got != "s6" {
			t.Errorf("another list that %s: matched %q", when, got)
		}
		p.eval(`s6.querySelector('span:last-child').remove()`)
	}
	p.eval(`s1.remove(); i3.setAttribute('placeholder', 'Any country')`)
	if got := ids(p, field("Any status")); got != "" {
		t.Errorf("a list that is gone: matched %q", got)
	}
	if got := ids(p, field("Any place")); got != "" {
		t.Errorf("a list that is used for something else: matched %q", got)
	}
}
