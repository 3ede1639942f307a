package engine

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// wordsScript fills the page with random content from a seed, and runs the same queries twice: on
// the page as it is, where texts are found from their text nodes, and beside a shadow tree, where
// the text of the whole document is computed. It returns the first results that differ.
const wordsScript = `(async () => {
	let state = %d;
	const next = (n) => (state = (state * 48271) %% 2147483647) %% n;
	const one = (list) => list[next(list.length)];
	const TEXTS = ['a', 'ab', 'B', ' a', 'b ', 'a b', 'A:', '中', '中 文', '\u200b', ' \n ', 'straße', 'aab', '* a'];
	const TAGS = ['div', 'div', 'span', 'span', 'b', 'p', 'label', 'label', 'button', 'li', 'h3', 'section', 'details', 'summary', 'fieldset', 'legend',
		'td', 'textarea', 'style', 'input', 'br', 'svg'];
	const STYLES = ['', '', '', '', '', 'display:none', 'visibility:hidden', 'visibility:visible', 'display:contents', 'display:inline-block',
		'display:block', 'text-transform:uppercase', 'text-transform:capitalize', 'width:0;height:0', 'opacity:0', 'content-visibility:hidden'];
	const ATTRS = [{}, {}, {}, {}, { role: 'group' }, { role: 'dialog' }, { class: 'c' }, { class: 'c' }, { 'aria-hidden': 'true' }, { 'aria-label': 'ab' }, { role: 'heading' }, { title: 'a' }];
	let count = 0;
	const make = (depth) => {
		const el = document.createElement(one(TAGS));
		el.id = 'n' + count++;
		if (!/^style$/.test(el.localName)) el.style.cssText = one(STYLES); // innerText has what a style sheet shows
		for (const [k, v] of Object.entries(one(ATTRS))) el.setAttribute(k, v);
		if (el.localName === 'input') el.placeholder = one(TEXTS);
		if (el.localName === 'label' && next(2)) el.htmlFor = 'n' + (count + next(4));
		for (let i = next(depth > 4 ? 2 : 5); i > 0; i--) el.append(next(2) || depth > 5 ? one(TEXTS) : make(depth + 1));
		return el;
	};
	document.body.replaceChildren();
	while (count < 40) document.body.append(make(0));
	const WANTS = ['a', 'ab', 'aa', 'a b', 'b', 'AB', 'A', '中文', '中', 'aab', 'ba', 'ss', 'STRASSE', 'a:', 'B'];
	const queries = [];
	for (const value of WANTS) {
		for (const op of ['', '*', '~']) queries.push([{ kind: 'text', op, value }]);
		queries.push([{ kind: 'css', value: '#n' + next(count) }, { kind: 'text', value }]);
		queries.push([{ kind: 'css', value: 'div,span' }, { kind: 'text', op: '*', value }]);
		queries.push([{ kind: 'css', value: '*' }, { kind: 'has-text', value }]);
		queries.push([{ kind: 'within', value }, { kind: 'css', value: '*' }]);
		queries.push([{ kind: 'field', value }]);
		queries.push([{ kind: 'label', value }]);
		queries.push([{ kind: 'within', value }]);
	}
	const ask = async (parts) => {
		const r = await __action.extract({ query: { parts }, fields: [{ name: 'id', what: 'attr', attr: 'id' }], timeout: 0, id: 1 });
		return JSON.stringify(r.ok ? r.rows.map((row) => row.id).filter((id) => id && id !== 'host') : r); // elements around the host are read in another way
	};
	const before = [];
	let some = 0;
	for (const q of queries) before.push(await ask(q));
	const host = document.createElement('x-host');
	host.id = 'host';
	host.attachShadow({ mode: 'open' });
	document.body.append(host);
	for (const [i, q] of queries.entries()) {
		const after = await ask(q);
		if (after !== '[]') some++;
		if (after !== before[i]) return JSON.stringify(q) + ': ' + before[i] + ', by the text of the whole document ' + after + '\n' + document.body.innerHTML;
	}
	return some;
})()`

// A search from single text nodes finds the same as one in the text of the whole document.
func TestWordsAsInTheWholeText(t *testing.T) {
	p := open(t, "<p>filled by the test</p>")
	found, pages := 0.0, 60
	if !testkit.Full() {
		pages = 15
		testkit.Leave(t, 45, 60, "pages made by chance")
	}
	for seed := range pages {
		switch r := p.engineEval(fmt.Sprintf(wordsScript, 1000+seed*7919)).(type) {
		case float64:
			found += r
		default:
			t.Fatalf("seed %d: %v", seed, r)
		}
	}
	if found < float64(pages*20) {
		t.Errorf("%v queries found something: the pages are too poor", found)
	}
}
