// How results and messages name an element. These texts are for readers; no element is found by
// them.

import { attr, isTag, tagOf, textContentOf } from './dom.js';
import { cut, fold, isSecret, readable, textOf } from './text.js';
import { spokenName, spokenRole } from './verdicts.js';

// describe returns an element in one line: <button#save.primary "Save">.
export function describe(el) {
  let s = '<' + tagOf(el);
  if (attr(el, 'id')) s += '#' + cut(attr(el, 'id'), 40);
  for (const c of (attr(el, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 2)) s += '.' + cut(c, 40);
  const text = cut(fold(spokenName(el) || (rendersShort(el) ? textOf(el) : '')), 60);
  return text ? `${s} ${JSON.stringify(text)}>` : s + '>';
}

// Only a short text is shown; the text of a whole page is not even read.
const rendersShort = (el) => !isTag(el, 'html', 'body', 'iframe', 'select') && textContentOf(el).length < 500;

// mark returns the start tag of an element: <div class=mask>.
export function mark(el) {
  if (attr(el, 'id')) return `<${tagOf(el)}#${cut(attr(el, 'id'), 40)}>`;
  const classes = cut((attr(el, 'class') ?? '').trim().replace(/\s+/g, ' '), 60);
  if (classes) return `<${tagOf(el)} class=${/^[\w-]+$/.test(classes) ? classes : JSON.stringify(classes)}>`;
  return describe(el);
}

// element returns what a result reports about an element: {role, name, text, desc}.
export function element(el) {
  const text = isTag(el, 'html', 'body') || isSecret(el) ? '' : cut(readable(el), 200);
  return { role: spokenRole(el), name: spokenName(el), text, desc: describe(el) };
}
