// The flat tree: the document as it is drawn, through slots and open shadow roots.

import {
  DOCUMENT, ELEMENT, FRAGMENT, TEXT, assignedTo, closest, contains, firstOf, hostOf, idOf, isConnected, isTag, labelControl, matches,
  nextOf, ownerOf, parentOf, positionOf, queryAll, rootOf, selectAll, shadowOf, slotOf, tagOf, textSlotOf, typeOf,
} from './dom.js';
import { levelsOf, noteDepth } from './limits.js';
import { Fail, cache, flatDocs, noteFlat } from './look.js';

// up returns the parent in the flat tree: through slots and out of shadow roots. It stays within
// the document.
export function up(node) {
  const slot = typeOf(node) === ELEMENT ? slotOf(node) : typeOf(node) === TEXT ? textSlotOf(node) : null;
  if (slot) return slot;
  const parent = parentOf(node);
  if (parent === null) return null;
  if (typeOf(parent) === ELEMENT) return parent;
  return typeOf(parent) === FRAGMENT ? hostOr(parent, null) : null;
}

// A DocumentFragment that is not a shadow root has no host.
function hostOr(fragment, otherwise) {
  try {
    return hostOf(fragment);
  } catch {
    return otherwise;
  }
}

export function* ancestors(el) {
  for (let n = el; n; n = up(n)) yield n;
}

// isFlat reports whether a document has no shadow trees.
export function isFlat(doc) {
  return flatDocs.has(doc) || rootsIn(doc).length === 1;
}

// nearest is closest() in the flat tree, el itself included.
export function nearest(el, css) {
  if (el && flatDocs.has(ownerOf(el))) return closest(el, css);
  for (const n of ancestors(el)) if (matches(n, css)) return n;
  return null;
}

// isInside reports whether node is el, or below it in the flat tree.
export function isInside(node, el) {
  if (node && el && flatDocs.has(ownerOf(node))) return contains(el, node);
  for (const n of ancestors(node)) if (n === el) return true;
  return false;
}

// flatKids yields the children of el in the flat tree.
export function* flatKids(el) {
  const shadow = shadowOf(el);
  if (!shadow && tagOf(el) === 'slot') {
    const assigned = assignedTo(el);
    if (assigned.length) {
      yield* assigned;
      return;
    }
  }
  for (let n = firstOf(shadow ?? el); n; n = nextOf(n)) yield n;
}

// rootsIn returns scope and every shadow root below it that can be read, outer ones first.
export function rootsIn(scope) {
  const known = cache.roots.get(scope);
  if (known) return known;
  if (typeOf(scope) === ELEMENT && isConnected(scope) && rootsIn(ownerOf(scope)).length === 1) return [scope]; // the document has none
  const found = [scope];
  if (typeOf(scope) === ELEMENT && shadowOf(scope)) found.push(shadowOf(scope));
  let deepest = 0;
  for (let i = 0; i < found.length; i++) {
    const all = selectAll[typeOf(found[i])](found[i], '*');
    deepest = Math.max(deepest, levelsOf(all));
    for (let j = 0, n = all.length; j < n; j++) {
      const shadow = shadowOf(all[j]);
      if (shadow) found.push(shadow);
    }
  }
  cache.roots.set(scope, found);
  if (typeOf(scope) === DOCUMENT) noteDepth(scope, deepest);
  if (found.length === 1 && typeOf(scope) === DOCUMENT) noteFlat(scope);
  return found;
}

export function hasShadow(el) {
  return rootsIn(el).length > 1;
}

// hasSlot reports whether elements that are drawn in el may be elsewhere in the document, because a
// slot of el's shadow tree shows them.
export function hasSlot(el) {
  if (flatDocs.has(ownerOf(el)) || typeOf(rootOf(el)) !== FRAGMENT) return false;
  return tagOf(el) === 'slot' || queryAll(el, 'slot').length > 0;
}

// slottedIn returns the elements that slots in el draw and that are elsewhere in the document.
function slottedIn(el) {
  const found = [];
  if (!hasSlot(el)) return found;
  const slots = [...(tagOf(el) === 'slot' ? [el] : []), ...queryAll(el, 'slot')];
  for (const slot of slots) {
    for (const node of tagOf(slot) === 'slot' ? assignedTo(slot) : []) {
      if (typeOf(node) === ELEMENT) found.push(node, ...slottedIn(node));
    }
  }
  return found;
}

// inOrder sorts elements of one document in document order; a shadow tree comes after its host and
// before the host's own children. Elements of several documents are returned as they are.
export function inOrder(els) {
  if (els.length < 2 || els.some((e) => ownerOf(e) !== ownerOf(els[0]))) return els;
  if (els.length > MANY_SORTED && isFlat(ownerOf(els[0]))) {
    const wanted = new Set(els), sorted = queryAll(ownerOf(els[0]), '*').filter((el) => wanted.has(el));
    if (sorted.length === els.length) return sorted;
  }
  return els.sort(compareOrder);
}

// From this number of elements on, walking the document is faster than comparing: to order two
// elements, the browser counts through their siblings.
const MANY_SORTED = 200;

function compareOrder(a, b) {
  const as = hostChain(a), bs = hostChain(b);
  for (let i = 0; i < as.length && i < bs.length; i++) {
    if (as[i] === bs[i]) continue;
    return positionOf(as[i], bs[i]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }
  return as.length - bs.length;
}

// hostChain returns the shadow hosts around el, from the document inwards, and then el.
function hostChain(el) {
  const chain = [el];
  for (let root = rootOf(el); typeOf(root) === FRAGMENT; root = rootOf(chain[0])) {
    const host = hostOr(root, null);
    if (!host) break;
    chain.unshift(host);
  }
  return chain;
}

// labelsOf returns the <label>s of a control. The labels property is not used: it is null for input
// types to which a page may switch.
export function labelsOf(el) {
  const found = [];
  const root = rootOf(el);
  if (idOf(el) && (typeOf(root) === DOCUMENT || typeOf(root) === FRAGMENT)) {
    for (const l of queryAll(root, `label[for=${JSON.stringify(idOf(el))}]`)) {
      if (isTag(l, 'label') && labelControl(l) === el) found.push(l);
    }
  }
  const around = closest(el, 'label');
  if (around && isTag(around, 'label') && !found.includes(around) && labelControl(around) === el) found.push(around);
  return inOrder(found);
}

// unique removes duplicates; sort says that the elements come from several sources and must be
// sorted.
export function unique(els, sort) {
  const all = [...new Set(els)];
  return sort ? inOrder(all) : all;
}

// byCSS returns the elements below within that match css, through shadow roots. Elements drawn in a
// slot below count too, but are no children of the slot.
export function byCSS(within, css) {
  const found = [], slotted = [];
  let places = 0;
  const look = (root, itself) => {
    const before = found.length;
    try {
      if (itself && matches(root, css)) found.push(root);
      for (const el of queryAll(root, css)) found.push(el);
    } catch (err) {
      throw new Fail('selector', { message: `${css}: ${plainMessage(err)}` });
    }
    if (found.length > before) places++;
  };
  for (const scope of within) {
    for (const root of rootsIn(scope)) look(root);
    if (typeOf(scope) === ELEMENT) slotted.push(...slottedIn(scope));
  }
  if (slotted.length && !css.includes(':scope')) {
    for (const el of slotted) for (const root of rootsIn(el)) look(root, root === el);
  }
  return places > 1 ? unique(found, true) : found;
}

export const plainMessage = (err) => String(err.message).replace(/^Failed to execute .*?: /, '');
