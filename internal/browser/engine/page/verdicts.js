// Roles and names that the browser computes. The engine can read them itself only where the
// feature ComputedAccessibilityInfo is on, which a browser that we did not start lacks.
//
// A look uses the engine's own results and notes the few elements that need the browser's. It
// then ends as Unsure: the Go side asks the browser, passes the results in (tell) and repeats
// the look.

import { isNested } from './depth.js';
import { attributeNames, getter, hasAttr, isInput, isTag, localName, now, ownerOf, parentOf, rootElementOf } from './dom.js';
import { Fail, cache, mayAsk, treeKept } from './look.js';
import { foldName, nameOf, roleOf } from './names.js';
import { numberOf, numbered } from './numbers.js';
import { isARIA, isPlain, plainName } from './plain.js';
import { INTERACTIVE, NATIVE, plainRole } from './roles.js';

// hasBrowserNames: Chromium started with ComputedAccessibilityInfo. It is asked of
// documents whose tree it keeps; for others its answer would cost a whole tree.
export const hasBrowserNames = 'computedName' in Element.prototype && 'computedRole' in Element.prototype;
export const browserRole = hasBrowserNames && getter(Element.prototype, 'computedRole');
const browserName = hasBrowserNames && getter(Element.prototype, 'computedName');
export const asksBrowser = (el) => hasBrowserNames && (ownerOf(el) === document || keptDocs.has(ownerOf(el))) && !isNested(ownerOf(el));

// Above this many candidates names are compared by our own reckoning first, which
// is cheaper than the browser's.
export const MANY = 40;
const TRUSTED = 1000; // ms for which a verdict holds in a wait
export const FEW = 10; // candidates that are all asked for: our own reckoning may miss one
export const MOST_ASKED = 50; // candidates that are asked for in one look

// verdicts: element -> {own, role, name, at}. A verdict holds while our own reckoning of
// the element (own) is what it was: when a page changes, what has not changed needs no
// new one. role and name are null where the browser did not say.
const verdicts = new WeakMap();

// keptDocs are documents of frames of which the browser keeps the tree, so that it can
// be asked in here.
const keptDocs = new WeakSet();

const ownOf = (el) => `${roleOf(el)}\n${nameOf(el)}`;

// verdictOf is what the browser has told of el, null when that does not hold any more.
export function verdictOf(el) {
  const v = verdicts.get(el);
  if (!v || (mayAsk && now() - v.at > TRUSTED)) return null;
  return v.own === ownOf(el) ? v : null;
}

// An Unsure ends a look that needs verdicts of the browser.
export class Unsure extends Fail {
  constructor(els) {
    super('names', { unsure: els.map((el) => numberOf(el)) });
  }
}

// An Unkept ends a look that needs the browser to keep the tree of the document.
class Unkept extends Unsure {
  constructor() {
    super([]);
    this.result.reason = 'tree';
  }
}

// confirm notes those of els on which a verdict is missing; most is how many of all that
// are noted in this look.
export function confirm(els, most = MOST_ASKED) {
  if (!mayAsk) return;
  for (const el of els) {
    if (asksBrowser(el) || isNested(ownerOf(el)) || verdictOf(el)) continue;
    const ask = hasBrowserNames ? rootElementOf(ownerOf(el)) : el;
    if (cache.unsure.size < most) cache.unsure.add(ask);
  }
}

// settle ends the look when something was noted.
function settle() {
  const els = [...cache.unsure];
  if (!els.length) return;
  cache.unsure.clear();
  for (const el of els) verdicts.set(el, { own: ownOf(el), role: null, name: null, at: -Infinity });
  throw new Unsure(els);
}

// assured is the answer of look where that has noted nothing. Not even its failure counts
// before.
export function assured(look) {
  let found;
  try {
    found = look();
  } catch (err) {
    if (err instanceof Fail) settle();
    throw err;
  }
  settle();
  return found;
}

// tell takes [number, role, name] of elements.
export function tell(list) {
  for (const [number, role, name] of list) {
    const el = numbered(number), v = el && verdicts.get(el);
    if (!v) continue;
    if (hasBrowserNames) keptDocs.add(ownerOf(el));
    verdicts.set(el, { own: v.own, role: role && plainRole(role), name: name && foldName(name), at: now() });
  }
}

// toldRole is a role of the browser's where it is one of ARIA: it has others for its own use.
export function toldRole(role, own) {
  return !role || !Object.hasOwn(NATIVE, role) || (role === 'generic' && INTERACTIVE.has(own)) ? own : role;
}

// needTree ends a look that has to ask the browser in here, where that does not keep the
// tree of the document: each answer would cost a whole tree.
export function needTree() {
  if (!treeKept) throw new Unkept();
}

// askedRole is the role that the browser says in here. It is not asked where our own
// reckoning is certain; of the cells of one table it is asked once, for whether they are
// any, and so of the items of one list.
export function askedRole(el, own) {
  if (isPlain(el)) return own;
  needTree();
  const group = hasAttr(el, 'role') || hasAttr(el, 'contenteditable') ? null : GROUPED[localName.call(el)]?.(el);
  if (!group) return plainRole(browserRole(el) ?? '');
  const known = cache.roles, key = localName.call(el) + own;
  let roles = known.get(group);
  if (!roles) known.set(group, (roles = new Map()));
  if (!roles.has(key)) roles.set(key, plainRole(browserRole(el) ?? ''));
  return roles.get(key);
}

// GROUPED tells around which element all of a kind have one role.
const GROUPED = {
  td: (el) => parentOf(parentOf(el)),
  tr: parentOf,
  li: (el) => (attributeNames(el).some((name) => name === 'tabindex' || isARIA(name)) ? null : parentOf(el)),
};

// askedName is the name that the browser says in here. That of a file input goes on with
// what has been chosen, which is its value.
export function askedName(el) {
  let name = isTag(el, 'area') ? nameOf(el) : treeKept ? null : plainName(el); // the browser is quicker, and names no areas
  if (name === null) {
    needTree();
    name = foldName(browserName(el) ?? '');
  }
  if (isInput(el, 'file')) name = name.replace(/: [^:]*$/, '');
  cache.asked.set(el, name);
  return name;
}

// spokenRole and spokenName are what is known best without asking.
export const spokenRole = (el) => toldRole(verdictOf(el)?.role, roleOf(el));
export const spokenName = (el) => verdictOf(el)?.name ?? cache.asked.get(el) ?? nameOf(el);
