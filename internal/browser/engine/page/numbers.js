// Numbers of elements. They belong to this document; the Go side knows which ref stands for which
// number. An element keeps its number as long as it lives. Nothing here keeps it alive.

import { ownerOf, tagOf } from './dom.js';

export const numbers = new WeakMap(); // element -> number
export const elements = new Map(); // number -> {el, doc, tag, alive}, the first two weak
export const firstSeen = new WeakMap(); // element -> the first walk that came to it; also for roots of hidden subtrees
export let lastNumber = 0, walks = 0, sweepAt = 1000;
export const partial = new Set(); // walks that did not see all of the page

// nextWalk starts a walk and returns its number.
export function nextWalk() {
  return ++walks;
}

// numberOf returns the number of el, a new one if it has none. walk is the number of the walk that
// shows el, or 0.
export function numberOf(el, walk = 0) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = ++lastNumber;
    numbers.set(el, n);
    elements.set(n, { el: new WeakRef(el), doc: weakly(ownerOf(el)), tag: tagOf(el), alive: walk });
    if (elements.size > sweepAt) sweep();
  } else if (walk) {
    elements.get(n).alive = walk;
  }
  return n;
}

const documents = new WeakMap(); // document -> its WeakRef

function weakly(doc) {
  let ref = documents.get(doc);
  if (!ref) documents.set(doc, (ref = new WeakRef(doc)));
  return ref;
}

// sweep forgets the numbers of elements that are gone with their documents. Others stay, so that a
// ref of a replaced element can still be explained.
function sweep() {
  for (const [n, e] of elements) {
    if (!e.el.deref() && (!e.doc.deref() || n < lastNumber - 50000)) elements.delete(n);
  }
  sweepAt = 2 * elements.size + 1000;
}

// numbered returns the element with that number, or null if it is gone.
export const numbered = (n) => elements.get(n)?.el.deref() ?? null;

// hiddenTops are the elements below which a walk has left out everything.
export const hiddenTops = new WeakSet();
