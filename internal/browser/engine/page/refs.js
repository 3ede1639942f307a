// Refs: finds the element of a ref if it still is what the snapshot showed, or the one element that
// the page has rendered in its place.

import { contextsOf, leftRow } from './context.js';
import { element } from './describe.js';
import { DOCUMENT, isConnected, isTag, localName, ownerOf, tagOf, typeOf, viewOf } from './dom.js';
import { ancestors, byCSS, isInside } from './flat.js';
import { frameAround, frameAt } from './frames.js';
import { Fail, cache } from './look.js';
import { isExposed, nameOf, roleOf } from './names.js';
import { elements, firstSeen, hiddenTops, nextWalk, numberOf, numbered, numbers, partial, walks } from './numbers.js';
import { documentIn } from './reach.js';
import { INTERACTIVE } from './roles.js';
import { LONGEST_NAME, givenRole, shownName, shownRole, takesClicks } from './shown.js';
import { cut, fold } from './text.js';
import { MANY, confirm } from './verdicts.js';

// shownAs returns what the Go side keeps of an element to which it gives a ref outside of a
// snapshot. equals is the number of elements with this role and name in its document. The elements
// that exist now are recorded, as in a walk: they cannot be a later rendering of el.
export function shownAs(el) {
  confirm([el]);
  const role = givenRole(el), name = shownName(el, role), walk = nextWalk();
  for (const other of byCSS([ownerOf(el)], localName.call(el))) if (!firstSeen.has(other)) firstSeen.set(other, walk);
  const equals = name || INTERACTIVE.has(role) ? equalsOf(ownerOf(el), tagOf(el), { role, name }) : [];
  return { number: numberOf(el, walk), role, name, equals: name ? equals.length : 0, context: equals.length > 1 ? contextsOf(equals).get(el) : undefined };
}

export const PINNED = 2 ** 40; // added to the number of an element that is meant whatever its name is

// pinned returns what the Go side keeps of a ref for later steps of a run. Such a ref means the
// element itself: it may change its name, and no other element can replace it.
export function pinned(el) {
  const { role, name } = element(el);
  return { number: PINNED + numberOf(el), role, name, equals: 0 };
}

// byPin returns the element of such a ref. For a wait until it is gone, an element that has left
// the page is no match; otherwise the ref is stale.
function byPin(part, opt, within) {
  const el = numbered(part.index - PINNED), there = el !== null && isInPage(el);
  if (!there && !opt.union) throw new Fail('stale', { message: part.value, detail: 'gone' });
  return there && within.some((n) => n !== el && surrounds(n, el)) ? [el] : [];
}

// equalsOf returns the elements that are shown with this role and name.
function equalsOf(doc, tag, was) {
  const clicks = was.role === 'clickable';
  let all = byCSS([doc], '*').filter((el) => tagOf(el) === tag || (!clicks && roleOf(el) === was.role));
  if (!clicks && all.length > MANY) all = all.filter((el) => fold(cut(nameOf(el, true), LONGEST_NAME)) === was.name);
  all = all.filter((el) => (!clicks || takesClicks(el)) && isExposed(el));
  if (!clicks) confirm(all);
  return all.filter((el) => isStill(el, was));
}

function isStill(el, was) {
  const is = identity(el, was.role);
  return is.role === was.role && is.name === was.name;
}

// byRef returns the element of a ref. part.index is its number in this document; a negative index
// is the number of the frame through which it is reached, and 0 says that it is in none of the
// frames that the selector has entered. part.role and the attribute "name" are what it had when the
// ref was given out, and "context" what distinguished it from its equals (context.js). If another
// element has replaced it, that is reported as a winner whose alias is the ref.
export function byRef(part, opt, within, won) {
  if (!part.index) throw new Fail('elsewhere', { message: part.value });
  if (part.index < 0) return throughFrame(part, opt, within, won);
  if (part.index >= PINNED) return byPin(part, opt, within);
  const was = { role: part.role ?? '', name: String(part.attrs?.[0]?.value ?? '') };
  const entry = elements.get(part.index);
  let el = entry?.el.deref() ?? null;
  if (el && isInPage(el)) {
    confirm([el]);
    const is = identity(el, was.role);
    if (is.role !== was.role || is.name !== was.name) throw new Fail('stale', { message: part.value, detail: 'changed', el: is });
    const context = part.attrs?.[2]?.value, other = context ? leftRow(el, context) : null;
    if (other) throw new Fail('stale', { message: part.value, detail: 'moved', el: is, row: other });
  } else {
    const one = part.attrs?.[1]?.value === 1; // it was the only one of its role and name
    el = entry && one ? renderedAnew(entry, was) : null;
    if (!el) throw new Fail('stale', { message: part.value, detail: 'gone' });
    if (cache.unsure.size) return []; // the look will be repeated
    if (!numbers.has(el)) numbers.set(el, part.index);
    Object.assign(entry, { el: new WeakRef(el), alive: walks });
    won.push({ alias: '@' + part.value, index: 0 });
  }
  return within.some((n) => n !== el && surrounds(n, el)) ? [el] : [];
}

// throughFrame ends the look at the frame that contains the element of a ref.
function throughFrame(part, opt, within, won) {
  const frame = frameAt(-part.index);
  if (!frame || !isInPage(frame)) throw new Fail('stale', { message: part.value, detail: 'gone' });
  if (!within.some((n) => surrounds(n, frame))) return [];
  if (documentIn(frame, opt, won).length) throw new Fail('stale', { message: part.value, detail: 'gone' });
  return [];
}

// surrounds reports whether el is in n, a document or an element, or in a frame there.
function surrounds(n, el) {
  for (let at = el; at; at = frameAround(at)) {
    if (typeOf(n) === DOCUMENT ? ownerOf(at) === n : isInside(at, n)) return true;
  }
  return false;
}

// An element that is only clickable is identified by its text: a cursor may come and go.
function identity(el, wanted) {
  let role = shownRole(el);
  if ((wanted === 'clickable' && !INTERACTIVE.has(role)) || (wanted === 'iframe' && isTag(el, 'iframe'))) role = wanted;
  return { role, name: shownName(el, role) };
}

// A document whose frame now shows another one is not in the page.
function isInPage(el) {
  if (!isConnected(el)) return false;
  for (let doc = ownerOf(el); doc !== document; ) {
    const frame = viewOf(doc)?.frameElement;
    if (!frame || !isConnected(frame)) return false;
    doc = ownerOf(frame);
  }
  return true;
}

// renderedAnew returns the element that the page has put in place of a lost one, or null if that is
// not certain. It has the tag, role and name of the lost one, is the only one with that role and
// name, as the lost one was, and appeared after that was last seen.
function renderedAnew(entry, was) {
  const doc = entry.doc.deref();
  if (!doc || !viewOf(doc) || !was.name || !entry.alive || partial.has(entry.alive)) return null;
  const equals = equalsOf(doc, entry.tag, was);
  if (equals.length !== 1 || tagOf(equals[0]) !== entry.tag) return null;
  for (const n of ancestors(equals[0])) {
    if ((n === equals[0] || hiddenTops.has(n)) && (firstSeen.get(n) ?? Infinity) <= entry.alive) return null;
  }
  return equals[0];
}
