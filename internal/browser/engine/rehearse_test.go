package engine

import (
	"strings"
	"testing"
)

// rehearse shows html and has it told that it has arrived. The script, which change may
// alter, notes what its rehearsal does; before is run in front of it.
func rehearse(t *testing.T, html, before string, change ...string) *tab {
	t.Helper()
	source := strings.NewReplacer(append(change,
		"() => ACTED_ON.forEach(rehearseAct)", "() => ACTED_ON.forEach((on) => { rehearseAct(on); (globalThis.acts ??= []).push(on[0]) })",
		"() => tree({ interactive: true", "() => globalThis.walked = tree({ interactive: true")...).Replace(Source())
	if strings.Count(source, "globalThis.acts") != 1 || strings.Count(source, "globalThis.walked") != 1 {
		t.Fatal("the rehearsal is written otherwise now")
	}
	p := open(t, html)
	p.engineEval("delete globalThis.__action; globalThis.__arrived = () => {}; 1")
	p.engineEval(source)
	p.eval("window.seen && seen.splice(0), 1") // what the parser has done
	p.engineEval(before + "; dispatchEvent(new Event('pageshow')); 1")
	// Behind its parts, which ask for each other.
	p.engineEval(`(async () => { for (let i = 0; i < 5; i++) await scheduler.postTask(() => {}, { priority: 'background' }) })()`)
	return p
}

const rehearsedPage = `<div role=toolbar><button role=switch aria-checked=true>On</button></div><script>
	window.seen = [];
	new MutationObserver((list) => seen.push(...list.map((m) => m.type))).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	for (const type of ['focus', 'blur', 'scroll', 'selectionchange', 'input', 'change', 'slotchange'])
		addEventListener(type, () => seen.push(type), true);
	</script>
	<div style="height: 3000px"><h1>Long</h1><p hidden>Not shown</p><x-panel></x-panel><iframe srcdoc="<button>In</button>"></iframe></div>
	<button style="position: relative; left: 10px">Save</button><label>Name <input value=Ann></label>
	<select><option>A<option>B</select><a href="#x">Link</a>`

// A document that nobody has asked about is rehearsed, which leaves no trace.
func TestRehearsal(t *testing.T) {
	p := rehearse(t, rehearsedPage, "")
	round := "button,a[href] | input:not([type=hidden]) | select | body"
	if got := p.engineEval("acts.join(' | ')"); got != round+" | "+round+" | "+round {
		t.Errorf("acted on %v", got)
	}
	if got := p.engineEval("walked.tree.nodes.p.length > 3 && walked.tree.nodes.k.every((k) => k === 0) && walked.tree.sealed.length === 0"); got != true {
		t.Errorf("walked %v", p.engineEval("JSON.stringify(walked)"))
	}
	if got := p.eval("[scrollX, scrollY, document.activeElement.localName, getSelection().rangeCount, ...seen].join(' ')"); got != "0 0 body 0" {
		t.Errorf("the page saw %v", got)
	}
	tree := p.tree(object{"kept": true})
	if sealed := tree["sealed"].([]any); len(sealed) != 1 {
		t.Errorf("a walk asks for %v, want the closed root of x-panel", sealed)
	}
	for i, n := range tree["nodes"].([]any) {
		if k := n.(object)["k"].(float64); int(k) < 1 || int(k) > i+2 { // the numbers are the first ones
			t.Errorf("node %d has number %v", i, k)
		}
	}
}

// What a rehearsal has begun may end when a run has set a control: it keeps nothing for the
// run, and excuses nothing that the page does.
func TestRehearsalIsOfNoRun(t *testing.T) {
	p := rehearse(t, `<button>Save</button><input id=box type=checkbox checked><select id=list><option>A<option>B</select>`,
		"__action.info()", "Object.freeze({ act,", "Object.freeze({ rehearsal, act,")
	p.engineEval(`__action.rehearsal[0](); __action.act({ query: { parts: [{ kind: 'css', value: '#box' }] }, need: [], op: { name: 'check', on: true, keep: 7 } });
		document.getElementById('box').checked = false; 1`)
	p.engineEval("(async () => { for (let i = 0; i < 5; i++) await __action.nextFrame() })()")
	p.eval("list.value = 'B'")
	if got := p.engineEval("(async () => JSON.stringify((await __action.reverted({ run: 7 })).reverted.map((r) => r.desc)))()"); got != `["<input#box>"]` {
		t.Errorf("reverted: %v, want the box that was set", got)
	}
}

// A page that is too long for it is not walked to its end, which is noted nowhere.
func TestRehearsalIsShort(t *testing.T) {
	p := rehearse(t, strings.Repeat("<p>", 200)+"<button>Save</button>", "", "const REHEARSING = 5", "const REHEARSING = -1")
	if got := p.engineEval("walked.tree.cut.join()"); got != "max_time" {
		t.Errorf("cut %v, want max_time: %v", got, p.engineEval("JSON.stringify(walked)"))
	}
	if tree := p.tree(object{"kept": true}); len(tree["cut"].([]any)) != 0 {
		t.Errorf("a walk is cut by %v", tree["cut"])
	}
}

// Whoever calls first needs no rehearsal.
func TestNoRehearsal(t *testing.T) {
	p := rehearse(t, rehearsedPage, "__action.info()")
	if got := p.engineEval("typeof acts + typeof walked"); got != "undefinedundefined" {
		t.Errorf("rehearsed after a call: %v", got)
	}
}
