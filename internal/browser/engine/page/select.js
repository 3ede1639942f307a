// Selectors: from a query to elements, in document order.

import { ambiguous, pick, several } from './act.js';
import { checkVisibility, isNested } from './depth.js';
import {
  DOCUMENT, ELEMENT, attr, attributeNames, dataOf, getter, hasAttr, isElement, isInput, isTag, labelControl, matches, method, ownerOf,
  parentOf, tagOf, textContentOf, typeOf,
} from './dom.js';
import { isSeen } from './drawn.js';
import { byField, inBare } from './fields.js';
import { byCSS, hasShadow, hasSlot, plainMessage, unique } from './flat.js';
import { frameAt, frameDocument, frameKey, isFrame } from './frames.js';
import { byClass, closestTo, linkedBy, meantBy, nextTo, outsideOf, united, wantsSeen } from './kinds.js';
import { Fail } from './look.js';
import { compute, isExposed, nameOf, pseudoText, referenced, roleOf, stateOf } from './names.js';
import { isARIA, isPlain, isRunning } from './plain.js';
import { hiddenBy, isVisible } from './ready.js';
import { byRef, clickableName, givenRole, takesClicks } from './refs.js';
import { NATIVE, SYNONYMS, plainRole } from './roles.js';
import { bySays } from './says.js';
import { scrollersOf } from './scroll.js';
import { inSections, sections } from './sections.js';
import { byRow } from './table.js';
import { INVISIBLE, SHOWN, cut, fold, isSecret, matcher, readable, textOf } from './text.js';
import { nodesUnder } from './under.js';
import { askedName, assured, doubt, keptDocs, needTree, spokenName, spokenRole } from './verdicts.js';
import { nextText, smallestIn, textTest, textsBelow } from './words.js';

// hasBrowserNames: Chromium started with ComputedAccessibilityInfo. It is asked of
// documents whose tree it keeps; for others its answer would cost a whole tree.
export const hasBrowserNames = 'computedName' in Element.prototype && 'computedRole' in Element.prototype;
export const browserRole = hasBrowserNames && getter(Element.prototype, 'computedRole');
export const browserName = hasBrowserNames && getter(Element.prototype, 'computedName');
export const asksBrowser = (el) => hasBrowserNames && (ownerOf(el) === document || keptDocs.has(ownerOf(el))) && !isNested(ownerOf(el));

// Above this many candidates names are compared by our own reckoning first, which
// is cheaper than the browser's.
export const MANY = 40;

// resolve finds what a query matches. opt.visible: an alias wants a visible match;
// opt.union: all candidates of an alias count (to wait until all are gone);
// opt.decided: Map from an alias's part to the winner of this wait; opt.grace: ms
// that a fallback must still wait. The result tells the winners, and the part that
// matched nothing with the elements before it.
// opt.frames: "visible" where a match in a hidden frame is not wanted, "gone" where
// it counts as none.
export function resolve(query, opt, within) {
  opt.bare ??= new Set(); // fields that are no more than a control
  opt.beside ??= new Map(); // of fields: what to look in where they have nothing
  if (!within) return assured(() => resolveParts(query.parts, opt, [document], []));
  try {
    return resolveParts(query.parts, opt, within, []);
  } catch (err) {
    if (!(err instanceof Crossing)) throw err;
    throw new Fail('frame', { message: `${mark(frameAt(err.result.frame))} is a frame of another origin, into which a filter, a field or any cannot look` });
  }
}

// A Crossing ends a look at a frame that this world cannot enter. path leads to the
// frame's part in the query: the index of a part; under an alias also that of the
// candidate and on; for the selector of a frame -1 and on.
export class Crossing extends Fail {
  constructor(el, won) {
    super('enter', { frame: frameKey(el), hidden: !isVisible(el), path: [], won });
  }
  under(...steps) {
    this.result.path.unshift(...steps);
    return this;
  }
}

function locate(err, ...steps) {
  return err instanceof Crossing ? err.under(...steps) : err;
}

export function resolveParts(parts, opt, within, won, from = 0) {
  let els = within;
  for (let i = from; i < parts.length; i++) {
    if (parts[i].kind === 'within' && i < parts.length - 1) return inSections(parts, i, opt, els, won);
    const next = partOf(parts, i, opt, els, won);
    if (!next.length) return { els: next, won, part: parts[i], before: els };
    els = next;
  }
  return { els, won };
}

export function partOf(parts, i, opt, within, won) {
  try {
    if (parts[i].kind === 'alias') return decide(parts[i], opt, within, won, i === parts.length - 1);
    if (parts[i].kind === 'any' || parts[i].kind === 'either') return united(parts[i], opt, within, won);
    if (parts[i].kind === 'frame' && !opt.frames && parts.slice(i + 1).some(wantsSeen)) opt = { ...opt, frames: 'gone' };
    const found = inFields(parts[i], opt, within, won);
    if (found.length || FILTERS.has(parts[i].kind) || !opt.beside.size) return found;
    const beside = unique(within.flatMap((el) => opt.beside.get(el)?.() ?? []), true);
    return beside.length ? inFields(parts[i], opt, beside, won) : found;
  } catch (err) {
    throw locate(err, i);
  }
}

const inFields = (part, opt, within, won) => (!FILTERS.has(part.kind) && within.some((el) => opt.bare.has(el)) ? inBare(part, opt, within, won) : step(part, opt, within, won));

const FILTERS = new Set(['has-text', 'has', 'not', 'is', 'visible', 'scroller', 'nth', 'closest', 'next', 'under', 'linked', 'none']); // parts that look in no element

export function step(part, opt, within, won) {
  switch (part.kind) {
    case 'css':
      return byCSS(within, scoped(part.value));
    case 'xpath':
      return byXPath(part.value, within);
    case 'class':
      return byClass(part.names, within);
    case 'role':
      return byRole(part, within);
    case 'text':
      return byText(part, within);
    case 'says':
      return bySays(part, within);
    case 'label':
      return byLabel(part, within);
    case 'placeholder':
    case 'alt':
    case 'title':
    case 'testid':
      return byAttribute(part, within);
    case 'field':
      return byField(part, within, opt);
    case 'within':
      return unique(sections(part, within).map(([innermost]) => innermost.scope), true);
    case 'row':
      return byRow(part, within);
    case 'frame':
      return inFrame(part.frame.parts, opt, within, won);
    case 'has-text':
      return filter(within, textTest(matcher(part.op === '~' ? '~' : '*', part.value)));
    case 'has':
      return filter(within, (el) => resolve(part.has, innerOptions(opt), [el]).els.length > 0);
    case 'not':
      return outsideOf(part.has, within, opt);
    case 'visible':
      return filter(within, isSeen);
    case 'scroller':
      return scrollersOf(within);
    case 'nth':
      return nth(within, part.index ?? 0);
    case 'is':
      return filter(within, meantBy(part.has, elementsOf(within), opt));
    case 'closest':
      return closestTo(within, part.has, opt);
    case 'next':
      return nextTo(within, part.has, opt);
    case 'linked':
      return linkedBy(within, part.value);
    case 'under':
      return nodesUnder(within, part.has, opt);
    case 'these':
      return opt.these;
    case 'none':
      return [];
    case 'ref':
      return byRef(part, opt, within, won);
    default:
      throw new Fail('selector', { message: `unknown kind ${part.kind}` });
  }
}

// innerOptions are those for a selector in parentheses: whether it matches is no question of
// what the step waits for.
export const innerOptions = (opt) => ({ ...opt, visible: false, grace: 0, frames: '' });

// decide looks at the candidates of an alias and returns the winner's matches.
// Where more parts follow, a match is as visible as what is in it.
function decide(part, opt, within, won, isLast) {
  const seen = (el) => isVisible(el) || (!isLast && byCSS([el], '*').some(isVisible));
  const tries = new Map();
  const look = (i) => {
    if (!tries.has(i)) {
      const inner = [];
      const { els, fail } = candidate(part.alts[i].parts, i, opt, within, inner);
      tries.set(i, { i, els, inner, fail, good: els.length > 0 && (!opt.visible || els.some(seen)) });
    }
    return tries.get(i);
  };
  if (opt.union) return unique(part.alts.flatMap((_, i) => look(i).els), true);
  const win = winner(part, opt, look);
  if (win) {
    opt.decided?.set(part, win.i);
    won.push(...win.inner, { alias: part.alias ?? '', index: win.i, source: part.alts[win.i].source ?? '' });
    return win.els;
  }
  // Nothing won yet; matches that are not visible are reported as such.
  const best = opt.grace > 0 ? look(0) : [...tries.values()].find((t) => t.els.length) ?? look(0);
  if (best.fail) throw best.fail;
  return best.els;
}

// candidate resolves one candidate of an alias. A failure that may pass is no match.
export function candidate(parts, i, opt, within, won) {
  try {
    return resolveParts(parts, opt, within, won);
  } catch (err) {
    if (!(err instanceof Fail) || !err.late) throw locate(err, i);
    return { els: [], fail: err };
  }
}

// winner is the one that this wait has decided on, else the first that matches. A
// fallback is waited for, unless it has won before (part.prefer): that may have been in
// another place, where a candidate before it was not, so that it goes behind those.
function winner(part, opt, look) {
  const decided = opt.decided?.get(part);
  if (decided !== undefined && look(decided).good) return look(decided);
  const last = opt.grace > 0 ? part.prefer ?? 0 : part.alts.length - 1;
  for (let i = 0; i <= last && i < part.alts.length; i++) if (look(i).good) return look(i);
  return null;
}

const filter = (els, keep) => elementsOf(els).filter(keep);

// A filter at the start of a query narrows all elements of the document.
export const elementsOf = (els) => (els.length && typeOf(els[0]) === DOCUMENT ? byCSS(els, '*') : els);

function nth(within, index) {
  const els = elementsOf(within);
  const el = els.at(index);
  return el ? [el] : [];
}

// A leading combinator is relative to the elements before.
export const scoped = (css) => (/^\s*[>+~]/.test(css) ? ':scope ' + css : css);

function byXPath(value, within) {
  const found = [];
  for (const scope of within) {
    const doc = typeOf(scope) === DOCUMENT ? scope : ownerOf(scope);
    const path = scope !== doc && value.startsWith('/') ? '.' + value : value;
    try {
      const nodes = evaluateXPath(doc, path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      for (let i = 0; i < nodes.snapshotLength; i++) {
        const el = elementAt(nodes.snapshotItem(i));
        if (el) found.push(el);
      }
    } catch (err) {
      throw new Fail('selector', { message: `${value}: ${plainMessage(err)}` });
    }
  }
  return unique(found, within.length > 1);
}

const evaluateXPath = method(Document.prototype, 'evaluate');
const attrOwner = getter(Attr.prototype, 'ownerElement');
const elementAt = (node) =>
  typeOf(node) === ELEMENT ? node : typeOf(node) === Node.ATTRIBUTE_NODE ? attrOwner(node) : isElement(parentOf(node)) ? parentOf(node) : null;

// inFrame is the document of the one frame that parts match.
function inFrame(parts, opt, within, won) {
  let els;
  try {
    ({ els } = resolveParts(parts, opt, within, won));
  } catch (err) {
    throw locate(err, -1);
  }
  if (!els.length) return [];
  const other = els.find((el) => !isFrame(el));
  if (other) throw new Fail('frame', { message: `${describe(other)} is not a frame` }, true);
  const many = els.some(isVisible) ? ambiguous(els) : els.length > 1 && several(els);
  if (many) throw new Fail('ambiguous', { ...many, frames: true }, true);
  return documentIn(pick(els), opt, won);
}

// documentIn is the document that a frame shows, as a list: [] where the step wants
// nothing of a hidden frame.
export function documentIn(el, opt, won) {
  const hidden = opt.frames ? hiddenBy(el) : null;
  if (hidden !== null && opt.frames === 'gone') return [];
  if (hidden !== null) throw new Fail('missing', { missing: 'visible', detail: `its frame ${mark(el)} is not visible: ${hidden}`, el: element(el) }, true);
  const doc = frameDocument(el);
  if (!doc) throw new Crossing(el, won);
  return [doc];
}

export function byText(part, within) {
  const m = matcher(part.op, part.value ?? '');
  return unique(within.flatMap((scope) => smallestIn(scope, m)), within.length > 1);
}

// A value without an attribute's name would match every element.
function byAttribute(part, within) {
  const name = part.attr || part.kind;
  const m = matcher(part.op, part.value ?? '');
  return byCSS(within, `[${CSS.escape(name)}]`).filter((el) => m.test(fold(attr(el, name))));
}

const LABELLED = 'input:not([type=hidden]),select,textarea,button,meter,output,progress,[contenteditable],[aria-label],[aria-labelledby]';
const CONTROL_ROLES = new Set(['button', 'checkbox', 'combobox', 'grid', 'listbox', 'menuitemcheckbox', 'menuitemradio', 'meter',
  'progressbar', 'radio', 'radiogroup', 'searchbox', 'slider', 'spinbutton', 'switch', 'textbox', 'tree', 'treegrid', 'group']);

function byLabel(part, within) {
  const m = matcher(part.op, part.value ?? '');
  if (m.want === '') return [];
  const labelled = labelledControls(within, m);
  return byCSS(within, LABELLED).filter((el) => labelled.has(el) || (ARIA_LABELS.some((a) => hasAttr(el, a)) && isFormControl(el) && ariaLabels(el).some(m.test)));
}

export const ARIA_LABELS = ['aria-label', 'aria-labelledby'];

const isFormControl = (el) =>
  matches(el, 'input,select,textarea,button,meter,output,progress,[contenteditable]') || CONTROL_ROLES.has(roleOf(el));

// labelledControls holds the controls of the <label>s whose text passes: the text
// that is rendered, and what the accessible name makes of it (with what CSS adds,
// without what is hidden from assistive technology).
function labelledControls(within, m) {
  const found = new Set();
  for (const root of new Set(within.map((n) => (typeOf(n) === DOCUMENT ? n : ownerOf(n))))) {
    for (const label of byCSS([root], 'label')) {
      const control = isTag(label, 'label') ? labelControl(label) : null;
      if (control && mayRead(m, label) && labelTexts(label, control).some(m.test)) found.add(control);
    }
  }
  return found;
}

// mayRead reports whether a label may have a text that passes. What all its texts have in
// them, the first words that are drawn in it, is compared first: to read them all is dear.
export function mayRead(m, label) {
  if (m.want === undefined || m.part || hasShadow(label) || hasSlot(label)) return true;
  const walk = textsBelow(label);
  for (let node = nextText(walk); node; node = nextText(walk)) {
    const words = core(dataOf(node)).replace(DRAWN_BOX, '');
    if (words) return !readsAsIs(node, label) || core(m.want).includes(words);
  }
  return true;
}

// DRAWN_BOX is what a page draws in front of a text for a box that may be checked.
const DRAWN_BOX = /^[\s[\]()\u25a0\u25a1\u25cb\u25cf\u25ef\u25fb\u25fc\u2610-\u2612\u2713\u2714\u2717\u2718]+/;

// core is a text without what may differ in how it is read: case, space, marks of labels.
export const core = (text) => text.replace(INVISIBLE, '').replace(/[\s*＊:：]+/g, '').toLowerCase().toUpperCase();

// readsAsIs reports whether a text is in whatever is read of the label that it stands in.
function readsAsIs(node, label) {
  for (let n = parentOf(node); ; n = parentOf(n)) {
    if ((n !== label && !isRunning(n)) || attributeNames(n).some((name) => name === 'role' || isARIA(name))) return false;
    if (n === label) return checkVisibility(parentOf(node), SHOWN);
  }
}

export function labelTexts(label, control) {
  const shown = textOf(label), before = pseudoText(label, '::before'), after = pseudoText(label, '::after');
  const spoken = fold(compute(label, { seen: new Set([control]), from: true, hidden: !isExposed(label) }));
  const texts = [shown, spoken, fold(shown + after.trim()), fold(before.trim() + shown + after.trim())];
  return isInput(control, 'checkbox') || isInput(control, 'radio') ? [...texts, shown.replace(DRAWN_BOX, '')] : texts;
}

export function ariaLabels(el) {
  const names = [];
  const refs = referenced(el, 'aria-labelledby');
  if (refs.length) {
    names.push(refs.map(textOf).join(' ').trim());
    names.push(fold(refs.map((r) => compute(r, { seen: new Set([el]), ref: true, hidden: !isExposed(r) })).join(' ')));
  }
  if (hasAttr(el, 'aria-label')) names.push(fold(attr(el, 'aria-label')));
  return names;
}

// byRole takes the elements that may have the role, by tag and attribute, and
// asks for the verdict only of those.
export function byRole(part, within) {
  const role = plainRole(part.role.toLowerCase());
  if (role === 'clickable') return byClicks(part, within);
  const asked = Object.keys(SYNONYMS).filter((s) => SYNONYMS[s] === role).concat(role);
  const css = asked.map((r) => `[role~=${CSS.escape(r)} i]`).concat(asked.map((r) => NATIVE[r]).filter(Boolean)).join(',');
  const names = [], states = [];
  for (const a of part.attrs ?? []) (a.name === 'name' ? names : states).push(a);
  const wanted = names.map((a) => matcher(a.op, a.value));
  const candidates = byCSS(within, css).filter((el) => states.every((a) => hasState(el, a)));
  if (wanted.length) doubt(candidates, role, wanted);
  if (wanted.length && candidates.length > MANY && hasBrowserNames) {
    const likely = candidates.filter((el) => wanted.every((m) => m.test(nameOf(el, true))));
    const found = likely.filter((el) => isRole(el, role, wanted));
    if (found.length) return found;
  }
  return candidates.filter((el) => isRole(el, role, wanted));
}

// byClicks finds what takes clicks and has no role: what a snapshot calls clickable.
function byClicks(part, within) {
  const wanted = (part.attrs ?? []).filter((a) => a.name === 'name').map((a) => matcher(a.op, a.value));
  const isMeant = (el) => takesClicks(el) && isExposed(el) && givenRole(el) === 'clickable' && wanted.every((m) => m.test(fold(clickableName(el))));
  return byCSS(within, '*').filter(isMeant);
}

function hasState(el, a) {
  const have = stateOf(el, a.name);
  if (have === null) return a.value === false && a.name !== 'level' && a.name !== 'checked';
  return String(have) === String(a.value);
}

export function isRole(el, role, names) {
  if (!asksBrowser(el)) return spokenRole(el) === role && isExposed(el) && names.every((m) => m.test(spokenName(el)));
  if (names.length) {
    const name = askedName(el);
    if (!names.every((m) => m.test(name))) return false;
  }
  return (isPlain(el) ? roleOf(el) : told(el)) === role && isExposed(el);
}

function told(el) {
  needTree();
  return plainRole(browserRole(el));
}

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
