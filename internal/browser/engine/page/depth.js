// Elements so deep in a page that computing their styles would overflow the renderer's stack.

import { hasAttr, ownerOf, parentOf, tagOf } from './dom.js';
import { rootsIn, up } from './flat.js';
import { MOST_LEVELS, anyDeep, deepDocs, nestedDocs } from './limits.js';
import { cache } from './look.js';

export const elementVisibility = Element.prototype.checkVisibility, checkVisibility = (el, o) => !isBeyond(el) && elementVisibility.call(el, o);

// isNested reports whether a document is so deep that the browser takes too long to compute names:
// it reads the content of an element again for each ancestor.
export const isNested = (doc) => rootsIn(doc).length > 0 && nestedDocs.has(doc);

// isBeyond reports whether the style of el must not be read: el is too deep, or is in a part of a
// deep page without computed styles, where the browser would then compute all of them.
export const isBeyond = (el) => anyDeep && deepDocs.has(ownerOf(el)) && levelOf(el) === Infinity;

// levelOf returns the level of an element of a deep page, or Infinity if its style must not be
// read.
function levelOf(el) {
  const levels = cache.levels, chain = [];
  let n = el;
  for (; n && !levels.has(n); n = up(n)) chain.push(n);
  for (let around = n, level = n ? levels.get(n) : 0; chain.length; around = n) {
    n = chain.pop();
    level = level >= MOST_LEVELS || (around && skipsContent(around, n)) ? Infinity : level + 1;
    levels.set(n, level);
  }
  return levels.get(el);
}

// skipsContent reports whether the browser computes no styles for kid, a child of el.
function skipsContent(el, kid) {
  if (tagOf(el) === 'details' && !hasAttr(el, 'open')) return tagOf(kid) !== 'summary';
  return getComputedStyle(el).contentVisibility === 'hidden';
}

// isTooDeep reports whether el is too deep in a document that may not have been measured.
export function isTooDeep(el) {
  let n = el;
  for (let i = 0; i < MOST_LEVELS && n; i++) n = parentOf(n);
  return n !== null || isBeyond(el);
}
