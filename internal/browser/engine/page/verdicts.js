// Roles and names that the browser computes. The engine can read them itself only if the browser
// runs with the feature ComputedAccessibilityInfo, which one that we did not start lacks.
//
// A look uses the engine's own results and collects the few elements for which it needs the
// browser's. It then ends as Unsure: the Go side queries the browser, passes the results to tell,
// and repeats the look.

import { isNested } from './depth.js';
import { attributeNames, getter, hasAttr, isInput, isTag, localName, now, ownerOf, parentOf, rootElementOf } from './dom.js';
import { Fail, cache, mayAsk, treeKept } from './look.js';
import { foldName, nameOf, roleOf } from './names.js';
import { numberOf, numbered } from './numbers.js';
import { isARIA, isPlain, plainName } from './plain.js';
import { INTERACTIVE, NATIVE, plainRole } from './roles.js';

// hasBrowserNames reports whether the browser runs with ComputedAccessibilityInfo. It is used for
// documents whose accessibility tree the browser keeps; elsewhere each result would cost a whole
// tree.
export const hasBrowserNames = 'computedName' in Element.prototype && 'computedRole' in Element.prototype;
export const browserRole = hasBrowserNames && getter(Element.prototype, 'computedRole');
const browserName = hasBrowserNames && getter(Element.prototype, 'computedName');
export const asksBrowser = (el) => hasBrowserNames && (ownerOf(el) === document || keptDocs.has(ownerOf(el))) && !isNested(ownerOf(el));

// Above this many candidates, names are first compared as the engine computes them, which is
// cheaper.
export const MANY = 40;
const TRUSTED = 1000; // ms for which a verdict is used in a wait
export const FEW = 10; // up to this many candidates, all are verified: the engine's result may miss one
export const MOST_ASKED = 50; // candidates that are verified in one look

// verdicts: element -> {own, role, name, at}. A verdict holds as long as the engine computes the
// same result (own) for the element, so that elements that do not change need no new one. role and
// name are null if the browser gave none.
const verdicts = new WeakMap();

// keptDocs are documents of frames whose accessibility tree the browser keeps, so that it can be
// read here.
const keptDocs = new WeakSet();

const ownOf = (el) => `${roleOf(el)}\n${nameOf(el)}`;

// verdictOf returns the browser's verdict on el, or null if there is none that still holds.
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

// An Unkept ends a look that needs the browser to keep the accessibility tree of the document.
class Unkept extends Unsure {
  constructor() {
    super([]);
    this.result.reason = 'tree';
  }
}

// confirm collects those of els that need a verdict. most is the largest number that is collected
// in this look.
export function confirm(els, most = MOST_ASKED) {
  if (!mayAsk) return;
  for (const el of els) {
    if (asksBrowser(el) || isNested(ownerOf(el)) || verdictOf(el)) continue;
    const ask = hasBrowserNames ? rootElementOf(ownerOf(el)) : el;
    if (cache.unsure.size < most) cache.unsure.add(ask);
  }
}

// settle ends the look if elements were collected.
function settle() {
  const els = [...cache.unsure];
  if (!els.length) return;
  cache.unsure.clear();
  for (const el of els) verdicts.set(el, { own: ownOf(el), role: null, name: null, at: -Infinity });
  throw new Unsure(els);
}

// assured returns the result of look, unless that has collected elements. In that case not even its
// failure counts.
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

// tell stores verdicts: [number, role, name] of elements.
export function tell(list) {
  for (const [number, role, name] of list) {
    const el = numbered(number), v = el && verdicts.get(el);
    if (!v) continue;
    if (hasBrowserNames) keptDocs.add(ownerOf(el));
    verdicts.set(el, { own: v.own, role: role && plainRole(role), name: name && foldName(name), at: now() });
  }
}

// toldRole returns the browser's role if it is one of ARIA, else own: the browser has internal
// roles too.
export function toldRole(role, own) {
  return !role || !Object.hasOwn(NATIVE, role) || (role === 'generic' && INTERACTIVE.has(own)) ? own : role;
}

// needTree ends a look that has to read the browser's result here, if the browser does not keep the
// accessibility tree of the document: each result would cost a whole tree.
export function needTree() {
  if (!treeKept) throw new Unkept();
}

// askedRole returns the role that the browser computes. If the engine's role is certain, it returns
// that. The cells of one table, and the items of one list, share one result.
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

// GROUPED returns the element within which all elements of a kind have one role.
const GROUPED = {
  td: (el) => parentOf(parentOf(el)),
  tr: parentOf,
  li: (el) => (attributeNames(el).some((name) => name === 'tabindex' || isARIA(name)) ? null : parentOf(el)),
};

// askedName returns the name that the browser computes. The name of a file input also contains the
// chosen files, which are its value and are removed here.
export function askedName(el) {
  let name = isTag(el, 'area') ? nameOf(el) : treeKept ? null : plainName(el); // the browser is faster, but does not name areas
  if (name === null) {
    needTree();
    name = foldName(browserName(el) ?? '');
  }
  if (isInput(el, 'file')) name = name.replace(/: [^:]*$/, '');
  cache.asked.set(el, name);
  return name;
}

// spokenRole and spokenName return the best role and name that are known without the browser.
export const spokenRole = (el) => toldRole(verdictOf(el)?.role, roleOf(el));
export const spokenName = (el) => verdictOf(el)?.name ?? cache.asked.get(el) ?? nameOf(el);
