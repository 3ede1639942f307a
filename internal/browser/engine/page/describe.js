// How results and messages name an element. What they say is for a reader; nothing is found by it.

import { attr, isTag, tagOf, textContentOf } from './dom.js';
import { cut, fold, isSecret, readable, textOf } from './text.js';
import { spokenName, spokenRole } from './verdicts.js';

// describe names an element in a line: <button#save.primary "Save">.
export function describe(el) {
  let s = '<' + tagOf(el);
  if (attr(el, 'id')) s += '#' + cut(attr(el, 'id'), 40);
  for (const c of (attr(el, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 2)) s += '.' + cut(c, 40);
  const text = cut(fold(spokenName(el) || (rendersShort(el) ? textOf(el) : '')), 60);
  return text ? `${s} ${JSON.stringify(text)}>` : s + '>';
}

// Only a short text describes; that of a whole page is not even read.
const rendersShort = (el) => !isTag(el, 'html', 'body', 'iframe', 'select') && textContentOf(el).length < 500;

// mark names an element as its tag stands in the page: <div class=mask>.
export function mark(el) {
  if (attr(el, 'id')) return `<${tagOf(el)}#${cut(attr(el, 'id'), 40)}>`;
  const classes = cut((attr(el, 'class') ?? '').trim().replace(/\s+/g, ' '), 60);
  if (classes) return `<${tagOf(el)} class=${/^[\w-]+$/.test(classes) ? classes : JSON.stringify(classes)}>`;
  return describe(el);
}

// element is what a result tells about an element.
export function element(el) {
  const text = isTag(el, 'html', 'body') || isSecret(el) ? '' : cut(readable(el), 200);
  return { role: spokenRole(el), name: spokenName(el), text, desc: describe(el) };
}
