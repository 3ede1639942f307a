package engine

import (
	"fmt"
	"testing"
)

// ref returns the part of a ref from the tree: the node of that role and name.
func (p *tab) ref(role, name string) part {
	p.t.Helper()
	for _, v := range p.tree(object{})["nodes"].([]any) {
		n := v.(object)
		if n["r"] == role && n["n"] == name {
			return part{"kind": "ref", "value": "e1", "index": n["k"], "role": role, "attrs": []any{named(name), object{"name": "equals", "value": 1}}}
		}
	}
	p.t.Fatalf("the tree has no %s %q", role, name)
	return nil
}

func TestRef(t *testing.T) {
	const page = `<div id=a><button id=b>Save</button></div><div id=c></div>`
	tests := []struct{ name, change, want string }{
		{"the same", ``, "Save"},
		{"moved", `c.append(b)`, "Save"},
		{"its class changed", `b.className = 'x'`, "Save"},
		{"renamed", `b.textContent = 'Delete account'`, "stale changed button Delete account"},
		{"another role", `b.setAttribute('role', 'link')`, "stale changed link Save"},
		{"removed", `b.remove()`, "stale gone"},
		{"rendered again", `a.innerHTML = '<button id=b>Save</button>'`, "Save again"},
		{"rendered again elsewhere", `b.remove(); c.innerHTML = '<button id=b>Save</button>'`, "Save again"},
		{"rendered again, twice", `a.innerHTML = '<button>Save</button><button>Save</button>'`, "stale gone"},
		{"rendered again under another name", `a.innerHTML = '<button>Delete</button>'`, "stale gone"},
		{"rendered again as another tag", `a.innerHTML = '<div role=button>Save</div>'`, "stale gone"},
		{"rendered again, hidden", `a.innerHTML = '<button hidden>Save</button>'`, "stale gone"},
	}
	for _, tt := range tests {
		p := open(t, page)
		ref := p.ref("button", "Save")
		p.eval(tt.change)
		if got := resolved(p, ref); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func resolved(p *tab, parts ...part) string {
	p.t.Helper()
	r := p.call("find", object{"query": query(parts...)})
	if r["reason"] != nil {
		s := fmt.Sprint(r["reason"], " ", r["detail"])
		if el, ok := r["el"].(object); ok {
			s += fmt.Sprint(" ", el["role"], " ", el["name"])
		}
		return s
	}
	s := fmt.Sprint(r["el"].(object)["name"])
	if won := r["won"].([]any); len(won) > 0 {
		s += " again"
	}
	return s
}

// An element that was already on the page, shown or hidden, is no new rendering of another.
func TestRefTakesNoOther(t *testing.T) {
	tests := []struct{ name, html, change string }{
		{"another that was there", `<button id=a>OK</button><button>OK</button>`, `a.remove()`},
		{"another that was hidden", `<button id=a>OK</button><div id=d hidden><button>OK</button></div>`, `a.remove(); d.hidden = false`},
		{"in another frame", `<button id=a>OK</button><iframe id=f srcdoc="<p>x</p>"></iframe>`, `a.remove(); f.contentDocument.body.innerHTML = '<button>OK</button>'`},
	}
	for _, tt := range tests {
		p := open(t, tt.html)
		ref := p.ref("button", "OK")
		p.eval(tt.change)
		if got := resolved(p, ref); got != "stale gone" {
			t.Errorf("%s: %s, want stale gone", tt.name, got)
		}
	}
}

func TestRefInChainAndFrame(t *testing.T) {
	p := open(t, `<div role=group aria-label=G><button>A</button></div><div role=group aria-label=H><button>B</button></div>
		<iframe id=f srcdoc="<button>In</button>"></iframe>`)
	if got := resolved(p, p.ref("group", "H"), css("button")); got != "B" {
		t.Errorf("in the group: %s, want B", got)
	}
	in := p.ref("button", "In")
	if got := resolved(p, in); got != "In" {
		t.Errorf("in the frame: %s", got)
	}
	p.eval(`new Promise(r => { f.onload = () => r(1); f.srcdoc = '<button>In</button>' })`)
	if got := resolved(p, in); got != "stale gone" {
		t.Errorf("in a frame that shows another document: %s, want stale gone", got)
	}
}

// Numbers last as long as their elements; those of removed elements are eventually forgotten.
func TestNumbersAreForgotten(t *testing.T) {
	p := open(t, `<div id=d></div>`)
	for range 3 {
		p.eval(`d.innerHTML = '<button>x</button>'.repeat(900)`)
		p.call("tree", object{"nodes": 5000})
	}
	if got := p.outline(object{"nodes": 1}); got == "" {
		t.Error("no tree")
	}
}
