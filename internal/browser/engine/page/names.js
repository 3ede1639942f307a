// ARIA roles and accessible names (W3C accname 1.2) as the engine computes them. If the browser's
// own result is available, that is used instead (verdicts.js).

import { checkVisibility, isBeyond, isNested } from './depth.js';
import {
  ELEMENT, TEXT, attr, byId, closest, dataOf, hasAttr, inputType, inputValue, isSelected, isTag, matches, optionText, ownerOf, parentOf,
  queryAll, rootOf, selectOptions, styleOf, tagOf, textContentOf, textareaValue, typeOf,
} from './dom.js';
import { flatKids, isFlat, labelsOf, nearest, up } from './flat.js';
import { LONGEST_READ, spend } from './limits.js';
import { cache } from './look.js';
import {
  FOCUSABLE, GENERIC, GLOBAL_ARIA, INPUT_ROLES, NAMED_BY_CONTENT, NATIVE, SECTIONS, TAG_ROLES, UNNAMED, plainRole,
} from './roles.js';
import { BUTTON_INPUTS, DEEPEST, buttonText, fold, isListBox, isRendered, isSecret, textOf } from './text.js';
import { drawnOf } from './visible.js';

// roleSaid returns the first known role of a role attribute, or null if none applies.
function roleSaid(el, given) {
  const token = given.toLowerCase().split(/\s+/).find((t) => Object.hasOwn(NATIVE, t));
  if (token === undefined) return null;
  const role = plainRole(token);
  return role === 'none' && (matches(el, FOCUSABLE) || GLOBAL_ARIA.some((a) => hasAttr(el, a))) ? null : role;
}

// roleOf returns the role of el, or "" if it has none.
export function roleOf(el) {
  const given = attr(el, 'role');
  return (given ? roleSaid(el, given) : null) ?? nativeRole(el);
}

function nativeRole(el) {
  const tag = tagOf(el);
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttr(el, 'href') ? 'link' : 'generic';
    case 'input':
      return inputRole(el);
    case 'select':
      return isListBox(el) ? 'listbox' : 'combobox';
    case 'img':
      return attr(el, 'alt') === '' && !hasAttr(el, 'title') && !hasAttr(el, 'aria-label') ? 'none' : 'image';
    case 'li':
      return nearestRole(up(el), 'list') ? 'listitem' : 'generic';
    case 'header':
      return sectioned(el) ? 'generic' : 'banner';
    case 'footer':
      return sectioned(el) ? 'generic' : 'contentinfo';
    case 'aside':
      return sectioned(el) && !labelledDirectly(el) ? 'generic' : 'complementary';
    case 'section':
      return labelledDirectly(el) ? 'region' : 'generic';
    case 'form':
      return 'form';
    case 'td':
      return inGrid(el) ? 'gridcell' : 'cell';
    case 'th':
      return headerRole(el);
    case 'summary':
      return isTag(parentOf(el) ?? el, 'details') ? 'button' : 'generic';
    default:
      return TAG_ROLES[tag] ?? (GENERIC.has(tag) ? 'generic' : '');
  }
}

function inputRole(el) {
  const type = inputType(el);
  if (type === 'checkbox' && hasAttr(el, 'switch')) return 'switch';
  if (hasAttr(el, 'list') && ['text', 'search', 'tel', 'url', 'email'].includes(type)) return 'combobox';
  return INPUT_ROLES[type] ?? '';
}

function headerRole(el) {
  const scope = (attr(el, 'scope') ?? '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const row = parentOf(el);
  const alone = row && queryAll(row, ':scope > td').length === 0;
  return alone ? 'columnheader' : 'rowheader';
}

const sectioned = (el) => up(el) !== null && nearest(up(el), SECTIONS) !== null;
const labelledDirectly = (el) => Boolean(trim(attr(el, 'aria-label')) || attr(el, 'aria-labelledby') || attr(el, 'title'));
const inGrid = (el) => /^(grid|treegrid)$/.test(attr(closest(el, 'table') ?? el, 'role') ?? '');
export const trim = (s) => (s ?? '').trim();

function nearestRole(el, role) {
  for (let n = el; n; n = up(n)) {
    const r = roleOf(n);
    if (r !== 'generic' && r !== 'none') return r === role;
  }
  return false;
}

// isExposed reports whether assistive technology sees el.
export function isExposed(el) {
  return isRendered(drawnOf(el)) && nearest(el, '[aria-hidden=true],[inert]') === null;
}

// nameOf returns the accessible name of el, folded. quick leaves out text from CSS.
export function nameOf(el, quick = false) {
  let known = cache.names.get(el);
  if (known === undefined || quick) {
    known = foldName(compute(el, { seen: new Set(), quick }));
    if (!quick) cache.names.set(el, known);
  }
  return known;
}

// foldName folds a name, cut after LONGEST_READ characters.
export const foldName = (name) => fold(name.slice(0, LONGEST_READ));

// compute returns the name of el by the steps of the recommendation, which are named beside the
// code. o.from: it is read as content of another element. o.ref: aria-labelledby refers to it.
// o.hidden: hidden content counts, because the reference began in it.
export function compute(el, o) {
  if (o.seen.has(el) || o.seen.size > MOST_NAMING || naming > DEEPEST || isBeyond(el)) {
    cutShort++;
    return '';
  }
  spend();
  naming++;
  try {
    return computePart(el, o);
  } finally {
    naming--;
  }
}

const MOST_NAMING = 1000; // elements that are read for one name
let naming = 0; // levels of the name that is being computed
let cutShort = 0; // parts of names that were left out because of what was read before

// computePart computes what el contributes to a name. If possible, it does so only once for each
// element: otherwise nested elements that are all named by their content would be read again for
// each ancestor.
function computePart(el, o) {
  const known = o.from && !o.ref && !o.hidden ? partsOf(ownerOf(el), Boolean(o.quick)) : null;
  if (!known) return computeNow(el, o);
  let name = known.get(el);
  if (name === undefined) {
    const before = cutShort;
    name = computeNow(el, o);
    if (cutShort === before) known.set(el, name);
  }
  return name;
}

// partsOf returns the known parts of names of a document. It returns null if a part may depend on
// where it is read, because elements are named by others or own them.
function partsOf(doc, quick) {
  const kept = quick ? cache.quickParts : cache.parts;
  if (!kept.has(doc)) {
    const free = isFlat(doc) && !queryAll(doc, '[aria-labelledby],[aria-labeledby],[aria-owns]').length;
    kept.set(doc, free ? new Map() : null);
    // Innermost elements first, to keep the recursion shallow.
    if (free && isNested(doc)) queryAll(doc, '*').reverse().forEach((el) => compute(el, { seen: new Set(), quick, from: true }));
  }
  return kept.get(doc);
}

function computeNow(el, o) {
  const inner = o.from || o.ref;
  o.seen.add(el);
  if (inner && !o.hidden && isHiddenNode(el)) return showsInside(el) ? contentName(el, o) : ''; // 2A
  if (!o.ref) { // 2B
    const name = labelledName(el, o);
    if (name) return name;
  }
  const role = roleOf(el);
  if (inner) { // 2C
    const value = embeddedValue(el, role);
    if (value !== null) return value;
  }
  const label = isTag(el, 'slot') ? '' : trim(attr(el, 'aria-label')); // 2D
  if (label && !(UNNAMED.has(role) && !inner && role !== 'generic')) return label;
  if (role !== 'none') { // 2E
    const native = nativeName(el, o);
    if (native !== null && native.trim()) return native;
  }
  if (inner || NAMED_BY_CONTENT.has(role)) { // 2F
    const text = contentName(el, o);
    if (text.trim()) return text;
  }
  return fallbackName(el, role); // 2I
}

// labelledName returns the name that other elements give to el. What was read for it is not read
// again at its own position.
function labelledName(el, o) {
  const names = [];
  for (const target of labellers(el)) {
    const seen = new Set(o.seen);
    seen.delete(target);
    names.push(fold(compute(target, { seen, quick: o.quick, ref: true, hidden: !isExposed(target) })));
    o.seen.add(target);
  }
  return names.filter(Boolean).join(' ');
}

// labellers returns the elements that name el. Like the browser, it accepts a common misspelling.
function labellers(el) {
  const targets = referenced(el, 'aria-labelledby');
  return targets.length ? targets : referenced(el, 'aria-labeledby');
}

// showsInside reports whether a hidden element may contain visible content.
const showsInside = (el) => attr(el, 'aria-hidden') !== 'true' && checkVisibility(el);

const isHiddenNode = (el) => attr(el, 'aria-hidden') === 'true' || !isRendered(el);

// referenced returns the elements whose ids an attribute of el lists. If hash is set, a # before an
// id does not count.
export function referenced(el, name, hash = false) {
  let ids = (attr(el, name) ?? '').split(/\s+/).filter(Boolean);
  if (hash) ids = ids.map((id) => id.replace(/^#/, '')).filter(Boolean);
  if (!ids.length) return [];
  const root = rootOf(el);
  const find = byId[typeOf(root)];
  return find ? ids.map((id) => find(root, id)).filter(Boolean) : [];
}

// embeddedValue returns the value that a control inside a label contributes to the text of the
// label, or null for other elements.
export function embeddedValue(el, role) {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      if (isTag(el, 'input')) return isSecret(el) ? '' : inputValue(el);
      return isTag(el, 'textarea') ? textareaValue(el) : textContentOf(el);
    case 'combobox':
    case 'listbox':
      if (isTag(el, 'select')) return [...selectOptions(el)].filter(isSelected).map(optionText).join(' ');
      if (isTag(el, 'input')) return inputValue(el);
      return queryAll(el, '[role=option][aria-selected=true]').map(textOf).join(' ');
    case 'slider':
    case 'spinbutton':
    case 'progressbar':
    case 'meter':
    case 'scrollbar':
      return attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow') ?? (isTag(el, 'input') ? inputValue(el) : attr(el, 'value') ?? '');
    default:
      return null;
  }
}

export const firstKid = (el, tag) => queryAll(el, `:scope > ${tag}`)[0];
const NAMING_KID = { fieldset: 'legend', figure: 'figcaption', table: 'caption', svg: 'title' };

// nativeName returns the name that the markup gives (html-aam), or null.
function nativeName(el, o) {
  const tag = tagOf(el);
  if (tag === 'input') {
    const type = inputType(el);
    if (BUTTON_INPUTS.includes(type)) return joinLabels(el, o) || buttonText(el);
    if (type === 'image') return joinLabels(el, o) || attr(el, 'alt') || attr(el, 'title') || 'Submit';
  }
  if (isTag(el, 'input', 'select', 'textarea', 'meter', 'output', 'progress', 'button')) return o.from ? null : joinLabels(el, o) || null;
  if (tag === 'img' || tag === 'area') return attr(el, 'alt')?.slice(0, LONGEST_READ) ?? null;
  if (tag === 'optgroup') return attr(el, 'label');
  if (tag === 'option') return attr(el, 'label') || null;
  const kid = NAMING_KID[tag] && firstKid(el, NAMING_KID[tag]);
  if (!kid) return null;
  return tag === 'svg' ? textContentOf(kid) : contentName(kid, { ...o, from: true });
}

function joinLabels(el, o) {
  return labelsOf(el).map((l) => compute(l, { seen: new Set([...o.seen, el]), quick: o.quick, from: true })).filter(Boolean).join(' ');
}

function fallbackName(el, role) {
  const title = trim(attr(el, 'title'));
  if (title && !(UNNAMED.has(role) && role !== 'generic')) return title;
  if (isTag(el, 'input', 'textarea')) return trim(attr(el, 'placeholder')) || trim(attr(el, 'aria-placeholder'));
  return ['textbox', 'searchbox', 'combobox'].includes(role) ? trim(attr(el, 'aria-placeholder')) : '';
}

// The browser applies text-transform to names.
export const same = (s) => s;
export const CASES = {
  uppercase: (s) => s.toUpperCase(),
  lowercase: (s) => s.toLowerCase(),
  capitalize: (s) => s.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (c) => c.toUpperCase()),
};

// contentName joins the names of the content of el (2F), with the text that CSS adds.
function contentName(el, o) {
  const inside = { ...o, from: true, ref: false };
  let text = o.quick ? '' : pseudoText(el, '::before');
  for (const kid of flatKids(el)) {
    if (typeOf(kid) === TEXT) {
      const css = styleOf(el);
      if (o.hidden || css.visibility === 'visible') text += (CASES[css.textTransform] ?? same)(dataOf(kid));
    } else if (typeOf(kid) === ELEMENT && !isTag(kid, 'script', 'style', 'noscript', 'template')) {
      if (isTag(kid, 'br')) text += ' ';
      else text += spaced(kid, compute(kid, inside));
    }
  }
  for (const owned of referenced(el, 'aria-owns')) text += ' ' + compute(owned, inside);
  return o.quick ? text : text + pseudoText(el, '::after');
}

// spaced separates the name of a block from the text around it.
export function spaced(el, name) {
  return isBeyond(el) || /^(inline$|contents|ruby)/.test(styleOf(el).display) ? name : ` ${name} `;
}

// pseudoText returns the text that CSS adds before or after the content of el, or "".
export function pseudoText(el, which) {
  const css = styleOf(el, which);
  const content = css.content;
  if (content === 'none' || content === 'normal' || content === '' || css.display === 'none' || css.visibility !== 'visible') return '';
  const slash = /^(?:"(?:[^"\\]|\\.)*"|[^"/])*\/\s*(.*)$/s.exec(content); // content: "x" / "alternative"
  let text = '';
  for (const m of (slash ? slash[1] : content).matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)) {
    text += m[2] ? attr(el, m[2]) ?? '' : m[1].replace(/\\(.)/gs, '$1');
  }
  return /^inline$/.test(css.display) ? text : ` ${text} `;
}
