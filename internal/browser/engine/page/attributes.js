// Attributes: what a line of the snapshot says about an element besides its role and name.

import { chosenText } from './controls.js';
import {
  DOCUMENT, attr, attributeNames, closest, getter, hasAttr, innerTextOf, inputType, inputValue, isEditableContent, isInput, isSelected,
  matches, optionLabel, optionText, ownerOf, queryAll, rootOf, selectOptions, tagOf, textareaValue, typeOf, viewOf,
} from './dom.js';
import { cache } from './look.js';
import { embeddedValue, trim } from './names.js';
import { isARIA } from './plain.js';
import { isDetailed } from './shown.js';
import { stateOf } from './states.js';
import { cut, fold, isSecret } from './text.js';

const STATES = ['checked', 'expanded', 'selected', 'pressed', 'level'];
const STATELESS = new Set(['a', 'button', 'p', 'li', 'td', 'th', 'tr', 'img', 'textarea', 'label']); // these have no states unless ARIA attributes give them

// attributesOf returns [name, value, "1" if it is a state] in the order of the line.
export function attributesOf(el, tag, role, { active, lit }) {
  const says = attributeNames(el).some((name) => name === 'role' || isARIA(name)); // whether a role or ARIA attribute is set
  const list = [];
  if (!says && STATELESS.has(tag) && !FORM_TAGS.has(tag)) {
    if (isAriaDisabled(el)) list.push(['disabled', 'true', '1']);
    if (el === active) list.push(['focused', 'true', '1']);
    if (el === lit) list.push(['active', 'true', '1']);
    return list;
  }
  const state = (name, value) => list.push([name, String(value), '1']);
  for (const name of says || !STATELESS.has(tag) ? STATES : []) {
    const value = stateOf(el, name);
    if (value === null || (value === false && (name === 'checked' || name === 'selected'))) continue;
    if (name !== 'level' || role === 'heading' || role === 'treeitem') state(name, value);
  }
  const is = (name) => says && attr(el, name) === 'true';
  const control = FORM_TAGS.has(tag) && isDetailed(el);
  if ((control && matches(el, ':disabled')) || isAriaDisabled(el)) state('disabled', true);
  if ((control && tag !== 'button' && hasAttr(el, 'required')) || is('aria-required')) state('required', true);
  if (((tag === 'input' || tag === 'textarea') && hasAttr(el, 'readonly')) || is('aria-readonly')) state('readonly', true);
  const invalid = says ? attr(el, 'aria-invalid') : null;
  if ((invalid && invalid !== 'false') || (control && matches(el, ':user-invalid'))) state('invalid', true);
  const current = says ? attr(el, 'aria-current') : null;
  if (current && current !== 'false') state('current', current);
  if (el === active) state('focused', true);
  if (el === lit) state('active', true); // the active descendant of the element with the focus
  if (tag === 'input' && !PLAIN_TYPES.has(inputType(el))) list.push(['type', inputType(el)]);
  const placeholder = tag === 'input' || tag === 'textarea' ? attr(el, 'placeholder') : says ? attr(el, 'aria-placeholder') : null;
  if (placeholder && trim(placeholder) !== '') list.push(['placeholder', cut(fold(placeholder), 160)]);
  if (tag === 'select') list.push(['options', optionsOf(el)]);
  return list;
}

// addURL adds the URL of a link after its states.
export function addURL(attrs, el) {
  const url = linkOf(el);
  if (url) attrs.splice(attrs.filter((a) => a[2]).length, 0, ['url', cut(url, 160)]);
}

function isAriaDisabled(el) {
  if (!aboutDoc(el).disables && typeOf(rootOf(el)) === DOCUMENT) return false;
  return attr(closest(el, '[aria-disabled]') ?? el, 'aria-disabled') === 'true';
}

// aboutDoc returns what holds for all of el's document: whether an element outside of shadow trees
// has aria-disabled, and the document's origin and URL.
function aboutDoc(el) {
  const doc = ownerOf(el);
  let about = cache.docs.get(doc);
  if (!about) {
    const here = viewOf(doc)?.location;
    const origin = here && here.origin !== 'null' ? here.origin : null;
    cache.docs.set(doc, (about = { disables: queryAll(doc, '[aria-disabled]').length > 0, origin, page: here?.href.split('#')[0] }));
  }
  return about;
}

const FORM_TAGS = new Set(['input', 'select', 'textarea', 'button', 'fieldset']);
const PLAIN_TYPES = new Set(['text', 'search', 'checkbox', 'radio', 'submit', 'button', 'reset', 'image', 'number', 'range']);

// linkOf returns the URL of a link, without the origin if that is the page's, or '' for a script.
function linkOf(el) {
  const full = tagOf(el) === 'area' ? areaURL(el) : anchorURL(el);
  if (/^javascript:/i.test(full)) return '';
  const { origin, page } = aboutDoc(el);
  if (origin === null || !full.startsWith(origin + '/')) return full;
  return full.slice(full.startsWith(page + '#') ? page.length : origin.length);
}

// optionsOf returns the options of a list, joined.
function optionsOf(el) {
  let text = '';
  for (const o of selectOptions(el)) {
    const label = fold(optionText(o) || optionLabel(o));
    if (label) text += (text ? ' | ' : '') + label;
    if (text.length > 160) break;
  }
  return cut(text, 160);
}

// valueShown returns the value of a control, null if it has none, and "" for a password field, even
// while the page shows its letters.
export function valueShown(el, tag, role) {
  if (tag === 'input') {
    if (isSecret(el) || /\bnew-password\b/.test(attr(el, 'autocomplete') ?? '')) return '';
    if (isInput(el, 'checkbox', 'radio', 'hidden', 'image', 'submit', 'button', 'reset')) return null;
    return inputValue(el);
  }
  if (tag === 'textarea') return isSecret(el) ? '' : textareaValue(el);
  if (tag === 'select') return [...selectOptions(el)].filter(isSelected).map((o) => fold(optionText(o) || optionLabel(o))).join(' | ');
  if (role === 'textbox' || role === 'searchbox' || role === 'combobox') {
    if (isEditableContent(el)) return innerTextOf(el).trim();
    return role === 'combobox' ? chosenText(el) : null;
  }
  return ['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar'].includes(role) ? embeddedValue(el, role) : null;
}

const anchorURL = getter(HTMLAnchorElement.prototype, 'href');
const areaURL = getter(HTMLAreaElement.prototype, 'href');
